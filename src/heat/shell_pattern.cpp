// SPDX-License-Identifier: Apache-2.0
#include "heat/shell_pattern.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/unicode/characters.hpp"

namespace strata::heat {
namespace {

std::u32string decoded_points(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) out.push_back(text::unicode::decode(text, at));
  return out;
}

struct Range {
  char32_t low;
  char32_t high;
};

/// One place of a pattern.
struct Element {
  enum class Kind : std::uint8_t { many, one, set };
  Kind kind = Kind::set;
  bool is_negated = false;
  std::vector<Range> ranges;

  [[nodiscard]] bool matches(char32_t character) const {
    if (kind == Kind::one) return true;
    for (const Range& range : ranges) {
      if (range.low <= character && character <= range.high) return !is_negated;
    }
    return is_negated;
  }
};

/// The set that begins behind a `[`; `at` moves behind its `]`. None where there is no `]`.
std::optional<Element> read_set(const std::u32string& pattern, std::size_t& at) {
  Element element;
  std::size_t begin = at;
  if (begin < pattern.size() && pattern[begin] == U'!') {
    element.is_negated = true;
    ++begin;
  }
  // A `]` in the first place is a member of the set.
  const std::size_t end = pattern.find(U']', begin + 1 < pattern.size() && pattern[begin] == U']' ? begin + 1 : begin);
  if (end == std::u32string::npos) return std::nullopt;
  if (begin < pattern.size() && pattern[begin] == U']' && end == begin) return std::nullopt;
  for (std::size_t i = begin; i < end;) {
    if (i + 2 < end && pattern[i + 1] == U'-') {
      element.ranges.push_back({pattern[i], pattern[i + 2]});
      i += 3;
    } else {
      element.ranges.push_back({pattern[i], pattern[i]});
      ++i;
    }
  }
  at = end + 1;
  return element;
}

std::vector<Element> elements_of(const std::u32string& pattern) {
  std::vector<Element> elements;
  for (std::size_t at = 0; at < pattern.size();) {
    const char32_t character = pattern[at++];
    if (character == U'*') {
      elements.push_back({.kind = Element::Kind::many, .is_negated = false, .ranges = {}});
    } else if (character == U'?') {
      elements.push_back({.kind = Element::Kind::one, .is_negated = false, .ranges = {}});
    } else if (auto set = character == U'[' ? read_set(pattern, at) : std::nullopt) {
      elements.push_back(*std::move(set));
    } else {
      elements.push_back({.kind = Element::Kind::set, .is_negated = false, .ranges = {{character, character}}});
    }
  }
  return elements;
}

}  // namespace

bool matches_shell_pattern(std::string_view pattern, std::string_view name, const Stop* stop) {
  StopCheck check(stop);
  const std::vector<Element> elements = elements_of(decoded_points(pattern));
  const std::u32string text = decoded_points(name);
  std::size_t element = 0;
  std::size_t at = 0;
  std::optional<std::size_t> star;  // The last `*`, and where what it took ends: the only place to try again from.
  std::size_t taken = 0;
  while (at < text.size()) {
    check.tick();
    if (element < elements.size() && elements[element].kind == Element::Kind::many) {
      star = element++;
      taken = at;
    } else if (element < elements.size() && elements[element].matches(text[at])) {
      ++element;
      ++at;
    } else if (star) {
      element = *star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (element < elements.size() && elements[element].kind == Element::Kind::many) ++element;
  return element == elements.size();
}

}  // namespace strata::heat
