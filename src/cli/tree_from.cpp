// SPDX-License-Identifier: Apache-2.0
#include "tree_from.hpp"

#include <filesystem>
#include <utility>

#include "strata/links.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

class TreeFrom final : public FileTree, public detail::LinkedTree {
 public:
  TreeFrom(std::unique_ptr<FileTree> tree, std::string folder) : tree_(std::move(tree)), folder_(std::move(folder)) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    return tree_->read(absolute(path));
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override { return tree_->kind(absolute(path)); }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    return tree_->list(absolute(path));
  }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    return tree_->identify(absolute(path));
  }
  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    return detail::link_in(*tree_, path);
  }

 private:
  [[nodiscard]] std::string absolute(std::string_view path) const {
    return path.starts_with('/') ? std::string(path) : folder_ + "/" + std::string(path);
  }

  std::unique_ptr<FileTree> tree_;
  std::string folder_;
};

}  // namespace

std::string repository_around(const std::string& place) {
  if (place.empty() || place == "-") return {};
  std::error_code error;
  std::filesystem::path folder = std::filesystem::weakly_canonical(std::filesystem::absolute(place, error), error);
  while (!error && !std::filesystem::exists(folder / ".git", error)) {
    if (!folder.has_relative_path()) return {};
    folder = folder.parent_path();
    error.clear();
  }
  return error ? std::string() : folder.string();
}

std::unique_ptr<FileTree> tree_from(std::unique_ptr<FileTree> tree, std::string folder) {
  return std::make_unique<TreeFrom>(std::move(tree), std::move(folder));
}

std::unique_ptr<FileTree> files_of(const std::string& revision, const std::string& place, std::size_t max_bytes,
                                   const std::shared_ptr<const FileBounds>& bounds) {
  if (revision.empty()) return bounded_tree(bounds, {}, max_bytes);
  const std::string repository = repository_around(place);
  if (repository.empty() || repository == repository_around(".")) return git_tree(revision, std::string(), max_bytes);
  return tree_from(git_tree(revision, repository, max_bytes), working_folder());
}

}  // namespace strata::cli
