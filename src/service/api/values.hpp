// Results of nodes: all values, one, their keys; questions in batches.
#pragma once

#include <optional>

#include "service/face.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::api {

[[nodiscard]] Response list_nodes(const Call& call, sites::Sites& sites);
[[nodiscard]] Response show_node(const Call& call, sites::Sites& sites);
[[nodiscard]] Response list_keys(const Call& call, sites::Sites& sites);
[[nodiscard]] Response list_values(const Call& call, sites::Sites& sites);
[[nodiscard]] Response show_value(const Call& call, sites::Sites& sites);
/// Those two, if the answer is in memory.
[[nodiscard]] std::optional<Response> known_answer(const Call& call, const sites::Sites& sites);
[[nodiscard]] Response evaluate(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
