// SPDX-License-Identifier: Apache-2.0
// All code points, and what a function makes of them, as one number that references can be asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "strata/text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::testing {

/// The count of a list of numbers, and the FNV-1a hash of them as four bytes each, the lowest first.
struct Digest {
  std::size_t count = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Digest& digest) {
    return out << digest.count << ", 0x" << std::hex << digest.hash << std::dec;
  }
};

inline Digest digest_of(const std::vector<char32_t>& numbers) {
  Digest out{.count = numbers.size(), .hash = 0xCBF29CE484222325};
  for (const char32_t number : numbers) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      out.hash = (out.hash ^ (static_cast<std::uint32_t>(number) >> shift & 0xFFU)) * 0x100000001B3;
  }
  return out;
}

template <class Visit>
void each_code_point(const Visit& visit) {
  for (char32_t point = 0; point < 0x110000; ++point) {
    if (point < 0xD800 || point >= 0xE000) visit(point);
  }
}

template <class Test>
Digest digest_where(const Test& test) {
  std::vector<char32_t> points;
  each_code_point([&](char32_t point) {
    if (test(point)) points.push_back(point);
  });
  return digest_of(points);
}

/// Each code point that `change` makes another text of, and the code points of that.
template <class Change>
std::vector<char32_t> changed(const Change& change) {
  std::vector<char32_t> out;
  each_code_point([&](char32_t point) {
    std::string one;
    text::append_utf8(one, point);
    const std::string other = change(one);
    if (other == one) return;
    out.push_back(point);
    for (std::size_t at = 0; at < other.size();) out.push_back(text::unicode::decode(other, at));
  });
  return out;
}

}  // namespace strata::testing
