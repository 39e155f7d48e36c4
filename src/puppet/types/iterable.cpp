#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

TypeRef one_character() { return string_type(exactly(1)); }

std::vector<TypeRef> value_types(const Type& structure) {
  std::vector<TypeRef> out;
  for (const StructMember& member : structure.members) out.push_back(member.type);
  return out;
}

std::vector<TypeRef> key_types(const Type& structure) {
  std::vector<TypeRef> out;
  for (const StructMember& member : structure.members) {
    const TypeRef key = literal_type(member.name);
    out.push_back(member.optional ? holder_type(TypeKind::optional, key) : key);
  }
  return out;
}

TypeRef pair_type(TypeRef key, TypeRef value) { return tuple_type({std::move(key), std::move(value)}, exactly(2)); }

bool is_finite(const Type& type) { return type.kind == TypeKind::integer && type.range->from && type.range->to; }

}  // namespace

bool is_iterable(const Type& type) {
  switch (type.kind) {
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
      return held(type) != nullptr && (held(type)->kind == TypeKind::enumeration || is_finite(*held(type)));
    default:
      return false;  // Also aliases: those there are stand for Variants.
  }
}

IterationItem iteration_item(const Type& type) {
  switch (type.kind) {
    case TypeKind::enumeration:
    case TypeKind::string:
      return {true, one_character()};
    case TypeKind::integer:
      return {true, plain(TypeKind::integer)};
    case TypeKind::array:
      return {true, held(type)->kind == TypeKind::any ? nullptr : type.parts.front()};
    case TypeKind::hash:
      if (is_plain(type) || type.range == exactly(0)) return {true, pair_type(plain(TypeKind::unit), plain(TypeKind::unit))};
      return {true, pair_type(type.parts[0], type.parts[1])};
    case TypeKind::structure:
      if (type.members.empty()) return {true, pair_type(plain(TypeKind::unit), plain(TypeKind::unit))};
      return {true, pair_type(variant_type(key_types(type)), variant_type(value_types(type)))};
    case TypeKind::tuple:
      return {true, variant_type(type.parts)};
    case TypeKind::iterable:
    case TypeKind::iterator:
      return {true, type.parts.empty() ? nullptr : type.parts.front()};
    case TypeKind::type:
      if (!is_iterable(type)) return {};
      return {true, type.parts.front()};
    default:
      return {};
  }
}

}  // namespace strata::puppet
