// Data functions that users write in Lua: `lua::NAME`. Rule: docs/hiera/lua-backends.md.
#pragma once

#include <memory>

#include "data_source.hpp"
#include "strata/session.hpp"

namespace strata::hiera {

namespace detail {
struct DirectoryState;
}  // namespace detail

/// The functions of one view: a sandbox a script, made when the first function of it is called for. Not thread-safe: one a view.
/// `made` gets what the functions made, as far as it is kept for later lookups. Errors of the functions: LookupError (`lua.*`, `hiera.lua`) with the
/// script's line and the entry's name; `limit.*`, which end the lookup.
[[nodiscard]] FunctionLoader lua_functions(detail::DirectoryState& directory, Session& session, std::shared_ptr<Arena> made);

}  // namespace strata::hiera
