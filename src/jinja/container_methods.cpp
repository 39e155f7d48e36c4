// SPDX-License-Identifier: Apache-2.0
// The methods of Python's list, tuple and dict.
#include <algorithm>
#include <array>

#include "jinja/operations.hpp"

namespace strata::jinja {
namespace {

// Changing a list or a dictionary.

Datum list_append(Runtime& runtime, const Datum& self, Arguments& arguments) {
  append(runtime, self.list(), *bind(runtime, arguments, {"object"}, 1)[0]);
  return {};
}

Datum list_extend(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Datum source = *bind(runtime, arguments, {"iterable"}, 1)[0];
  for (const Datum& item : collect(runtime, source)) append(runtime, self.list(), item);
  return {};
}

std::ptrdiff_t clamped(std::int64_t index, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (index < 0) index = index < -length ? 0 : index + length;
  return static_cast<std::ptrdiff_t>(std::min(index, length));
}

Datum list_insert(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"index", "object"}, 2);
  std::vector<Datum>& items = self.list().items;
  runtime.charge(sizeof(Datum));
  runtime.work(1 + items.size() / 16);
  items.insert(items.begin() + clamped(need_integer(runtime, *bound[0]), items.size()), *bound[1]);
  return {};
}

Datum list_pop(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"index"});
  std::vector<Datum>& items = self.list().items;
  std::int64_t index = bound[0] ? need_integer(runtime, *bound[0]) : -1;
  if (index < 0) index += static_cast<std::int64_t>(items.size());
  if (index < 0 || index >= static_cast<std::int64_t>(items.size())) runtime.fail("there is no item to pop");
  runtime.work(1 + items.size() / 16);
  const Datum item = items[static_cast<std::size_t>(index)];
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
  return item;
}

std::size_t place_in(Runtime& runtime, const std::vector<Datum>& items, const Datum& wanted, std::size_t begin,
                     std::size_t end) {
  for (std::size_t index = begin; index < std::min(end, items.size()); ++index) {
    if (equal(runtime, items[index], wanted)) return index;
  }
  runtime.fail("the value is not in the list");
}

Datum list_remove(Runtime& runtime, const Datum& self, Arguments& arguments) {
  std::vector<Datum>& items = self.list().items;
  const std::size_t place = place_in(runtime, items, *bind(runtime, arguments, {"value"}, 1)[0], 0, items.size());
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  return {};
}

Datum list_reverse(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  runtime.work(self.list().items.size());
  std::reverse(self.list().items.begin(), self.list().items.end());
  return {};
}

Datum list_sort(Runtime& runtime, const Datum& self, Arguments& arguments) {
  if (!arguments.positional.empty()) runtime.fail("'sort' takes named arguments only");
  const Bound bound = bind(runtime, arguments, {"key", "reverse"});
  if (bound[0] && !bound[0]->is(Type::none)) runtime.fail_unsupported("the argument 'key' of 'sort'");
  const std::vector<Datum> before = self.list().items;
  std::vector<Datum> after;
  for (const std::size_t index : sorted_order(runtime, before, bound[1] && need_integer(runtime, *bound[1]) != 0))
    after.push_back(before[index]);
  self.list().items = std::move(after);
  return {};
}

Datum list_clear(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  self.list().items.clear();
  return {};
}

Datum list_copy(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  runtime.work(self.list().items.size());
  return runtime.list(self.list().items);
}

Datum list_count(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Datum wanted = *bind(runtime, arguments, {"value"}, 1)[0];
  std::int64_t number = 0;
  for (const Datum& item : self.list().items) number += equal(runtime, item, wanted) ? 1 : 0;
  return Datum::of_integer(number);
}

Datum list_index(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"value", "start", "stop"}, 1);
  const std::vector<Datum>& items = self.list().items;
  const auto limit = [&](const std::optional<Datum>& datum, std::size_t otherwise) {
    return datum ? static_cast<std::size_t>(clamped(need_integer(runtime, *datum), items.size())) : otherwise;
  };
  return Datum::of_integer(static_cast<std::int64_t>(
      place_in(runtime, items, *bound[0], limit(bound[1], 0), limit(bound[2], items.size()))));
}

const Datum& need_key(Runtime& runtime, const Datum& key) {
  if (!hash(runtime, key)) runtime.fail("a value of type " + std::string(type_name(key)) + " cannot be a key");
  return key;
}

Datum dict_get(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"key", "default"}, 1);
  const Datum* found = find(runtime, self.dict(), need_key(runtime, *bound[0]));
  return found != nullptr ? *found : bound[1] ? *bound[1] : Datum();
}

template <View::Part part>
Datum dict_view(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  View* view = runtime.make<View>();
  view->dict = &self.dict();
  view->part = part;
  return {Type::view, view};
}

void add_entries(Runtime& runtime, Dict& dict, const Datum& source) {
  runtime.need_defined(source);
  if (source.is(Type::dict)) {
    const auto entries = source.dict().entries;
    for (const auto& [key, value] : entries) insert(runtime, dict, key, value);
    return;
  }
  for (const Datum& item : collect(runtime, source)) {
    const std::vector<Datum> pair = unpack(runtime, item, 2);
    insert(runtime, dict, pair[0], pair[1]);
  }
}

Datum dict_update(Runtime& runtime, const Datum& self, Arguments& arguments) {
  if (arguments.positional.size() > 1) runtime.fail("'update' takes one value at most");
  if (!arguments.positional.empty()) add_entries(runtime, self.dict(), arguments.positional.front());
  for (const auto& [name, value] : arguments.named) insert(runtime, self.dict(), name, value);
  return {};
}

Datum dict_set_default(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"key", "default"}, 1);
  if (const Datum* found = find(runtime, self.dict(), need_key(runtime, *bound[0]))) return *found;
  const Datum value = bound[1] ? *bound[1] : Datum();
  insert(runtime, self.dict(), *bound[0], value);
  return value;
}

Datum dict_pop(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"key", "default"}, 1);
  if (const std::optional<Datum> removed = remove(runtime, self.dict(), need_key(runtime, *bound[0]))) return *removed;
  if (!bound[1]) runtime.fail("there is no entry to pop");
  return *bound[1];
}

Datum dict_pop_item(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  if (self.dict().entries.empty()) runtime.fail("there is no entry to pop");
  const auto [key, value] = self.dict().entries.back();
  remove(runtime, self.dict(), key);
  return runtime.tuple({key, value});
}

Datum dict_clear(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  self.dict().entries.clear();
  self.dict().index.clear();
  return {};
}

Datum dict_copy(Runtime& runtime, const Datum& self, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const Datum copy = runtime.dict();
  add_entries(runtime, copy.dict(), self);
  return copy;
}

Datum range_count(Runtime& runtime, const Datum& self, Arguments& arguments) {
  return Datum::of_integer(contains(runtime, self, *bind(runtime, arguments, {"value"}, 1)[0]) ? 1 : 0);
}

Datum range_index(Runtime& runtime, const Datum& self, Arguments& arguments) {
  const Datum wanted = *bind(runtime, arguments, {"value"}, 1)[0];
  const std::vector<Datum> items = collect(runtime, self);
  return Datum::of_integer(static_cast<std::int64_t>(place_in(runtime, items, wanted, 0, items.size())));
}

constexpr std::array kRangeMethods = {MethodEntry{"count", range_count}, MethodEntry{"index", range_index}};
constexpr std::array kSequenceMethods = {MethodEntry{"count", list_count}, MethodEntry{"index", list_index}};

constexpr std::array kListMethods = {
    MethodEntry{"append", list_append}, MethodEntry{"extend", list_extend}, MethodEntry{"insert", list_insert},
    MethodEntry{"pop", list_pop},       MethodEntry{"remove", list_remove}, MethodEntry{"reverse", list_reverse},
    MethodEntry{"sort", list_sort},     MethodEntry{"clear", list_clear},   MethodEntry{"copy", list_copy},
};

constexpr std::array kDictMethods = {
    MethodEntry{"get", dict_get},
    MethodEntry{"keys", dict_view<View::Part::keys>},
    MethodEntry{"values", dict_view<View::Part::values>},
    MethodEntry{"items", dict_view<View::Part::items>},
    MethodEntry{"update", dict_update},
    MethodEntry{"setdefault", dict_set_default},
    MethodEntry{"pop", dict_pop},
    MethodEntry{"popitem", dict_pop_item},
    MethodEntry{"clear", dict_clear},
    MethodEntry{"copy", dict_copy},
};

}  // namespace

Method find_method_among(std::span<const MethodEntry> methods, std::string_view name) noexcept {
  const auto found = std::ranges::find(methods, name, &MethodEntry::name);
  return found == methods.end() ? nullptr : found->method;
}

Method container_method(Type type, std::string_view name) noexcept {
  if (type == Type::dict) return find_method_among(kDictMethods, name);
  if (type == Type::range) return find_method_among(kRangeMethods, name);
  if (type == Type::list) {
    if (const Method method = find_method_among(kListMethods, name)) return method;
  }
  return type == Type::list || type == Type::tuple ? find_method_among(kSequenceMethods, name) : nullptr;
}

}  // namespace strata::jinja
