// strata check: what is wrong, dead or unused in the files of a question.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "output.hpp"
#include "strata/check.hpp"
#include "strata/near_names.hpp"
#include "strata/text.hpp"

namespace strata::cli {
namespace {

class CheckCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("check", "what is dead, unused or mistyped in the files: strata check [options] VERB …");
    command_.add_option("--select", select_, "look for these findings only").type_name("CODE,…").one_word();
    command_.add_option("--ignore", ignore_, "do not look for these findings").type_name("CODE,…").one_word();
    command_.add_option("--fail-on", fail_on_, "exit with 1 if there is a finding as bad as this: error, warning, note; or never")
        .one_of({"error", "warning", "note", "never"});
    shared_.add_to(command_);
    command_.leave_rest();
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    const auto codes = wanted();
    std::vector<std::string> words = command_.rest();
    const bool is_lookup = !words.empty() && words.front() == "lookup";
    if (is_lookup && std::ranges::find(words, "--all") == words.end()) words.insert(words.begin() + 1, "--all");
    AnalysisRun run(shared_.options, words, shared_.file);
    const analysis::State state = run.state_of({});
    run.question().tell_of(state);
    const analysis::CheckReport report =
        analysis::check(run.question(), state, {.codes = codes, .folder = run.settings().folder, .limits = run.question().verb().options().limits});
    if (shared_.as_json()) {
      Arena arena;
      print(text::write_json(run.marked(arena, analysis::check_data(arena, report))));
    } else {
      print_for_people(analysis::check_text(report));
    }
    flush_output();
    return shared_.status(std::ranges::any_of(report.findings, [this](const analysis::Finding& one) { return fails(one.severity); }));
  }

 private:
  [[nodiscard]] bool fails(analysis::Severity severity) const {
    return fail_on_ != "never" && severity <= (fail_on_ == "error"     ? analysis::Severity::error
                                               : fail_on_ == "warning" ? analysis::Severity::warning
                                                                       : analysis::Severity::note);
  }

  [[nodiscard]] std::set<std::string, std::less<>> wanted() const {
    std::set<std::string, std::less<>> out;
    if (select_.empty()) {
      for (const analysis::FindingCode& code : analysis::finding_codes()) out.emplace(code.name);
    }
    for (const std::string& code : named(select_)) out.insert(code);
    for (const std::string& code : named(ignore_)) out.erase(code);
    return out;
  }

  static std::vector<std::string> named(const std::vector<std::string>& lists) {
    constexpr std::string_view kPrefix = "check.";
    std::vector<std::string_view> names;
    for (const analysis::FindingCode& code : analysis::finding_codes()) names.push_back(code.name);
    std::vector<std::string> out;
    for (std::string_view list : lists) {
      while (!list.empty()) {
        std::string_view code = list.substr(0, list.find(','));
        list.remove_prefix(std::min(code.size() + 1, list.size()));
        if (code.starts_with(kPrefix)) code.remove_prefix(kPrefix.size());
        if (std::ranges::find(names, code) == names.end()) {
          throw UsageError(fmt::format("there is no finding '{}'\n{}", code, name_hint(names, code, "strata check --help shows all")));
        }
        out.emplace_back(code);
      }
    }
    return out;
  }

  Arguments command_;
  AnalysisOptions shared_;
  std::vector<std::string> select_;
  std::vector<std::string> ignore_;
  std::string fail_on_ = "warning";
};

const Registration check_registration({.name = "check",
                                       .place = 715,
                                       .make = []() -> std::unique_ptr<Command> { return std::make_unique<CheckCommand>(); },
                                       .examples = {"strata check --exit-zero lookup --hiera-config examples/fleet/hiera.yaml --nodes "
                                                    "examples/fleet/nodes.json",
                                                    "strata check --exit-zero --select dead-override merge examples/cloud-init/platform.yaml "
                                                    "examples/cloud-init/web.yaml"},
                                       .page = "analysis/check.md"});

}  // namespace

}  // namespace strata::cli
