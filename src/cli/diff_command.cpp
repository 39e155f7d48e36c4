// SPDX-License-Identifier: Apache-2.0
// strata diff: what changes between two states of the files, and because of which edits.
#include <string_view>

#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "output.hpp"
#include "query_runs.hpp"
#include "strata/analysis.hpp"
#include "strata/process_host.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"

namespace strata::cli {
namespace {

class DiffCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("diff", "show what changes between two states, and which edits cause it");
    states_.add_to(command_);
    runs_.add_to(command_);
    command_.add_option("--only", only_, "only items whose name matches, with * and ?").type_name("PATTERN").one_word();
    command_.add_option("--list-key", list_key_, "in lists, mappings with the same NAME are the same item")
        .type_name("NAME");
    command_.add_flag("--no-causes", no_causes_, "do not find out which edits cause the changes");
    command_.add_flag("--stat", stat_, "only count the changes of each item");
    shared_.add_to(command_);
    leave_query(command_, shared_.options);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    if (const auto rest = command_.rest(); !rest.empty() && rest.front() == kResults)
      return compare_files({rest.begin() + 1, rest.end()});
    AnalysisRun run(shared_.options, command_.rest(), shared_.file, states_.is_edit(), OnRefusal::leave_out, &runs_);
    analysis::StudySettings settings = run.settings();
    settings.how.list_key = list_key_;
    settings.only = only_;
    settings.finds_causes = !no_causes_;
    const auto study = run.study(states_, std::move(settings));
    const analysis::DiffReport report = study->diff();
    run.tell_rest(*study);
    return show(report, run.wording(), run.layout(), &run);
  }

 private:
  /// In place of a verb: two files with results of anything.
  static constexpr std::string_view kResults = "results";

  int show(const analysis::DiffReport& report, const analysis::Wording& wording, const report::Layout& layout,
           const AnalysisRun* run = nullptr) const {
    if (shared_.as_json()) {
      Arena arena;
      const Value data = analysis::diff_data(arena, report);
      print(text::write_json(run == nullptr ? data : run->marked(arena, data)));
    } else {
      print(stat_ ? analysis::diff_stat(report, wording) : analysis::diff_text(report, wording, layout));
    }
    flush_output();
    return shared_.status(!report.subjects.empty());
  }

  /// What a file holds: of several documents, which `strata render` prints, a list. `kept`: what owns it.
  [[nodiscard]] Value result_in(const std::string& file, Sources& sources, SourceId source, Arena& arena,
                                std::vector<text::Document>& kept) const {
    const Limits& limits = shared_.options.limits;
    std::vector<text::Document> documents;
    if (file.ends_with(".json")) {
      documents.push_back(text::read_json(sources, source, limits));
    } else {
      documents = text::read_yaml_stream(sources, source, text::core12_tagged(), limits);
    }
    std::vector<Value> roots;
    for (text::Document& document : documents) {
      roots.push_back(document.root ? document.root : Value::null());
      kept.push_back(std::move(document));
    }
    if (roots.size() == 1) return roots.front();
    return roots.empty() ? Value::null() : arena.sequence(roots);
  }

  int compare_files(const std::vector<std::string>& files) {
    if (files.size() != 2) throw UsageError(Usage::missing, "diff: results takes two files");
    if (states_.is_given() || runs_.is_given() || !shared_.file.empty())
      throw UsageError(Usage::conflict, "diff: results takes no states, edits, runs and fleets");
    const Limits& limits = shared_.options.limits;
    const auto host = process_host(limits);
    Sources sources;
    Arena arena;
    std::vector<text::Document> kept;
    const auto read = [&](const std::string& file) {
      const SourceId source = sources.add(file == "-" ? "<stdin>" : file, host->read(file));
      analysis::Outcome out{.failure = {}, .sources = &sources};
      out.items.push_back({.name = {}, .value = result_in(file, sources, source, arena, kept), .failure = {}});
      return out;
    };
    const analysis::Outcome before = read(files[0]);
    const analysis::Outcome after = read(files[1]);
    const analysis::Comparison how{
        .list_key = list_key_, .alignment = shared_.options.most_alignment, .stop = limits.stop};
    analysis::DiffReport report{.total = 1};
    if (auto changes = analysis::wanted(analysis::compare(before, after, how), only_); !changes.empty()) {
      report.subjects.push_back({.subject = {}, .changes = analysis::shared(std::move(changes))});
    }
    return show(report, {.subject = "result"}, shared_.options.layout);
  }

  Arguments command_;
  StateOptions states_;
  QueryRuns runs_;
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
     .examples = {"strata diff --exit-zero --set examples/cloud-init/web.yaml:/timezone=Etc/UTC merge "
                  "examples/cloud-init/platform.yaml "
                  "examples/cloud-init/web.yaml",
                  "strata diff --exit-zero --stat --delete examples/fleet/data/role/web.yaml lookup --all "
                  "--hiera-config examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json"},
     .page = "analysis/differences.md"});

}  // namespace

}  // namespace strata::cli
