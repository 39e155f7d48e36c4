#include "site_questions.hpp"

#include "owned_question.hpp"
#include "strata/paths.hpp"
#include "strata/workspace.hpp"

namespace strata::cli {

service::SiteQuestion site_question(const workspace::Project& project, const service::QuestionGround& ground) {
  service::SiteQuestion out;
  out.form = verb_form(project.verb);
  std::vector<std::string> more = ground.options;
  if (!ground.nodes.empty()) more.insert(more.end(), {"--nodes", ground.nodes});
  QuestionChoice choice = question_choice(project, more, ground.limits, ground.tree);
  if (choice.assumed) {
    out.assumed_nodes = absolute_path(working_folder(), kAssumedNodes);
    out.assumed_text = workspace::node_list(workspace::assumed_nodes(project, ground.tree, ground.limits));
  }
  out.question = std::make_unique<OwnedQuestion>(std::move(choice),
                                                 OwnedQuestion::Ground{.limits = ground.limits, .engine = ground.engine, .caps_limits = true});
  return out;
}

}  // namespace strata::cli
