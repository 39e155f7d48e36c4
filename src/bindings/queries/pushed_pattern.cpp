// SPDX-License-Identifier: Apache-2.0
// Regular expressions of the Puppet language (Ruby's) as ones of PostgreSQL.
//
// Only what means the same in both is taken over: characters, classes, groups that do not look around, alternatives,
// `*`, `+`, `?`. Ruby's `^` and `$` match at lines; PostgreSQL's at the ends of the text, or at lines under `(?w)`,
// where it has one line start more (behind a last line feed). Nothing that is taken over turns a match into none, so
// that putting a stronger anchor gives fewer matches, and a weaker one more.
#include "pushdown.hpp"

#include "puppet/characters.hpp"

namespace strata::bindings::queries {
namespace {

constexpr std::size_t kLongestPattern = 256;  ///< Bytes; longer ones are looked at here alone.
constexpr std::size_t kDeepestGroup = 20;

bool is_letter_or_digit(char c) { return puppet::is_digit(c) || puppet::is_letter(c); }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80U; }
bool is_mark(char c) { return c > ' ' && c < '\x7F' && !is_letter_or_digit(c); }

void append_escaped(std::string& out, char c) {
  if (is_mark(c) && c != '_') out += '\\';
  out += c;
}

class Translation {
 public:
  Translation(std::string_view pattern, Bound bound) : rest_(pattern), bound_(bound) {}

  std::optional<std::string> result() {
    if (rest_.size() > kLongestPattern || !alternatives(0) || !rest_.empty()) return std::nullopt;
    return has_anchor_ && bound_ == Bound::above ? "(?w)" + out_ : out_;
  }

 private:
  char next() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  bool accept(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Recursion: at most kDeepestGroup.
  bool alternatives(std::size_t depth) {
    if (depth > kDeepestGroup) return false;
    while (!rest_.empty() && rest_.front() != ')') {
      if (accept('|')) {
        out_ += '|';
      } else if (!piece(depth)) {
        return false;
      }
    }
    return true;
  }

  bool piece(std::size_t depth) {
    const char c = next();
    if (c == '^' || c == '$') {
      has_anchor_ = true;
      out_ += c;
      return !at_quantifier();
    }
    if (c == '\\' && !rest_.empty() && (rest_.front() == 'A' || rest_.front() == 'z')) {
      out_ += next() == 'A' ? "\\A" : "\\Z";
      return !at_quantifier();
    }
    return atom(c, depth) && quantifier();
  }

  bool atom(char c, std::size_t depth) {
    switch (c) {
      case '(':
        if (accept('?') && !accept(':')) return false;
        out_ += "(?:";
        if (!alternatives(depth + 1) || !accept(')')) return false;
        out_ += ')';
        return true;
      case '[':
        return character_class();
      case '\\':
        return escape();
      case '.':
        out_ += "[^\n]";
        return true;
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
      case '\0':
        return false;
      default:
        return literal(c);
    }
  }

  /// A character with all of its bytes, so that what follows repeats all of it.
  bool literal(char c) {
    append_escaped(out_, c);
    if (is_ascii(c)) return true;
    while (!rest_.empty() && (static_cast<unsigned char>(rest_.front()) & 0xC0U) == 0x80U) out_ += next();
    return true;
  }

  [[nodiscard]] bool at_quantifier() const {
    return !rest_.empty() && std::string_view("*+?{").find(rest_.front()) != std::string_view::npos;
  }

  bool quantifier() {
    if (!at_quantifier()) return true;
    if (rest_.front() == '{') return false;
    out_ += next();
    // Reluctant or not, it matches in the same texts. A possessive one does not.
    (void)accept('?');
    return !at_quantifier();
  }

  /// What an escape means inside and outside of classes; empty where it is not taken over.
  std::string_view set_of(char c) {
    switch (c) {
      case 'd':
        return "0-9";
      case 'w':
        return "a-zA-Z0-9_";
      case 's':
        return " \t\r\n\f\v";
      default:
        return {};
    }
  }

  /// The character that an escape stands for; '\0' where it is none.
  static char escaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : is_mark(c) || c == ' ' ? c : '\0'; }

  bool escape() {
    if (rest_.empty()) return false;
    const char c = next();
    if (const std::string_view set = set_of(c); !set.empty()) {
      out_.append("[").append(set).append("]");
      return true;
    }
    const char character = escaped(c);
    if (character == '\0') return false;
    append_escaped(out_, character);
    return true;
  }

  bool character_class() {
    out_ += '[';
    if (accept('^')) out_ += '^';
    bool is_empty = true;
    while (!rest_.empty() && rest_.front() != ']') {
      if (!class_item()) return false;
      is_empty = false;
    }
    out_ += ']';
    return !is_empty && accept(']');
  }

  bool class_item() {
    const char c = next();
    if (c == '[' || c == '&' || c == '-' || !is_ascii(c) || c == '\0') return false;
    if (c == '\\') {
      if (rest_.empty()) return false;
      const char escape = next();
      if (const std::string_view set = set_of(escape); !set.empty()) {
        out_ += set;
        return rest_.empty() || rest_.front() != '-';
      }
      const char character = escaped(escape);
      if (character == '\0') return false;
      append_escaped(out_, character);
      return rest_.empty() || rest_.front() != '-';
    }
    append_escaped(out_, c);
    if (!accept('-')) return true;
    if (rest_.empty() || rest_.front() == ']') {
      out_ += "\\-";
      return true;
    }
    const char to = next();
    const bool same_kind = (puppet::is_digit(c) && puppet::is_digit(to)) ||
                           (c >= 'a' && c <= 'z' && to >= 'a' && to <= 'z') ||
                           (c >= 'A' && c <= 'Z' && to >= 'A' && to <= 'Z');
    if (!same_kind || to < c) return false;
    out_ += '-';
    out_ += to;
    return true;
  }

  std::string_view rest_;
  Bound bound_;
  bool has_anchor_ = false;
  std::string out_;
};

}  // namespace

std::optional<std::string> pushed_pattern(std::string_view pattern, Bound bound) {
  return Translation(pattern, bound).result();
}

std::optional<std::string> pushed_text(std::string_view text) {
  if (text.size() > kLongestPattern || text.find('\0') != std::string_view::npos) return std::nullopt;
  // `(?i)` would take letters as the locale of the server does.
  std::string out = "^";
  for (const char c : text) {
    if (is_letter_or_digit(c) && !puppet::is_digit(c)) {
      out.append({'[', puppet::lower(c), puppet::upper(c), ']'});
    } else {
      append_escaped(out, c);
    }
  }
  return out + "$";
}

}  // namespace strata::bindings::queries
