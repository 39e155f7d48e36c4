#include "heat/mapping_builder.hpp"

#include "heat/joins.hpp"

namespace strata::heat {

using merge::Slot;
using merge::Traced;

MappingBuilder::MappingBuilder(const Context& context, std::size_t expected)
    : context_(context), index_(context.arena->mapping(KeyEquality::exact, expected)), gone_index_(context.arena->mapping()) {
  members_.reserve(expected);
}

void MappingBuilder::start(const Traced& mapping) {
  for (std::size_t i = 0; i < mapping.value.size(); ++i) {
    const Entry& entry = mapping.value.entries()[i];
    put(entry.key, merge::Recorder::member(mapping, i));
  }
}

void MappingBuilder::put(const Value& key, const Traced& value) {
  if (const Value* known = index_.find(key)) {
    members_[static_cast<std::size_t>(known->as_integer())].value = value;
    return;
  }
  context_.arena->insert(index_, key, Value::integer(static_cast<std::int64_t>(members_.size())));
  members_.push_back({.key = key, .value = value});
}

std::optional<Traced> MappingBuilder::at(const Value& key) const {
  const Value* known = index_.find(key);
  if (known == nullptr) return std::nullopt;
  return members_[static_cast<std::size_t>(known->as_integer())].value;
}

void MappingBuilder::remove(const Value& key, const Traced& by) {
  const auto what = at(key);
  if (context_.recorder.keeps()) note_gone(key, what.value_or(Traced{Value::null(), Slot(merge::kNoLayer)}), by);
  if (!what) return;
  members_[static_cast<std::size_t>(index_.find(key)->as_integer())].value = {};
  context_.arena->erase(index_, key);
}

void MappingBuilder::note_gone(const Value& key, const Traced& what, const Traced& by) {
  const Value* known = gone_index_.find(key);
  if (known == nullptr) {
    context_.arena->insert(gone_index_, key, Value::integer(static_cast<std::int64_t>(gone_.size())));
    gone_.push_back({.key = key, .what = what, .by = by});
    return;
  }
  Gone& gone = gone_[static_cast<std::size_t>(known->as_integer())];
  const auto over = [this](const Traced& old, const Traced& incoming) {
    return merge::merge(old, incoming, join_strategy(ParameterType::json, Join::overwrite), *context_.arena, context_.limits, context_.recorder);
  };
  gone.what = over(over(gone.what, gone.by), what);
  gone.by = by;
}

Traced MappingBuilder::finish(Origin origin) const {
  Arena& arena = *context_.arena;
  Traced result{arena.mapping(KeyEquality::exact, members_.size()).with_origin(origin), Slot(merge::kNoLayer)};
  std::vector<Traced> values;
  each([&](const Value& key, const Traced& value) {
    arena.insert(result.value, key, value.value);
    if (context_.recorder.keeps()) values.push_back(value);
  });
  if (!context_.recorder.keeps()) return result;
  std::vector<const Gone*> noted;
  for (const Gone& gone : gone_) {
    if (result.value.find(gone.key) != nullptr) continue;
    arena.insert(result.value, gone.key, gone.what.value);
    values.push_back(gone.what);
    noted.push_back(&gone);
  }
  result = context_.recorder.compose(result.value, values);
  if (noted.empty()) return result;
  merge::Accumulator edited(arena, context_.limits, context_.recorder);
  edited.start(result);
  for (const Gone* gone : noted) {
    const Path::Step step = gone->key;
    edited.erase(std::span(&step, 1), &gone->by);
  }
  return edited.current();
}

}  // namespace strata::heat
