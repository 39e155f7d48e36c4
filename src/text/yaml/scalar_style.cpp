// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/scalar_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/yaml/profile.hpp"

namespace strata::text {
namespace {

/// What a byte may mean for the choice of style, as bits so that a text's can be joined.
enum Class : std::uint8_t {
  ordinary = 0,
  blank = 1,
  tab = 2,
  line_feed = 4,
  colon_or_hash = 8,
  single_quote = 16,
  escaped = 32,
  control = 64,
  high = 128
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t i = 0; i < 0x20; ++i) classes[i] = Class::control;
  for (std::size_t i = 0x80; i < 0x100; ++i) classes[i] = Class::high;
  classes[0x7F] = Class::control;
  classes[' '] = Class::blank;
  classes['\t'] = Class::tab;
  classes['\n'] = Class::line_feed;
  classes[':'] = Class::colon_or_hash;
  classes['#'] = Class::colon_or_hash;
  classes['\''] = Class::single_quote;
  classes['"'] = Class::escaped;
  classes['\\'] = Class::escaped;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kStyleClasses = make_classes();

std::uint8_t class_of(char c) noexcept { return kStyleClasses[static_cast<unsigned char>(c)]; }

/// The character at `offset` of valid UTF-8, and its length.
struct Character {
  char32_t code;
  std::size_t length;
};

Character character_at(std::string_view text, std::size_t offset) noexcept {
  const auto byte = [text, offset](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i]));
  };
  const auto tail = [&byte](std::size_t i) { return byte(i) & 0x3FU; };
  if (byte(0) < 0x80) return {byte(0), 1};
  if (byte(0) < 0xE0) return {(byte(0) & 0x1FU) << 6U | tail(1), 2};
  if (byte(0) < 0xF0) return {(byte(0) & 0x0FU) << 12U | tail(1) << 6U | tail(2), 3};
  return {(byte(0) & 0x07U) << 18U | tail(1) << 12U | tail(2) << 6U | tail(3), 4};
}

/// Characters above ASCII that a YAML text must not contain as they are: controls, the line breaks of YAML 1.1 (NEL,
/// LS, PS), the byte order mark and the two noncharacters. Marks that turn the direction of writing could, but
/// would show the reader something else than what is there.
bool needs_escape(char32_t code) noexcept {
  return (code >= 0x80 && code < 0xA0) || code == 0x2028 || code == 0x2029 || code == 0xFEFF || code == 0xFFFE ||
         code == 0xFFFF || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
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

/// The classes of all bytes of a text, joined.
std::uint8_t classes_of(std::string_view text) noexcept {
  std::uint8_t seen = 0;
  for (const char c : text) seen |= class_of(c);
  return seen;
}

/// Whether a line ends with a blank or tab.
bool has_trailing_blanks(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == ' ' || text[i] == '\t') && (i + 1 == text.size() || text[i + 1] == '\n')) return true;
  }
  return false;
}

/// Whether a plain scalar would end within the text: at ` #`, at `: ` or at a colon at the end.
bool has_comment_or_colon(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return true;
    if (text[i] == '#' && (i == 0 || text[i - 1] == ' ')) return true;
  }
  return false;
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

}  // namespace

ScalarStyles::ScalarStyles(const Profile& profile) noexcept : profiles_{&pyyaml(), &core12(), &psych(), &profile} {
  if (std::find(profiles_.begin(), profiles_.end() - 1, &profile) != profiles_.end() - 1) profiles_.back() = nullptr;
  for (const Profile* known : profiles_) {
    if (known == nullptr) continue;
    for (const ScalarRule& rule : known->scalars) {
      for (const char c : rule.first) special_[static_cast<unsigned char>(c)] = true;
    }
  }
  // `<<` and `=` mean something under some profiles; y and n are booleans to readers of YAML 1.1 to the letter.
  for (const char c : std::string_view("<=yYnN")) special_[static_cast<unsigned char>(c)] = true;
}

bool ScalarStyles::is_text_everywhere(std::string_view text) const noexcept {
  if (!special_[static_cast<unsigned char>(text.front())]) return true;
  if (text == "<<" || text == "=" || text == "y" || text == "Y" || text == "n" || text == "N") return false;
  return std::ranges::all_of(
      profiles_, [text](const Profile* known) { return known == nullptr || known->resolve(text) == Scalar::text; });
}

ScalarStyle ScalarStyles::choose(std::string_view text, bool literal_allowed) const {
  if (text.empty()) return ScalarStyle::single_quoted;
  const std::uint8_t seen = classes_of(text);
  if ((seen & Class::control) != 0 || ((seen & Class::high) != 0 && has_escapes_above_ascii(text)))
    return ScalarStyle::double_quoted;
  if ((seen & Class::line_feed) != 0) {
    // Blanks at the ends of lines are kept by a literal block, but neither people nor editors see them.
    const bool has_content = text.find_first_not_of('\n') != std::string_view::npos;
    return literal_allowed && has_content && !has_trailing_blanks(text) ? ScalarStyle::literal
                                                                        : ScalarStyle::double_quoted;
  }
  if ((seen & Class::tab) != 0) return ScalarStyle::double_quoted;
  const bool ends_early = text.back() == ' ' || ((seen & Class::colon_or_hash) != 0 && has_comment_or_colon(text));
  if (starts_plain(text) && !ends_early && is_text_everywhere(text)) return ScalarStyle::plain;
  return (seen & Class::single_quote) != 0 && (seen & Class::escaped) == 0 ? ScalarStyle::double_quoted
                                                                           : ScalarStyle::single_quoted;
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
  const std::uint8_t kind = class_of(c);
  return kind == Class::escaped || kind == Class::control || kind == Class::tab || kind == Class::line_feed;
}

/// A stretch of valid UTF-8.
void append_escaped(OutputBuffer& out, std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::uint8_t kind = class_of(text[i]);
    const Character character =
        kind == Class::high ? character_at(text, i) : Character{static_cast<unsigned char>(text[i]), 1};
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
