// SPDX-License-Identifier: Apache-2.0
// strata impact: which nodes an edit changes, grouped by effect.
#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "output.hpp"
#include "query_runs.hpp"
#include "strata/analysis.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::cli {
namespace {

class ImpactCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("impact", "show which nodes an edit changes, grouped by effect");
    states_.add_to(command_);
    runs_.add_to(command_);
    command_.add_option("--by", by_, "what makes a group: effect (all changes), change (each), path (without values)")
        .type_name("GROUP")
        .one_of({"effect", "change", "path"})
        .capture_default_str();
    names_option_ =
        command_.add_option("--names", names_, "how many names of each group are shown; 0: all").type_name("NUMBER");
    command_.add_option("--only", only_, "only items whose name matches, with * and ?").type_name("PATTERN").one_word();
    command_.add_flag("--no-causes", no_causes_, "do not find out which edits cause the changes");
    shared_.formats = {"text", "json", "markdown"};
    shared_.add_to(command_);
    leave_query(command_, shared_.options);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    AnalysisRun run(shared_.options, command_.rest(), shared_.file, states_.is_edit(), OnRefusal::leave_out, &runs_);
    analysis::StudySettings settings = run.settings();
    settings.only = only_;
    settings.finds_causes = !no_causes_;
    const auto study = run.study(states_, std::move(settings));
    using analysis::GroupBy;
    const analysis::ImpactReport report = study->impact(by_ == "change" ? GroupBy::change
                                                        : by_ == "path" ? GroupBy::path
                                                                        : GroupBy::effect);
    run.tell_rest(*study);
    const unsigned most_names = names_option_.is_given() ? names_ : 0;
    if (shared_.as_json() && run.lacks_something()) {
      Arena arena;
      print(text::write_json(run.marked(arena, analysis::impact_data(arena, report, most_names))));
    } else if (shared_.as_json()) {
      analysis::write_impact(report, most_names, run.is_assumed(), print);
    } else if (shared_.output == "markdown") {
      print(analysis::impact_markdown(report, run.wording(), names_) + run.left_out_markdown());
    } else {
      print(analysis::impact_text(report, run.wording(), names_, run.layout()));
    }
    flush_output();
    return shared_.status(report.effects.counts().changed != 0);
  }

 private:
  Arguments command_;
  StateOptions states_;
  QueryRuns runs_;
  AnalysisOptions shared_;
  std::string by_ = "effect";
  unsigned names_ = analysis::kNames;
  Option names_option_;
  std::vector<std::string> only_;
  bool no_causes_ = false;
};

const Registration impact_registration(
    {.name = "impact",
     .place = 710,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<ImpactCommand>(); },
     .examples =
         {"strata impact --exit-zero --set examples/fleet/data/common.yaml:/profile::web::port=8000 lookup --all "
          "--hiera-config examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json",
          "strata impact --exit-zero --output markdown --unset examples/fleet/data/role/web.yaml:/users lookup --all "
          "--hiera-config examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json"},
     .page = "analysis/differences.md"});

}  // namespace

}  // namespace strata::cli
