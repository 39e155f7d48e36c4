// SPDX-License-Identifier: Apache-2.0
// What fuzz targets of the C interface share.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "strata/strata.h"

namespace strata::fuzz {

/// A file that the input can name.
struct File {
  std::string_view path;
  std::string_view text;
};

inline std::string_view view(strata_text text) { return {text.data, text.size}; }
inline strata_text text_of(std::string_view text) { return {text.data(), text.size()}; }

/// Ends the target where the interface does not keep what it says.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace strata::fuzz
