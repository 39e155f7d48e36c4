// SPDX-License-Identifier: Apache-2.0
// Results of nodes: all values, one, their keys.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "service/face.hpp"
#include "service/sites/sites.hpp"
#include "store/sites.hpp"

namespace strata::service::api {

/// Error `request.path` for what is no name of a node.
void check_node(std::string_view name);
/// The same for a node that only the request names: it has a plain name.
void check_new_node(std::string_view name);

/// Where the facts of a node are from.
struct NodeSource {
  std::string name;
  std::optional<store::Node> stored = {};  ///< No value: the files of the site.
};
/// `site.node`, with a name that is like it.
[[nodiscard]] Error unknown_node(const sites::SiteState& state, const std::string& name);
/// Errors: `request.path`, `site.node`.
[[nodiscard]] NodeSource find_node(const Call& call, const sites::SiteState& state, const std::string& node);
/// Lends the subject of a node until `stop` ends the work. Errors: `site.node`; those that end a run.
void with_subject(const sites::SiteState& state, const NodeSource& node, analysis::Question::History history,
                  const Stop& stop, const sites::SiteState::Use& use);
/// Calls `use` with the answer of a node, and its subject. Errors: as above.
void with_outcome(const sites::SiteState& state, const NodeSource& node, analysis::Question::History history,
                  const Stop& stop, const analysis::Wanted& wanted,
                  const std::function<void(const analysis::Subject::Answer&, analysis::Subject&)>& use);
/// The item that a key of Hiera is of; a key that cannot be read stands for itself. No value: the question has but one
/// item.
[[nodiscard]] analysis::Wanted wanted_for(const analysis::Question& question, const std::string& key);

[[nodiscard]] Response list_nodes(const Call& call, sites::Sites& sites);
[[nodiscard]] Response show_node(const Call& call, sites::Sites& sites);
[[nodiscard]] Response list_keys(const Call& call, sites::Sites& sites);
[[nodiscard]] Response list_values(const Call& call, sites::Sites& sites);
[[nodiscard]] Response show_value(const Call& call, sites::Sites& sites);
/// Those two, if the answer is in memory.
[[nodiscard]] std::optional<Response> known_answer(const Call& call, const sites::Sites& sites);

}  // namespace strata::service::api
