// Where the scripts of users' own data functions are: `lua::NAME`.
#pragma once

#include <optional>
#include <string_view>

#include "strata/snapshot.hpp"

namespace strata::hiera {

namespace detail {
struct DirectoryState;
}  // namespace detail

/// The script of `NAME` or `MODULE::NAME`, as the hiera.yaml of `module` (empty: of none) sees it; none where there is none. Errors: `tree.*`.
/// Rule: docs/hiera/lua-backends.md, "Where scripts are".
[[nodiscard]] std::optional<Snapshot::Text> find_script(const detail::DirectoryState& directory, std::string_view name, std::string_view module,
                                                        const Stop* stop);

}  // namespace strata::hiera
