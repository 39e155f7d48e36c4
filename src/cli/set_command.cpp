// SPDX-License-Identifier: Apache-2.0
// strata set: where to write a value so that the selected nodes get it, and no others.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "lookup_fleet.hpp"
#include "output.hpp"
#include "project_question.hpp"
#include "strata/error.hpp"
#include "strata/file_writer.hpp"
#include "strata/paths.hpp"
#include "strata/proposals.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"

namespace strata::cli {
namespace {

class SetCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("set", "find where to write a value so that the selected nodes get it");
    command_.add_assignment("KEY", assignment_, "the key, and its value as YAML").type_name("=VALUE");
    unset_option_ = command_.add_option("--unset", unset_, "instead of KEY=VALUE: there is to be nothing at this key")
                        .type_name("KEY");
    command_.add_option("--path", path_, "a place below the key").type_name("POINTER");
    command_
        .add_option("--for", selectors_,
                    "only these subjects: a name with * and ?, or facts of nodes, FACT=GLOB,…; several add up")
        .type_name("SELECTOR")
        .one_word();
    command_.add_option("--proposals", shown_, "show so many proposals").type_name("NUMBER").capture_default_str();
    apply_option_ =
        command_.add_flag("--apply", apply_, "write the first proposal, or the one of this rank").type_name("[=RANK]");
    command_.add_flag("--allow-collateral", allows_collateral_,
                      "write it even if it changes subjects that are not selected");
    shared_.add_to(command_);
    shared_.options.takes = &Verb::has_editable_files;
    leave_query(command_, shared_.options);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return shared_.options; }
  [[nodiscard]] int error_status() override { return kNoAnswer; }

  /// The subjects of the folder's projects, and their facts: the verb comes later in the words.
  void suggest(std::string_view kind, Host& host, Session& session, const AddSuggestion& add) override {
    if (kind != "SELECTOR") return;
    for (const workspace::Project& project : projects_in(".", session.limits()).projects) {
      for (const workspace::Member& member : project.members.value_or(std::vector<workspace::Member>()))
        add({.word = member.name});
      const workspace::Setting* nodes = project.find("nodes");
      const std::string list = nodes == nullptr || nodes->values.empty()
                                   ? std::string()
                                   : absolute_path(project.folder, nodes->values.front());
      each_known_node(list, project, host, session, [&](const hiera::Facts& facts) {
        add({.word = facts.node, .about = fmt::format("a node of @{}", project.name)});
        suggest_facts(facts.values, {}, add);
      });
    }
  }

  int execute(const std::vector<std::string>& /*words*/) override {
    if (assignment_.empty() == !unset_option_.is_given())
      throw UsageError(assignment_.empty() ? Usage::missing : Usage::conflict,
                       "set: give either KEY=VALUE or --unset KEY");
    if (shown_ == 0) throw UsageError(Usage::value, "--proposals: give a number from 1");
    const std::size_t rank = applied_rank();
    AnalysisRun run(shared_.options, command_.rest(), shared_.file);
    Verb& verb = run.question().verb();
    if (!verb.has_editable_files()) {
      throw analysis::no_files_to_set();
    }
    Sources sources;
    text::Document document;
    const analysis::Wish wish = this->wish(sources, document, verb);
    const analysis::StudySettings study = run.settings();
    const std::size_t most = verb.options().most_proposals;
    const analysis::ProposalSettings settings{
        .selectors = selectors_,
        .folder = study.folder,
        .how = study.how,
        .limits = verb.options().limits,
        .most = std::max<std::size_t>(1, std::min(most, std::max<std::size_t>(shown_, rank)))};
    const analysis::State base = run.state_of({});
    run.question().tell_of(base);
    analysis::ProposalReport report = analysis::propose(run.question(), base, wish, settings);
    if (rank != 0 && !report.proposals.empty() && !report.has_nothing_to_do()) apply(run, base, report, settings, rank);
    if (report.proposals.size() > shown_) report.proposals.resize(shown_);
    const bool is_impossible = report.proposals.empty() && !report.has_nothing_to_do();
    if (shared_.as_json()) {
      Arena arena;
      print(text::write_json(run.marked(arena, analysis::proposals_data(arena, report))));
    } else {
      print(analysis::proposals_text(report, run.wording()));
    }
    flush_output();
    if (!is_impossible) return 0;
    tell_impossible(report, run);
    return shared_.status(true);
  }

 private:
  /// Texts without a comma, which separates facts. Recursion: bounded by Limits::depth.
  static void suggest_facts(const Value& facts, const std::string& prefix, const AddSuggestion& add) {
    for (const Entry& fact : facts.is_mapping() ? facts.entries() : std::span<const Entry>()) {
      const std::string name = prefix + key_text(fact.key);
      if (fact.value.is_mapping()) {
        suggest_facts(fact.value, name + ".", add);
      } else if (!fact.value.is_container()) {
        std::string word = fmt::format("{}={}", name, key_text(fact.value));
        if (word.find(',') == std::string::npos) add({.word = std::move(word)});
      }
    }
  }

  /// 0: nothing is written.
  [[nodiscard]] std::size_t applied_rank() const {
    if (!apply_option_.is_given()) return 0;
    if (apply_ == "true") return 1;
    std::size_t rank = 0;
    const char* end = apply_.data() + apply_.size();
    const auto [stopped, status] = std::from_chars(apply_.data(), end, rank);
    if (status != std::errc{} || stopped != end || rank == 0)
      throw UsageError(Usage::value, fmt::format("--apply={}: give the rank of a proposal, from 1", apply_));
    return rank;
  }

  [[nodiscard]] analysis::Wish wish(Sources& sources, text::Document& document, Verb& verb) const {
    if (!path_.empty() && !path_.starts_with('/'))
      throw UsageError(Usage::value, fmt::format("--path '{}': a JSON Pointer begins with '/'", path_));
    if (unset_option_.is_given()) return {.item = unset_, .path = path_};
    const std::size_t equals = assignment_.find('=');
    if (equals == 0) throw UsageError(Usage::value, fmt::format("set '{}': expected KEY=VALUE", assignment_));
    analysis::Wish out{
        .item = assignment_.substr(0, equals), .path = path_, .spelling = assignment_.substr(equals + 1)};
    try {
      document =
          text::read_yaml(sources, sources.add("<value>", out.spelling), *verb.traits().profile, verb.options().limits);
    } catch (const Error& error) {
      throw UsageError(Usage::value, fmt::format("set {}: the value cannot be read: {}", out.item, error.what()));
    }
    out.value = document.root ? document.root : Value::null();
    return out;
  }

  void apply(AnalysisRun& run, const analysis::State& base, const analysis::ProposalReport& report,
             const analysis::ProposalSettings& settings, std::size_t rank) const {
    if (rank > report.proposals.size()) {
      throw UsageError(Usage::value, fmt::format("--apply={}: there {} {} proposal{}", rank,
                                                 report.proposals.size() == 1 ? "is" : "are", report.proposals.size(),
                                                 report.proposals.size() == 1 ? "" : "s"));
    }
    const analysis::Proposal& proposal = report.proposals[rank - 1];
    if (!proposal.collateral.empty() && !allows_collateral_) {
      throw Error("set.collateral",
                  fmt::format("proposal {} changes {} that {} not selected: {}{}", rank, proposal.collateral.size(),
                              proposal.collateral.size() == 1 ? "is" : "are", proposal.collateral.front(),
                              proposal.collateral.size() == 1 ? "" : ", …"))
          .hint("--allow-collateral writes it all the same");
    }
    analysis::prove(run.question(), base, report, proposal, settings);
    std::vector<FileUpdate> updates;
    for (const analysis::ProposedEdit& edit : proposal.edits)
      updates.push_back({.path = edit.path, .before = edit.before, .after = edit.after});
    write_files(updates);
  }

  static void tell_impossible(const analysis::ProposalReport& report, AnalysisRun& run) {
    constexpr std::size_t kMostNotes = 20;
    const std::string place = report.wish.item + report.wish.path;
    Diagnostic told =
        Error("set.impossible",
              report.more_edits
                  ? fmt::format("no {} edits of these files give '{}' its value, and a proposal has no more",
                                analysis::kProposalEdits, place)
                  : fmt::format("no edits of these files give '{}' its value", place))
            .diagnostic();
    for (std::size_t i = 0; i < std::min(kMostNotes, report.rejected.size()); ++i) {
      const analysis::Rejected& one = report.rejected[i];
      told.notes.push_back({.place = {.file = one.file, .part = {}, .line = {}, .column = {}, .via = {}},
                            .line = {},
                            .message = fmt::format("{} ({} missed)", one.why, one.missed)});
    }
    if (report.rejected.size() > kMostNotes) {
      told.notes.push_back({.place = {},
                            .line = {},
                            .message = fmt::format("{} more files are not enough either: --output json lists all",
                                                   report.rejected.size() - kMostNotes)});
    }
    if (report.more_edits) {
      told.hint = way_out(*report.more_edits, run.wording());
    } else if (report.rejected.empty()) {
      told.hint = "no file that a selected target reads can be edited";
    }
    run.tell_error(told);
  }

  static std::string way_out(const analysis::MoreEdits& more, const analysis::Wording& wording) {
    if (more.edits == 0) {
      return fmt::format("add a level that all selected {}s read, and set it there; or select fewer with --for",
                         wording.subject);
    }
    if (more.file.empty()) return fmt::format("remove it from {} files, or select fewer with --for", more.edits);
    return fmt::format("set it in {}, and remove the stronger values from {} files; or select fewer with --for",
                       more.file, more.edits - 1);
  }

  Arguments command_;
  AnalysisOptions shared_;
  std::string assignment_;
  std::string unset_;
  Option unset_option_;
  std::string path_;
  std::vector<std::string> selectors_;
  unsigned shown_ = 3;
  std::string apply_;
  Option apply_option_;
  bool allows_collateral_ = false;
};

const Registration set_registration(
    {.name = "set",
     .place = 717,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<SetCommand>(); },
     .examples = {"strata set profile::web::workers=12 --for role=web --proposals 1 lookup --all "
                  "--hiera-config examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json",
                  "strata set timezone=Etc/UTC merge examples/cloud-init/platform.yaml examples/cloud-init/web.yaml"},
     .page = "analysis/set.md"});

}  // namespace

}  // namespace strata::cli
