// SPDX-License-Identifier: Apache-2.0
// Finds the scripts of users' own data functions: `lua::NAME`.
#pragma once

#include <optional>
#include <string_view>

#include "strata/snapshot.hpp"

namespace strata::hiera {

namespace detail {
struct DirectoryState;
}  // namespace detail

/// The script of `NAME` or `MODULE::NAME` for the hiera.yaml of `module` (empty: none). No value if there is none.
/// Errors: `tree.*`. Rule: docs/hiera/lua-backends.md, "Where scripts are".
[[nodiscard]] std::optional<Snapshot::Text> find_script(const detail::DirectoryState& directory, std::string_view name,
                                                        std::string_view module, const Stop* stop);

}  // namespace strata::hiera
