// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

bool takes_undef(const Type& type) { return is_assignable(type, *plain(TypeKind::undef)); }

TypeRef holder_or_plain(TypeKind kind, const Type& other) {
  return held(other) == nullptr ? plain(kind) : holder_type(kind, held(other));
}

TypeRef normalize_optional(const TypeRef& type) {
  TypeRef changed = change_parts(type, normalize);
  const TypeRef& inner = held(*changed);
  if (inner == nullptr) return changed;
  if (inner->kind() == TypeKind::not_undef) return normalize(holder_or_plain(TypeKind::optional, *inner));
  return takes_undef(*inner) ? inner : changed;
}

TypeRef normalize_not_undef(const TypeRef& type) {
  TypeRef changed = change_parts(type, normalize);
  const TypeRef& inner = held(*changed);
  if (inner == nullptr) return changed;
  if (inner->kind() == TypeKind::optional) return normalize(holder_or_plain(TypeKind::not_undef, *inner));
  return takes_undef(*inner) ? changed : inner;
}

/// Replaces the types that `which` takes, where there are two or more, by what `make` returns for them, at the end.
void join_types(std::vector<TypeRef>& types, const std::function<bool(const Type&)>& which,
                const std::function<TypeRef(const std::vector<TypeRef>&)>& make) {
  std::vector<TypeRef> taken;
  std::vector<TypeRef> others;
  for (const TypeRef& type : types) (which(*type) ? taken : others).push_back(type);
  if (taken.size() < 2) return;
  others.push_back(make(taken));
  types = std::move(others);
}

void join_not_undefs(std::vector<TypeRef>& types) {
  join_types(
      types, [](const Type& type) { return type.kind() == TypeKind::not_undef; },
      [](const std::vector<TypeRef>& taken) {
        std::vector<TypeRef> inner;
        inner.reserve(taken.size());
        for (const TypeRef& type : taken) inner.push_back(held(*type) == nullptr ? plain(TypeKind::any) : held(*type));
        return holder_type(TypeKind::not_undef, normalize(variant_type(inner)));
      });
}

void join_texts(std::vector<TypeRef>& types) {
  const auto texts = [](const std::vector<TypeRef>& taken, bool ignore_case) {
    std::vector<std::string> out;
    for (const TypeRef& type : taken) {
      if (const std::string* literal = literal_text(*type)) {
        out.push_back(*literal);
      } else {
        for (const std::string& text : type->as<EnumType>().texts) out.push_back(ignore_case ? lower(text) : text);
      }
    }
    return enum_type(std::move(out), ignore_case);
  };
  const auto is_enum = [](const Type& type, bool ignore_case) {
    const auto* enumeration = type.get_if<EnumType>();
    return enumeration != nullptr && !enumeration->texts.empty() && enumeration->ignores_case == ignore_case;
  };
  join_types(
      types, [&](const Type& type) { return is_enum(type, false) || literal_text(type) != nullptr; },
      [&](const std::vector<TypeRef>& taken) { return texts(taken, false); });
  join_types(
      types, [&](const Type& type) { return is_enum(type, true); },
      [&](const std::vector<TypeRef>& taken) { return texts(taken, true); });
}

void join_patterns(std::vector<TypeRef>& types) {
  join_types(
      types, [](const Type& type) { return type.kind() == TypeKind::pattern; },
      [](const std::vector<TypeRef>& taken) {
        std::vector<std::string> patterns;
        for (const TypeRef& type : taken) {
          for (const PatternType::Pattern& pattern : type->as<PatternType>().patterns) patterns.push_back(pattern.text);
        }
        return pattern_type(std::move(patterns));
      });
}

/// The union of two ranges that touch; a null pointer where they do not.
TypeRef join_ranges(const Type& left, const Type& right) {
  if (left.kind() == TypeKind::floating) {
    const auto& one = left.as<FloatType>();
    const auto& two = right.as<FloatType>();
    if (one.to < two.from || two.to < one.from) return nullptr;
    return float_type(std::min(one.from, two.from), std::max(one.to, two.to));
  }
  const IntegerRange& one = left.as<IntegerType>().range;
  const IntegerRange& two = right.as<IntegerType>().range;
  const auto before = [](const IntegerRange& first, const IntegerRange& second) {
    return first.to && second.from && first.to->successor() < *second.from;
  };
  if (before(one, two) || before(two, one)) return nullptr;
  IntegerRange out;
  if (one.from && two.from) out.from = std::min(*one.from, *two.from);
  if (one.to && two.to) out.to = std::max(*one.to, *two.to);
  return integer_type(std::move(out));
}

/// Ranges of numbers come first, joined from the last one on: Puppet's order, which messages show.
void join_numbers(std::vector<TypeRef>& types, TypeKind kind) {
  std::vector<TypeRef> ranges;
  std::vector<TypeRef> others;
  for (const TypeRef& type : types) (type->kind() == kind ? ranges : others).push_back(type);
  if (ranges.size() < 2) return;
  types.clear();
  while (!ranges.empty()) {
    TypeRef joined = ranges.back();
    ranges.pop_back();
    std::vector<TypeRef> apart;
    for (const TypeRef& range : ranges) {
      TypeRef next = join_ranges(*joined, *range);
      if (next == nullptr) {
        apart.push_back(range);
      } else {
        joined = std::move(next);
      }
    }
    types.push_back(joined);
    ranges = std::move(apart);
  }
  types.insert(types.end(), others.begin(), others.end());
}

std::vector<TypeRef> flat_variants(const std::vector<TypeRef>& types) {
  std::vector<TypeRef> out;
  for (const TypeRef& type : types) {
    if (type->kind() == TypeKind::variant) {
      const std::vector<TypeRef>& inner = type->as<VariantType>().types;
      out.insert(out.end(), inner.begin(), inner.end());
    } else {
      out.push_back(type);
    }
  }
  return out;
}

TypeRef optional_of_rest(const std::vector<TypeRef>& types) {
  std::vector<TypeRef> rest;
  for (const TypeRef& type : types) {
    if (type->kind() == TypeKind::undef) continue;
    rest.push_back(type->kind() == TypeKind::optional && held(*type) != nullptr ? held(*type) : type);
  }
  return normalize(holder_type(TypeKind::optional, variant_type(rest)));
}

TypeRef normalize_variant(const TypeRef& type) {
  const std::vector<TypeRef>& given = type->as<VariantType>().types;
  if (given.empty()) return type;
  std::vector<TypeRef> types;
  types.reserve(given.size());
  for (const TypeRef& part : given) types.push_back(normalize(part));
  if (types.size() == 1) return types.front();
  const bool undef = std::any_of(types.begin(), types.end(), [](const TypeRef& part) {
    return part->kind() == TypeKind::undef || (part->kind() == TypeKind::optional && held(*part) != nullptr);
  });
  if (undef) return optional_of_rest(types);
  const bool changed = !std::equal(types.begin(), types.end(), given.begin(), given.end());
  types = flat_variants(types);
  const std::size_t before = types.size();
  join_not_undefs(types);
  join_texts(types);
  join_patterns(types);
  join_numbers(types, TypeKind::integer);
  join_numbers(types, TypeKind::floating);
  if (types.size() == 1) return types.front();
  // What was not joined keeps its order.
  return changed || types.size() != before ? variant_type(types) : type;
}

TypeRef generalize_enumeration(const EnumType& type) {
  if (type.texts.empty()) return plain(TypeKind::string);
  std::size_t least = character_count(type.texts.front());
  std::size_t most = least;
  for (const std::string& text : type.texts) {
    least = std::min(least, character_count(text));
    most = std::max(most, character_count(text));
  }
  return string_type({Integer(static_cast<std::int64_t>(least)), Integer(static_cast<std::int64_t>(most))});
}

}  // namespace

// Recursion: a type nests as deep as the text or value that it was made of.
TypeRef normalize(const TypeRef& type) {
  switch (type->kind()) {
    case TypeKind::collection:
      return plain(TypeKind::collection);
    case TypeKind::array:
      return type->as<ArrayType>().item->kind() == TypeKind::any ? plain(TypeKind::array)
                                                                 : change_parts(type, normalize);
    case TypeKind::variant:
      return normalize_variant(type);
    case TypeKind::optional:
      return normalize_optional(type);
    case TypeKind::not_undef:
      return normalize_not_undef(type);
    case TypeKind::alias:
      return type;
    default:
      return change_parts(type, normalize);
  }
}

TypeRef generalize(const TypeRef& type) {
  switch (type->kind()) {
    case TypeKind::integer:
    case TypeKind::floating:
    case TypeKind::string:
    case TypeKind::boolean:
    case TypeKind::collection:
      return plain(type->kind());
    case TypeKind::enumeration:
      return generalize_enumeration(type->as<EnumType>());
    case TypeKind::array: {
      const TypeRef& item = type->as<ArrayType>().item;
      return item->kind() == TypeKind::any ? plain(TypeKind::array) : array_type(generalize(item));
    }
    case TypeKind::hash: {
      const auto& hash = type->as<HashType>();
      if (is_plain(*type) || hash.size == exactly(0)) return type;
      return hash_type(generalize(hash.key), generalize(hash.value));
    }
    case TypeKind::variant: {
      std::vector<TypeRef> types;
      for (const TypeRef& part : type->as<VariantType>().types) types.push_back(generalize(part));
      return types.empty() ? type : variant_type(types);
    }
    case TypeKind::alias:
      return type;
    default:
      return change_parts(type, generalize);
  }
}

}  // namespace strata::puppet
