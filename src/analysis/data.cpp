// SPDX-License-Identifier: Apache-2.0
// Changes and effects for programs. Shape: docs/schema/analysis.schema.json.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

#include "data.hpp"
#include "report/lines.hpp"
#include "strata/analysis.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"

namespace strata::analysis {
namespace {

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

/// Its members, unless no file wrote what is there.
void insert_known_place(Arena& arena, MappingBuilder& row, const Place& place) {
  if (!place.file.empty()) report::insert_place(arena, row, place);
}

Value side_data(Arena& arena, const Side& side) {
  if (!side.value && !side.failure) return Value::null();
  MappingBuilder row(arena);
  if (side.failure) {
    MappingBuilder error(arena);
    error.insert("code", arena.text(side.failure->code));
    error.insert("message", arena.text(side.failure->message));
    insert_known_place(arena, error, side.failure->where.place);
    row.insert("error", error.finish());
    return row.finish();
  }
  row.insert("value", report::masked(arena, side.value));
  if (report::holds_secret(side.value)) row.insert("secret", Value::boolean(true));
  insert_known_place(arena, row, side.place);
  return row.finish();
}

Value ids_data(Arena& arena, const Causes& causes) {
  if (!causes.edits) return Value::null();
  SequenceBuilder ids(arena, causes.edits->size());
  for (const std::size_t edit : *causes.edits) ids.append(number(edit + 1));
  return ids.finish();
}

void insert_change(Arena& arena, MappingBuilder& row, const SharedChange& one, CauseSets* sets = nullptr) {
  const Change& change = *one;
  row.insert("item", arena.text(change.item));
  row.insert("path", arena.text(change.path));
  row.insert("kind", arena.text(to_string(change.kind)));
  if (change.from) row.insert("from", arena.text(*change.from));
  row.insert("before", side_data(arena, change.before));
  row.insert("after", side_data(arena, change.after));
  if (!one.causes) return;
  if (sets != nullptr) {
    row.insert("cause_set", number(sets->number(*one.causes)));
    return;
  }
  row.insert("causes", ids_data(arena, *one.causes));
  row.insert("cause_kind", arena.text(to_string(one.causes->kind)));
}

/// A change of an effect.
Value row_data(Arena& arena, const SharedChange& change, bool is_example, CauseSets* sets = nullptr) {
  MappingBuilder row(arena);
  insert_change(arena, row, change, sets);
  if (is_example) row.insert("example", Value::boolean(true));
  return row.finish();
}

Value lines_data(Arena& arena, const Lines& lines) {
  MappingBuilder row(arena);
  row.insert("line", number(lines.line));
  row.insert("lines", number(lines.lines));
  return row.finish();
}

}  // namespace

std::size_t CauseSets::number(const Causes& causes) {
  const auto [known, is_new] = by_object_.try_emplace(&causes, sets_.size());
  if (!is_new) return known->second;
  const auto [same, is_other] = by_content_.try_emplace({causes.kind, causes.edits}, sets_.size());
  if (is_other) sets_.push_back(&causes);
  return known->second = same->second;
}

Value CauseSets::data(Arena& arena) const {
  SequenceBuilder out(arena, sets_.size());
  for (const Causes* causes : sets_) {
    MappingBuilder row(arena);
    row.insert("kind", arena.text(to_string(causes->kind)));
    row.insert("edits", ids_data(arena, *causes));
    out.append(row.finish());
  }
  return out.finish();
}

Value edits_data(Arena& arena, const std::vector<Edit>& edits) {
  SequenceBuilder rows(arena, edits.size());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    MappingBuilder row(arena);
    row.insert("id", number(i + 1));
    row.insert("file", arena.text(edits[i].file));
    row.insert("before", lines_data(arena, edits[i].before));
    row.insert("after", lines_data(arena, edits[i].after));
    if (edits[i].whole) row.insert("whole", Value::boolean(true));
    rows.append(row.finish());
  }
  return rows.finish();
}

Value changes_data(Arena& arena, const DiffReport& report) {
  SequenceBuilder changes(arena);
  for (const SubjectChanges& subject : report.subjects) {
    for (const SharedChange& change : subject.changes) {
      MappingBuilder row(arena);
      row.insert("subject", arena.text(subject.subject));
      insert_change(arena, row, change);
      changes.append(row.finish());
    }
  }
  return changes.finish();
}

Value diff_data(Arena& arena, const DiffReport& report) {
  const Value changes = changes_data(arena, report);
  MappingBuilder summary(arena);
  summary.insert("subjects", number(report.total));
  summary.insert("changes", number(changes.size()));
  MappingBuilder out(arena);
  out.insert("format", arena.text("strata-diff/1"));
  out.insert("edits", edits_data(arena, report.edits));
  out.insert("changes", changes);
  out.insert("summary", summary.finish());
  return out.finish();
}

namespace {

/// What stands before and behind the effects.
struct ImpactFrame {
  Value edits;
  Value subjects;
  Value more;  ///< Absent: all effects are there.
};

ImpactFrame frame_of(Arena& arena, const ImpactReport& report) {
  const Effects::Counts& counts = report.effects.counts();
  MappingBuilder subjects(arena);
  subjects.insert("total", number(counts.total));
  subjects.insert("changed", number(counts.changed));
  subjects.insert("unchanged", number(counts.unchanged));
  subjects.insert("broken", number(counts.broken));
  subjects.insert("mended", number(counts.mended));
  subjects.insert("appeared", number(counts.appeared));
  subjects.insert("disappeared", number(counts.disappeared));
  ImpactFrame out{.edits = edits_data(arena, report.edits), .subjects = subjects.finish(), .more = {}};
  if (report.effects.more_subjects() == 0) return out;
  MappingBuilder more(arena);
  more.insert("effects", Value::null());
  more.insert("subjects", number(report.effects.more_subjects()));
  out.more = more.finish();
  return out;
}

/// How many names of an effect are listed.
std::size_t names_of(const Effect& effect, std::size_t names_shown) {
  return names_shown == 0 ? effect.subjects.size() : std::min(names_shown, effect.subjects.size());
}

Value effect_data(Arena& arena, const Effect& effect, std::size_t id, std::size_t names_shown, bool is_example,
                  CauseSets* sets = nullptr) {
  SequenceBuilder changes(arena, effect.changes.size());
  for (const SharedChange& change : effect.changes) changes.append(row_data(arena, change, is_example, sets));
  const std::size_t most = names_of(effect, names_shown);
  SequenceBuilder names(arena, most);
  effect.subjects.each(most, [&](std::string_view name) { names.append(arena.text(name)); });
  MappingBuilder group(arena);
  group.insert("id", number(id));
  group.insert("count", number(effect.subjects.size()));
  group.insert("subjects", names.finish());
  group.insert("changes", changes.finish());
  return group.finish();
}

constexpr std::string_view kImpactFormat = "strata-impact/1";

Value whole_impact(Arena& arena, const ImpactReport& report, std::size_t names_shown, CauseSets* sets) {
  const ImpactFrame frame = frame_of(arena, report);
  const bool is_example = report.effects.by() == GroupBy::path;
  SequenceBuilder groups(arena);
  for (const Effect* effect : report.effects.sorted())
    groups.append(effect_data(arena, *effect, groups.size() + 1, names_shown, is_example, sets));
  MappingBuilder out(arena);
  out.insert("format", arena.text(kImpactFormat));
  out.insert("edits", frame.edits);
  out.insert("subjects", frame.subjects);
  out.insert("effects", groups.finish());
  out.insert("truncated", Value::boolean(static_cast<bool>(frame.more)));
  if (frame.more) out.insert("more", frame.more);
  return out.finish();
}

}  // namespace

Value impact_data(Arena& arena, const ImpactReport& report, std::size_t names_shown) {
  return whole_impact(arena, report, names_shown, nullptr);
}
Value impact_data(Arena& arena, const ImpactReport& report, CauseSets* sets) {
  return whole_impact(arena, report, 0, sets);
}

namespace {

/// The texts of changes within effects, each made once.
class ChangeTexts {
 public:
  explicit ChangeTexts(bool is_example) : is_example_(is_example) {}

  /// Errors: as append_json, but for the place that they tell.
  const std::string& of(const SharedChange& change) {
    const auto [known, is_new] = texts_.try_emplace({&*change, change.causes.get()});
    if (!is_new) return known->second;
    constexpr int kDepth = 4;
    text_.clear();
    own_.clear();
    text::append_json(text_, row_data(own_, change, is_example_), {}, kDepth);
    return known->second = text_;
  }

 private:
  using Both = std::pair<const Change*, const Causes*>;
  struct Hash {
    std::size_t operator()(const Both& both) const noexcept {
      constexpr std::size_t kOdd = 31;
      return std::hash<const void*>()(both.first) * kOdd + std::hash<const void*>()(both.second);
    }
  };
  bool is_example_;
  Arena own_;
  std::string text_;
  std::unordered_map<Both, std::string, Hash> texts_;
};

}  // namespace

void write_impact(const ImpactReport& report, std::size_t names_shown, bool is_assumed,
                  const std::function<void(std::string_view)>& sink) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  const text::JsonStyle style;
  const auto effects = report.effects.sorted();
  ChangeTexts texts(report.effects.by() == GroupBy::path);
  Arena own;
  std::string text = "{";
  for (std::size_t i = 0; i < effects.size(); ++i) {
    try {
      for (const SharedChange& change : effects[i]->changes) (void)texts.of(change);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      // As part of its effect it tells the place there.
      text::append_json(text, effect_data(own, *effects[i], i + 1, names_shown, report.effects.by() == GroupBy::path),
                        style);
      throw;
    }
  }
  const auto put = [&sink, &text](std::size_t least) {
    if (text.size() < least) return;
    sink(text);
    text.clear();
  };
  std::string_view separator = "\n  ";
  const auto member = [&](std::string_view name, const Value& value) {
    text += std::exchange(separator, ",\n  ");
    text::append_json_text(text, name);
    text += ": ";
    if (value) text::append_json(text, value, style, 1);
  };
  Arena arena;
  const ImpactFrame frame = frame_of(arena, report);
  member("format", arena.text(kImpactFormat));
  member("edits", frame.edits);
  member("subjects", frame.subjects);
  member("effects", {});
  text += '[';
  for (std::size_t i = 0; i < effects.size(); ++i) {
    text += fmt::format("{}\n    {{\n      \"id\": {},\n      \"count\": {},\n      \"subjects\": [", i == 0 ? "" : ",",
                        i + 1, effects[i]->subjects.size());
    std::string_view before_name = "\n        ";
    effects[i]->subjects.each(names_of(*effects[i], names_shown), [&](std::string_view name) {
      text += std::exchange(before_name, ",\n        ");
      text::append_json_text(text, name);
      put(kPiece);
    });
    text += "\n      ],\n      \"changes\": [";
    std::string_view between = "\n        ";
    for (const SharedChange& change : effects[i]->changes) {
      text.append(std::exchange(between, ",\n        ")).append(texts.of(change));
      put(kPiece);
    }
    text += effects[i]->changes.empty() ? "]" : "\n      ]";
    text += "\n    }";
    put(kPiece);
  }
  text += effects.empty() ? "]" : "\n  ]";
  member("truncated", Value::boolean(static_cast<bool>(frame.more)));
  if (frame.more) member("more", frame.more);
  if (is_assumed) member("assumed", Value::boolean(true));
  text += "\n}\n";
  put(1);
}

}  // namespace strata::analysis
