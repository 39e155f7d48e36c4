// SPDX-License-Identifier: Apache-2.0
#include "order.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace strata::merge {
namespace {

using std::partial_ordering;

bool is_number(const Value& value) {
  return value.kind() == Kind::integer || value.kind() == Kind::big_integer || value.kind() == Kind::floating;
}

/// Decimal digits with an optional sign.
partial_ordering compare_digits(std::string_view left, std::string_view right) {
  const bool is_negative = left.starts_with('-');
  if (is_negative != right.starts_with('-')) return is_negative ? partial_ordering::less : partial_ordering::greater;
  const std::strong_ordering by_amount = left.size() != right.size() ? left.size() <=> right.size() : left <=> right;
  return is_negative ? 0 <=> by_amount : by_amount;
}

/// The integer part, whose digits are exact, then the fraction.
partial_ordering compare_with_float(const std::string& digits, double number) {
  if (std::isnan(number)) return partial_ordering::unordered;
  if (std::isinf(number)) return number < 0 ? partial_ordering::greater : partial_ordering::less;
  const double whole = std::floor(number);
  char buffer[352];  // A double has up to 309 digits before its point.
  const char* const end =
      std::to_chars(buffer, buffer + sizeof buffer, whole == 0 ? 0.0 : whole, std::chars_format::fixed, 0).ptr;
  const partial_ordering order = compare_digits(digits, std::string_view(buffer, end));
  return order == 0 && number > whole ? partial_ordering::less : order;
}

std::string digits_of(const Value& value) {
  return value.kind() == Kind::integer ? std::to_string(value.as_integer()) : std::string(value.text());
}

partial_ordering compare_numbers(const Value& left, const Value& right) {
  if (left.kind() == Kind::integer && right.kind() == Kind::integer) return left.as_integer() <=> right.as_integer();
  const bool float_left = left.kind() == Kind::floating;
  const bool float_right = right.kind() == Kind::floating;
  if (float_left && float_right) return left.as_floating() <=> right.as_floating();
  if (float_right) return compare_with_float(digits_of(left), right.as_floating());
  if (float_left) return 0 <=> compare_with_float(digits_of(right), left.as_floating());
  return compare_digits(digits_of(left), digits_of(right));
}

/// Ruby's `==`: numbers by amount at all depths.
// Recursion: bounded by Limits::depth.
bool same(const Value& left, const Value& right) {
  if (is_number(left) && is_number(right)) return compare_numbers(left, right) == 0;
  if (left.is_sequence() && right.is_sequence()) return std::ranges::equal(left.items(), right.items(), same);
  if (!left.is_mapping() || !right.is_mapping()) return equal(left, right);
  return left.size() == right.size() && std::ranges::all_of(left.entries(), [&right](const Entry& entry) {
           const Value* other = right.find(entry.key);
           return other != nullptr && same(entry.value, *other);
         });
}

}  // namespace

// Recursion: bounded by Limits::depth.
partial_ordering compare(const Value& left, const Value& right) noexcept {
  if (is_number(left) && is_number(right)) return compare_numbers(left, right);
  if (left.is_text() && right.is_text()) return left.text() <=> right.text();
  if (left.is_sequence() && right.is_sequence()) {
    const std::size_t common = std::min(left.size(), right.size());
    for (std::size_t i = 0; i < common; ++i) {
      const partial_ordering order = compare(left.items()[i], right.items()[i]);
      if (order != 0) return order;
    }
    return left.size() <=> right.size();
  }
  return left.kind() == right.kind() && same(left, right) ? partial_ordering::equivalent : partial_ordering::unordered;
}

}  // namespace strata::merge
