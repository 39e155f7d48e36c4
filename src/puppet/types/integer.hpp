// SPDX-License-Identifier: Apache-2.0
// Integers of any size, and ranges of them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::puppet {

/// An integer of any size.
class Integer {
 public:
  Integer(std::int64_t value) noexcept : small_(value) {}  // Implicit: it is that number.
  /// From a value that is an integer or a big integer.
  explicit Integer(const Value& value);
  /// From decimal digits with an optional sign.
  [[nodiscard]] static Integer from_digits(std::string_view digits);
  /// The number, if it fits into 64 bits.
  [[nodiscard]] std::optional<std::int64_t> small() const noexcept {
    return big_.empty() ? std::optional(small_) : std::nullopt;
  }
  /// Decimal.
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] Integer successor() const;
  friend std::strong_ordering operator<=>(const Integer& left, const Integer& right) noexcept;
  friend bool operator==(const Integer& left, const Integer& right) noexcept {
    return (left <=> right) == std::strong_ordering::equal;
  }

 private:
  std::int64_t small_ = 0;
  std::string big_;  ///< Digits, perhaps with `-`, if it does not fit into `small_`.
};

/// From … to, inclusive. A missing bound is infinite.
struct IntegerRange {
  std::optional<Integer> from;
  std::optional<Integer> to;
  [[nodiscard]] bool contains(const Integer& number) const noexcept;
  [[nodiscard]] bool contains(const IntegerRange& other) const noexcept;
  friend bool operator==(const IntegerRange&, const IntegerRange&) = default;
};

}  // namespace strata::puppet
