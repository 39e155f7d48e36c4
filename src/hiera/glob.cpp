// SPDX-License-Identifier: Apache-2.0
#include "glob.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/error.hpp"
#include "strata/found_file.hpp"
#include "strata/links.hpp"

namespace strata::hiera {
namespace {

constexpr std::size_t kMostAlternatives = 10'000;
constexpr std::size_t kDeepestFolder = 200;
constexpr std::size_t kLongest = 16'384;  ///< Bytes of a pattern: expanding braces copies all of it.

std::size_t character_size(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size());
}

/// Reads one character of a set, behind a backslash where there is one.
std::string_view set_character(std::string_view& rest) {
  if (rest.size() > 1 && rest.front() == '\\') rest.remove_prefix(1);
  const std::string_view out = rest.substr(0, character_size(rest));
  rest.remove_prefix(out.size());
  return out;
}

/// Whether `character` is in the set that `rest` begins with, behind its `[`; `rest` then is what follows the set. A
/// set without an end matches nothing, and `]` ends one also where nothing stands before it.
bool in_set(std::string_view& rest, std::string_view character) {
  std::string_view inside = rest;
  const bool negated = inside.starts_with('!') || inside.starts_with('^');
  if (negated) inside.remove_prefix(1);
  bool found = false;
  while (true) {
    if (inside.empty()) return false;
    if (inside.front() == ']') break;
    const std::string_view low = set_character(inside);
    std::string_view high = low;
    if (inside.size() > 1 && inside.front() == '-' && inside[1] != ']') {
      inside.remove_prefix(1);
      high = set_character(inside);
    }
    found = found || (low <= character && character <= high);
  }
  rest = inside.substr(1);
  return found != negated;
}

/// One name against one pattern without slashes. Goes back to the last `*` only, so that the work is bounded by the
/// product of the sizes.
bool part_matches(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.') && !pattern.starts_with("\\.")) return false;
  std::string_view star_pattern;
  std::string_view star_name;
  bool has_star = false;
  while (true) {
    bool fits = false;
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      has_star = true;
      star_pattern = pattern;
      star_name = name;
      continue;
    }
    if (name.empty()) {
      if (pattern.empty()) return true;
    } else if (!pattern.empty()) {
      const std::string_view character = name.substr(0, character_size(name));
      std::string_view rest = pattern.substr(1);
      if (pattern.front() == '[') {
        fits = in_set(rest, character);
      } else if (pattern.front() == '?') {
        fits = true;
      } else {
        if (pattern.front() == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
        fits = pattern.starts_with(character);
        rest = pattern.substr(std::min(character.size(), pattern.size()));
      }
      if (fits) {
        pattern = rest;
        name.remove_prefix(character.size());
      }
    }
    if (fits) continue;
    if (!has_star || star_name.empty()) return false;
    star_name.remove_prefix(character_size(star_name));
    name = star_name;
    pattern = star_pattern;
  }
}

/// The alternatives of the first pair of braces, each with what stands around it; all of them are expanded in turn.
std::vector<std::string> expand_braces(const std::string& pattern) {
  std::vector<std::string> open{pattern};
  std::vector<std::string> out;
  while (!open.empty()) {
    const std::string one = std::move(open.back());
    open.pop_back();
    std::size_t depth = 0;
    std::size_t begin = std::string::npos;
    std::vector<std::size_t> cuts;
    std::size_t end = std::string::npos;
    for (std::size_t i = 0; i < one.size() && end == std::string::npos; ++i) {
      if (one[i] == '\\') {
        ++i;
      } else if (one[i] == '{' && depth++ == 0) {
        begin = i;
      } else if (one[i] == '}' && depth > 0 && --depth == 0) {
        end = i;
      } else if (one[i] == ',' && depth == 1) {
        cuts.push_back(i);
      }
    }
    if (begin == std::string::npos || end == std::string::npos) {
      out.push_back(one);
      continue;
    }
    cuts.push_back(end);
    std::vector<std::string> alternatives;
    std::size_t from = begin + 1;
    for (const std::size_t cut : cuts) {
      alternatives.push_back(one.substr(0, begin) + one.substr(from, cut - from) + one.substr(end + 1));
      from = cut + 1;
    }
    open.insert(open.end(), alternatives.rbegin(), alternatives.rend());
    if (open.size() + out.size() > kMostAlternatives) {
      throw Error("hiera.glob",
                  fmt::format("the pattern '{}' has more than {} alternatives", pattern, kMostAlternatives));
    }
  }
  return out;
}

class Walker {
 public:
  Walker(const FileTree& tree, std::string_view pattern, FileKind wanted, std::size_t& budget)
      : tree_(tree), pattern_(pattern), wanted_(wanted), budget_(budget) {
    for (std::size_t from = 1; from <= pattern.size();) {
      const std::size_t slash = std::min(pattern.find('/', from), pattern.size());
      if (slash > from) parts_.emplace_back(pattern.substr(from, slash - from));
      from = slash + 1;
    }
  }

  std::vector<std::string> walk() {
    // What ends with a slash means folders.
    if (parts_.empty() || pattern_.ends_with('/')) return {};
    // What is spelled out is not searched: trees that begin somewhere, as those of revisions do, do not know the
    // folders above.
    std::string folder;
    std::size_t first = 0;
    for (; !is_last(first) && !has_magic(parts_[first]) && !is_dots(parts_[first]); ++first)
      folder += "/" + parts_[first];
    if (first == 0 || tree_.kind(folder) == FileKind::folder) visit(folder, closure({first}), first);
    return std::move(found_);
  }

 private:
  using States = std::vector<std::size_t>;  ///< Indexes into parts_: what may match next.

  static bool has_magic(std::string_view part) { return part.find_first_of("*?[\\") != std::string_view::npos; }

  static bool is_dots(std::string_view part) { return part == "." || part == ".."; }

  /// `**` may stand for no folder at all.
  States closure(const States& states) const {
    States out;
    for (const std::size_t first : states) {
      std::size_t state = first;
      while (true) {
        if (std::ranges::find(out, state) == out.end()) out.push_back(state);
        if (state + 1 >= parts_.size() || parts_[state] != "**") break;
        ++state;
      }
    }
    return out;
  }

  bool is_last(std::size_t state) const { return state + 1 == parts_.size(); }

  bool is_deep(std::size_t state) const { return parts_[state] == "**" && !is_last(state); }

  // Recursion: bounded by kDeepestFolder.
  void visit(const std::string& folder, const States& states, std::size_t depth) {
    if (depth > kDeepestFolder)
      throw Error("hiera.glob", fmt::format("the pattern '{}' leads deeper than {} folders", pattern_, kDeepestFolder));
    if (std::ranges::none_of(states, [&](std::size_t state) { return has_magic(parts_[state]); })) {
      for (const std::size_t state : states) step(folder, parts_[state], {state}, depth);
      return;
    }
    for (const std::string& name : tree_.list(folder.empty() ? "/" : folder)) {
      if (budget_-- == 0)
        throw Error("hiera.glob", fmt::format("the pattern '{}' matches against too many names", pattern_));
      step(folder, name, states, depth);
    }
  }

  void step(const std::string& folder, const std::string& name, const States& states, std::size_t depth) {
    States next;
    States deeper;
    bool emit = false;
    for (const std::size_t state : states) {
      if (is_deep(state)) {
        if (!name.starts_with('.')) deeper.push_back(state);
      } else if (has_magic(parts_[state]) ? part_matches(parts_[state], name) : parts_[state] == name) {
        if (is_last(state)) {
          emit = true;
        } else {
          next.push_back(state + 1);
        }
      }
    }
    if (!emit && next.empty() && deeper.empty()) return;
    const std::string path = folder + "/" + name;
    const FileKind kind = emit ? found_kind(tree_, path) : tree_.kind(path);
    if (emit && kind == wanted_) found_.push_back(path);
    if (kind != FileKind::folder) return;
    // As Ruby: `**` leads into no linked folder, other names do.
    if (!deeper.empty() && !is_link(path)) next.insert(next.end(), deeper.begin(), deeper.end());
    if (!next.empty()) visit(path, closure(next), depth + 1);
  }

  bool is_link(const std::string& path) const { return strata::detail::trail_of(tree_, path).size() > 1; }

  const FileTree& tree_;
  std::string_view pattern_;
  FileKind wanted_;
  std::size_t& budget_;
  std::vector<std::string> parts_;
  std::vector<std::string> found_;
};

std::vector<std::string> glob(const FileTree& tree, std::string_view pattern, FileKind wanted, std::size_t most) {
  if (pattern.size() > kLongest)
    throw Error("hiera.glob", fmt::format("a pattern of {} bytes is too long", pattern.size()));
  std::vector<std::string> out;
  for (const std::string& one : expand_braces(std::string(pattern))) {
    auto found = Walker(tree, one, wanted, most).walk();
    out.insert(out.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return out;
}

}  // namespace

std::vector<std::string> glob_files(const FileTree& tree, std::string_view pattern, std::size_t most) {
  return glob(tree, pattern, FileKind::file, most);
}

std::vector<std::string> glob_folders(const FileTree& tree, std::string_view pattern, std::size_t most) {
  return glob(tree, pattern, FileKind::folder, most);
}

bool name_matches(std::string_view pattern, std::string_view name) { return part_matches(pattern, name); }

}  // namespace strata::hiera
