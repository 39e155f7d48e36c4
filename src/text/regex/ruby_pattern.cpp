// SPDX-License-Identifier: Apache-2.0
#include "text/regex/ruby_pattern.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace strata::text {
namespace {

/// An escape and what stands for it outside and inside of a set.
struct EscapeSpelling {
  char escape;
  std::string_view outside;
  std::string_view inside;
};

// Ruby's are ASCII, while \b is not: Oniguruma has an option that makes them ASCII, but \b and the POSIX classes with
// them.
constexpr std::array kRuby{
    EscapeSpelling{'d', "[0-9]", "0-9"},
    EscapeSpelling{'D', "[^0-9]", "[^0-9]"},
    EscapeSpelling{'s', R"([\t\n\v\f\r\x20])", R"(\t\n\v\f\r\x20)"},
    EscapeSpelling{'S', R"([^\t\n\v\f\r\x20])", R"([^\t\n\v\f\r\x20])"},
    EscapeSpelling{'w', "[a-zA-Z0-9_]", "a-zA-Z0-9_"},
    EscapeSpelling{'W', "[^a-zA-Z0-9_]", "[^a-zA-Z0-9_]"},
    EscapeSpelling{'y', "y", "y"},  // Boundaries of text segments for Oniguruma.
    EscapeSpelling{'Y', "Y", "Y"},
};

/// Whether what stands before is repeated.
bool is_repeated(std::string_view rest) {
  if (rest.empty()) return false;
  if (rest.front() != '{') return rest.front() == '*' || rest.front() == '+' || rest.front() == '?';
  const std::size_t end = rest.find_first_not_of("0123456789,", 1);
  return end > 1 && end != std::string_view::npos && rest[end] == '}';
}

/// An anchor, of which `rest` is what follows. Oniguruma refuses to repeat one, but not a group of options, of which
/// this changes none.
void add_anchor(std::string_view anchor, std::string_view rest, std::string& out) {
  const bool is_group = is_repeated(rest);
  if (is_group) out += "(?-:";
  out += anchor;
  if (is_group) out += ')';
}

/// `\u{A B}` at `offset`, as Ruby has it, becomes `\x{A}\x{B}`; returns what was read, 0 where it is something else.
std::size_t spell_code_points(std::string_view pattern, std::size_t offset, std::string& out) {
  if (!pattern.substr(offset).starts_with("\\u{")) return 0;
  const std::size_t end = pattern.find('}', offset);
  if (end == std::string_view::npos) return 0;
  const std::string_view inner = pattern.substr(offset + 3, end - offset - 3);
  if (inner.find_first_not_of("0123456789abcdefABCDEF ") != std::string_view::npos) return 0;
  std::size_t at = inner.find_first_not_of(' ');
  if (at == std::string_view::npos) return 0;
  while (at != std::string_view::npos) {
    const std::size_t behind = std::min(inner.find(' ', at), inner.size());
    out.append("\\x{").append(inner.substr(at, behind - at)).append("}");
    at = inner.find_first_not_of(' ', behind);
  }
  return end + 1 - offset;
}

}  // namespace

std::string spell_out(std::string_view pattern, std::string_view checkpoint) {
  std::string out;
  out.reserve(pattern.size() + 16);
  const bool looks_behind =
      pattern.find("(?<=") != std::string_view::npos || pattern.find("(?<!") != std::string_view::npos;
  std::size_t sets = 0;  // That are open.
  struct Group {
    std::size_t at;  ///< In `out`.
    bool looks_around;
  };
  std::vector<Group> groups;  // That are open.
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const std::size_t read = spell_code_points(pattern, i, out);
      if (read != 0) {
        i += read - 1;
        continue;
      }
      ++i;
      if (looks_behind && sets == 0 && (pattern[i] == 'z' || pattern[i] == 'Z')) {
        // Oniguruma 6.9.8 begins at the end where that is all, and then does not see what is behind; it does not in a
        // group that looks ahead.
        out.append("(?=\\").append(1, pattern[i]).append(")");
        continue;
      }
      if (sets == 0 && std::string_view("bBAzZG").find(pattern[i]) != std::string_view::npos) {
        add_anchor(pattern.substr(i - 1, 2), pattern.substr(i + 1), out);
        continue;
      }
      const auto* spelling = std::ranges::find(kRuby, pattern[i], &EscapeSpelling::escape);
      if (spelling != kRuby.end())
        out += sets != 0 ? spelling->inside : spelling->outside;
      else
        out.append({c, pattern[i]});
      continue;
    }
    if (sets == 0 && pattern.substr(i).starts_with("(?:")) {
      groups.push_back({out.size(), false});
      out += "(?-:";  // As for anchors: `(?:a|$)` could not be repeated.
      i += 2;
      continue;
    }
    if (sets == 0 && (c == '^' || c == '$')) {
      add_anchor(pattern.substr(i, 1), pattern.substr(i + 1), out);
      continue;
    }
    if (sets == 0 && c == '(' && !pattern.substr(i).starts_with("(?#")) {
      const std::string_view rest = pattern.substr(i);
      const bool looks_around =
          rest.starts_with("(?=") || rest.starts_with("(?!") || rest.starts_with("(?<=") || rest.starts_with("(?<!");
      if (looks_around || rest.starts_with("(?>") || rest.starts_with("(?~")) out += checkpoint;
      groups.push_back({out.size(), looks_around});
    } else if (sets == 0 && c == ')' && !groups.empty()) {
      const Group group = groups.back();
      groups.pop_back();
      if (group.looks_around && is_repeated(pattern.substr(i + 1))) {  // As for anchors.
        out.insert(group.at, "(?-:").append("))");
        continue;
      }
    }
    out += c;
    if (c == '[') {
      if (sets != 0 && pattern.substr(i).starts_with("[:")) {
        // A POSIX class: its bracket closes no set.
        const std::size_t end = pattern.find(":]", i + 2);
        if (end != std::string_view::npos &&
            pattern.substr(i + 2, end - i - 2).find_first_of("[]\\") == std::string_view::npos) {
          out.append(pattern.substr(i + 1, end + 1 - i));
          i = end + 1;
          continue;
        }
      }
      ++sets;
      // A bracket that closes at once is a member.
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') out += pattern[++i];
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') {
        out += "\\]";
        ++i;
      }
    } else if (c == ']' && sets != 0) {
      --sets;
    } else if (c == '(' && sets == 0 && pattern.substr(i).starts_with("(?#")) {
      // A comment, which may hold a bracket.
      const std::size_t end = std::min(pattern.find(')', i), pattern.size() - 1);
      out.append(pattern.substr(i + 1, end - i));
      i = end;
    }
  }
  return out;
}

}  // namespace strata::text
