// SPDX-License-Identifier: Apache-2.0
// strata log: the commits that change a result.
#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "output.hpp"
#include "strata/commit_log.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "tree_from.hpp"

namespace strata::cli {
namespace {

class LogCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("log", "list the commits that change a result");
    command_.add_option("-n", most_, "end after so many commits").type_name("NUMBER");
    command_.add_option("--since", since_, "only commits that this revision does not lead to").type_name("REV");
    command_.add_option("--to", to_, "the newest commit; without it HEAD, and first what is not committed yet")
        .type_name("REV");
    command_.add_option("--path", path_, "only changes at, below or above this place of the result")
        .type_name("ITEM[/POINTER]");
    command_.add_flag("--all-parents", all_parents_,
                      "a merge must differ from each of its parents, not only from the first");
    command_.add_flag("--no-causes", no_causes_, "do not find out which edits cause the changes");
    shared_.add_to(command_);
    leave_query(command_, shared_.options);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    AnalysisRun run(shared_.options, command_.rest(), shared_.file);
    run.question().check_usage();
    analysis::LogSettings settings{.study = run.settings(), .path = path_, .all_parents = all_parents_, .most = most_};
    settings.study.finds_causes = !no_causes_;
    const std::string around = repository_around(run.question().verb().place_of_files());
    const auto history = open(around);
    const analysis::LogReport report = analysis::commit_log(
        run.question(), *history, to_.empty(), [&run](const std::string& revision) { return run.state_of(revision); },
        settings);
    if (shared_.as_json()) {
      Arena arena;
      print(text::write_json(run.marked(arena, analysis::log_data(arena, report))));
    } else {
      print(analysis::log_text(report, run.wording(), run.layout()));
    }
    flush_output();
    // As of a search: 1 says that nothing was found.
    return report.commits.empty() && !shared_.exit_zero ? 1 : 0;
  }

 private:
  [[nodiscard]] std::unique_ptr<GitHistory> open(const std::string& around) const {
    try {
      return std::make_unique<GitHistory>(to_.empty() ? "HEAD" : to_, since_, around);
    } catch (const Error& error) {
      // HEAD of a repository without commits names no revision.
      const bool is_empty = error.code() == "git.revision" && to_.empty() && since_.empty();
      if (error.code() != "git.no-repository" && !is_empty) throw;
      throw Error("log.no-history", "no commits found").hint(error.what());
    }
  }

  Arguments command_;
  AnalysisOptions shared_;
  unsigned most_ = 0;
  std::string since_;
  std::string to_;
  std::string path_;
  bool all_parents_ = false;
  bool no_causes_ = false;
};

const Registration log_registration({.name = "log",
                                     .place = 720,
                                     .make = []() -> std::unique_ptr<Command> {
                                       return std::make_unique<LogCommand>();
                                     },
                                     .examples = {"strata log --exit-zero -n 1 --path /timezone merge "
                                                  "examples/cloud-init/platform.yaml examples/cloud-init/web.yaml",
                                                  "strata log --exit-zero -n 2 lookup --hiera-config "
                                                  "examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json --all"},
                                     .page = "analysis/log.md"});

}  // namespace

}  // namespace strata::cli
