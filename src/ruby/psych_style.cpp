// SPDX-License-Identifier: Apache-2.0
#include "ruby/psych_style.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "ruby/unicode.hpp"
#include "text/decimal.hpp"
#include "text/yaml/psych_scalars.hpp"

namespace strata::ruby {
namespace {

bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads a text from its beginning; each step says whether it could be made.
class Cursor {
 public:
  explicit Cursor(std::string_view text) noexcept : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  /// The next character; 0 at the end.
  [[nodiscard]] char peek() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }
  bool one_of(std::string_view characters) noexcept {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// As many characters as `belongs` accepts, at most `limit`.
  template <class Belongs>
  std::string_view take(const Belongs& belongs, std::size_t limit = std::string_view::npos) noexcept {
    std::size_t length = 0;
    while (length < std::min(limit, rest_.size()) && belongs(rest_[length])) ++length;
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }
  std::string_view digits(std::size_t limit = std::string_view::npos) noexcept { return take(text::is_digit, limit); }
  /// A number of `least` to `most` digits.
  bool number(int& value, std::size_t least, std::size_t most) noexcept {
    const std::string_view taken = digits(most);
    value = 0;
    for (const char c : taken) value = value * 10 + (c - '0');
    return taken.size() >= least;
  }

 private:
  std::string_view rest_;
};

struct Day {
  int year = 0, month = 0, day = 0;
};

/// A day of the calendar that Ruby's Date uses: Julian until 1582-10-04, Gregorian from 1582-10-15.
bool exists(const Day& date) noexcept {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  constexpr int kReform = 1582;
  if (date.month < 1 || date.month > 12 || date.day < 1) return false;
  if (date.year == kReform && date.month == 10 && date.day > 4 && date.day < 15) return false;
  const bool gregorian = date.year > kReform;
  const bool leap = date.year % 4 == 0 && (!gregorian || date.year % 100 != 0 || date.year % 400 == 0);
  return date.day <= kDays.at(static_cast<std::size_t>(date.month - 1)) + (date.month == 2 && leap ? 1 : 0);
}

/// `YYYY-M-D`.
bool take_day(Cursor& cursor, Day& date) noexcept {
  return cursor.number(date.year, 4, 4) && cursor.one_of("-") && cursor.number(date.month, 1, 2) &&
         cursor.one_of("-") && cursor.number(date.day, 1, 2);
}

enum class Match : std::uint8_t { no, impossible, yes };

/// The zone of a time: nothing, `Z`, or an offset from UTC of less than a day.
Match match_zone(Cursor& cursor) noexcept {
  if (cursor.at_end()) return Match::yes;
  cursor.take(is_blank);
  if (cursor.one_of("Z")) return cursor.at_end() ? Match::yes : Match::no;
  if (!cursor.one_of("+-")) return Match::no;
  int hours = 0;
  int minutes = 0;
  if (!cursor.number(hours, 1, 2)) return Match::no;
  if (cursor.one_of(":")) {
    if (!cursor.at_end() && !cursor.number(minutes, 2, 2)) return Match::no;
  } else {
    cursor.number(minutes, 0, 2);
  }
  if (!cursor.at_end()) return Match::no;
  return hours * 60 + minutes < 24 * 60 ? Match::yes : Match::impossible;
}

/// A day and a time, such as `2001-12-14 21:59:43.1 +01:00`.
Match match_time(std::string_view text) noexcept {
  Cursor cursor(text);
  Day date;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!take_day(cursor, date)) return Match::no;
  if (!cursor.one_of("Tt") && cursor.take(is_blank).empty()) return Match::no;
  if (!cursor.number(hour, 1, 2) || !cursor.one_of(":") || !cursor.number(minute, 2, 2) || !cursor.one_of(":") ||
      !cursor.number(second, 2, 2)) {
    return Match::no;
  }
  if (cursor.one_of(".")) cursor.digits();
  const Match zone = match_zone(cursor);
  if (zone != Match::yes) return zone;
  const bool possible = date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31 && minute <= 59 &&
                        second <= 60 && (hour <= 23 || (hour == 24 && minute == 0 && second == 0));
  return possible ? Match::yes : Match::impossible;
}

Match match_date(std::string_view text) noexcept {
  Cursor cursor(text);
  Day date;
  if (!take_day(cursor, date) || !cursor.at_end()) return Match::no;
  return exists(date) ? Match::yes : Match::impossible;
}

/// There is a line break with a line behind it, be it the second of two empty ones at the end.
bool has_lines(std::string_view text) noexcept {
  const std::size_t first = text.find('\n');
  return first != std::string_view::npos && text.substr(first) != "\n" && text.substr(first) != "\n\n";
}

/// The rule by which Psych quotes what begins with an indicator: the text, or its empty last line, begins with a
/// character that is none of a word, and no double quote follows. Only for texts without `has_lines`.
bool begins_outside_word(std::string_view text) noexcept {
  if (text.ends_with("\n\n")) return true;
  if (text.empty()) return false;
  const Character first = character_at(text, 0);
  return !is_word(first.point) && text.find('"', std::max<std::size_t>(first.length, 1)) == std::string_view::npos;
}

/// `08` and the like, which other readers take for numbers.
bool begins_as_broken_octal(std::string_view text) noexcept {
  if (!text.starts_with('0')) return false;
  const std::size_t end = text.find_first_not_of("01234567");
  return end != std::string_view::npos && (text[end] == '8' || text[end] == '9');
}

/// Whether Psych's reader takes the plain scalar for text, rather than for a number, a date, a symbol and so on. Dates
/// and times count only where they are possible ones.
bool reads_as_text(std::string_view text) noexcept {
  if (text.empty() || text::is_psych_null(text) || text::is_psych_boolean(text)) return false;
  if (text.find('\n') != std::string_view::npos) return true;
  if (text.front() == ':') return text.size() == 1;
  if (const Match time = match_time(text); time != Match::no) return time == Match::impossible;
  if (const Match date = match_date(text); date != Match::no) return date == Match::impossible;
  return !text::is_psych_integer(text) && !text::is_psych_float(text);
}

}  // namespace

PsychStyle psych_style(std::string_view text, Release release) noexcept {
  if (has_lines(text)) return PsychStyle::literal;
  if (text == "<<") return PsychStyle::tagged;
  const bool is_short_boolean =
      text == "y" || text == "n" || (release == Release::ruby4 && (text == "Y" || text == "N"));
  if (is_short_boolean || begins_outside_word(text)) return PsychStyle::double_quoted;
  return reads_as_text(text) && !begins_as_broken_octal(text) ? PsychStyle::plain : PsychStyle::single_quoted;
}

}  // namespace strata::ruby
