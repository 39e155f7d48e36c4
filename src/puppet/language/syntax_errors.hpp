// What is wrong with a text, gathered.
#pragma once

#include <vector>

#include "strata/error.hpp"

namespace strata::puppet {

/// What is wrong with a text, gathered, so that several errors are reported in one run. At most 20.
class SyntaxErrors {
 public:
  void add(const Error& error);
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] bool is_full() const noexcept;
  [[nodiscard]] const std::vector<Diagnostic>& all() const noexcept { return all_; }
  /// Throws Errors where there are any.
  void raise() const;

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace strata::puppet
