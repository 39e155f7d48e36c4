// Formats of texts: `%-10s`, and maps from types to formats.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/convert/arguments.hpp"

namespace strata::puppet {

struct FormatMap;

/// `%` flags width `.` precision letter, and what the members of containers are written with.
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
  /// The pair that the flags ask for around a container.
  [[nodiscard]] std::string_view delimiters(std::string_view otherwise) const noexcept;
};

struct FormatMap {
  struct Item {
    TypeRef type;
    Format format;
  };
  std::vector<Item> items;
  bool ranked = true;  ///< The narrowest type counts; else the first.

  /// The format for a value; `%s` where the map has none.
  [[nodiscard]] const Format& find(const Value& value) const;
};

/// Throws `puppet.format`.
[[nodiscard]] Format parse_format(std::string_view text);
/// The formats that are used where nothing is said.
[[nodiscard]] const FormatMap& default_formats();
/// The formats of members of containers where nothing is said.
[[nodiscard]] const std::shared_ptr<const FormatMap>& default_inner_formats();
/// The default formats with those of a mapping from types to formats over them. Throws `puppet.format`.
[[nodiscard]] FormatMap merged_formats(const Value& map, const Limits& limits);
/// The default formats with one over them.
[[nodiscard]] FormatMap merged_formats(TypeRef type, Format format);

// As Ruby's Kernel.format writes one value. They throw `puppet.format` for flags that it does not know.
[[nodiscard]] std::string format_text(const Format& format, std::string_view text);
[[nodiscard]] std::string format_integer(const Format& format, char letter, const Integer& number);
[[nodiscard]] std::string format_float(const Format& format, char letter, double number);
/// Width, precision and `-` only, whatever other flags there are.
[[nodiscard]] std::string pad_text(const Format& format, std::string_view text);
/// As Ruby prints a float.
[[nodiscard]] std::string float_inspect(double number);
/// Where a letter is none of those that a type has.
[[nodiscard]] Error illegal_format(char letter, std::string_view type, std::string_view letters);

}  // namespace strata::puppet
