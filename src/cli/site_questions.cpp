#include "site_questions.hpp"

#include <algorithm>

#include "strata/paths.hpp"
#include "strata/workspace.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"

namespace strata::cli {
namespace {

/// The options of an analysis that has none.
struct PlainOptions : SharedOptions {
  explicit PlainOptions(const Limits& given) {
    limits = given;
    limits.stop = nullptr;
    threads = 1;
    compares = true;
  }
};

/// What `make` returns. A command line that is wrong is an Error here: that of a site.
template <class Make>
auto told(const Make& make) {
  constexpr const char* kCode = "site.project";
  try {
    return make();
  } catch (const UsageError& wrong) {
    throw Error(kCode, wrong.what());
  } catch (const Ended& /*ended*/) {
    throw Error(kCode, "the options of the site make no question");
  }
}

/// A question with the options that it refers to.
class OwnedQuestion final : public analysis::Question {
 public:
  OwnedQuestion(QuestionChoice choice, const service::QuestionGround& ground)
      : options_(ground.limits),
        question_(std::move(choice), {.own = options_, .engine = ground.engine, .folder = working_folder(), .tell = {}, .is_whole_process = false}) {}

  [[nodiscard]] std::unique_ptr<analysis::Asked> in(const analysis::State& state, History history, Telling telling) const override {
    return told([&] { return question_.in(state, history, telling); });
  }
  [[nodiscard]] analysis::Wording wording() const override { return question_.wording(); }
  [[nodiscard]] analysis::Results results() const override { return question_.results(); }
  [[nodiscard]] std::span<const std::string_view> known_members() const override { return question_.known_members(); }
  [[nodiscard]] Names names_in(std::string_view text) const override { return question_.names_in(text); }
  [[nodiscard]] bool lacks_fleet() const override { return question_.lacks_fleet(); }

 private:
  PlainOptions options_;
  VerbQuestion question_;
};

}  // namespace

service::SiteQuestion site_question(const workspace::Project& project, const service::QuestionGround& ground) {
  service::SiteQuestion out;
  std::vector<std::string> more;
  if (!ground.nodes.empty()) more = {"--nodes", ground.nodes};
  QuestionChoice choice = question_choice(project, more, ground.limits, ground.tree);
  if (choice.assumed) {
    out.assumed_nodes = absolute_path(working_folder(), kAssumedNodes);
    out.assumed_text = workspace::node_list(workspace::assumed_nodes(project, ground.tree, ground.limits));
  }
  out.question = told([&]() -> std::unique_ptr<analysis::Question> { return std::make_unique<OwnedQuestion>(std::move(choice), ground); });
  return out;
}

}  // namespace strata::cli
