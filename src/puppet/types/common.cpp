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

std::vector<std::string> texts_of(const Type& type) { return type.kind == TypeKind::enumeration ? type.texts : std::vector<std::string>{*type.text}; }

/// Of two that are strings or enumerations.
TypeRef common_text(const Type& left, const Type& right) {
  const auto open = [](const Type& type) { return type.kind == TypeKind::string && !type.text; };
  if (left.kind == TypeKind::string && right.kind == TypeKind::string && left.range && right.range)
    return string_type(hull(*left.range, *right.range));
  if (open(left) || open(right)) return left.kind == right.kind ? plain(TypeKind::string) : plain(TypeKind::enumeration);
  return join_enums(texts_of(left), texts_of(right));
}

/// Of two of one kind; a null pointer where the kind has no rule of its own.
TypeRef common_kind(const Type& left, const Type& right) {
  switch (left.kind) {
    case TypeKind::array:
      return array_type(common_type(left.parts[0], right.parts[0]));
    case TypeKind::hash:
      return hash_type(common_type(left.parts[0], right.parts[0]), common_type(left.parts[1], right.parts[1]));
    case TypeKind::integer:
      return integer_type(hull(*left.range, *right.range));
    case TypeKind::floating:
      return float_type(std::min(left.from, right.from), std::max(left.to, right.to));
    case TypeKind::pattern: {
      std::vector<std::string> patterns = left.texts;
      patterns.insert(patterns.end(), right.texts.begin(), right.texts.end());
      return pattern_type(std::move(patterns));
    }
    case TypeKind::variant: {
      std::vector<TypeRef> types = left.parts;
      types.insert(types.end(), right.parts.begin(), right.parts.end());
      return variant_type(types);
    }
    case TypeKind::host_class:
    case TypeKind::regexp:
    case TypeKind::callable:
    case TypeKind::resource:
      return plain(left.kind);
    default:
      return nullptr;
  }
}

bool both(const Type& wide, const Type& left, const Type& right) { return is_assignable(wide, left) && is_assignable(wide, right); }

}  // namespace

// Recursion: types nest as deep as values may.
TypeRef common_type(const TypeRef& left, const TypeRef& right) {
  for (const TypeKind nothing : {TypeKind::undef, TypeKind::unit}) {
    if (left->kind == nothing) return right;
    if (right->kind == nothing) return left;
  }
  if (is_assignable(*left, *right)) return left;
  if (is_assignable(*right, *left)) return right;
  const auto is_text = [](const Type& type) { return type.kind == TypeKind::string || type.kind == TypeKind::enumeration; };
  if (is_text(*left) && is_text(*right)) return common_text(*left, *right);
  if (left->kind == right->kind) {
    if (TypeRef found = common_kind(*left, *right)) return found;
  }
  for (const TypeKind kind : {TypeKind::numeric, TypeKind::scalar_data, TypeKind::scalar}) {
    if (both(*plain(kind), *left, *right)) return plain(kind);
  }
  if (both(*alias_type("Data"), *left, *right)) return alias_type("Data");
  if (left->kind == TypeKind::type && right->kind == TypeKind::type) {
    if (left->parts.empty() || right->parts.empty()) return left->parts.empty() ? right : left;
    return holder_type(TypeKind::type, common_type(left->parts[0], right->parts[0]));
  }
  return both(*alias_type("RichData"), *left, *right) ? alias_type("RichData") : plain(TypeKind::any);
}

}  // namespace strata::puppet
