// SPDX-License-Identifier: Apache-2.0
// Formats for texts: `%-10s`, and maps from types to formats.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/convert/arguments.hpp"

namespace strata::puppet {

struct FormatMap;

/// `%` flags width `.` precision letter, and the separators of containers.
struct Format {
  std::string flags;  ///< Each at most once.
  std::optional<std::size_t> width;
  std::optional<std::size_t> precision;
  char letter = 's';
  std::optional<std::string> separator;   ///< Between members.
  std::optional<std::string> separator2;  ///< Between key and value.
  std::shared_ptr<const FormatMap> inner;

  [[nodiscard]] bool has(char flag) const noexcept { return flags.find(flag) != std::string::npos; }
  /// `#`.
  [[nodiscard]] bool alternative() const noexcept { return has('#'); }
  /// The delimiters around a container, from the flags.
  [[nodiscard]] std::string_view delimiters(std::string_view otherwise) const noexcept;
};

struct FormatMap {
  struct Item {
    TypeRef type;
    Format format;
  };
  std::vector<Item> items;
  bool ranked = true;  ///< The narrowest type is used. If false, the first.

  /// The format for a value. `%s` if the map has none.
  [[nodiscard]] const Format& find(const Value& value) const;
};

/// Throws `puppet.format`.
[[nodiscard]] Format parse_format(std::string_view text);
/// The default formats.
[[nodiscard]] const FormatMap& default_formats();
/// The default formats for members of containers.
[[nodiscard]] const std::shared_ptr<const FormatMap>& default_inner_formats();
/// The default formats, overridden by a mapping from types to formats. Throws `puppet.format`.
[[nodiscard]] FormatMap merged_formats(const Value& map, const Limits& limits);
/// The default formats, overridden by one.
[[nodiscard]] FormatMap merged_formats(TypeRef type, Format format);

// Like Ruby's Kernel.format for one value. Each throws `puppet.format` for unknown flags.
[[nodiscard]] std::string format_text(const Format& format, std::string_view text);
[[nodiscard]] std::string format_integer(const Format& format, char letter, const Integer& number);
[[nodiscard]] std::string format_float(const Format& format, char letter, double number);
/// Uses only width, precision and `-`.
[[nodiscard]] std::string pad_text(const Format& format, std::string_view text);
/// As Ruby prints a float.
[[nodiscard]] std::string float_inspect(double number);
/// The error for a letter that the type does not have.
[[nodiscard]] Error illegal_format(char letter, std::string_view type, std::string_view letters);

}  // namespace strata::puppet
