// How types, classes and parameters are written in names of keys, and in messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/puppet.hpp"

namespace strata::bindings {

using puppet::Type;
using puppet::TypeRef;

/// Whether it is one, in small letters and without `::` before it.
[[nodiscard]] bool is_class_name(std::string_view name);
/// `::Ntp::Server` as `ntp::server`.
[[nodiscard]] std::string class_name(std::string_view name);
/// A title with `/`, `[`, `]` and `%` as `%2F` and so on.
[[nodiscard]] std::string encoded_title(std::string_view title);

/// A type as text, in the words of the table of 17, titles encoded; different types have different texts. As it stands in names of keys.
[[nodiscard]] std::string type_text(const Type& type);
/// What a producer of `held` is called within `Type[…]`; its part is `held`.
[[nodiscard]] TypeRef producer_type(const TypeRef& held);
/// Whether what stands within `Type[…]` is `Producer`, or a `Producer[T]`.
[[nodiscard]] bool is_producer_type(const Type& type) noexcept;
/// The same with titles as they are: `File[/etc/hosts]`. What is printed of a value that is a type.
[[nodiscard]] std::string reference_text(const Type& type);
/// For people: `class ntp`, `Web['one']`.
[[nodiscard]] std::string readable_reference(std::string_view reference);

/// `/param/REF/NAME`.
[[nodiscard]] std::string parameter_key(const Type& reference, std::string_view parameter);
/// The other name of a class parameter: `ntp::server::ip` and `/param/Class[ntp::server]/ip`; none where there is no other.
[[nodiscard]] std::optional<std::string> other_parameter_name(std::string_view name);
/// What is in a key of the form `/param/REF/NAME`.
struct ParameterName {
  std::string_view reference;
  std::string_view parameter;
};
[[nodiscard]] std::optional<ParameterName> split_parameter(std::string_view key);
/// A key of one of the reserved forms, in its one spelling; none: it begins with `/` and is none of them.
[[nodiscard]] std::optional<std::string> canonical_name(std::string_view name);

/// A key for people: `'users'`, `parameter 'enable' of class ntp`, `variable $x`, `Type[Logger]`, `(Collection, 'x')`.
/// `type`: empty for Data.
[[nodiscard]] std::string readable_key(std::string_view type, std::string_view name);

/// The pattern of a regular expression that a value is.
[[nodiscard]] std::string regex_source(const Value& value);

}  // namespace strata::bindings
