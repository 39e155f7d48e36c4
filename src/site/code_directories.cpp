#include "site/code_directories.hpp"

#include <memory>

namespace strata::site {

const hiera::CodeDirectory& CodeDirectories::open(const std::string& environment, const std::string& config) {
  const auto key = std::make_pair(environment, config);
  if (const auto known = opened_.find(key); known != opened_.end()) return known->second;
  hiera::Settings settings = common_;
  settings.environment = environment;
  settings.hiera_config = config;
  const std::shared_ptr<const FileTree> tree(std::shared_ptr<void>(), &tree_);
  return opened_.emplace(key, hiera::CodeDirectory(std::move(settings), tree, sources_, limits_)).first->second;
}

}  // namespace strata::site
