// SPDX-License-Identifier: Apache-2.0
// Sets of names.
#pragma once

#include <functional>
#include <set>
#include <string>

namespace strata::heat {

using NameSet = std::set<std::string, std::less<>>;

}  // namespace strata::heat
