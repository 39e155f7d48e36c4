// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"
#include "text/regex/regex.hpp"

namespace strata::puppet {
namespace {

bool all_of(const std::vector<TypeRef>& types, const auto& predicate) {
  return std::all_of(types.begin(), types.end(), [&](const TypeRef& type) { return predicate(*type); });
}

bool any_of(const std::vector<TypeRef>& types, const auto& predicate) {
  return std::any_of(types.begin(), types.end(), [&](const TypeRef& type) { return predicate(*type); });
}

/// Puppet's relation of types, with its corners. Recursion: both types get smaller, save for aliases, which are
/// remembered.
class Relation {
 public:
  bool holds(const Type& wide, const Type& narrow) {
    if (wide.kind() == TypeKind::unit || narrow.kind() == TypeKind::unit) return true;
    if (wide.kind() == TypeKind::alias) return through_alias(wide, narrow);
    if (wide.kind() == TypeKind::variant) return variant(wide, narrow);
    return narrow_apart(wide, narrow);
  }

 private:
  /// What follows from a pair of aliases that is being looked at is taken to be true.
  [[gnu::noinline]] bool through_alias(const Type& wide, const Type& narrow) {
    if (narrow.kind() != TypeKind::alias) return holds(resolved(wide), narrow);
    const auto pair = std::make_pair(wide.as<AliasType>().name, narrow.as<AliasType>().name);
    if (pair.first == pair.second || std::find(open_.begin(), open_.end(), pair) != open_.end()) return true;
    open_.push_back(pair);
    const bool result = holds(resolved(wide), resolved(narrow));
    open_.pop_back();
    return result;
  }

  bool variant(const Type& wide, const Type& narrow) {
    // A bare Variant takes every other one, and the aliases all stand for one.
    if (wide.as<VariantType>().types.empty())
      return narrow.kind() == TypeKind::variant || narrow.kind() == TypeKind::alias;
    if (narrow.kind() != TypeKind::variant) return narrow_apart(wide, narrow);
    const std::vector<TypeRef>& types = narrow.as<VariantType>().types;
    return !types.empty() && all_of(types, [&](const Type& one) { return narrow_apart(wide, one); });
  }

  /// Takes apart what stands for other types on the narrow side.
  bool narrow_apart(const Type& wide, const Type& narrow) {
    switch (narrow.kind()) {
      case TypeKind::unit:
        return true;
      case TypeKind::alias:
        return wide.kind() == TypeKind::any || holds(wide, resolved(narrow));
      case TypeKind::variant:
        if (wide.kind() == TypeKind::any) return true;
        if (wide.kind() == TypeKind::not_undef && narrow.as<VariantType>().types.empty()) return core(wide, narrow);
        return !narrow.as<VariantType>().types.empty() &&
               all_of(narrow.as<VariantType>().types, [&](const Type& one) { return holds(wide, one); });
      case TypeKind::optional:
        return holds(wide, *plain(TypeKind::undef)) && (held(narrow) == nullptr || holds(wide, *held(narrow)));
      case TypeKind::not_undef:
        if (held(narrow) != nullptr && !holds(*held(narrow), *plain(TypeKind::undef)))
          return holds(wide, *held(narrow));
        return core(wide, narrow);
      default:
        return core(wide, narrow);
    }
  }

  bool core(const Type& wide, const Type& narrow) {
    switch (wide.kind()) {
      case TypeKind::any:
        return true;
      case TypeKind::variant:
        return any_of(wide.as<VariantType>().types, [&](const Type& one) { return holds(one, narrow); });
      case TypeKind::optional:
        return narrow.kind() == TypeKind::undef || held(wide) == nullptr || holds(*held(wide), narrow);
      case TypeKind::not_undef:
        return !holds(narrow, *plain(TypeKind::undef)) && (held(wide) == nullptr || holds(*held(wide), narrow));
      case TypeKind::iterable:
        return iterable(wide, narrow);
      case TypeKind::scalar:
        return scalar(narrow);
      case TypeKind::scalar_data:
        return scalar_data(narrow);
      case TypeKind::numeric:
        return narrow.kind() == TypeKind::numeric || narrow.kind() == TypeKind::integer ||
               narrow.kind() == TypeKind::floating;
      case TypeKind::string:
        return text(wide, narrow);
      case TypeKind::enumeration:
        return enumeration(wide, narrow);
      case TypeKind::pattern:
        return pattern(wide, narrow);
      case TypeKind::collection:
        return collection(wide.as<CollectionType>().size, narrow);
      case TypeKind::array:
        return array(wide.as<ArrayType>(), narrow);
      case TypeKind::hash:
        return hash(wide.as<HashType>(), narrow);
      case TypeKind::structure:
        return structure(wide.as<StructType>(), narrow);
      case TypeKind::tuple:
        return tuple(wide, narrow);
      case TypeKind::catalog_entry:
        return narrow.kind() == TypeKind::catalog_entry || narrow.kind() == TypeKind::host_class ||
               narrow.kind() == TypeKind::resource;
      default:
        return wide.kind() == narrow.kind() && same_kind(wide, narrow);
    }
  }

  /// For kinds whose types have no members of other kinds.
  [[gnu::noinline]] bool same_kind(const Type& wide, const Type& narrow) {
    switch (wide.kind()) {
      case TypeKind::integer:
        return wide.as<IntegerType>().range.contains(narrow.as<IntegerType>().range);
      case TypeKind::floating:
        return wide.as<FloatType>().from <= narrow.as<FloatType>().from &&
               wide.as<FloatType>().to >= narrow.as<FloatType>().to;
      case TypeKind::boolean:
        return !wide.as<BooleanType>().only || wide.as<BooleanType>().only == narrow.as<BooleanType>().only;
      case TypeKind::regexp:
        return !wide.as<RegexpType>().pattern || wide.as<RegexpType>().pattern == narrow.as<RegexpType>().pattern;
      case TypeKind::host_class:
        return !wide.as<ClassType>().name || wide.as<ClassType>().name == narrow.as<ClassType>().name;
      case TypeKind::resource:
        return is_resource_of(wide.as<ResourceType>(), narrow.as<ResourceType>());
      case TypeKind::type:
      case TypeKind::iterator:
        return held(wide) == nullptr || (held(narrow) != nullptr && holds(*held(wide), *held(narrow)));
      case TypeKind::sensitive:
        return holds(*held(wide), *held(narrow));
      case TypeKind::callable:
        return callable(wide.as<CallableType>().signature, narrow.as<CallableType>().signature);
      default:
        return true;
    }
  }

  static bool scalar_data(const Type& narrow) {
    switch (narrow.kind()) {
      case TypeKind::scalar_data:
      case TypeKind::numeric:
      case TypeKind::integer:
      case TypeKind::floating:
      case TypeKind::boolean:
      case TypeKind::string:
      case TypeKind::enumeration:
      case TypeKind::pattern:
        return true;
      default:
        return false;
    }
  }

  static bool scalar(const Type& narrow) {
    switch (narrow.kind()) {
      case TypeKind::scalar:
      case TypeKind::regexp:
      case TypeKind::sem_ver:
      case TypeKind::sem_ver_range:
      case TypeKind::timespan:
      case TypeKind::timestamp:
        return true;
      default:
        return scalar_data(narrow);
    }
  }

  [[gnu::noinline]] bool iterable(const Type& wide, const Type& narrow) {
    if (held(wide) == nullptr || holds(*held(wide), *plain(TypeKind::any))) return is_iterable(narrow);
    const IterationItem item = iteration_item(narrow);
    return item.known && item.item != nullptr && holds(*held(wide), *item.item);
  }

  static IntegerRange lengths(const std::vector<std::string>& texts) {
    const auto [least, most] = std::minmax_element(texts.begin(), texts.end(), [](const auto& left, const auto& right) {
      return character_count(left) < character_count(right);
    });
    return {Integer(static_cast<std::int64_t>(character_count(*least))),
            Integer(static_cast<std::int64_t>(character_count(*most)))};
  }

  [[gnu::noinline]] static bool text(const Type& wide, const Type& narrow) {
    const std::string* only = literal_text(wide);
    if (narrow.kind() == TypeKind::string) {
      const std::string* other = literal_text(narrow);
      if (only != nullptr) return other != nullptr && *only == *other;
      const Size& length = wide.as<StringType>().length;
      return !length || length->contains(other != nullptr ? exactly(character_count(*other))
                                                          : size_of(narrow.as<StringType>().length));
    }
    if (narrow.kind() == TypeKind::enumeration) {
      const auto& enumeration = narrow.as<EnumType>();
      if (only != nullptr)
        return enumeration.texts.size() == 1 && !enumeration.ignores_case && enumeration.texts.front() == *only;
      const Size& length = wide.as<StringType>().length;
      return !length ||
             length->contains(enumeration.texts.empty() ? IntegerRange{Integer(0), {}} : lengths(enumeration.texts));
    }
    if (narrow.kind() != TypeKind::pattern || only != nullptr) return false;
    const Size& length = wide.as<StringType>().length;
    return !length || length->contains(IntegerRange{Integer(0), {}});
  }

  [[gnu::noinline]] static bool enumeration(const Type& wide, const Type& narrow) {
    if (same_type(wide, narrow)) return true;
    const auto& type = wide.as<EnumType>();
    switch (narrow.kind()) {
      case TypeKind::string: {
        const std::string* only = literal_text(narrow);
        return type.texts.empty() || (only != nullptr && is_in(type, *only));
      }
      case TypeKind::enumeration: {
        const auto& other = narrow.as<EnumType>();
        return type.texts.empty() || (!other.texts.empty() && (type.ignores_case || !other.ignores_case) &&
                                      std::all_of(other.texts.begin(), other.texts.end(),
                                                  [&](const std::string& text) { return is_in(type, text); }));
      }
      default:
        return narrow.kind() == TypeKind::pattern && type.texts.empty();
    }
  }

  static bool matches(const PatternType& type, std::string_view text) {
    return std::any_of(type.patterns.begin(), type.patterns.end(),
                       [&](const PatternType::Pattern& pattern) { return pattern.regex->search(text); });
  }

  [[gnu::noinline]] static bool pattern(const Type& wide, const Type& narrow) {
    if (same_type(wide, narrow)) return true;
    const auto& type = wide.as<PatternType>();
    const bool any = type.patterns.empty();
    if (narrow.kind() == TypeKind::string) {
      const std::string* only = literal_text(narrow);
      return any || (only != nullptr && matches(type, *only));
    }
    if (narrow.kind() == TypeKind::pattern) return any;
    if (narrow.kind() != TypeKind::enumeration) return false;
    const std::vector<std::string>& texts = narrow.as<EnumType>().texts;
    return any || (!texts.empty() &&
                   std::all_of(texts.begin(), texts.end(), [&](const auto& text) { return matches(type, text); }));
  }

  /// As a collection counts the size of a tuple: one without types is empty.
  static IntegerRange literal_size(const TupleType& tuple) {
    return tuple.size ? *tuple.size : exactly(tuple.types.size());
  }

  [[gnu::noinline]] static bool collection(const Size& wide, const Type& narrow) {
    switch (narrow.kind()) {
      case TypeKind::collection:
        return size_of(wide).contains(size_of(narrow.as<CollectionType>().size));
      case TypeKind::array:
        return size_of(wide).contains(size_of(narrow.as<ArrayType>().size));
      case TypeKind::hash:
        return size_of(wide).contains(size_of(narrow.as<HashType>().size));
      case TypeKind::tuple:
        return size_of(wide).contains(literal_size(narrow.as<TupleType>()));
      case TypeKind::structure:
        return size_of(wide).contains(exactly(narrow.as<StructType>().members.size()));
      default:
        return false;
    }
  }

  [[gnu::noinline]] bool array(const ArrayType& wide, const Type& narrow) {
    if (narrow.kind() == TypeKind::tuple) {
      const auto& tuple = narrow.as<TupleType>();
      return size_of(wide.size).contains(literal_size(tuple)) &&
             all_of(tuple.types, [&](const Type& one) { return holds(*wide.item, one); });
    }
    if (narrow.kind() != TypeKind::array) return false;
    const auto& other = narrow.as<ArrayType>();
    return size_of(wide.size).contains(size_of(other.size)) && holds(*wide.item, *other.item);
  }

  [[gnu::noinline]] bool hash(const HashType& wide, const Type& narrow) {
    if (narrow.kind() == TypeKind::hash) {
      const auto& other = narrow.as<HashType>();
      if ((!wide.size || wide.size->from == Integer(0)) && other.size == exactly(0)) return true;
      return holds(*wide.key, *other.key) && holds(*wide.value, *other.value) &&
             size_of(wide.size).contains(size_of(other.size));
    }
    if (narrow.kind() != TypeKind::structure) return false;
    const std::vector<StructMember>& members = narrow.as<StructType>().members;
    return size_of(wide.size).contains(Integer(static_cast<std::int64_t>(members.size()))) &&
           std::all_of(members.begin(), members.end(), [&](const StructMember& member) {
             return holds(*wide.key, *literal_type(member.name)) && holds(*wide.value, *member.type);
           });
  }

  [[gnu::noinline]] bool structure(const StructType& wide, const Type& narrow) {
    if (narrow.kind() == TypeKind::hash) return structure_from_hash(wide, narrow.as<HashType>());
    if (narrow.kind() != TypeKind::structure) return false;
    const auto& structure = narrow.as<StructType>();
    const MemberIndex others = index_members(structure);
    std::size_t matched = 0;
    for (const StructMember& member : wide.members) {
      const auto found = others.find(member.name);
      if (found == others.end()) {
        if (!member.optional) return false;
        continue;
      }
      ++matched;
      const StructMember* other = found->second;
      if ((other->optional && !member.optional) || !holds(*member.type, *other->type)) return false;
    }
    return matched == structure.members.size();
  }

  [[gnu::noinline]] bool structure_from_hash(const StructType& wide, const HashType& narrow) {
    std::int64_t required = 0;
    for (const StructMember& member : wide.members) {
      if (member.optional) continue;
      ++required;
      if (!holds(*member.type, *narrow.value) || !holds(*plain(TypeKind::string), *narrow.key)) return false;
    }
    return IntegerRange{Integer(required), Integer(static_cast<std::int64_t>(wide.members.size()))}.contains(
        size_of(narrow.size));
  }

  static const Type& item_at(const TupleType& tuple, std::size_t index) {
    return *tuple.types[std::min(index, tuple.types.size() - 1)];
  }

  [[gnu::noinline]] bool tuple(const Type& wide, const Type& narrow) {
    if (same_type(wide, narrow)) return true;
    const auto& tuple = wide.as<TupleType>();
    if (narrow.kind() == TypeKind::tuple) return tuple_from_tuple(tuple, narrow.as<TupleType>());
    if (narrow.kind() != TypeKind::array) return false;
    const auto& array = narrow.as<ArrayType>();
    const IntegerRange size = size_of(array.size);
    if (!tuple_size(tuple).contains(size)) return false;
    // Only as many types count as the array may have items.
    std::size_t count = tuple.types.size();
    if (size.to && *size.to < Integer(static_cast<std::int64_t>(count)))
      count = static_cast<std::size_t>(*size.to->small());
    for (std::size_t i = 0; i < count; ++i) {
      if (!holds(*tuple.types[i], *array.item)) return false;
    }
    return true;
  }

  [[gnu::noinline]] bool tuple_from_tuple(const TupleType& wide, const TupleType& narrow) {
    const IntegerRange size = tuple_size(wide);
    if (!size.contains(tuple_size(narrow))) return false;
    if (wide.types.empty()) return true;
    if (narrow.types.empty()) return size.from == Integer(0);
    for (std::size_t i = 0; i < narrow.types.size(); ++i) {
      if (!holds(item_at(wide, i), *narrow.types[i])) return false;
    }
    return true;
  }

  using Signature = std::optional<CallableType::Signature>;

  [[gnu::noinline]] bool callable(const Signature& wide, const Signature& narrow) {
    if (!wide) return true;
    const auto given = [](const TypeRef* part, TypeKind otherwise) -> const Type& {
      return part == nullptr || *part == nullptr ? *plain(otherwise) : **part;
    };
    if (wide->result != nullptr && !holds(*wide->result, given(narrow ? &narrow->result : nullptr, TypeKind::any)))
      return false;
    if (!narrow || !holds(*narrow->parameters, *wide->parameters)) return false;
    return holds(given(&narrow->block, TypeKind::undef), given(&wide->block, TypeKind::undef));
  }

  std::vector<std::pair<std::string_view, std::string_view>> open_;  ///< Names of aliases.
};

}  // namespace

bool is_assignable(const Type& wide, const Type& narrow) { return Relation().holds(wide, narrow); }

}  // namespace strata::puppet
