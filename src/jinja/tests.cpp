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

bool is_cased(Runtime& runtime, const Datum& value, bool (*wanted)(char32_t), bool (*unwanted)(char32_t)) {
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

struct Entry {
  std::string_view name;
  Test test;
};

constexpr std::array kTests = {
    Entry{"odd",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            return no_arguments(runtime, arguments), remainder_is(runtime, value, 2, 1);
          }},
    Entry{"even",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            return no_arguments(runtime, arguments), remainder_is(runtime, value, 2, 0);
          }},
    Entry{"divisibleby",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            const Datum remainder =
                calculate(runtime, Operator::modulo, value, only_argument(runtime, arguments, "num"));
            return equal(runtime, remainder, Datum::of_integer(0));
          }},
    Entry{"defined", [](Runtime& runtime, const Datum& value,
                        Arguments& arguments) { return no_arguments(runtime, arguments), !value.is_undefined(); }},
    Entry{"undefined", is_type<Type::undefined>},
    Entry{"filter",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            no_arguments(runtime, arguments);
            if (!hash(runtime, value)) runtime.fail("the name of a filter must be a text");
            return value.is(Type::text) &&
                   (find_filter(value.text().bytes) != nullptr || is_unsupported_filter(value.text().bytes));
          }},
    Entry{"test",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            no_arguments(runtime, arguments);
            if (!hash(runtime, value)) runtime.fail("the name of a test must be a text");
            return value.is(Type::text) && find_test(value.text().bytes) != nullptr;
          }},
    Entry{"none", is_type<Type::none>},
    Entry{"boolean", is_type<Type::boolean>},
    Entry{"false",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            return is_type<Type::boolean>(runtime, value, arguments) && value.integer == 0;
          }},
    Entry{"true",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            return is_type<Type::boolean>(runtime, value, arguments) && value.integer != 0;
          }},
    Entry{"integer", is_type<Type::integer, Type::big_integer>},
    Entry{"float", is_type<Type::floating>},
    Entry{"lower",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            return no_arguments(runtime, arguments),
                   is_cased(runtime, value, text::unicode::is_lower, text::unicode::is_upper);
          }},
    Entry{"upper",
          [](Runtime& runtime, const Datum& value, Arguments& arguments) {
            return no_arguments(runtime, arguments),
                   is_cased(runtime, value, text::unicode::is_upper, text::unicode::is_lower);
          }},
    Entry{"string", is_type<Type::text>},
    Entry{"mapping", is_type<Type::dict>},
    Entry{"number", is_type<Type::boolean, Type::integer, Type::big_integer, Type::floating>},
    Entry{"sequence", is_type<Type::text, Type::list, Type::tuple, Type::dict, Type::range, Type::undefined>},
    Entry{"iterable", is_type<Type::text, Type::list, Type::tuple, Type::dict, Type::view, Type::range, Type::iterator,
                              Type::loop, Type::undefined>},
    Entry{"callable", is_type<Type::function, Type::loop, Type::undefined>},
    Entry{"sameas", [](Runtime& runtime, const Datum& value,
                       Arguments& arguments) { return is_same(value, only_argument(runtime, arguments, "other")); }},
    Entry{"escaped",
          [](Runtime& runtime, const Datum& value,
             Arguments&
                 arguments) { return no_arguments(runtime, arguments), value.is(Type::text) && value.text().markup; }},
    Entry{"in",
          [](Runtime& runtime, const Datum& value,
             Arguments& arguments) { return contains(runtime, only_argument(runtime, arguments, "seq"), value); }},
    Entry{"==", compares<Comparison::equal>},
    Entry{"eq", compares<Comparison::equal>},
    Entry{"equalto", compares<Comparison::equal>},
    Entry{"!=", compares<Comparison::not_equal>},
    Entry{"ne", compares<Comparison::not_equal>},
    Entry{">", compares<Comparison::greater>},
    Entry{"gt", compares<Comparison::greater>},
    Entry{"greaterthan", compares<Comparison::greater>},
    Entry{"ge", compares<Comparison::greater_equal>},
    Entry{">=", compares<Comparison::greater_equal>},
    Entry{"<", compares<Comparison::less>},
    Entry{"lt", compares<Comparison::less>},
    Entry{"lessthan", compares<Comparison::less>},
    Entry{"<=", compares<Comparison::less_equal>},
    Entry{"le", compares<Comparison::less_equal>},
};

}  // namespace

Test find_test(std::string_view name) noexcept {
  const auto* found =
      std::find_if(kTests.begin(), kTests.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == kTests.end() ? nullptr : found->test;
}

bool apply_test(Runtime& runtime, std::string_view name, const Datum& value, Arguments& arguments) {
  const Test test = find_test(name);
  if (test == nullptr) runtime.fail("there is no test named '" + std::string(name) + "'");
  return test(runtime, value, arguments);
}

}  // namespace strata::jinja
