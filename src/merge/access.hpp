// SPDX-License-Identifier: Apache-2.0
// Access to members of containers with a history.
#pragma once

#include "strata/merge.hpp"

namespace strata::merge {

/// Index of a step among the members of a container; Arena::npos if it is missing.
[[nodiscard]] std::size_t position_of(const Value& container, const Path::Step& step);
/// The member at an index. Members of a secret container are secret.
[[nodiscard]] Value member_at(const Value& container, std::size_t position);
[[nodiscard]] Traced child_at(const Traced& container, std::size_t position);

}  // namespace strata::merge
