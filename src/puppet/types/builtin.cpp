#include <array>
#include <cassert>
#include <utility>

#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

TypeRef make_alias(std::string_view name) {
  Type type;
  type.kind = TypeKind::alias;
  type.text = std::string(name);
  return std::make_shared<const Type>(std::move(type));
}

TypeRef make_data() {
  const TypeRef& data = alias_type("Data");
  return variant_type({plain(TypeKind::scalar_data), plain(TypeKind::undef), hash_type(plain(TypeKind::string), data), array_type(data)});
}

TypeRef make_rich_data_key() { return variant_type({plain(TypeKind::string), plain(TypeKind::numeric)}); }

TypeRef make_rich_data() {
  const TypeRef& data = alias_type("RichData");
  return variant_type({plain(TypeKind::scalar), plain(TypeKind::sem_ver_range), plain(TypeKind::binary), plain(TypeKind::sensitive),
                       plain(TypeKind::type), plain(TypeKind::uri), plain(TypeKind::undef), plain(TypeKind::default_value),
                       hash_type(alias_type("RichDataKey"), data), array_type(data)});
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
  constexpr std::size_t kKinds = static_cast<std::size_t>(TypeKind::alias) + 1;
  static const std::array<TypeRef, kKinds> types = [] {
    std::array<TypeRef, kKinds> out;
    const auto any = std::make_shared<const Type>();
    for (std::size_t i = 0; i < kKinds; ++i) {
      Type type;
      type.kind = static_cast<TypeKind>(i);
      // These hold something even where nothing is said.
      if (type.kind == TypeKind::array || type.kind == TypeKind::sensitive) type.parts = {any};
      if (type.kind == TypeKind::hash) type.parts = {any, any};
      if (type.kind == TypeKind::integer) type.range.emplace();
      if (type.kind == TypeKind::enumeration) type.flag = false;
      out[i] = i == 0 ? any : std::make_shared<const Type>(std::move(type));
    }
    return out;
  }();
  return types[static_cast<std::size_t>(kind)];
}

const TypeRef& alias_type(std::string_view name) {
  static const std::array<TypeRef, 6> aliases = {make_alias("Data"),           make_alias("RichData"),       make_alias("RichDataKey"),
                                                 make_alias("Bindings::Data"), make_alias("Bindings::Item"), make_alias("Bindings::Key")};
  for (const TypeRef& alias : aliases) {
    if (*alias->text == name) return alias;
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
  if (*alias.text == "Bindings::Data") return *bindings_data;
  if (*alias.text == "Bindings::Item") return *bindings_item;
  if (*alias.text == "Bindings::Key") return *bindings_key;
  if (*alias.text == "Data") return *data;
  return *alias.text == "RichData" ? *rich_data : *rich_data_key;
}

}  // namespace strata::puppet
