// SPDX-License-Identifier: Apache-2.0
#include "puppet/evaluation/objects.hpp"

#include <algorithm>
#include <utility>

#include "puppet/types/make.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {

bool DefaultObject::equals(const Object& other) const { return dynamic_cast<const DefaultObject*>(&other) != nullptr; }

Value make_default(Arena& arena) {
  static const auto word = std::make_shared<const DefaultObject>();
  return arena.object(word);
}

bool is_default(const Value& value) noexcept {
  return value.kind() == Kind::object && dynamic_cast<const DefaultObject*>(&value.as_object()) != nullptr;
}

IteratorObject::IteratorObject(const Value& items, IteratorForm form) : count_(items.size()), form_(std::move(form)) {
  const auto arena = std::make_shared<Arena>();
  items_ = arena->deep_copy(items);
  arena_ = arena;
}

IteratorObject::IteratorObject(std::int64_t from, std::int64_t step, std::size_t count)
    : from_(from), step_(step), count_(count) {}

namespace {

/// Beyond so many items only their common type is shown.
constexpr std::size_t kMostListedItems = 100;

TypeRef common_item_type(const Value& items, bool reversed) {
  if (items.size() > kMostListedItems) return infer(items)->as<ArrayType>().item;
  std::vector<TypeRef> types;
  for (const Value& item : items.items()) types.push_back(infer_detailed(item));
  if (reversed) std::reverse(types.begin(), types.end());
  return types.empty() ? plain(TypeKind::unit) : variant_type(types);
}

TypeRef type_of_pairs(const Value& pairs, bool reversed) {
  Arena arena;
  SequenceBuilder keys(arena, pairs.size());
  SequenceBuilder values(arena, pairs.size());
  for (const Value& pair : pairs.items()) {
    keys.append(pair.items()[0]);
    values.append(pair.items()[1]);
  }
  return tuple_type({common_item_type(keys.finish(), reversed), common_item_type(values.finish(), reversed)},
                    exactly(2));
}

}  // namespace

TypeRef iterated_type(const Value& items, const IteratorForm& form) {
  if (form.item_type != nullptr) return form.item_type;
  return form.pairs ? type_of_pairs(items, form.reversed) : common_item_type(items, form.reversed);
}

TypeRef IteratorObject::item_type() const {
  if (items_) return iterated_type(items_, form_);
  if (count_ == 0) return plain(TypeKind::unit);
  const auto last =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(from_) + static_cast<std::uint64_t>(step_) * (count_ - 1));
  return integer_type({Integer(std::min(from_, last)), Integer(std::max(from_, last))});
}

std::string IteratorObject::to_string() const {
  return "Iterator[" + puppet::to_string(*generalize(item_type())) + "]-Value";
}

const IteratorObject* as_iterator(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const IteratorObject*>(&value.as_object()) : nullptr;
}

}  // namespace strata::puppet
