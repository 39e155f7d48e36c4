// SPDX-License-Identifier: Apache-2.0
// The result of a subject: its rows, and the leaf behind one.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "service/entity_tags.hpp"
#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "service/explore/table.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kRows = 200;
constexpr std::size_t kMostRows = 1000;

/// Which rows are wanted.
class Choice {
 public:
  Choice(const Call& call, const View& view) : view_(view), stop_(call.stop), filter_(text_of(call, "filter")) {
    fold_ = call.request.query.number("fold", 10'000).value_or(SIZE_MAX);
    for (const std::string& one : call.request.query.all("only")) {
      if (one.empty()) continue;
      if (one == "overridden") {
        overridden_ = true;
      } else if (one == "differs") {
        differs_ = true;
      } else if (one == "failed") {
        failed_ = true;
      } else if (one.starts_with("layer:")) {
        layers_.insert(one.substr(6));
      } else {
        throw Error("request.query", fmt::format("there are no rows that are '{}'", one))
            .hint("overridden, differs, failed, layer:NAME");
      }
    }
  }

  [[nodiscard]] bool takes(const Row& row) const {
    if (row.depth >= fold_) return false;
    if (!filter_.is_empty()) {
      const std::string text =
          fmt::format("{} {} {}", row.item.value_or(""), row.path, row.failure ? row.failure->message : row.text);
      if (!filter_.takes(text)) return false;
    }
    if (failed_ && !row.failure) return false;
    if (overridden_ && row.losers == 0) return false;
    if (!layers_.empty() &&
        (!row.is_leaf || (!layers_.contains(row.level) && !layers_.contains(level_of(row.layer, row.origin.file)))))
      return false;
    return !differs_ || is_rare(row);
  }

 private:
  static std::string text_of(const Call& call, std::string_view name) {
    const std::string* text = call.request.query.find(name);
    return text == nullptr ? std::string() : *text;
  }
  [[nodiscard]] bool is_rare(const Row& row) const {
    if (!row.is_leaf || !row.item) return false;
    const auto found = view_.survey(stop_).places.find(place_key(*row.item, row.path));
    return found == view_.survey(stop_).places.end() || found->second.most() != row.value;
  }

  const View& view_;
  const Stop& stop_;
  Filter filter_;
  std::size_t fold_;
  bool overridden_ = false;
  bool differs_ = false;
  bool failed_ = false;
  std::set<std::string> layers_;
};

/// Leaves of another state by their place.
using LeafHashes = std::unordered_map<std::string, std::uint64_t>;
LeafHashes leaf_hashes(const Table& table) {
  LeafHashes out;
  for (const Row& row : table.rows) {
    if (row.is_leaf && row.item) out.emplace(place_key(*row.item, row.path), row.exact);
  }
  return out;
}

/// Lines that have a finding.
std::set<std::pair<std::string, std::uint32_t>> finding_lines(const View& view) {
  std::set<std::pair<std::string, std::uint32_t>> out;
  const analysis::CheckReport* report = view.known_findings();
  if (report == nullptr) return out;
  for (const analysis::Finding& one : report->findings) {
    if (!one.silence && one.what.where.place.line) out.emplace(one.what.where.place.file, *one.what.where.place.line);
  }
  return out;
}

Value origin_value(Arena& arena, const Row& row) {
  MappingBuilder out = MappingBuilder::copy_of(arena, place_value(arena, row.origin));
  out.insert("layer", text_or_null(arena, row.layer));
  out.insert("level", text_or_null(arena, row.level));
  if (!row.level.empty()) out.insert("colour", number(row.colour));
  return out.finish();
}

Response whole_text(const Call& call, const View& view, const std::string& subject, const std::string& form) {
  if (form != "yaml" && form != "json") throw Error("request.query", "'text' is 'yaml' or 'json'");
  std::string text;
  view.with(subject, analysis::Question::History::no, call.stop, [&](analysis::Subject& one) {
    const analysis::Subject::Answer answered = one.ask(std::nullopt);
    if (answered.outcome.failure) throw Error(*answered.outcome.failure);
    Arena arena;
    const bool sorts = view.question().wording().sort_keys;
    const Value shown = report::masked(arena, whole_value(arena, answered.outcome, view.layout()));
    if (form == "json") {
      text = text::write_json(shown, {.sort_keys = sorts, .indent = 2});
    } else if (view.has_documents()) {
      text::write_yaml_stream(shown.items(), {.profile = nullptr, .sort_keys = sorts, .indent = 2},
                              [&text](std::string_view piece) { text += piece; });
    } else {
      text = text::write_yaml(shown, {.profile = nullptr, .sort_keys = sorts, .indent = 2});
    }
  });
  Response out = tagged(call, entity_tag(text), text);
  if (out.status == 200) out.headers.set("Content-Type", "text/plain; charset=utf-8");
  return out;
}

}  // namespace

Response list_rows(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  const std::string subject = subject_of(call);
  if (const std::string* form = call.request.query.find("text")) return whole_text(call, *view, subject, *form);
  const auto table = view->table(subject, call.stop);
  const Choice choice(call, *view);
  const std::size_t from = call.request.query.number("from", SIZE_MAX / 2).value_or(0);
  const std::size_t count = call.request.query.number("count", kMostRows).value_or(kRows);
  std::optional<LeafHashes> other;
  if (const std::string* against = call.request.query.find("against"); against != nullptr && !against->empty()) {
    const auto there = source.view(call, call[0], *against);
    other = there->subjects().has(subject) ? leaf_hashes(*there->table(subject, call.stop)) : LeafHashes();
  }
  const auto found = finding_lines(*view);
  const ErrorLines lines(call, source);
  Arena arena;
  SequenceBuilder rows(arena);
  std::size_t total = 0;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const Row& row = table->rows[i];
    if (!choice.takes(row)) continue;
    const std::size_t place = total++;
    if (place < from || place - from >= count) continue;
    MappingBuilder one(arena);
    one.insert("index", number(i));
    one.insert("item", row.item ? arena.text(*row.item) : Value::null());
    if (row.failure) {
      one.insert("error", diagnostic_value(arena, *row.failure, "error", lines));
      rows.append(one.finish());
      continue;
    }
    one.insert("path", arena.text(row.path));
    one.insert("depth", number(row.depth));
    one.insert("text", arena.text(row.text));
    one.insert("kind", arena.text(row.kind));
    one.insert("below", number(row.below));
    one.insert("origin", row.is_leaf ? origin_value(arena, row) : Value::null());
    one.insert("losers", number(row.losers));
    SequenceBuilder marks(arena);
    if (row.is_computed) marks.append(arena.text("computed"));
    if (row.is_secret) marks.append(arena.text("secret"));
    if (row.origin.line && found.contains({row.origin.file, *row.origin.line})) marks.append(arena.text("finding"));
    if (other && row.is_leaf && row.item) {
      const auto before = other->find(place_key(*row.item, row.path));
      if (before == other->end() || before->second != row.exact) marks.append(arena.text("differs"));
    }
    one.insert("marks", marks.finish());
    rows.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("total", number(total));
  out.insert("lines", number(table->rows.size()));
  out.insert("rows", rows.finish());
  SequenceBuilder layers(arena, table->layers.size());
  for (const std::string& layer : table->layers) layers.append(arena.text(layer));
  out.insert("layers", layers.finish());
  out.insert("warnings", warnings_of(arena, table->warnings, lines));
  out.insert("error", table->failure ? diagnostic_value(arena, *table->failure, "error", lines) : Value::null());
  return answer(call, out, view->form().generation);
}

}  // namespace strata::service::explore
