// SPDX-License-Identifier: Apache-2.0
// The requests of the explorer. Shapes: docs/service/explorer.md.
#pragma once

#include "service/explore/source.hpp"
#include "service/face.hpp"

namespace strata::service::explore {

[[nodiscard]] Response list_projects(const Call& call, Source& source);
[[nodiscard]] Response show_overview(const Call& call, Source& source);
[[nodiscard]] Response list_names(const Call& call, Source& source);
[[nodiscard]] Response list_subjects(const Call& call, Source& source);
[[nodiscard]] Response list_facets(const Call& call, Source& source);
[[nodiscard]] Response list_rows(const Call& call, Source& source);
[[nodiscard]] Response show_leaf(const Call& call, Source& source);
[[nodiscard]] Response list_files(const Call& call, Source& source);
[[nodiscard]] Response show_file(const Call& call, Source& source);
[[nodiscard]] Response save_file(const Call& call, Source& source);
[[nodiscard]] Response show_matrix(const Call& call, Source& source);
[[nodiscard]] Response what_if(const Call& call, Source& source);
[[nodiscard]] Response propose_edits(const Call& call, Source& source);
[[nodiscard]] Response compare_states(const Call& call, Source& source);
[[nodiscard]] Response show_effect(const Call& call, Source& source);
[[nodiscard]] Response list_findings(const Call& call, Source& source);
[[nodiscard]] Response search(const Call& call, Source& source);
[[nodiscard]] Response list_history(const Call& call, Source& source);
[[nodiscard]] Response list_events(const Call& call, Source& source);

}  // namespace strata::service::explore
