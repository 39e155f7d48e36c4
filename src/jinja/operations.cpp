// SPDX-License-Identifier: Apache-2.0
#include "jinja/operations.hpp"

#include <algorithm>
#include <cmath>

#include "value/seeded_hash.hpp"

namespace strata::jinja {
namespace {

bool equal_at(Runtime& runtime, const Datum& left, const Datum& right, std::size_t& depth);

std::partial_ordering order_numbers(const Datum& left, const Datum& right) {
  if (left.is_whole() && right.is_whole()) return left.integer <=> right.integer;
  // Long double holds any 64-bit integer and any double exactly where it is wider than a double.
  const auto amount = [](const Datum& datum) {
    return datum.is(Type::floating) ? static_cast<long double>(datum.floating)
                                    : static_cast<long double>(datum.integer);
  };
  return amount(left) <=> amount(right);
}

bool equal_items(Runtime& runtime, const List& left, const List& right, std::size_t& depth) {
  if (left.items.size() != right.items.size()) return false;
  for (std::size_t index = 0; index < left.items.size(); ++index) {
    if (!equal_at(runtime, left.items[index], right.items[index], depth)) return false;
  }
  return true;
}

bool equal_entries(Runtime& runtime, const Dict& left, const Dict& right, std::size_t& depth) {
  if (left.entries.size() != right.entries.size()) return false;
  for (const auto& [key, value] : left.entries) {
    const Datum* other = find(runtime, right, key);
    if (other == nullptr || !equal_at(runtime, value, *other, depth)) return false;
  }
  return true;
}

bool equal_at(Runtime& runtime, const Datum& left, const Datum& right, std::size_t& depth) {
  runtime.step();
  const DepthGuard guard(runtime, depth);
  if (left.is_number() && right.is_number()) return order_numbers(left, right) == 0;
  if (left.type != right.type) return false;
  switch (left.type) {
    case Type::none:
    case Type::undefined:
      return true;
    case Type::text:
    case Type::big_integer: {
      const std::string& text = left.text().bytes;
      if (text.size() != right.text().bytes.size()) return false;
      runtime.work_on(text.size());
      return text == right.text().bytes;
    }
    case Type::list:
    case Type::tuple:
      return left.object == right.object || equal_items(runtime, left.list(), right.list(), depth);
    case Type::dict:
      return left.object == right.object || equal_entries(runtime, left.dict(), right.dict(), depth);
    case Type::range: {
      const Range& one = left.range();
      const Range& other = right.range();
      return one.size == other.size &&
             (one.size == 0 || (one.start == other.start && (one.size == 1 || one.step == other.step)));
    }
    default:
      return left.object == right.object;
  }
}

std::partial_ordering order_at(Runtime& runtime, const Datum& left, const Datum& right, std::size_t& depth) {
  runtime.step();
  const DepthGuard guard(runtime, depth);
  runtime.need_defined(left);
  runtime.need_defined(right);
  if (left.is_number() && right.is_number()) return order_numbers(left, right);
  if (left.is(Type::text) && right.is(Type::text)) {
    runtime.work_on(std::min(left.text().bytes.size(), right.text().bytes.size()));
    return left.text().bytes.compare(right.text().bytes) <=> 0;  // Code points of UTF-8 sort as its bytes.
  }
  if (left.is_sequence() && left.type == right.type) {
    const std::vector<Datum>& one = left.list().items;
    const std::vector<Datum>& other = right.list().items;
    for (std::size_t index = 0; index < std::min(one.size(), other.size()); ++index) {
      if (!equal_at(runtime, one[index], other[index], depth))
        return order_at(runtime, one[index], other[index], depth);
    }
    return one.size() <=> other.size();
  }
  runtime.fail("a value of type " + std::string(type_name(left)) + " cannot be compared with one of type " +
               std::string(type_name(right)));
}

std::optional<std::size_t> hash_at(Runtime& runtime, const Datum& datum, std::size_t& depth) {
  const DepthGuard guard(runtime, depth);
  switch (datum.type) {
    case Type::none:
    case Type::undefined:
      return 7 + static_cast<std::size_t>(datum.type);
    case Type::boolean:
    case Type::integer:
      return std::hash<std::int64_t>{}(datum.integer);
    case Type::floating:
      // Equal numbers are equal keys: 1.0 is 1.
      if (std::fabs(datum.floating) < 9.0e18 && std::trunc(datum.floating) == datum.floating) {
        return std::hash<std::int64_t>{}(static_cast<std::int64_t>(datum.floating));
      }
      return std::hash<double>{}(datum.floating);
    case Type::text:
    case Type::big_integer:
      runtime.work_on(datum.text().bytes.size());
      return seeded_hash(datum.text().bytes);
    case Type::tuple: {
      std::size_t result = 0x345678;
      for (const Datum& item : datum.list().items) {
        runtime.step();
        const std::optional<std::size_t> part = hash_at(runtime, item, depth);
        if (!part) return std::nullopt;
        result = result * 1000003 ^ *part;
      }
      return result;
    }
    case Type::list:
    case Type::dict:
      return std::nullopt;
    case Type::view:
      if (datum.view().part != View::Part::values) return std::nullopt;
      return std::hash<const void*>{}(datum.object);
    case Type::range:
      return datum.range().size;
    default:
      return std::hash<const void*>{}(datum.object);
  }
}

}  // namespace

bool truth(Runtime&, const Datum& datum) {
  switch (datum.type) {
    case Type::none:
    case Type::undefined:
      return false;
    case Type::boolean:
    case Type::integer:
      return datum.integer != 0;
    case Type::floating:
      return datum.floating != 0;
    case Type::text:
      return !datum.text().bytes.empty();
    case Type::list:
    case Type::tuple:
      return !datum.list().items.empty();
    case Type::dict:
      return !datum.dict().entries.empty();
    case Type::view:
      return !datum.view().dict->entries.empty();
    case Type::range:
      return datum.range().size != 0;
    default:
      return true;
  }
}

bool equal(Runtime& runtime, const Datum& left, const Datum& right) {
  std::size_t depth = 0;
  return equal_at(runtime, left, right, depth);
}

std::partial_ordering order(Runtime& runtime, const Datum& left, const Datum& right) {
  std::size_t depth = 0;
  return order_at(runtime, left, right, depth);
}

std::optional<std::size_t> hash(Runtime& runtime, const Datum& datum) {
  std::size_t depth = 0;
  return hash_at(runtime, datum, depth);
}

bool contains(Runtime& runtime, const Datum& container, const Datum& item) {
  if (container.is(Type::text)) {
    runtime.work_on(container.text().bytes.size());
    if (item.is_undefined()) runtime.fail_undefined(item.undefined());
    return container.text().bytes.find(need_text(runtime, item).bytes) != std::string::npos;
  }
  const bool by_key =
      container.is(Type::dict) || (container.is(Type::view) && container.view().part == View::Part::keys);
  if (by_key) {
    if (!hash(runtime, item)) runtime.fail("a value of type " + std::string(type_name(item)) + " cannot be a key");
    return find(runtime, container.is(Type::dict) ? container.dict() : *container.view().dict, item) != nullptr;
  }
  Iterator& iterator = walk(runtime, container);
  while (const std::optional<Datum> candidate = iterator.next()) {
    if (equal(runtime, *candidate, item)) return true;
  }
  return false;
}

bool compare(Runtime& runtime, Comparison comparison, const Datum& left, const Datum& right) {
  switch (comparison) {
    case Comparison::equal:
      return equal(runtime, left, right);
    case Comparison::not_equal:
      return !equal(runtime, left, right);
    case Comparison::less:
      return order(runtime, left, right) < 0;
    case Comparison::less_equal:
      return order(runtime, left, right) <= 0;
    case Comparison::greater:
      return order(runtime, left, right) > 0;
    case Comparison::greater_equal:
      return order(runtime, left, right) >= 0;
    case Comparison::in:
      return contains(runtime, right, left);
    case Comparison::not_in:
      return !contains(runtime, right, left);
  }
  return false;
}

std::vector<std::size_t> sorted_order(Runtime& runtime, const std::vector<Datum>& keys, bool reverse) {
  runtime.work(keys.size());
  std::vector<std::size_t> indexes(keys.size());
  for (std::size_t index = 0; index < keys.size(); ++index) indexes[index] = index;
  std::stable_sort(indexes.begin(), indexes.end(), [&](std::size_t left, std::size_t right) {
    return reverse ? order(runtime, keys[right], keys[left]) < 0 : order(runtime, keys[left], keys[right]) < 0;
  });
  return indexes;
}

Bound bind(Runtime& runtime, Arguments& arguments, std::initializer_list<std::string_view> parameters,
           std::size_t required) {
  if (arguments.positional.size() > parameters.size()) {
    runtime.fail("too many arguments: at most " + std::to_string(parameters.size()) + " may be given");
  }
  Bound bound(parameters.size());
  for (std::size_t index = 0; index < arguments.positional.size(); ++index) bound[index] = arguments.positional[index];
  for (const auto& [name, value] : arguments.named) {
    const auto* found = std::find(parameters.begin(), parameters.end(), name);
    if (found == parameters.end()) runtime.fail("there is no argument '" + name + "'");
    std::optional<Datum>& place = bound[static_cast<std::size_t>(found - parameters.begin())];
    if (place) runtime.fail("the argument '" + name + "' is given twice");
    place = value;
  }
  for (std::size_t index = 0; index < required; ++index) {
    if (!bound[index]) runtime.fail("the argument '" + std::string(parameters.begin()[index]) + "' is missing");
  }
  return bound;
}

void no_arguments(Runtime& runtime, const Arguments& arguments) {
  if (!arguments.positional.empty() || !arguments.named.empty()) runtime.fail("no arguments can be given here");
}

const Text& need_text(Runtime& runtime, const Datum& datum) {
  runtime.need_defined(datum);
  if (!datum.is(Type::text))
    runtime.fail("a text is needed here, not a value of type " + std::string(type_name(datum)));
  return datum.text();
}

std::int64_t need_integer(Runtime& runtime, const Datum& datum) {
  runtime.need_defined(datum);
  if (!datum.is_whole())
    runtime.fail("a whole number is needed here, not a value of type " + std::string(type_name(datum)));
  return datum.integer;
}

}  // namespace strata::jinja
