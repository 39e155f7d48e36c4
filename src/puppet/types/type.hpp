// SPDX-License-Identifier: Apache-2.0
// What a type holds: one shape for each form of a type. Types are made by make.hpp, so that equal types have equal
// shapes.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "puppet/types/integer.hpp"
#include "strata/puppet.hpp"

namespace strata::text {
class Regex;
}

namespace strata::puppet {

enum class TypeKind : std::uint8_t {
  any,
  unit,  ///< The item type of an empty collection: fits everywhere, written `Unit`.
  undef,
  default_value,
  scalar,
  scalar_data,
  numeric,
  integer,
  floating,
  boolean,
  string,
  enumeration,
  pattern,
  regexp,
  collection,
  array,
  hash,
  structure,
  tuple,
  variant,
  optional,
  not_undef,
  iterable,
  iterator,
  callable,
  type,
  sensitive,
  timestamp,
  timespan,
  sem_ver,
  sem_ver_range,
  binary,
  uri,
  catalog_entry,
  host_class,
  resource,
  runtime,  ///< A value of the program that the language cannot express.
  alias,    ///< A name for another type: `Data`.
};

/// The allowed sizes of a value, if they are restricted.
using Size = std::optional<IntegerRange>;

/// A kind without parameters: `Any`, `Numeric`, `Binary`, ….
struct SimpleType {
  TypeKind kind;
};

struct IntegerType {
  static constexpr TypeKind kKind = TypeKind::integer;
  IntegerRange range;
};

/// From … to, inclusive.
struct FloatType {
  static constexpr TypeKind kKind = TypeKind::floating;
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
};

struct BooleanType {
  static constexpr TypeKind kKind = TypeKind::boolean;
  std::optional<bool> only;  ///< Its only member, if there is only one.
};

/// Texts of some lengths, in characters.
struct StringType {
  static constexpr TypeKind kKind = TypeKind::string;
  Size length;
};

/// A String of one text.
struct LiteralType {
  static constexpr TypeKind kKind = TypeKind::string;
  std::string text;
};

struct EnumType {
  static constexpr TypeKind kKind = TypeKind::enumeration;
  std::vector<std::string> texts;  ///< Sorted, without duplicates. Empty: any text.
  bool ignores_case = false;
};

struct PatternType {
  static constexpr TypeKind kKind = TypeKind::pattern;
  struct Pattern {
    std::string text;
    std::shared_ptr<const text::Regex> regex;
  };
  std::vector<Pattern> patterns;  ///< Without duplicates. Empty: any text.
};

struct RegexpType {
  static constexpr TypeKind kKind = TypeKind::regexp;
  std::optional<std::string> pattern;
};

struct CollectionType {
  static constexpr TypeKind kKind = TypeKind::collection;
  Size size;
};

struct ArrayType {
  static constexpr TypeKind kKind = TypeKind::array;
  TypeRef item;
  Size size;
};

struct HashType {
  static constexpr TypeKind kKind = TypeKind::hash;
  TypeRef key;
  TypeRef value;
  Size size;
};

/// A member of a Struct.
struct StructMember {
  std::string name;
  bool optional = false;  ///< The member may be missing.
  TypeRef type;
};

struct StructType {
  static constexpr TypeKind kKind = TypeKind::structure;
  std::vector<StructMember> members;
};

struct TupleType {
  static constexpr TypeKind kKind = TypeKind::tuple;
  std::vector<TypeRef> types;  ///< The last one is repeated if `size` allows more.
  Size size;
};

struct VariantType {
  static constexpr TypeKind kKind = TypeKind::variant;
  std::vector<TypeRef> types;
};

/// `Optional[T]`, `NotUndef[T]`, `Iterable[T]`, `Iterator[T]`, `Type[T]`, `Sensitive[T]`.
struct HolderType {
  TypeKind kind;
  TypeRef held;  ///< Null if no parameter was given. Never null for Sensitive.
};

struct CallableType {
  static constexpr TypeKind kKind = TypeKind::callable;
  struct Signature {
    TypeRef parameters;  ///< A Tuple.
    TypeRef block;       ///< Null: none.
    TypeRef result;      ///< Null: any.
  };
  std::optional<Signature> signature;
};

/// `Class[name]`.
struct ClassType {
  static constexpr TypeKind kKind = TypeKind::host_class;
  std::optional<std::string> name;
};

/// `Resource`, `File`, `File[title]`.
struct ResourceType {
  static constexpr TypeKind kKind = TypeKind::resource;
  std::string name;                  ///< Empty: any resource. The case of its letters does not count.
  std::optional<std::string> title;  ///< Only with a name.
  TypeRef produced;                  ///< Bindings: the parameter of `Producer[T]`. Null for all other types.
};

/// A name for another type: `Data`.
struct AliasType {
  static constexpr TypeKind kKind = TypeKind::alias;
  std::string_view name;  ///< Has static storage.
};

class Type {
 public:
  using Shape = std::variant<SimpleType, IntegerType, FloatType, BooleanType, StringType, LiteralType, EnumType,
                             PatternType, RegexpType, CollectionType, ArrayType, HashType, StructType, TupleType,
                             VariantType, HolderType, CallableType, ClassType, ResourceType, AliasType>;

  template <class S>
  requires(!std::is_same_v<S, Type>) explicit Type(S shape)
      : shape_(std::in_place_type<S>, std::move(shape)), kind_(kind_of(std::get<S>(shape_))) {}

  [[nodiscard]] TypeKind kind() const noexcept { return kind_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  /// The shape, if it is an `S`. Otherwise null.
  template <class S>
  [[nodiscard]] const S* get_if() const noexcept {
    return std::get_if<S>(&shape_);
  }
  /// The shape, which must be an `S`.
  template <class S>
  [[nodiscard]] const S& as() const noexcept {
    const S* const found = std::get_if<S>(&shape_);
    assert(found != nullptr && "the shape of the kind");
    return *found;
  }

 private:
  template <class S>
  [[nodiscard]] static TypeKind kind_of(const S& shape) noexcept {
    if constexpr (requires { S::kKind; }) {
      return S::kKind;
    } else {
      return shape.kind;
    }
  }

  Shape shape_;
  TypeKind kind_;
};

}  // namespace strata::puppet
