// SPDX-License-Identifier: Apache-2.0
// Functions that compare: compare, versioncmp, max, min, sort. Rule: Puppet 7.
#include <algorithm>
#include <array>
#include <vector>

#include "puppet/characters.hpp"
#include "puppet/functions/arguments.hpp"
#include "ruby/text.hpp"

namespace strata::puppet {
namespace {

int order_of(std::string_view left, std::string_view right) noexcept {
  return left < right ? -1 : left == right ? 0 : 1;
}

Value compare_two(const FunctionCall& call, Evaluator& evaluator) {
  const Value& left = call.arguments[0];
  const Value& right = call.arguments[1];
  if (is_string(left)) {
    const std::string_view text = text_argument(call, evaluator, 1);
    const bool ignore_case = call.arguments.size() < 3 || boolean_argument(call, evaluator, 2);
    return Value::integer(ignore_case ? order_of(lower(left.text()), lower(text)) : order_of(left.text(), text));
  }
  if (!is_number(left)) throw wrong_argument(call, evaluator, 0, "a Numeric or a String");
  if (!is_number(right)) throw wrong_argument(call, evaluator, 1, "a Numeric");
  if (call.arguments.size() > 2)
    throw failed(call, evaluator, "puppet.arguments", "the third argument is for texts only");
  const std::optional<int> order = ruby_order(left, right);
  return order ? Value::integer(*order) : Value::null();
}

// Versions.

/// `-`, `.`, digits, or what stands between those.
std::string_view next_part(std::string_view& version) noexcept {
  std::size_t size = 1;
  const char first = version.front();
  if (first != '-' && first != '.') {
    const auto same = [&](char c) { return c != '-' && c != '.' && is_digit(c) == is_digit(first); };
    while (size < version.size() && same(version[size])) ++size;
  }
  const std::string_view part = version.substr(0, size);
  version.remove_prefix(size);
  return part;
}

int compare_parts(std::string_view left, std::string_view right) {
  for (const std::string_view mark : {"-", "."}) {
    if (left == mark) return -1;
    if (right == mark) return 1;
  }
  const bool numbers = is_digit(left.front()) && is_digit(right.front());
  if (!numbers) return order_of(ruby::upcase(left), ruby::upcase(right));
  if (left.front() != '0' && right.front() != '0' && left.size() != right.size())
    return left.size() < right.size() ? -1 : 1;
  return order_of(left, right);
}

int compare_versions(std::string_view left, std::string_view right) {
  std::string_view a = left;
  std::string_view b = right;
  while (!a.empty() && !b.empty()) {
    const std::string_view one = next_part(a);
    const std::string_view other = next_part(b);
    if (one != other) return compare_parts(one, other);
  }
  return order_of(left, right);
}

/// Without zeros and points at the end of what is before the first `-`.
std::string without_zeros(std::string_view version) {
  const std::size_t end = std::min(version.find('-'), version.size());
  const std::size_t last = version.substr(0, end).find_last_not_of(".0");
  std::string out(version.substr(0, last == std::string_view::npos ? 0 : last + 1));
  out += version.substr(end);
  while (out.ends_with('-')) out.pop_back();
  return out;
}

Value versioncmp(const FunctionCall& call, Evaluator& evaluator) {
  const std::string_view left = text_argument(call, evaluator, 0);
  const std::string_view right = text_argument(call, evaluator, 1);
  evaluator.charge_text(left.size() + right.size());
  if (call.arguments.size() < 3 || !boolean_argument(call, evaluator, 2))
    return Value::integer(compare_versions(left, right));
  for (std::size_t i = 0; i < 2; ++i) {
    if (call.arguments[i].text().find_first_not_of('-') == std::string_view::npos)
      throw wrong_argument(call, evaluator, i, "a version");
  }
  return Value::integer(compare_versions(without_zeros(left), without_zeros(right)));
}

// The largest and smallest.

/// Texts that count as numbers here, and integers.
std::optional<double> numeric(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > begin;
  };
  if (!digits()) return std::nullopt;
  std::string number(text.substr(0, at));
  if (at < text.size()) {
    const char mark = text[at];
    if (mark != '.' && mark != '_' && mark != 'e' && mark != 'E') return std::nullopt;
    const std::size_t begin = ++at;
    if (!digits() || at != text.size()) return std::nullopt;
    if (mark != '_') number += mark;
    number += text.substr(begin);
  }
  return ruby::parse_float(number);
}

int order_of_texts(std::string_view left, std::string_view right) {
  const std::optional<double> a = numeric(left);
  const std::optional<double> b = a ? numeric(right) : std::nullopt;
  if (!b) return order_of(left, right);
  return *a < *b ? -1 : *a > *b ? 1 : 0;
}

int natural_order(const Value& left, const Value& right, bool numbers, Evaluator& evaluator) {
  if (numbers) return ruby_order(left, right).value_or(0);
  return order_of_texts(ruby_text(evaluator, left), ruby_text(evaluator, right));
}

/// `wanted`: 1 for the largest, -1 for the smallest.
Value extreme(const FunctionCall& call, Evaluator& evaluator, int wanted) {
  std::span<const Value> values = call.arguments;
  if (values.size() == 1 && values[0].is_sequence()) values = values[0].items();
  if (call.lambda != nullptr) lambda_takes(call, evaluator, {2});
  if (values.empty()) {
    if (call.lambda != nullptr) return Value::null();
    throw failed(call, evaluator, "puppet.arguments", "needs at least one value");
  }
  const bool numbers = std::all_of(values.begin(), values.end(), is_number);
  std::optional<BoundLambda> lambda;
  if (call.lambda != nullptr) lambda.emplace(call, evaluator);
  Value best = values.front();
  for (const Value& value : values.subspan(1)) {
    evaluator.charge(1);
    int order = 0;
    if (lambda) {
      const Value result = (*lambda)(value, best);
      if (!result) return {};
      order = lambda_order(result, call, evaluator);
    } else {
      order = natural_order(value, best, numbers, evaluator);
    }
    if (order * wanted > 0) best = value;
  }
  return best;
}

Value max(const FunctionCall& call, Evaluator& evaluator) { return extreme(call, evaluator, 1); }
Value min(const FunctionCall& call, Evaluator& evaluator) { return extreme(call, evaluator, -1); }

// Sorting.

/// A stable merge sort, which survives lambdas that contradict themselves.
class Sorter {
 public:
  Sorter(const FunctionCall& call, Evaluator& evaluator) : call_(call), evaluator_(evaluator) {
    if (call.lambda != nullptr) {
      lambda_takes(call, evaluator, {2});
      lambda_.emplace(call, evaluator);
    }
  }

  /// False: a jump is pending.
  bool sort(std::vector<Value>& items) {
    scratch_.resize(items.size());
    return sort(std::span(items));
  }

 private:
  // Recursion: logarithmic.
  bool sort(std::span<Value> items) {
    if (items.size() < 2) return true;
    const std::size_t middle = items.size() / 2;
    if (!sort(items.first(middle)) || !sort(items.subspan(middle))) return false;
    std::size_t left = 0;
    std::size_t right = middle;
    std::size_t made = 0;
    while (left < middle && right < items.size()) {
      const std::optional<bool> in_order = ordered(items[left], items[right]);
      if (!in_order) return false;
      scratch_[made++] = *in_order ? items[left++] : items[right++];
    }
    while (left < middle) scratch_[made++] = items[left++];
    std::copy_n(scratch_.begin(), made, items.begin());
    return true;
  }

  std::optional<bool> ordered(const Value& left, const Value& right) {
    evaluator_.charge(1);
    if (!lambda_) {
      const std::optional<int> order = ruby_order(left, right);
      if (!order) throw no_order(left, right, call_, evaluator_);
      return *order <= 0;
    }
    const Value result = (*lambda_)(left, right);
    if (!result) return std::nullopt;
    return lambda_order(result, call_, evaluator_) <= 0;
  }

  const FunctionCall& call_;
  Evaluator& evaluator_;
  std::optional<BoundLambda> lambda_;
  std::vector<Value> scratch_;
};

Value sort(const FunctionCall& call, Evaluator& evaluator) {
  const Value& from = call.arguments[0];
  if (!is_string(from) && !from.is_sequence()) throw wrong_argument(call, evaluator, 0, "a String or an Array");
  Sorter sorter(call, evaluator);
  std::vector<Value> items;
  Items all = items_argument(call, evaluator, 0);
  for (Value item; all.next(item);) items.push_back(item);
  if (!sorter.sort(items)) return {};
  if (from.is_sequence()) return new_array(evaluator, items).with_secret(from.is_secret());
  std::string out;
  for (const Value& item : items) out += item.text();
  return new_text(call, evaluator, out, from.is_secret());
}

constexpr std::array<BuiltinEntry, 5> kComparisonFunctions = {{
    {"compare", compare_two, 2, 3, BlockRule::none},
    {"max", max, 0, BuiltinEntry::kMany, BlockRule::optional},
    {"min", min, 0, BuiltinEntry::kMany, BlockRule::optional},
    {"sort", sort, 1, 1, BlockRule::optional},
    {"versioncmp", versioncmp, 2, 3, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> comparison_functions() noexcept { return kComparisonFunctions; }

}  // namespace strata::puppet
