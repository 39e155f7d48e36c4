// SPDX-License-Identifier: Apache-2.0
// What the two kinds of token lists share.
#pragma once

#include <cstdint>

#include "service/identity/credentials.hpp"
#include "store/records.hpp"

namespace strata::service {

[[nodiscard]] Principal token_principal(const store::Token& token);
/// Microseconds since 1970, UTC.
[[nodiscard]] std::int64_t wall_time(const IdentityClocks& clocks);
/// Days since 1970.
[[nodiscard]] std::int64_t day_of(std::int64_t time) noexcept;
/// Whether it is valid for less than a week.
[[nodiscard]] bool ends_soon(const store::Token& token, std::int64_t time) noexcept;

}  // namespace strata::service
