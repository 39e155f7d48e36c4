// SPDX-License-Identifier: Apache-2.0
// Users' own data functions in Lua: `lua::NAME`. Rule: docs/hiera/lua-backends.md.
#pragma once

#include <memory>

#include "data_source.hpp"
#include "strata/session.hpp"

namespace strata::hiera {

namespace detail {
struct DirectoryState;
}  // namespace detail

/// The functions of one view: one sandbox per script, made when a function of it is first called. Not thread-safe: one
/// per view. `made` receives the values of functions that are kept for later lookups. Errors of functions: LookupError
/// (`lua.*`, `hiera.lua`) with the script's line and the entry's name; `limit.*`, which end the lookup.
[[nodiscard]] FunctionLoader lua_functions(detail::DirectoryState& directory, Session& session,
                                           std::shared_ptr<Arena> made);

}  // namespace strata::hiera
