// SPDX-License-Identifier: Apache-2.0
// Replacement templates of Python's re.sub.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "strata/stop.hpp"
#include "text/regex/regex.hpp"

namespace strata::deckhand {

/// A replacement template. `\1`, `\g<1>` and `\g<name>` are groups; `\n` and the like are characters, and so are `\0`
/// and three octal digits. A backslash before anything but a letter or digit is kept. Immutable.
class PythonTemplate {
 public:
  /// Errors: `deckhand.template` for an unknown escape or group, without the text, which may be secret; `limit.result`
  /// if the template needs more than `most` bytes.
  PythonTemplate(std::string_view text, const text::Regex& regex, std::size_t most);

  /// Replaces all matches in `text`. Also returns whether there were any. Errors: `limit.result` if the result and its
  /// parts exceed `most` bytes; `limit.regex`; as Stop::check.
  struct Replaced {
    std::string text;
    bool any = false;
  };
  [[nodiscard]] Replaced replace_all(std::string_view text, std::size_t most, const Stop* stop) const;

 private:
  void read(std::string_view text);
  std::size_t read_group(std::string_view text, std::size_t at);
  std::size_t read_digits(std::string_view text, std::size_t at);
  void add_group(std::size_t number);
  void add(std::string_view literal);

  const text::Regex& regex_;
  std::size_t most_parts_;
  std::vector<std::variant<std::string, std::size_t>> parts_;  ///< Characters, or the number of a group.
};

}  // namespace strata::deckhand
