// SPDX-License-Identifier: Apache-2.0
// A Session for the work of one request.
#pragma once

#include <cstddef>
#include <memory>

#include "service/core.hpp"
#include "strata/session.hpp"

namespace strata::service::buckets {

/// A Session that reads no files and starts no programs. `input`: bytes that the request works on.
[[nodiscard]] std::unique_ptr<Session> work_session(const Call& call, std::size_t input);

}  // namespace strata::service::buckets
