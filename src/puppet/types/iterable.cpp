// SPDX-License-Identifier: Apache-2.0
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

TypeRef one_character() { return string_type(exactly(1)); }

std::vector<TypeRef> value_types(const StructType& structure) {
  std::vector<TypeRef> out;
  for (const StructMember& member : structure.members) out.push_back(member.type);
  return out;
}

std::vector<TypeRef> key_types(const StructType& structure) {
  std::vector<TypeRef> out;
  for (const StructMember& member : structure.members) {
    const TypeRef key = literal_type(member.name);
    out.push_back(member.optional ? holder_type(TypeKind::optional, key) : key);
  }
  return out;
}

TypeRef pair_type(TypeRef key, TypeRef value) { return tuple_type({std::move(key), std::move(value)}, exactly(2)); }

bool is_finite(const Type& type) {
  const auto* integer = type.get_if<IntegerType>();
  return integer != nullptr && integer->range.from && integer->range.to;
}

}  // namespace

bool is_iterable(const Type& type) {
  switch (type.kind()) {
    case TypeKind::enumeration:
    case TypeKind::integer:
    case TypeKind::string:
    case TypeKind::collection:
    case TypeKind::array:
    case TypeKind::hash:
    case TypeKind::structure:
    case TypeKind::tuple:
    case TypeKind::iterable:
    case TypeKind::iterator:
      return true;
    case TypeKind::type:
      return held(type) != nullptr && (held(type)->kind() == TypeKind::enumeration || is_finite(*held(type)));
    default:
      return false;  // Also aliases: those there are stand for Variants.
  }
}

IterationItem iteration_item(const Type& type) {
  switch (type.kind()) {
    case TypeKind::enumeration:
    case TypeKind::string:
      return {true, one_character()};
    case TypeKind::integer:
      return {true, plain(TypeKind::integer)};
    case TypeKind::array: {
      const TypeRef& item = type.as<ArrayType>().item;
      return {true, item->kind() == TypeKind::any ? nullptr : item};
    }
    case TypeKind::hash: {
      const auto& hash = type.as<HashType>();
      if (is_plain(type) || hash.size == exactly(0))
        return {true, pair_type(plain(TypeKind::unit), plain(TypeKind::unit))};
      return {true, pair_type(hash.key, hash.value)};
    }
    case TypeKind::structure: {
      const auto& structure = type.as<StructType>();
      if (structure.members.empty()) return {true, pair_type(plain(TypeKind::unit), plain(TypeKind::unit))};
      return {true, pair_type(variant_type(key_types(structure)), variant_type(value_types(structure)))};
    }
    case TypeKind::tuple:
      return {true, variant_type(type.as<TupleType>().types)};
    case TypeKind::iterable:
    case TypeKind::iterator:
      return {true, held(type)};
    case TypeKind::type:
      if (!is_iterable(type)) return {};
      return {true, held(type)};
    default:
      return {};
  }
}

}  // namespace strata::puppet
