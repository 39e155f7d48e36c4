// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>
#include <variant>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

bool same_or_none(const TypeRef& left, const TypeRef& right) {
  if (left == nullptr || right == nullptr) return left == right;
  return same_type(*left, *right);
}

bool same_set(const std::vector<TypeRef>& left, const std::vector<TypeRef>& right) {
  return left.size() == right.size() && std::all_of(left.begin(), left.end(), [&](const TypeRef& one) {
           return std::any_of(right.begin(), right.end(),
                              [&](const TypeRef& other) { return same_or_none(one, other); });
         });
}

bool same_members(const StructMember& left, const StructMember& right) {
  return left.name == right.name && left.optional == right.optional && same_or_none(left.type, right.type);
}

bool same_shape(const SimpleType&, const SimpleType&) { return true; }
bool same_shape(const IntegerType& left, const IntegerType& right) { return left.range == right.range; }
bool same_shape(const FloatType& left, const FloatType& right) {
  return left.from == right.from && left.to == right.to;
}
bool same_shape(const BooleanType& left, const BooleanType& right) { return left.only == right.only; }
bool same_shape(const StringType& left, const StringType& right) { return left.length == right.length; }
bool same_shape(const LiteralType& left, const LiteralType& right) { return left.text == right.text; }
bool same_shape(const EnumType& left, const EnumType& right) {
  return left.ignores_case == right.ignores_case && left.texts == right.texts;
}
bool same_shape(const PatternType& left, const PatternType& right) {
  return std::is_permutation(left.patterns.begin(), left.patterns.end(), right.patterns.begin(), right.patterns.end(),
                             [](const auto& one, const auto& other) { return one.text == other.text; });
}
bool same_shape(const RegexpType& left, const RegexpType& right) { return left.pattern == right.pattern; }
bool same_shape(const CollectionType& left, const CollectionType& right) { return left.size == right.size; }
bool same_shape(const ArrayType& left, const ArrayType& right) {
  return left.size == right.size && same_or_none(left.item, right.item);
}
bool same_shape(const HashType& left, const HashType& right) {
  return left.size == right.size && same_or_none(left.key, right.key) && same_or_none(left.value, right.value);
}
bool same_shape(const StructType& left, const StructType& right) {
  return std::equal(left.members.begin(), left.members.end(), right.members.begin(), right.members.end(), same_members);
}
bool same_shape(const TupleType& left, const TupleType& right) {
  return left.size == right.size &&
         std::equal(left.types.begin(), left.types.end(), right.types.begin(), right.types.end(), same_or_none);
}
bool same_shape(const VariantType& left, const VariantType& right) { return same_set(left.types, right.types); }
bool same_shape(const HolderType& left, const HolderType& right) { return same_or_none(left.held, right.held); }
bool same_shape(const CallableType& left, const CallableType& right) {
  if (!left.signature || !right.signature) return left.signature.has_value() == right.signature.has_value();
  return same_or_none(left.signature->parameters, right.signature->parameters) &&
         same_or_none(left.signature->block, right.signature->block) &&
         same_or_none(left.signature->result, right.signature->result);
}
bool same_shape(const ClassType& left, const ClassType& right) { return left.name == right.name; }
bool same_shape(const ResourceType& left, const ResourceType& right) {
  return same_letters(left.name, right.name) && left.title == right.title &&
         same_or_none(left.produced, right.produced);
}
bool same_shape(const AliasType& left, const AliasType& right) { return left.name == right.name; }

}  // namespace

// Recursion: types nest as deep as a text or value may.
bool same_type(const Type& left, const Type& right) {
  if (&left == &right) return true;
  if (left.shape().index() != right.shape().index() || left.kind() != right.kind()) return false;
  return std::visit(
      [&right](const auto& shape) { return same_shape(shape, right.as<std::decay_t<decltype(shape)>>()); },
      left.shape());
}

bool is_plain(const Type& type) { return same_type(type, *plain(type.kind())); }

}  // namespace strata::puppet
