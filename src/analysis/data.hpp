// Parts of reports as data.
#pragma once

#include <vector>

#include "strata/analysis.hpp"

namespace strata::analysis {

/// `[{id, file, before, after, whole}]`.
[[nodiscard]] Value edits_data(Arena& arena, const std::vector<Edit>& edits);
/// `[{subject, item, path, kind, …}]`.
[[nodiscard]] Value changes_data(Arena& arena, const DiffReport& report);

}  // namespace strata::analysis
