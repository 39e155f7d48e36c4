// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "service/buckets/deepdiff.hpp"
#include "service/buckets/sequence_matcher.hpp"
#include "text/unicode/characters.hpp"
#include "value/seeded_hash.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostLinePairs = 25'000'000;  ///< Larger texts are reported as replaced.

std::string range(std::size_t from, std::size_t to) {
  const std::size_t length = to - from;
  if (length == 1) return std::to_string(from + 1);
  return fmt::format("{},{}", length == 0 ? from : from + 1, length);
}

/// Splits parts into groups with few equal items around what differs.
std::vector<std::vector<Opcode>> groups(std::vector<Opcode> codes) {
  if (Opcode& first = codes.front(); first.is_equal) {
    const std::size_t skipped =
        first.first_to - first.first_from - std::min(first.first_to - first.first_from, kContext);
    first.first_from += skipped;
    first.second_from += skipped;
  }
  if (Opcode& last = codes.back(); last.is_equal) {
    const std::size_t kept = std::min(last.first_to - last.first_from, kContext);
    last.first_to = last.first_from + kept;
    last.second_to = last.second_from + kept;
  }
  std::vector<std::vector<Opcode>> out(1);
  for (Opcode code : codes) {
    if (code.is_equal && code.first_to - code.first_from > 2 * kContext) {
      out.back().push_back(
          {code.first_from, code.first_from + kContext, code.second_from, code.second_from + kContext, true});
      out.emplace_back();
      code.first_from = code.first_to - kContext;
      code.second_from = code.second_to - kContext;
    }
    out.back().push_back(code);
  }
  std::erase_if(out, [](const auto& group) { return group.size() == 1 && group.front().is_equal; });
  return out;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after, const Limits& limits) {
  const std::vector<std::string_view> old_lines = text::unicode::split_lines(before);
  const std::vector<std::string_view> new_lines = text::unicode::split_lines(after);
  TextViewMap<std::uint32_t> numbers;
  const auto numbered = [&numbers](const std::vector<std::string_view>& lines) {
    std::vector<std::uint32_t> out;
    out.reserve(lines.size());
    for (const std::string_view line : lines)
      out.push_back(numbers.emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second);
    return out;
  };
  const std::vector<std::uint32_t> first = numbered(old_lines);
  const std::vector<std::uint32_t> second = numbered(new_lines);
  if (first == second) return {};
  StopCheck stop(limits.stop);
  std::vector<Opcode> codes{{0, first.size(), 0, second.size(), false}};
  if (first.empty() || second.size() <= kMostLinePairs / first.size()) codes = opcodes(first, second, stop);
  std::string out = "--- \n+++ ";
  for (const auto& group : groups(std::move(codes))) {
    fmt::format_to(std::back_inserter(out), "\n@@ -{} +{} @@", range(group.front().first_from, group.back().first_to),
                   range(group.front().second_from, group.back().second_to));
    for (const Opcode& code : group) {
      for (std::size_t i = code.first_from; i < code.first_to; ++i)
        out.append(code.is_equal ? "\n " : "\n-").append(old_lines[i]);
      for (std::size_t i = code.second_from; !code.is_equal && i < code.second_to; ++i)
        out.append("\n+").append(new_lines[i]);
    }
  }
  return out;
}

}  // namespace strata::service::buckets
