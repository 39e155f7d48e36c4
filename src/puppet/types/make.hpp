// Makes types. Every type comes from here, so that equal ones look alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/puppet.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {

/// A kind without parameters; shared.
[[nodiscard]] const TypeRef& plain(TypeKind kind);
/// The type of a name that stands for another: `Data`, `RichData`, `RichDataKey`; `Bindings::Data`, `…::Item` and `…::Key`, which no text can write.
[[nodiscard]] const TypeRef& alias_type(std::string_view name);
/// What an alias stands for.
[[nodiscard]] const Type& resolved(const Type& alias);

/// How much a type holds: itself, its parts with theirs and its texts, counted as if written out; how deep they nest.
struct TypeWeight {
  std::size_t nodes = 0;
  std::size_t depth = 0;
};
/// Counting ends once there are more than so many nodes or levels.
[[nodiscard]] TypeWeight weigh_type(const Type& type, std::size_t most_nodes, std::size_t most_depth);

/// Bounds; throws `puppet.type` where they are the wrong way round.
[[nodiscard]] IntegerRange make_range(std::optional<Integer> from, std::optional<Integer> to);
/// A range as a size: not below 0.
[[nodiscard]] IntegerRange size_range(const IntegerRange& range);
[[nodiscard]] IntegerRange exactly(std::size_t size);

[[nodiscard]] TypeRef integer_type(IntegerRange range);
/// Throws `puppet.type` where the bounds are the wrong way round.
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
/// Of the types, each once, Variants among them taken apart; one alone is that one.
[[nodiscard]] TypeRef variant_type(const std::vector<TypeRef>& types);
/// optional, not_undef, iterable, iterator, type or sensitive of another.
[[nodiscard]] TypeRef holder_type(TypeKind kind, TypeRef held);
/// A copy with these parts.
[[nodiscard]] TypeRef with_parts(const Type& type, std::vector<TypeRef> parts);

/// The sizes that a tuple, or a Callable's parameters, may have.
[[nodiscard]] IntegerRange tuple_size(const Type& tuple);
/// The size of a collection or string, or any.
[[nodiscard]] IntegerRange size_of(const Type& type);
/// What a kind that holds one type holds; null pointer for nothing.
[[nodiscard]] const Type* held(const Type& type) noexcept;
[[nodiscard]] bool is_plain(const Type& type);
/// As to_string, with everything that tells types apart.
[[nodiscard]] std::string fingerprint(const Type& type);
/// The type with what Puppet takes out before it compares for a message: `NotUndef[Integer]` is `Integer`, ranges of a Variant are joined, ….
[[nodiscard]] TypeRef normalize(const TypeRef& type);
/// What both fit in, as Puppet finds it for the items of an array.
[[nodiscard]] TypeRef common_type(const TypeRef& left, const TypeRef& right);

/// The members of a Struct by name.
using MemberIndex = TextViewMap<const StructMember*>;
[[nodiscard]] MemberIndex index_members(const Type& structure);

/// Whether what is of this type can be gone through.
[[nodiscard]] bool is_iterable(const Type& type);
/// What going through it gives; a null pointer for anything, or where it cannot be said.
struct IterationItem {
  bool known = false;
  TypeRef item;
};
[[nodiscard]] IterationItem iteration_item(const Type& type);

/// Characters of a text, as Ruby counts them.
[[nodiscard]] std::size_t character_count(std::string_view text) noexcept;

}  // namespace strata::puppet
