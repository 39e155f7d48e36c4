// What a knockout prefix strikes out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/merge.hpp"

namespace strata::merge {

/// The knockout prefix of a strategy, ready to be looked for. It matches at the start of every line of a text.
class Knockout {
 public:
  Knockout(const ListOptions& options, const StripPrefix* strip) noexcept
      : prefix_(options.knockout), strip_(options.knockout_is_pattern ? strip : nullptr) {}

  /// There is none: nothing is struck out.
  [[nodiscard]] bool is_empty() const noexcept { return prefix_.empty(); }
  /// The prefix and nothing else: all that is below goes.
  [[nodiscard]] bool is_bare(const Value& item) const noexcept { return item.is_text() && item.text() == prefix_; }
  /// A text that begins with the prefix, where that is plain text: looked at for warnings, which must not fail.
  [[nodiscard]] bool is_prefix_of(const Value& item) const noexcept {
    return !is_empty() && strip_ == nullptr && item.is_text() && item.text().starts_with(prefix_);
  }
  /// The text without the prefix; none where it does not match.
  [[nodiscard]] std::optional<std::string> stripped(std::string_view text) const;
  /// A text in which the prefix matches, even where it matches no characters.
  [[nodiscard]] bool matches(const Value& item) const { return item.is_text() && stripped(item.text()).has_value(); }
  /// What an item strikes out; none where it strikes out nothing.
  [[nodiscard]] std::optional<std::string> target(const Value& item) const;

 private:
  std::string_view prefix_;
  const StripPrefix* strip_;
};

}  // namespace strata::merge
