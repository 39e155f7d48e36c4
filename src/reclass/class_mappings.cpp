// SPDX-License-Identifier: Apache-2.0
// Class mappings: which further classes a node has because of its name.
//
// A line is `GLOB CLASS…` or `/PATTERN/ CLASS…`, split into words as a shell splits it. reclass does that with Python's
// shlex, fnmatch, re and `expand`, so each function here follows one of them. A glob becomes a pattern that matches the
// whole name. Only lines with a pattern put groups of the name into the classes. Cost: one match per line and node; the
// engine of patterns is linear. Tested by tests/reclass/reclass_test.cpp.
#include "class_mappings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "strata/error.hpp"
#include "text/regex/regex.hpp"

namespace strata::reclass {
namespace {

/// Splits a line as a shell does: at spaces that are not in quotes. With `has_pattern`, a slash is a quote like `"`.
/// No value if a quote is not closed.
std::optional<std::vector<std::string>> split_words(std::string_view line, bool has_pattern) {
  std::vector<std::string> words;
  bool is_in_word = false;
  const auto word = [&]() -> std::string& {
    if (!std::exchange(is_in_word, true)) words.emplace_back();
    return words.back();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      is_in_word = false;
    } else if (c == '\'' || c == '"' || (has_pattern && c == '/')) {
      std::string& into = word();
      for (++i; i < line.size() && line[i] != c; ++i) {
        // In double quotes and slashes, a backslash escapes the quote and itself.
        const bool escapes =
            c != '\'' && line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == c || line[i + 1] == '\\');
        into += line[escapes ? ++i : i];
      }
      if (i == line.size()) return std::nullopt;
    } else if (c == '\\' && i + 1 < line.size()) {
      word() += line[++i];
    } else {
      word() += c;
    }
  }
  return words;
}

/// The pattern of a glob, as Python's fnmatch reads it.
std::string pattern_of_glob(std::string_view glob) {
  std::string out = "(?s:";
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    if (c == '*') {
      out += ".*";
    } else if (c == '?') {
      out += '.';
    } else if (c == '[') {
      std::size_t end = i + 1;
      if (end < glob.size() && glob[end] == '!') ++end;
      if (end < glob.size() && glob[end] == ']') ++end;
      end = glob.find(']', end);
      if (end == std::string_view::npos) {
        out += "\\[";
        continue;
      }
      std::string set(glob.substr(i + 1, end - i - 1));
      for (std::size_t at = set.find('\\'); at != std::string::npos; at = set.find('\\', at + 2))
        set.insert(at, 1, '\\');
      if (set.starts_with('!')) {
        set.front() = '^';
      } else if (set.starts_with('^') || set.starts_with('[')) {
        set.insert(0, 1, '\\');
      }
      out += '[' + set + ']';
      i = end;
    } else {
      const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                           static_cast<unsigned char>(c) >= 0x80;
      if (!is_word) out += '\\';
      out += c;
    }
  }
  return out + ")\\Z";
}

/// As Python's `expand`: `\1`, `\g<1>` and `\g<name>` are groups.
std::string expanded(std::string_view text, const text::Regex& pattern, const text::Regex::Match& match,
                     std::string_view name) {
  std::string out;
  const auto add_group = [&](std::optional<std::size_t> number) {
    if (!number || *number >= match.groups.size() || !match.groups[*number]) return;
    out += name.substr(match.groups[*number]->begin, match.groups[*number]->end - match.groups[*number]->begin);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char next = text[++i];
    const std::size_t end =
        next == 'g' && text.substr(i + 1).starts_with('<') ? text.find('>', i) : std::string_view::npos;
    if (next >= '1' && next <= '9') {
      add_group(static_cast<std::size_t>(next - '0'));
    } else if (end != std::string_view::npos) {
      const std::string_view group = text.substr(i + 2, end - i - 2);
      const bool is_number = !group.empty() && group.find_first_not_of("0123456789") == std::string_view::npos;
      add_group(is_number && group.size() < 4 ? std::optional<std::size_t>(std::stoul(std::string(group)))
                                              : pattern.group(group));
      i = end;
    } else {
      out += next;
    }
  }
  return out;
}

}  // namespace

ClassMapping parse_class_mapping(const Sources& sources, const Value& line) {
  const std::string_view text = line.text();
  const bool has_pattern = text.starts_with('/');
  const auto refuse = [&](const std::string& why) {
    return Error("reclass.config", fmt::format("'{}' is not a class mapping: {}", text, why))
        .at(sources, line.origin())
        .hint("write 'GLOB CLASS…' or '/PATTERN/ CLASS…'");
  };
  auto words = split_words(text, has_pattern);
  if (!words) throw refuse("a quote or slash is not closed");
  if (words->empty() || words->front().empty()) throw refuse("the pattern is missing");
  ClassMapping out{.pattern = {}, .is_glob = !has_pattern, .classes = {}, .origin = line.origin()};
  try {
    out.pattern = std::make_shared<const text::Regex>(has_pattern ? words->front() : pattern_of_glob(words->front()),
                                                      text::Regex::Syntax::python);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw refuse(error.what());
  }
  out.classes.assign(words->begin() + 1, words->end());
  return out;
}

std::vector<std::string> mapped_classes(const ClassMapping& mapping, std::string_view name) {
  if (mapping.is_glob) return mapping.pattern->match_from_start(name) ? mapping.classes : std::vector<std::string>();
  const auto match = mapping.pattern->find(name);
  std::vector<std::string> out;
  if (!match) return out;
  for (const std::string& one : mapping.classes) out.push_back(expanded(one, *mapping.pattern, *match, name));
  return out;
}

}  // namespace strata::reclass
