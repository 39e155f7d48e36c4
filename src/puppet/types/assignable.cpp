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

/// Puppet's relation of types, with its corners. Recursion: both types get smaller, save for aliases, which are remembered.
class Relation {
 public:
  bool holds(const Type& wide, const Type& narrow) {
    if (wide.kind == TypeKind::unit || narrow.kind == TypeKind::unit) return true;
    if (wide.kind == TypeKind::alias) return through_alias(wide, narrow);
    if (wide.kind == TypeKind::variant) return variant(wide, narrow);
    return narrow_apart(wide, narrow);
  }

 private:
  /// What follows from a pair of aliases that is being looked at is taken to be true.
  [[gnu::noinline]] bool through_alias(const Type& wide, const Type& narrow) {
    if (narrow.kind != TypeKind::alias) return holds(resolved(wide), narrow);
    const auto pair = std::make_pair(*wide.text, *narrow.text);
    if (wide.text == narrow.text || std::find(open_.begin(), open_.end(), pair) != open_.end()) return true;
    open_.push_back(pair);
    const bool result = holds(resolved(wide), resolved(narrow));
    open_.pop_back();
    return result;
  }

  bool variant(const Type& wide, const Type& narrow) {
    // A bare Variant takes every other one, and the aliases all stand for one.
    if (wide.parts.empty()) return narrow.kind == TypeKind::variant || narrow.kind == TypeKind::alias;
    if (narrow.kind != TypeKind::variant) return narrow_apart(wide, narrow);
    return !narrow.parts.empty() && all_of(narrow.parts, [&](const Type& one) { return narrow_apart(wide, one); });
  }

  /// Takes apart what stands for other types on the narrow side.
  bool narrow_apart(const Type& wide, const Type& narrow) {
    switch (narrow.kind) {
      case TypeKind::unit:
        return true;
      case TypeKind::alias:
        return wide.kind == TypeKind::any || holds(wide, resolved(narrow));
      case TypeKind::variant:
        if (wide.kind == TypeKind::any) return true;
        if (wide.kind == TypeKind::not_undef && narrow.parts.empty()) return core(wide, narrow);
        return !narrow.parts.empty() && all_of(narrow.parts, [&](const Type& one) { return holds(wide, one); });
      case TypeKind::optional:
        return holds(wide, *plain(TypeKind::undef)) && (narrow.parts.empty() || holds(wide, *held(narrow)));
      case TypeKind::not_undef:
        if (!narrow.parts.empty() && !holds(*held(narrow), *plain(TypeKind::undef))) return holds(wide, *held(narrow));
        return core(wide, narrow);
      default:
        return core(wide, narrow);
    }
  }

  bool core(const Type& wide, const Type& narrow) {
    switch (wide.kind) {
      case TypeKind::any:
        return true;
      case TypeKind::variant:
        return any_of(wide.parts, [&](const Type& one) { return holds(one, narrow); });
      case TypeKind::optional:
        return narrow.kind == TypeKind::undef || wide.parts.empty() || holds(*held(wide), narrow);
      case TypeKind::not_undef:
        return !holds(narrow, *plain(TypeKind::undef)) && (wide.parts.empty() || holds(*held(wide), narrow));
      case TypeKind::iterable:
        return iterable(wide, narrow);
      case TypeKind::scalar:
        return scalar(narrow);
      case TypeKind::scalar_data:
        return scalar_data(narrow);
      case TypeKind::numeric:
        return narrow.kind == TypeKind::numeric || narrow.kind == TypeKind::integer || narrow.kind == TypeKind::floating;
      case TypeKind::string:
        return string(wide, narrow);
      case TypeKind::enumeration:
        return enumeration(wide, narrow);
      case TypeKind::pattern:
        return pattern(wide, narrow);
      case TypeKind::collection:
        return collection(wide, narrow);
      case TypeKind::array:
        return array(wide, narrow);
      case TypeKind::hash:
        return hash(wide, narrow);
      case TypeKind::structure:
        return structure(wide, narrow);
      case TypeKind::tuple:
        return tuple(wide, narrow);
      case TypeKind::catalog_entry:
        return narrow.kind == TypeKind::catalog_entry || narrow.kind == TypeKind::host_class || narrow.kind == TypeKind::resource;
      default:
        return wide.kind == narrow.kind && same_kind(wide, narrow);
    }
  }

  /// For kinds whose types have no members of other kinds.
  [[gnu::noinline]] bool same_kind(const Type& wide, const Type& narrow) {
    switch (wide.kind) {
      case TypeKind::integer:
        return wide.range->contains(*narrow.range);
      case TypeKind::floating:
        return wide.from <= narrow.from && wide.to >= narrow.to;
      case TypeKind::boolean:
        return !wide.flag || wide.flag == narrow.flag;
      case TypeKind::regexp:
      case TypeKind::host_class:
      case TypeKind::runtime:
        return !wide.text || wide.text == narrow.text;
      case TypeKind::resource:
        return resource(wide, narrow);
      case TypeKind::type:
      case TypeKind::iterator:
        return wide.parts.empty() || (!narrow.parts.empty() && holds(*held(wide), *held(narrow)));
      case TypeKind::sensitive:
        return holds(*held(wide), *held(narrow));
      case TypeKind::callable:
        return callable(wide, narrow);
      default:
        return true;
    }
  }

  static bool resource(const Type& wide, const Type& narrow) {
    if (wide.texts.empty()) return true;
    if (narrow.texts.empty() || !same_letters(wide.texts[0], narrow.texts[0])) return false;
    return wide.texts.size() == 1 || (narrow.texts.size() > 1 && wide.texts[1] == narrow.texts[1]);
  }

  static bool scalar_data(const Type& narrow) {
    switch (narrow.kind) {
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
    switch (narrow.kind) {
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
    if (wide.parts.empty() || holds(*held(wide), *plain(TypeKind::any))) return is_iterable(narrow);
    const IterationItem item = iteration_item(narrow);
    return item.known && item.item != nullptr && holds(*held(wide), *item.item);
  }

  static IntegerRange lengths(const std::vector<std::string>& texts) {
    const auto [least, most] = std::minmax_element(
        texts.begin(), texts.end(), [](const auto& left, const auto& right) { return character_count(left) < character_count(right); });
    return {Integer(static_cast<std::int64_t>(character_count(*least))), Integer(static_cast<std::int64_t>(character_count(*most)))};
  }

  [[gnu::noinline]] static bool string(const Type& wide, const Type& narrow) {
    if (narrow.kind == TypeKind::string) {
      if (wide.text) return wide.text == narrow.text;
      return !wide.range || wide.range->contains(narrow.text ? exactly(character_count(*narrow.text)) : size_of(narrow));
    }
    if (narrow.kind == TypeKind::enumeration) {
      if (wide.text) return narrow.texts.size() == 1 && narrow.flag == false && narrow.texts.front() == *wide.text;
      return !wide.range || wide.range->contains(narrow.texts.empty() ? IntegerRange{Integer(0), {}} : lengths(narrow.texts));
    }
    return narrow.kind == TypeKind::pattern && !wide.text && (!wide.range || wide.range->contains(IntegerRange{Integer(0), {}}));
  }

  static bool in_enumeration(const Type& type, const std::string& text) {
    if (type.flag != true) return std::binary_search(type.texts.begin(), type.texts.end(), text);
    return std::any_of(type.texts.begin(), type.texts.end(), [&](const std::string& one) { return same_letters(one, text); });
  }

  [[gnu::noinline]] static bool enumeration(const Type& wide, const Type& narrow) {
    if (same_type(wide, narrow)) return true;
    if (wide.texts.empty() && (narrow.kind == TypeKind::string || narrow.kind == TypeKind::enumeration || narrow.kind == TypeKind::pattern))
      return true;
    if (narrow.kind == TypeKind::string) return narrow.text && in_enumeration(wide, *narrow.text);
    return narrow.kind == TypeKind::enumeration && !narrow.texts.empty() && (wide.flag == true || narrow.flag != true) &&
           std::all_of(narrow.texts.begin(), narrow.texts.end(), [&](const std::string& text) { return in_enumeration(wide, text); });
  }

  static bool matches(const Type& pattern, std::string_view text) {
    return std::any_of(pattern.regexes.begin(), pattern.regexes.end(), [&](const auto& regex) { return regex->search(text); });
  }

  [[gnu::noinline]] static bool pattern(const Type& wide, const Type& narrow) {
    if (same_type(wide, narrow)) return true;
    const bool any = wide.texts.empty();
    if (narrow.kind == TypeKind::string) return any || (narrow.text && matches(wide, *narrow.text));
    if (narrow.kind == TypeKind::pattern) return any;
    if (narrow.kind != TypeKind::enumeration) return false;
    return any ||
           (!narrow.texts.empty() && std::all_of(narrow.texts.begin(), narrow.texts.end(), [&](const auto& text) { return matches(wide, text); }));
  }

  /// As a collection counts the size of a tuple: one without types is empty.
  static IntegerRange literal_size(const Type& tuple) { return tuple.range ? *tuple.range : exactly(tuple.parts.size()); }

  [[gnu::noinline]] static bool collection(const Type& wide, const Type& narrow) {
    switch (narrow.kind) {
      case TypeKind::collection:
      case TypeKind::array:
      case TypeKind::hash:
        return size_of(wide).contains(size_of(narrow));
      case TypeKind::tuple:
        return size_of(wide).contains(literal_size(narrow));
      case TypeKind::structure:
        return size_of(wide).contains(exactly(narrow.members.size()));
      default:
        return false;
    }
  }

  [[gnu::noinline]] bool array(const Type& wide, const Type& narrow) {
    if (narrow.kind == TypeKind::tuple) {
      return size_of(wide).contains(literal_size(narrow)) && all_of(narrow.parts, [&](const Type& one) { return holds(*held(wide), one); });
    }
    return narrow.kind == TypeKind::array && size_of(wide).contains(size_of(narrow)) && holds(*held(wide), *held(narrow));
  }

  [[gnu::noinline]] bool hash(const Type& wide, const Type& narrow) {
    if (narrow.kind == TypeKind::hash) {
      if ((!wide.range || wide.range->from == Integer(0)) && narrow.range == exactly(0)) return true;
      return holds(*wide.parts[0], *narrow.parts[0]) && holds(*wide.parts[1], *narrow.parts[1]) && size_of(wide).contains(size_of(narrow));
    }
    return narrow.kind == TypeKind::structure && size_of(wide).contains(Integer(static_cast<std::int64_t>(narrow.members.size()))) &&
           std::all_of(narrow.members.begin(), narrow.members.end(), [&](const StructMember& member) {
             return holds(*wide.parts[0], *literal_type(member.name)) && holds(*wide.parts[1], *member.type);
           });
  }

  [[gnu::noinline]] bool structure(const Type& wide, const Type& narrow) {
    if (narrow.kind == TypeKind::hash) return structure_from_hash(wide, narrow);
    if (narrow.kind != TypeKind::structure) return false;
    const MemberIndex others = index_members(narrow);
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
    return matched == narrow.members.size();
  }

  [[gnu::noinline]] bool structure_from_hash(const Type& wide, const Type& narrow) {
    std::int64_t required = 0;
    for (const StructMember& member : wide.members) {
      if (member.optional) continue;
      ++required;
      if (!holds(*member.type, *narrow.parts[1]) || !holds(*plain(TypeKind::string), *narrow.parts[0])) return false;
    }
    return IntegerRange{Integer(required), Integer(static_cast<std::int64_t>(wide.members.size()))}.contains(size_of(narrow));
  }

  static const Type& item_at(const Type& tuple, std::size_t index) { return *tuple.parts[std::min(index, tuple.parts.size() - 1)]; }

  [[gnu::noinline]] bool tuple(const Type& wide, const Type& narrow) {
    if (same_type(wide, narrow)) return true;
    if (narrow.kind == TypeKind::tuple) return tuple_from_tuple(wide, narrow);
    if (narrow.kind != TypeKind::array || !tuple_size(wide).contains(size_of(narrow))) return false;
    // Only as many types count as the array may have items.
    std::size_t count = wide.parts.size();
    if (const auto most = size_of(narrow).to) {
      if (*most < Integer(static_cast<std::int64_t>(count))) count = static_cast<std::size_t>(*most->small());
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!holds(*wide.parts[i], *held(narrow))) return false;
    }
    return true;
  }

  [[gnu::noinline]] bool tuple_from_tuple(const Type& wide, const Type& narrow) {
    const IntegerRange size = tuple_size(wide);
    if (!size.contains(tuple_size(narrow))) return false;
    if (wide.parts.empty()) return true;
    if (narrow.parts.empty()) return size.from == Integer(0);
    for (std::size_t i = 0; i < narrow.parts.size(); ++i) {
      if (!holds(item_at(wide, i), *narrow.parts[i])) return false;
    }
    return true;
  }

  [[gnu::noinline]] bool callable(const Type& wide, const Type& narrow) {
    if (wide.parts.empty()) return true;
    const auto part = [](const Type& type, std::size_t index, TypeKind otherwise) -> const Type& {
      return type.parts.empty() || type.parts[index] == nullptr ? *plain(otherwise) : *type.parts[index];
    };
    if (wide.parts[2] != nullptr && !holds(*wide.parts[2], part(narrow, 2, TypeKind::any))) return false;
    if (wide.parts[0] == nullptr) return true;
    if (narrow.parts.empty() || narrow.parts[0] == nullptr || !holds(*narrow.parts[0], *wide.parts[0])) return false;
    return holds(part(narrow, 1, TypeKind::undef), part(wide, 1, TypeKind::undef));
  }

  std::vector<std::pair<std::string, std::string>> open_;
};

}  // namespace

bool is_assignable(const Type& wide, const Type& narrow) { return Relation().holds(wide, narrow); }

}  // namespace strata::puppet
