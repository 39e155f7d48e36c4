// SPDX-License-Identifier: Apache-2.0
// Equality and order.
#include <algorithm>
#include <cmath>

#include "puppet/characters.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/kinds.hpp"
#include "puppet/types/integer.hpp"
#include "text/decimal.hpp"

namespace strata::puppet {
namespace {

template <class Number>
int three_way(Number left, Number right) noexcept {
  return left < right ? -1 : left > right ? 1 : 0;
}

/// A whole number against a float, exactly. `right` is no NaN.
int compare_mixed(const Integer& left, double right) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  const std::optional<std::int64_t> small = left.small();
  if (!small) {
    return three_way(*text::parse_decimal(left.to_string()), right);
  }
  if (right >= kTwoTo63) return -1;
  if (right < -kTwoTo63) return 1;
  const double whole = std::floor(right);
  const int order = three_way(*small, static_cast<std::int64_t>(whole));
  return order != 0 ? order : whole < right ? -1 : 0;
}

std::optional<int> compare_numbers(const Value& left, const Value& right) {
  if (left.kind() == Kind::integer && right.kind() == Kind::integer)
    return three_way(left.as_integer(), right.as_integer());
  const bool whole_left = is_whole(left);
  const bool whole_right = is_whole(right);
  if (whole_left && whole_right) {
    const auto order = Integer(left) <=> Integer(right);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  if ((!whole_left && std::isnan(left.as_floating())) || (!whole_right && std::isnan(right.as_floating())))
    return std::nullopt;
  if (whole_left) return compare_mixed(Integer(left), right.as_floating());
  if (whole_right) return -compare_mixed(Integer(right), left.as_floating());
  return three_way(left.as_floating(), right.as_floating());
}

bool same_ignoring_case(std::string_view left, std::string_view right) noexcept {
  return left.size() == right.size() && same_letters(left, right);
}

/// `exact`: as Ruby compares.
bool same_value(const Value& left, const Value& right, bool exact);

/// A key that is missing counts as undef where case is ignored.
bool same_hashes(const Value& left, const Value& right, bool exact) {
  if (left.size() != right.size()) return false;
  return std::all_of(left.entries().begin(), left.entries().end(), [&](const Entry& entry) {
    const Value* other = right.find(entry.key);
    if (other == nullptr) return !exact && entry.value.is_null();
    return same_value(entry.value, *other, exact);
  });
}

// Recursion: values nest as deep as Limits::depth.
bool same_value(const Value& left, const Value& right, bool exact) {
  if (is_string(left)) {
    if (!is_string(right)) return false;
    return exact ? left.text() == right.text() : same_ignoring_case(left.text(), right.text());
  }
  if (is_number(left)) return is_number(right) && compare_numbers(left, right) == 0;
  if (left.is_sequence()) {
    if (!right.is_sequence() || left.size() != right.size()) return false;
    return std::equal(left.items().begin(), left.items().end(), right.items().begin(),
                      [exact](const Value& one, const Value& other) { return same_value(one, other, exact); });
  }
  if (is_hash(left)) return is_hash(right) && same_hashes(left, right, exact);
  return equal(left, right);
}

}  // namespace

bool equals(const Value& left, const Value& right) { return same_value(left, right, false); }

bool ruby_equals(const Value& left, const Value& right) { return same_value(left, right, true); }

namespace {

/// Takes the steps for a comparison: values of different sizes differ at once.
void charge_comparison(const Value& left, const Value& right, Evaluator& evaluator) {
  if (left.is_text() && right.is_text()) {
    if (left.text().size() == right.text().size()) evaluator.charge_value(left);
  } else if (left.is_container() && right.is_container() && left.size() == right.size()) {
    evaluator.charge_value(left);
  }
}

}  // namespace

bool equals(const Value& left, const Value& right, Evaluator& evaluator) {
  charge_comparison(left, right, evaluator);
  return same_value(left, right, false);
}

bool ruby_equals(const Value& left, const Value& right, Evaluator& evaluator) {
  charge_comparison(left, right, evaluator);
  return same_value(left, right, true);
}

int compare_texts(std::string_view left, std::string_view right) noexcept {
  const std::size_t common = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < common; ++i) {
    const auto one = static_cast<unsigned char>(lower(left[i]));
    const auto other = static_cast<unsigned char>(lower(right[i]));
    if (one != other) return one < other ? -1 : 1;
  }
  return three_way(left.size(), right.size());
}

std::optional<int> compare(const Value& left, const Value& right) {
  if (is_string(left) && is_string(right)) return compare_texts(left.text(), right.text());
  if (is_number(left) && is_number(right)) return compare_numbers(left, right);
  return std::nullopt;
}

}  // namespace strata::puppet
