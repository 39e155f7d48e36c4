// SPDX-License-Identifier: Apache-2.0
// The environment of programs and plugins.
#pragma once

#include <string>
#include <vector>

namespace strata {

/// Variables for execve, which ends with a null pointer.
class CleanEnvironment {
 public:
  /// Of this process: PATH, HOME, USER, LOGNAME, LANG, LANGUAGE, LC_*, TZ, TMPDIR, LD_LIBRARY_PATH, and the options of
  /// sanitizers where this program is built with one. Rule: docs/bindings/extensions.md, "Programs and their
  /// environment".
  CleanEnvironment();
  CleanEnvironment(const CleanEnvironment&) = delete;
  CleanEnvironment& operator=(const CleanEnvironment&) = delete;

  [[nodiscard]] char* const* variables() const noexcept { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

}  // namespace strata
