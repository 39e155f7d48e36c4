// SPDX-License-Identifier: Apache-2.0
#include "bindings/types/type_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bindings/types/names.hpp"
#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/parameters.hpp"
#include "strata/report.hpp"
#include "strata/scalar_text.hpp"

namespace strata::bindings {
namespace {

using puppet::as;
using puppet::Node;
using puppet::Parameter;
using puppet::plain;
using puppet::TypeKind;
using PKind = Parameter::Kind;

struct Named {
  std::string_view name;
  TypeKind kind;
};

/// The table of 17. `Data` is itself.
constexpr std::array kNamed = {
    Named{"Any", TypeKind::any},
    Named{"Object", TypeKind::any},
    Named{"Data", TypeKind::alias},
    Named{"Literal", TypeKind::scalar_data},
    Named{"Scalar", TypeKind::scalar_data},
    Named{"Number", TypeKind::numeric},
    Named{"Numeric", TypeKind::numeric},
    Named{"Integer", TypeKind::integer},
    Named{"Float", TypeKind::floating},
    Named{"Boolean", TypeKind::boolean},
    Named{"String", TypeKind::string},
    Named{"Pattern", TypeKind::regexp},
    Named{"Regexp", TypeKind::regexp},
    Named{"Array", TypeKind::array},
    Named{"Hash", TypeKind::hash},
    Named{"Collection", TypeKind::collection},
    Named{"Class", TypeKind::host_class},
    Named{"Resource", TypeKind::catalog_entry},
    Named{"Type", TypeKind::type},
    Named{"Enum", TypeKind::enumeration},
    Named{"Variant", TypeKind::variant},
    Named{"Optional", TypeKind::optional},
    Named{"Tuple", TypeKind::tuple},
    Named{"Struct", TypeKind::structure},
    Named{"Undef", TypeKind::undef},
};

std::optional<TypeKind> named(std::string_view name) {
  for (const Named& one : kNamed) {
    if (puppet::same_letters(one.name, name)) return one.kind;
  }
  return std::nullopt;
}

/// As an item of a container, where undef may stand.
const TypeRef& as_item(const TypeRef& type) { return type == data_type() ? data_item_type() : type; }

/// A part of a container, as bindings mean it: keys are always Literals that Data has, items may be undef. Omitted
/// parts are Data.
TypeRef as_part(const Type& container, std::size_t index, const TypeRef& type, bool is_written) {
  const bool key = container.kind() == TypeKind::hash && index == 0;
  if (key) return type->kind() == TypeKind::scalar_data || type->kind() == TypeKind::any ? data_key_type() : type;
  return type->kind() == TypeKind::any && !is_written ? data_item_type() : as_item(type);
}

/// A Struct whose members may be undef where they are Data.
template <class Convert>
TypeRef with_data_members(const Type& structure, const Convert& convert) {
  std::vector<puppet::StructMember> members;
  for (const puppet::StructMember& member : structure.as<puppet::StructType>().members)
    members.push_back({member.name, member.optional, as_item(convert(member.type))});
  return puppet::struct_type(std::move(members));
}

TypeRef plain_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::alias:
      return data_type();
    case TypeKind::array:
      return puppet::array_type(data_item_type());
    case TypeKind::hash:
      return puppet::hash_type(data_key_type(), data_item_type());
    default:
      return plain(kind);
  }
}

/// Thrown where a part is not a constant and cannot be evaluated.
struct NotConstant {};

class TypeReader {
 public:
  TypeReader(const Sources& sources, const EvaluatePart& evaluate, const Limits& limits)
      : sources_(sources), evaluate_(evaluate), limits_(limits) {}

  // Recursion: bounded by `depth`.
  TypeRef type(const Expression& expression, std::size_t depth) {
    bound(expression, depth);
    if (expression.node == Node::type_name) {
      const std::string_view name = as<puppet::TypeName>(expression).name;
      if (const auto kind = named(name)) return plain_of(*kind);
      return resource_type(name);
    }
    if (expression.node != Node::access || as<puppet::Access>(expression).target->node != Node::type_name) {
      throw Error("bindings.typeref", "expected a type, found an expression").at(sources_, expression.origin);
    }
    const auto& access = as<puppet::Access>(expression);
    const std::string_view name = as<puppet::TypeName>(*access.target).name;
    const auto kind = named(name);
    if (!kind) return instance(name, access);
    try {
      return parametric(*kind, name, access, depth);
    } catch (const Error& error) {
      if (!error.diagnostic().where.place.file.empty()) throw;
      // Messages about a type name its parts.
      if (has_secret_)
        throw Error(error.code(), "the type is invalid; it comes from a secret and is not shown")
            .at(sources_, expression.origin);
      throw Error(error.diagnostic()).at(sources_, expression.origin);
    }
  }

 private:
  void bound(const Expression& expression, std::size_t depth) const {
    if (depth < std::min<std::size_t>(limits_.depth, kDeepest)) return;
    throw Error("limit.depth", "a type nests too deeply").at(sources_, expression.origin);
  }

  /// A text, where it is a constant; evaluated otherwise.
  Value value_of(const Expression& expression) {
    if (expression.node == Node::literal) return as<puppet::Literal>(expression).value;
    if (expression.node == Node::word) return as<puppet::Word>(expression).value;
    if (!evaluate_) throw NotConstant{};
    const Value value = evaluate_(expression);
    has_secret_ = has_secret_ || report::holds_secret(value);
    return value;
  }

  std::string title_of(const Expression& expression) {
    if (expression.node == Node::type_name) return std::string(as<puppet::TypeName>(expression).name);
    const Value value = value_of(expression);
    if (value.is_text()) return std::string(value.text());
    if (value.is_container() || value.kind() == Kind::object || value.is_null() || !value) {
      throw Error("bindings.typeref", "the title of a reference must be a text").at(sources_, expression.origin);
    }
    return scalar_text(value);
  }

  TypeRef instance(std::string_view name, const puppet::Access& access) {
    if (access.keys.size() != 1) {
      throw Error("bindings.typeref", fmt::format("{}[…] takes one title, not {}", name, access.keys.size()))
          .at(sources_, access.origin);
    }
    const std::string title = title_of(*access.keys[0]);
    return resource_type(name, &title);
  }

  TypeRef parametric(TypeKind kind, std::string_view name, const puppet::Access& access, std::size_t depth) {
    const auto keys = access.keys;
    switch (kind) {
      case TypeKind::array:
        if (keys.size() == 1) return puppet::array_type(as_item(type(*keys[0], depth + 1)));
        break;
      case TypeKind::hash:
        if (keys.size() == 1) return puppet::hash_type(data_key_type(), as_item(type(*keys[0], depth + 1)));
        break;
      case TypeKind::host_class:
        if (keys.size() != 1)
          throw Error("bindings.typeref", fmt::format("Class takes one name, not {}", keys.size()))
              .at(sources_, access.origin);
        return class_of(*keys[0]);
      case TypeKind::type:
        if (keys.size() != 1)
          throw Error("bindings.typeref", fmt::format("Type takes one type, not {}", keys.size()))
              .at(sources_, access.origin);
        return runtime(*keys[0], depth + 1);
      case TypeKind::regexp:
        if (keys.size() == 1 && keys[0]->node != Node::regex) return puppet::regexp_type(title_of(*keys[0]));
        kind = TypeKind::pattern;
        break;
      case TypeKind::alias:
      case TypeKind::any:
      case TypeKind::scalar_data:
      case TypeKind::numeric:
      case TypeKind::collection:
      case TypeKind::undef:
      case TypeKind::catalog_entry:
        throw Error("bindings.typeref", fmt::format("{} takes no parameters", name)).at(sources_, access.origin);
      default:
        break;
    }
    std::vector<Parameter> parameters;
    for (const Expression* key : keys) parameters.push_back(parameter(*key, depth + 1));
    TypeRef made = puppet::with_parameters(*plain(kind), parameters, fmt::format("the parameters of {}", name));
    if (made->kind() == TypeKind::structure)
      return with_data_members(*made, [](const TypeRef& member) { return member; });
    if (made->kind() != TypeKind::array && made->kind() != TypeKind::hash && made->kind() != TypeKind::tuple)
      return made;
    const auto written = static_cast<std::size_t>(
        std::find_if(parameters.begin(), parameters.end(), [](const Parameter& one) { return one.type == nullptr; }) -
        parameters.begin());
    std::size_t index = 0;
    return puppet::change_parts(made, [&](const TypeRef& part) {
      const std::size_t at = index++;
      return as_part(*made, at, part, at < written);
    });
  }

  TypeRef class_of(const Expression& expression) {
    const std::string name = title_of(expression);
    if (puppet::same_letters(name, "class")) {
      throw Error("bindings.typeref", "a class cannot be called 'class'").at(sources_, expression.origin);
    }
    return class_type(name);
  }

  /// The content of `Type[…]`: `Producer[T]` differs from the resource types.
  TypeRef runtime(const Expression& expression, std::size_t depth) {
    if (expression.node == Node::literal || expression.node == Node::word) {
      return puppet::holder_type(TypeKind::type, resource_type(title_of(expression)));
    }
    if (expression.node == Node::access) {
      const auto& access = as<puppet::Access>(expression);
      if (access.target->node == Node::type_name && as<puppet::TypeName>(*access.target).name == "Producer" &&
          access.keys.size() == 1) {
        return puppet::holder_type(TypeKind::type, producer_type(type(*access.keys[0], depth + 1)));
      }
    }
    return puppet::holder_type(TypeKind::type, type(expression, depth + 1));
  }

  // Recursion: bounded by `depth`.
  Parameter parameter(const Expression& expression, std::size_t depth) {
    bound(expression, depth);
    Parameter out;
    out.place = "its place";
    switch (expression.node) {
      case Node::type_name:
      case Node::access:
        out.type = type(expression, depth);
        return out;
      case Node::default_word:
        out.kind = PKind::default_word;
        return out;
      case Node::regex:
        out.kind = PKind::regex;
        out.text = regex_source(as<puppet::RegexLiteral>(expression).value);
        return out;
      case Node::list:
        out.kind = PKind::list;
        for (const Expression* item : as<puppet::List>(expression).items)
          out.items.push_back(parameter(*item, depth + 1));
        return out;
      case Node::hash:
        out.kind = PKind::hash;
        for (const puppet::HashEntry& entry : as<puppet::Hash>(expression).entries) {
          out.items.push_back(parameter(*entry.key, depth + 1));
          out.items.push_back(parameter(*entry.value, depth + 1));
        }
        return out;
      case Node::unary:
        if (as<puppet::Unary>(expression).operation == puppet::UnaryOperator::negate &&
            as<puppet::Unary>(expression).operand->node == Node::literal) {
          return negated(as<puppet::Literal>(*as<puppet::Unary>(expression).operand).value, expression);
        }
        [[fallthrough]];
      default:
        return of_value(value_of(expression), expression);
    }
  }

  Parameter negated(const Value& value, const Expression& expression) {
    Parameter out = of_value(value, expression);
    out.text = "-" + out.text;
    out.number = -out.number;
    return out;
  }

  Parameter of_value(const Value& value, const Expression& expression) {
    Parameter out;
    out.place = "its place";
    switch (value.kind()) {
      case Kind::text:
        out.kind = PKind::text;
        out.text = std::string(value.text());
        return out;
      case Kind::integer:
      case Kind::big_integer:
        out.kind = PKind::integer;
        out.text = scalar_text(value);
        return out;
      case Kind::floating:
        out.kind = PKind::floating;
        out.number = value.as_floating();
        return out;
      case Kind::boolean:
        out.kind = PKind::boolean;
        out.truth = value.as_boolean();
        return out;
      case Kind::null:
        out.kind = PKind::undef;
        return out;
      case Kind::object:
        if (const puppet::TypeObject* object = puppet::as_type(value)) {
          out.type = from_language(object->type());
          return out;
        }
        [[fallthrough]];
      default:
        throw Error("bindings.typeref", "this cannot be a parameter of a type").at(sources_, expression.origin);
    }
  }

  static constexpr std::size_t kDeepest = 200;
  const Sources& sources_;
  const EvaluatePart& evaluate_;
  const Limits& limits_;
  bool has_secret_ = false;  ///< One of the parts so far.
};

}  // namespace

const TypeRef& data_type() { return puppet::alias_type("Bindings::Data"); }
const TypeRef& data_key_type() { return puppet::alias_type("Bindings::Key"); }
const TypeRef& data_item_type() { return puppet::alias_type("Bindings::Item"); }

TypeRef class_type(std::string_view name) { return puppet::class_type(class_name(name)); }

TypeRef resource_type(std::string_view name, const std::string* title) {
  return puppet::resource_type(puppet::capitalized_name(name), title == nullptr ? std::nullopt : std::optional(*title));
}

bool has_parameters(const Type& type) noexcept {
  if (const auto* of_class = type.get_if<puppet::ClassType>()) return of_class->name.has_value();
  return type.kind() == TypeKind::resource || (type.kind() == TypeKind::type && puppet::held(type) != nullptr);
}

std::string runtime_name(const Type& type) {
  const bool is_held = type.kind() == TypeKind::type && puppet::held(type) != nullptr;
  const auto* resource = (is_held ? *puppet::held(type) : type).get_if<puppet::ResourceType>();
  return resource == nullptr || resource->title || resource->produced != nullptr ? std::string() : resource->name;
}

bool is_reserved(std::string_view name) { return named(name).has_value(); }

TypeRef read_type(const Sources& sources, const Expression& expression, const EvaluatePart& evaluate,
                  const Limits& limits) {
  try {
    return TypeReader(sources, evaluate, limits).type(expression, 0);
  } catch (const NotConstant&) {
    return nullptr;
  }
}

TypeRef read_type(const Sources& sources, const TypeReference& reference, const EvaluatePart& evaluate,
                  const Limits& limits) {
  if (!reference.is_class_name) return read_type(sources, *reference.expression, evaluate, limits);
  const Expression& name = *reference.expression;
  const Value& value = name.node == Node::word ? as<puppet::Word>(name).value : as<puppet::Literal>(name).value;
  if (puppet::same_letters(value.text(), "class")) {
    throw Error("bindings.typeref", "a class cannot be called 'class'").at(sources, reference.origin);
  }
  return class_type(value.text());
}

bool has_form_of_type(const Expression& expression) noexcept {
  if (expression.node == Node::type_name) return true;
  return expression.node == Node::access && as<puppet::Access>(expression).target->node == Node::type_name;
}

// Recursion: a type nests as deep as the expression that it was made of.
TypeRef from_language(const TypeRef& type) {
  switch (type->kind()) {
    case TypeKind::alias:
      return type->as<puppet::AliasType>().name == "Data" ? data_type() : type;
    case TypeKind::pattern:
      return type->as<puppet::PatternType>().patterns.empty() ? plain(TypeKind::regexp) : type;
    case TypeKind::scalar:
      return plain(TypeKind::scalar_data);
    case TypeKind::resource: {
      const auto& resource = type->as<puppet::ResourceType>();
      if (resource.name.empty()) return plain(TypeKind::catalog_entry);
      const auto kind = resource.title ? std::nullopt : named(resource.name);
      return kind ? plain_of(*kind) : type;
    }
    case TypeKind::structure:
      return with_data_members(*type, [](const TypeRef& member) { return from_language(member); });
    case TypeKind::array:
    case TypeKind::hash:
    case TypeKind::variant:
    case TypeKind::optional:
    case TypeKind::tuple:
    case TypeKind::type: {
      if (type == plain(type->kind())) return plain_of(type->kind());
      const bool container = type->kind() == TypeKind::array || type->kind() == TypeKind::hash;
      std::size_t index = 0;
      return puppet::change_parts(type, [&](const TypeRef& part) {
        TypeRef inner = from_language(part);
        return container || type->kind() == TypeKind::tuple ? as_part(*type, index++, inner, !container) : inner;
      });
    }
    default:
      return type;
  }
}

}  // namespace strata::bindings
