// SPDX-License-Identifier: Apache-2.0
#include "bindings/types/names.hpp"

#include <fmt/format.h>

#include <array>

#include "bindings/types/type_reader.hpp"
#include "puppet/characters.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/quote.hpp"
#include "puppet/types/make.hpp"

namespace strata::bindings {

using puppet::TypeKind;

std::string class_name(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  return puppet::lower(name);
}

std::string encoded_title(std::string_view title) {
  std::string out;
  for (const char c : title) {
    switch (c) {
      case '/':
        out += "%2F";
        break;
      case '[':
        out += "%5B";
        break;
      case ']':
        out += "%5D";
        break;
      case '%':
        out += "%25";
        break;
      default:
        out += c;
    }
  }
  return out;
}

namespace {

std::string_view bindings_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::alias:
      return "Data";
    case TypeKind::scalar_data:
      return "Literal";
    case TypeKind::numeric:
      return "Number";
    case TypeKind::regexp:
      return "Pattern";
    case TypeKind::catalog_entry:
      return "Resource";
    case TypeKind::array:
      return "Array";
    case TypeKind::hash:
      return "Hash";
    case TypeKind::type:
      return "Type";
    case TypeKind::variant:
      return "Variant";
    case TypeKind::optional:
      return "Optional";
    case TypeKind::tuple:
      return "Tuple";
    default:
      return {};
  }
}

constexpr std::string_view kProducer = "Producer\n";  // No name of a type has a line end.

std::string size_suffix(const puppet::Size& size) {
  if (!size || (!size->from && !size->to)) return {};
  std::string out = ", " + (size->from ? size->from->to_string() : "default");
  if (size->to) out += ", " + size->to->to_string();
  return out;
}

// Recursion: a type nests as deep as the expression that it was made of.
void append_type(std::string& out, const Type& type, bool encoded) {
  const auto parameters = [&](std::span<const TypeRef> types, const puppet::Size& size) {
    std::string_view separator = "[";
    for (const TypeRef& one : types) {
      out += separator;
      separator = ", ";
      append_type(out, *one, encoded);
    }
    out += size_suffix(size) + ']';
  };
  switch (type.kind()) {
    case TypeKind::alias: {
      const std::string_view name = type.as<puppet::AliasType>().name;
      if (!name.starts_with("Bindings::")) {
        out += name;
      } else {
        out += name == data_key_type()->as<puppet::AliasType>().name ? "Literal" : "Data";
      }
      return;
    }
    case TypeKind::scalar_data:
    case TypeKind::numeric:
    case TypeKind::catalog_entry:
      out += bindings_name(type.kind());
      return;
    case TypeKind::regexp:
      if (const auto& pattern = type.as<puppet::RegexpType>().pattern) {
        out += fmt::format("Pattern[{}]", puppet::quote(*pattern));
      } else {
        out += "Pattern";
      }
      return;
    case TypeKind::array: {
      const auto& array = type.as<puppet::ArrayType>();
      out += "Array";
      if (array.item->kind() != TypeKind::unit && (array.item != data_item_type() || array.size))
        parameters({&array.item, 1}, array.size);
      return;
    }
    case TypeKind::hash: {
      const auto& hash = type.as<puppet::HashType>();
      const bool usual = hash.key == data_key_type() && !hash.size;
      out += "Hash";
      if (hash.key->kind() == TypeKind::unit || (usual && hash.value == data_item_type())) return;
      const std::array<TypeRef, 2> both{hash.key, hash.value};
      return parameters(std::span(both).subspan(usual ? 1 : 0), hash.size);
    }
    case TypeKind::resource: {
      const auto& resource = type.as<puppet::ResourceType>();
      if (resource.name.starts_with(kProducer)) {
        out += "Producer[" + resource.name.substr(kProducer.size()) + ']';
        return;
      }
      out += resource.name.empty() ? "Resource" : puppet::capitalized_name(resource.name);
      if (resource.title) out += '[' + (encoded ? encoded_title(*resource.title) : *resource.title) + ']';
      return;
    }
    case TypeKind::structure: {
      out += "Struct";
      std::string_view separator = "[{";
      const std::vector<puppet::StructMember>& members = type.as<puppet::StructType>().members;
      for (const puppet::StructMember& member : members) {
        out += separator;
        separator = ", ";
        out += member.optional ? fmt::format("Optional[{}]", puppet::quote(member.name)) : puppet::quote(member.name);
        out += " => ";
        append_type(out, *member.type, encoded);
      }
      if (!members.empty()) out += "}]";
      return;
    }
    case TypeKind::type:
    case TypeKind::optional:
      out += bindings_name(type.kind());
      if (puppet::held(type) != nullptr) parameters({&puppet::held(type), 1}, {});
      return;
    case TypeKind::variant:
    case TypeKind::tuple: {
      const auto* tuple = type.get_if<puppet::TupleType>();
      const std::vector<TypeRef>& types = tuple != nullptr ? tuple->types : type.as<puppet::VariantType>().types;
      out += bindings_name(type.kind());
      if (!types.empty()) parameters(types, tuple != nullptr ? tuple->size : puppet::Size());
      return;
    }
    default:
      out += puppet::fingerprint(type);
      return;
  }
}

}  // namespace

std::string type_text(const Type& type) {
  std::string out;
  append_type(out, type, true);
  return out;
}

TypeRef producer_type(const TypeRef& held) {
  return puppet::resource_type(std::string(kProducer) + type_text(*held), std::nullopt, held);
}

bool is_producer_type(const Type& type) noexcept {
  const auto* resource = type.get_if<puppet::ResourceType>();
  return resource != nullptr && !resource->title &&
         (resource->name.starts_with(kProducer) || resource->name == kProducer.substr(0, kProducer.size() - 1));
}

std::string reference_text(const Type& type) {
  std::string out;
  append_type(out, type, false);
  return out;
}

std::string parameter_key(const Type& reference, std::string_view parameter) {
  return fmt::format("/param/{}/{}", type_text(reference), parameter);
}

std::optional<ParameterName> split_parameter(std::string_view key) {
  constexpr std::string_view kParam = "/param/";
  if (!key.starts_with(kParam)) return std::nullopt;
  key.remove_prefix(kParam.size());
  // Titles are encoded, so that a reference contains no slash.
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == key.size()) return std::nullopt;
  return ParameterName{key.substr(0, slash), key.substr(slash + 1)};
}

namespace {

std::optional<std::string_view> class_of_reference(std::string_view reference) {
  if (!reference.starts_with("Class[") || !reference.ends_with(']')) return std::nullopt;
  return reference.substr(6, reference.size() - 7);
}

}  // namespace

bool is_class_name(std::string_view name) {
  bool first = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == ':') {
      if (first || i + 2 >= name.size() || name[i + 1] != ':') return false;
      ++i;
      first = true;
      continue;
    }
    const bool letter = c >= 'a' && c <= 'z';
    if (!letter && (first || (!puppet::is_digit(c) && c != '_'))) return false;
    first = false;
  }
  return !name.empty() && !first;
}

std::optional<std::string> other_parameter_name(std::string_view name) {
  if (const auto parts = split_parameter(name)) {
    const auto class_name = class_of_reference(parts->reference);
    if (!class_name) return std::nullopt;
    return fmt::format("{}::{}", *class_name, parts->parameter);
  }
  const std::size_t at = name.rfind("::");
  if (at == std::string_view::npos || name.starts_with('/') || at + 2 == name.size() ||
      !is_class_name(name.substr(0, at)))
    return std::nullopt;
  return fmt::format("/param/Class[{}]/{}", name.substr(0, at), name.substr(at + 2));
}

std::optional<std::string> canonical_name(std::string_view name) {
  if (!name.starts_with('/')) return std::string(name);
  if (name == "/classes" || name == "/dependencies") return std::string(name);
  if (name.starts_with("/var/") && name.size() > 5) {
    std::string_view variable = name.substr(5);
    if (variable.starts_with("::")) variable.remove_prefix(2);
    if (variable.empty() || variable.find('/') != std::string_view::npos) return std::nullopt;
    return fmt::format("/var/{}", variable);
  }
  const auto reference = [](std::string_view text) -> std::optional<std::string> {
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos)
      return text.find(']') == std::string_view::npos ? std::optional(puppet::capitalized_name(text)) : std::nullopt;
    if (open == 0 || !text.ends_with(']')) return std::nullopt;
    const std::string head = puppet::capitalized_name(text.substr(0, open));
    const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
    return fmt::format("{}[{}]", head, head == "Class" ? class_name(inner) : std::string(inner));
  };
  if (const auto parts = split_parameter(name)) {
    const auto spelled = reference(parts->reference);
    return spelled ? std::optional(fmt::format("/param/{}/{}", *spelled, parts->parameter)) : std::nullopt;
  }
  if (name.starts_with("/map/")) {
    const std::string_view rest = name.substr(5);
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos || slash == 0 || slash + 1 == rest.size()) return std::nullopt;
    const auto left = reference(rest.substr(0, slash));
    const auto right = reference(rest.substr(slash + 1));
    if (!left || !right) return std::nullopt;
    return fmt::format("/map/{}/{}", *left, *right);
  }
  return std::nullopt;
}

namespace {

std::string decoded(std::string_view title) {
  constexpr std::array<std::pair<std::string_view, char>, 4> kEscapes{
      {{"%2F", '/'}, {"%5B", '['}, {"%5D", ']'}, {"%25", '%'}}};
  std::string out;
  for (std::size_t i = 0; i < title.size(); ++i) {
    char c = title[i];
    for (const auto& escape : kEscapes) {
      if (title.substr(i, 3) != escape.first) continue;
      c = escape.second;
      i += 2;
      break;
    }
    out += c;
  }
  return out;
}

}  // namespace

std::string regex_source(const Value& value) {
  const puppet::PatternObject* pattern = puppet::as_pattern(value);
  return pattern == nullptr ? std::string() : pattern->pattern();
}

std::string readable_reference(std::string_view reference) {
  if (const auto name = class_of_reference(reference)) return fmt::format("class {}", *name);
  const std::size_t open = reference.find('[');
  if (open == std::string_view::npos || !reference.ends_with(']')) return std::string(reference);
  return fmt::format("{}[{}]", reference.substr(0, open),
                     puppet::quote(decoded(reference.substr(open + 1, reference.size() - open - 2))));
}

std::string readable_key(std::string_view type, std::string_view name) {
  if (!type.empty()) return name.empty() ? std::string(type) : fmt::format("({}, '{}')", type, name);
  if (const auto parts = split_parameter(name))
    return fmt::format("parameter '{}' of {}", parts->parameter, readable_reference(parts->reference));
  if (name.starts_with("/var/")) return fmt::format("variable ${}", name.substr(5));
  if (name.starts_with("/map/")) {
    const std::string_view rest = name.substr(5);
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos) {
      return fmt::format("map of {} to {}", readable_reference(rest.substr(0, slash)),
                         readable_reference(rest.substr(slash + 1)));
    }
  }
  if (name == "/classes") return "list of classes";
  if (name == "/dependencies") return "list of dependencies";
  return fmt::format("'{}'", name);
}

}  // namespace strata::bindings
