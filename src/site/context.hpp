// What all parts of one node's request have at hand.
#pragma once

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"

namespace strata::site {

/// All of it outlives the request.
struct Context {
  const FileTree& tree;
  Sources& sources;
  Diagnostics& diagnostics;
  merge::History* history;  ///< Null unless a history was asked for.
  const Limits& limits;
  const hiera::Settings& hiera;  ///< What all `hiera:` layers have in common.
};

}  // namespace strata::site
