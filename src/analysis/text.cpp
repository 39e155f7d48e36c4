// Changes and effects for people.
#include <fmt/format.h>

#include <algorithm>

#include "report/lines.hpp"
#include "strata/analysis.hpp"

namespace strata::analysis {
namespace {

constexpr std::size_t kWidestValue = 60;  // Code points.

/// Where two texts begin to differ, in code points.
std::size_t common_points(std::string_view left, std::string_view right) {
  const auto [end, other] = std::ranges::mismatch(left, right);
  return report::width(left.substr(0, static_cast<std::size_t>(end - left.begin())));
}

/// The beginning of a long text; if that is the same on both sides, what is around the first difference.
std::string cut(const std::string& text, const std::string& other) {
  if (report::width(text) <= kWidestValue) return text;
  constexpr std::size_t kShown = kWidestValue - 1;
  const std::string_view beginning = report::first_points(text, kShown);
  if (report::width(other) <= kWidestValue || beginning != report::first_points(other, kShown)) return fmt::format("{}…", beginning);
  constexpr std::size_t kBefore = 20;
  const std::string_view rest = std::string_view(text).substr(report::first_points(text, common_points(text, other) - kBefore).size());
  return report::width(rest) < kShown ? fmt::format("…{}", rest) : fmt::format("…{}…", report::first_points(rest, kShown - 1));
}

std::string place_text(const Place& place) {
  std::string out = place.to_string();
  return out.empty() ? "<nowhere>" : out;
}

/// The changes of one subject, each indented by so much.
class ChangeLines {
 public:
  ChangeLines(std::size_t indent, bool sort_keys, const report::Layout& layout) : indent_(indent, ' '), sort_keys_(sort_keys), layout_(layout) {}

  void add(const Change& change) {
    switch (change.kind) {
      case ChangeKind::added:
        line("+ {}: {}", name(change), shown(change.after, change.before));
        break;
      case ChangeKind::removed:
        line("- {}: {}", name(change), shown(change.before, change.after));
        break;
      case ChangeKind::changed:
        line("~ {}{}: {} -> {}", name(change), change.from ? fmt::format(" (was {})", joined(change.item, *change.from)) : "",
             shown(change.before, change.after), shown(change.after, change.before));
        break;
      case ChangeKind::broken:
      case ChangeKind::fails_otherwise:
        failure('!', change, change.after);
        return;
      case ChangeKind::mended:
        failure('+', change, change.before);
        return;
      case ChangeKind::appeared:
        line("+ appeared");
        return;
      case ChangeKind::disappeared:
        line("- disappeared");
        return;
    }
    if (change.before.value) line("    was  {}", place_text(change.before.place));
    if (change.after.value) line("    now  {}", place_text(change.after.place));
  }

  template <class... Words>
  void line(fmt::format_string<Words...> format, Words&&... words) {
    out_ += report::fitted(indent_ + fmt::format(format, std::forward<Words>(words)...), layout_) + '\n';
  }
  [[nodiscard]] const std::string& text() const noexcept { return out_; }

 private:
  [[nodiscard]] static std::string joined(const std::string& item, const std::string& path) {
    std::string out = item + path;
    return out.empty() ? "/" : out;
  }
  [[nodiscard]] static std::string name(const Change& change) { return joined(change.item, change.path); }

  [[nodiscard]] std::string shown(const Side& side, const Side& other) const {
    if (!side.value) return {};
    std::string text = report::one_line(side.value, sort_keys_);
    return layout_.whole_values ? text : cut(text, other.value ? report::one_line(other.value, sort_keys_) : std::string());
  }

  void failure(char mark, const Change& change, const Side& side) {
    const std::string item = change.item.empty() ? std::string() : change.item + " ";
    line("{} {}{}: {} [{}]", mark, item, to_string(change.kind), side.failure->message, side.failure->code);
    line("    at   {}", place_text(side.failure->where.place));
  }

  std::string indent_;
  bool sort_keys_;
  const report::Layout& layout_;
  std::string out_;
};

std::string counted(std::size_t number, std::string_view word) { return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s"); }

std::string name_list(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = most == 0 ? names.size() : std::min(most, names.size());
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += fmt::format("{}{}", i == 0 ? "" : ", ", names[i].empty() ? "(result)" : names[i]);
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

}  // namespace

std::string diff_text(const std::vector<SubjectChanges>& subjects, std::size_t total, const Wording& wording, const report::Layout& layout) {
  std::string out;
  std::size_t changes = 0;
  for (const SubjectChanges& subject : subjects) {
    if (wording.is_fleet) out += subject.subject + '\n';
    ChangeLines lines(wording.is_fleet ? 2 : 0, wording.sort_keys, layout);
    for (const Change& change : subject.changes) lines.add(change);
    out += lines.text();
    changes += subject.changes.size();
  }
  if (changes == 0) return {};
  out += counted(changes, "change");
  if (wording.is_fleet) out += fmt::format(" in {} of {}", subjects.size(), counted(total, wording.subject));
  return out + '\n';
}

std::string impact_text(const Effects& effects, const Wording& wording, std::size_t names, const report::Layout& layout) {
  constexpr std::size_t kMostEffects = 100;
  constexpr std::size_t kMostChanges = 50;
  const auto sorted = effects.sorted();
  const Effects::Counts& counts = effects.counts();
  std::string out = fmt::format("{} of {} change{}: {}\n", counts.changed, counted(counts.total, wording.subject), counts.changed == 1 ? "s" : "",
                                counted(sorted.size(), "distinct effect"));
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostEffects); ++i) {
    const Effect& effect = *sorted[i];
    ChangeLines lines(2, wording.sort_keys, layout);
    for (std::size_t k = 0; k < std::min(effect.changes.size(), kMostChanges); ++k) lines.add(effect.changes[k]);
    if (effect.changes.size() > kMostChanges) lines.line("… and {}", counted(effect.changes.size() - kMostChanges, "more change"));
    out += fmt::format("\neffect {}: {}: {}\n{}", i + 1, counted(effect.subjects.size(), wording.subject), name_list(effect.subjects, names),
                       lines.text());
  }
  if (sorted.size() > kMostEffects) out += fmt::format("\n… and {}\n", counted(sorted.size() - kMostEffects, "more effect"));
  if (effects.more_subjects() != 0) out += fmt::format("\n… and other effects of {}\n", counted(effects.more_subjects(), wording.subject));
  return out;
}

}  // namespace strata::analysis
