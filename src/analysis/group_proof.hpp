// SPDX-License-Identifier: Apache-2.0
// Proves for many statements at once that a result changes without each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/statements.hpp"

namespace strata::analysis {

/// Receives the outcomes of a target with some statements and without them.
using TakeOutcomes = std::function<void(const Outcome& before, const Outcome& after)>;
/// Evaluates a target with and without statements, and passes the outcomes on. Passes nothing on if the statements
/// cannot be removed together, if neither outcome can have changed, or if an evaluation fails.
using EvaluateWithout = std::function<void(std::span<const std::uint32_t> statements, const TakeOutcomes& take)>;

/// Returns statements without which, each removed alone, the result of a target changes. The rest is undecided.
/// `statements`: numbers in `stated`, all of one depth. `evaluate` is for one target. The cost is
/// evaluations_of_groups, and two evaluations for each of at most so many halvings. The algorithm is explained in
/// group_proof.cpp.
[[nodiscard]] std::vector<std::uint32_t> needed_by_groups(const Statements& stated,
                                                          std::span<const std::uint32_t> statements,
                                                          const EvaluateWithout& evaluate, std::size_t most_halvings);
/// How many evaluations a proof takes if all statements matter.
[[nodiscard]] std::size_t evaluations_of_groups(std::size_t statements);

}  // namespace strata::analysis
