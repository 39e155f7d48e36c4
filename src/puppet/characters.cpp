// SPDX-License-Identifier: Apache-2.0
#include "puppet/characters.hpp"

#include <algorithm>

namespace strata::puppet {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = upper(c);
  return out;
}

std::string capitalized_name(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  std::string out(name);
  bool first = true;
  for (char& c : out) {
    if (first) c = upper(c);
    first = c == ':';
  }
  return out;
}

bool LessByLetters::operator()(std::string_view left, std::string_view right) const noexcept {
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                      [](char a, char b) { return lower(a) < lower(b); });
}

bool same_letters(std::string_view left, std::string_view right) noexcept {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace strata::puppet
