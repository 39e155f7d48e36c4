// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cassert>
#include <utility>

#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

/// `name` has static storage.
TypeRef make_alias(std::string_view name) { return std::make_shared<const Type>(AliasType{name}); }

Type without_parameters(TypeKind kind, const TypeRef& any) {
  switch (kind) {
    case TypeKind::integer:
      return Type(IntegerType{});
    case TypeKind::floating:
      return Type(FloatType{});
    case TypeKind::boolean:
      return Type(BooleanType{});
    case TypeKind::string:
      return Type(StringType{});
    case TypeKind::enumeration:
      return Type(EnumType{});
    case TypeKind::pattern:
      return Type(PatternType{});
    case TypeKind::regexp:
      return Type(RegexpType{});
    case TypeKind::collection:
      return Type(CollectionType{});
    case TypeKind::array:
      return Type(ArrayType{any, {}});
    case TypeKind::hash:
      return Type(HashType{any, any, {}});
    case TypeKind::structure:
      return Type(StructType{});
    case TypeKind::tuple:
      return Type(TupleType{});
    case TypeKind::variant:
      return Type(VariantType{});
    case TypeKind::sensitive:
      return Type(HolderType{kind, any});
    case TypeKind::optional:
    case TypeKind::not_undef:
    case TypeKind::iterable:
    case TypeKind::iterator:
    case TypeKind::type:
      return Type(HolderType{kind, nullptr});
    case TypeKind::callable:
      return Type(CallableType{});
    case TypeKind::host_class:
      return Type(ClassType{});
    case TypeKind::resource:
      return Type(ResourceType{});
    default:
      return Type(SimpleType{kind});
  }
}

TypeRef make_data() {
  const TypeRef& data = alias_type("Data");
  return variant_type({plain(TypeKind::scalar_data), plain(TypeKind::undef), hash_type(plain(TypeKind::string), data),
                       array_type(data)});
}

TypeRef make_rich_data_key() { return variant_type({plain(TypeKind::string), plain(TypeKind::numeric)}); }

TypeRef make_rich_data() {
  const TypeRef& data = alias_type("RichData");
  return variant_type({plain(TypeKind::scalar), plain(TypeKind::sem_ver_range), plain(TypeKind::binary),
                       plain(TypeKind::sensitive), plain(TypeKind::type), plain(TypeKind::uri), plain(TypeKind::undef),
                       plain(TypeKind::default_value), hash_type(alias_type("RichDataKey"), data), array_type(data)});
}

/// Data as bindings have it: undef stands inside of containers only, keys are any Literals.
TypeRef make_bindings_data() {
  const TypeRef& item = alias_type("Bindings::Item");
  return variant_type({plain(TypeKind::scalar_data), hash_type(alias_type("Bindings::Key"), item), array_type(item)});
}

/// Booleans are keys in the language, but not of Data (15.3).
TypeRef make_bindings_key() { return variant_type({plain(TypeKind::string), plain(TypeKind::numeric)}); }

TypeRef make_bindings_item() { return variant_type({plain(TypeKind::undef), alias_type("Bindings::Data")}); }

}  // namespace

const TypeRef& plain(TypeKind kind) {
  constexpr auto kKinds = static_cast<std::size_t>(TypeKind::alias);
  static const std::array<TypeRef, kKinds> types = [] {
    std::array<TypeRef, kKinds> out;
    for (std::size_t i = 0; i < kKinds; ++i)
      out[i] = std::make_shared<const Type>(without_parameters(static_cast<TypeKind>(i), out[0]));
    return out;
  }();
  assert(kind != TypeKind::alias && "an alias has a name");
  return types[static_cast<std::size_t>(kind)];
}

const TypeRef& alias_type(std::string_view name) {
  static const std::array<TypeRef, 6> aliases = {make_alias("Data"),           make_alias("RichData"),
                                                 make_alias("RichDataKey"),    make_alias("Bindings::Data"),
                                                 make_alias("Bindings::Item"), make_alias("Bindings::Key")};
  for (const TypeRef& alias : aliases) {
    if (alias->as<AliasType>().name == name) return alias;
  }
  assert(false && "a name of an alias");
  return aliases.front();
}

const Type& resolved(const Type& alias) {
  static const TypeRef data = make_data();
  static const TypeRef rich_data = make_rich_data();
  static const TypeRef rich_data_key = make_rich_data_key();
  static const TypeRef bindings_data = make_bindings_data();
  static const TypeRef bindings_item = make_bindings_item();
  static const TypeRef bindings_key = make_bindings_key();
  const std::string_view name = alias.as<AliasType>().name;
  if (name == "Bindings::Data") return *bindings_data;
  if (name == "Bindings::Item") return *bindings_item;
  if (name == "Bindings::Key") return *bindings_key;
  if (name == "Data") return *data;
  return name == "RichData" ? *rich_data : *rich_data_key;
}

}  // namespace strata::puppet
