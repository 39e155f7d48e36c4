// SPDX-License-Identifier: Apache-2.0
#include "analysis/glob.hpp"
#include "value/split_at.hpp"

#include <algorithm>
#include <vector>

namespace strata::analysis {
namespace {

constexpr std::string_view kAnyFolders = "**";
constexpr std::size_t kNone = std::string_view::npos;

/// The first code point of a text that is not empty.
std::string_view point(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return text.substr(0, size);
}

std::string_view take_point(std::string_view& text) {
  const std::string_view first = point(text);
  text.remove_prefix(first.size());
  return first;
}

/// The `]` of the set that begins a pattern; a `]` that comes first is a member. npos: there is none.
std::size_t end_of_set(std::string_view pattern) {
  return pattern.find(']', pattern.substr(1).starts_with('!') ? 3 : 2);
}

/// `set`: between the brackets.
bool is_in_set(std::string_view set, std::string_view wanted) {
  const bool is_negated = set.starts_with('!');
  if (is_negated) set.remove_prefix(1);
  // Bytes of UTF-8 sort as code points do.
  bool is_in = false;
  while (!set.empty()) {
    const std::string_view first = take_point(set);
    std::string_view last = first;
    if (set.size() > 1 && set.front() == '-') {
      set.remove_prefix(1);
      last = take_point(set);
    }
    is_in = is_in || (first <= wanted && wanted <= last);
  }
  return is_in != is_negated;
}

/// Takes what stands for one character from a pattern. Whether it stands for `wanted`.
bool take_one(std::string_view& pattern, std::string_view wanted) {
  if (pattern.front() == '[') {
    const std::size_t end = end_of_set(pattern);
    const std::string_view set = pattern.substr(1, end - 1);
    pattern.remove_prefix(end + 1);
    return is_in_set(set, wanted);
  }
  if (pattern.front() == '?') {
    pattern.remove_prefix(1);
    return true;
  }
  if (pattern.front() == '\\') pattern.remove_prefix(1);
  return take_point(pattern) == wanted;
}

/// Greedy: goes back to the last star only.
bool segment_matches(std::string_view pattern, std::string_view name) {
  std::string_view behind_star;
  std::string_view at_star;
  bool has_star = false;
  while (!name.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      behind_star = pattern;
      at_star = name;
      has_star = true;
      continue;
    }
    std::string_view rest = pattern;
    if (!pattern.empty() && take_one(rest, point(name))) {
      pattern = rest;
      take_point(name);
    } else if (has_star) {
      pattern = behind_star;
      take_point(at_star);
      name = at_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*') == kNone;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view name) {
  const std::vector<std::string_view> patterns = detail::split_at(glob, '/');
  const std::vector<std::string_view> names = detail::split_at(name, '/');
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = kNone;
  std::size_t at_star = 0;
  while (n < names.size()) {
    if (p < patterns.size() && patterns[p] == kAnyFolders) {
      star = p++;
      at_star = n;
    } else if (p < patterns.size() && segment_matches(patterns[p], names[n])) {
      ++p;
      ++n;
    } else if (star != kNone) {
      p = star + 1;
      n = ++at_star;
    } else {
      return false;
    }
  }
  return std::all_of(patterns.begin() + static_cast<std::ptrdiff_t>(p), patterns.end(),
                     [](std::string_view one) { return one == kAnyFolders; });
}

std::string_view glob_mistake(std::string_view glob) {
  if (glob.empty()) return "it is empty";
  for (std::string_view segment : detail::split_at(glob, '/')) {
    if (segment == kAnyFolders) continue;
    while (!segment.empty()) {
      if (segment.starts_with(kAnyFolders)) return "'**' must stand alone between slashes";
      if (segment.front() == '[') {
        const std::size_t end = end_of_set(segment);
        if (end == kNone) return "a '[' has no ']'";
        segment.remove_prefix(end + 1);
      } else {
        if (segment.front() == '\\') segment.remove_prefix(1);
        if (segment.empty()) return "nothing follows the last '\\'";
        segment.remove_prefix(1);
      }
    }
  }
  return {};
}

}  // namespace strata::analysis
