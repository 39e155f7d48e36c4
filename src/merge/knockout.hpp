// SPDX-License-Identifier: Apache-2.0
// Knockout prefixes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/merge.hpp"

namespace strata::merge {

/// The knockout prefix of a strategy, ready for matching. It matches at the start of every line of a text.
class Knockout {
 public:
  Knockout(const ListOptions& options, const StripPrefix* strip) noexcept
      : prefix_(options.knockout), strip_(options.knockout_is_pattern ? strip : nullptr) {}

  /// There is none: nothing is knocked out.
  [[nodiscard]] bool is_empty() const noexcept { return prefix_.empty(); }
  /// The text is only the prefix: everything below is removed.
  [[nodiscard]] bool is_bare(const Value& item) const noexcept { return item.is_text() && item.text() == prefix_; }
  /// Whether a text begins with the prefix, if that is plain text. For warnings, which must not fail.
  [[nodiscard]] bool is_prefix_of(const Value& item) const noexcept {
    return !is_empty() && strip_ == nullptr && item.is_text() && item.text().starts_with(prefix_);
  }
  /// The text without the prefix. No value if it does not match.
  [[nodiscard]] std::optional<std::string> stripped(std::string_view text) const;
  /// Whether the prefix matches in a text, even if it matches no characters.
  [[nodiscard]] bool matches(const Value& item) const { return item.is_text() && stripped(item.text()).has_value(); }
  /// The target that an item knocks out. No value if there is none.
  [[nodiscard]] std::optional<std::string> target(const Value& item) const;

 private:
  std::string_view prefix_;
  const StripPrefix* strip_;
};

}  // namespace strata::merge
