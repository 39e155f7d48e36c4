// SPDX-License-Identifier: Apache-2.0
// Filters that compare the items of a container.
#include <array>

#include "jinja/filters.hpp"

namespace strata::jinja {
namespace {

/// Unlike other flags, Python's `reverse` must be a number.
bool is_reversed(Runtime& runtime, const std::optional<Datum>& datum) {
  return datum && need_integer(runtime, *datum) != 0;
}

Datum attribute_or_none(const std::optional<Datum>& datum) { return datum ? *datum : Datum(); }

Datum sort(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"reverse", "case_sensitive", "attribute"});
  // Several attributes are separated by commas.
  std::vector<AttributeGetter> getters;
  const Datum attribute = attribute_or_none(bound[2]);
  if (attribute.is(Type::text)) {
    std::string_view rest = attribute.text().bytes;
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      getters.emplace_back(runtime, runtime.text(std::string(rest.substr(0, comma))));
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
  } else {
    getters.emplace_back(runtime, attribute);
  }
  const bool case_sensitive = flag(runtime, bound[1]);
  const std::vector<Datum> items = collect(runtime, value);
  std::vector<Datum> keys;
  for (const Datum& item : items) {
    std::vector<Datum> key;
    key.reserve(getters.size());
    for (const AttributeGetter& getter : getters) key.push_back(folded(runtime, getter.get(item), case_sensitive));
    keys.push_back(runtime.list(std::move(key)));
  }
  std::vector<Datum> sorted;
  for (const std::size_t index : sorted_order(runtime, keys, is_reversed(runtime, bound[0])))
    sorted.push_back(items[index]);
  return runtime.list(std::move(sorted));
}

Datum dict_sort(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"case_sensitive", "by", "reverse"});
  const bool by_value = bound[1] && bound[1]->is(Type::text) && bound[1]->text().bytes == "value";
  if (bound[1] && !by_value && !(bound[1]->is(Type::text) && bound[1]->text().bytes == "key"))
    runtime.fail("'dictsort' sorts by 'key' or 'value'");
  runtime.need_defined(value);
  if (!value.is(Type::dict)) runtime.fail("'dictsort' needs a dictionary");
  std::vector<Datum> keys;
  for (const auto& [key, item] : value.dict().entries)
    keys.push_back(folded(runtime, by_value ? item : key, flag(runtime, bound[0])));
  std::vector<Datum> sorted;
  for (const std::size_t index : sorted_order(runtime, keys, is_reversed(runtime, bound[2]))) {
    const auto& [key, item] = value.dict().entries[index];
    sorted.push_back(runtime.tuple({key, item}));
  }
  return runtime.list(std::move(sorted));
}

Datum unique(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"case_sensitive", "attribute"});
  const AttributeGetter getter(runtime, attribute_or_none(bound[1]));
  const bool case_sensitive = flag(runtime, bound[0]);
  const Datum seen = runtime.dict();
  return runtime.generator("generator object do_unique",
                           [&runtime, value, getter, case_sensitive, seen,
                            inner = static_cast<Iterator*>(nullptr)]() mutable -> std::optional<Datum> {
                             if (inner == nullptr) inner = &walk(runtime, value);
                             while (const std::optional<Datum> item = inner->next()) {
                               const Datum key = folded(runtime, getter.get(*item), case_sensitive);
                               const std::size_t before = seen.dict().entries.size();
                               insert(runtime, seen.dict(), key, {});
                               if (seen.dict().entries.size() != before) return item;
                             }
                             return std::nullopt;
                           });
}

template <bool largest>
Datum extreme(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"case_sensitive", "attribute"});
  const AttributeGetter getter(runtime, attribute_or_none(bound[1]));
  const bool case_sensitive = flag(runtime, bound[0]);
  Iterator& iterator = walk(runtime, value);
  std::optional<Datum> best = iterator.next();
  if (!best) return runtime.undefined({}, "there is no item to choose");
  Datum best_key = folded(runtime, getter.get(*best), case_sensitive);
  while (const std::optional<Datum> item = iterator.next()) {
    const Datum key = folded(runtime, getter.get(*item), case_sensitive);
    if (largest ? order(runtime, key, best_key) > 0 : order(runtime, key, best_key) < 0) {
      best = item;
      best_key = key;
    }
  }
  return *best;
}

Datum group_by(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"attribute", "default", "case_sensitive"}, 1);
  const AttributeGetter getter(runtime, *bound[0]);
  const bool case_sensitive = flag(runtime, bound[2]);
  const std::optional<Datum> standard = bound[1] && !bound[1]->is(Type::none) ? bound[1] : std::nullopt;
  const std::vector<Datum> items = collect(runtime, value);
  std::vector<Datum> keys;
  keys.reserve(items.size());
  for (const Datum& item : items) keys.push_back(folded(runtime, getter.get(item, standard), case_sensitive));
  const Datum groups = runtime.list();
  const Datum* previous = nullptr;
  for (const std::size_t index : sorted_order(runtime, keys, false)) {
    if (previous == nullptr || !equal(runtime, *previous, keys[index])) {
      // The group shows the key of its first item, in its own case.
      const Datum group = runtime.tuple({getter.get(items[index], standard), runtime.list()});
      group.list().is_group = true;
      append(runtime, groups.list(), group);
    }
    previous = &keys[index];
    append(runtime, groups.list().items.back().list().items[1].list(), items[index]);
  }
  return groups;
}

constexpr std::array kOrderFilters = {
    FilterEntry{"dictsort", dict_sort}, FilterEntry{"groupby", group_by}, FilterEntry{"max", extreme<true>},
    FilterEntry{"min", extreme<false>}, FilterEntry{"sort", sort},        FilterEntry{"unique", unique},
};

}  // namespace

Filter find_order_filter(std::string_view name) noexcept { return find_filter_among(kOrderFilters, name); }

}  // namespace strata::jinja
