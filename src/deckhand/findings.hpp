// SPDX-License-Identifier: Apache-2.0
// Collects problems until there are enough to stop.
#pragma once

#include <cstddef>
#include <vector>

#include "strata/deckhand.hpp"

namespace strata::deckhand {

/// Whether places may show their source lines. Documents with secret data show none.
enum class Lines { shown, hidden };

/// A diagnostic at a place. Does not show very long lines either.
[[nodiscard]] Diagnostic diagnostic(const Sources& sources, std::string code, std::string message, Origin where,
                                    std::string hint = {}, Lines lines = Lines::shown);
/// A second place.
[[nodiscard]] Excerpt note(const Sources& sources, Origin where, std::string message, Lines lines = Lines::shown);

/// Collects findings. After the first thousand it only counts them.
class Findings {
 public:
  void add(Finding finding);
  /// True if the next finding would only be counted; then counts it. For callers with many findings: a place costs the
  /// length of its line.
  [[nodiscard]] bool skips();
  [[nodiscard]] bool empty() const noexcept { return findings_.empty(); }
  /// Throws Refused. There must be at least one finding.
  [[noreturn]] void stop();

 private:
  std::vector<Finding> findings_;
  std::size_t untold_ = 0;
};

}  // namespace strata::deckhand
