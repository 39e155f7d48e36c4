// The locations of an include part.
#pragma once

#include <string_view>
#include <vector>

namespace strata::cloudinit {

struct Include {
  std::string_view location;  ///< A stretch of the part's text.
  bool once = false;          ///< The same location has the same content for the rest of the run.
};

/// Reads the locations, one a line; markers switch between the two kinds, lines that begin with `#` are comments.
[[nodiscard]] std::vector<Include> read_include_list(std::string_view text);

}  // namespace strata::cloudinit
