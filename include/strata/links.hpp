// SPDX-License-Identifier: Apache-2.0
// Symbolic links of trees: under which other names a path leads to the same file.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata::detail {

/// A tree that may have symbolic links, or passes on those of another one.
class LinkedTree {
 public:
  LinkedTree() = default;
  LinkedTree(const LinkedTree&) = delete;
  LinkedTree& operator=(const LinkedTree&) = delete;
  virtual ~LinkedTree() = default;
  /// The target of the link at an absolute path in whose folders there are no links. No value: there is no link.
  /// Errors: none.
  [[nodiscard]] virtual std::optional<std::string> link(const std::string& path) const = 0;
  /// As trail_of.
  [[nodiscard]] virtual std::vector<std::string> trail(std::string_view path) const;
};

/// As LinkedTree::link. No value for trees without links.
[[nodiscard]] std::optional<std::string> link_in(const FileTree& tree, const std::string& path);

/// Where an absolute path leads: each link that it comes to as a whole, and at last the place itself, which need not
/// exist. In their folders there are no links. A path without links, and one with too many of them or too long for a
/// host, leads to itself.
[[nodiscard]] std::vector<std::string> trail_of(const FileTree& tree, std::string_view path);
/// The end of that.
[[nodiscard]] std::string real_path(const FileTree& tree, std::string_view path);

/// Remembers where folders lead. Thread-safe.
class Trails {
 public:
  /// As trail_of. `tree` is the same at every call, and its folders stay where they are.
  [[nodiscard]] std::vector<std::string> find(const LinkedTree& tree, std::string_view path) const;

 private:
  [[nodiscard]] std::optional<std::string> folder(const LinkedTree& tree, const std::string& path) const;

  static constexpr std::size_t kMost = std::size_t{1} << 15U;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string, std::less<>> folders_;
};

}  // namespace strata::detail
