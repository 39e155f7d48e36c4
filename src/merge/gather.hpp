// From the nodes of a History to the contributions of a path.
#pragma once

#include <span>
#include <vector>

#include "strata/merge.hpp"

namespace strata::merge {

using Steps = std::span<const Path::Step>;

/// Everything that met on the way to a path below `traced`, with its fate. Cost: O(meetings at the places on the way).
[[nodiscard]] std::vector<Contribution> gather(const Traced& traced, Steps path);

/// Position of a step among the members of a container; Arena::npos where there is none.
[[nodiscard]] std::size_t position_of(const Value& container, const Path::Step& step);
/// The member at a position. The members of what is secret are secret.
[[nodiscard]] Value member_at(const Value& container, std::size_t position);
[[nodiscard]] Traced child_at(const Traced& container, std::size_t position);

}  // namespace strata::merge
