// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "puppet/characters.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/kinds.hpp"
#include "puppet/types/make.hpp"
#include "text/regex/regex.hpp"

namespace strata::puppet {
namespace {

bool is_scalar_data(const Value& value) noexcept {
  return is_string(value) || is_whole(value) || value.kind() == Kind::floating || value.kind() == Kind::boolean;
}

bool fits(const Size& allowed, std::size_t size) {
  return !allowed || allowed->contains(Integer(static_cast<std::int64_t>(size)));
}

bool is_member_of(const PatternType& type, std::string_view text) {
  return type.patterns.empty() ||
         std::any_of(type.patterns.begin(), type.patterns.end(),
                     [&](const PatternType::Pattern& pattern) { return pattern.regex->search(text); });
}

bool is_member_of(const ArrayType& type, const Value& value) {
  if (!value.is_sequence() || !fits(type.size, value.size())) return false;
  return type.item->kind() == TypeKind::any ||
         std::all_of(value.items().begin(), value.items().end(),
                     [&](const Value& one) { return is_instance(*type.item, one); });
}

bool is_member_of(const HashType& type, const Value& value) {
  if (!is_hash(value) || !fits(type.size, value.size())) return false;
  return std::all_of(value.entries().begin(), value.entries().end(), [&](const Entry& entry) {
    return is_instance(*type.key, entry.key) && is_instance(*type.value, entry.value);
  });
}

[[gnu::noinline]] bool is_member_of(const StructType& type, const Value& value) {
  if (!is_hash(value)) return false;
  std::size_t matched = 0;
  for (const StructMember& member : type.members) {
    const Value* found = value.find(member.name);
    if (found == nullptr) {
      if (!member.optional) return false;
      continue;
    }
    ++matched;
    if (!is_instance(*member.type, *found)) return false;
  }
  return matched == value.size();
}

bool is_member_of(const TupleType& type, const Value& value) {
  if (!value.is_sequence()) return false;
  const std::span<const Value> items = value.items();
  if (type.size ? !fits(type.size, items.size()) : !type.types.empty() && type.types.size() != items.size())
    return false;
  if (type.types.empty()) return true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_instance(*type.types[std::min(i, type.types.size() - 1)], items[i])) return false;
  }
  return true;
}

[[gnu::noinline]] bool in_iterable(const Type& type, const Value& value) {
  if (held(type) != nullptr && !is_assignable(*held(type), *plain(TypeKind::any)))
    return is_assignable(type, *infer(value));
  if (as_iterator(value) != nullptr) return true;
  if (is_whole(value)) return Integer(value) >= Integer(0);
  if (const TypeObject* object = as_type(value)) {
    const Type& named = *object->type();
    if (named.kind() == TypeKind::enumeration) return true;
    const auto* integer = named.get_if<IntegerType>();
    return integer != nullptr && integer->range.from && integer->range.to;
  }
  return is_string(value) || value.is_sequence() || is_hash(value);
}

[[gnu::noinline]] bool in_integer(const IntegerType& type, const Value& value) {
  return type.range.contains(Integer(value));
}

/// Not-a-number is not a member of any type of numbers.
[[gnu::noinline]] bool in_number(const FloatType& type, const Value& value) {
  return value.kind() == Kind::floating && value.as_floating() >= type.from && value.as_floating() <= type.to;
}

bool in_holder(const Type& type, const Value& value) {
  const Type* inner = held(type).get();
  switch (type.kind()) {
    case TypeKind::optional:
      return value.is_null() || (inner != nullptr && is_instance(*inner, value));
    case TypeKind::not_undef:
      return !value.is_null() && (inner == nullptr || is_instance(*inner, value));
    case TypeKind::sensitive: {
      const Sensitive* sensitive = as_sensitive(value);
      return sensitive != nullptr && is_instance(*inner, sensitive->value());
    }
    default: {
      const TypeObject* object = as_type(value);
      return object != nullptr && (inner == nullptr || is_assignable(*inner, *object->type()));
    }
  }
}

[[gnu::noinline]] bool in_text(const Type& type, const Value& value) {
  if (!is_string(value)) return false;
  switch (type.kind()) {
    case TypeKind::enumeration:
      return is_in(type.as<EnumType>(), value.text());
    case TypeKind::pattern:
      return is_member_of(type.as<PatternType>(), value.text());
    default: {
      const std::string* only = literal_text(type);
      return only != nullptr ? value.text() == *only : fits(type.as<StringType>().length, string_length(value));
    }
  }
}

// Not inlined above: their temporaries would make every frame of the recursion large.

}  // namespace

// Recursion: Limits::depth bounds values and types.
bool is_instance(const Type& type, const Value& value) {
  switch (type.kind()) {
    case TypeKind::any:
    case TypeKind::unit:
      return true;
    case TypeKind::undef:
      return value.is_null();
    case TypeKind::scalar:
      return is_scalar_data(value) || as_pattern(value) != nullptr;
    case TypeKind::scalar_data:
      return is_scalar_data(value);
    case TypeKind::regexp: {
      const PatternObject* pattern = as_pattern(value);
      return pattern != nullptr &&
             (!type.as<RegexpType>().pattern || *type.as<RegexpType>().pattern == pattern->pattern());
    }
    case TypeKind::default_value:
      return is_default(value);
    case TypeKind::iterator:
      return as_iterator(value) != nullptr && is_assignable(type, *infer(value));
    case TypeKind::numeric:
      return is_whole(value) || in_number(FloatType{}, value);
    case TypeKind::integer:
      return is_whole(value) && in_integer(type.as<IntegerType>(), value);
    case TypeKind::floating:
      return in_number(type.as<FloatType>(), value);
    case TypeKind::boolean:
      return value.kind() == Kind::boolean &&
             type.as<BooleanType>().only.value_or(value.as_boolean()) == value.as_boolean();
    case TypeKind::string:
    case TypeKind::enumeration:
    case TypeKind::pattern:
      return in_text(type, value);
    case TypeKind::collection:
      return (value.is_sequence() || is_hash(value)) && fits(type.as<CollectionType>().size, value.size());
    case TypeKind::array:
      return is_member_of(type.as<ArrayType>(), value);
    case TypeKind::hash:
      return is_member_of(type.as<HashType>(), value);
    case TypeKind::structure:
      return is_member_of(type.as<StructType>(), value);
    case TypeKind::tuple:
      return is_member_of(type.as<TupleType>(), value);
    case TypeKind::variant: {
      const std::vector<TypeRef>& types = type.as<VariantType>().types;
      return std::any_of(types.begin(), types.end(), [&](const TypeRef& one) { return is_instance(*one, value); });
    }
    case TypeKind::optional:
    case TypeKind::not_undef:
    case TypeKind::sensitive:
    case TypeKind::type:
      return in_holder(type, value);
    case TypeKind::iterable:
      return in_iterable(type, value);
    case TypeKind::alias:
      return is_instance(resolved(type), value);
    default:
      return false;  // The other types do not have values yet.
  }
}

}  // namespace strata::puppet
