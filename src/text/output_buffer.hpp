// SPDX-License-Identifier: Apache-2.0
// A string that grows by bulk copies, for the writers. Its memory counts for the work of its thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "value/charge.hpp"

namespace strata::text {

/// Appends to a string without a call or a capacity check per character. The string is unchanged until `finish` is
/// called: a writer that throws leaves nothing half-written. The string must not be used meanwhile. Aliases let a small
/// value print gigabytes: a large string counts for the work of the thread (StopScope) before the memory is taken.
/// Errors of all that write: as Stop::check.
class OutputBuffer {
 public:
  explicit OutputBuffer(std::string& out) : out_(out), start_(out.size()) { place(start_); }
  ~OutputBuffer() { out_.resize(start_); }
  OutputBuffer(const OutputBuffer&) = delete;
  OutputBuffer& operator=(const OutputBuffer&) = delete;

  /// Space for `count` characters. Write there, then call `advance`.
  [[nodiscard]] char* reserve(std::size_t count) {
    if (static_cast<std::size_t>(end_ - next_) < count) grow(count);
    return next_;
  }
  void advance(char* next) noexcept { next_ = next; }

  void append(std::string_view text) {
    char* to = reserve(text.size());
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    next_ = to + text.size();
  }
  void append(char c) {
    *reserve(1) = c;
    ++next_;
  }
  void blanks(std::size_t count) {
    std::memset(reserve(count), ' ', count);
    next_ += count;
  }

  /// Characters in the string so far.
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(next_ - out_.data()); }
  /// Drops what was written since `size` had this value.
  void rewind(std::size_t size) noexcept { next_ = out_.data() + size; }
  /// The text written, until the next call of a member.
  [[nodiscard]] std::string_view view() const noexcept {
    return std::string_view(out_).substr(start_, size() - start_);
  }
  void clear() noexcept { rewind(start_); }
  /// Whether the work of the thread may go on: for writers that hand on what they wrote, piece by piece.
  void check() const { check_stop(stop_); }
  /// Keeps the text written.
  void finish() {
    start_ = size();
    out_.resize(start_);
  }

 private:
  void place(std::size_t used) noexcept {
    next_ = out_.data() + used;
    end_ = out_.data() + out_.size();
  }
  void grow(std::size_t count) {
    // Memory that is reserved but not used is never touched and costs addresses only: large texts grow in few large
    // steps and are filled in small ones.
    constexpr std::size_t kLeast = 256;
    constexpr std::size_t kStep = std::size_t{1} << 16U;
    constexpr std::size_t kLargest = std::size_t{1} << 28U;
    const std::size_t used = size();
    if (const std::size_t capacity = out_.capacity(); capacity < used + count) {
      const std::size_t wanted =
          capacity < kStep ? capacity * 2 : std::max(capacity * 2, std::min(capacity * 8, capacity + kLargest));
      const std::size_t fresh = std::max({wanted, used + count, kLeast});
      if (fresh > kStep) check();
      // Smaller ones live for a moment: most are copied on and dropped.
      constexpr std::size_t kCharged = std::size_t{1} << 24U;
      if (fresh > kCharged) detail::charge(stop_, fresh);
      out_.reserve(fresh);
    }
    // No more is filled than was written: many short texts may be appended to one string.
    const std::size_t step = std::clamp(used - start_, kLeast, kStep);
    out_.resize(std::min(out_.capacity(), used + std::max(count, step)));
    place(used);
  }

  std::string& out_;
  const Stop* stop_ = StopScope::stop();
  std::size_t start_;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace strata::text
