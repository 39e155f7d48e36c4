// SPDX-License-Identifier: Apache-2.0
// Documents as texts of the store: JSON that remembers lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

/// Counts the lines of a text up to places in it that come one after the other.
class LineCounter {
 public:
  /// Begins at the beginning of a text.
  LineCounter(const Sources& sources, SourceId source);
  /// The line breaks between the place where it is and a later one, to which it moves. None for another text, and for a
  /// place before.
  [[nodiscard]] std::size_t advance(Origin to);

 private:
  std::string_view text_;
  std::size_t base_;
  std::size_t at_ = 0;
};

/// The most bytes of the texts of one request: aliases can make much of little.
inline constexpr std::size_t kMostStoredText = std::size_t{512} << 20U;

/// A value as JSON on one line, keys in their order. With `lines`, there is a line break in it for each one between the
/// values in their text. Reading it with text::read_json gives the value again. Error (Failure) if `out` would become
/// larger than kMostStoredText.
void append_stored(std::string& out, const Value& value, const Limits& limits, LineCounter* lines = nullptr);
/// The same with sorted keys: equal values have equal texts.
void append_canonical(std::string& out, const Value& value, const Limits& limits);

}  // namespace strata::service::buckets
