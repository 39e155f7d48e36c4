// SPDX-License-Identifier: Apache-2.0
#include "strata/inside_tree.hpp"

#include <utility>

#include "strata/error.hpp"
#include "strata/links.hpp"

namespace strata {
namespace {

/// What `get` returns, or an empty result if that is outside of the tree.
template <class Get>
auto unless_outside(const Get& get) -> decltype(get()) {
  try {
    return get();
  } catch (const Error& error) {
    if (error.code() != "tree.outside") throw;
    return {};
  }
}

class InsideTree final : public FileTree, public detail::LinkedTree {
 public:
  explicit InsideTree(std::shared_ptr<const FileTree> tree) : tree_(std::move(tree)) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    return unless_outside([&] { return tree_->read(path); });
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    return unless_outside([&] { return tree_->kind(path); });
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    return unless_outside([&] { return tree_->list(path); });
  }
  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override {
    return unless_outside([&] { return tree_->entries(path); });
  }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    return unless_outside([&] { return tree_->identify(path); });
  }
  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    return detail::link_in(*tree_, path);
  }
  [[nodiscard]] std::vector<std::string> trail(std::string_view path) const override {
    return detail::trail_of(*tree_, path);
  }

 private:
  std::shared_ptr<const FileTree> tree_;
};

}  // namespace

static_assert(FileKind{} == FileKind::none);

std::shared_ptr<const FileTree> inside_tree(std::shared_ptr<const FileTree> tree) {
  return std::make_shared<InsideTree>(std::move(tree));
}

}  // namespace strata
