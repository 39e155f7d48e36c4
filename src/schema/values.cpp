// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "python/data.hpp"
#include "schema/validation.hpp"

namespace strata::json_schema::detail {
namespace {

double amount(const Value& number) noexcept {
  switch (number.kind()) {
    case Kind::integer:
      return static_cast<double>(number.as_integer());
    case Kind::floating:
      return number.as_floating();
    default:
      return std::strtod(std::string(number.text()).c_str(), nullptr);
  }
}

bool is_integer(const Value& value) noexcept {
  return value.kind() == Kind::integer || value.kind() == Kind::big_integer;
}

}  // namespace

bool is_number(const Value& value) noexcept { return is_integer(value) || value.kind() == Kind::floating; }

bool is_of_type(const Value& value, std::string_view type) noexcept {
  if (type == "object") return value.is_mapping();
  if (type == "array") return value.is_sequence();
  if (type == "string") return value.is_text();
  if (type == "integer") return is_integer(value);
  if (type == "number") return is_number(value);
  if (type == "boolean") return value.kind() == Kind::boolean;
  return type == "null" && value.is_null();
}

bool is_date(std::string_view text) noexcept {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [text](std::size_t begin, std::size_t count) {
    int out = 0;
    for (const char c : text.substr(begin, count)) out = c < '0' || c > '9' ? -10'000 : out * 10 + (c - '0');
    return out;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const int day = number(8, 2);
  if (year < 1 || month < 1 || day < 1) return false;
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

int compare_numbers(const Value& left, const Value& right) noexcept {
  if (left.kind() == Kind::integer && right.kind() == Kind::integer)
    return left.as_integer() < right.as_integer() ? -1 : left.as_integer() > right.as_integer() ? 1 : 0;
  const double one = amount(left);
  const double other = amount(right);
  return one < other ? -1 : one > other ? 1 : 0;
}

bool is_multiple(const Value& number, const Value& of) noexcept {
  if (number.kind() == Kind::integer && of.kind() == Kind::integer) {
    // The least integer cannot be divided by -1; a divisor is positive.
    return of.as_integer() != 0 && number.as_integer() % of.as_integer() == 0;
  }
  const double divisor = amount(of);
  if (of.kind() != Kind::floating) return std::fmod(amount(number), divisor) == 0;
  const double quotient = amount(number) / divisor;
  return std::isfinite(quotient) ? std::trunc(quotient) == quotient : std::fmod(amount(number), divisor) == 0;
}

// Recursion: bounded by Limits::depth.
bool same_data(const Value& left, const Value& right) {
  if ((left.kind() == Kind::boolean) != (right.kind() == Kind::boolean)) return false;
  if (left.is_sequence() && right.is_sequence()) return std::ranges::equal(left.items(), right.items(), same_data);
  if (!left.is_mapping() || !right.is_mapping()) return python::equal(left, right);
  return left.size() == right.size() && std::ranges::all_of(left.entries(), [&right](const Entry& entry) {
           const Value* other = right.find(entry.key);
           return other != nullptr && same_data(entry.value, *other);
         });
}

// Recursion: bounded by Limits::depth.
std::string canonical(const Value& value) {
  if (value.is_sequence()) {
    std::string out = "[";
    for (const Value& item : value.items()) out += canonical(item) + ",";
    return out + "]";
  }
  if (value.is_mapping()) {
    std::vector<std::string> members;
    members.reserve(value.size());
    for (const Entry& entry : value.entries()) members.push_back(canonical(entry.key) + ":" + canonical(entry.value));
    std::ranges::sort(members);
    return fmt::format("{{{}}}", fmt::join(members, ","));
  }
  if (value.kind() == Kind::floating && std::isfinite(value.as_floating()) &&
      std::trunc(value.as_floating()) == value.as_floating())
    return value.as_floating() == 0 ? "0" : fmt::format("{:.0f}", value.as_floating());
  return python::repr(value);
}

std::string shown(const Value& value) {
  constexpr std::size_t kMost = 500;
  constexpr std::size_t kSpelled = std::size_t{1} << 20U;
  if (holds_secret(value)) return "******";
  std::string out;
  try {
    out = python::repr(value, kSpelled);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return fmt::format("({})", describe(value.kind()));  // Too large to be spelled out.
  }
  if (out.size() <= kMost) return out;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
  return out.substr(0, end) + "…";
}

std::string listed(const std::vector<Value>& values) {
  std::string out;
  for (const Value& value : values) out += (out.empty() ? "" : ", ") + shown(value);
  return out;
}

}  // namespace strata::json_schema::detail

namespace strata::json_schema {

// Recursion: bounded by Limits::depth.
bool holds_secret(const Value& value) noexcept {
  if (value.is_secret()) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), holds_secret);
  return value.is_mapping() &&
         std::ranges::any_of(value.entries(), [](const Entry& entry) { return holds_secret(entry.value); });
}

}  // namespace strata::json_schema
