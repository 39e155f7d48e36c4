// SPDX-License-Identifier: Apache-2.0
// The locations of an include part.
#pragma once

#include <string_view>
#include <vector>

namespace strata::cloudinit {

struct Include {
  std::string_view location;  ///< A range of the part's text.
  bool once = false;          ///< The content of this location stays the same for the rest of the run.
};

/// Parses the locations, one per line. Markers switch between the two kinds; lines that begin with `#` are comments.
[[nodiscard]] std::vector<Include> read_include_list(std::string_view text);

}  // namespace strata::cloudinit
