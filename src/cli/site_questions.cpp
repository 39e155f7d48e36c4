// SPDX-License-Identifier: Apache-2.0
#include "site_questions.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "owned_question.hpp"
#include "strata/paths.hpp"
#include "strata/workspace.hpp"

namespace strata::cli {

service::SiteQuestion site_question(const workspace::Project& project, const service::QuestionGround& ground) {
  service::SiteQuestion out;
  out.form = verb_form(project.verb);
  std::vector<std::string> more = ground.options;
  workspace::Project asked = project;
  if (!ground.nodes.empty()) {
    more.insert(more.end(), {"--nodes", ground.nodes});
    // Those of the one node that the project is about.
    constexpr std::array<std::string_view, 4> kOfOne{"enc", "facts", "node", "trusted"};
    std::erase_if(asked.settings,
                  [&](const workspace::Setting& one) { return std::ranges::find(kOfOne, one.name) != kOfOne.end(); });
  }
  QuestionChoice choice = question_choice(asked, more, ground.limits, ground.tree);
  if (choice.assumed) {
    out.assumed_nodes = absolute_path(working_folder(), kAssumedNodes);
    out.assumed_text = workspace::node_list(workspace::assumed_nodes(project, ground.tree, ground.limits));
  }
  out.question = std::make_unique<OwnedQuestion>(
      std::move(choice), OwnedQuestion::Ground{.limits = ground.limits, .engine = ground.engine, .caps_limits = true});
  return out;
}

}  // namespace strata::cli
