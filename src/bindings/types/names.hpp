// SPDX-License-Identifier: Apache-2.0
// Types, classes and parameters as text, in names of keys and in messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/puppet.hpp"

namespace strata::bindings {

using puppet::Type;
using puppet::TypeRef;

/// Whether a text is a class name: lower case, without a leading `::`.
[[nodiscard]] bool is_class_name(std::string_view name);
/// `::Ntp::Server` as `ntp::server`.
[[nodiscard]] std::string class_name(std::string_view name);
/// A title with `/`, `[`, `]` and `%` as `%2F` and so on.
[[nodiscard]] std::string encoded_title(std::string_view title);

/// A type as text, in the words of the table of 17, with encoded titles. Different types have different texts. Used in
/// names of keys.
[[nodiscard]] std::string type_text(const Type& type);
/// The name of a producer of `held` within `Type[…]`. Its parameter is `held`.
[[nodiscard]] TypeRef producer_type(const TypeRef& held);
/// Whether the argument of `Type[…]` is `Producer` or `Producer[T]`.
[[nodiscard]] bool is_producer_type(const Type& type) noexcept;
/// The same with plain titles: `File[/etc/hosts]`. For printing a value that is a type.
[[nodiscard]] std::string reference_text(const Type& type);
/// For people: `class ntp`, `Web['one']`.
[[nodiscard]] std::string readable_reference(std::string_view reference);

/// `/param/REF/NAME`.
[[nodiscard]] std::string parameter_key(const Type& reference, std::string_view parameter);
/// The other name of a class parameter: `ntp::server::ip` and `/param/Class[ntp::server]/ip`. No value if there is
/// none.
[[nodiscard]] std::optional<std::string> other_parameter_name(std::string_view name);
/// The parts of a key of the form `/param/REF/NAME`.
struct ParameterName {
  std::string_view reference;
  std::string_view parameter;
};
[[nodiscard]] std::optional<ParameterName> split_parameter(std::string_view key);
/// The canonical spelling of a key in a reserved form. No value if it begins with `/` but has none of these forms.
[[nodiscard]] std::optional<std::string> canonical_name(std::string_view name);

/// A key for people: `'users'`, `parameter 'enable' of class ntp`, `variable $x`, `Type[Logger]`, `(Collection, 'x')`.
/// `type`: empty for Data.
[[nodiscard]] std::string readable_key(std::string_view type, std::string_view name);

/// The pattern of a regular expression.
[[nodiscard]] std::string regex_source(const Value& value);

}  // namespace strata::bindings
