// SPDX-License-Identifier: Apache-2.0
#include "puppet/types/describe.hpp"

#include <algorithm>
#include <functional>

#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

using Faults = std::vector<Fault>;
using StepPath = std::vector<Step>;

/// More are not collected at a place, and deeper is not looked: that would be too long to read.
constexpr std::size_t kMostFaults = 50;
constexpr std::size_t kLongestPath = 100;

/// A type with where it came from: an alias or Optional that messages name in its place.
struct Expected {
  const TypeRef& type;
  const TypeRef& original;
};

StepPath along(StepPath path, Step step) {
  path.push_back(std::move(step));
  return path;
}

Fault type_fault(const StepPath& path, const TypeRef& expected, const TypeRef& actual) {
  return {.kind = Fault::Kind::type, .path = path, .expected = normalize(expected), .actual = normalize(actual)};
}

Fault size_fault(const StepPath& path, const IntegerRange& expected, const IntegerRange& actual) {
  return {.kind = Fault::Kind::size, .path = path, .expected_size = expected, .actual_size = actual};
}

/// Of a container, as its value has it.
IntegerRange actual_size(const Type& type) {
  switch (type.kind()) {
    case TypeKind::structure:
      return exactly(type.as<StructType>().members.size());
    case TypeKind::tuple:
      return tuple_size(type.as<TupleType>());
    case TypeKind::array:
      return size_of(type.as<ArrayType>().size);
    case TypeKind::hash:
      return size_of(type.as<HashType>().size);
    case TypeKind::collection:
      return size_of(type.as<CollectionType>().size);
    default:
      return size_of({});
  }
}

/// Without the steps to variants, which say nothing about the value.
StepPath place(const Fault& fault) {
  StepPath out;
  std::copy_if(fault.path.begin(), fault.path.end(), std::back_inserter(out),
               [](const Step& step) { return step.kind != Step::Kind::variant; });
  return out;
}

class Describer {
 public:
  explicit Describer(bool normalized) : normalized_(normalized) {}

  // Recursion: over the expected type and the value's, which gets smaller.
  Faults describe(const TypeRef& expected, const TypeRef& actual, const StepPath& path) {
    if (path.size() > kLongestPath)
      return is_assignable(*expected, *actual) ? Faults{} : Faults{type_fault(path, expected, actual)};
    const TypeRef shown = normalized_ ? normalize(expected) : expected;
    return describe({shown, expected}, actual, path);
  }

 private:
  Faults describe(const Expected& expected, const TypeRef& actual, const StepPath& path) {
    const TypeRef& type = expected.type;
    switch (type->kind()) {
      case TypeKind::variant:
        return variant(expected, actual, path);
      case TypeKind::structure:
        return structure(expected, actual, path);
      case TypeKind::hash:
        return hash(expected, actual, path);
      case TypeKind::tuple:
        return tuple(expected, actual, path);
      case TypeKind::array:
        return array(expected, actual, path);
      case TypeKind::optional:
        if (actual->kind() == TypeKind::undef || held(*type) == nullptr) return {};
        return describe({held(*type), expected.original->kind() == TypeKind::alias ? expected.original : type}, actual,
                        path);
      case TypeKind::pattern:
      case TypeKind::enumeration: {
        Fault fault = type_fault(path, expected.original, actual);
        fault.kind = Fault::Kind::pattern;
        return {fault};
      }
      case TypeKind::alias: {
        const TypeRef inner = std::make_shared<const Type>(resolved(*type));
        const TypeRef shown = normalize(inner);
        return describe({shown, type}, actual, path);
      }
      default:
        if (is_assignable(*type, *actual)) return {};
        if (type->kind() == TypeKind::collection && type->as<CollectionType>().size &&
            is_assignable(*plain(TypeKind::collection), *actual))
          return {size_fault(path, *type->as<CollectionType>().size, actual_size(*actual))};
        return {type_fault(path, expected.original, actual)};
    }
  }

  Faults variant(const Expected& expected, const TypeRef& actual, const StepPath& path) {
    std::vector<TypeRef> types = expected.type->as<VariantType>().types;
    if (expected.original->kind() == TypeKind::optional) types.insert(types.begin(), plain(TypeKind::undef));
    std::vector<Faults> each;
    for (std::size_t i = 0; i < types.size(); ++i) {
      Faults faults = describe(types[i], actual, along(path, {.kind = Step::Kind::variant, .number = i}));
      if (faults.empty()) return {};
      if (faults.size() > kMostFaults) faults.resize(kMostFaults);
      each.push_back(std::move(faults));
    }
    Faults faults = join(path.size(), each);
    if (expected.original->kind() == TypeKind::alias && faults.size() == 1)
      return {type_fault(path, expected.original, actual)};
    return faults;
  }

  /// Faults that all variants have in common become one.
  static Faults join(std::size_t variant_step, const std::vector<Faults>& each) {
    Faults all;
    for (const Faults& faults : each) all.insert(all.end(), faults.begin(), faults.end());
    for (const bool sizes : {true, false}) {
      Faults like;
      std::copy_if(all.begin(), all.end(), std::back_inserter(like), [&](const Fault& fault) {
        return sizes ? fault.kind == Fault::Kind::size
                     : fault.kind == Fault::Kind::type || fault.kind == Fault::Kind::pattern;
      });
      if (like.empty() || like.size() != each.size()) continue;
      const bool one_place = std::all_of(like.begin(), like.end(),
                                         [&](const Fault& fault) { return place(fault) == place(like.front()); });
      if (!one_place) continue;
      all = {sizes ? join_sizes(like) : join_types(like)};
      break;
    }
    if (all.size() == 1 && variant_step < all.front().path.size()) {
      all.front().path.erase(all.front().path.begin() + static_cast<std::ptrdiff_t>(variant_step));
    }
    return all;
  }

  static Fault join_sizes(const Faults& faults) {
    Fault out = faults.front();
    for (const Fault& fault : faults) {
      IntegerRange& size = out.expected_size;
      const IntegerRange& next = fault.expected_size;
      size.from = std::min(size.from.value_or(Integer(0)), next.from.value_or(Integer(0)));
      if (!size.to || !next.to) {
        size.to.reset();
      } else {
        size.to = std::max(*size.to, *next.to);
      }
    }
    return out;
  }

  static Fault join_types(const Faults& faults) {
    Fault out = faults.front();
    // One after the other, as Puppet does it: what is joined is normalized before the next one is looked at.
    for (std::size_t i = 1; i < faults.size(); ++i)
      out.expected = normalize(variant_type({out.expected, faults[i].expected}));
    return out;
  }

  Faults array(const Expected& expected, const TypeRef& actual, const StepPath& path) {
    const auto& [item, allowed] = expected.type->as<ArrayType>();
    if (actual->kind() == TypeKind::array) {
      const auto& array = actual->as<ArrayType>();
      if (!size_of(allowed).contains(size_of(array.size)))
        return {size_fault(path, size_of(allowed), size_of(array.size))};
      return {type_fault(path, expected.original, array_type(array.item))};
    }
    if (actual->kind() != TypeKind::tuple) return {type_fault(path, expected.original, actual)};
    const auto& tuple = actual->as<TupleType>();
    const IntegerRange size = tuple.size ? *tuple.size : exactly(tuple.types.size());
    if (!size_of(allowed).contains(size)) return {size_fault(path, size_of(allowed), size)};
    Faults out;
    for (std::size_t i = 0; i < tuple.types.size(); ++i) {
      if (out.size() >= kMostFaults) break;
      if (is_assignable(*item, *tuple.types[i])) continue;
      append(out, describe(item, tuple.types[i], along(path, {.kind = Step::Kind::index, .number = i})));
    }
    return out;
  }

  static void append(Faults& faults, Faults more) {
    faults.insert(faults.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  /// `size`: of which it may be.
  static Faults against_hash(const Expected& expected, const TypeRef& actual, const StepPath& path,
                             const IntegerRange& size) {
    const auto& hash = actual->as<HashType>();
    if (!size.contains(size_of(hash.size))) return {size_fault(path, size, size_of(hash.size))};
    return {type_fault(path, expected.original, hash_type(hash.key, hash.value))};
  }

  Faults hash(const Expected& expected, const TypeRef& actual, const StepPath& path) {
    const auto& [key_type, value_type, allowed] = expected.type->as<HashType>();
    const IntegerRange size = size_of(allowed);
    if (actual->kind() == TypeKind::hash) return against_hash(expected, actual, path, size);
    if (actual->kind() != TypeKind::structure) return {type_fault(path, expected.original, actual)};
    const std::vector<StructMember>& members = actual->as<StructType>().members;
    const IntegerRange count = exactly(members.size());
    if (!size.contains(count)) return {size_fault(path, size, count)};
    Faults out;
    for (const StructMember& member : members) {
      if (out.size() >= kMostFaults) break;
      const TypeRef key = literal_type(member.name);
      if (!is_assignable(*key_type, *key))
        append(out, describe(key_type, key, along(path, {.kind = Step::Kind::entry_key, .name = member.name})));
      if (is_assignable(*value_type, *member.type)) continue;
      append(out,
             describe(value_type, member.type, along(path, {.kind = Step::Kind::entry_value, .name = member.name})));
    }
    return out;
  }

  Faults structure(const Expected& expected, const TypeRef& actual, const StepPath& path) {
    const std::vector<StructMember>& members = expected.type->as<StructType>().members;
    if (actual->kind() == TypeKind::hash) {
      const auto required =
          std::count_if(members.begin(), members.end(), [](const StructMember& member) { return !member.optional; });
      return against_hash(expected, actual, path,
                          {Integer(required), Integer(static_cast<std::int64_t>(members.size()))});
    }
    if (actual->kind() != TypeKind::structure) return {type_fault(path, expected.original, actual)};
    const auto& structure = actual->as<StructType>();
    const MemberIndex known = index_members(expected.type->as<StructType>());
    const MemberIndex others = index_members(structure);
    Faults out;
    for (const StructMember& member : members) {
      if (out.size() >= kMostFaults) return out;
      const auto found = others.find(member.name);
      const StructMember* other = found == others.end() ? nullptr : found->second;
      if (other == nullptr) {
        if (!member.optional) out.push_back({.kind = Fault::Kind::missing_key, .path = path, .key = member.name});
      } else if (!is_assignable(*member.type, *other->type)) {
        append(out,
               describe(member.type, other->type, along(path, {.kind = Step::Kind::entry_value, .name = member.name})));
      }
    }
    for (const StructMember& member : structure.members) {
      if (out.size() >= kMostFaults) return out;
      if (!known.contains(member.name))
        out.push_back({.kind = Fault::Kind::unknown_key, .path = path, .key = member.name});
    }
    return out;
  }

  Faults tuple(const Expected& expected, const TypeRef& actual, const StepPath& path) {
    const auto& tuple = expected.type->as<TupleType>();
    const std::vector<TypeRef>& types = tuple.types;
    const bool array = actual->kind() == TypeKind::array;
    if (same_type(*expected.type, *actual) || (types.empty() && array)) return {};
    if (!array && actual->kind() != TypeKind::tuple) return {type_fault(path, expected.original, actual)};
    const IntegerRange size = tuple_size(tuple);
    const IntegerRange other = actual_size(*actual);
    if (!size.contains(other)) return {size_fault(path, size, other)};
    Faults out;
    if (types.empty()) return out;
    const std::size_t count = array ? types.size() : actual->as<TupleType>().types.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (out.size() >= kMostFaults) break;
      const std::size_t at = std::min(i, types.size() - 1);
      const TypeRef& item = array ? actual->as<ArrayType>().item : actual->as<TupleType>().types[i];
      append(out, describe(types[at], item, along(path, {.kind = Step::Kind::index, .number = at})));
    }
    return out;
  }

  bool normalized_;
};

}  // namespace

std::vector<Fault> describe(const TypeRef& expected, const TypeRef& actual, const std::vector<Step>& path,
                            bool normalized) {
  return Describer(normalized).describe(expected, actual, path);
}

}  // namespace strata::puppet
