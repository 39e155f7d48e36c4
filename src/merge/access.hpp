// Reaching into containers that have a history.
#pragma once

#include "strata/merge.hpp"

namespace strata::merge {

/// Position of a step among the members of a container; Arena::npos where there is none.
[[nodiscard]] std::size_t position_of(const Value& container, const Path::Step& step);
/// The member at a position. The members of what is secret are secret.
[[nodiscard]] Value member_at(const Value& container, std::size_t position);
[[nodiscard]] Traced child_at(const Traced& container, std::size_t position);

}  // namespace strata::merge
