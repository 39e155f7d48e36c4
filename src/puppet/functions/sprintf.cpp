// SPDX-License-Identifier: Apache-2.0
// sprintf. Rule: Ruby 3.1's Kernel#sprintf, with the arguments as Puppet 7 hands them to functions of its third
// version.
#include <array>
#include <cmath>

#include "puppet/characters.hpp"
#include "puppet/convert/format.hpp"
#include "puppet/functions/sprintf_arguments.hpp"
#include "puppet/types/integer.hpp"
#include "puppet/types/make.hpp"
#include "ruby/ruby.hpp"
#include "ruby/text.hpp"
#include "strata/text.hpp"

namespace strata::puppet {
namespace {

/// Widths and precisions are no larger, as in Ruby.
constexpr std::int64_t kMaxSprintfWidth = 2'147'483'647;

/// One run over a format.
class Formatter {
 public:
  Formatter(const FunctionCall& call, Evaluator& evaluator, std::string_view format)
      : call_(call), evaluator_(evaluator), format_(format), arguments_(call, evaluator) {}

  std::string run() {
    while (at_ < format_.size()) {
      const std::size_t percent = std::min(format_.find('%', at_), format_.size());
      out_ += format_.substr(at_, percent - at_);
      if (percent == format_.size()) break;
      at_ = percent + 1;
      if (at_ == format_.size()) fail("the format ends in an incomplete specifier; write %% for %");
      directive();
    }
    return std::move(out_);
  }

  [[nodiscard]] bool is_secret() const noexcept { return arguments_.is_secret(); }

 private:
  /// What was read of one directive.
  struct Directive {
    Format format;
    bool has_width = false;
    bool has_precision = false;
    Value value;  ///< Absent: the next argument.
    bool named = false;
  };

  [[noreturn]] void fail(const std::string& message) const { arguments_.fail(message); }

  /// The character at the place, or 0 behind the end.
  [[nodiscard]] char here() const noexcept { return at_ < format_.size() ? format_[at_] : '\0'; }

  void directive() {
    Directive now;
    // Flags, width, precision and the choice of the argument, in any order that Ruby takes, up to the letter.
    while (true) {
      const char c = here();
      if (std::string_view(" #+-0").find(c) != std::string_view::npos && at_ < format_.size()) {
        flag(now, c);
      } else if (c >= '1' && c <= '9') {
        digits(now);
      } else if (c == '<' || c == '{') {
        if (name(now)) return;
      } else if (c == '*') {
        ++at_;
        set_width(now, star());
      } else if (c == '.') {
        precision(now);
      } else {
        break;
      }
    }
    write(now, here());
  }

  void flag(Directive& now, char c) {
    if (now.has_width) fail("a flag is after the width");
    if (now.has_precision) fail("a flag is after the precision");
    if (!now.format.has(c)) now.format.flags += c;
    ++at_;
  }

  std::int64_t number() {
    std::int64_t out = 0;
    for (; is_digit(here()); ++at_) {
      out = out * 10 + (here() - '0');
      if (out > kMaxSprintfWidth) fail("a width or precision is too large");
    }
    return out;
  }

  void digits(Directive& now) {
    const std::int64_t count = number();
    if (at_ == format_.size()) fail("the format ends after a width");
    if (here() != '$') return set_width(now, count);
    if (now.value) fail("an argument is chosen twice");
    now.value = arguments_.at(count);
    ++at_;
  }

  void set_width(Directive& now, std::int64_t width) {
    if (now.has_width) fail("the width is given twice");
    if (now.has_precision) fail("the width is after the precision");
    now.has_width = true;
    if (width < 0 && !now.format.has('-')) now.format.flags += '-';
    now.format.width = static_cast<std::size_t>(width < 0 ? -width : width);
  }

  void precision(Directive& now) {
    if (now.has_precision) fail("the precision is given twice");
    now.has_precision = true;
    ++at_;
    if (here() != '*') {
      now.format.precision = static_cast<std::size_t>(number());
      return;
    }
    ++at_;
    const std::int64_t count = star();
    if (count >= 0) now.format.precision = static_cast<std::size_t>(count);
  }

  /// The number that stands for `*`, which was read; `*1$` chooses the argument.
  std::int64_t star() {
    const std::size_t before = at_;
    const std::int64_t chosen = is_digit(here()) ? number() : 0;
    Value value;
    if (at_ > before && here() == '$') {
      value = arguments_.at(chosen);
      ++at_;
    } else {
      at_ = before;
      value = arguments_.next();
    }
    const Value whole =
        value.kind() == Kind::floating ? whole_number(call_, evaluator_, std::trunc(value.as_floating())) : value;
    if (whole.kind() != Kind::integer || whole.as_integer() > kMaxSprintfWidth ||
        whole.as_integer() < -kMaxSprintfWidth)
      fail("a width or precision is not an Integer, or is too large");
    return whole.as_integer();
  }

  /// `<name>` or `{name}`; true where the latter ended the directive.
  bool name(Directive& now) {
    const char open = here();
    const std::size_t end = format_.find(open == '<' ? '>' : '}', at_);
    if (end == std::string_view::npos) fail("a name is not closed");
    const std::string_view name = format_.substr(at_ + 1, end - at_ - 1);
    if (now.named) fail("one specifier has two names");
    now.named = true;
    now.value = arguments_.named(name);
    at_ = end + 1;
    if (open == '<') return false;
    write_text(now, text_of_value(now.value));
    return true;
  }

  /// The chosen one, or the next. Undef is an empty text, patterns are their text.
  Value value_of(Directive& now) {
    const Value value = now.value ? now.value : arguments_.next();
    if (value.is_null() && !now.named) return evaluator_.arena().text("");
    if (value.kind() == Kind::big_integer) fail("an Integer of more than 64 bits cannot be written");
    return with_pattern_texts(evaluator_, value);
  }

  std::string text_of_value(const Value& value) { return ruby_text(evaluator_, with_pattern_texts(evaluator_, value)); }

  // Output.

  void room(const Directive& now) {
    const std::size_t size = now.format.width.value_or(0) + now.format.precision.value_or(0);
    evaluator_.charge_text(out_.size() + size > evaluator_.context().limits.input ? out_.size() + size : size);
  }

  void write(Directive& now, char letter) {
    ++at_;
    switch (letter) {
      case '\n':
      case '\0':
      case '%':
        if (!now.format.flags.empty() || now.has_width || now.has_precision)
          fail("% is after flags, a width or a precision");
        out_ += '%';
        if (letter != '%') --at_;
        // A null character behind the end is none.
        at_ = std::min(at_, format_.size());
        return;
      case 'c':
        return write_character(now);
      case 's':
        return write_text(now, text_of_value(value_of(now)));
      case 'p':
        return write_inspected(now);
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
      case 'b':
      case 'B':
        return write_integer(now, letter == 'i' || letter == 'u' ? 'd' : letter);
      case 'f':
      case 'g':
      case 'G':
      case 'e':
      case 'E':
      case 'a':
      case 'A':
        return write_float(now, letter);
      default:
        fail(std::string("%") + letter + " is not a specifier");
    }
  }

  void write_text(const Directive& now, const std::string& text) {
    evaluator_.charge_text(text.size());
    room(now);
    out_ += pad_text(now.format, text);
  }

  void write_inspected(Directive& now) {
    const Value value = value_of(now);
    charge_written(evaluator_, value);
    write_text(now, ruby::inspect(value));
  }

  void write_character(Directive& now) {
    const Value value = value_of(now);
    std::string text;
    if (is_string(value)) {
      text = std::string(value.text());
      if (text.empty() || ruby::first_character(text) != text.size()) fail("%c needs one character");
    } else {
      if (!is_number(value)) fail("%c needs a character or the number of one");
      const Value whole =
          value.kind() == Kind::floating ? whole_number(call_, evaluator_, std::trunc(value.as_floating())) : value;
      const bool valid = whole.kind() == Kind::integer && whole.as_integer() >= 0 && whole.as_integer() <= 0x10FFFF &&
                         is_code_point(static_cast<std::uint32_t>(whole.as_integer()));
      if (!valid) fail("there is no character of that number");
      text::append_utf8(text, static_cast<char32_t>(whole.as_integer()));
    }
    now.format.precision.reset();
    write_text(now, text);
  }

  void write_integer(Directive& now, char letter) {
    const Value value = value_of(now);
    room(now);
    out_ += format_integer(now.format, letter, Integer(whole(value)));
  }

  Value whole(const Value& value) {
    if (is_whole(value)) return value;
    if (value.kind() == Kind::floating) return whole_number(call_, evaluator_, std::trunc(value.as_floating()));
    if (!is_string(value)) fail(a_kind_of(value) + " is not an Integer");
    evaluator_.charge_text(value.text().size() * 8);
    const std::optional<ruby::WholeNumber> number = ruby::parse_integer(value.text());
    if (!number) fail(shown(value) + " is not an Integer");
    const std::string_view prefix = number->radix == 16  ? "0x"
                                    : number->radix == 8 ? "0"
                                    : number->radix == 2 ? "0b"
                                                         : "";
    const std::string text = (number->negative ? "-" : "") + std::string(prefix) + number->digits;
    if (number->radix == 10) return evaluator_.arena().integer(text);
    const Value argument = evaluator_.arena().text(text);
    return convert(*plain(TypeKind::integer), std::span(&argument, 1), evaluator_.arena(), evaluator_.context().limits);
  }

  void write_float(Directive& now, char letter) {
    const Value value = value_of(now);
    room(now);
    if (letter == 'f' && value.kind() == Kind::integer) {
      write_exact(now, value.as_integer());
      return;
    }
    std::optional<double> number;
    if (value.kind() == Kind::floating) number = value.as_floating();
    if (value.kind() == Kind::integer) number = static_cast<double>(value.as_integer());
    if (is_string(value)) number = ruby::parse_float(value.text());
    if (!number) fail((is_string(value) ? shown(value) : a_kind_of(value)) + " is not a Float");
    out_ += format_float(now.format, letter, *number);
  }

  /// An integer as `%f` writes it: no digit is lost, and `#` does nothing.
  void write_exact(const Directive& now, std::int64_t number) {
    std::string digits = std::to_string(number);
    std::string sign = now.format.has('+') ? "+" : now.format.has(' ') ? " " : "";
    if (number < 0) {
      digits.erase(0, 1);
      sign = "-";
    }
    const std::size_t decimals = now.format.precision.value_or(6);
    if (decimals > 0) digits += '.';
    digits.append(decimals, '0');
    const std::size_t size = sign.size() + digits.size();
    const std::size_t missing = now.format.width.value_or(0) > size ? *now.format.width - size : 0;
    if (now.format.has('-')) {
      out_ += sign + digits + std::string(missing, ' ');
    } else if (now.format.has('0')) {
      out_ += sign + std::string(missing, '0') + digits;
    } else {
      out_ += std::string(missing, ' ') + sign + digits;
    }
  }

  const FunctionCall& call_;
  Evaluator& evaluator_;
  std::string_view format_;
  FormatArguments arguments_;
  std::size_t at_ = 0;
  std::string out_;
};

Value sprintf_of(const FunctionCall& call, Evaluator& evaluator) {
  // Undef and patterns are texts here, as all arguments.
  const Value& given = call.arguments[0];
  const PatternObject* pattern = as_pattern(given);
  const std::string written = pattern == nullptr ? "" : pattern->to_string();
  const std::string_view format =
      given.is_null() || pattern != nullptr ? std::string_view(written) : text_argument(call, evaluator, 0);
  evaluator.charge_text(format.size());
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    if (as_iterator(call.arguments[i]) != nullptr)
      throw wrong_argument(call, evaluator, i, "something other than an Iterator");
  }
  Formatter formatter(call, evaluator, format);
  const std::string text = formatter.run();
  return new_text(call, evaluator, text, formatter.is_secret() || call.arguments[0].is_secret());
}

constexpr std::array<BuiltinEntry, 1> kFormatFunctions = {
    {{"sprintf", sprintf_of, 1, BuiltinEntry::kMany, BlockRule::optional}}};

}  // namespace

std::span<const BuiltinEntry> format_functions() noexcept { return kFormatFunctions; }

}  // namespace strata::puppet
