// SPDX-License-Identifier: Apache-2.0
// Filters on numbers and on values of any type.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "jinja/filters.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

double need_number(Runtime& runtime, const Datum& datum) {
  runtime.need_defined(datum);
  if (!datum.is_number()) runtime.fail("a number is needed here, not a value of type " + std::string(type_name(datum)));
  return datum.as_double();
}

/// float(): of a number or of a text that is one.
std::optional<double> as_float(Runtime& runtime, const Datum& value) {
  runtime.need_defined(value);
  if (value.is_number()) return value.as_double();
  return value.is(Type::text) ? parse_float(value.text().bytes) : std::nullopt;
}

Datum absolute(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  need_number(runtime, value);
  if (value.is(Type::floating)) return Datum::of_floating(std::fabs(value.floating));
  return negate(runtime, value, value.integer < 0);
}

Datum to_int(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"default", "base"});
  if (value.is(Type::text)) {
    const std::int64_t base = bound[1] ? need_integer(runtime, *bound[1]) : 10;
    if (const std::optional<Datum> number = parse_integer(runtime, value.text().bytes, base)) return *number;
  } else if (value.is_whole()) {
    return Datum::of_integer(value.integer);
  } else if (value.is(Type::big_integer)) {
    return value;
  }
  const std::optional<double> number = as_float(runtime, value);
  if (!number || std::isnan(*number)) return bound[0] ? *bound[0] : Datum::of_integer(0);
  return whole(runtime, *number);
}

Datum to_float(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"default"});
  if (const std::optional<double> number = as_float(runtime, value)) return Datum::of_floating(*number);
  return bound[0] ? *bound[0] : Datum::of_floating(0);
}

/// round() to the nearest, halves to even, of the exact value of the float.
double round_float(double number, std::int64_t precision) {
  if (!std::isfinite(number) || precision > 320) return number;
  if (precision < -320) return std::copysign(0.0, number);
  if (precision < 0) {
    const long double unit = std::pow(10.0L, static_cast<long double>(-precision));
    return static_cast<double>(std::nearbyint(static_cast<long double>(number) / unit) * unit);
  }
  char buffer[700];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed, static_cast<int>(precision));
  double rounded = number;
  if (error == std::errc()) std::from_chars(buffer, end, rounded);
  return rounded;
}

std::int64_t round_integer(Runtime& runtime, std::int64_t number, std::int64_t precision) {
  if (precision >= 0) return number;
  if (precision < -18) return 0;
  std::int64_t unit = 1;
  for (; precision < 0; ++precision) unit *= 10;
  const std::int64_t remainder = (number % unit + unit) % unit;
  const Datum down = calculate(runtime, Operator::subtract, Datum::of_integer(number), Datum::of_integer(remainder));
  const bool up = remainder > unit / 2 || (remainder == unit / 2 && (down.integer / unit) % 2 != 0);
  return up ? calculate(runtime, Operator::add, down, Datum::of_integer(unit)).integer : down.integer;
}

Datum round(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"precision", "method"});
  const std::string method = bound[1] ? need_text(runtime, *bound[1]).bytes : "common";
  if (method != "common" && method != "ceil" && method != "floor")
    runtime.fail("the method of 'round' must be common, ceil or floor");
  if (method == "common") {
    const bool is_plain = bound[0] && bound[0]->is(Type::none);
    const std::int64_t precision = bound[0] && !is_plain ? need_integer(runtime, *bound[0]) : 0;
    const double number = need_number(runtime, value);
    if (!value.is(Type::floating)) return Datum::of_integer(round_integer(runtime, value.integer, precision));
    if (is_plain) return whole(runtime, round_float(number, 0));
    return Datum::of_floating(round_float(number, precision));
  }
  const Datum scale =
      calculate(runtime, Operator::power, Datum::of_integer(10), bound[0] ? *bound[0] : Datum::of_integer(0));
  const Datum scaled = calculate(runtime, Operator::multiply, value, scale);
  const double number = need_number(runtime, scaled);
  const Datum rounded =
      scaled.is(Type::floating) ? whole(runtime, method == "ceil" ? std::ceil(number) : std::floor(number)) : scaled;
  return calculate(runtime, Operator::divide, rounded, scale);
}

Datum file_size(Runtime& runtime, const Datum& value, Arguments& arguments) {
  static constexpr std::array kPrefixes = {"k", "M", "G", "T", "P", "E", "Z", "Y"};
  const Bound bound = bind(runtime, arguments, {"binary"});
  const bool binary = bound[0] && truth(runtime, *bound[0]);
  const std::optional<double> bytes = as_float(runtime, value);
  if (!bytes) runtime.fail("a size must be a number");
  if (*bytes == 1) return runtime.text("1 Byte");
  const double base = binary ? 1024 : 1000;
  if (*bytes < base) return runtime.text(std::to_string(whole(runtime, *bytes).integer) + " Bytes");
  double unit = base;
  std::size_t index = 0;
  do {
    unit *= base;
  } while (!(*bytes < unit) && ++index < kPrefixes.size());
  index = std::min(index, kPrefixes.size() - 1);
  if (!(*bytes < unit)) unit = std::pow(base, 9);
  const Datum number = Datum::of_floating(base * *bytes / unit);
  const std::string prefix = binary ? text::unicode::upper(kPrefixes[index]) + "i" : kPrefixes[index];
  return runtime.text(to_text(runtime, format_percent(runtime, runtime.text("%.1f"), number)) + " " + prefix + "B");
}

Datum standard(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"default_value", "boolean"});
  const bool replaced = value.is_undefined() || (bound[1] && truth(runtime, *bound[1]) && !truth(runtime, value));
  if (!replaced) return value;
  return bound[0] ? *bound[0] : runtime.text("");
}

Datum named_attribute(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Datum name = *bind(runtime, arguments, {"name"}, 1)[0];
  if (const std::optional<Datum> found = attribute(runtime, value, need_text(runtime, name).bytes)) return *found;
  return runtime.undefined(name);
}

Datum json(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"indent"});
  std::optional<std::int64_t> indent;
  if (bound[0] && bound[0]->is(Type::text)) runtime.fail_unsupported("an indent of 'tojson' that is a text");
  if (bound[0] && !bound[0]->is(Type::none)) indent = need_integer(runtime, *bound[0]);
  return runtime.text(to_json(runtime, value, indent), true);
}

constexpr std::array kValueFilters = {
    FilterEntry{"abs", absolute},
    FilterEntry{"attr", named_attribute},
    FilterEntry{"d", standard},
    FilterEntry{"default", standard},
    FilterEntry{"filesizeformat", file_size},
    FilterEntry{"float", to_float},
    FilterEntry{"int", to_int},
    FilterEntry{"round", round},
    FilterEntry{"tojson", json},
};

}  // namespace

Filter find_value_filter(std::string_view name) noexcept { return find_filter_among(kValueFilters, name); }

}  // namespace strata::jinja
