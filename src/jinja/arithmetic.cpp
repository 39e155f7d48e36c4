// SPDX-License-Identifier: Apache-2.0
// Python's arithmetic: 64-bit integers, floats, and what `+`, `*` and `%` do to texts and lists.
#include <charconv>
#include <cmath>
#include <limits>

#include "jinja/operations.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

[[noreturn]] void too_large(const Runtime& runtime) { runtime.fail("the result does not fit in 64 bits"); }

std::string_view spelling(Operator operation) {
  constexpr std::string_view kSpellings[] = {"+", "-", "*", "/", "//", "%", "**"};
  return kSpellings[static_cast<unsigned>(operation)];
}

[[noreturn]] void cannot(const Runtime& runtime, Operator operation, const Datum& left, const Datum& right) {
  runtime.fail("'" + std::string(spelling(operation)) + "' does not work on values of types " +
               std::string(type_name(left)) + " and " + std::string(type_name(right)));
}

std::int64_t integer_power(const Runtime& runtime, std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) too_large(runtime);
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) too_large(runtime);
  }
  return result;
}

Datum calculate_integers(Runtime& runtime, Operator operation, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  if (right == 0 &&
      (operation == Operator::divide || operation == Operator::floor_divide || operation == Operator::modulo)) {
    runtime.fail("division by zero");
  }
  switch (operation) {
    case Operator::add:
      if (__builtin_add_overflow(left, right, &result)) too_large(runtime);
      return Datum::of_integer(result);
    case Operator::subtract:
      if (__builtin_sub_overflow(left, right, &result)) too_large(runtime);
      return Datum::of_integer(result);
    case Operator::multiply:
      if (__builtin_mul_overflow(left, right, &result)) too_large(runtime);
      return Datum::of_integer(result);
    case Operator::divide:
      return Datum::of_floating(static_cast<double>(static_cast<long double>(left) / static_cast<long double>(right)));
    case Operator::floor_divide:
      if (right == -1) return calculate_integers(runtime, Operator::subtract, 0, left);
      return Datum::of_integer(left / right - (left % right != 0 && (left % right < 0) != (right < 0) ? 1 : 0));
    case Operator::modulo:
      if (right == -1) return Datum::of_integer(0);
      result = left % right;
      return Datum::of_integer(result != 0 && (result < 0) != (right < 0) ? result + right : result);
    case Operator::power:
      if (right >= 0) return Datum::of_integer(integer_power(runtime, left, right));
      if (left == 0) runtime.fail("zero cannot be raised to a negative power");
      return Datum::of_floating(std::pow(static_cast<double>(left), static_cast<double>(right)));
  }
  return {};
}

Datum divide_floats(Operator operation, double left, double right) {
  double remainder = std::fmod(left, right);
  double quotient = (left - remainder) / right;
  if (remainder != 0) {
    if ((right < 0) != (remainder < 0)) {
      remainder += right;
      quotient -= 1.0;
    }
  } else {
    remainder = std::copysign(0.0, right);
  }
  if (operation == Operator::modulo) return Datum::of_floating(remainder);
  if (quotient == 0) return Datum::of_floating(std::copysign(0.0, left / right));
  const double floored = std::floor(quotient);
  return Datum::of_floating(quotient - floored > 0.5 ? floored + 1.0 : floored);
}

Datum calculate_floats(Runtime& runtime, Operator operation, double left, double right) {
  switch (operation) {
    case Operator::add:
      return Datum::of_floating(left + right);
    case Operator::subtract:
      return Datum::of_floating(left - right);
    case Operator::multiply:
      return Datum::of_floating(left * right);
    case Operator::divide:
      if (right == 0) runtime.fail("division by zero");
      return Datum::of_floating(left / right);
    case Operator::floor_divide:
    case Operator::modulo:
      if (right == 0) runtime.fail("division by zero");
      return divide_floats(operation, left, right);
    case Operator::power: {
      if (left == 0 && right < 0) runtime.fail("zero cannot be raised to a negative power");
      if (left < 0 && std::isfinite(left) && std::isfinite(right) && std::floor(right) != right)
        runtime.fail_unsupported("a complex number");
      const double result = std::pow(left, right);
      if (std::isinf(result) && std::isfinite(left) && std::isfinite(right)) runtime.fail("the result is too large");
      return Datum::of_floating(result);
    }
  }
  return {};
}

std::size_t repetitions(Runtime& runtime, std::int64_t count, std::size_t size) {
  if (count <= 0 || size == 0) return 0;
  if (static_cast<std::uint64_t>(count) > kMaxText / size)
    runtime.fail_limit("limit.result", "a repetition is larger than 64 MiB");
  return static_cast<std::size_t>(count);
}

Datum repeat(Runtime& runtime, const Datum& sequence, std::int64_t count) {
  if (sequence.is(Type::text)) {
    const std::string& unit = sequence.text().bytes;
    const std::size_t times = repetitions(runtime, count, unit.size());
    std::string out;
    out.reserve(times * unit.size());
    for (std::size_t index = 0; index < times; ++index) out += unit;
    runtime.work_on(out.size());
    return runtime.text(std::move(out), sequence.text().markup);
  }
  const std::vector<Datum>& unit = sequence.list().items;
  const std::size_t times = repetitions(runtime, count, unit.size() * sizeof(Datum));
  runtime.work(times * unit.size());
  std::vector<Datum> out;
  out.reserve(times * unit.size());
  for (std::size_t index = 0; index < times; ++index) out.insert(out.end(), unit.begin(), unit.end());
  return sequence.is(Type::list) ? runtime.list(std::move(out)) : runtime.tuple(std::move(out));
}

Datum concatenate(Runtime& runtime, const Datum& left, const Datum& right) {
  if (left.is(Type::text)) {
    const bool markup = left.text().markup || right.text().markup;
    const Text& first = markup ? escaped(runtime, left).text() : left.text();
    const Text& second = markup ? escaped(runtime, right).text() : right.text();
    runtime.work_on(first.bytes.size() + second.bytes.size());
    return runtime.text(first.bytes + second.bytes, markup);
  }
  std::vector<Datum> out = left.list().items;
  runtime.work(out.size() + right.list().items.size());
  out.insert(out.end(), right.list().items.begin(), right.list().items.end());
  return left.is(Type::list) ? runtime.list(std::move(out)) : runtime.tuple(std::move(out));
}

int digit_value(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'z') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'Z') return byte - 'A' + 10;
  return 99;
}

/// Takes `_` out from between digits; none where one stands elsewhere.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '_') {
      out += text[at];
    } else if (at == 0 || at + 1 == text.size() || digit_value(text[at - 1]) > 36 || digit_value(text[at + 1]) > 36) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace

Datum calculate(Runtime& runtime, Operator operation, const Datum& left, const Datum& right) {
  runtime.step();
  if (left.is_whole() && right.is_whole()) return calculate_integers(runtime, operation, left.integer, right.integer);
  if (left.is_number() && right.is_number())
    return calculate_floats(runtime, operation, left.as_double(), right.as_double());
  if (operation == Operator::modulo && left.is(Type::text)) return format_percent(runtime, left, right);
  runtime.need_defined(left);
  runtime.need_defined(right);
  const bool left_repeats = left.is(Type::text) || left.is_sequence();
  if (operation == Operator::add && left_repeats && left.type == right.type) return concatenate(runtime, left, right);
  if (operation == Operator::multiply && left_repeats && right.is_whole()) return repeat(runtime, left, right.integer);
  if (operation == Operator::multiply && left.is_whole() && (right.is(Type::text) || right.is_sequence()))
    return repeat(runtime, right, left.integer);
  if (left.is(Type::big_integer) || right.is(Type::big_integer)) runtime.fail_unsupported("arithmetic beyond 64 bits");
  cannot(runtime, operation, left, right);
}

Datum negate(Runtime& runtime, const Datum& datum, bool minus) {
  runtime.need_defined(datum);
  if (datum.is(Type::floating)) return Datum::of_floating(minus ? -datum.floating : datum.floating);
  if (!datum.is_whole()) runtime.fail("a value of type " + std::string(type_name(datum)) + " has no sign");
  return calculate_integers(runtime, minus ? Operator::subtract : Operator::add, 0, datum.integer);
}

Datum whole(Runtime& runtime, double number) {
  if (!std::isfinite(number)) runtime.fail("infinity and not-a-number are not whole numbers");
  if (std::fabs(number) >= 9223372036854775808.0) too_large(runtime);
  return Datum::of_integer(static_cast<std::int64_t>(number));
}

std::optional<Datum> parse_integer(Runtime& runtime, std::string_view text, std::int64_t base) {
  text = text::unicode::strip(text, true, true);
  if (base != 0 && (base < 2 || base > 36)) return std::nullopt;
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  const char mark = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '\0';
  const std::int64_t marked = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
  if (marked != 0 && (base == 0 || base == marked)) {
    base = marked;
    text.remove_prefix(2);
    if (text.starts_with('_')) text.remove_prefix(1);
  }
  const std::optional<std::string> digits = without_underscores(text);
  if (!digits || digits->empty()) return std::nullopt;
  const bool automatic = base == 0;
  if (automatic) base = 10;
  std::int64_t number = 0;
  bool fits = true;
  for (const char byte : *digits) {
    const int value = digit_value(byte);
    if (value >= base) return std::nullopt;
    fits = fits && !__builtin_mul_overflow(number, base, &number) && !__builtin_sub_overflow(number, value, &number);
  }
  if (!fits || (!minus && number == std::numeric_limits<std::int64_t>::min())) too_large(runtime);
  if (automatic && digits->size() > 1 && digits->front() == '0' && number != 0) return std::nullopt;
  return Datum::of_integer(minus ? number : -number);
}

std::optional<double> parse_float(std::string_view text) {
  text = text::unicode::strip(text, true, true);
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  const std::string lowered = text::unicode::lower(text);
  double number = 0;
  if (lowered == "inf" || lowered == "infinity") {
    number = std::numeric_limits<double>::infinity();
  } else if (lowered == "nan") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto digit = [&](std::size_t index) {
        return index < text.size() && text[index] >= '0' && text[index] <= '9';
      };
      if (text[at] == '_' && (at == 0 || !digit(at - 1) || !digit(at + 1))) return std::nullopt;
    }
    const std::optional<std::string> plain = without_underscores(text);
    if (!plain || plain->empty() || plain->front() == '+' || plain->front() == '-') return std::nullopt;
    if (digit_value(plain->front()) > 9 && plain->front() != '.') return std::nullopt;
    const auto [end, error] = std::from_chars(plain->data(), plain->data() + plain->size(), number);
    if (end != plain->data() + plain->size() || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range)
      number = plain->find("e-") == std::string::npos ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return minus ? -number : number;
}

}  // namespace strata::jinja
