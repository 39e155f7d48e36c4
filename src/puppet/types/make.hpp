// SPDX-License-Identifier: Apache-2.0
// Makes types. All types are made here, so that equal types have equal structure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/types/type.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {

/// The type of a kind without parameters; shared. Not for aliases.
[[nodiscard]] const TypeRef& plain(TypeKind kind);
/// ^The type of an alias: `Data`, `RichData`, `RichDataKey`; `Bindings::Data`, `…::Item` and `…::Key`, which cannot be
/// written in a text.
[[nodiscard]] const TypeRef& alias_type(std::string_view name);
/// The target of an alias.
[[nodiscard]] const Type& resolved(const Type& alias);

/// The size of a type: its nodes and texts, counted as if written out, and its depth.
struct TypeWeight {
  std::size_t nodes = 0;
  std::size_t depth = 0;
};
/// Stops counting beyond these numbers of nodes or levels.
[[nodiscard]] TypeWeight weigh_type(const Type& type, std::size_t most_nodes, std::size_t most_depth);

/// Bounds. Throws `puppet.type` if they are reversed.
[[nodiscard]] IntegerRange make_range(std::optional<Integer> from, std::optional<Integer> to);
/// A range as a size: not below 0.
[[nodiscard]] IntegerRange size_range(const IntegerRange& range);
[[nodiscard]] IntegerRange exactly(std::size_t size);

[[nodiscard]] TypeRef integer_type(IntegerRange range);
/// Throws `puppet.type` if the bounds are reversed.
[[nodiscard]] TypeRef float_type(double from, double to);
[[nodiscard]] TypeRef boolean_type(bool value);
[[nodiscard]] TypeRef string_type(const IntegerRange& size);
[[nodiscard]] TypeRef literal_type(std::string text);
[[nodiscard]] TypeRef enum_type(std::vector<std::string> texts, bool ignore_case = false);
/// Throws `regex.syntax`.
[[nodiscard]] TypeRef pattern_type(std::vector<std::string> patterns);
[[nodiscard]] TypeRef regexp_type(std::string pattern);
[[nodiscard]] TypeRef collection_type(const IntegerRange& size);
[[nodiscard]] TypeRef array_type(TypeRef item, const Size& size = {});
[[nodiscard]] TypeRef hash_type(TypeRef key, TypeRef value, const Size& size = {});
[[nodiscard]] TypeRef tuple_type(std::vector<TypeRef> types, const Size& size = {});
[[nodiscard]] TypeRef struct_type(std::vector<StructMember> members);
/// The types without duplicates, with nested Variants flattened. A single type is returned as it is.
[[nodiscard]] TypeRef variant_type(const std::vector<TypeRef>& types);
/// optional, not_undef, iterable, iterator, type or sensitive of another type.
[[nodiscard]] TypeRef holder_type(TypeKind kind, TypeRef held);
[[nodiscard]] TypeRef callable_type(CallableType::Signature signature);
[[nodiscard]] TypeRef class_type(std::string name);
[[nodiscard]] TypeRef resource_type(std::string name, std::optional<std::string> title = {}, TypeRef produced = {});

/// Calls `use` with each type that a type holds, in order: the item of an Array, the key and the value of a Hash, the
/// types of members, ….
template <class Use>
void for_each_part(const Type& type, const Use& use);
/// The type with each type that it holds replaced by the result of `change`, called in the order of `for_each_part`.
/// `type` itself if none changed.
[[nodiscard]] TypeRef change_parts(const TypeRef& type, const std::function<TypeRef(const TypeRef&)>& change);

/// The allowed sizes of a tuple, or of a Callable's parameters.
[[nodiscard]] IntegerRange tuple_size(const TupleType& tuple);
/// The size, or any.
[[nodiscard]] IntegerRange size_of(const Size& size);
/// The inner type of an Optional, NotUndef, Iterable, Iterator, Type or Sensitive. Null if none was given.
[[nodiscard]] inline const TypeRef& held(const Type& type) noexcept { return type.as<HolderType>().held; }
/// The text of a String of one text. Null for all other types.
[[nodiscard]] inline const std::string* literal_text(const Type& type) noexcept {
  const auto* literal = type.get_if<LiteralType>();
  return literal == nullptr ? nullptr : &literal->text;
}
[[nodiscard]] bool is_plain(const Type& type);
/// As to_string, with everything that distinguishes types.
[[nodiscard]] std::string fingerprint(const Type& type);
/// The type after Puppet's simplification for messages: `NotUndef[Integer]` is `Integer`, ranges of a Variant are
/// joined, ….
[[nodiscard]] TypeRef normalize(const TypeRef& type);
/// The common type of two types, as Puppet finds it for the items of an array.
[[nodiscard]] TypeRef common_type(const TypeRef& left, const TypeRef& right);

/// Whether an Enum has a text. Not for an Enum without texts, which has all.
[[nodiscard]] bool is_in(const EnumType& type, std::string_view text);
/// Whether every resource of `narrow` is one of `wide`.
[[nodiscard]] bool is_resource_of(const ResourceType& wide, const ResourceType& narrow);

/// The members of a Struct by name.
using MemberIndex = TextViewMap<const StructMember*>;
[[nodiscard]] MemberIndex index_members(const StructType& structure);

/// Whether values of this type can be iterated.
[[nodiscard]] bool is_iterable(const Type& type);
/// The type of the items in an iteration. Null for any, or if it is unknown.
struct IterationItem {
  bool known = false;
  TypeRef item;
};
[[nodiscard]] IterationItem iteration_item(const Type& type);

/// Number of characters of a text, as Ruby counts them.
[[nodiscard]] std::size_t character_count(std::string_view text) noexcept;
/// The length of a string. Bytes are as many characters.
[[nodiscard]] inline std::size_t string_length(const Value& string) noexcept {
  return string.is_text() ? character_count(string.text()) : string.text().size();
}

template <class Use>
void for_each_part(const Type& type, const Use& use) {
  const auto given = [&use](const TypeRef& part) {
    if (part != nullptr) use(part);
  };
  const auto each = [&use](const std::vector<TypeRef>& parts) {
    for (const TypeRef& part : parts) use(part);
  };
  switch (type.kind()) {
    case TypeKind::array:
      return use(type.as<ArrayType>().item);
    case TypeKind::hash:
      use(type.as<HashType>().key);
      return use(type.as<HashType>().value);
    case TypeKind::structure:
      for (const StructMember& member : type.as<StructType>().members) use(member.type);
      return;
    case TypeKind::tuple:
      return each(type.as<TupleType>().types);
    case TypeKind::variant:
      return each(type.as<VariantType>().types);
    case TypeKind::optional:
    case TypeKind::not_undef:
    case TypeKind::iterable:
    case TypeKind::iterator:
    case TypeKind::type:
    case TypeKind::sensitive:
      return given(held(type));
    case TypeKind::callable:
      if (const auto& signature = type.as<CallableType>().signature) {
        given(signature->parameters);
        given(signature->block);
        given(signature->result);
      }
      return;
    case TypeKind::resource:
      return given(type.as<ResourceType>().produced);
    default:
      return;
  }
}

}  // namespace strata::puppet
