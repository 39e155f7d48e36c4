// SPDX-License-Identifier: Apache-2.0
// Files in memory, and one tree laid over another.
#include <algorithm>
#include <deque>
#include <functional>
#include <map>

#include "changes.hpp"
#include "entries.hpp"
#include "stored_file.hpp"
#include "strata/file_tree.hpp"
#include "strata/kind_inside.hpp"
#include "value/tree_path.hpp"

namespace strata {
namespace {

std::string name_of(std::string_view path) {
  const detail::TreePath parsed = detail::parse_tree_path(path);
  if (parsed.up != 0) throw detail::outside_error(path, "the files that were given");
  return parsed.join();
}

/// Folders with what is in them, so that a listing costs what it gives, however many files there are and however deep
/// they are. Nothing recurses.
class MemoryTree final : public detail::FixedTree {
 public:
  explicit MemoryTree(std::map<std::string, std::string>&& files) {
    for (auto& [name, bytes] : files) add(name_of(name)).file = std::make_unique<detail::StoredFile>(std::move(bytes));
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const Node* node = find(name_of(path));
    if (node == nullptr) return std::nullopt;
    if (node->file == nullptr) throw detail::unreadable_error(path, "it is a folder");
    return node->file->bytes();
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const Node* node = find(name_of(path));
    return node == nullptr ? FileKind::none : kind_of(*node);
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    return detail::names_of(entries(path));
  }

  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override {
    const Node* node = find(name_of(path));
    if (node == nullptr) return {};
    detail::check_listing();
    std::vector<Named> out;
    out.reserve(node->below.size());
    for (const auto& [name, number] : node->below) out.push_back({.name = name, .kind = kind_of(nodes_[number])});
    return out;
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    const Node* node = find(name_of(path));
    if (node == nullptr || node->file == nullptr) return FileTree::identify(path);
    return Identified{.id = node->file->id(), .bytes = std::nullopt};
  }

 private:
  /// A file, a folder, or both.
  struct Node {
    std::unique_ptr<const detail::StoredFile> file;
    std::map<std::string, std::size_t, std::less<>> below;  ///< Numbers of nodes, by name.
  };

  [[nodiscard]] static FileKind kind_of(const Node& node) noexcept {
    return node.file != nullptr ? FileKind::file : FileKind::folder;
  }

  /// Calls `step` with each name of a path that `name_of` gave.
  template <class Step>
  static void each_name(std::string_view path, const Step& step) {
    while (!path.empty()) {
      const std::string_view name = path.substr(0, path.find('/'));
      if (!step(name)) return;
      path.remove_prefix(std::min(name.size() + 1, path.size()));
    }
  }

  Node& add(std::string_view path) {
    std::size_t number = 0;
    each_name(path, [&](std::string_view name) {
      const auto [place, is_new] = nodes_[number].below.try_emplace(std::string(name), nodes_.size());
      number = place->second;
      if (is_new) nodes_.emplace_back();
      return true;
    });
    return nodes_[number];
  }

  [[nodiscard]] const Node* find(std::string_view path) const {
    const Node* node = &nodes_.front();
    each_name(path, [&](std::string_view name) {
      const auto found = node->below.find(name);
      node = found == node->below.end() ? nullptr : &nodes_[found->second];
      return node != nullptr;
    });
    return node;
  }

  std::deque<Node> nodes_ = std::deque<Node>(1);  ///< The root first.
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
  // What leads out of one of the two trees is merely not in it: the other may reach further.
  [[nodiscard]] FileKind kind_over(std::string_view path) const {
    return kind_inside(*over_, path).value_or(FileKind::none);
  }
  [[nodiscard]] FileKind kind_under(std::string_view path) const {
    return kind_inside(*under_, path).value_or(FileKind::none);
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
