// strata diff: what changes between two states of the files, and because of which edits.
#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "output.hpp"
#include "strata/analysis.hpp"

namespace strata::cli {
namespace {

class DiffCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("diff", "what changes between two states, and because of which lines: strata diff [options] VERB …");
    states_.add_to(command_);
    command_.add_option("--only", only_, "only items whose name matches, with * and ?").type_name("PATTERN").one_word();
    command_.add_option("--list-key", list_key_, "in lists, mappings with the same NAME are the same item").type_name("NAME");
    command_.add_flag("--no-causes", no_causes_, "do not find out which edits cause the changes");
    command_.add_flag("--stat", stat_, "only count the changes of each item");
    shared_.add_to(command_);
    command_.leave_rest();
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    AnalysisRun run(shared_.options, command_.rest(), shared_.file);
    analysis::StudySettings settings = run.settings();
    settings.how.list_key = list_key_;
    settings.only = only_;
    settings.finds_causes = !no_causes_;
    const auto study = run.study(states_, std::move(settings));
    const analysis::DiffReport report = study->diff();
    run.tell_unread(*study);
    if (shared_.as_json()) {
      Arena arena;
      print(text::write_json(analysis::diff_data(arena, report)));
    } else {
      print_for_people(stat_ ? analysis::diff_stat(report, run.wording()) : analysis::diff_text(report, run.wording(), run.layout()));
    }
    flush_output();
    return shared_.status(!report.subjects.empty());
  }

 private:
  Arguments command_;
  StateOptions states_;
  AnalysisOptions shared_;
  std::vector<std::string> only_;
  std::string list_key_;
  bool no_causes_ = false;
  bool stat_ = false;
};

const Registration diff_registration(
    {.name = "diff",
     .place = 700,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<DiffCommand>(); },
     .examples = {"strata diff --set examples/cloud-init/web.yaml:/timezone=Etc/UTC merge examples/cloud-init/platform.yaml "
                  "examples/cloud-init/web.yaml",
                  "strata diff --from HEAD render examples/deckhand/site"},
     .page = "analysis/differences.md"});

}  // namespace

}  // namespace strata::cli
