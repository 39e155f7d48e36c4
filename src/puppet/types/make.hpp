// Makes types. All types are made here, so that equal types have equal structure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/puppet.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {

/// A kind without parameters; shared.
[[nodiscard]] const TypeRef& plain(TypeKind kind);
/// ^The type of an alias: `Data`, `RichData`, `RichDataKey`; `Bindings::Data`, `…::Item` and `…::Key`, which cannot be written in a text.
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
[[nodiscard]] TypeRef array_type(TypeRef item, const std::optional<IntegerRange>& size = {});
[[nodiscard]] TypeRef hash_type(TypeRef key, TypeRef value, const std::optional<IntegerRange>& size = {});
[[nodiscard]] TypeRef tuple_type(std::vector<TypeRef> types, const std::optional<IntegerRange>& size = {});
[[nodiscard]] TypeRef struct_type(std::vector<StructMember> members);
/// The types without duplicates, with nested Variants flattened. A single type is returned as it is.
[[nodiscard]] TypeRef variant_type(const std::vector<TypeRef>& types);
/// optional, not_undef, iterable, iterator, type or sensitive of another type.
[[nodiscard]] TypeRef holder_type(TypeKind kind, TypeRef held);
/// A copy with these parts.
[[nodiscard]] TypeRef with_parts(const Type& type, std::vector<TypeRef> parts);

/// The allowed sizes of a tuple, or of a Callable's parameters.
[[nodiscard]] IntegerRange tuple_size(const Type& tuple);
/// The size of a collection or string, or any.
[[nodiscard]] IntegerRange size_of(const Type& type);
/// The inner type of a kind that has one. Null if there is none.
[[nodiscard]] const Type* held(const Type& type) noexcept;
[[nodiscard]] bool is_plain(const Type& type);
/// As to_string, with everything that distinguishes types.
[[nodiscard]] std::string fingerprint(const Type& type);
/// The type after Puppet's simplification for messages: `NotUndef[Integer]` is `Integer`, ranges of a Variant are joined, ….
[[nodiscard]] TypeRef normalize(const TypeRef& type);
/// The common type of two types, as Puppet finds it for the items of an array.
[[nodiscard]] TypeRef common_type(const TypeRef& left, const TypeRef& right);

/// The members of a Struct by name.
using MemberIndex = TextViewMap<const StructMember*>;
[[nodiscard]] MemberIndex index_members(const Type& structure);

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

}  // namespace strata::puppet
