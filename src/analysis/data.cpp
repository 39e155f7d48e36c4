// Changes and effects for programs. Shape: docs/schema/analysis.schema.json.
#include "report/lines.hpp"
#include "strata/analysis.hpp"

namespace strata::analysis {
namespace {

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

/// Its members, unless no file wrote what is there.
void insert_known_place(Arena& arena, const Value& row, const Place& place) {
  if (!place.file.empty()) report::insert_place(arena, row, place);
}

Value side_data(Arena& arena, const Side& side) {
  if (!side.value && !side.failure) return Value::null();
  const Value row = arena.mapping();
  if (side.failure) {
    const Value error = arena.mapping();
    arena.insert(error, "code", arena.text(side.failure->code));
    arena.insert(error, "message", arena.text(side.failure->message));
    insert_known_place(arena, error, side.failure->where.place);
    arena.insert(row, "error", error);
    return row;
  }
  arena.insert(row, "value", report::masked(arena, side.value));
  if (report::holds_secret(side.value)) arena.insert(row, "secret", Value::boolean(true));
  insert_known_place(arena, row, side.place);
  return row;
}

void insert_change(Arena& arena, const Value& row, const Change& change) {
  arena.insert(row, "item", arena.text(change.item));
  arena.insert(row, "path", arena.text(change.path));
  arena.insert(row, "kind", arena.text(to_string(change.kind)));
  if (change.from) arena.insert(row, "from", arena.text(*change.from));
  arena.insert(row, "before", side_data(arena, change.before));
  arena.insert(row, "after", side_data(arena, change.after));
}

Value lines_data(Arena& arena, const Lines& lines) {
  const Value row = arena.mapping();
  arena.insert(row, "line", number(lines.line));
  arena.insert(row, "lines", number(lines.lines));
  return row;
}

Value edits_data(Arena& arena, const std::vector<Edit>& edits) {
  const Value rows = arena.sequence(edits.size());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const Value row = arena.mapping();
    arena.insert(row, "id", number(i + 1));
    arena.insert(row, "file", arena.text(edits[i].file));
    arena.insert(row, "before", lines_data(arena, edits[i].before));
    arena.insert(row, "after", lines_data(arena, edits[i].after));
    if (edits[i].whole) arena.insert(row, "whole", Value::boolean(true));
    arena.append(rows, row);
  }
  return rows;
}

}  // namespace

Value diff_data(Arena& arena, const std::vector<SubjectChanges>& subjects, std::size_t total, const std::vector<Edit>& edits) {
  const Value changes = arena.sequence();
  for (const SubjectChanges& subject : subjects) {
    for (const Change& change : subject.changes) {
      const Value row = arena.mapping();
      arena.insert(row, "subject", arena.text(subject.subject));
      insert_change(arena, row, change);
      arena.append(changes, row);
    }
  }
  const Value summary = arena.mapping();
  arena.insert(summary, "subjects", number(total));
  arena.insert(summary, "changes", number(changes.size()));
  const Value out = arena.mapping();
  arena.insert(out, "format", arena.text("strata-diff/1"));
  arena.insert(out, "edits", edits_data(arena, edits));
  arena.insert(out, "changes", changes);
  arena.insert(out, "summary", summary);
  return out;
}

Value impact_data(Arena& arena, const Effects& effects, const std::vector<Edit>& edits) {
  const Effects::Counts& counts = effects.counts();
  const Value subjects = arena.mapping();
  arena.insert(subjects, "total", number(counts.total));
  arena.insert(subjects, "changed", number(counts.changed));
  arena.insert(subjects, "unchanged", number(counts.unchanged));
  arena.insert(subjects, "broken", number(counts.broken));
  arena.insert(subjects, "mended", number(counts.mended));
  arena.insert(subjects, "appeared", number(counts.appeared));
  arena.insert(subjects, "disappeared", number(counts.disappeared));
  const Value groups = arena.sequence();
  for (const Effect* effect : effects.sorted()) {
    const Value names = arena.sequence(effect->subjects.size());
    for (const std::string& name : effect->subjects) arena.append(names, arena.text(name));
    const Value changes = arena.sequence(effect->changes.size());
    for (const Change& change : effect->changes) {
      const Value row = arena.mapping();
      insert_change(arena, row, change);
      if (effects.by() == GroupBy::path) arena.insert(row, "example", Value::boolean(true));
      arena.append(changes, row);
    }
    const Value group = arena.mapping();
    arena.insert(group, "id", number(groups.size() + 1));
    arena.insert(group, "count", number(effect->subjects.size()));
    arena.insert(group, "subjects", names);
    arena.insert(group, "changes", changes);
    arena.append(groups, group);
  }
  const Value out = arena.mapping();
  arena.insert(out, "format", arena.text("strata-impact/1"));
  arena.insert(out, "edits", edits_data(arena, edits));
  arena.insert(out, "subjects", subjects);
  arena.insert(out, "effects", groups);
  arena.insert(out, "truncated", Value::boolean(effects.more_subjects() != 0));
  if (effects.more_subjects() != 0) {
    const Value more = arena.mapping();
    arena.insert(more, "effects", Value::null());
    arena.insert(more, "subjects", number(effects.more_subjects()));
    arena.insert(out, "more", more);
  }
  return out;
}

}  // namespace strata::analysis
