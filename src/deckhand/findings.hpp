// What was found to be wrong, until there is enough to stop.
#pragma once

#include <cstddef>
#include <vector>

#include "strata/deckhand.hpp"

namespace strata::deckhand {

/// Whether the lines that places stand in may be shown. A document whose data are secret shows none of its lines.
enum class Lines { shown, hidden };

/// A diagnostic at a place. Very long lines are not shown either.
[[nodiscard]] Diagnostic diagnostic(const Sources& sources, std::string code, std::string message, Origin where, std::string hint = {},
                                    Lines lines = Lines::shown);
/// A second place.
[[nodiscard]] Excerpt note(const Sources& sources, Origin where, std::string message, Lines lines = Lines::shown);

/// Collects findings; beyond the first thousand it only counts.
class Findings {
 public:
  void add(Finding finding);
  /// True where one more would only be counted, which it is then: for those who find many, since a place costs the length of its line.
  [[nodiscard]] bool skips();
  [[nodiscard]] bool empty() const noexcept { return findings_.empty(); }
  /// Throws Refused. There must be something.
  [[noreturn]] void stop();

 private:
  std::vector<Finding> findings_;
  std::size_t untold_ = 0;
};

}  // namespace strata::deckhand
