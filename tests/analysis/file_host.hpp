// SPDX-License-Identifier: Apache-2.0
// A host for questions in tests: files in memory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "strata/file_tree.hpp"
#include "strata/host.hpp"

namespace strata::analysis {

using Files = std::map<std::string, std::string>;

/// A host with files and nothing else.
class FileHost final : public Host {
 public:
  explicit FileHost(const Files& files) : files_(memory_tree(files)) {}
  std::optional<std::string> find(const std::string& name) override { return files_->read(name); }
  const FileTree* files() override { return files_.get(); }
  Fetcher* network() override { return nullptr; }

 private:
  std::unique_ptr<FileTree> files_;
};

}  // namespace strata::analysis
