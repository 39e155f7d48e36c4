// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

TypeRef join_enums(std::vector<std::string> left, const std::vector<std::string>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return enum_type(std::move(left));
}

IntegerRange hull(const IntegerRange& left, const IntegerRange& right) {
  IntegerRange out;
  if (left.from && right.from) out.from = std::min(*left.from, *right.from);
  if (left.to && right.to) out.to = std::max(*left.to, *right.to);
  return out;
}

std::vector<std::string> texts_of(const Type& type) {
  return type.kind() == TypeKind::enumeration ? type.as<EnumType>().texts
                                              : std::vector<std::string>{type.as<LiteralType>().text};
}

/// Of two that are strings or enumerations.
TypeRef common_text(const Type& left, const Type& right) {
  const auto* open_left = left.get_if<StringType>();
  const auto* open_right = right.get_if<StringType>();
  if (open_left != nullptr && open_right != nullptr && open_left->length && open_right->length)
    return string_type(hull(*open_left->length, *open_right->length));
  if (open_left != nullptr || open_right != nullptr)
    return left.kind() == right.kind() ? plain(TypeKind::string) : plain(TypeKind::enumeration);
  return join_enums(texts_of(left), texts_of(right));
}

/// Of two of one kind; a null pointer where the kind has no rule of its own.
TypeRef common_kind(const Type& left, const Type& right) {
  switch (left.kind()) {
    case TypeKind::array:
      return array_type(common_type(left.as<ArrayType>().item, right.as<ArrayType>().item));
    case TypeKind::hash: {
      const auto& one = left.as<HashType>();
      const auto& other = right.as<HashType>();
      return hash_type(common_type(one.key, other.key), common_type(one.value, other.value));
    }
    case TypeKind::integer:
      return integer_type(hull(left.as<IntegerType>().range, right.as<IntegerType>().range));
    case TypeKind::floating: {
      const auto& one = left.as<FloatType>();
      const auto& other = right.as<FloatType>();
      return float_type(std::min(one.from, other.from), std::max(one.to, other.to));
    }
    case TypeKind::pattern: {
      std::vector<std::string> patterns;
      for (const Type* type : {&left, &right}) {
        for (const PatternType::Pattern& pattern : type->as<PatternType>().patterns) patterns.push_back(pattern.text);
      }
      return pattern_type(std::move(patterns));
    }
    case TypeKind::variant: {
      std::vector<TypeRef> types = left.as<VariantType>().types;
      const std::vector<TypeRef>& others = right.as<VariantType>().types;
      types.insert(types.end(), others.begin(), others.end());
      return variant_type(types);
    }
    case TypeKind::host_class:
    case TypeKind::regexp:
    case TypeKind::callable:
    case TypeKind::resource:
      return plain(left.kind());
    default:
      return nullptr;
  }
}

bool both(const Type& wide, const Type& left, const Type& right) {
  return is_assignable(wide, left) && is_assignable(wide, right);
}

}  // namespace

// Recursion: types nest as deep as values may.
TypeRef common_type(const TypeRef& left, const TypeRef& right) {
  for (const TypeKind nothing : {TypeKind::undef, TypeKind::unit}) {
    if (left->kind() == nothing) return right;
    if (right->kind() == nothing) return left;
  }
  if (is_assignable(*left, *right)) return left;
  if (is_assignable(*right, *left)) return right;
  const auto is_text = [](const Type& type) {
    return type.kind() == TypeKind::string || type.kind() == TypeKind::enumeration;
  };
  if (is_text(*left) && is_text(*right)) return common_text(*left, *right);
  if (left->kind() == right->kind()) {
    if (TypeRef found = common_kind(*left, *right)) return found;
  }
  for (const TypeKind kind : {TypeKind::numeric, TypeKind::scalar_data, TypeKind::scalar}) {
    if (both(*plain(kind), *left, *right)) return plain(kind);
  }
  if (both(*alias_type("Data"), *left, *right)) return alias_type("Data");
  if (left->kind() == TypeKind::type && right->kind() == TypeKind::type) {
    if (held(*left) == nullptr || held(*right) == nullptr) return held(*left) == nullptr ? right : left;
    return holder_type(TypeKind::type, common_type(held(*left), held(*right)));
  }
  return both(*alias_type("RichData"), *left, *right) ? alias_type("RichData") : plain(TypeKind::any);
}

}  // namespace strata::puppet
