// SPDX-License-Identifier: Apache-2.0
// Collects the errors of one text, or of one phase of a run, so that they are reported together.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "strata/error.hpp"

namespace strata {

/// At most 20; further ones are dropped.
class Problems {
 public:
  static constexpr std::size_t kMost = 20;

  /// Adds the error and those that were found together with it.
  void add(const Error& error);
  void add(Diagnostic diagnostic) {
    if (!is_full()) all_.push_back(std::move(diagnostic));
  }
  /// Runs a piece of work. Keeps its error, unless that ends the request. False if there was one.
  template <class Action>
  bool guard(Action&& action) {
    try {
      std::forward<Action>(action)();
      return true;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      add(error);
      return false;
    }
  }
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] bool is_full() const noexcept { return all_.size() >= kMost; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const noexcept { return all_; }
  /// Throws Errors if there are any. Call it at the end of a phase.
  void raise() const {
    if (!all_.empty()) throw Errors(all_);
  }

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace strata
