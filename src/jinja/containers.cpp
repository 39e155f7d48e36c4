// SPDX-License-Identifier: Apache-2.0
// Walking, subscripting and changing containers.
#include <algorithm>

#include "jinja/operations.hpp"
#include "text/unicode/characters.hpp"
#include "value/seeded_hash.hpp"

namespace strata::jinja {
namespace {

Iterator* make_iterator(Runtime& runtime, std::string_view kind, std::function<std::optional<Datum>()> next) {
  return &runtime.generator(kind, std::move(next)).iterator();
}

Datum entry_part(Runtime& runtime, const std::pair<Datum, Datum>& entry, View::Part part) {
  switch (part) {
    case View::Part::keys:
      return entry.first;
    case View::Part::values:
      return entry.second;
    case View::Part::items:
      break;
  }
  return runtime.tuple({entry.first, entry.second});
}

Iterator* walk_dict(Runtime& runtime, Dict& dict, View::Part part) {
  return make_iterator(
      runtime, "dict_iterator",
      [&runtime, &dict, part, at = std::size_t{0}, size = dict.entries.size()]() mutable -> std::optional<Datum> {
        if (dict.entries.size() != size) runtime.fail("the dictionary changed its size during a loop");
        if (at >= size) return std::nullopt;
        return entry_part(runtime, dict.entries[at++], part);
      });
}

Iterator* walk_text(Runtime& runtime, const Text& text) {
  return make_iterator(runtime, "str_iterator",
                       [&runtime, &text, at = std::size_t{0}]() mutable -> std::optional<Datum> {
                         if (at >= text.bytes.size()) return std::nullopt;
                         const std::size_t begin = at;
                         text::unicode::decode(text.bytes, at);
                         return runtime.text(text.bytes.substr(begin, at - begin), text.markup);
                       });
}

std::int64_t range_item(const Range& range, std::size_t index) {
  return range.start + static_cast<std::int64_t>(index) * range.step;
}

std::optional<std::size_t> checked_index(std::int64_t index, std::size_t size) {
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index >= static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

/// Start, stop and number of items of a slice of `size` items.
struct SliceBounds {
  std::int64_t start = 0, stop = 0, step = 1;
  std::size_t count = 0;
};

SliceBounds slice_bounds(Runtime& runtime, std::size_t size, const Datum& start, const Datum& stop, const Datum& step) {
  const auto number = [&](const Datum& datum, std::int64_t otherwise) {
    return datum.is(Type::none) ? otherwise : need_integer(runtime, datum);
  };
  const auto length = static_cast<std::int64_t>(size);
  SliceBounds bounds;
  bounds.step = number(step, 1);
  if (bounds.step == 0) runtime.fail("the step of a slice cannot be zero");
  const bool backwards = bounds.step < 0;
  const auto limited = [&](const Datum& datum, std::int64_t otherwise) {
    std::int64_t value = number(datum, otherwise);
    if (datum.is(Type::none)) return value;
    if (value < 0) value = value < -length ? -1 - (backwards ? 0 : length) : value + length;
    return std::clamp<std::int64_t>(value, backwards ? -1 : 0, backwards ? length - 1 : length);
  };
  bounds.start = limited(start, backwards ? length - 1 : 0);
  const std::int64_t end = limited(stop, backwards ? -1 : length);
  bounds.stop = end;
  if (backwards ? end >= bounds.start : bounds.start >= end) return bounds;
  const auto distance = static_cast<std::uint64_t>(backwards ? bounds.start - end : end - bounds.start);
  const std::uint64_t stride =
      backwards ? 0 - static_cast<std::uint64_t>(bounds.step) : static_cast<std::uint64_t>(bounds.step);
  bounds.count = static_cast<std::size_t>((distance - 1) / stride + 1);
  return bounds;
}

Datum slice_text(Runtime& runtime, const Text& text, const SliceBounds& bounds) {
  runtime.work_on(text.bytes.size());
  if (bounds.count == 0) return runtime.text({}, text.markup);
  if (bounds.step == 1) {
    const std::size_t begin = text.is_ascii()
                                  ? static_cast<std::size_t>(bounds.start)
                                  : text::unicode::offset(text.bytes, static_cast<std::size_t>(bounds.start));
    const std::string_view rest = std::string_view(text.bytes).substr(begin);
    return runtime.text(
        std::string(rest.substr(0, text.is_ascii() ? bounds.count : text::unicode::offset(rest, bounds.count))),
        text.markup);
  }
  const std::vector<std::string_view> characters = text::unicode::characters(text.bytes);
  std::string out;
  for (std::size_t index = 0; index < bounds.count; ++index) {
    out += characters[static_cast<std::size_t>(bounds.start + static_cast<std::int64_t>(index) * bounds.step)];
  }
  return runtime.text(std::move(out), text.markup);
}

std::size_t place_of(Runtime& runtime, const Dict& dict, const Datum& key) {
  const std::optional<std::size_t> hashed = hash(runtime, key);
  if (!hashed) return std::string::npos;
  const auto [begin, end] = dict.index.equal_range(*hashed);
  for (auto candidate = begin; candidate != end; ++candidate) {
    if (equal(runtime, dict.entries[candidate->second].first, key)) return candidate->second;
  }
  return std::string::npos;
}

}  // namespace

std::optional<std::int64_t> size_of(const Datum& datum) {
  switch (datum.type) {
    case Type::text:
      return static_cast<std::int64_t>(datum.text().length);
    case Type::list:
    case Type::tuple:
      return static_cast<std::int64_t>(datum.list().items.size());
    case Type::dict:
      return static_cast<std::int64_t>(datum.dict().entries.size());
    case Type::view:
      return static_cast<std::int64_t>(datum.view().dict->entries.size());
    case Type::range:
      return static_cast<std::int64_t>(datum.range().size);
    case Type::undefined:
      return 0;
    default:
      return std::nullopt;
  }
}

Iterator* iterate(Runtime& runtime, const Datum& datum) {
  switch (datum.type) {
    case Type::text:
      return walk_text(runtime, datum.text());
    case Type::list:
    case Type::tuple:
      return make_iterator(runtime, "list_iterator",
                           [&items = datum.list().items, at = std::size_t{0}]() mutable -> std::optional<Datum> {
                             if (at >= items.size()) return std::nullopt;  // A list may grow while it is walked.
                             return items[at++];
                           });
    case Type::dict:
      return walk_dict(runtime, datum.dict(), View::Part::keys);
    case Type::view:
      return walk_dict(runtime, *datum.view().dict, datum.view().part);
    case Type::range:
      return make_iterator(runtime, "range_iterator",
                           [&range = datum.range(), at = std::size_t{0}]() mutable -> std::optional<Datum> {
                             if (at >= range.size) return std::nullopt;
                             return Datum::of_integer(range_item(range, at++));
                           });
    case Type::iterator:
      return &datum.iterator();
    case Type::undefined:
      return make_iterator(runtime, "generator object", [] { return std::optional<Datum>(); });
    default:
      return nullptr;
  }
}

Iterator& walk(Runtime& runtime, const Datum& datum) {
  Iterator* iterator = iterate(runtime, datum);
  if (iterator == nullptr) runtime.fail("a value of type " + std::string(type_name(datum)) + " cannot be iterated");
  return *iterator;
}

Iterator* iterate_backwards(Runtime& runtime, const Datum& datum) {
  switch (datum.type) {
    case Type::text:
    case Type::undefined:
    case Type::dict:
    case Type::view: {
      std::vector<Datum> items = collect(runtime, datum);
      return make_iterator(runtime, "reversed object", [list = std::move(items)]() mutable -> std::optional<Datum> {
        if (list.empty()) return std::nullopt;
        const Datum last = list.back();
        list.pop_back();
        return last;
      });
    }
    case Type::list:
    case Type::tuple:
      return make_iterator(
          runtime, "list_reverseiterator object",
          [&items = datum.list().items, left = datum.list().items.size()]() mutable -> std::optional<Datum> {
            if (left == 0 || left > items.size()) return std::nullopt;
            return items[--left];
          });
    case Type::range:
      return make_iterator(runtime, "range_iterator object",
                           [&range = datum.range(), left = datum.range().size]() mutable -> std::optional<Datum> {
                             if (left == 0) return std::nullopt;
                             return Datum::of_integer(range_item(range, --left));
                           });
    default:
      return nullptr;
  }
}

std::vector<Datum> collect(Runtime& runtime, const Datum& datum) {
  std::vector<Datum> items;
  Iterator& iterator = walk(runtime, datum);
  while (const std::optional<Datum> item = iterator.next()) {
    runtime.step();
    items.push_back(*item);
  }
  return items;
}

void append(Runtime& runtime, List& list, const Datum& item) {
  runtime.charge(sizeof(Datum));
  list.items.push_back(item);
}

const Datum* find(Runtime& runtime, const Dict& dict, const Datum& key) {
  const std::size_t place = place_of(runtime, dict, key);
  return place == std::string::npos ? nullptr : &dict.entries[place].second;
}

const Datum* find(Runtime&, const Dict& dict, std::string_view key) {
  const auto [begin, end] = dict.index.equal_range(seeded_hash(key));
  for (auto candidate = begin; candidate != end; ++candidate) {
    const auto& [found, value] = dict.entries[candidate->second];
    if (found.is(Type::text) && found.text().bytes == key) return &value;
  }
  return nullptr;
}

void insert(Runtime& runtime, Dict& dict, const Datum& key, const Datum& value) {
  const std::optional<std::size_t> hashed = hash(runtime, key);
  if (!hashed) runtime.fail("a value of type " + std::string(type_name(key)) + " cannot be a key");
  const std::size_t place = place_of(runtime, dict, key);
  if (place != std::string::npos) {
    dict.entries[place].second = value;
    return;
  }
  runtime.charge(2 * sizeof(Datum) + 48);
  dict.index.emplace(*hashed, dict.entries.size());
  dict.entries.emplace_back(key, value);
}

void insert(Runtime& runtime, Dict& dict, std::string_view key, const Datum& value) {
  insert(runtime, dict, runtime.text(std::string(key)), value);
}

std::optional<Datum> remove(Runtime& runtime, Dict& dict, const Datum& key) {
  const std::size_t place = place_of(runtime, dict, key);
  if (place == std::string::npos) return std::nullopt;
  runtime.work(dict.entries.size());
  const Datum value = dict.entries[place].second;
  dict.entries.erase(dict.entries.begin() + static_cast<std::ptrdiff_t>(place));
  for (auto at = dict.index.begin(); at != dict.index.end();) {
    if (at->second == place) {
      at = dict.index.erase(at);
    } else {
      if (at->second > place) --at->second;
      ++at;
    }
  }
  return value;
}

std::optional<Datum> subscript(Runtime& runtime, const Datum& container, const Datum& key) {
  runtime.need_defined(container);
  if (container.is(Type::dict) || container.is(Type::name_space)) {
    if (container.is(Type::name_space)) return std::nullopt;
    const Datum* found = find(runtime, container.dict(), key);
    return found == nullptr ? std::nullopt : std::optional<Datum>(*found);
  }
  if (!key.is_whole()) return std::nullopt;
  const std::optional<std::int64_t> size = size_of(container);
  if (!size || container.is(Type::view)) return std::nullopt;
  const std::optional<std::size_t> index = checked_index(key.integer, static_cast<std::size_t>(*size));
  if (!index) return std::nullopt;
  if (container.is_sequence()) return container.list().items[*index];
  if (container.is(Type::range)) return Datum::of_integer(range_item(container.range(), *index));
  const Text& text = container.text();
  if (text.is_ascii()) return runtime.text(text.bytes.substr(*index, 1), text.markup);
  return slice_text(runtime, text, {static_cast<std::int64_t>(*index), static_cast<std::int64_t>(*index) + 1, 1, 1});
}

Datum slice(Runtime& runtime, const Datum& container, const Datum& start, const Datum& stop, const Datum& step) {
  runtime.need_defined(container);
  const std::optional<std::int64_t> size = size_of(container);
  const bool can_slice = container.is(Type::text) || container.is_sequence() || container.is(Type::range);
  if (!size || !can_slice) runtime.fail("a value of type " + std::string(type_name(container)) + " cannot be sliced");
  const SliceBounds bounds = slice_bounds(runtime, static_cast<std::size_t>(*size), start, stop, step);
  if (container.is(Type::text)) return slice_text(runtime, container.text(), bounds);
  if (container.is(Type::range)) {
    const Range& whole = container.range();
    Range* part = runtime.make<Range>();
    part->start = whole.start + bounds.start * whole.step;
    if (__builtin_mul_overflow(whole.step, bounds.step, &part->step))
      runtime.fail("the result does not fit in 64 bits");
    part->size = bounds.count;
    part->stop = whole.start + bounds.stop * whole.step;
    return {Type::range, part};
  }
  runtime.work(bounds.count);
  std::vector<Datum> items;
  items.reserve(bounds.count);
  for (std::size_t index = 0; index < bounds.count; ++index) {
    items.push_back(
        container.list()
            .items[static_cast<std::size_t>(bounds.start + static_cast<std::int64_t>(index) * bounds.step)]);
  }
  return container.is(Type::list) ? runtime.list(std::move(items)) : runtime.tuple(std::move(items));
}

std::vector<Datum> unpack(Runtime& runtime, const Datum& datum, std::size_t count) {
  std::vector<Datum> items;
  Iterator& iterator = walk(runtime, datum);
  while (const std::optional<Datum> item = iterator.next()) {
    items.push_back(*item);
    if (items.size() > count) runtime.fail("there are more than " + std::to_string(count) + " values to unpack");
  }
  if (items.size() < count)
    runtime.fail("there are only " + std::to_string(items.size()) + " values to unpack, not " + std::to_string(count));
  return items;
}

}  // namespace strata::jinja
