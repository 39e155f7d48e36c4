// Standard error for people.
#pragma once

#include <string>
#include <string_view>

#include "options.hpp"
#include "strata/error.hpp"

namespace strata::cli {

/// Tells diagnostics on standard error, in colour where it is a terminal that wants it (NO_COLOR is honoured).
class Terminal {
 public:
  explicit Terminal(Color color);
  void tell(const Diagnostic& diagnostic, std::string_view severity) const;

 private:
  bool colored_;
};

/// The folder in which the process runs; empty where that cannot be known.
[[nodiscard]] std::string working_folder();

}  // namespace strata::cli
