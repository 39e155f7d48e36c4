// SPDX-License-Identifier: Apache-2.0
// The options of queries, one table per dialect.
//
// A dialect has a struct with the values of its options and a table that describes each option and names the member
// that holds its value. Front ends read the table: the command line makes its options, help, manuals and completions
// from it. No other place lists the options of a dialect.
//
//   struct QueryOptions {
//     std::vector<std::string> keys;
//     std::optional<std::string> merge;
//   };
//   constexpr std::array kOptions{
//       OptionOf<QueryOptions>{{.name = "KEY", .help = "the key"}, &QueryOptions::keys},
//       OptionOf<QueryOptions>{{.name = "merge", .value_name = "STRATEGY", .help = "how values meet"},
//                              &QueryOptions::merge}};
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strata::query {

/// The role that a client of a service needs to set an option.
enum class Trust : std::uint8_t {
  anyone,
  writer,  ///< A client could find out secrets with it: it is compared with values.
};

/// The description of an option. Strings live as long as the program.
struct Option {
  std::string_view name;             ///< `merge`: `--merge`. Arguments are in upper case: `KEY`.
  std::string_view short_name = {};  ///< `e`: `-e`. Empty: none.
  std::string_view value_name = {};  ///< `FILE`. Empty for flags and arguments.
  std::string_view help = {};        ///< One line, without a final full stop.
  Trust trust = Trust::writer;
  std::span<const std::string_view> choices = {};  ///< The only values. Empty: any.
  std::string_view default_value = {};             ///< For help. Empty: help does not print it.

  /// Whether it is an argument without a name before it.
  [[nodiscard]] constexpr bool is_argument() const { return name.front() >= 'A' && name.front() <= 'Z'; }
};

/// An option of a dialect, and the member that holds its value. The type of the member is that of the option: a flag, a
/// string, a string that may be missing, or a list of strings.
template <class Values>
struct OptionOf {
  Option option;
  std::variant<bool Values::*, std::string Values::*, std::optional<std::string> Values::*,
               std::vector<std::string> Values::*>
      member;
};

/// The option of a name. Null: the table has none.
template <class Values>
[[nodiscard]] const Option* find_option(std::span<const OptionOf<Values>> table, std::string_view name) {
  for (const OptionOf<Values>& one : table) {
    if (one.option.name == name) return &one.option;
  }
  return nullptr;
}

}  // namespace strata::query
