// SPDX-License-Identifier: Apache-2.0
// Files in memory, and one tree laid over another.
#include <algorithm>
#include <set>

#include "changes.hpp"
#include "stored_file.hpp"
#include "strata/file_tree.hpp"
#include "value/tree_path.hpp"

namespace strata {
namespace {

std::string name_of(std::string_view path) {
  const detail::TreePath parsed = detail::parse_tree_path(path);
  if (parsed.up != 0) throw detail::outside_error(path, "the files that were given");
  return parsed.join();
}

class MemoryTree final : public detail::FixedTree {
 public:
  explicit MemoryTree(std::map<std::string, std::string>&& files) {
    for (auto& [name, bytes] : files)
      files_.insert_or_assign(name_of(name), std::make_unique<detail::StoredFile>(std::move(bytes)));
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const std::string name = name_of(path);
    const auto file = files_.find(name);
    if (file != files_.end()) return file->second->bytes();
    if (is_folder(name)) throw detail::unreadable_error(path, "it is a folder");
    return std::nullopt;
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const std::string name = name_of(path);
    if (files_.contains(name)) return FileKind::file;
    return is_folder(name) ? FileKind::folder : FileKind::none;
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    const std::string prefix = prefix_of(name_of(path));
    std::set<std::string, std::less<>> names;
    for (auto file = files_.lower_bound(prefix); file != files_.end() && file->first.starts_with(prefix); ++file) {
      const std::string_view rest = std::string_view(file->first).substr(prefix.size());
      const std::string_view name = rest.substr(0, rest.find('/'));
      if (!name.empty()) names.emplace(name);
    }
    return {names.begin(), names.end()};
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    const auto file = files_.find(name_of(path));
    if (file != files_.end()) return Identified{.id = file->second->id(), .bytes = std::nullopt};
    return FileTree::identify(path);
  }

 private:
  [[nodiscard]] static std::string prefix_of(const std::string& folder) {
    return folder.empty() ? folder : folder + "/";
  }

  [[nodiscard]] bool is_folder(const std::string& name) const {
    const std::string prefix = prefix_of(name);
    const auto file = files_.lower_bound(prefix);
    return name.empty() || (file != files_.end() && file->first.starts_with(prefix));
  }

  std::map<std::string, std::unique_ptr<const detail::StoredFile>, std::less<>> files_;
};

class OverlayTree final : public FileTree {
 public:
  OverlayTree(std::shared_ptr<const FileTree> over, std::shared_ptr<const FileTree> under)
      : over_(std::move(over)), under_(std::move(under)) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    return kind_over(path) != FileKind::none ? over_->read(path) : under_->read(path);
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    return kind_over(path) != FileKind::none ? over_->identify(path) : under_->identify(path);
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const FileKind over = kind_over(path);
    return over != FileKind::none ? over : under_->kind(path);
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    const FileKind over = kind_over(path);
    if (over == FileKind::none) return under_->list(path);
    if (over != FileKind::folder) return {};
    std::vector<std::string> names = over_->list(path);
    if (kind_under(path) != FileKind::folder) return names;
    const std::vector<std::string> more = under_->list(path);
    const auto middle = static_cast<std::ptrdiff_t>(names.size());
    names.insert(names.end(), more.begin(), more.end());
    std::inplace_merge(names.begin(), names.begin() + middle, names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  [[nodiscard]] FileKind kind_over(std::string_view path) const { return kind_within(*over_, path); }
  [[nodiscard]] FileKind kind_under(std::string_view path) const { return kind_within(*under_, path); }

  /// What leads out of one of the two trees is merely not in it: the other may reach further.
  [[nodiscard]] static FileKind kind_within(const FileTree& tree, std::string_view path) {
    try {
      return tree.kind(path);
    } catch (const Error& error) {
      if (error.code() != "tree.outside") throw;
      return FileKind::none;
    }
  }

  std::shared_ptr<const FileTree> over_;
  std::shared_ptr<const FileTree> under_;
};

}  // namespace

std::unique_ptr<FileTree> memory_tree(std::map<std::string, std::string> files) {
  return std::make_unique<MemoryTree>(std::move(files));
}

std::unique_ptr<FileTree> overlay_tree(std::shared_ptr<const FileTree> over, std::shared_ptr<const FileTree> under) {
  return std::make_unique<OverlayTree>(std::move(over), std::move(under));
}

}  // namespace strata
