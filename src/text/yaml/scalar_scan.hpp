// SPDX-License-Identifier: Apache-2.0
// A cursor over one plain scalar, for the tests of the profiles' tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "text/decimal.hpp"

namespace strata::text {

inline bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// A cursor over one scalar. Every `take` returns how many characters it passed.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  template <class Test>
  std::size_t take_while(Test test, std::size_t most = std::string_view::npos) {
    std::size_t n = 0;
    while (n < rest_.size() && n < most && test(rest_[n])) ++n;
    rest_.remove_prefix(n);
    return n;
  }
  std::size_t digits(std::size_t most = std::string_view::npos) { return take_while(is_digit, most); }
  bool one_of(std::string_view set) {
    if (rest_.empty() || !std::ranges::any_of(set, [this](char c) { return c == rest_.front(); })) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

 private:
  std::string_view rest_;
};

}  // namespace strata::text
