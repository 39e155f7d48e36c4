// SPDX-License-Identifier: Apache-2.0
#include "bindings/types/membership.hpp"

#include <algorithm>

#include "bindings/extensions/registry.hpp"
#include "bindings/types/names.hpp"
#include "bindings/types/type_reader.hpp"
#include "puppet/characters.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/types/make.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::bindings {

using puppet::ResourceType;
using puppet::TypeKind;

namespace {

/// Whether a type says nothing that the language does not: then its members are those of the language.
// Recursion: a type nests as deep as the expression that it was made of.
bool is_plain_data(const Type& type) {
  switch (type.kind()) {
    case TypeKind::resource:
    case TypeKind::catalog_entry:
    case TypeKind::host_class:
    case TypeKind::type:
    case TypeKind::regexp:
      return false;
    default:
      break;
  }
  bool out = true;
  puppet::for_each_part(type, [&out](const TypeRef& part) { out = out && is_plain_data(*part); });
  return out;
}

/// `Web`, without a title. Null for all other types.
const ResourceType* untitled(const Type& type) {
  const auto* resource = type.get_if<ResourceType>();
  return resource == nullptr || resource->name.empty() || resource->title ? nullptr : resource;
}

bool equals_text(const Value* value, std::string_view text) {
  return value != nullptr && value->is_text() && puppet::same_letters(value->text(), text);
}

/// A resource in its printed form.
bool is_resource(const Type& type, const Value& value) {
  const auto* wanted = type.get_if<ResourceType>();
  if (!value.is_mapping()) return false;
  const Value* kind = value.find("type");
  if (kind == nullptr || !kind->is_text() || value.find("parameters") == nullptr) return false;
  if (wanted == nullptr || wanted->name.empty()) return true;
  if (!equals_text(kind, wanted->name)) return false;
  const Value* title = value.find("title");
  return !wanted->title || (title != nullptr && title->is_text() && title->text() == *wanted->title);
}

}  // namespace

/// Producers that extensions registered are below `Producer[T]` by what they say that they produce.
bool Types::is_producer_of(const Type& wide, const Type& narrow) const {
  const TypeRef& wanted = wide.as<ResourceType>().produced;
  const TypeRef& given = narrow.as<ResourceType>().produced;
  if (is_producer_type(narrow)) return wanted == nullptr || (given != nullptr && is_assignable(*wanted, *given));
  const auto* name = registry_ == nullptr ? nullptr : untitled(narrow);
  const extensions::Producer* producer = name == nullptr ? nullptr : registry_->producer(name->name);
  if (producer == nullptr || wanted == nullptr) return producer != nullptr;
  return is_assignable(*wanted, producer->type().empty() || !read_ ? *data_type() : *read_(producer->type()));
}

bool Types::is_assignable(const Type& wide, const Type& narrow) const {
  if (wide.kind() == TypeKind::any) return true;
  if (wide.kind() == TypeKind::host_class && narrow.kind() == TypeKind::host_class) return true;
  if (wide.kind() == TypeKind::catalog_entry) {
    return narrow.kind() == TypeKind::catalog_entry || narrow.kind() == TypeKind::resource ||
           narrow.kind() == TypeKind::host_class;
  }
  if (wide.kind() == TypeKind::resource && narrow.kind() == TypeKind::resource) {
    if (is_producer_type(wide)) return is_producer_of(wide, narrow);
    if (puppet::is_resource_of(wide.as<ResourceType>(), narrow.as<ResourceType>())) return true;
    // Within Type[…] these are runtime types.
    const auto* parent = untitled(wide);
    const auto* child = untitled(narrow);
    return registry_ != nullptr && parent != nullptr && child != nullptr &&
           registry_->is_subtype(child->name, parent->name);
  }
  if (wide.kind() == TypeKind::type && narrow.kind() == TypeKind::type) {
    if (held(wide) == nullptr) return true;
    return held(narrow) != nullptr && is_assignable(*held(wide), *held(narrow));
  }
  return puppet::is_assignable(wide, narrow);
}

// Recursion: values and types are bounded.
bool Types::is_instance(const Type& type, const Value& value) const {
  if (is_plain_data(type)) return puppet::is_instance(type, value);
  const auto each = [&](const Type& part, const auto& values) {
    return std::all_of(values.begin(), values.end(), [&](const Value& one) { return is_instance(part, one); });
  };
  switch (type.kind()) {
    case TypeKind::array: {
      const auto& array = type.as<puppet::ArrayType>();
      return value.is_sequence() &&
             puppet::is_instance(*puppet::array_type(puppet::plain(TypeKind::any), array.size), value) &&
             each(*array.item, value.items());
    }
    case TypeKind::hash: {
      const auto& hash = type.as<puppet::HashType>();
      return value.is_mapping() &&
             puppet::is_instance(*puppet::hash_type(hash.key, puppet::plain(TypeKind::any), hash.size), value) &&
             std::all_of(value.entries().begin(), value.entries().end(),
                         [&](const Entry& entry) { return is_instance(*hash.value, entry.value); });
    }
    case TypeKind::variant: {
      const std::vector<TypeRef>& types = type.as<puppet::VariantType>().types;
      return std::any_of(types.begin(), types.end(), [&](const TypeRef& part) { return is_instance(*part, value); });
    }
    case TypeKind::optional:
      return value.is_null() || held(type) == nullptr || is_instance(*held(type), value);
    case TypeKind::regexp: {
      const puppet::PatternObject* pattern = puppet::as_pattern(value);
      const auto& wanted = type.as<puppet::RegexpType>().pattern;
      return pattern != nullptr && (!wanted || pattern->pattern() == *wanted);
    }
    case TypeKind::catalog_entry:
    case TypeKind::resource:
    case TypeKind::host_class:
      if (const puppet::TypeObject* object = puppet::as_type(value)) return is_assignable(type, *object->type());
      return type.kind() != TypeKind::host_class && is_resource(type, value);
    case TypeKind::type:
      if (const puppet::TypeObject* object = puppet::as_type(value)) {
        // A type is a member of Type[…] that holds it; `Type[x]` as a value is written as such.
        const Type& named = *object->type();
        if (named.kind() == TypeKind::type) return is_assignable(type, named);
        return held(type) == nullptr || is_assignable(*held(type), named);
      }
      if (const auto* name = registry_ == nullptr || held(type) == nullptr ? nullptr : untitled(*held(type)))
        return registry_->is_instance(value, name->name);
      return false;
    default:
      return puppet::is_instance(type, value);
  }
}

bool is_data(const Type& type) { return puppet::is_assignable(*data_item_type(), type); }

namespace {

/// The narrowest type of the table that both are in.
TypeRef common_of(const TypeRef& left, const TypeRef& right) {
  if (left == nullptr || right == nullptr) return left == nullptr ? right : left;
  if (left == right || puppet::is_assignable(*left, *right)) return left;
  if (puppet::is_assignable(*right, *left)) return right;
  for (const TypeRef& wide :
       {puppet::plain(TypeKind::numeric), puppet::plain(TypeKind::scalar_data), data_item_type()}) {
    if (puppet::is_assignable(*wide, *left) && puppet::is_assignable(*wide, *right)) return wide;
  }
  return puppet::plain(TypeKind::any);
}

// Recursion: values are bounded by Limits::depth.
TypeRef inferred(const Value& value) {
  if (const auto* instance = extensions::as_instance(value))
    return puppet::holder_type(TypeKind::type, resource_type(instance->type()));
  if (puppet::as_pattern(value) != nullptr) return puppet::plain(TypeKind::regexp);
  if (value.is_sequence() && !value.is_secret()) {
    TypeRef item;
    for (const Value& one : value.items()) item = common_of(item, one.is_null() ? data_item_type() : inferred(one));
    return puppet::array_type(item == nullptr ? data_item_type() : item);
  }
  if (value.is_mapping() && !value.is_secret()) {
    TypeRef key;
    TypeRef item;
    for (const Entry& entry : value.entries()) {
      key = common_of(key, inferred(entry.key));
      item = common_of(item, entry.value.is_null() ? data_item_type() : inferred(entry.value));
    }
    if (key == nullptr || puppet::is_assignable(*data_key_type(), *key)) key = data_key_type();
    return puppet::hash_type(key, item == nullptr ? data_item_type() : item);
  }
  return from_language(puppet::generalize(puppet::infer(value)));
}

}  // namespace

std::string type_of(const Value& value) {
  const TypeRef type = inferred(value);
  return type->kind() == TypeKind::runtime ? "a value that is not Data" : type_text(*type);
}

std::string shown(const Value& value) {
  constexpr std::size_t kWidest = 60;
  std::string out;
  Arena arena;
  if (report::holds_secret(value)) return std::string(report::kMask);
  if (puppet::as_pattern(value) != nullptr) return value.as_object().to_string();
  try {
    text::append_json(out, value, {.sort_keys = false, .indent = -1});
  } catch (const Error&) {
    return key_text(value);
  }
  if (out.size() <= kWidest) return out;
  std::size_t end = kWidest;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
  return out.substr(0, end) + "…";
}

}  // namespace strata::bindings
