// The names of types.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/puppet.hpp"

namespace strata::puppet {

/// As it is printed: `ScalarData`. Not for aliases, whose name is their own.
[[nodiscard]] std::string_view kind_name(TypeKind kind);
/// The type that a name stands for, whatever the case of its letters; a null pointer where there is none.
/// Throws `puppet.unsupported` for types of Puppet that have no members in strata.
[[nodiscard]] TypeRef find_type(std::string_view name);
/// The name of a type that is nearest; empty where none is near.
[[nodiscard]] std::string near_name(std::string_view name);

}  // namespace strata::puppet
