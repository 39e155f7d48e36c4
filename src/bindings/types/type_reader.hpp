// SPDX-License-Identifier: Apache-2.0
// Typerefs: the type of a reference in a binding.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bindings/model.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/puppet.hpp"

namespace strata::bindings {

using puppet::Type;
using puppet::TypeRef;

/// Evaluates the non-constant parts of a typeref (`Class[$name]`).
using EvaluatePart = std::function<Value(const Expression&)>;

/// `Data` of the bindings: a Literal, or Arrays and Hashes of Data. Undef only inside them.
[[nodiscard]] const TypeRef& data_type();
/// Items of an Array or Hash of Data: Data, or undef.
[[nodiscard]] const TypeRef& data_item_type();
/// The keys of a Hash: Literals. Booleans are not keys of Data.
[[nodiscard]] const TypeRef& data_key_type();
/// `Class[name]`: lower case, without a leading `::`.
[[nodiscard]] TypeRef class_type(std::string_view name);
/// `Web`, or `Web[title]` if `title` is not null. The name is capitalised.
[[nodiscard]] TypeRef resource_type(std::string_view name, const std::string* title = nullptr);
/// Whether parameters of it can be bound: a class, a resource or resource type, `Type[X]`.
[[nodiscard]] bool has_parameters(const Type& type) noexcept;
/// The name of a runtime type: X of `Type[X]`, or of X. Empty for all other types, and for `Producer[T]`.
[[nodiscard]] std::string runtime_name(const Type& type);
/// Whether a name in a typeref is one of the table of 17, and so not a resource type.
[[nodiscard]] bool is_reserved(std::string_view name);

/// Parses a typeref. Null if a part of it is not constant and `evaluate` is null.
/// Errors: `bindings.typeref`, `puppet.type`, `regex.syntax`, `limit.depth`, at their place.
[[nodiscard]] TypeRef read_type(const Sources& sources, const TypeReference& reference, const EvaluatePart& evaluate,
                                const Limits& limits);
/// The same for an expression that must be a type (`Type[X]` as a producer, a type argument).
[[nodiscard]] TypeRef read_type(const Sources& sources, const Expression& expression, const EvaluatePart& evaluate,
                                const Limits& limits);
/// Whether an expression has the form of a type: a capitalised name, perhaps with brackets.
[[nodiscard]] bool has_form_of_type(const Expression& expression) noexcept;

/// Converts a type of the language to its meaning in bindings: `Array` of anything is an Array of Data.
[[nodiscard]] TypeRef from_language(const TypeRef& type);

}  // namespace strata::bindings
