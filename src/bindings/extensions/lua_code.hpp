// SPDX-License-Identifier: Apache-2.0
// An extension in Lua. Rule: docs/bindings/extensions.md.
#pragma once

#include <memory>
#include <string_view>

#include "code.hpp"

namespace strata::bindings::extensions {

/// strata's own script, which makes the table `strata` and the contexts of calls. Its file name in places is
/// `kPreludeName`.
[[nodiscard]] std::string_view prelude() noexcept;
inline constexpr std::string_view kPreludeName = "<extensions>";

/// Runs a script in its own sandbox and collects its registrations. Errors: `lua.*`, `limit.*`.
[[nodiscard]] std::shared_ptr<Code> run_script(const Sources& sources, SourceId script, SourceId prelude,
                                               const Limits& limits);

}  // namespace strata::bindings::extensions
