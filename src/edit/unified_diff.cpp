// SPDX-License-Identifier: Apache-2.0
#include "strata/unified_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "value/alignment.hpp"

namespace strata::edit {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostPairs = 1'000'000;

/// Lines [left, left_end) become [right, right_end), from 0.
struct Gap {
  std::size_t left, left_end, right, right_end;
};

std::string name_of(std::string_view side, std::string_view file, bool is_there) {
  if (!is_there) return "/dev/null";
  const bool is_quoted = std::ranges::any_of(
      file, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '"' || c == '\\'; });
  // A tab ends a name that has blanks.
  if (!is_quoted) return fmt::format("{}{}{}", side, file, file.find(' ') == std::string_view::npos ? "" : "\t");
  std::string out = fmt::format("\"{}", side);
  for (const char c : file) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// `LINE,LINES` of a side; no lines stand behind the line before them.
std::string range(std::size_t first, std::size_t end) {
  const std::size_t size = end - first;
  if (size == 1) return fmt::format("{}", first + 1);
  return fmt::format("{},{}", size == 0 ? first : first + 1, size);
}

void add_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

/// Gaps with few lines between them.
std::string hunk(const std::vector<std::string_view>& left, const std::vector<std::string_view>& right,
                 const std::vector<Gap>& gaps) {
  const std::size_t before = std::min(kContext, gaps.front().left);
  const std::size_t after = std::min(kContext, left.size() - gaps.back().left_end);
  std::size_t at = gaps.front().left - before;
  const std::size_t end = gaps.back().left_end + after;
  std::string out =
      fmt::format("@@ -{} +{} @@\n", range(at, end), range(gaps.front().right - before, gaps.back().right_end + after));
  for (const Gap& gap : gaps) {
    for (; at < gap.left; ++at) add_line(out, ' ', left[at]);
    for (; at < gap.left_end; ++at) add_line(out, '-', left[at]);
    for (std::size_t i = gap.right; i < gap.right_end; ++i) add_line(out, '+', right[i]);
  }
  for (; at < end; ++at) add_line(out, ' ', left[at]);
  return out;
}

}  // namespace

std::string unified_diff(std::string_view file, const std::optional<std::string>& before,
                         const std::optional<std::string>& after, const Stop* stop) {
  if (before == after) return {};
  const auto left = lines_with_breaks(before ? std::string_view(*before) : std::string_view());
  const auto right = lines_with_breaks(after ? std::string_view(*after) : std::string_view());
  const auto [left_numbers, right_numbers] = numbered_lines(left, right);
  std::string out =
      fmt::format("--- {}\n+++ {}\n", name_of("a/", file, before.has_value()), name_of("b/", file, after.has_value()));
  std::vector<Gap> gaps;
  for_each_stretch(
      align(left_numbers, right_numbers, kMostPairs, stop), left.size(), right.size(),
      [&](std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
        if (i == i_end && j == j_end) return;
        if (!gaps.empty() && i - gaps.back().left_end > 2 * kContext) {
          out += hunk(left, right, gaps);
          gaps.clear();
        }
        gaps.push_back({.left = i, .left_end = i_end, .right = j, .right_end = j_end});
      },
      [](std::size_t, std::size_t) {});
  if (!gaps.empty()) out += hunk(left, right, gaps);
  return out;
}

namespace {

template <class Wants>
std::set<std::string, std::less<>> lines_that(std::string_view text, const Wants& wants) {
  std::set<std::string, std::less<>> out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (wants(number)) out.emplace(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return out;
}

}  // namespace

std::set<std::string, std::less<>> lines_of(std::string_view text) {
  return lines_that(text, [](std::size_t /*number*/) { return true; });
}

std::set<std::string, std::less<>> lines_of(std::string_view text, const std::set<std::size_t>& numbers) {
  return lines_that(text, [&numbers](std::size_t number) { return numbers.contains(number); });
}

std::string hidden_in_diff(std::string_view diff, const std::set<std::string, std::less<>>& secret) {
  constexpr std::string_view kHidden = "******";
  std::string out;
  bool is_in_hunk = false;
  bool is_beside = false;  // What was removed just before is secret.
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(line.size() + 1, diff.size()));
    is_in_hunk = is_in_hunk || line.starts_with("@@");
    const char mark = is_in_hunk && !line.empty() ? line.front() : '@';
    bool is_hidden = (mark == ' ' || mark == '-' || mark == '+') && secret.contains(line.substr(1));
    is_beside = mark == '-' ? is_beside || is_hidden : is_beside && mark != ' ' && mark != '@';
    is_hidden = is_hidden || (mark == '+' && is_beside);
    out += is_hidden ? mark + std::string(kHidden) : std::string(line);
    out += '\n';
  }
  return out;
}

}  // namespace strata::edit
