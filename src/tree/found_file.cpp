// SPDX-License-Identifier: Apache-2.0
#include "strata/found_file.hpp"

#include <algorithm>

#include "strata/error.hpp"
#include "strata/stop_scope.hpp"
#include "value/charge.hpp"

namespace strata {
namespace {

bool is_hidden(std::string_view name) { return name.starts_with('.'); }

class Walker {
 public:
  Walker(const FileTree& tree, const FolderWalk& walk) : tree_(tree), walk_(walk) {}

  // Recursion: bounded by kDeepest.
  void visit(const std::string& folder, std::size_t depth) {
    constexpr std::size_t kDeepest =
        32;  // Fewer than the links that a host follows in one path, so that a link that leads back ends here.
    constexpr std::size_t kMostFolders = 100'000;
    if (depth > kDeepest || ++folders_ > kMostFolders) {
      throw Error(std::string(walk_.code), "there are too many folders in it")
          .in(folder)
          .hint("a link that leads back to a folder above it does that");
    }
    for (const auto& [name, known] : tree_.entries(folder)) {
      const bool has_ending = std::ranges::any_of(
          walk_.endings, [&text = name](std::string_view ending) { return text.ends_with(ending); });
      const bool is_meant = has_ending && (walk_.hidden || !is_hidden(name));
      const bool may_lead_below =
          walk_.below && !is_hidden(name) && std::ranges::find(walk_.skipped, name) == walk_.skipped.end();
      if (!is_meant && !may_lead_below) continue;
      std::string path = path_in(folder, name);
      const FileKind kind = known ? *known : is_meant ? found_kind(tree_, path) : tree_.kind(path);
      if (kind == FileKind::folder) {
        if (may_lead_below) visit(path, depth + 1);
      } else if (is_meant) {
        detail::charge(StopScope::stop(), sizeof(path) + path.size());
        found_.push_back(std::move(path));
      }
    }
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  const FileTree& tree_;
  const FolderWalk& walk_;
  std::vector<std::string> found_;
  std::size_t folders_ = 0;
};

}  // namespace

FileKind found_kind(const FileTree& tree, std::string_view path) {
  const FileKind kind = tree.kind(path);
  if (kind != FileKind::other) return kind;
  throw Error("tree.not-regular", "it was found in a folder, and is not a regular file")
      .in(std::string(path))
      .hint("remove it from the folder; a pipe or device is read only if it is named itself");
}

std::string path_in(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!folder.ends_with('/')) path += '/';
  return path += name;
}

std::string_view stem_of(std::string_view name, std::span<const std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return {};
}

std::vector<std::string> files_in(const FileTree& tree, const std::string& folder, const FolderWalk& walk) {
  Walker walker(tree, walk);
  walker.visit(folder, 0);
  return walker.take();
}

std::vector<std::string> names_by_stem(const FileTree& tree, const std::string& folder,
                                       std::span<const std::string_view> endings) {
  const auto stem = [endings](const std::string& name) { return stem_of(name, endings); };
  std::vector<std::string> names = tree.list(folder);
  std::erase_if(names, [&stem](const std::string& name) { return stem(name).empty(); });
  std::ranges::stable_sort(names, {}, stem);
  return names;
}

std::optional<SameStem> find_same_stem(std::span<const std::string> names, std::span<const std::string_view> endings) {
  const auto stem = [endings](const std::string& name) { return stem_of(name, endings); };
  const auto twice = std::ranges::adjacent_find(names, {}, stem);
  if (twice == names.end()) return std::nullopt;
  return SameStem{.stem = std::string(stem(*twice)), .first = *twice, .second = *std::next(twice)};
}

std::vector<std::string> folders_in(const FileTree& tree, std::span<const std::string> parents,
                                    const std::function<bool(std::string_view name)>& is_meant) {
  std::vector<std::string> out;
  for (const std::string& parent : parents) {
    for (FileTree::Named& entry : tree.entries(parent)) {
      if (!is_meant(entry.name)) continue;
      const FileKind kind = entry.kind ? *entry.kind : tree.kind(path_in(parent, entry.name));
      if (kind == FileKind::folder) out.push_back(std::move(entry.name));
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace strata
