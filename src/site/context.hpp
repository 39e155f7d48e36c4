// What all parts of one node's request have at hand.
#pragma once

#include "site/code_directories.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"

namespace strata::site {

/// All of it outlives the request.
struct Context {
  const FileTree& tree;
  Sources& sources;
  Diagnostics& diagnostics;
  merge::Recorder& recorder;
  const Limits& limits;
  CodeDirectories& hiera;
};

}  // namespace strata::site
