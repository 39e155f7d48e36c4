// SPDX-License-Identifier: Apache-2.0
// A tree in which what cannot be looked at is not there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"

namespace strata::workspace {

/// For looking around: a link that leads out of the tree, a folder without permission or a file that is too large fits
/// no rule, and is no error.
class QuietTree {
 public:
  explicit QuietTree(const FileTree& tree) : tree_(tree) {}

  [[nodiscard]] FileKind kind(const std::string& path) const {
    return tried<FileKind>([&] { return tree_.kind(path); }, FileKind::none);
  }
  [[nodiscard]] std::vector<std::string> list(const std::string& path) const {
    return tried<std::vector<std::string>>([&] { return tree_.list(path); }, {});
  }
  [[nodiscard]] std::optional<std::string> read(const std::string& path) const {
    return tried<std::optional<std::string>>([&] { return tree_.read(path); }, std::nullopt);
  }

 private:
  template <class Out, class Ask>
  static Out tried(const Ask& ask, Out otherwise) {
    try {
      return ask();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return otherwise;
    }
  }

  const FileTree& tree_;
};

}  // namespace strata::workspace
