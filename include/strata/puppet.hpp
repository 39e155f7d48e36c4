// The Puppet language: its types, what is a member of them, what is made of a value by `new`.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::text {
class Regex;
}

namespace strata::puppet {

/// A whole number of any size.
class Integer {
 public:
  Integer(std::int64_t value) noexcept : small_(value) {}  // Implicit: it is that number.
  /// Of a value that is an integer or a big one.
  explicit Integer(const Value& value);
  /// Decimal digits after an optional sign.
  [[nodiscard]] static Integer from_digits(std::string_view digits);
  /// The number, where it fits into 64 bits.
  [[nodiscard]] std::optional<std::int64_t> small() const noexcept { return big_.empty() ? std::optional(small_) : std::nullopt; }
  /// Decimal.
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] Integer successor() const;
  friend std::strong_ordering operator<=>(const Integer& left, const Integer& right) noexcept;
  friend bool operator==(const Integer& left, const Integer& right) noexcept { return (left <=> right) == std::strong_ordering::equal; }

 private:
  std::int64_t small_ = 0;
  std::string big_;  ///< Digits with `-`, where it does not fit into `small_`.
};

/// From … to, both included; a bound that is not there is infinite.
struct IntegerRange {
  std::optional<Integer> from;
  std::optional<Integer> to;
  [[nodiscard]] bool contains(const Integer& number) const noexcept;
  [[nodiscard]] bool contains(const IntegerRange& other) const noexcept;
  friend bool operator==(const IntegerRange&, const IntegerRange&) = default;
};

enum class TypeKind : std::uint8_t {
  any,
  unit,  ///< What an empty collection holds: fits everywhere, written `Unit`.
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
  runtime,  ///< A value of the program that is no value of the language.
  alias,    ///< A name for another type: `Data`.
};

struct Type;
using TypeRef = std::shared_ptr<const Type>;

/// A member of a Struct.
struct StructMember {
  std::string name;
  bool optional = false;  ///< It may be missing.
  TypeRef type;
};

/// A type of the Puppet language. Immutable and shared; which fields count depends on the kind. Made by `parse_type` and `infer`.
struct Type {
  TypeKind kind = TypeKind::any;
  /// array: the item. hash: key and value. variant, tuple: their types. optional, not_undef, iterable, iterator, type, sensitive: what it holds, or
  /// nothing. callable: parameters (a tuple), block and return type, each of which may be null; or nothing.
  std::vector<TypeRef> parts;
  /// integer: its bounds. string, collection, array, hash, tuple: bounds of the size, where any were given.
  std::optional<IntegerRange> range;
  /// floating.
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  /// boolean: the one member, where it has only one. enumeration: whether case is ignored.
  std::optional<bool> flag;
  /// string, where it is of one text. alias, host_class, runtime: the name. regexp: the pattern.
  std::optional<std::string> text;
  /// enumeration: the texts, sorted. pattern: the patterns. resource: type and title, as far as given.
  std::vector<std::string> texts;
  std::vector<std::shared_ptr<const text::Regex>> regexes;  ///< pattern: compiled, in the order of `texts`.
  std::vector<StructMember> members;                        ///< structure.
};

/// Reads a type as Puppet writes it: `Hash[String[1], Variant[Integer[0, default], Undef]]`. Blanks, line ends and comments may stand between tokens.
/// `String['x']`, a text alone, is accepted too. Names count without regard to case of their later letters only as Puppet's do.
/// Errors: `puppet.type` with column and what was expected there, `puppet.unknown-type` (with near names), `puppet.unsupported` for types that cannot
/// be used in strata, `regex.syntax`, `limit.depth` (nesting of more than 200 or `limits.depth`).
[[nodiscard]] TypeRef parse_type(std::string_view text, const Limits& limits);
/// As Puppet prints it. Reading it gives the type again, save for texts of one String, which are printed as `String`.
[[nodiscard]] std::string to_string(const Type& type);
/// The same type. The order of a Variant's types does not count.
[[nodiscard]] bool same_type(const Type& left, const Type& right);

/// Whether a value is a member. Objects that are no Sensitive and no type are members of `Any` and the like only; a binary counts as text.
/// Throws `limit.regex` where a pattern takes too long. Cost: linear in the value for types that are no deep Variants.
[[nodiscard]] bool is_instance(const Type& type, const Value& value);
/// Whether every member of `narrow` is one of `wide`, as Puppet answers it.
[[nodiscard]] bool is_assignable(const Type& wide, const Type& narrow);
/// The type of a value: `[1, 'a']` is `Array[ScalarData, 2, 2]`. Secrets are described by their kind only.
[[nodiscard]] TypeRef infer(const Value& value);
/// The type of a value with that of each of its parts: `[1, 'a']` is `Tuple[Integer[1, 1], String]`.
[[nodiscard]] TypeRef infer_detailed(const Value& value);
/// Without sizes, bounds and literal texts: `Array[ScalarData]`, as messages name types.
[[nodiscard]] TypeRef generalize(const TypeRef& type);

/// Why a value that is no instance is none, in Puppet's words: `Found value has wrong type, entry 'b' expects an Integer value, got String`.
/// `subject`: `Found value`. Several faults are separated by line ends. Secrets are described by their kind only.
[[nodiscard]] std::string mismatch(const Type& expected, const Value& actual, std::string_view subject);

/// What `new(type, arguments...)` gives: the value of the type that the first argument is converted to. Further arguments as in Puppet: a radix, a
/// format, `true` to wrap. The result is checked against the type.
/// Errors: `puppet.convert` where it is not possible, `puppet.format` for a bad format of texts, `puppet.unsupported` for types and formats that
/// strata does not make, `limit.result` for results of too many nodes.
[[nodiscard]] Value convert(const Type& type, std::span<const Value> arguments, Arena& arena, const Limits& limits);

/// A value that is not to be seen. It keeps a copy of what it holds.
class Sensitive final : public Object {
 public:
  explicit Sensitive(const Value& inner);
  [[nodiscard]] const Value& value() const noexcept { return inner_; }
  /// `Sensitive [value redacted]`.
  [[nodiscard]] std::string to_string() const override;
  [[nodiscard]] bool equals(const Object& other) const override;
  [[nodiscard]] std::size_t hash() const override;

 private:
  std::shared_ptr<const Arena> arena_;
  Value inner_;
};

/// An object that holds a copy of `inner`, marked as a secret.
[[nodiscard]] Value make_sensitive(Arena& arena, const Value& inner);
/// Null pointer where the value is no Sensitive.
[[nodiscard]] const Sensitive* as_sensitive(const Value& value) noexcept;

/// A type as a value.
class TypeObject final : public Object {
 public:
  explicit TypeObject(TypeRef type) : type_(std::move(type)) {}
  [[nodiscard]] const TypeRef& type() const noexcept { return type_; }
  [[nodiscard]] std::string to_string() const override;
  [[nodiscard]] bool equals(const Object& other) const override;
  [[nodiscard]] std::size_t hash() const override;

 private:
  TypeRef type_;
};

[[nodiscard]] Value make_type_value(Arena& arena, TypeRef type);
/// Null pointer where the value is no type.
[[nodiscard]] const TypeObject* as_type(const Value& value) noexcept;

}  // namespace strata::puppet
