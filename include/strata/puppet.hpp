// SPDX-License-Identifier: Apache-2.0
// The types of the Puppet language: membership, inference, and conversion with `new`.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::puppet {

/// A type of the Puppet language: `Hash[String, Integer[1, 10]]`. Immutable. Made by `parse_type` and `infer`; the
/// functions below say all about it.
class Type;
/// Types are shared. Never null where a function returns one.
using TypeRef = std::shared_ptr<const Type>;

/// Parses a type as Puppet writes it: `Hash[String[1], Variant[Integer[0, default], Undef]]`. Blanks, line ends and
/// comments are allowed between tokens. Accepts `String['x']`, a text alone, too. Names ignore case where Puppet's do:
/// after their first letter. Errors: `puppet.type` with the column and what was expected there; `puppet.unknown-type`
/// with similar names; `puppet.unsupported` for types that strata cannot use; `regex.syntax`; `limit.depth` for nesting
/// beyond 200 or `limits.depth`.
[[nodiscard]] TypeRef parse_type(std::string_view text, const Limits& limits);
/// As Puppet prints it. Parsing the result gives the same type, except that a String of one text is printed as
/// `String`.
[[nodiscard]] std::string to_string(const Type& type);
/// Whether two types are the same. The order of the types of a Variant does not matter.
[[nodiscard]] bool same_type(const Type& left, const Type& right);

/// Whether a value is a member. An object that is neither Sensitive nor a type is a member of `Any` and similar types
/// only. Binary counts as text. Throws `limit.regex` if a pattern takes too long. Cost: linear in the value, unless
/// Variants are nested deeply.
[[nodiscard]] bool is_instance(const Type& type, const Value& value);
/// Whether every member of `narrow` is a member of `wide`, by Puppet's rules.
[[nodiscard]] bool is_assignable(const Type& wide, const Type& narrow);
/// The type of a value: `[1, 'a']` is `Array[ScalarData, 2, 2]`. For secrets, only the kind is shown.
[[nodiscard]] TypeRef infer(const Value& value);
/// The type of a value, with the type of each part: `[1, 'a']` is `Tuple[Integer[1, 1], String]`.
[[nodiscard]] TypeRef infer_detailed(const Value& value);
/// The type without sizes, bounds and literal texts, as in messages: `Array[ScalarData]`.
[[nodiscard]] TypeRef generalize(const TypeRef& type);

/// Why a value is not an instance, in Puppet's words: `Found value has wrong type, entry 'b' expects an Integer value,
/// got String`. `subject` is `Found value`. Several mismatches are separated by line breaks. For secrets, only the kind
/// is shown.
[[nodiscard]] std::string mismatch(const Type& expected, const Value& actual, std::string_view subject);

/// Converts as `new(type, arguments...)` does: the first argument is converted to the type. More arguments as in
/// Puppet: a radix, a format, `true` to wrap. The result is checked against the type. Errors: `puppet.convert` if the
/// conversion is not possible, `puppet.format` for a bad text format, `puppet.unsupported` for types and formats that
/// strata does not make, `limit.result` if the result has too many nodes.
[[nodiscard]] Value convert(const Type& type, std::span<const Value> arguments, Arena& arena, const Limits& limits);

/// A secret value. Keeps a copy of the inner value.
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

/// An object with a copy of `inner`, marked as secret.
[[nodiscard]] Value make_sensitive(Arena& arena, const Value& inner);
/// Null if the value is not Sensitive.
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
/// Null if the value is not a type.
[[nodiscard]] const TypeObject* as_type(const Value& value) noexcept;

}  // namespace strata::puppet
