// SPDX-License-Identifier: Apache-2.0
#include "text/json/diagnosis.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "strata/text.hpp"

namespace strata::text {

JsonNumber match_json_number(std::string_view text) noexcept {
  const auto digits = [text](std::size_t i) {
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i;
  };
  const std::size_t begin = text.starts_with('-') ? 1 : 0;
  std::size_t end = digits(begin);
  if (end == begin) return {};
  if (text[begin] == '0') end = begin + 1;
  JsonNumber number{.length = end};
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = digits(end + 1);
    if (fraction > end + 1) number = {.length = end = fraction, .is_integer = false};
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool has_sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-');
    const std::size_t first = end + (has_sign ? 2 : 1);
    const std::size_t exponent = digits(first);
    if (exponent > first) number = {.length = exponent, .is_integer = false};
  }
  return number;
}

namespace {

/// What stands in the way, and what to do about it.
struct Complaint {
  std::size_t offset;
  std::string message;
  std::string hint;
};

/// Reads a text as strictly as the grammar, keeping nothing, until it meets something that is not JSON.
class JsonDiagnosis {
 public:
  /// `quotes`: complaints may show what stands in the text, more of it than one character.
  JsonDiagnosis(std::string_view text, const JsonDialect& dialect, bool quotes) noexcept
      : text_(text), dialect_(dialect), quotes_(quotes) {}

  Complaint run() {
    try {
      read_text();
    } catch (Complaint& complaint) {
      return std::move(complaint);
    }
    return {0, "not a JSON text", {}};
  }

 private:
  void read_text() {
    if (text_.starts_with("\xEF\xBB\xBF"))
      fail("the text begins with a byte order mark", "save it as UTF-8 without a byte order mark");
    if (const std::size_t bad = find_invalid_utf8(text_); bad != std::string_view::npos) {
      next_ = bad;
      fail("the text is not valid UTF-8 here", "save it as UTF-8");
    }
    while (true) {
      if (!read_value_start()) continue;
      if (read_value_end()) return;
    }
  }

  /// True after a whole value; false where the next thing is a value again.
  bool read_value_start() {
    skip_blanks();
    const char c = peek();
    if (c != '{' && c != '[') {
      read_scalar();
      return true;
    }
    if (dialect_.depth != 0 && open_.size() == dialect_.depth)
      fail(fmt::format("nested deeper than {} levels", dialect_.depth));
    open_ += c == '{' ? '}' : ']';
    ++next_;
    skip_blanks();
    if (peek() == open_.back() && !at_end()) {
      ++next_;
      open_.pop_back();
      return true;
    }
    if (c == '{') read_key();
    return false;
  }

  /// True where the text ends after the value; false where the next thing is a value again.
  bool read_value_end() {
    while (true) {
      skip_blanks();
      if (open_.empty()) {
        if (at_end()) return true;
        fail(fmt::format("expected the end of the text after the value, found {}", found()), hint());
      }
      const char closing = open_.back();
      if (at_end() || (peek() != ',' && peek() != closing))
        fail(fmt::format("expected ',' or '{}', found {}", closing, found()), hint());
      const bool more = peek() == ',';
      ++next_;
      if (!more) {
        open_.pop_back();
        continue;
      }
      skip_blanks();
      if (!at_end() && peek() == closing) {
        fail(fmt::format("expected {} after ',', found {}", closing == '}' ? "a key in double quotes" : "a value",
                         found()),
             fmt::format("JSON allows no comma before '{}'", closing));
      }
      if (closing == '}') read_key();
      return false;
    }
  }

  void read_key() {
    if (peek() != '"') fail(fmt::format("expected a key in double quotes, found {}", found()), hint());
    read_string();
    skip_blanks();
    if (peek() != ':') fail(fmt::format("expected ':' after the key, found {}", found()), hint());
    ++next_;
  }

  void read_scalar() {
    if (peek() == '"') return read_string();
    const std::size_t begin = next_;
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:[]{}\"", begin), text_.size());
    const std::string_view word = text_.substr(begin, end - begin);
    for (const std::string_view known : {"null", "true", "false", "NaN", "Infinity", "-Infinity"}) {
      if (word == known) {
        if (!dialect_.not_finite && (word.ends_with('N') || word.ends_with('y')))
          fail(fmt::format("JSON has no number {}", word));
        next_ = end;
        return;
      }
    }
    const std::size_t length = match_json_number(word).length;
    if (length == 0 && word.starts_with('-')) {
      next_ = begin + 1;
      fail(fmt::format("expected a digit after '-', found {}", found()));
    }
    if (length == 0) fail(fmt::format("expected a value, found {}", found()), hint());
    if (length == word.size()) {
      next_ = end;
      return;
    }
    fail_number(begin, word, length);
  }

  /// A number goes on where it cannot.
  [[noreturn]] void fail_number(std::size_t begin, std::string_view word, std::size_t length) {
    const bool is_zero = word.substr(0, length) == "0" || word.substr(0, length) == "-0";
    if (is_zero && word[length] >= '0' && word[length] <= '9') {
      next_ = begin;
      fail(fmt::format("the number {} begins with 0", quotes_ ? word : "******"),
           "write it without the leading zeros, or in double quotes");
    }
    if (word[length] == '.' || word[length] == 'e' || word[length] == 'E') {
      next_ = begin + length + 1;
      if (word[length] != '.' && (peek() == '+' || peek() == '-')) ++next_;
      fail(fmt::format("expected a digit after '{}', found {}", text_[next_ - 1], found()));
    }
    next_ = begin + length;
    fail(fmt::format("expected the end of the number, found {}", found()), hint());
  }

  void read_string() {
    const std::size_t begin = next_++;
    while (true) {
      if (at_end()) {
        next_ = begin;
        fail("this string has no closing quote");
      }
      const char c = text_[next_];
      if (static_cast<unsigned char>(c) < 0x20) {
        const bool line_end = c == '\n' || c == '\r';
        fail(
            fmt::format("expected the closing quote of a string, found {}", line_end ? "the end of the line" : found()),
            fmt::format("write it as {}", c == '\n'   ? "\\n"
                                          : c == '\r' ? "\\r"
                                          : c == '\t' ? "\\t"
                                                      : fmt::format("\\u{:04x}", unsigned(c))));
      }
      if (c == '\\') {
        read_escape();
      } else {
        ++next_;
        if (c == '"') return;
      }
    }
  }

  void read_escape() {
    const std::size_t begin = next_++;
    if (peek() != 'u') {
      if (dialect_.any_escape && !at_end() && static_cast<unsigned char>(peek()) >= 0x20) {
        ++next_;
        return;
      }
      if (at_end() || std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) {
        next_ = begin;
        fail("unknown escape in a string", "a backslash itself is written \\\\");
      }
      ++next_;
      return;
    }
    const unsigned unit = read_unit(begin);
    if (unit < 0xD800 || unit > 0xDFFF) return;
    const std::size_t second = next_;
    const bool is_pair = unit < 0xDC00 && text_.substr(second).starts_with("\\u");
    if (is_pair) ++next_;
    const unsigned low = is_pair ? read_unit(second) : 0;
    if (low >= 0xDC00 && low <= 0xDFFF) return;
    next_ = begin;
    fail("half of a surrogate pair is not a character", "write both halves: \\ud83d\\ude00");
  }

  unsigned read_unit(std::size_t begin) {
    unsigned unit = 0;
    for (int i = 0; i < 4; ++i) {
      ++next_;
      const char c = static_cast<char>(peek() | 0x20);
      const bool digit = peek() >= '0' && peek() <= '9';
      if (!digit && (c < 'a' || c > 'f')) {
        next_ = begin;
        fail("expected four hexadecimal digits after \\u");
      }
      unit = unit * 16 + static_cast<unsigned>(digit ? peek() - '0' : c - 'a' + 10);
    }
    ++next_;
    return unit;
  }

  void skip_blanks() noexcept { next_ = std::min(text_.find_first_not_of(" \t\r\n", next_), text_.size()); }
  [[nodiscard]] bool at_end() const noexcept { return next_ >= text_.size(); }
  [[nodiscard]] char peek() const noexcept { return at_end() ? '\0' : text_[next_]; }

  /// What stands at the current place, for messages.
  [[nodiscard]] std::string found() const {
    if (at_end()) return "the end of the text";
    const auto byte = static_cast<unsigned char>(text_[next_]);
    if (byte < 0x20 || byte == 0x7F) return fmt::format("the control character U+{:04X}", byte);
    if (!quotes_) return "another character";
    std::size_t end = next_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return fmt::format("'{}'", text_.substr(next_, end - next_));
  }
  /// What people often mean by what stands at the current place.
  [[nodiscard]] std::string hint() const {
    const std::string_view rest = text_.substr(std::min(next_, text_.size()));
    if (rest.starts_with('\'')) return "JSON strings are written in double quotes";
    const bool comment = rest.starts_with("//") || rest.starts_with("/*");
    if (comment && dialect_.comments) return "the comment is not closed; one that begins with '//' ends with its line";
    if (comment || rest.starts_with('#')) return "JSON has no comments";
    if (rest.starts_with("True") || rest.starts_with("False")) return "write true or false in lower case";
    if (rest.starts_with("None")) return "write null";
    return {};
  }
  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    throw Complaint{next_, std::move(message), std::move(hint)};
  }

  std::string_view text_;
  const JsonDialect& dialect_;
  bool quotes_;
  std::size_t next_ = 0;
  std::string open_;  ///< The brackets that close what is open.
};

}  // namespace

Error diagnose_json(const Sources& sources, SourceId source, std::size_t offset, std::string_view text,
                    const JsonDialect& dialect) {
  Complaint complaint = JsonDiagnosis(text, dialect, !sources.is_secret(source)).run();
  return Error("json.syntax", std::move(complaint.message))
      .at(sources, sources.at(source, offset + complaint.offset))
      .hint(std::move(complaint.hint));
}

}  // namespace strata::text
