// SPDX-License-Identifier: Apache-2.0
// Python's operations on the values of a template.
#pragma once

#include <compare>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/runtime.hpp"

namespace strata::jinja {

// All of these throw `jinja.runtime` if Python raises, and `jinja.undefined` if an undefined value is the cause.

enum class Operator : unsigned char { add, subtract, multiply, divide, floor_divide, modulo, power };
enum class Comparison : unsigned char { equal, not_equal, less, less_equal, greater, greater_equal, in, not_in };

// printing.cpp
[[nodiscard]] std::string to_text(Runtime& runtime, const Datum& datum);  ///< str()
[[nodiscard]] std::string to_repr(Runtime& runtime, const Datum& datum);  ///< repr()
[[nodiscard]] std::string float_repr(double number);
[[nodiscard]] std::string text_repr(std::string_view text);
/// JSON with sorted keys, safe inside HTML; one line without `indent`.
[[nodiscard]] std::string to_json(Runtime& runtime, const Datum& datum, std::optional<std::int64_t> indent);
[[nodiscard]] std::string escape_html(std::string_view text);
/// As escape(): markup is unchanged.
[[nodiscard]] Datum escaped(Runtime& runtime, const Datum& datum);

// operations.cpp
[[nodiscard]] bool truth(Runtime& runtime, const Datum& datum);
[[nodiscard]] bool equal(Runtime& runtime, const Datum& left, const Datum& right);
/// The order of two values. An error if Python cannot compare them.
[[nodiscard]] std::partial_ordering order(Runtime& runtime, const Datum& left, const Datum& right);
[[nodiscard]] bool contains(Runtime& runtime, const Datum& container, const Datum& item);
[[nodiscard]] bool compare(Runtime& runtime, Comparison comparison, const Datum& left, const Datum& right);
[[nodiscard]] std::optional<std::size_t> hash(Runtime& runtime,
                                              const Datum& datum);  ///< No value if it cannot be a key.

// arithmetic.cpp
[[nodiscard]] Datum calculate(Runtime& runtime, Operator operation, const Datum& left, const Datum& right);
[[nodiscard]] Datum negate(Runtime& runtime, const Datum& datum, bool minus);
/// The integer part of a float.
[[nodiscard]] Datum whole(Runtime& runtime, double number);
[[nodiscard]] std::optional<Datum> parse_integer(Runtime& runtime, std::string_view text, std::int64_t base);
[[nodiscard]] std::optional<double> parse_float(std::string_view text);

// containers.cpp
[[nodiscard]] std::optional<std::int64_t> size_of(const Datum& datum);  ///< len(). No value if it has no length.
/// iter(). Null if the value cannot be iterated.
[[nodiscard]] Iterator* iterate(Runtime& runtime, const Datum& datum);
/// As `iterate`, but throws instead of returning null.
[[nodiscard]] Iterator& walk(Runtime& runtime, const Datum& datum);
/// reversed(). Null if Python has none.
[[nodiscard]] Iterator* iterate_backwards(Runtime& runtime, const Datum& datum);
[[nodiscard]] std::vector<Datum> collect(Runtime& runtime, const Datum& datum);  ///< list()
void append(Runtime& runtime, List& list, const Datum& item);
[[nodiscard]] const Datum* find(Runtime& runtime, const Dict& dict, const Datum& key);
[[nodiscard]] const Datum* find(Runtime& runtime, const Dict& dict, std::string_view key);
void insert(Runtime& runtime, Dict& dict, const Datum& key, const Datum& value);
void insert(Runtime& runtime, Dict& dict, std::string_view key, const Datum& value);
std::optional<Datum> remove(Runtime& runtime, Dict& dict, const Datum& key);
/// Only `container[key]`. No value if Python raises.
[[nodiscard]] std::optional<Datum> subscript(Runtime& runtime, const Datum& container, const Datum& key);
[[nodiscard]] Datum slice(Runtime& runtime, const Datum& container, const Datum& start, const Datum& stop,
                          const Datum& step);
/// The values of a pair, or of another container of exactly `count`.
[[nodiscard]] std::vector<Datum> unpack(Runtime& runtime, const Datum& datum, std::size_t count);

// attributes.cpp
/// getattr(): a method, or a member of a namespace, a loop, a group.
[[nodiscard]] std::optional<Datum> attribute(Runtime& runtime, const Datum& object, std::string_view name);
/// `object.name` of a template: the attribute, else the item, else undefined.
[[nodiscard]] Datum get_attribute(Runtime& runtime, const Datum& object, std::string_view name);
/// `object[key]` of a template: the item, else the attribute, else undefined.
[[nodiscard]] Datum get_item(Runtime& runtime, const Datum& object, const Datum& key);
[[nodiscard]] Datum call(Runtime& runtime, const Datum& callee, Arguments& arguments);

// text_methods.cpp, container_methods.cpp: null if the type does not have the method.
using Method = Datum (*)(Runtime&, const Datum& self, Arguments&);
struct MethodEntry {
  std::string_view name;
  Method method;
};
[[nodiscard]] Method find_method_among(std::span<const MethodEntry> methods, std::string_view name) noexcept;
[[nodiscard]] Method text_method(std::string_view name) noexcept;
[[nodiscard]] Method container_method(Type type, std::string_view name) noexcept;

// format.cpp
[[nodiscard]] Datum format_percent(Runtime& runtime, const Datum& format, const Datum& values);  ///< `format % values`
[[nodiscard]] Datum format_braces(Runtime& runtime, const Datum& format,
                                  const Arguments& arguments);  ///< `format.format(…)`

/// Indexes of `keys` in sorted order. The sort is stable.
[[nodiscard]] std::vector<std::size_t> sorted_order(Runtime& runtime, const std::vector<Datum>& keys, bool reverse);

/// The arguments in the order of the parameters; unset ones have no value.
using Bound = std::vector<std::optional<Datum>>;
/// Throws for too many, unknown or duplicate arguments.
[[nodiscard]] Bound bind(Runtime& runtime, Arguments& arguments, std::initializer_list<std::string_view> parameters,
                         std::size_t required = 0);
/// Whether an argument was passed, and is not None.
[[nodiscard]] inline bool is_given(const std::optional<Datum>& argument) {
  return argument && !argument->is(Type::none);
}
/// Throws if there are arguments.
void no_arguments(Runtime& runtime, const Arguments& arguments);
/// The text of a datum that must be a text.
[[nodiscard]] const Text& need_text(Runtime& runtime, const Datum& datum);
/// The number of a datum that must be an integer.
[[nodiscard]] std::int64_t need_integer(Runtime& runtime, const Datum& datum);

}  // namespace strata::jinja
