// SPDX-License-Identifier: Apache-2.0
// strata check: what is wrong, dead or unused in the files of a question.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "check_settings.hpp"
#include "command_bounds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "strata/error.hpp"
#include "strata/file_writer.hpp"
#include "strata/paths.hpp"
#include "strata/silencing.hpp"
#include "strata/text.hpp"
#include "strata/unified_diff.hpp"
#include "strata/workspace.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

class CheckCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("check", "find dead, unused and mistyped settings in the files");
    command_.add_option("--select", select_, "look for these findings only").type_name("CODE,…").one_word();
    command_.add_option("--ignore", ignore_, "do not look for these findings").type_name("CODE,…").one_word();
    command_.add_option("--fail-on", fail_on_, "exit with 1 if there is a finding of this severity or worse")
        .type_name("SEVERITY")
        .one_of({"error", "warning", "note", "never"})
        .capture_default_str();
    max_warnings_option_ =
        command_.add_option("--max-warnings", max_warnings_, "let so many warnings through").type_name("N");
    command_.add_flag("--fix", fixes_,
                      "take dead overrides and idle knockouts out of the files; others if --select names them");
    command_.add_flag("--diff", shows_diff_, "show what --fix would change; write nothing");
    command_
        .add_option("--consumers", consumers_,
                    "a folder with code that uses the keys: manifests, templates, functions, tasks")
        .type_name("DIR")
        .one_word();
    command_
        .add_option("--config", config_,
                    "the configuration; without it, .strata-check.yaml beside .strata.yaml or here")
        .type_name("FILE");
    command_
        .add_option("--schema", schema_, "of merge: the JSON schema of cloud-init, or builtin; also after the command")
        .type_name("FILE");
    command_.add_option("--schema-type", schema_type_, "of merge: what PART is; also after the command")
        .type_name("TYPE")
        .one_of({"cloud-config", "network-config"});
    command_.add_option("--baseline", baseline_, "ignore the findings in this file").type_name("FILE");
    command_
        .add_option("--write-baseline", write_baseline_, "write the findings of this run to a file, and exit with 0")
        .type_name("FILE");
    command_.add_flag("--show-suppressed", shows_silenced_, "also report silenced findings, with their reasons");
    shared_.formats = {"text", "json", "sarif", "github", "junit"};
    shared_.add_to(command_);
    leave_query(command_, shared_.options);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    const std::vector<std::string> selected = codes_in(select_);
    const std::vector<std::string> ignored = codes_in(ignore_);
    if (fixes_ && shows_diff_)
      throw UsageError(Usage::conflict, "check: --diff shows what --fix would change: give one of them");
    if ((fixes_ || shows_diff_) && !write_baseline_.empty())
      throw UsageError(Usage::conflict, "check: --write-baseline cannot be used with --fix and --diff");
    std::vector<std::string> words = command_.rest();
    const bool is_lookup = !words.empty() && words.front() == "lookup";
    if (is_lookup && std::ranges::find(words, "--all") == words.end()) words.insert(words.begin() + 1, "--all");
    add_schema_to(words);
    // A statement that only an ENC's class reads is not dead: nothing is taken out on the word of half the inputs.
    const OnRefusal on_refusal = fixes_ || shows_diff_ ? OnRefusal::fail : OnRefusal::leave_out;
    // Code that uses keys is read with the files of the query.
    std::ranges::copy(consumers_, std::back_inserter(shared_.options.allowed_folders));
    AnalysisRun run(shared_.options, words, shared_.file, false, on_refusal);
    const SharedOptions& options = run.question().verb().options();
    const std::string folder = run.settings().folder;
    const auto files =
        bounded_tree(named_around(folder, shared_.options.allowed_folders).bounds(), {}, options.limits.input);
    const analysis::CheckConfig config = check_configuration(config_, folder, *files, options.limits);
    const analysis::Baseline baseline = baseline_.empty() ? analysis::Baseline() : old_baseline(options.limits);
    analysis::CheckSettings settings{.codes = wanted_codes(selected, ignored, config),
                                     .folder = folder,
                                     .root = project_folder(*files, folder),
                                     .limits = options.limits,
                                     .code = code_folders(*files, folder),
                                     .consumers = config.consumers,
                                     .known_keys = config.known_keys,
                                     .machine = host_tree({}, options.limits.input),
                                     .reports_warnings = selected.empty() && config.select.empty()};
    if (run.question().lacks_fleet()) {
      if (const auto told = leave_out_fleet_codes(settings, run.question().traits())) run.warn(*told);
    }
    const analysis::State state = run.state_of({});
    // A selection leaves them out, and then they are messages.
    if (!settings.reports_warnings) run.question().tell_of(state);
    run.hold_warnings();
    const analysis::Look look = [&](const analysis::State& of) {
      analysis::CheckReport report = analysis::check(run.question(), of, settings);
      run.tell_held(of, report.secret_lines);
      analysis::silence(report, of, settings, config, baseline);
      // What rests on guessed nodes is no more than information.
      for (analysis::Finding& one : report.findings) {
        if (run.is_assumed()) one.severity = analysis::Severity::note;
      }
      if (report.findings.size() > options.most_findings) {
        throw Error("analysis.limit",
                    fmt::format("there are {} findings, more than {}", report.findings.size(), options.most_findings))
            .hint("look for fewer codes with --select, or raise --limit findings=N");
      }
      return report;
    };
    if (fixes_ || shows_diff_) return fix(run, state, settings, selected, look);
    const analysis::CheckReport report = look(state);
    if (!write_baseline_.empty()) write_whole_file(write_baseline_, analysis::baseline_text(report), kBaselineFile);
    print_report(run, report);
    flush_output();
    return write_baseline_.empty() ? shared_.status(fails(report)) : 0;
  }

 private:
  /// The options of the schema are those of the command.
  void add_schema_to(std::vector<std::string>& words) const {
    if (schema_.empty() && schema_type_.empty()) return;
    if (words.empty() || words.front() != "merge")
      throw UsageError(Usage::conflict, "check: --schema and --schema-type go with merge",
                       "write 'strata check merge --schema FILE …'");
    if (!schema_.empty()) words.insert(words.begin() + 1, {"--schema", schema_});
    if (!schema_type_.empty()) words.insert(words.begin() + 1, {"--schema-type", schema_type_});
  }

  int fix(AnalysisRun& run, const analysis::State& state, const analysis::CheckSettings& settings,
          const std::vector<std::string>& selected, const analysis::Look& look) {
    analysis::FixSettings how{.codes = {"dead-override", "idle-knockout", "legacy-fact"},
                              .folder = settings.folder,
                              .limits = settings.limits};
    // They are right for these nodes, and often the default of tomorrow's.
    for (const std::string_view code : {"dead-item", "never-visible"}) {
      if (std::ranges::find(selected, code) != selected.end()) how.codes.emplace(code);
    }
    const analysis::FixReport report = analysis::fix(run.question(), state, how, look);
    for (const Diagnostic& one : report.kept) run.warn(one);
    if (shows_diff_) {
      bool is_hidden = false;
      for (const analysis::FixedFile& one : report.files) {
        const std::string diff = edit::unified_diff(shown_path(one.path, settings.folder), one.before, one.after);
        const auto secret = report.first.secret_lines.find(one.path);
        const std::string shown = secret == report.first.secret_lines.end()
                                      ? diff
                                      : edit::hidden_in_diff(diff, edit::lines_of(one.before, secret->second));
        is_hidden = is_hidden || shown != diff;
        print(shown);
      }
      if (is_hidden) {
        run.warn(Error("edit.hidden", "lines that hold secrets are not shown: this diff does not apply")
                     .hint("--fix makes the change")
                     .diagnostic());
      }
      flush_output();
      return shared_.status(fails(report.first));
    }
    std::vector<FileUpdate> updates;
    for (const analysis::FixedFile& one : report.files)
      updates.push_back({.path = one.path, .before = one.before, .after = one.after});
    write_files(updates);
    const std::string head = fmt::format("fixed {} of {} finding{} in {} file{}\n", report.fixed, report.found,
                                         report.found == 1 ? "" : "s", updates.size(), updates.size() == 1 ? "" : "s");
    // Other outputs are read by programs.
    if (shared_.output == "text") {
      print(head);
    } else {
      tell(head);
    }
    print_report(run, report.left);
    flush_output();
    return shared_.status(fails(report.left));
  }

  void print_report(AnalysisRun& run, const analysis::CheckReport& report) const {
    for (const Diagnostic& one : report.remarks) run.remark(one);
    Arena arena;
    if (shared_.as_json()) {
      print(text::write_json(run.marked(arena, analysis::check_data(arena, report, shows_silenced_))));
    } else if (shared_.output == "sarif") {
      print(text::write_json(analysis::check_sarif(arena, report)));
    } else if (shared_.output == "junit") {
      print(analysis::check_junit(report, shows_silenced_));
    } else {
      print(shared_.output == "github" ? analysis::check_annotations(report)
                                       : analysis::check_text(report, shows_silenced_));
    }
  }

  [[nodiscard]] bool fails(const analysis::CheckReport& report) const {
    std::array<std::size_t, 3> counts{};
    for (const analysis::Finding& one : report.findings) {
      if (!one.silence) ++counts.at(static_cast<std::size_t>(one.severity));
    }
    if (max_warnings_option_.is_given() && counts[1] <= max_warnings_) counts[1] = 0;
    return std::ranges::any_of(
        std::array{analysis::Severity::error, analysis::Severity::warning, analysis::Severity::note},
        [&](analysis::Severity one) { return counts.at(static_cast<std::size_t>(one)) != 0 && fails(one); });
  }
  [[nodiscard]] bool fails(analysis::Severity severity) const {
    return fail_on_ != "never" && severity <= (fail_on_ == "error"     ? analysis::Severity::error
                                               : fail_on_ == "warning" ? analysis::Severity::warning
                                                                       : analysis::Severity::note);
  }

  [[nodiscard]] std::vector<std::string> code_folders(const FileTree& files, const std::string& folder) const {
    std::vector<std::string> out;
    for (const std::string& name : consumers_) {
      out.push_back(absolute_path(folder, name));
      if (files.kind(out.back()) == FileKind::folder) continue;
      throw Error("check.config", "--consumers needs a folder, and there is none of this name")
          .in(name)
          .hint("correct the name");
    }
    return out;
  }

  [[nodiscard]] analysis::Baseline old_baseline(const Limits& limits) const {
    return analysis::read_baseline(baseline_, read_needed(*host_tree({}, limits.input), baseline_, "check.baseline"),
                                   limits);
  }

  Arguments command_;
  AnalysisOptions shared_;
  std::vector<std::string> select_;
  std::vector<std::string> ignore_;
  std::string fail_on_ = "warning";
  unsigned max_warnings_ = 0;
  Option max_warnings_option_;
  std::vector<std::string> consumers_;
  bool fixes_ = false;
  bool shows_diff_ = false;
  std::string config_;
  std::string schema_;
  std::string schema_type_;
  std::string baseline_;
  std::string write_baseline_;
  bool shows_silenced_ = false;
};

const Registration check_registration(
    {.name = "check",
     .place = 715,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<CheckCommand>(); },
     .examples = {"strata check --exit-zero lookup --hiera-config examples/fleet/hiera.yaml --nodes "
                  "examples/fleet/nodes.json",
                  "strata check --exit-zero --select dead-override merge examples/cloud-init/platform.yaml "
                  "examples/cloud-init/web.yaml"},
     .page = "analysis/check.md"});

}  // namespace

}  // namespace strata::cli
