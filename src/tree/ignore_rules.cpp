// SPDX-License-Identifier: Apache-2.0
// Matches paths with the patterns of a .gitignore, in bounded time.
//
// A pattern is a list of names, split at slashes, and a name may have stars. Both levels match in the same way: after a
// mismatch, the match continues behind the last star, which takes one more byte (or `**`, which takes one more folder).
// An earlier star need not grow, because the last star can take whatever that one could. So a pattern costs at most its
// size times that of the path. The patterns are tried from the last to the first, and the first match decides.
//
// Tested by tests/tree/git_ignore_test.cpp, which compares with git.
#include "ignore_rules.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <span>

#include "strata/stop.hpp"
#include "value/split_at.hpp"

namespace strata::detail {
namespace {

constexpr std::string_view kAnyFolders = "**";
constexpr std::size_t kNone = std::string_view::npos;

/// The classes of POSIX in the locale C.
bool is_in_class(std::string_view name, unsigned char c) {
  const bool is_lower = c >= 'a' && c <= 'z';
  const bool is_upper = c >= 'A' && c <= 'Z';
  const bool is_digit = c >= '0' && c <= '9';
  const bool is_graphic = c > ' ' && c < 0x7F;
  if (name == "alpha") return is_lower || is_upper;
  if (name == "digit") return is_digit;
  if (name == "alnum") return is_lower || is_upper || is_digit;
  if (name == "lower") return is_lower;
  if (name == "upper") return is_upper;
  if (name == "xdigit") return is_digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "space") return c == ' ' || (c >= '\t' && c <= '\r');
  if (name == "cntrl") return c < ' ' || c == 0x7F;
  if (name == "graph") return is_graphic;
  if (name == "print") return is_graphic || c == ' ';
  return name == "punct" && is_graphic && !is_lower && !is_upper && !is_digit;
}

/// Takes what stands for one byte from a pattern that is not empty. No value: the pattern has a mistake and matches
/// nothing.
std::optional<bool> take_byte(std::string_view& pattern, unsigned char wanted) {
  const auto take = [&pattern] {
    const auto out = static_cast<unsigned char>(pattern.front());
    pattern.remove_prefix(1);
    return out;
  };
  const unsigned char first = take();
  if (first == '?') return true;
  if (first == '\\') return pattern.empty() ? std::nullopt : std::optional(take() == wanted);
  if (first != '[') return first == wanted;
  const bool is_negated = pattern.starts_with('!') || pattern.starts_with('^');
  if (is_negated) pattern.remove_prefix(1);
  bool is_in = false;
  for (bool is_first = true;; is_first = false) {
    if (pattern.empty()) return std::nullopt;
    unsigned char low = take();
    if (low == ']' && !is_first) return is_in != is_negated;
    if (low == '[' && pattern.starts_with(':')) {
      if (const std::size_t end = pattern.find(":]", 1); end != kNone) {
        is_in = is_in || is_in_class(pattern.substr(1, end - 1), wanted);
        pattern.remove_prefix(end + 2);
        continue;
      }
    }
    if (low == '\\') {
      if (pattern.empty()) return std::nullopt;
      low = take();
    }
    unsigned char high = low;
    if (pattern.size() > 1 && pattern[0] == '-' && pattern[1] != ']') {
      pattern.remove_prefix(1);
      high = take();
      if (high == '\\') {
        if (pattern.empty()) return std::nullopt;
        high = take();
      }
    }
    is_in = is_in || (low <= wanted && wanted <= high);
  }
}

/// One name against one pattern without slashes.
bool matches_name(std::string_view pattern, std::string_view name, StopCheck& stop) {
  std::string_view behind_star;
  std::string_view at_star;
  bool has_star = false;
  while (!name.empty()) {
    stop.tick();
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      behind_star = pattern;
      at_star = name;
      has_star = true;
      continue;
    }
    std::string_view rest = pattern;
    const std::optional<bool> fits =
        pattern.empty() ? std::optional(false) : take_byte(rest, static_cast<unsigned char>(name.front()));
    if (!fits) return false;
    if (*fits) {
      pattern = rest;
      name.remove_prefix(1);
    } else if (has_star) {
      pattern = behind_star;
      at_star.remove_prefix(1);
      name = at_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*') == kNone;
}

/// Without the spaces at its end that no backslash precedes.
std::string_view trimmed(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ')) {
    std::size_t backslashes = 0;
    while (backslashes + 1 < line.size() && line[line.size() - 2 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 != 0) break;
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with('#')) continue;
    line = trimmed(line);
    Pattern pattern{.is_negated = line.starts_with('!')};
    if (pattern.is_negated) line.remove_prefix(1);
    pattern.is_for_folders = line.ends_with('/');
    if (pattern.is_for_folders) line.remove_suffix(1);
    // No path is so long.
    if (line.empty() || line.size() > PATH_MAX) continue;
    pattern.is_for_names = line.find('/') == kNone;
    if (line.starts_with('/')) line.remove_prefix(1);
    for (const std::string_view name : split_at(line, '/')) pattern.names.emplace_back(name);
    patterns_.push_back(std::move(pattern));
  }
}

bool IgnoreRules::matches(const Pattern& pattern, const std::vector<std::string_view>& names, StopCheck& stop) {
  if (pattern.is_for_names) return matches_name(pattern.names.front(), names.back(), stop);
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t behind_any = kNone;
  std::size_t at_any = 0;
  while (n < names.size()) {
    if (p < pattern.names.size() && pattern.names[p] == kAnyFolders) {
      behind_any = ++p;
      at_any = n;
      if (p == pattern.names.size()) return true;  // At its end, it stands for all that is in the folder.
    } else if (p < pattern.names.size() && matches_name(pattern.names[p], names[n], stop)) {
      ++p;
      ++n;
    } else if (behind_any != kNone) {
      p = behind_any;
      n = ++at_any;
    } else {
      return false;
    }
  }
  return p == pattern.names.size();
}

std::optional<bool> IgnoreRules::find(std::string_view path, bool is_folder, StopCheck& stop) const {
  const std::vector<std::string_view> names = split_at(path, '/');
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    stop.tick();
    if ((is_folder || !pattern->is_for_folders) && matches(*pattern, names, stop)) return !pattern->is_negated;
  }
  return std::nullopt;
}

}  // namespace strata::detail
