// SPDX-License-Identifier: Apache-2.0
#include "wording.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/lines.hpp"

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
  if (report::width(other) <= kWidestValue || beginning != report::first_points(other, kShown))
    return fmt::format("{}…", beginning);
  constexpr std::size_t kBefore = 20;
  const std::string_view rest =
      std::string_view(text).substr(report::first_points(text, common_points(text, other) - kBefore).size());
  return report::width(rest) < kShown ? fmt::format("…{}", rest)
                                      : fmt::format("…{}…", report::first_points(rest, kShown - 1));
}

std::string lines_text(const Lines& lines) {
  return lines.lines <= 1 ? fmt::format("{}", lines.line)
                          : fmt::format("{}-{}", lines.line, lines.line + lines.lines - 1);
}

}  // namespace

Excerpt excerpt_of(const Sources& sources, const Value& value) {
  Value leaf = value;
  Origin via;
  while (leaf && !leaf.is_leaf() && !leaf.is_secret()) {
    if (leaf.origin().through_alias()) via = leaf.origin();
    leaf = leaf.is_sequence() ? leaf.items().front() : leaf.entries().front().value;
  }
  if (!leaf) return {};
  Excerpt excerpt = leaf.is_secret() ? Excerpt() : excerpt_at(sources, leaf.origin());
  excerpt.place = report::leaf_place(sources, leaf.origin(), via);
  return excerpt;
}

Excerpt excerpt_of(const Outcome& outcome, const Value& value) {
  return outcome.sources == nullptr ? Excerpt() : excerpt_of(*outcome.sources, value);
}

std::string counted(std::size_t number, std::string_view word) {
  return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

std::string joined_name(const std::string& item, const std::string& path) {
  std::string out = item + path;
  return out.empty() ? "/" : out;
}

std::string shown_value(const Side& side, const Side& other, bool sort_keys, bool is_whole) {
  if (!side.value) return {};
  std::string text = report::one_line(side.value, sort_keys);
  return is_whole ? text : cut(text, other.value ? report::one_line(other.value, sort_keys) : std::string());
}

std::string edit_text(const Edit& edit) {
  if (edit.whole) return edit.file;
  if (edit.after.lines == 0) return fmt::format("{}:{} (removed)", edit.file, lines_text(edit.before));
  return fmt::format("{}:{}", edit.file, lines_text(edit.after));
}

std::string causes_text(const Causes& causes, const std::vector<Edit>& edits) {
  if (!causes.edits) return "<more edits than can be tried>";
  if (causes.edits->empty()) return "<nothing that was read>";
  std::string out;
  if (causes.kind == CauseKind::any) out = "any of ";
  if (causes.kind == CauseKind::together && causes.edits->size() > 1) out = "together ";
  for (std::size_t i = 0; i < causes.edits->size(); ++i)
    out += (i > 0 ? ", " : "") + edit_text(edits[(*causes.edits)[i]]);
  return out;
}

}  // namespace strata::analysis
