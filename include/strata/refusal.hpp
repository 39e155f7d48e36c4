// SPDX-License-Identifier: Apache-2.0
// Requests whose files ask for a program or a server that the host refuses. Rules: SECURITY.md, "A
// repository is not a trusted host".
#pragma once

#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/host.hpp"

namespace strata {

class Session;

/// The code of the warning.
inline constexpr std::string_view kLeftOut = "host.left-out";

/// Whether the request continues without it. Then it warns; else the caller throws an error.
[[nodiscard]] bool continues_without(Session& session, const Refusal& refusal);
/// For the hint of that error: how the user allows it. Empty: the user cannot, or the session has no host.
[[nodiscard]] std::string way_to_allow(const Session& session, Refusal::Kind kind);

}  // namespace strata
