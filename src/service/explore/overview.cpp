// SPDX-License-Identifier: Apache-2.0
// The overview of a project: its layers, findings, and the commits that changed results.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/project_value.hpp"
#include "service/explore/survey.hpp"
#include "strata/commit_log.hpp"
#include "strata/git_history.hpp"
#include "strata/stop.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kOverridden = 10;
constexpr std::size_t kCommits = 20;
constexpr std::chrono::seconds kCommitsTimeout{20};  ///< For the commits: an overview without them is better than none.

Value layers_value(Arena& arena, const View& view, const Stop& stop) {
  const auto& known_files = view.files(stop);
  const Survey& survey = view.survey(stop);
  std::map<std::string, std::set<std::string>> unread;  // By layer.
  for (const auto& [name, file] : known_files) {
    if (file.covered == nullptr || file.read_by != 0) continue;
    const auto layer = survey.folders.find(name.substr(0, name.rfind('/') == std::string::npos ? 0 : name.rfind('/')));
    if (layer != survey.folders.end()) unread[layer->second].insert(name);
  }
  std::map<std::string, std::pair<std::size_t, std::size_t>> dead;  // Never visible, dead overrides; by file.
  for (const analysis::Finding& one : view.findings(stop).findings) {
    if (one.silence) continue;
    const std::string_view name = analysis::code_name(one.what.code);
    dead[one.what.where.place.file].first += name == "never-visible" ? 1 : 0;
    dead[one.what.where.place.file].second += name == "dead-override" ? 1 : 0;
  }
  SequenceBuilder out(arena);
  for (const Survey::Layer& layer : survey.layers) {
    std::size_t leaves = 0;
    std::size_t seen = 0;
    std::size_t never_visible = 0;
    std::size_t dead_override = 0;
    bool is_data = false;
    std::set<std::string> files = layer.files;
    files.merge(unread[layer.name]);
    for (const std::string& file : files) {
      if (const auto known = known_files.find(file); known != known_files.end() && known->second.covered != nullptr) {
        is_data = true;
        const auto& of_file = known->second.covered->leaves;
        leaves += of_file.size();
        seen +=
            static_cast<std::size_t>(std::ranges::count_if(of_file, [](const auto& leaf) { return leaf.seen() != 0; }));
      }
      if (const auto found = dead.find(file); found != dead.end()) {
        never_visible += found->second.first;
        dead_override += found->second.second;
      }
    }
    // Code that is read is not a layer, unless values come from it.
    if (!is_data && layer.files.size() == 1 && *layer.files.begin() == layer.name) continue;
    MappingBuilder one(arena);
    one.insert("name", arena.text(layer.name));
    one.insert("colour", number(layer.colour));
    one.insert("files", number(files.size()));
    one.insert("leaves", number(leaves));
    one.insert("seen", number(seen));
    one.insert("never_visible", number(never_visible));
    one.insert("dead_override", number(dead_override));
    out.append(one.finish());
  }
  return out.finish();
}

Value codes_value(Arena& arena, const View& view, const Stop& stop) {
  struct Found {
    std::string code;
    analysis::Severity severity;
    std::size_t count;
  };
  std::map<std::string, Found> codes;
  for (const analysis::Finding& one : view.findings(stop).findings) {
    if (one.silence) continue;
    Found& found = codes.try_emplace(one.what.code, Found{.code = one.what.code, .severity = one.severity, .count = 0})
                       .first->second;
    found.severity = std::min(found.severity, one.severity);
    ++found.count;
  }
  // The worst first, and of these the most frequent.
  std::vector<Found> sorted;
  sorted.reserve(codes.size());
  for (auto& [code, found] : codes) sorted.push_back(std::move(found));
  std::ranges::stable_sort(sorted, [](const Found& left, const Found& right) {
    return left.severity == right.severity ? left.count > right.count : left.severity < right.severity;
  });
  SequenceBuilder out(arena, sorted.size());
  for (const Found& found : sorted) {
    MappingBuilder one(arena);
    one.insert("code", arena.text(found.code));
    one.insert("severity", arena.text(analysis::to_string(found.severity)));
    one.insert("count", number(found.count));
    out.append(one.finish());
  }
  return out.finish();
}

Value overridden_value(Arena& arena, const View& view, const Stop& stop) {
  const Survey& survey = view.survey(stop);
  std::vector<const std::string*> keys;
  for (const std::string& key : survey.order) {
    if (survey.places.at(key).losers != 0) keys.push_back(&key);
  }
  std::ranges::stable_sort(keys, [&survey](const std::string* left, const std::string* right) {
    return survey.places.at(*left).losers > survey.places.at(*right).losers;
  });
  if (keys.size() > kOverridden) keys.resize(kOverridden);
  SequenceBuilder out(arena, keys.size());
  for (const std::string* key : keys) {
    const auto [item, path] = place_of_key(*key);
    const Common& common = survey.places.at(*key);
    MappingBuilder one(arena);
    one.insert("item", arena.text(item));
    one.insert("path", arena.text(path));
    one.insert("subjects", number(common.overridden));
    one.insert("losers", number(common.losers));
    out.append(one.finish());
  }
  return out.finish();
}

Value commits_value(Arena& arena, const Call& call, Source& source, const View& view) {
  const std::string& at = view.form().revision;
  const auto history = source.history(call, view.form().name, at);
  if (history == nullptr) return Value::null();
  Stop stop(&call.stop);
  stop.end_at(Stop::Clock::now() + kCommitsTimeout);
  analysis::LogSettings settings{.study = {.how = {.sort_keys = view.question().wording().sort_keys, .stop = &stop},
                                           .finds_causes = false,
                                           .folder = view.form().folder,
                                           .depth = view.form().limits.depth},
                                 .most = kCommits};
  const auto state_of = [&](const std::string& revision) {
    if (revision.empty()) return view.state();
    // Its inputs point into the view's question, which others may let go of as soon as files change.
    const auto there = source.view(call, view.form().name, revision);
    analysis::State out = there->state();
    out.inputs = std::shared_ptr<analysis::Inputs>(there, out.inputs.get());
    return out;
  };
  analysis::LogReport report;
  try {
    report = analysis::commit_log(view.question(), *history, at.empty(), state_of, settings);
  } catch (const Error& error) {
    if (call.stop.is_due()) throw;
    return Value::null();
  }
  SequenceBuilder out(arena);
  for (const analysis::LoggedCommit& one : report.commits) {
    std::size_t changes = 0;
    for (const analysis::SubjectChanges& subject : one.report.subjects) changes += subject.changes.size();
    MappingBuilder row(arena);
    row.insert("commit", arena.text(one.commit.id));
    row.insert("date", text_or_null(arena, one.commit.date));
    row.insert("author", text_or_null(arena, one.commit.author));
    row.insert("subject", arena.text(one.commit.subject));
    row.insert("changes", number(changes));
    out.append(row.finish());
  }
  return out.finish();
}

}  // namespace

Response show_overview(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  Arena arena;
  MappingBuilder out(arena);
  // With them, nothing that is counted is missing.
  (void)view->coverage(call.stop);
  (void)view->findings(call.stop);
  (void)view->survey(call.stop);
  add_project(out, arena, call, source, call[0], view.get());
  out.insert("layers", layers_value(arena, *view, call.stop));
  out.insert("findings", codes_value(arena, *view, call.stop));
  out.insert("overridden", overridden_value(arena, *view, call.stop));
  const bool has_commits = call.request.query.flag("commits", true);
  out.insert("commits", has_commits ? commits_value(arena, call, source, *view) : Value::null());
  return answer(call, out, view->form().generation);
}

}  // namespace strata::service::explore
