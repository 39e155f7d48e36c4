// SPDX-License-Identifier: Apache-2.0
// The list of dialects: the only place above the dialects that names them.
#pragma once

#include <span>
#include <string_view>

#include "query/options.hpp"
#include "strata/traits.hpp"

namespace strata::dialects {

/// A dialect as clients of the service name it.
struct Entry {
  std::string_view name;  ///< `hiera`.
  std::string_view verb;  ///< The command that evaluates it: `lookup`.
  const query::Traits& (*traits)();
  /// The option of a name, without those that all dialects share. Null: there is none.
  const query::Option* (*option)(std::string_view name);
};

/// All of them, by name.
[[nodiscard]] std::span<const Entry> all() noexcept;
/// The dialect of a name. Null: none has it.
[[nodiscard]] const Entry* find(std::string_view name) noexcept;
/// The dialect that a command evaluates. Null: none.
[[nodiscard]] const Entry* find_verb(std::string_view verb) noexcept;

}  // namespace strata::dialects
