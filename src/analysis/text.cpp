// SPDX-License-Identifier: Apache-2.0
// Changes and effects for people.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "report/lines.hpp"
#include "strata/analysis.hpp"
#include "wording.hpp"

namespace strata::analysis {
namespace {

std::string place_text(const Place& place) {
  std::string out = place.to_string();
  return out.empty() ? "<nowhere>" : out;
}

/// The changes of one subject, each indented by so much.
class ChangeLines {
 public:
  ChangeLines(std::size_t indent, const std::vector<Edit>& edits, bool sort_keys, const report::Layout& layout)
      : indent_(indent, ' '), edits_(edits), sort_keys_(sort_keys), layout_(layout) {}

  void add(const SharedChange& one) {
    const Change& change = *one;
    switch (change.kind) {
      case ChangeKind::added:
        line("+ {}: {}", name(change), shown(change.after, change.before));
        break;
      case ChangeKind::removed:
        line("- {}: {}", name(change), shown(change.before, change.after));
        break;
      case ChangeKind::changed:
        line("~ {}{}: {} -> {}", name(change),
             change.from ? fmt::format(" (was {})", joined_name(change.item, *change.from)) : "",
             shown(change.before, change.after), shown(change.after, change.before));
        break;
      case ChangeKind::broken:
      case ChangeKind::fails_otherwise:
        failure('!', change, change.after);
        break;
      case ChangeKind::mended:
        failure('+', change, change.before);
        break;
      case ChangeKind::appeared:
        line("+ appeared");
        break;
      case ChangeKind::disappeared:
        line("- disappeared");
        break;
    }
    if (change.before.value) line("    was  {}", place_text(change.before.place));
    if (change.after.value) line("    now  {}", place_text(change.after.place));
    if (one.causes) line("    by   {}", causes_text(*one.causes, edits_));
  }

  template <class... Words>
  void line(fmt::format_string<Words...> format, Words&&... words) {
    out_ += report::fitted(indent_ + fmt::format(format, std::forward<Words>(words)...), layout_) + '\n';
  }
  [[nodiscard]] const std::string& text() const noexcept { return out_; }

 private:
  [[nodiscard]] static std::string name(const Change& change) { return joined_name(change.item, change.path); }

  [[nodiscard]] std::string shown(const Side& side, const Side& other) const {
    return shown_value(side, other, sort_keys_, layout_.whole_values);
  }

  void failure(char mark, const Change& change, const Side& side) {
    const std::string item = change.item.empty() ? std::string() : change.item + " ";
    line("{} {}{}: {} [{}]", mark, item, to_string(change.kind), side.failure->message, side.failure->code);
    line("    at   {}", place_text(side.failure->where.place));
  }

  std::string indent_;
  const std::vector<Edit>& edits_;
  bool sort_keys_;
  const report::Layout& layout_;
  std::string out_;
};

/// The last line: how much changes.
std::string changes_line(const DiffReport& report, const Wording& wording) {
  std::size_t changes = 0;
  for (const SubjectChanges& subject : report.subjects) changes += subject.changes.size();
  if (changes == 0) return {};
  std::string out = counted(changes, "change");
  if (wording.is_fleet)
    out += fmt::format(" in {} of {}", report.subjects.size(), counted(report.total, wording.subject));
  return out + '\n';
}

}  // namespace

std::string changes_text(const DiffReport& report, const Wording& wording, const report::Layout& layout) {
  std::string out;
  for (const SubjectChanges& subject : report.subjects) {
    if (wording.is_fleet) out += report::on_one_line(subject.subject) + '\n';
    ChangeLines lines(wording.is_fleet ? 2 : 0, report.edits, wording.sort_keys, layout);
    for (const SharedChange& change : subject.changes) lines.add(change);
    out += lines.text();
  }
  return out;
}

std::string diff_text(const DiffReport& report, const Wording& wording, const report::Layout& layout) {
  return changes_text(report, wording, layout) + changes_line(report, wording);
}

std::string diff_stat(const DiffReport& report, const Wording& wording) {
  struct Counts {
    std::size_t added = 0, removed = 0, changed = 0;
    [[nodiscard]] std::size_t sum() const { return added + removed + changed; }
  };
  std::map<std::string, Counts> items;
  for (const SubjectChanges& subject : report.subjects) {
    for (const SharedChange& change : subject.changes) {
      Counts& counts = items[report::on_one_line(joined_name(change->item, {}))];
      switch (change->kind) {
        case ChangeKind::added:
        case ChangeKind::mended:
        case ChangeKind::appeared:
          ++counts.added;
          break;
        case ChangeKind::removed:
        case ChangeKind::disappeared:
          ++counts.removed;
          break;
        case ChangeKind::changed:
        case ChangeKind::broken:
        case ChangeKind::fails_otherwise:
          ++counts.changed;
          break;
      }
    }
  }
  std::vector<std::pair<std::string, Counts>> rows(items.begin(), items.end());
  std::ranges::stable_sort(rows, std::greater<>(), [](const auto& row) { return row.second.sum(); });
  constexpr std::size_t kWidestName = 60;
  std::size_t widest = 0;
  for (const auto& [name, counts] : rows) widest = std::max(widest, std::min(kWidestName, report::width(name)));
  std::string out;
  for (const auto& [name, counts] : rows) {
    const std::string padding(widest - std::min(widest, report::width(name)), ' ');
    out += fmt::format(" {}{} | {} +{} -{} ~{}\n", name, padding, counts.sum(), counts.added, counts.removed,
                       counts.changed);
  }
  return out + changes_line(report, wording);
}

std::string impact_head(const Effects& effects, const Wording& wording) {
  const Effects::Counts& counts = effects.counts();
  return fmt::format("{} of {} change{}: {}{}", counts.changed, counted(counts.total, wording.subject),
                     counts.changed == 1 ? "s" : "", effects.more_subjects() == 0 ? "" : "more than ",
                     counted(effects.order().size(), "distinct effect"));
}

std::string impact_text(const ImpactReport& report, const Wording& wording, std::size_t names,
                        const report::Layout& layout) {
  constexpr std::size_t kMostEffects = 100;
  constexpr std::size_t kMostChanges = 50;
  const Effects& effects = report.effects;
  const auto sorted = effects.sorted();
  std::string out = impact_head(effects, wording) + '\n';
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostEffects); ++i) {
    const Effect& effect = *sorted[i];
    ChangeLines lines(2, report.edits, wording.sort_keys, layout);
    for (std::size_t k = 0; k < std::min(effect.changes.size(), kMostChanges); ++k) lines.add(effect.changes[k]);
    if (effect.changes.size() > kMostChanges)
      lines.line("… and {}", counted(effect.changes.size() - kMostChanges, "more change"));
    out += fmt::format(
        "\neffect {}: {}: {}\n{}", i + 1, counted(effect.subjects.size(), wording.subject),
        name_list(effect.subjects, names, [](const std::string& name) { return report::on_one_line(name); }),
        lines.text());
  }
  if (sorted.size() > kMostEffects)
    out += fmt::format("\n… and {}\n", counted(sorted.size() - kMostEffects, "more effect"));
  if (effects.more_subjects() != 0)
    out += fmt::format("\n… and other effects of {}\n", counted(effects.more_subjects(), wording.subject));
  return out;
}

}  // namespace strata::analysis
