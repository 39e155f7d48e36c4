#include "puppet/evaluation/objects.hpp"

#include "puppet/types/make.hpp"

namespace strata::puppet {

bool DefaultObject::equals(const Object& other) const { return dynamic_cast<const DefaultObject*>(&other) != nullptr; }

Value make_default(Arena& arena) {
  static const auto word = std::make_shared<const DefaultObject>();
  return arena.object(word);
}

bool is_default(const Value& value) noexcept {
  return value.kind() == Kind::object && dynamic_cast<const DefaultObject*>(&value.as_object()) != nullptr;
}

IteratorObject::IteratorObject(const Value& items) : count_(items.size()) {
  const auto arena = std::make_shared<Arena>();
  items_ = arena->deep_copy(items);
  arena_ = arena;
}

IteratorObject::IteratorObject(std::int64_t from, std::int64_t step, std::size_t count) : from_(from), step_(step), count_(count) {}

std::string IteratorObject::to_string() const {
  if (!items_) return "Iterator[Integer]-Value";
  const TypeRef type = infer(items_);
  return "Iterator[" + puppet::to_string(*generalize(type->parts.front())) + "]-Value";
}

const IteratorObject* as_iterator(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const IteratorObject*>(&value.as_object()) : nullptr;
}

}  // namespace strata::puppet
