// SPDX-License-Identifier: Apache-2.0
#include "text/regex/python_case.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "text/unicode/properties.hpp"

namespace strata::text {
namespace {

/// Lower-case letters that are the same though each is its own lower case: `_EXTRA_CASES` in re/_casefix.py of Python.
constexpr std::array<std::u32string_view, 24> kSame{{
    U"i\u0131",      U"s\u017f",      U"\u00b5\u03bc", U"\u0345\u03b9\u1fbe", U"\u0390\u1fd3",
    U"\u03b0\u1fe3", U"\u03b2\u03d0", U"\u03b5\u03f5", U"\u03b8\u03d1",       U"\u03ba\u03f0",
    U"\u03c0\u03d6", U"\u03c1\u03f1", U"\u03c2\u03c3", U"\u03c6\u03d5",       U"\u0432\u1c80",
    U"\u0434\u1c81", U"\u043e\u1c82", U"\u0441\u1c83", U"\u0442\u1c84\u1c85", U"\u044a\u1c86",
    U"\u0463\u1c87", U"\u1c88\ua64b", U"\u1e61\u1e9b", U"\ufb05\ufb06",
}};

constexpr char32_t kLastWithCase = 0x1FFFF;  ///< The planes behind it have no letters with cases.

/// A character with another case, and all that are the same, itself among them, in order.
struct Cased {
  char32_t point;
  std::u32string_view same;
};

/// All of them, in order.
class Cases {
 public:
  Cases() {
    for (char32_t point = 0; point <= kLastWithCase; ++point) {
      if (const char32_t lower = unicode::simple_lower(point, unicode::Version::v14); lower != point)
        groups_[lower] += point;
    }
    for (const std::u32string_view same : kSame) {
      std::u32string& joined = groups_[same.front()];
      for (const char32_t lower : same.substr(1)) {
        joined += lower;
        if (const auto group = groups_.extract(lower)) joined += group.mapped();
      }
    }
    for (auto& [lower, same] : groups_) {
      same += lower;
      std::ranges::sort(same);
      for (const char32_t point : same) all_.push_back({.point = point, .same = same});
    }
    std::ranges::sort(all_, {}, &Cased::point);
  }

  /// Calls `visit` with all that are the same as a character of a range.
  template <class Visit>
  void each_within(CharacterRange range, const Visit& visit) const {
    for (auto at = std::ranges::lower_bound(all_, range.first, {}, &Cased::point);
         at != all_.end() && at->point <= range.last; ++at)
      visit(at->same);
  }

 private:
  std::map<char32_t, std::u32string> groups_;  ///< By one of their lower-case letters.
  std::vector<Cased> all_;
};

/// Calls `visit` with the ASCII letters of a range, in both cases.
template <class Visit>
void each_ascii(CharacterRange range, const Visit& visit) {
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    const std::array<char32_t, 2> both{static_cast<char32_t>(letter - 'a' + 'A'), static_cast<char32_t>(letter)};
    const auto is_within = [range](char32_t point) { return point >= range.first && point <= range.last; };
    if (std::ranges::any_of(both, is_within)) visit(std::u32string_view(both.data(), both.size()));
  }
}

}  // namespace

std::vector<CharacterRange> in_any_case(CharacterRange range, bool ascii) {
  std::u32string others;
  const auto add = [&others, range](std::u32string_view same) {
    for (const char32_t point : same) {
      if (point < range.first || point > range.last) others += point;
    }
  };
  if (ascii) {
    each_ascii(range, add);
  } else {
    static const Cases cases;
    cases.each_within(range, add);
  }
  std::ranges::sort(others);
  std::vector<CharacterRange> out{range};
  for (const char32_t point : others) {
    if (out.size() > 1 && point <= out.back().last + 1) {
      out.back().last = point;
    } else {
      out.push_back({.first = point, .last = point});
    }
  }
  return out;
}

}  // namespace strata::text
