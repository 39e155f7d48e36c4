// SPDX-License-Identifier: Apache-2.0
#include "analysis/secrets/line_masks.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "strata/report.hpp"

namespace strata::analysis {
namespace {

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace

std::size_t offset_of_column(std::string_view line, std::size_t column) {
  std::size_t known = 0;
  const auto found = std::ranges::find_if(
      line, [&](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80 && ++known == column; });
  return static_cast<std::size_t>(found - line.begin());
}

std::string without_values(std::string_view text, std::span<const TextPlace> places) {
  std::map<std::size_t, std::size_t> first;  // The first column of each line.
  for (const TextPlace& one : places) {
    std::size_t& column = first.try_emplace(one.line, one.column).first->second;
    column = std::min(column, one.column);
  }
  const auto indent_of = [](std::string_view line) { return std::min(line.find_first_not_of(" \t-"), line.size()); };
  std::string out;
  std::optional<std::size_t> hidden;  // The indentation of the line whose value goes on.
  for (std::size_t number = 1; !text.empty(); ++number) {
    const bool has_break = text.find('\n') != std::string_view::npos;
    const std::string_view line = take_line(text);
    const bool is_blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (const auto found = first.find(number); found != first.end()) {
      hidden = indent_of(line);
      out.append(line.substr(0, offset_of_column(line, found->second))).append(report::kMask);
    } else if (hidden && !is_blank && indent_of(line) > *hidden) {
      out += report::kMask;
    } else {
      if (!is_blank) hidden.reset();
      out += line;
    }
    if (has_break) out += '\n';
  }
  return out;
}

std::string shown_by_both(std::string_view text, std::string_view left, std::string_view right) {
  if (left == text || left == right) return std::string(right);
  if (right == text) return std::string(left);
  std::string out;
  while (!text.empty()) {
    const bool has_break = text.find('\n') != std::string_view::npos;
    const std::string_view line = take_line(text);
    const std::string_view first = take_line(left);
    const std::string_view second = take_line(right);
    if (first == line || first == second) {
      out += second;
    } else if (second == line) {
      out += first;
    } else {
      // Each hides something else: the texts differ from the first hidden byte on.
      const auto same = [line](std::string_view one) {
        return static_cast<std::size_t>(std::ranges::mismatch(line, one).in1 - line.begin());
      };
      out.append(line.substr(0, std::min(same(first), same(second)))).append(report::kMask);
    }
    if (has_break) out += '\n';
  }
  return out;
}

std::set<std::size_t> hidden_lines(std::string_view text, std::string_view shown) {
  std::set<std::size_t> out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    if (take_line(text) != take_line(shown)) out.insert(number);
  }
  return out;
}

}  // namespace strata::analysis
