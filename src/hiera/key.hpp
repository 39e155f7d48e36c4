// SPDX-License-Identifier: Apache-2.0
// Lookup keys: dotted names, split into segments.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "strata/value.hpp"

namespace strata::hiera {

/// One step below a root key: a member's name, or an item's index (negative ones are legal and never found).
using Segment = std::variant<std::string, std::int64_t>;

/// The text of a segment for messages.
[[nodiscard]] std::string to_string(const Segment& segment);

/// A key as given. Rule: docs/hiera/lookup.md, "Keys".
class Key {
 public:
  /// Error (LookupError) `hiera.key` for bad quotes and empty segments.
  explicit Key(std::string_view text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The key for data sources.
  [[nodiscard]] const std::string& root() const noexcept { return is_plain_ ? text_ : root_; }
  /// The segments below the root.
  [[nodiscard]] std::span<const Segment> segments() const noexcept { return segments_; }
  /// The name before the first `::` of the root, and whether there is one. If the root begins with `::`, the whole
  /// root.
  [[nodiscard]] bool has_module() const noexcept { return module_size_ != 0; }
  [[nodiscard]] std::string_view module() const noexcept { return std::string_view(root()).substr(0, module_size_); }

 private:
  std::string text_;
  std::string root_;
  std::vector<Segment> segments_;
  std::size_t module_size_ = 0;
  bool is_plain_ = true;  ///< `text_` is the root.
};

/// Splits at dots, as Key does. The first segment is text, also if it is a number. `what` names the input in messages.
[[nodiscard]] std::vector<Segment> split_key(std::string_view text, std::string_view what);
/// The name of the variable that an expression begins with. Error (LookupError) `hiera.interpolation` for a number,
/// which names none.
[[nodiscard]] std::string variable_name(const std::vector<Segment>& segments, const Sources& sources, Origin at);

}  // namespace strata::hiera
