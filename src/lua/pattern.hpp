// SPDX-License-Identifier: Apache-2.0
// Lua's patterns (Lua 5.4 reference manual, section 6.4.1). Every step of matching is charged to the budget.
#pragma once

#include <array>
#include <cstddef>
#include <lua.hpp>
#include <string_view>

namespace strata::lua {

class Runtime;

/// Matches one pattern against one subject.
class PatternMatch {
 public:
  static constexpr std::size_t kMaxCaptures = 32;

  PatternMatch(Runtime& runtime, std::string_view subject, std::string_view pattern)
      : runtime_(runtime), subject_(subject), pattern_(pattern) {}

  /// Matches exactly at a position. Returns the end of the match, or npos. Raises Lua errors for malformed patterns.
  [[nodiscard]] std::size_t match_at(std::size_t position);
  [[nodiscard]] std::string_view subject() const noexcept { return subject_; }
  /// Pushes a capture. If the pattern has none, the first one is the whole match [begin, end).
  void push_capture(std::size_t index, std::size_t begin, std::size_t end) const;
  /// Pushes all captures, or the whole match if there are none and `whole` is set. Returns their number.
  int push_captures(std::size_t begin, std::size_t end, bool whole) const;

 private:
  struct Capture {
    std::size_t begin = 0;
    std::size_t size = 0;  ///< Or one of the next two.
  };
  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);
  static constexpr std::size_t kPosition = static_cast<std::size_t>(-2);
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  static constexpr int kMaxDepth = 200;

  std::size_t match(std::size_t s, std::size_t p);
  std::size_t repeat_most(std::size_t s, std::size_t p, std::size_t after);
  std::size_t repeat_least(std::size_t s, std::size_t p, std::size_t after);
  std::size_t match_balance(std::size_t s, std::size_t p);
  std::size_t match_frontier(std::size_t s, std::size_t& p, bool& matched);
  std::size_t open_capture(std::size_t s, std::size_t p, std::size_t size);
  std::size_t close_capture(std::size_t s, std::size_t p);
  std::size_t match_reference(std::size_t s, char digit);
  [[nodiscard]] bool matches_one(std::size_t s, std::size_t p, std::size_t after);
  [[nodiscard]] bool matches_set(unsigned char c, std::size_t p, std::size_t close);
  [[nodiscard]] std::size_t class_end(std::size_t p) const;
  [[noreturn]] void fail(const char* message) const;

  Runtime& runtime_;
  std::string_view subject_;
  std::string_view pattern_;
  std::array<Capture, kMaxCaptures> captures_{};
  std::size_t level_ = 0;
  int depth_ = 0;
};

}  // namespace strata::lua
