// SPDX-License-Identifier: Apache-2.0
#include "analysis_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "command_host.hpp"
#include "console.hpp"
#include "output.hpp"
#include "strata/builder.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"
#include "strata/refusal.hpp"
#include "strata/remarks.hpp"

namespace strata::cli {

namespace {

using workspace::AssumedNode;

/// Inputs with a list of assumed nodes.
std::unique_ptr<analysis::Inputs> with_nodes(const analysis::Inputs& inputs, const std::vector<AssumedNode>& nodes,
                                             const std::string& folder) {
  return std::make_unique<analysis::Inputs>(inputs,
                                            Edits{{absolute_path(folder, kAssumedNodes), workspace::node_list(nodes)}});
}

/// Which lines of files show secrets is not known.
Diagnostic without_lines(Diagnostic told) {
  Error error(std::move(told));
  return error.without_lines().diagnostic();
}

}  // namespace

void assume_nodes(const workspace::Project& project, States& states, const std::string& folder, const Limits& limits) {
  std::vector<AssumedNode> nodes = workspace::assumed_nodes(project, *states.before.files, limits);
  std::unordered_set<std::string> names;
  for (const AssumedNode& node : nodes) names.insert(node.name);
  for (AssumedNode& node : workspace::assumed_nodes(project, *states.after.files, limits)) {
    if (names.insert(node.name).second) nodes.push_back(std::move(node));
  }
  std::ranges::sort(nodes, {}, &AssumedNode::name);
  for (analysis::State* state : {&states.before, &states.after})
    state->inputs = with_nodes(*state->inputs, nodes, folder);
}

QuestionTools AnalysisRun::tools() {
  return {.own = own_,
          .engine = engine_,
          .folder = folder_,
          .tell =
              [this](const Diagnostic& told) {
                if (holds_) {
                  held_.push_back(told);
                } else {
                  tell(without_lines(told));
                }
              },
          .is_whole_process = OnConsole::current() == nullptr};
}

AnalysisRun::AnalysisRun(const SharedOptions& own, const std::vector<std::string>& words, const std::string& fleet,
                         bool is_edit, OnRefusal on_refusal, const QueryRuns* runs)
    : own_(own),
      folder_(working_folder()),
      engine_(Engine::make({.file_cache = is_edit ? 0 : EngineSettings().file_cache,
                            .executor = std::make_shared<ThreadPool>(own.threads)})),
      terminal_(own.color) {
  if (runs != nullptr && runs->is_given()) {
    const auto make = [&](QueryRuns::Run run) {
      return std::make_unique<VerbQuestion>(runs->choice(run, words, fleet, own.limits, own.allowed_folders), tools());
    };
    question_ = make(QueryRuns::Run::before);
    after_ = make(QueryRuns::Run::after);
    nodes_ = runs->nodes();
  } else {
    question_ = std::make_unique<VerbQuestion>(question_choice(words, fleet, own.limits, own.allowed_folders), tools());
  }
  const SharedOptions& options = question_->verb().options();
  terminal_ = Terminal(options.color);  // `--color` may follow the verb.
  std::shared_ptr<const FileBounds> bounds = options.bounds;
  if (bounds && after_) {
    const auto& others = after_->verb().options().bounds;
    bounds = others ? std::make_shared<const FileBounds>(*bounds, *others) : nullptr;
  }
  host_ = command_host(options.limits, question_->permissions(), bounds, options.strict ? OnRefusal::fail : on_refusal);
  std::vector<Refusal> requests = question_->refused_requests();
  if (after_) std::ranges::copy(after_->refused_requests(), std::back_inserter(requests));
  if (options.strict && !requests.empty()) throw Error(refusal_warning(requests));
  for (const Refusal& request : requests) (void)host_->leaves_out(request);
  inputs_ = std::make_unique<analysis::Inputs>(*host_, folder_);
  if (const workspace::Project* project = question_->assumed(); project != nullptr && !after_) {
    const Limits& limits = question_->verb().options().limits;
    inputs_ = with_nodes(
        *inputs_, workspace::assumed_nodes(*project, *bounded_tree(options.bounds, {}, limits.input), limits), folder_);
  }
}

AnalysisRun::~AnalysisRun() {
  for (Diagnostic& one : held_) tell(without_lines(std::move(one)));
  if (const auto refusals = host_ ? host_->refusals() : std::vector<Refusal>(); !refusals.empty() && !own_.quiet)
    terminal_.tell(without_lines(refusal_warning(refusals)), "warning");
}

void AnalysisRun::tell(const Diagnostic& told) const {
  // Each state has its own; one warning about all of them follows.
  if (told.code == kLeftOut) return;
  const std::string_view level = remark_level(told);
  if (!own_.quiet) terminal_.tell(told, level.empty() ? "warning" : level);
}

void AnalysisRun::tell_held(const analysis::State& state,
                            const std::map<std::string, std::set<std::size_t>>& secret_lines) {
  holds_ = false;
  const auto hide = [&](Excerpt& one) {
    if (one.place.file.empty() || !one.place.line || one.line.empty()) return;
    const auto found = secret_lines.find(detail::real_path(*state.files, absolute_path(folder_, one.place.file)));
    if (found != secret_lines.end() && found->second.contains(*one.place.line)) one.line.clear();
  };
  for (Diagnostic& one : std::exchange(held_, {})) {
    hide(one.where);
    for (Excerpt& note : one.notes) hide(note);
    tell(one);
  }
}

analysis::StudySettings AnalysisRun::settings() const {
  const SharedOptions& options = question_->verb().options();
  return {.how = {.sort_keys = options.sort_keys, .alignment = options.most_alignment, .stop = options.limits.stop},
          .most_causes = options.most_causes,
          .most_caused = options.most_caused,
          .most_effects = options.most_effects,
          .folder = folder_,
          .executor = engine_->settings().executor,
          .depth = options.limits.depth};
}

std::unique_ptr<analysis::Study> AnalysisRun::study_of_runs(const StateOptions& options,
                                                            analysis::StudySettings settings) {
  if (options.is_given()) {
    throw UsageError(Usage::conflict, "two runs of the query are compared, or two states of the files, not both",
                     "remove --from, --to and the edits");
  }
  after_->check_usage();
  States states = StateOptions::of_runs(question_->verb(), after_->verb(), *host_, folder_);
  const Limits& limits = question_->verb().options().limits;
  for (const auto& [query, state] :
       {std::pair(question_.get(), &states.before), std::pair(after_.get(), &states.after)}) {
    const workspace::Project* project = query->assumed();
    if (project == nullptr) continue;
    state->inputs = with_nodes(*state->inputs, workspace::assumed_nodes(*project, *state->files, limits), folder_);
  }
  settings.finds_causes = false;
  settings.runs = {.after = after_.get(), .nodes = nodes_};
  after_->tell_of(states.after);
  return std::make_unique<analysis::Study>(*question_, states.before, states.after, std::move(settings));
}

std::unique_ptr<analysis::Study> AnalysisRun::study(const StateOptions& options, analysis::StudySettings settings) {
  question_->check_usage();  // Before git: a missing option matters more than a missing repository.
  if (after_) return study_of_runs(options, std::move(settings));
  States states = options.states(question_->verb(), *host_, folder_, engine_);
  settings.edited = std::move(states.edited);
  if (const workspace::Project* project = question_->assumed())
    assume_nodes(*project, states, folder_, question_->verb().options().limits);
  question_->tell_of(states.after);
  return std::make_unique<analysis::Study>(*question_, states.before, states.after, std::move(settings));
}

bool AnalysisRun::is_assumed() const { return question_->assumed() != nullptr; }

Value AnalysisRun::marked(Arena& arena, const Value& data) const {
  const std::vector<Refusal> refusals = host_->refusals();
  if (!is_assumed() && refusals.empty()) return data;
  MappingBuilder out = MappingBuilder::copy_of(arena, data);
  if (is_assumed()) out.insert("assumed", Value::boolean(true));
  if (refusals.empty()) return out.finish();
  SequenceBuilder list(arena, refusals.size());
  for (const Refusal& one : refusals) {
    MappingBuilder item(arena);
    item.insert("message", arena.text(one.what));
    if (!one.where.place.file.empty()) item.insert("file", arena.text(one.where.place.file));
    if (one.where.place.line) item.insert("line", Value::integer(*one.where.place.line));
    list.append(item.finish());
  }
  out.insert("left_out", list.finish());
  return out.finish();
}

std::string AnalysisRun::left_out_markdown() const {
  const std::vector<Refusal> refusals = host_->refusals();
  if (refusals.empty()) return {};
  // Without names out of the files, which could be Markdown themselves. The log has them.
  return fmt::format(
      "\n> **Warning:** the files name programs or servers that were left out, and results lack what these would give. "
      "If you trust the files, {}.\n",
      refusal_hint(refusals));
}

analysis::State AnalysisRun::state_of(const std::string& revision) {
  question_->check_usage();
  analysis::State state = cli::state_of(revision, question_->verb(), *inputs_);
  return analysis::kept(state, engine_, {.folder = folder_, .limits = question_->verb().options().limits});
}

void AnalysisRun::warn(const Diagnostic& warning) {
  if (question_->verb().options().strict) throw Error(warning);
  if (!own_.quiet) terminal_.tell(warning, "warning");
}

void AnalysisRun::remark(const Diagnostic& told) {
  if (!own_.quiet) terminal_.tell(told, "note");
}

void AnalysisRun::tell_rest(analysis::Study& study) {
  for (const Diagnostic& failure : study.lasting_failures()) remark(failure);
  for (const std::string& file : study.unread()) warn(unread_edit(file));
}

Diagnostic unread_edit(const std::string& file) {
  return Error("analysis.unread", "the question does not read this file, so that its edit changes nothing")
      .in(file)
      .diagnostic();
}

int compare(Verb& verb, const std::vector<std::string>& words) {
  const SharedOptions& options = verb.options();
  AnalysisRun run(options, words, {});
  StateOptions states;
  states.set(options.against, options.at);
  analysis::StudySettings settings = run.settings();
  settings.finds_causes = false;
  const auto study = run.study(states, std::move(settings));
  const bool as_json = options.output == Output::json;
  Arena arena;
  bool has_changed = false;
  if (run.wording().is_fleet) {
    const analysis::ImpactReport report = study->impact(analysis::GroupBy::effect);
    has_changed = report.effects.counts().changed != 0;
    if (as_json) {
      analysis::write_impact(report, 0, false, print);
    } else {
      print(analysis::impact_text(report, run.wording(), analysis::kNames, run.layout()));
    }
  } else {
    const analysis::DiffReport report = study->diff();
    has_changed = !report.subjects.empty();
    if (as_json) {
      print(text::write_json(analysis::diff_data(arena, report)));
    } else {
      print(analysis::diff_text(report, run.wording(), run.layout()));
    }
  }
  for (const Diagnostic& failure : study->lasting_failures()) run.remark(failure);
  flush_output();
  return has_changed ? 1 : 0;
}

}  // namespace strata::cli
