// What Python's re.sub puts in the place of a match.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "strata/stop.hpp"
#include "text/regex/regex.hpp"

namespace strata::deckhand {

/// A replacement template: `\1`, `\g<1>` and `\g<name>` are groups, `\n` and its like are characters, `\0` and three octal digits are, too; a
/// backslash before anything but a letter or digit stays. Immutable.
class PythonTemplate {
 public:
  /// Errors: `deckhand.template`: an escape or a group that there is not. The text itself is not shown: it may be a secret. `limit.result`: the
  /// template takes more than `most` bytes.
  PythonTemplate(std::string_view text, const text::Regex& regex, std::size_t most);

  /// All matches in `text` replaced, and whether there were any. Errors: `limit.result` where the bytes of the result and the parts that were put
  /// together are more than `most`, `limit.regex`; as Stop::check.
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
