// SPDX-License-Identifier: Apache-2.0
#include "service/api/analyses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>

#include "analysis/secret_texts.hpp"
#include "service/api/answers.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/trees.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/packing.hpp"
#include "service/streaming.hpp"
#include "strata/builder.hpp"
#include "strata/check.hpp"
#include "strata/proposals.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"
#include "strata/unified_diff.hpp"
#include "value/fields.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kNamesPerGroup = 5;  ///< Names in each group, unless the request sets `names`.
constexpr std::size_t kMostProposals = 100;

/// The body of an analysis: an object, or nothing.
class AnalysisBody {
 public:
  /// Error `request.body` for members that are not in `known`.
  AnalysisBody(const Call& call, std::initializer_list<std::string_view> known) {
    if (call.request.body.empty()) return;
    json_ = read_data_body(call);
    if (!json_.root().is_mapping()) throw Error("request.body", "the body is an object");
    Fields(json_.root(), "the body", {.code = "request.body"}).only(known);
  }

  [[nodiscard]] const Value* find(std::string_view name) const {
    return json_.sources == nullptr ? nullptr : json_.root().find(name);
  }
  [[nodiscard]] std::string text(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_text()) throw Error("request.body", fmt::format("'{}' is a text", name));
    return std::string(value->text());
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> out;
    const Value* list = find(name);
    if (list == nullptr) return out;
    if (!list->is_sequence()) throw Error("request.body", fmt::format("'{}' is a list of texts", name));
    for (const Value& item : list->items()) {
      if (!item.is_text()) throw Error("request.body", fmt::format("'{}' is a list of texts", name));
      out.emplace_back(item.text());
    }
    return out;
  }
  /// The number of a generation, or a revision. Empty: it is not there.
  [[nodiscard]] std::string generation(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr || value->is_null()) return {};
    if (value->kind() == Kind::integer) return std::to_string(value->as_integer());
    if (!value->is_text() || value->text().empty())
      throw Error("request.body", fmt::format("'{}' is the number of a generation, or a revision", name));
    return std::string(value->text());
  }
  /// Unsaved edits of the files of a state, by absolute path. Errors: `request.path`, if no tree can be so; Refused
  /// (403), as check_draft.
  [[nodiscard]] Edits changes(const Call& call, const sites::SiteState& state) const {
    Edits out;
    const Value* list = find("changes");
    if (list == nullptr) return out;
    sites::Changes changes = read_changes(*list);
    if (!changes.empty()) sites::check_draft(call, state);
    sites::check_folders(state.tree(), changes);
    for (auto& [path, text] : changes) out.emplace("/" + path, std::move(text));
    return out;
  }

 private:
  JsonBody json_;
};

/// What makes one tree of another.
Edits edits_between(const FileTree& before, const FileTree& after) {
  Edits out;
  const std::vector<std::string> paths = sites::paths_of(after);
  for (const std::string& path : paths) {
    std::optional<std::string> text = after.read("/" + path);
    if (text != before.read("/" + path)) out.emplace("/" + path, std::move(text));
  }
  const std::set<std::string> there(paths.begin(), paths.end());
  for (const std::string& path : sites::paths_of(before)) {
    if (!there.contains(path)) out.emplace("/" + path, std::nullopt);
  }
  return out;
}

/// The nodes whose changes are wanted. Empty: all. Error `site.node` for one that is not there.
std::vector<std::string> requested_nodes(const AnalysisBody& question, const sites::SiteState& state,
                                         const sites::StoredNodes& stored) {
  std::vector<std::string> out = question.texts("nodes");
  if (question.find("nodes") != nullptr && out.empty()) throw Error("request.body", "'nodes' names at least one");
  for (const std::string& name : out) {
    if (!state.has_node(name) && !stored.contains(name)) throw unknown_node(state, name);
  }
  return out;
}

analysis::StudySettings comparison_settings(const Call& call, const AnalysisBody& question, const Edits& edits) {
  analysis::StudySettings out{
      .how = {.stop = &call.stop}, .only = question.texts("only"), .most_changes = sites::kMostChanges, .folder = "/"};
  for (const auto& [path, text] : edits) out.edited.paths.insert(path);
  out.edited.no_others = true;
  return out;
}

Response report_response(const Value& data) { return json_response(data); }

/// A report of effects as lines: what it is about, then an effect each.
std::vector<std::string> effect_lines(Arena& arena, const Value& report) {
  std::vector<std::string> out;
  MappingBuilder head = MappingBuilder::copy_of(arena, report);
  head.erase("effects");
  out.push_back(text::write_json(head.finish(), {.indent = -1}));
  if (const Value* effects = report.find("effects"); effects != nullptr) {
    for (const Value& effect : effects->items()) out.push_back(text::write_json(effect, {.indent = -1}));
  }
  return out;
}

}  // namespace

Response diff_site(const Call& call, sites::Sites& sites) {
  const AnalysisBody question(call, {"from", "to", "changes", "nodes", "only"});
  const std::string from = question.generation("from");
  const std::string to = question.generation("to");
  if (!to.empty() && question.find("changes") != nullptr)
    throw Error("request.body", "'to' and 'changes' are two ends: one is enough");
  // Two generations are one state and its edit: what both have is read once.
  const auto state = from.empty() ? sites.state(call, call[0]) : sites.earlier_state(call, call[0], from);
  const sites::StoredNodes stored = stored_nodes(call, call[0]);
  const std::vector<std::string> nodes = requested_nodes(question, *state, stored);
  Edits edits = question.changes(call, *state);
  if (question.find("changes") == nullptr && !(from.empty() && to.empty()))
    edits = edits_between(state->tree(), *sites.tree(call, call[0], to).files);
  const sites::WholeFleet fleet = state->whole_fleet(stored);
  analysis::Study study(*fleet.question, fleet.state, state->edited(edits, fleet),
                        comparison_settings(call, question, edits));
  Arena arena;
  analysis::DiffReport report = study.diff();
  if (!nodes.empty()) {
    std::erase_if(report.subjects, [&nodes](const analysis::SubjectChanges& one) {
      return std::ranges::find(nodes, one.subject.empty() ? std::string(sites::kOnly) : one.subject) == nodes.end();
    });
    report.total = nodes.size();
  }
  const Value data = analysis::diff_data(arena, report);
  call.stop.check();
  return report_response(data);
}

Response impact_of(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const AnalysisBody question(call, {"changes", "by", "only"});
  const Edits edits = question.changes(call, *state);
  const std::string by = question.text("by");
  if (!by.empty() && by != "change" && by != "path" && by != "effect")
    throw Error("request.body", "'by' is effect, change or path");
  const auto group = by == "change" ? analysis::GroupBy::change
                     : by == "path" ? analysis::GroupBy::path
                                    : analysis::GroupBy::effect;
  const std::size_t names = call.request.query.number("names", 1'000'000).value_or(kNamesPerGroup);
  const analysis::ImpactReport report =
      state->impact(edits, stored_nodes(call, call[0]), question.texts("only"), group, call.stop);
  Arena arena;
  const Value data = analysis::impact_data(arena, report, names);
  call.stop.check();
  if (call.request.headers.get("Accept").find("jsonl") == std::string_view::npos) return report_response(data);
  return streamed(
      "application/jsonl",
      [lines = effect_lines(arena, data)](Pieces& pieces, const Stop&) {
        for (const std::string& line : lines) pieces.push(line);
      },
      error_line, takes_gzip(call.request));
}

Response check_site(const Call& call, sites::Sites& sites) {
  const AnalysisBody question(call, {"changes", "consumers", "select"});
  // A change that fixes a broken site can be checked: then only the changed state exists.
  bool is_mended = false;
  const auto state = [&] {
    try {
      return sites.state(call, call[0]);
    } catch (const Error& error) {
      const Value* changes = question.find("changes");
      if (std::string_view(error.code()) != "site.broken" || changes == nullptr) throw;
      is_mended = true;
      auto out = sites.changed_state(call, call[0], read_changes(*changes));
      sites::check_draft(call, *out);
      return out;
    }
  }();
  analysis::CheckSettings settings{
      .folder = "/", .limits = state->limits(call.stop), .consumers = question.texts("consumers")};
  const std::vector<std::string> wanted = question.texts("select");
  settings.reports_warnings = wanted.empty();
  for (const std::string& one : wanted) {
    const analysis::FindingCode* code = analysis::find_code(one);
    if (code == nullptr)
      throw Error("request.body", fmt::format("there is no finding '{}'", one)).hint(analysis::code_hint(one, {}));
    settings.codes.emplace(code->name);
  }
  for (const analysis::FindingCode& code : analysis::finding_codes()) {
    if (wanted.empty() && !(code.needs_fleet && state->question().lacks_fleet())) settings.codes.emplace(code.name);
  }
  const Edits edits = is_mended ? Edits() : question.changes(call, *state);
  const sites::WholeFleet fleet = state->whole_fleet(stored_nodes(call, call[0]));
  analysis::State asked = edits.empty() ? fleet.state : state->edited(edits, fleet);
  asked.stop = &call.stop;
  const analysis::CheckReport report = analysis::check(*fleet.question, asked, settings);
  Arena arena;
  return report_response(analysis::check_data(arena, report));
}

namespace {

/// Hides the lines of proposals that are secret, also from clients that may read the files.
void hide_lines(const sites::SiteState& state, analysis::ProposalReport& report) {
  for (analysis::Proposal& proposal : report.proposals) {
    std::set<std::string, std::less<>> hidden;
    for (const analysis::ProposedEdit& edit : proposal.edits) {
      const auto add = [&](const std::string& text) {
        hidden.merge(edit::lines_of(text, analysis::hidden_lines(text, state.secret_texts().shown(edit.path, text))));
      };
      if (edit.before) add(*edit.before);
      add(edit.after);
    }
    if (!hidden.empty()) proposal.diff = edit::hidden_in_diff(proposal.diff, hidden);
  }
}

}  // namespace

Response propose_edits(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const AnalysisBody question(call, {"item", "path", "value", "for", "changes"});
  analysis::Wish wish{.item = question.text("item"), .path = question.text("path")};
  if (wish.item.empty()) throw Error("request.body", "'item' names what is to have a value");
  if (const Value* value = question.find("value")) {
    wish.value = *value;
    wish.spelling = text::write_json(*value, {.indent = -1});
    wish.spelling.pop_back();
  }
  const analysis::ProposalSettings settings{
      .selectors = question.texts("for"),
      .folder = "/",
      .how = {.stop = &call.stop},
      .limits = state->limits(call.stop),
      .most = std::min(kMostProposals, call.request.query.number("proposals", kMostProposals).value_or(3))};
  constexpr std::array<std::string_view, 3> kVerbs{"compose", "lookup", "merge"};
  if (std::ranges::find(kVerbs, state->verb()) == kVerbs.end()) throw analysis::no_files_to_set();
  const Edits edits = question.changes(call, *state);
  if (edits.empty()) sites::check_draft(call, *state);  // Whether a node has the value already says what it has.
  const sites::WholeFleet fleet = state->whole_fleet(stored_nodes(call, call[0]));
  analysis::ProposalReport report =
      analysis::propose(*fleet.question, edits.empty() ? fleet.state : state->edited(edits, fleet), wish, settings);
  hide_lines(*state, report);
  Arena arena;
  return report_response(analysis::proposals_data(arena, report));
}

}  // namespace strata::service::api
