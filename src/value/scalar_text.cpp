// SPDX-License-Identifier: Apache-2.0
#include "strata/scalar_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace strata {

std::string float_text(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  char buffer[32];
  // Python's rule, which YAML 1.1 readers need: fixed notation for exponents from -4 to 15, and always a point.
  const double size = std::fabs(number);
  const bool fixed = number == 0 || (size >= 1e-4 && size < 1e16);
  const auto format = fixed ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, format).ptr;
  std::string text(buffer, end);
  const std::size_t exponent = text.find('e');
  const std::size_t mantissa = exponent == std::string::npos ? text.size() : exponent;
  if (text.find('.') == std::string::npos) text.insert(mantissa, ".0");
  return text;
}

std::string date_text(const Date& date) { return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day); }

std::string timestamp_text(const Timestamp& timestamp, char separator) {
  std::string out = fmt::format("{}{}{:02}:{:02}:{:02}", date_text(timestamp.date), separator, timestamp.hour,
                                timestamp.minute, timestamp.second);
  if (timestamp.microsecond != 0) out += fmt::format(".{:06}", timestamp.microsecond);
  if (timestamp.has_zone) {
    const std::int32_t zone = std::abs(timestamp.zone_seconds);
    out += fmt::format("{}{:02}:{:02}", timestamp.zone_seconds < 0 ? '-' : '+', zone / 3600, zone / 60 % 60);
  }
  return out;
}

std::string base64_encode(std::string_view bytes) {
  static constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t taken = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (k < taken ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= taken ? kAlphabet[group >> (18U - 6U * k) & 63U] : '=';
  }
  return out;
}

// Recursion: keys that are containers come from documents, which Limits::depth bounds.
std::string scalar_text(const Value& value) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.as_boolean() ? "true" : "false";
    case Kind::integer:
      return std::to_string(value.as_integer());
    case Kind::floating:
      return float_text(value.as_floating());
    case Kind::big_integer:
    case Kind::text:
      return std::string(value.text());
    case Kind::binary:
      return base64_encode(value.text());
    case Kind::date:
      return date_text(value.as_date());
    case Kind::timestamp:
      return timestamp_text(value.as_timestamp());
    case Kind::object:
      return value.as_object().to_string();
    case Kind::sequence: {
      std::string out = "[";
      for (const Value& item : value.items()) out += (out.size() > 1 ? ", " : "") + scalar_text(item);
      return out + "]";
    }
    case Kind::mapping:
    case Kind::set: {
      std::string out = "{";
      for (const Entry& entry : value.entries())
        out += (out.size() > 1 ? ", " : "") + scalar_text(entry.key) + ": " + scalar_text(entry.value);
      return out + "}";
    }
  }
  return {};
}

}  // namespace strata
