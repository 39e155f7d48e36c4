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

/// Bytes are as many characters.
std::size_t length(const Value& text) noexcept { return text.is_text() ? character_count(text.text()) : text.text().size(); }

bool fits(const std::optional<IntegerRange>& range, std::size_t size) { return !range || range->contains(Integer(static_cast<std::int64_t>(size))); }

bool in_enumeration(const Type& type, std::string_view text) {
  if (type.flag != true) return std::binary_search(type.texts.begin(), type.texts.end(), text);
  return std::any_of(type.texts.begin(), type.texts.end(), [&](const std::string& one) { return same_letters(one, text); });
}

bool in_pattern(const Type& type, std::string_view text) {
  return type.regexes.empty() || std::any_of(type.regexes.begin(), type.regexes.end(), [&](const auto& regex) { return regex->search(text); });
}

bool in_array(const Type& type, const Value& value) {
  if (!value.is_sequence() || !fits(type.range, value.size())) return false;
  const Type& item = *held(type);
  return item.kind == TypeKind::any ||
         std::all_of(value.items().begin(), value.items().end(), [&](const Value& one) { return is_instance(item, one); });
}

bool in_hash(const Type& type, const Value& value) {
  if (!is_hash(value) || !fits(type.range, value.size())) return false;
  return std::all_of(value.entries().begin(), value.entries().end(),
                     [&](const Entry& entry) { return is_instance(*type.parts[0], entry.key) && is_instance(*type.parts[1], entry.value); });
}

[[gnu::noinline]] bool in_structure(const Type& type, const Value& value) {
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

bool in_tuple(const Type& type, const Value& value) {
  if (!value.is_sequence()) return false;
  const std::span<const Value> items = value.items();
  if (type.range ? !fits(type.range, items.size()) : !type.parts.empty() && type.parts.size() != items.size()) return false;
  if (type.parts.empty()) return true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_instance(*type.parts[std::min(i, type.parts.size() - 1)], items[i])) return false;
  }
  return true;
}

[[gnu::noinline]] bool in_iterable(const Type& type, const Value& value) {
  if (!type.parts.empty() && !is_assignable(*held(type), *plain(TypeKind::any))) return is_assignable(type, *infer(value));
  if (as_iterator(value) != nullptr) return true;
  if (is_whole(value)) return Integer(value) >= Integer(0);
  if (const TypeObject* object = as_type(value)) {
    const Type& named = *object->type();
    return named.kind == TypeKind::enumeration || (named.kind == TypeKind::integer && named.range->from && named.range->to);
  }
  return is_string(value) || value.is_sequence() || is_hash(value);
}

[[gnu::noinline]] bool in_number(const Type& type, const Value& value) {
  if (type.kind == TypeKind::integer) return is_whole(value) && type.range->contains(Integer(value));
  if (type.kind == TypeKind::numeric && is_whole(value)) return true;
  if (value.kind() != Kind::floating) return false;
  return value.as_floating() >= type.from && value.as_floating() <= type.to;
}

bool in_holder(const Type& type, const Value& value) {
  const Type* inner = held(type);
  switch (type.kind) {
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
  switch (type.kind) {
    case TypeKind::enumeration:
      return in_enumeration(type, value.text());
    case TypeKind::pattern:
      return in_pattern(type, value.text());
    default:
      return type.text ? value.text() == *type.text : fits(type.range, length(value));
  }
}

bool in_container(const Type& type, const Value& value) {
  switch (type.kind) {
    case TypeKind::array:
      return in_array(type, value);
    case TypeKind::hash:
      return in_hash(type, value);
    case TypeKind::structure:
      return in_structure(type, value);
    case TypeKind::tuple:
      return in_tuple(type, value);
    default:
      return (value.is_sequence() || is_hash(value)) && fits(type.range, value.size());
  }
}

// Not inlined above: their temporaries would make every frame of the recursion large.

}  // namespace

// Recursion: Limits::depth bounds values and types.
bool is_instance(const Type& type, const Value& value) {
  switch (type.kind) {
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
      return pattern != nullptr && (!type.text || *type.text == pattern->pattern());
    }
    case TypeKind::default_value:
      return is_default(value);
    case TypeKind::iterator:
      return as_iterator(value) != nullptr && is_assignable(type, *infer(value));
    case TypeKind::numeric:
    case TypeKind::integer:
    case TypeKind::floating:
      return in_number(type, value);
    case TypeKind::boolean:
      return value.kind() == Kind::boolean && (!type.flag || *type.flag == value.as_boolean());
    case TypeKind::string:
    case TypeKind::enumeration:
    case TypeKind::pattern:
      return in_text(type, value);
    case TypeKind::collection:
    case TypeKind::array:
    case TypeKind::hash:
    case TypeKind::structure:
    case TypeKind::tuple:
      return in_container(type, value);
    case TypeKind::variant:
      return std::any_of(type.parts.begin(), type.parts.end(), [&](const TypeRef& one) { return is_instance(*one, value); });
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
      return false;  // Of the rest there are no values yet.
  }
}

}  // namespace strata::puppet
