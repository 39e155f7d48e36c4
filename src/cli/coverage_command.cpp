// SPDX-License-Identifier: Apache-2.0
// strata coverage: which leaves of the files reach results.
#include "strata/coverage.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "output.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::cli {
namespace {

class CoverageCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("coverage", "show which lines of the files reach results");
    command_.add_option("--only", only_, "only items whose name matches, with * and ?").type_name("PATTERN").one_word();
    shared_.formats = {"text", "json", "lcov"};
    shared_.add_to(command_);
    leave_query(command_, shared_.options);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    AnalysisRun run(shared_.options, command_.rest(), shared_.file);
    const analysis::State state = run.state_of({});
    run.question().tell_of(state);
    run.hold_warnings();
    const analysis::CoverageReport report = analysis::coverage(
        run.question(), state,
        {.only = only_, .folder = run.settings().folder, .limits = run.question().verb().options().limits});
    run.tell_held(state, report.secret_lines);
    if (shared_.as_json()) {
      Arena arena;
      print(text::write_json(run.marked(arena, analysis::coverage_data(arena, report))));
    } else if (shared_.output == "lcov") {
      print(analysis::coverage_lcov(report));
    } else {
      print(analysis::coverage_text(report, run.wording()));
    }
    flush_output();
    return 0;
  }

 private:
  Arguments command_;
  AnalysisOptions shared_;
  std::vector<std::string> only_;
};

const Registration coverage_registration(
    {.name = "coverage",
     .place = 716,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<CoverageCommand>(); },
     .examples =
         {"strata coverage lookup --all --hiera-config examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json",
          "strata coverage --output lcov merge examples/cloud-init/platform.yaml examples/cloud-init/web.yaml"},
     .page = "analysis/coverage.md"});

}  // namespace

}  // namespace strata::cli
