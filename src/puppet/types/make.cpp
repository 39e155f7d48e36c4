// SPDX-License-Identifier: Apache-2.0
#include "puppet/types/make.hpp"

#include <algorithm>

#include "puppet/characters.hpp"
#include "puppet/types/pattern.hpp"
#include "strata/error.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {
namespace {

template <class S>
TypeRef share(S shape) {
  return std::make_shared<const Type>(std::move(shape));
}

/// As a collection has it: not below 0.
Size bounded(const Size& size) { return size ? Size(size_range(*size)) : std::nullopt; }

/// Whether it makes the types of items pointless.
bool allows_none(const Size& size) { return size && size->from == Integer(0) && size->to == Integer(0); }

// Recursion: bounded by `most_depth`.
void weigh_into(const Type& type, std::size_t depth, std::size_t most_nodes, std::size_t most_depth, TypeWeight& out) {
  out.depth = std::max(out.depth, depth);
  if (++out.nodes > most_nodes || depth > most_depth) return;
  for_each_part(type, [&](const TypeRef& part) {
    if (out.nodes <= most_nodes && out.depth <= most_depth) weigh_into(*part, depth + 1, most_nodes, most_depth, out);
  });
}

std::size_t text_count(const Type& type) noexcept {
  if (const auto* enumeration = type.get_if<EnumType>()) return enumeration->texts.size();
  if (const auto* pattern = type.get_if<PatternType>()) return pattern->patterns.size();
  const auto* resource = type.get_if<ResourceType>();
  return resource == nullptr || resource->name.empty() ? 0 : resource->title ? 2 : 1;
}

}  // namespace

TypeWeight weigh_type(const Type& type, std::size_t most_nodes, std::size_t most_depth) {
  TypeWeight out;
  weigh_into(type, 1, most_nodes, most_depth, out);
  out.nodes += text_count(type);
  return out;
}

IntegerRange make_range(std::optional<Integer> from, std::optional<Integer> to) {
  if (from && to && *to < *from)
    throw Error("puppet.type", "a range from " + from->to_string() + " to " + to->to_string() + " has no members")
        .hint("give the lower bound first");
  return {std::move(from), std::move(to)};
}

IntegerRange size_range(const IntegerRange& range) {
  if (range.from && *range.from >= Integer(0)) return range;
  if (range.to && *range.to < Integer(0)) return {Integer(0), Integer(0)};
  return {Integer(0), range.to};
}

IntegerRange exactly(std::size_t size) {
  const Integer number(static_cast<std::int64_t>(size));
  return {number, number};
}

TypeRef integer_type(IntegerRange range) { return share(IntegerType{std::move(range)}); }

TypeRef float_type(double from, double to) {
  if (from > to)
    throw Error("puppet.type", "the bounds of a Float are the wrong way round").hint("give the lower bound first");
  return share(FloatType{from, to});
}

TypeRef boolean_type(bool value) { return share(BooleanType{value}); }

TypeRef string_type(const IntegerRange& size) { return share(StringType{size_range(size)}); }

TypeRef literal_type(std::string text) { return share(LiteralType{std::move(text)}); }

TypeRef enum_type(std::vector<std::string> texts, bool ignore_case) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return share(EnumType{std::move(texts), ignore_case});
}

TypeRef pattern_type(std::vector<std::string> patterns) {
  PatternType out;
  TextSet seen;
  for (std::string& pattern : patterns) {
    if (!seen.insert(pattern).second) continue;
    auto regex = compile_pattern(pattern);
    out.patterns.push_back({std::move(pattern), std::move(regex)});
  }
  return share(std::move(out));
}

TypeRef regexp_type(std::string pattern) {
  compile_pattern(pattern);  // To find what is wrong with it.
  return share(RegexpType{std::move(pattern)});
}

TypeRef collection_type(const IntegerRange& size) { return share(CollectionType{size_range(size)}); }

TypeRef array_type(TypeRef item, const Size& size) {
  if (allows_none(size)) item = plain(TypeKind::unit);
  return share(ArrayType{std::move(item), bounded(size)});
}

TypeRef hash_type(TypeRef key, TypeRef value, const Size& size) {
  if (allows_none(size)) key = value = plain(TypeKind::unit);
  return share(HashType{std::move(key), std::move(value), bounded(size)});
}

TypeRef tuple_type(std::vector<TypeRef> types, const Size& size) {
  return share(TupleType{std::move(types), bounded(size)});
}

TypeRef struct_type(std::vector<StructMember> members) { return share(StructType{std::move(members)}); }

TypeRef variant_type(const std::vector<TypeRef>& types) {
  VariantType out;
  TextSet seen;
  const auto add = [&](const TypeRef& one) {
    if (seen.insert(fingerprint(*one)).second) out.types.push_back(one);
  };
  for (const TypeRef& one : types) {
    if (one->kind() != TypeKind::variant) {
      add(one);
    } else {
      for (const TypeRef& part : one->as<VariantType>().types) add(part);
    }
  }
  return out.types.size() == 1 ? out.types.front() : share(std::move(out));
}

TypeRef holder_type(TypeKind kind, TypeRef held) {
  if (kind == TypeKind::not_undef && held->kind() == TypeKind::any) return plain(kind);
  if (kind == TypeKind::sensitive) held = generalize(held);
  return share(HolderType{kind, std::move(held)});
}

TypeRef callable_type(CallableType::Signature signature) { return share(CallableType{std::move(signature)}); }

TypeRef class_type(std::string name) { return share(ClassType{std::move(name)}); }

TypeRef resource_type(std::string name, std::optional<std::string> title, TypeRef produced) {
  return share(ResourceType{std::move(name), std::move(title), std::move(produced)});
}

TypeRef change_parts(const TypeRef& type, const std::function<TypeRef(const TypeRef&)>& change) {
  bool changed = false;
  const auto next = [&](const TypeRef& part) -> TypeRef {
    if (part == nullptr) return nullptr;
    TypeRef out = change(part);
    changed = changed || out != part;
    return out;
  };
  const auto each = [&](const std::vector<TypeRef>& parts) {
    std::vector<TypeRef> out;
    out.reserve(parts.size());
    for (const TypeRef& part : parts) out.push_back(next(part));
    return out;
  };
  const auto made = [&](auto shape) { return changed ? share(std::move(shape)) : type; };
  // The parts of braces are made in their order.
  if (const auto* array = type->get_if<ArrayType>()) return made(ArrayType{next(array->item), array->size});
  if (const auto* hash = type->get_if<HashType>())
    return made(HashType{next(hash->key), next(hash->value), hash->size});
  if (const auto* tuple = type->get_if<TupleType>()) return made(TupleType{each(tuple->types), tuple->size});
  if (const auto* variant = type->get_if<VariantType>()) return made(VariantType{each(variant->types)});
  if (const auto* holder = type->get_if<HolderType>()) return made(HolderType{holder->kind, next(holder->held)});
  if (const auto* structure = type->get_if<StructType>()) {
    StructType out;
    out.members.reserve(structure->members.size());
    for (const StructMember& member : structure->members)
      out.members.push_back({member.name, member.optional, next(member.type)});
    return made(std::move(out));
  }
  if (const auto* resource = type->get_if<ResourceType>(); resource != nullptr && resource->produced != nullptr)
    return made(ResourceType{resource->name, resource->title, next(resource->produced)});
  if (const auto* callable = type->get_if<CallableType>(); callable != nullptr && callable->signature) {
    const CallableType::Signature& signature = *callable->signature;
    return made(CallableType{
        CallableType::Signature{next(signature.parameters), next(signature.block), next(signature.result)}});
  }
  return type;
}

IntegerRange tuple_size(const TupleType& tuple) {
  if (tuple.size) return *tuple.size;
  if (tuple.types.empty()) return {Integer(0), std::nullopt};
  return exactly(tuple.types.size());
}

IntegerRange size_of(const Size& size) { return size ? *size : IntegerRange{Integer(0), std::nullopt}; }

bool is_in(const EnumType& type, std::string_view text) {
  if (!type.ignores_case) return std::binary_search(type.texts.begin(), type.texts.end(), text);
  return std::any_of(type.texts.begin(), type.texts.end(),
                     [&](const std::string& one) { return same_letters(one, text); });
}

bool is_resource_of(const ResourceType& wide, const ResourceType& narrow) {
  if (wide.name.empty()) return true;
  return same_letters(wide.name, narrow.name) && (!wide.title || wide.title == narrow.title);
}

MemberIndex index_members(const StructType& structure) {
  MemberIndex out;
  for (const StructMember& member : structure.members) out.emplace(member.name, &member);
  return out;
}

std::size_t character_count(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace strata::puppet
