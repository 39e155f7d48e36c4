// SPDX-License-Identifier: Apache-2.0
// Whether everything in a store is as it was written.
#pragma once

#include <string>
#include <vector>

#include "store/store.hpp"

namespace strata::store {

/// Looks at the whole store: the database itself, each text against its hash, numbers without gaps, what rows refer to,
/// and that each sealed value opens. Returns what is wrong, one sentence each; at most `most`, with a last one that
/// says how many there are more. Errors: those of reading.
[[nodiscard]] std::vector<std::string> check(Store& store, std::size_t most = 1000);

}  // namespace strata::store
