#include "yaml_scalar_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "profile.hpp"

namespace strata::text {
namespace {

enum class Class : std::uint8_t { ordinary, blank, tab, line_feed, colon, hash, single_quote, escaped, control, high };

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (std::size_t i = 0; i < 0x20; ++i) classes[i] = Class::control;
  for (std::size_t i = 0x80; i < 0x100; ++i) classes[i] = Class::high;
  classes[0x7F] = Class::control;
  classes[' '] = Class::blank;
  classes['\t'] = Class::tab;
  classes['\n'] = Class::line_feed;
  classes[':'] = Class::colon;
  classes['#'] = Class::hash;
  classes['\''] = Class::single_quote;
  classes['"'] = Class::escaped;
  classes['\\'] = Class::escaped;
  return classes;
}
constexpr std::array<Class, 256> kClasses = make_classes();

Class class_of(char c) noexcept { return kClasses[static_cast<unsigned char>(c)]; }

/// The character at `offset` of valid UTF-8, and its length.
struct Character {
  char32_t code;
  std::size_t length;
};

Character character_at(std::string_view text, std::size_t offset) noexcept {
  const auto byte = [text, offset](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i])); };
  const auto tail = [&byte](std::size_t i) { return byte(i) & 0x3FU; };
  if (byte(0) < 0x80) return {byte(0), 1};
  if (byte(0) < 0xE0) return {(byte(0) & 0x1FU) << 6U | tail(1), 2};
  if (byte(0) < 0xF0) return {(byte(0) & 0x0FU) << 12U | tail(1) << 6U | tail(2), 3};
  return {(byte(0) & 0x07U) << 18U | tail(1) << 12U | tail(2) << 6U | tail(3), 4};
}

/// Characters above ASCII that must not stand in a YAML text as they are: controls, the line breaks of YAML 1.1 (NEL, LS, PS), the byte order mark
/// and the two that are no characters. Marks that turn the direction of writing could, but would show the reader something else than what is there.
bool needs_escape(char32_t code) noexcept {
  return (code >= 0x80 && code < 0xA0) || code == 0x2028 || code == 0x2029 || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool has_escapes_above_ascii(std::string_view text) noexcept {
  if (find_invalid_utf8(text) != std::string_view::npos) return true;
  for (std::size_t i = 0; i < text.size();) {
    const Character character = character_at(text, i);
    if (needs_escape(character.code)) return true;
    i += character.length;
  }
  return false;
}

/// What one pass over a text tells.
struct Shape {
  bool lines = false;            ///< It has line feeds.
  bool trailing_blanks = false;  ///< A line ends with a blank or tab.
  bool tabs = false;
  bool comment_or_colon = false;  ///< ` #`, `: ` or a colon at the end, which end a plain scalar.
  bool single_quotes = false;
  bool escaped = false;      ///< Double quotes or backslashes.
  bool unprintable = false;  ///< Only double quotes can hold it.
};

Shape shape_of(std::string_view text) noexcept {
  Shape shape;
  bool high = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (class_of(text[i])) {
      case Class::ordinary:
        break;
      case Class::blank:
      case Class::tab:
        shape.tabs |= text[i] == '\t';
        shape.trailing_blanks |= i + 1 == text.size() || text[i + 1] == '\n';
        break;
      case Class::line_feed:
        shape.lines = true;
        break;
      case Class::colon:
        shape.comment_or_colon |= i + 1 == text.size() || text[i + 1] == ' ';
        break;
      case Class::hash:
        shape.comment_or_colon |= i == 0 || text[i - 1] == ' ';
        break;
      case Class::single_quote:
        shape.single_quotes = true;
        break;
      case Class::escaped:
        shape.escaped = true;
        break;
      case Class::control:
        shape.unprintable = true;
        break;
      case Class::high:
        high = true;
        break;
    }
  }
  if (high) shape.unprintable |= has_escapes_above_ascii(text);
  return shape;
}

/// Whether a plain scalar can begin like this, at any column and in front of a colon.
bool starts_plain(std::string_view text) noexcept {
  switch (text.front()) {
    case ' ':
    case '?':
    case ':':
    case ',':
    case '[':
    case ']':
    case '{':
    case '}':
    case '#':
    case '&':
    case '*':
    case '!':
    case '|':
    case '>':
    case '\'':
    case '"':
    case '%':
    case '@':
    case '`':
      return false;
    case '-':
      return text.size() > 1 && text[1] != ' ' && !text.starts_with("---");
    case '.':
      return !text.starts_with("...");
    default:
      return true;
  }
}

/// Whether all readers that we know of, those of YAML 1.1 in full included, take a plain scalar for text.
bool is_text_everywhere(std::string_view text, const Profile& profile) noexcept {
  if (text == "<<" || text == "=" || text == "y" || text == "Y" || text == "n" || text == "N") return false;
  return profile.resolve(text) == Scalar::text && (&profile == &pyyaml() || pyyaml().resolve(text) == Scalar::text) &&
         (&profile == &core12() || core12().resolve(text) == Scalar::text);
}

}  // namespace

ScalarStyle choose_style(std::string_view text, const Profile& profile, bool literal_allowed) {
  if (text.empty()) return ScalarStyle::single_quoted;
  const Shape shape = shape_of(text);
  if (shape.unprintable) return ScalarStyle::double_quoted;
  if (shape.lines) {
    // Blanks at the ends of lines are kept by a literal block, but neither people nor editors see them.
    const bool has_content = text.find_first_not_of('\n') != std::string_view::npos;
    return literal_allowed && has_content && !shape.trailing_blanks ? ScalarStyle::literal : ScalarStyle::double_quoted;
  }
  if (shape.tabs) return ScalarStyle::double_quoted;
  if (starts_plain(text) && !shape.comment_or_colon && !shape.trailing_blanks && is_text_everywhere(text, profile)) return ScalarStyle::plain;
  return shape.single_quotes && !shape.escaped ? ScalarStyle::double_quoted : ScalarStyle::single_quoted;
}

void append_single_quoted(OutputBuffer& out, std::string_view text) {
  out.append('\'');
  for (std::size_t quote = 0; (quote = text.find('\'')) != std::string_view::npos; text.remove_prefix(quote + 1)) {
    out.append(text.substr(0, quote));
    out.append("''");
  }
  out.append(text);
  out.append('\'');
}

namespace {

void append_escape(OutputBuffer& out, char32_t code) {
  // The names that YAML 1.1 has; `\/` is not one of them.
  static constexpr std::string_view kNamed = "\0\a\b\t\n\v\f\r\x1b\"\\";
  static constexpr std::string_view kNames = "0abtnvfre\"\\";
  const std::string_view named(kNamed.data(), kNames.size());
  const std::size_t name = code < 0x80 ? named.find(static_cast<char>(code)) : std::string_view::npos;
  char buffer[16];
  char* end = buffer;
  *end++ = '\\';
  if (name != std::string_view::npos) {
    *end++ = kNames[name];
  } else if (code == 0x85) {
    *end++ = 'N';
  } else if (code == 0x2028 || code == 0x2029) {
    *end++ = code == 0x2028 ? 'L' : 'P';
  } else if (code < 0x100) {
    end = fmt::format_to(end, "x{:02X}", static_cast<std::uint32_t>(code));
  } else {
    end = fmt::format_to(end, "u{:04X}", static_cast<std::uint32_t>(code));
  }
  out.append(std::string_view(buffer, static_cast<std::size_t>(end - buffer)));
}

bool is_escaped_ascii(char c) noexcept {
  const Class kind = class_of(c);
  return kind == Class::escaped || kind == Class::control || kind == Class::tab || kind == Class::line_feed;
}

/// A stretch of valid UTF-8.
void append_escaped(OutputBuffer& out, std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Class kind = class_of(text[i]);
    const Character character = kind == Class::high ? character_at(text, i) : Character{static_cast<unsigned char>(text[i]), 1};
    if (kind == Class::high ? needs_escape(character.code) : is_escaped_ascii(text[i])) {
      out.append(text.substr(begin, i - begin));
      append_escape(out, character.code);
      begin = i + character.length;
    }
    i += character.length;
  }
  out.append(text.substr(begin));
}

}  // namespace

void append_double_quoted(OutputBuffer& out, std::string_view text) {
  out.append('"');
  for (std::size_t bad = 0; (bad = find_invalid_utf8(text)) != std::string_view::npos; text.remove_prefix(bad + 1)) {
    append_escaped(out, text.substr(0, bad));
    out.append("\xEF\xBF\xBD");
  }
  append_escaped(out, text);
  out.append('"');
}

}  // namespace strata::text
