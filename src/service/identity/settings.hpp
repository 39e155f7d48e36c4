// SPDX-License-Identifier: Apache-2.0
// Ways to recognise who asks, in a configuration file.
#pragma once

#include <vector>

#include "strata/identity.hpp"
#include "value/fields.hpp"

namespace strata::service {

/// Reads `auth:`: a way or a list of them, each a word as for `--auth`, or a mapping of its kind to its options.
/// Errors: the code of `errors`.
[[nodiscard]] std::vector<AuthWay> read_auth(const Value& value, const FieldErrors& errors);

}  // namespace strata::service
