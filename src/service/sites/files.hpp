// SPDX-License-Identifier: Apache-2.0
// The files of a site: read once, so that a state never changes.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/service.hpp"

namespace strata::service::sites {

// Limits of a site, wherever its files come from.
inline constexpr std::size_t kMostFiles = 200'000;
inline constexpr std::size_t kMostSiteFolders = 100'000;
inline constexpr std::size_t kDeepestSiteFolder = 64;  ///< Folders within each other.
inline constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

/// Texts by path, without a leading slash.
using Files = std::map<std::string, std::string>;

/// What texts take, with their names.
[[nodiscard]] std::size_t bytes_of(const Files& files) noexcept;
/// Checks a path of an upload, or of a request. Error `request.path` for one that is empty or absolute, or that has
/// empty parts, `.` or `..`; `site.large` for one with more than kDeepestSiteFolder folders.
void check_path(std::string_view path);
/// Error `request.path`: `file` is a file, and `below` would be in a folder of the same name.
[[noreturn]] void refuse_folder(std::string_view file, std::string_view below);
[[nodiscard]] Error too_many_folders();
/// Checks that no path of a map is a file and a folder at once, and counts the folders. Errors: `request.path`;
/// `site.large`.
template <class ByPath>
void check_folders(const ByPath& files) {
  std::string_view before;
  std::size_t folders = 0;
  for (const auto& [path, file] : files) {
    // In the order of their bytes, paths of one folder stand together: what a path shares with the one before it was
    // checked and counted.
    const auto shared = static_cast<std::size_t>(std::ranges::mismatch(std::string_view(path), before).in1 -
                                                 std::string_view(path).begin());
    for (std::size_t slash = path.find('/', shared); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      if (++folders > kMostSiteFolders) throw too_many_folders();
      if (const auto above = files.find(path.substr(0, slash)); above != files.end()) refuse_folder(above->first, path);
    }
    before = path;
  }
}
/// Texts by path, as clients change them. No value: the file is deleted.
using Changes = std::map<std::string, std::optional<std::string>>;
/// The same for what changes make of a tree whose root is `/`. Error `request.path`.
void check_folders(const FileTree& tree, const Changes& changes);
/// Reads all regular files below a folder of a tree. Errors: `site.large`; those of the tree.
[[nodiscard]] Files read_files(const FileTree& tree, const std::string& folder);
/// The paths of all files of a tree whose root is `/`, in byte order.
[[nodiscard]] std::vector<std::string> paths_of(const FileTree& tree);

/// What a site asks of its host: files of its own tree. It has no programs, no network, no environment.
/// The keys of its encrypted values are the exception, where the configuration names them.
class SiteHost final : public Host {
 public:
  SiteHost(std::shared_ptr<const FileTree> tree, const SiteKeys& keys);
  [[nodiscard]] std::optional<std::string> find(const std::string& name) override { return tree_->read(name); }
  [[nodiscard]] const FileTree* files() override { return tree_.get(); }
  [[nodiscard]] const KeyFiles* key_files() const noexcept override {
    return keys_.private_key.empty() ? nullptr : &keys_;
  }
  [[nodiscard]] Fetcher* network() override { return nullptr; }

 private:
  std::shared_ptr<const FileTree> tree_;
  KeyFiles keys_;
};

}  // namespace strata::service::sites
