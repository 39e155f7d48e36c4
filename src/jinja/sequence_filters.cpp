// SPDX-License-Identifier: Apache-2.0
// Filters that walk containers. Those that Python writes as generators are lazy here too.
#include <algorithm>
#include <array>
#include <memory>

#include "jinja/filters.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

Datum first(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const std::optional<Datum> item = walk(runtime, value).next();
  return item ? *item : runtime.undefined({}, "there is no first item");
}

Datum last(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  Iterator* iterator = iterate_backwards(runtime, value);
  if (iterator == nullptr)
    runtime.fail("a value of type " + std::string(type_name(value)) + " cannot be iterated in reverse");
  const std::optional<Datum> item = iterator->next();
  return item ? *item : runtime.undefined({}, "there is no last item");
}

Datum length(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  const std::optional<std::int64_t> size =
      value.is(Type::loop) ? attribute(runtime, value, "length")->integer : size_of(value);
  if (!size) runtime.fail("a value of type " + std::string(type_name(value)) + " has no length");
  return Datum::of_integer(*size);
}

Datum list(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  return runtime.list(collect(runtime, value));
}

Datum items(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  return runtime.generator(
      "generator object do_items",
      [&runtime, value, inner = static_cast<Iterator*>(nullptr)]() mutable -> std::optional<Datum> {
        if (value.is_undefined()) return std::nullopt;
        if (!value.is(Type::dict))
          runtime.fail("'items' needs a dictionary, not a value of type " + std::string(type_name(value)));
        if (inner == nullptr) {
          Arguments none;
          inner = iterate(runtime, container_method(Type::dict, "items")(runtime, value, none));
        }
        return inner->next();
      });
}

Datum join(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"d", "attribute"});
  const std::string between = bound[0] ? to_text(runtime, *bound[0]) : std::string();
  std::optional<AttributeGetter> getter;
  if (is_given(bound[1])) getter.emplace(runtime, *bound[1]);
  std::string out;
  bool is_first = true;
  Iterator& iterator = walk(runtime, value);
  while (const std::optional<Datum> item = iterator.next()) {
    if (!is_first) out += between;
    is_first = false;
    out += to_text(runtime, getter ? getter->get(*item) : *item);
    if (out.size() > kMaxText) runtime.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  }
  return runtime.text(std::move(out));
}

Datum reverse(Runtime& runtime, const Datum& value, Arguments& arguments) {
  no_arguments(runtime, arguments);
  if (value.is(Type::text)) return slice(runtime, value, {}, {}, Datum::of_integer(-1));
  if (Iterator* iterator = iterate_backwards(runtime, value)) return {Type::iterator, iterator};
  std::vector<Datum> all = collect(runtime, value);
  std::reverse(all.begin(), all.end());
  return runtime.list(std::move(all));
}

Datum sum(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"attribute", "start"});
  std::optional<AttributeGetter> getter;
  if (is_given(bound[0])) getter.emplace(runtime, *bound[0]);
  Datum total = bound[1] ? *bound[1] : Datum::of_integer(0);
  if (total.is(Type::text)) runtime.fail("texts cannot be summed, only joined");
  Iterator& iterator = walk(runtime, value);
  while (const std::optional<Datum> item = iterator.next())
    total = calculate(runtime, Operator::add, total, getter ? getter->get(*item) : *item);
  return total;
}

Datum batch(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"linecount", "fill_with"}, 1);
  struct State {
    Iterator* iterator = nullptr;
    std::optional<Datum> pending;
    bool ended = false;
  };
  const Datum count = *bound[0];
  return runtime.generator(
      "generator object do_batch",
      [&runtime, value, count, fill = bound[1], state = State()]() mutable -> std::optional<Datum> {
        if (state.ended) return std::nullopt;
        if (state.iterator == nullptr) state.iterator = &walk(runtime, value);
        std::vector<Datum> line;
        if (state.pending) line.push_back(*std::exchange(state.pending, std::nullopt));
        while (const std::optional<Datum> item = state.iterator->next()) {
          if (equal(runtime, Datum::of_integer(static_cast<std::int64_t>(line.size())), count)) {
            state.pending = item;
            return runtime.list(std::move(line));
          }
          line.push_back(*item);
        }
        state.ended = true;
        if (line.empty()) return std::nullopt;
        if (is_given(fill)) {
          const std::int64_t wanted = need_integer(runtime, count);
          if (wanted > 1'000'000) runtime.fail_limit("limit.result", "a line of 'batch' has more than a million items");
          while (static_cast<std::int64_t>(line.size()) < wanted) line.push_back(*fill);
        }
        return runtime.list(std::move(line));
      });
}

Datum slices(Runtime& runtime, const Datum& value, Arguments& arguments) {
  const Bound bound = bind(runtime, arguments, {"slices", "fill_with"}, 1);
  struct State {
    std::shared_ptr<std::vector<Datum>> all;
    std::int64_t number = 0;
  };
  const Datum wanted = *bound[0];
  return runtime.generator(
      "generator object sync_do_slice",
      [&runtime, value, wanted, fill = bound[1], state = State()]() mutable -> std::optional<Datum> {
        if (!state.all) state.all = std::make_shared<std::vector<Datum>>(collect(runtime, value));
        runtime.step();
        const std::int64_t count = need_integer(runtime, wanted);
        if (count == 0) runtime.fail("division by zero");
        if (state.number >= count) return std::nullopt;
        const auto size = static_cast<std::int64_t>(state.all->size());
        const std::int64_t each = size / count;
        const std::int64_t longer = size % count;
        const std::int64_t begin = state.number * each + std::min(state.number, longer);
        const std::int64_t end = begin + each + (state.number < longer ? 1 : 0);
        std::vector<Datum> part(state.all->begin() + begin, state.all->begin() + end);
        if (is_given(fill) && state.number >= longer) part.push_back(*fill);
        ++state.number;
        return runtime.list(std::move(part));
      });
}

/// What `map` does to each item: looks an attribute up, or applies a filter.
std::function<Datum(const Datum&)> mapper(Runtime& runtime, Arguments arguments) {
  const std::optional<Datum> named = arguments.positional.empty() ? arguments.take("attribute") : std::nullopt;
  if (named) {
    std::optional<Datum> otherwise = arguments.take("default");
    if (!is_given(otherwise)) otherwise.reset();
    if (!arguments.named.empty()) runtime.fail("'map' has no argument '" + arguments.named.front().first + "'");
    return [getter = AttributeGetter(runtime, *named), otherwise](const Datum& item) {
      return getter.get(item, otherwise);
    };
  }
  if (arguments.positional.empty()) runtime.fail("'map' needs the name of a filter");
  const Datum name = arguments.positional.front();
  arguments.positional.erase(arguments.positional.begin());
  return [&runtime, name, arguments](const Datum& item) {
    Arguments copy = arguments;
    runtime.step();
    return apply_filter(runtime, need_text(runtime, name).bytes, item, copy);
  };
}

Datum map(Runtime& runtime, const Datum& value, Arguments& arguments) {
  struct State {
    Iterator* iterator = nullptr;
    std::function<Datum(const Datum&)> function;
  };
  return runtime.generator("generator object sync_do_map",
                           [&runtime, value, arguments, state = State()]() mutable -> std::optional<Datum> {
                             if (state.iterator == nullptr) {
                               if (!truth(runtime, value)) return std::nullopt;
                               state.function = mapper(runtime, arguments);
                               state.iterator = &walk(runtime, value);
                             }
                             const std::optional<Datum> item = state.iterator->next();
                             if (!item) return std::nullopt;
                             return state.function(*item);
                           });
}

/// The question that `select` and its kin ask of each item.
std::function<bool(const Datum&)> chooser(Runtime& runtime, Arguments arguments, bool by_attribute) {
  std::optional<AttributeGetter> getter;
  const auto take_first = [&] {
    const Datum taken = arguments.positional.front();
    arguments.positional.erase(arguments.positional.begin());
    return taken;
  };
  if (by_attribute) {
    if (arguments.positional.empty()) runtime.fail("the name of an attribute is missing");
    getter.emplace(runtime, take_first());
  }
  const auto look_up = [getter](const Datum& item) { return getter ? getter->get(item) : item; };
  if (arguments.positional.empty())
    return [&runtime, look_up](const Datum& item) { return truth(runtime, look_up(item)); };
  const Datum name = take_first();
  return [&runtime, look_up, name, arguments](const Datum& item) {
    Arguments copy = arguments;
    runtime.step();
    const Datum found = look_up(item);
    return apply_test(runtime, need_text(runtime, name).bytes, found, copy);
  };
}

template <bool wanted, bool by_attribute>
Datum select(Runtime& runtime, const Datum& value, Arguments& arguments) {
  struct State {
    Iterator* iterator = nullptr;
    std::function<bool(const Datum&)> question;
  };
  return runtime.generator("generator object select_or_reject",
                           [&runtime, value, arguments, state = State()]() mutable -> std::optional<Datum> {
                             if (state.iterator == nullptr) {
                               if (!truth(runtime, value)) return std::nullopt;
                               state.question = chooser(runtime, arguments, by_attribute);
                               state.iterator = &walk(runtime, value);
                             }
                             while (const std::optional<Datum> item = state.iterator->next()) {
                               if (state.question(*item) == wanted) return item;
                             }
                             return std::nullopt;
                           });
}

constexpr std::array kSequenceFilters = {
    FilterEntry{"batch", batch},
    FilterEntry{"count", length},
    FilterEntry{"first", first},
    FilterEntry{"items", items},
    FilterEntry{"join", join},
    FilterEntry{"last", last},
    FilterEntry{"length", length},
    FilterEntry{"list", list},
    FilterEntry{"map", map},
    FilterEntry{"reject", select<false, false>},
    FilterEntry{"rejectattr", select<false, true>},
    FilterEntry{"reverse", reverse},
    FilterEntry{"select", select<true, false>},
    FilterEntry{"selectattr", select<true, true>},
    FilterEntry{"slice", slices},
    FilterEntry{"sum", sum},
};

constexpr std::array kUnsupported = {"pprint", "random", "urlize"};

}  // namespace

Filter find_sequence_filter(std::string_view name) noexcept { return find_filter_among(kSequenceFilters, name); }

Filter find_filter_among(std::span<const FilterEntry> filters, std::string_view name) noexcept {
  const auto found = std::ranges::find(filters, name, &FilterEntry::name);
  return found == filters.end() ? nullptr : found->filter;
}

Filter find_filter(std::string_view name) noexcept {
  if (const Filter filter = find_text_filter(name)) return filter;
  if (const Filter filter = find_sequence_filter(name)) return filter;
  if (const Filter filter = find_order_filter(name)) return filter;
  return find_value_filter(name);
}

bool is_unsupported_filter(std::string_view name) noexcept {
  return std::find(kUnsupported.begin(), kUnsupported.end(), name) != kUnsupported.end();
}

Datum apply_filter(Runtime& runtime, std::string_view name, const Datum& value, Arguments& arguments) {
  const Filter filter = find_filter(name);
  if (filter != nullptr) return filter(runtime, value, arguments);
  if (is_unsupported_filter(name)) runtime.fail_unsupported("the filter '" + std::string(name) + "'");
  runtime.fail("there is no filter named '" + std::string(name) + "'");
}

AttributeGetter::AttributeGetter(Runtime& runtime, const Datum& attribute) : runtime_(runtime) {
  if (attribute.is(Type::none)) return;
  if (!attribute.is(Type::text)) {
    parts_.push_back(attribute);
    return;
  }
  std::string_view rest = attribute.text().bytes;
  for (bool more = true; more;) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    parts_.push_back(is_number ? *parse_integer(runtime, part, 10) : runtime.text(std::string(part)));
    more = dot != std::string_view::npos;
    if (more) rest.remove_prefix(dot + 1);
  }
}

Datum AttributeGetter::get(const Datum& item, const std::optional<Datum>& standard) const {
  Datum found = item;
  for (const Datum& part : parts_) {
    found = get_item(runtime_, found, part);
    if (standard && found.is_undefined()) found = *standard;
  }
  return found;
}

Datum folded(Runtime& runtime, const Datum& datum, bool case_sensitive) {
  if (case_sensitive || !datum.is(Type::text)) return datum;
  return runtime.text(text::unicode::lower(datum.text().bytes), datum.text().markup);
}

}  // namespace strata::jinja
