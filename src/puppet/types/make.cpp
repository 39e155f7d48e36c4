#include "puppet/types/make.hpp"

#include <algorithm>

#include "puppet/types/pattern.hpp"
#include "strata/error.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {
namespace {

Type of_kind(TypeKind kind) {
  Type type;
  type.kind = kind;
  return type;
}

TypeRef share(Type type) { return std::make_shared<const Type>(std::move(type)); }

/// Of a sized kind; a size may make its parts pointless.
TypeRef sized(TypeKind kind, std::vector<TypeRef> parts, const std::optional<IntegerRange>& size) {
  Type type = of_kind(kind);
  type.parts = std::move(parts);
  if (size) {
    type.range = size_range(*size);
    if (size->from == Integer(0) && size->to == Integer(0) && kind != TypeKind::tuple) {
      for (TypeRef& part : type.parts) part = plain(TypeKind::unit);
    }
  }
  return share(std::move(type));
}

}  // namespace

namespace {

// Recursion: bounded by `most_depth`.
void weigh_into(const Type& type, std::size_t depth, std::size_t most_nodes, std::size_t most_depth, TypeWeight& out) {
  out.depth = std::max(out.depth, depth);
  if (++out.nodes > most_nodes || depth > most_depth) return;
  const auto add = [&](const TypeRef& part) {
    if (part != nullptr && out.nodes <= most_nodes && out.depth <= most_depth) weigh_into(*part, depth + 1, most_nodes, most_depth, out);
  };
  for (const TypeRef& part : type.parts) add(part);
  for (const StructMember& member : type.members) add(member.type);
}

}  // namespace

TypeWeight weigh_type(const Type& type, std::size_t most_nodes, std::size_t most_depth) {
  TypeWeight out;
  weigh_into(type, 1, most_nodes, most_depth, out);
  out.nodes += type.texts.size();
  return out;
}

IntegerRange make_range(std::optional<Integer> from, std::optional<Integer> to) {
  if (from && to && *to < *from)
    throw Error("puppet.type", "a range from " + from->to_string() + " to " + to->to_string() + " has no members").hint("give the lower bound first");
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

TypeRef integer_type(IntegerRange range) {
  Type type = of_kind(TypeKind::integer);
  type.range = std::move(range);
  return share(std::move(type));
}

TypeRef float_type(double from, double to) {
  if (from > to) throw Error("puppet.type", "the bounds of a Float are the wrong way round").hint("give the lower bound first");
  Type type = of_kind(TypeKind::floating);
  type.from = from;
  type.to = to;
  return share(std::move(type));
}

TypeRef boolean_type(bool value) {
  Type type = of_kind(TypeKind::boolean);
  type.flag = value;
  return share(std::move(type));
}

TypeRef string_type(const IntegerRange& size) { return sized(TypeKind::string, {}, size); }

TypeRef literal_type(std::string text) {
  Type type = of_kind(TypeKind::string);
  type.text = std::move(text);
  return share(std::move(type));
}

TypeRef enum_type(std::vector<std::string> texts, bool ignore_case) {
  Type type = of_kind(TypeKind::enumeration);
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  type.texts = std::move(texts);
  type.flag = ignore_case;
  return share(std::move(type));
}

TypeRef pattern_type(std::vector<std::string> patterns) {
  Type type = of_kind(TypeKind::pattern);
  TextSet seen;
  for (std::string& pattern : patterns) {
    if (!seen.insert(pattern).second) continue;
    type.regexes.push_back(compile_pattern(pattern));
    type.texts.push_back(std::move(pattern));
  }
  return share(std::move(type));
}

TypeRef regexp_type(std::string pattern) {
  Type type = of_kind(TypeKind::regexp);
  compile_pattern(pattern);  // To find what is wrong with it.
  type.text = std::move(pattern);
  return share(std::move(type));
}

TypeRef collection_type(const IntegerRange& size) { return sized(TypeKind::collection, {}, size); }

TypeRef array_type(TypeRef item, const std::optional<IntegerRange>& size) { return sized(TypeKind::array, {std::move(item)}, size); }

TypeRef hash_type(TypeRef key, TypeRef value, const std::optional<IntegerRange>& size) {
  return sized(TypeKind::hash, {std::move(key), std::move(value)}, size);
}

TypeRef tuple_type(std::vector<TypeRef> types, const std::optional<IntegerRange>& size) { return sized(TypeKind::tuple, std::move(types), size); }

TypeRef struct_type(std::vector<StructMember> members) {
  Type type = of_kind(TypeKind::structure);
  type.members = std::move(members);
  return share(std::move(type));
}

TypeRef variant_type(const std::vector<TypeRef>& types) {
  Type type = of_kind(TypeKind::variant);
  TextSet seen;
  const auto add = [&](const TypeRef& one) {
    if (seen.insert(fingerprint(*one)).second) type.parts.push_back(one);
  };
  for (const TypeRef& one : types) {
    if (one->kind != TypeKind::variant) {
      add(one);
    } else {
      for (const TypeRef& part : one->parts) add(part);
    }
  }
  return type.parts.size() == 1 ? type.parts.front() : share(std::move(type));
}

TypeRef holder_type(TypeKind kind, TypeRef held) {
  if (kind == TypeKind::not_undef && held->kind == TypeKind::any) return plain(kind);
  if (kind == TypeKind::sensitive) held = generalize(held);
  Type type = of_kind(kind);
  type.parts = {std::move(held)};
  return share(std::move(type));
}

TypeRef with_parts(const Type& type, std::vector<TypeRef> parts) {
  Type copy = type;
  copy.parts = std::move(parts);
  return share(std::move(copy));
}

IntegerRange tuple_size(const Type& tuple) {
  if (tuple.range) return *tuple.range;
  if (tuple.parts.empty()) return {Integer(0), std::nullopt};
  return exactly(tuple.parts.size());
}

IntegerRange size_of(const Type& type) { return type.range ? *type.range : IntegerRange{Integer(0), std::nullopt}; }

const Type* held(const Type& type) noexcept { return type.parts.empty() ? nullptr : type.parts.front().get(); }

MemberIndex index_members(const Type& structure) {
  MemberIndex out;
  for (const StructMember& member : structure.members) out.emplace(member.name, &member);
  return out;
}

std::size_t character_count(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace strata::puppet
