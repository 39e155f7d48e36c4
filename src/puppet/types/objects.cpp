// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "puppet/types/make.hpp"
#include "strata/scalar_text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {

Sensitive::Sensitive(const Value& inner) {
  const auto arena = std::make_shared<Arena>();
  inner_ = arena->deep_copy(inner);
  arena_ = arena;
}

std::string Sensitive::to_string() const { return "Sensitive [value redacted]"; }

bool Sensitive::equals(const Object& other) const {
  const auto* sensitive = dynamic_cast<const Sensitive*>(&other);
  return sensitive != nullptr && equal(inner_, sensitive->inner_);
}

// Of the text of a scalar: equal values have equal ones, and nothing can be told from it that equality would not tell.
std::size_t Sensitive::hash() const { return seeded_hash(scalar_text(inner_)); }

Value make_sensitive(Arena& arena, const Value& inner) {
  return arena.object(std::make_shared<const Sensitive>(inner)).with_secret();
}

const Sensitive* as_sensitive(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const Sensitive*>(&value.as_object()) : nullptr;
}

std::string TypeObject::to_string() const { return puppet::to_string(*type_); }

bool TypeObject::equals(const Object& other) const {
  const auto* type = dynamic_cast<const TypeObject*>(&other);
  return type != nullptr && same_type(*type_, *type->type_);
}

// Of the kind alone: the order of a Variant's types must not count.
std::size_t TypeObject::hash() const { return static_cast<std::size_t>(type_->kind()); }

Value make_type_value(Arena& arena, TypeRef type) {
  return arena.object(std::make_shared<const TypeObject>(std::move(type)));
}

const TypeObject* as_type(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const TypeObject*>(&value.as_object()) : nullptr;
}

}  // namespace strata::puppet
