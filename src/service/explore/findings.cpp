// SPDX-License-Identifier: Apache-2.0
// Findings, and what a search finds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "strata/text_edit.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kFound = 20;
constexpr std::size_t kMostFound = 1000;

std::string query_value(const Call& call, std::string_view name) {
  const std::string* text = call.request.query.find(name);
  return text == nullptr ? std::string() : *text;
}

/// The contents of the file with the finding fixed. No value: it cannot be edited.
std::optional<std::string> fixed_text(const View& view, const analysis::Finding& finding) {
  const std::optional<std::string> text = view.tree().read(finding.removable->file.path);
  if (!text) return std::nullopt;
  try {
    Arena arena;
    edit::Change change{.operation = edit::Operation::remove, .pointer = finding.pointer, .document = finding.document};
    if (finding.removable->replacement) {
      change.operation = edit::Operation::set;
      change.value = arena.text(*finding.removable->replacement);
    }
    return edit::apply(view.shown(finding.removable->file.path), *text, finding.removable->file.form, change,
                       view.form().limits)
        .text;
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return std::nullopt;
  }
}

/// What was found of one kind.
class SearchHits {
 public:
  SearchHits(Arena& arena, std::size_t most) : most_(most), first_(arena) {}
  template <class Make>
  void add(const Make& make) {
    if (++total_ <= most_) first_.append(make());
  }
  [[nodiscard]] Value finish(Arena& arena) {
    MappingBuilder out(arena);
    out.insert("total", number(total_));
    out.insert("first", first_.finish());
    return out.finish();
  }

 private:
  std::size_t most_;
  std::size_t total_ = 0;
  SequenceBuilder first_;
};

/// A search: a prefix says what is meant.
struct SearchQuery {
  std::string kind;  ///< Empty: everything.
  std::string text;

  explicit SearchQuery(const Call& call) : kind(query_value(call, "kind")), text(query_value(call, "q")) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPrefixes{{{"node:", "subjects"},
                                                                                      {"key:", "keys"},
                                                                                      {"file:", "files"},
                                                                                      {"value:", "values"},
                                                                                      {"code:", "findings"},
                                                                                      {"fact:", "facts"}}};
    for (const auto& [prefix, of] : kPrefixes) {
      if (!text.starts_with(prefix)) continue;
      kind = of;
      text.erase(0, prefix.size());
    }
    constexpr std::array<std::string_view, 7> kKinds{"", "subjects", "keys", "files", "values", "findings", "facts"};
    if (std::ranges::find(kKinds, kind) == kKinds.end()) {
      throw Error("request.query", fmt::format("'kind' is not '{}'", kind))
          .hint("subjects, keys, files, values, findings");
    }
    if (!Filter(text).looks_for_something()) {
      throw Error("request.query", "'q' has no word to look for")
          .hint("write one, as in key:ntp; -word alone says only what is not wanted");
    }
  }
  [[nodiscard]] bool wants(std::string_view of) const { return kind.empty() || kind == of; }
};

}  // namespace

Response list_findings(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  const analysis::CheckReport& report = view->findings(call.stop);
  const std::string code = query_value(call, "code");
  const std::string file = query_value(call, "file");
  const std::string severity = query_value(call, "severity");
  if (!severity.empty() && severity != "error" && severity != "warning" && severity != "note") {
    throw Error("request.query", "'severity' is error, warning or note");
  }
  const bool fixes = call.request.query.flag("fix");
  Arena arena;
  const Value data = analysis::check_data(arena, report, true);
  const std::span<const Value> all = data.find("findings")->items();
  SequenceBuilder list(arena);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const analysis::Finding& finding = report.findings[i];
    if (!code.empty() && finding.what.code != code && analysis::code_name(finding.what.code) != code) continue;
    if (!file.empty() && finding.what.where.place.file != file) continue;
    if (!severity.empty() && analysis::to_string(finding.severity) != severity) continue;
    MappingBuilder one = MappingBuilder::copy_of(arena, all[i]);
    if (fixes && finding.removable && is_open(*view, finding.removable->file.path, call.stop)) {
      if (const auto text = fixed_text(*view, finding)) {
        MappingBuilder fix(arena);
        fix.insert(view->shown(finding.removable->file.path), arena.text(*text));
        one.insert("fix", fix.finish());
      }
    }
    list.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("findings", list.finish());
  out.insert("suppressed", *data.find("suppressed"));
  out.insert("summary", *data.find("summary"));
  return answer(call, out, view->form().generation);
}

Response search(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  const SearchQuery wanted(call);
  const std::size_t most = call.request.query.number("count", kMostFound).value_or(kFound);
  const Filter filter(wanted.text);
  Arena arena;
  SearchHits subjects(arena, most);
  SearchHits keys(arena, most);
  SearchHits files(arena, most);
  SearchHits values(arena, most);
  SearchHits findings(arena, most);
  const auto add_subject = [&](const std::string& name) {
    subjects.add([&] {
      MappingBuilder one(arena);
      one.insert("subject", arena.text(name));
      return one.finish();
    });
  };
  if (wanted.kind == "facts") {
    const std::size_t equals = wanted.text.find('=');
    const std::string fact = wanted.text.substr(0, equals);
    const std::string value = equals == std::string::npos ? std::string() : wanted.text.substr(equals + 1);
    view->subjects().each(analysis::Question::History::no, [&](const std::string& name, analysis::Subject& subject) {
      call.stop.check();
      const std::optional<std::string> has = subject.fact(fact);
      if (has && lower(*has).find(lower(value)) != std::string::npos) add_subject(name);
      return true;
    });
  } else if (wanted.wants("subjects")) {
    for (const std::string& name : view->subjects().names()) {
      if (filter.takes(name)) add_subject(name);
    }
  }
  if (wanted.wants("keys") || wanted.wants("values")) {
    const Survey& survey = view->survey(call.stop);
    for (const std::string& key : survey.order) {
      const Common& common = survey.places.at(key);
      const auto place = place_of_key(key);
      const auto& item = place.first;
      const auto& path = place.second;
      if (wanted.wants("keys") && filter.takes(item + path)) {
        keys.add([&] {
          MappingBuilder one(arena);
          one.insert("item", arena.text(item));
          one.insert("path", arena.text(path));
          one.insert("subjects", number(common.subjects));
          one.insert("subject", arena.text(common.values.begin()->second.first));
          return one.finish();
        });
      }
      if (!wanted.wants("values")) continue;
      for (const auto& value : common.values) {
        const auto& had = value.second;
        if (had.text.empty() || !filter.takes(had.text)) continue;
        values.add([&] {
          MappingBuilder one(arena);
          one.insert("item", arena.text(item));
          one.insert("path", arena.text(path));
          one.insert("value", arena.text(had.text));
          one.insert("subjects", number(had.subjects));
          one.insert("subject", arena.text(had.first));
          return one.finish();
        });
      }
    }
  }
  if (wanted.wants("files")) {
    for (const auto& file : view->files(call.stop)) {
      const std::string& name = file.first;
      if (!filter.takes(name)) continue;
      files.add([&] {
        MappingBuilder one(arena);
        one.insert("file", arena.text(name));
        return one.finish();
      });
    }
  }
  if (wanted.wants("findings")) {
    const analysis::CheckReport& report = view->findings(call.stop);
    const Value all = findings_value(arena, report);
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      const analysis::Finding& one = report.findings[i];
      if (one.silence ||
          !filter.takes(fmt::format("{} {} {}", one.what.code, one.what.message, one.what.where.place.file)))
        continue;
      findings.add([&] { return all.items()[i]; });
    }
  }
  MappingBuilder out(arena);
  out.insert("subjects", subjects.finish(arena));
  out.insert("keys", keys.finish(arena));
  out.insert("files", files.finish(arena));
  out.insert("values", values.finish(arena));
  out.insert("findings", findings.finish(arena));
  return answer(call, out, view->form().generation);
}

}  // namespace strata::service::explore
