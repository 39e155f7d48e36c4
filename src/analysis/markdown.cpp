// SPDX-License-Identifier: Apache-2.0
// Effects for a merge request.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/lines.hpp"
#include "strata/analysis.hpp"
#include "wording.hpp"

namespace strata::analysis {
namespace {

/// A code span, also within a table.
std::string code(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string body;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') {
      body += "\\|";
    } else if (c == '\n') {
      body += "⏎";
    } else if (c != '\r') {
      body += c;
    }
  }
  const std::string fence(longest + 1, '`');
  // A fence must not touch the text's own backticks.
  const std::string_view gap = !body.empty() && (body.front() == '`' || body.back() == '`') ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, gap, body, gap, fence);
}

std::string because(const std::shared_ptr<const Causes>& causes, const std::vector<Edit>& edits) {
  if (!causes) return {};
  if (!causes->edits || causes->edits->empty()) return code(causes_text(*causes, edits));
  std::string out = causes->kind == CauseKind::any                                     ? "any of "
                    : causes->kind == CauseKind::together && causes->edits->size() > 1 ? "together "
                                                                                       : "";
  for (std::size_t i = 0; i < causes->edits->size(); ++i)
    out += (i > 0 ? ", " : "") + code(edit_text(edits[(*causes->edits)[i]]));
  return out;
}

/// The causes of all changes of an effect.
std::string because(const Effect& effect, const std::vector<Edit>& edits) {
  std::set<std::size_t> all;
  const Causes* unknown = nullptr;
  for (const SharedChange& change : effect.changes) {
    if (!change.causes) continue;
    if (change.causes->edits) {
      all.insert(change.causes->edits->begin(), change.causes->edits->end());
    } else {
      unknown = change.causes.get();
    }
  }
  std::string out = unknown == nullptr ? std::string() : code(causes_text(*unknown, edits));
  for (const std::size_t edit : all) out += (out.empty() ? "" : ", ") + code(edit_text(edits[edit]));
  return out;
}

char mark(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::added:
    case ChangeKind::mended:
    case ChangeKind::appeared:
      return '+';
    case ChangeKind::removed:
    case ChangeKind::disappeared:
      return '-';
    case ChangeKind::changed:
      return '~';
    case ChangeKind::broken:
    case ChangeKind::fails_otherwise:
      return '!';
  }
  return ' ';
}

std::string side_text(const Side& side, const Side& other, const Wording& wording) {
  if (side.failure) return code(fmt::format("{} [{}]", side.failure->message, side.failure->code));
  return side.value ? code(shown_value(side, other, wording.sort_keys, false)) : std::string();
}

std::string row(const SharedChange& one, const std::vector<Edit>& edits, const Wording& wording) {
  const Change& change = *one;
  std::string place = code(joined_name(change.item, change.path));
  if (change.from) place += fmt::format(" (was {})", code(joined_name(change.item, *change.from)));
  if (change.kind >= ChangeKind::broken) place += fmt::format(" {}", to_string(change.kind));
  const auto cell = [](const std::string& text) { return text.empty() ? std::string(" ") : fmt::format(" {} ", text); };
  return fmt::format("| {} |{}|{}|{}|{}|\n", mark(change.kind), cell(place),
                     cell(side_text(change.before, change.after, wording)),
                     cell(side_text(change.after, change.before, wording)), cell(because(one.causes, edits)));
}

}  // namespace

std::string impact_markdown(const ImpactReport& report, const Wording& wording, std::size_t names) {
  constexpr std::size_t kMostPoints = 60'000;
  constexpr std::size_t kRest = 100;  // For the last line.
  constexpr std::size_t kMostChanges = 50;
  const auto sorted = report.effects.sorted();
  std::string head = fmt::format("### {}\n", impact_head(report.effects, wording));
  if (sorted.empty()) return head;
  const std::string table_head =
      fmt::format("\n| effect | {}s | changes | because of |\n|--:|--:|--:|---|\n", wording.subject);
  std::string table;
  std::string details;
  std::size_t points = report::width(head) + report::width(table_head) + kRest;
  std::size_t shown = 0;
  for (const Effect* effect : sorted) {
    const std::size_t id = shown + 1;
    std::string line = fmt::format("| {} | {} | {} | {} |\n", id, effect->subjects.size(), effect->changes.size(),
                                   because(*effect, report.edits));
    std::string detail = fmt::format(
        "\n<details{}><summary>Effect {}: {}</summary>\n\n{}\n\n| | place | before | after | because of "
        "|\n|---|---|---|---|---|\n",
        id == 1 ? " open" : "", id, counted(effect->subjects.size(), wording.subject),
        name_list(effect->subjects, names, code));
    for (std::size_t k = 0; k < std::min(effect->changes.size(), kMostChanges); ++k)
      detail += row(effect->changes[k], report.edits, wording);
    if (effect->changes.size() > kMostChanges)
      detail += fmt::format("\n… and {}\n", counted(effect->changes.size() - kMostChanges, "more change"));
    detail += "\n</details>\n";
    const std::size_t more = report::width(line) + report::width(detail);
    if (points + more > kMostPoints) break;
    points += more;
    table += line;
    details += detail;
    ++shown;
  }
  std::string out = head + table_head + table + details;
  if (shown < sorted.size()) out += fmt::format("\n*… and {}*\n", counted(sorted.size() - shown, "more effect"));
  if (report.effects.more_subjects() != 0)
    out += fmt::format("\n*… and other effects of {}*\n", counted(report.effects.more_subjects(), wording.subject));
  return out;
}

}  // namespace strata::analysis
