// SPDX-License-Identifier: Apache-2.0
// The names of types.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "puppet/types/type.hpp"

namespace strata::puppet {

/// The printed name: `ScalarData`. Not for aliases, which have their own names.
[[nodiscard]] std::string_view kind_name(TypeKind kind);
/// The type with a name, ignoring case. Null if there is none. Throws `puppet.unsupported` for types of Puppet that
/// have no members in strata.
[[nodiscard]] TypeRef find_type(std::string_view name);
/// The most similar type name. Empty if none is similar.
[[nodiscard]] std::string near_name(std::string_view name);

}  // namespace strata::puppet
