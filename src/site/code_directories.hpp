// The Hiera configurations of a site, each opened once for all nodes.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/limits.hpp"

namespace strata::site {

/// Nodes share the files that they have read. Not thread-safe.
class CodeDirectories {
 public:
  /// `common`: what all have in common. What is referred to must outlive it.
  CodeDirectories(hiera::Settings common, const FileTree& tree, Sources& sources, const Limits& limits)
      : common_(std::move(common)), tree_(tree), sources_(sources), limits_(limits) {}

  /// `config`: absolute path of a hiera.yaml. Errors: as CodeDirectory's.
  [[nodiscard]] const hiera::CodeDirectory& open(const std::string& environment, const std::string& config);

 private:
  hiera::Settings common_;
  const FileTree& tree_;
  Sources& sources_;
  const Limits& limits_;
  std::map<std::pair<std::string, std::string>, hiera::CodeDirectory> opened_;  ///< By environment and configuration.
};

}  // namespace strata::site
