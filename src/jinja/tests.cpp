// SPDX-License-Identifier: Apache-2.0
// The tests: `value is name(arguments)`.
#include <algorithm>
#include <array>
#include <cmath>

#include "jinja/filters.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

Datum only_argument(Runtime& runtime, Arguments& arguments, std::string_view name) {
  return *bind(runtime, arguments, {name}, 1)[0];
}

bool remainder_is(Runtime& runtime, const Datum& value, std::int64_t divisor, std::int64_t wanted) {
  const Datum remainder = calculate(runtime, Operator::modulo, value, Datum::of_integer(divisor));
  return equal(runtime, remainder, Datum::of_integer(wanted));
}

template <Comparison comparison>
bool compares(Runtime& runtime, const Datum& value, Arguments& arguments) {
  return compare(runtime, comparison, value, only_argument(runtime, arguments, "b"));
}

template <Type... types>
bool is_type(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  return ((value.type == types) || ...);
}

bool has_case(Runtime& runtime, const Datum& value, bool (*wanted)(char32_t), bool (*unwanted)(char32_t)) {
  const std::string text = to_text(runtime, value);
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = text::unicode::decode(text, at);
    if (unwanted(point)) return false;
    found = found || wanted(point);
  }
  return found;
}

bool is_same(const Datum& left, const Datum& right) {
  if (left.type != right.type) return false;
  switch (left.type) {
    case Type::none:
      return true;
    case Type::boolean:
      return left.integer == right.integer;
    case Type::integer:
      return left.integer == right.integer && left.integer >= -5 && left.integer <= 256;  // The ones that Python keeps.
    case Type::floating:
      return false;
    case Type::text:
      return left.object == right.object || (left.text().bytes == right.text().bytes && left.text().length <= 1);
    default:
      return left.object == right.object;
  }
}

struct TestEntry {
  std::string_view name;
  Test test;
};

constexpr std::array kTests = {
    TestEntry{"odd",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                return no_arguments(runtime, arguments), remainder_is(runtime, value, 2, 1);
              }},
    TestEntry{"even",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                return no_arguments(runtime, arguments), remainder_is(runtime, value, 2, 0);
              }},
    TestEntry{"divisibleby",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                const Datum remainder =
                    calculate(runtime, Operator::modulo, value, only_argument(runtime, arguments, "num"));
                return equal(runtime, remainder, Datum::of_integer(0));
              }},
    TestEntry{"defined", [](Runtime& runtime, const Datum& value,
                            Arguments& arguments) { return no_arguments(runtime, arguments), !value.is_undefined(); }},
    TestEntry{"undefined", is_type<Type::undefined>},
    TestEntry{"filter",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                no_arguments(runtime, arguments);
                if (!hash(runtime, value)) runtime.fail("the name of a filter must be a text");
                return value.is(Type::text) &&
                       (find_filter(value.text().bytes) != nullptr || is_unsupported_filter(value.text().bytes));
              }},
    TestEntry{"test",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                no_arguments(runtime, arguments);
                if (!hash(runtime, value)) runtime.fail("the name of a test must be a text");
                return value.is(Type::text) && find_test(value.text().bytes) != nullptr;
              }},
    TestEntry{"none", is_type<Type::none>},
    TestEntry{"boolean", is_type<Type::boolean>},
    TestEntry{"false",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                return is_type<Type::boolean>(runtime, value, arguments) && value.integer == 0;
              }},
    TestEntry{"true",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                return is_type<Type::boolean>(runtime, value, arguments) && value.integer != 0;
              }},
    TestEntry{"integer", is_type<Type::integer, Type::big_integer>},
    TestEntry{"float", is_type<Type::floating>},
    TestEntry{"lower",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                return no_arguments(runtime, arguments),
                       has_case(runtime, value, text::unicode::is_lower, text::unicode::is_upper);
              }},
    TestEntry{"upper",
              [](Runtime& runtime, const Datum& value, Arguments& arguments) {
                return no_arguments(runtime, arguments),
                       has_case(runtime, value, text::unicode::is_upper, text::unicode::is_lower);
              }},
    TestEntry{"string", is_type<Type::text>},
    TestEntry{"mapping", is_type<Type::dict>},
    TestEntry{"number", is_type<Type::boolean, Type::integer, Type::big_integer, Type::floating>},
    TestEntry{"sequence", is_type<Type::text, Type::list, Type::tuple, Type::dict, Type::range, Type::undefined>},
    TestEntry{"iterable", is_type<Type::text, Type::list, Type::tuple, Type::dict, Type::view, Type::range,
                                  Type::iterator, Type::loop, Type::undefined>},
    TestEntry{"callable", is_type<Type::function, Type::loop, Type::undefined>},
    TestEntry{"sameas",
              [](Runtime& runtime, const Datum& value,
                 Arguments& arguments) { return is_same(value, only_argument(runtime, arguments, "other")); }},
    TestEntry{
        "escaped",
        [](Runtime& runtime, const Datum& value,
           Arguments&
               arguments) { return no_arguments(runtime, arguments), value.is(Type::text) && value.text().markup; }},
    TestEntry{"in",
              [](Runtime& runtime, const Datum& value,
                 Arguments& arguments) { return contains(runtime, only_argument(runtime, arguments, "seq"), value); }},
    TestEntry{"==", compares<Comparison::equal>},
    TestEntry{"eq", compares<Comparison::equal>},
    TestEntry{"equalto", compares<Comparison::equal>},
    TestEntry{"!=", compares<Comparison::not_equal>},
    TestEntry{"ne", compares<Comparison::not_equal>},
    TestEntry{">", compares<Comparison::greater>},
    TestEntry{"gt", compares<Comparison::greater>},
    TestEntry{"greaterthan", compares<Comparison::greater>},
    TestEntry{"ge", compares<Comparison::greater_equal>},
    TestEntry{">=", compares<Comparison::greater_equal>},
    TestEntry{"<", compares<Comparison::less>},
    TestEntry{"lt", compares<Comparison::less>},
    TestEntry{"lessthan", compares<Comparison::less>},
    TestEntry{"<=", compares<Comparison::less_equal>},
    TestEntry{"le", compares<Comparison::less_equal>},
};

}  // namespace

Test find_test(std::string_view name) noexcept {
  const auto* found =
      std::find_if(kTests.begin(), kTests.end(), [&](const TestEntry& entry) { return entry.name == name; });
  return found == kTests.end() ? nullptr : found->test;
}

bool apply_test(Runtime& runtime, std::string_view name, const Datum& value, Arguments& arguments) {
  const Test test = find_test(name);
  if (test == nullptr) runtime.fail("there is no test named '" + std::string(name) + "'");
  return test(runtime, value, arguments);
}

}  // namespace strata::jinja
