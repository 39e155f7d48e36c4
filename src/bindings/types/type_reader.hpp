// Typerefs: which type a reference in a binding means.
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

/// Evaluates what is no constant in a typeref (`Class[$name]`).
using EvaluatePart = std::function<Value(const Expression&)>;

/// `Data` of the bindings: a Literal, or Arrays and Hashes of such; undef inside of them only.
[[nodiscard]] const TypeRef& data_type();
/// What an Array or Hash of Data holds: Data, or undef.
[[nodiscard]] const TypeRef& data_item_type();
/// The keys of a Hash: Literals, of which Booleans are no keys of Data.
[[nodiscard]] const TypeRef& data_key_type();
/// `Class[name]`: lower case, without a leading `::`.
[[nodiscard]] TypeRef class_type(std::string_view name);
/// `Web`, or `Web[title]` where `title` is not null. The name gets its capitals.
[[nodiscard]] TypeRef resource_type(std::string_view name, const std::string* title = nullptr);
/// Whether a name of a typeref is one of the table of 17, and so no resource type.
[[nodiscard]] bool is_reserved(std::string_view name);

/// Reads a typeref. A null pointer where a part of it is no constant and `evaluate` is null.
/// Errors: `bindings.typeref`, `puppet.type`, `regex.syntax`, `limit.depth`, at their place.
[[nodiscard]] TypeRef read_type(const Sources& sources, const TypeReference& reference, const EvaluatePart& evaluate, const Limits& limits);
/// The same for an expression that is known to be a type (`Type[X]` as a producer, a type argument).
[[nodiscard]] TypeRef read_type(const Sources& sources, const Expression& expression, const EvaluatePart& evaluate, const Limits& limits);
/// Whether an expression has the form of a type: a name with capitals, or that with brackets.
[[nodiscard]] bool has_form_of_type(const Expression& expression) noexcept;

/// A type of the language as what its name means in bindings: `Array` of anything is an Array of Data.
[[nodiscard]] TypeRef from_language(const TypeRef& type);

}  // namespace strata::bindings
