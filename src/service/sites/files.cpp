// SPDX-License-Identifier: Apache-2.0
#include "service/sites/files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/error.hpp"
#include "strata/named_file.hpp"
#include "strata/text.hpp"

namespace strata::service::sites {
namespace {

constexpr std::size_t kLargestKey = std::size_t{1} << 20U;

void check_depth(std::size_t depth, std::string_view folder) {
  if (depth <= kDeepestSiteFolder) return;
  throw Error("site.large", fmt::format("folders of a site nest at most {} deep", kDeepestSiteFolder))
      .in(std::string(folder));
}

/// Takes files one after the other, up to the limits.
class Reader {
 public:
  explicit Reader(const FileTree& tree) : tree_(tree) {}

  // Recursion: bounded by kDeepestSiteFolder.
  void read(const std::string& folder, const std::string& shown, std::size_t depth) {
    check_depth(depth, shown);
    if (++folders_ > kMostSiteFolders) throw too_many_folders();
    for (const FileTree::Named& one : tree_.entries(folder)) {
      if (one.name == ".git") continue;
      const std::string path = folder == "/" ? "/" + one.name : folder + "/" + one.name;
      std::string name = shown.empty() ? one.name : shown + "/" + one.name;
      const FileKind kind = one.kind ? *one.kind : tree_.kind(path);
      if (kind == FileKind::folder) {
        read(path, name, depth + 1);
      } else if (kind == FileKind::file) {
        add(path, std::move(name));
      }
    }
  }
  [[nodiscard]] Files take() { return std::move(files_); }

 private:
  void add(const std::string& path, std::string name) {
    std::optional<std::string> text = tree_.read(path);
    if (!text) return;  // Gone since it was listed.
    bytes_ += text->size();
    if (files_.size() >= kMostFiles || bytes_ > kMostBytes) {
      throw Error("site.large", fmt::format("a site has at most {} files and {} bytes", kMostFiles, kMostBytes))
          .in(name);
    }
    files_.emplace(std::move(name), *std::move(text));
  }

  const FileTree& tree_;
  Files files_;
  std::size_t folders_ = 0;
  std::size_t bytes_ = 0;
};

// Recursion: the tree was read, or uploaded, with kDeepestSiteFolder.
void list(const FileTree& tree, const std::string& folder, const std::string& shown, std::vector<std::string>& out) {
  for (const FileTree::Named& one : tree.entries(folder)) {
    const std::string path = folder == "/" ? "/" + one.name : folder + "/" + one.name;
    const std::string name = shown.empty() ? one.name : shown + "/" + one.name;
    const FileKind kind = one.kind ? *one.kind : tree.kind(path);
    if (kind == FileKind::folder) list(tree, path, name, out);
    if (kind == FileKind::file) out.push_back(name);
  }
}

}  // namespace

std::size_t bytes_of(const Files& files) noexcept {
  constexpr std::size_t kAround = 96;
  std::size_t out = 0;
  for (const auto& [path, text] : files) out += path.size() + text.size() + kAround;
  return out;
}

SiteHost::SiteHost(std::shared_ptr<const FileTree> tree, const SiteKeys& keys)
    : tree_(std::move(tree)),
      keys_{.private_key = keys.private_key, .public_key = keys.public_key, .read = [](const std::string& path) {
              return read_named_file(path, kLargestKey);
            }} {}

void check_path(std::string_view path) {
  const std::string whole(path);
  std::size_t depth = 0;
  const auto refuse = [&whole] {
    throw Error("request.path", fmt::format("'{}' is not the path of a file in a site", whole));
  };
  if (path.empty() || path.size() > 4096 || path.find('\0') != std::string_view::npos) refuse();
  if (text::find_invalid_utf8(path) != std::string_view::npos) throw Error("request.path", "a path is not UTF-8");
  while (true) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part.empty() || part == "." || part == ".." || part.size() > 255) refuse();
    if (part.size() == path.size()) return check_depth(depth, whole);
    ++depth;
    path.remove_prefix(part.size() + 1);
  }
}

void refuse_folder(std::string_view file, std::string_view below) {
  throw Error("request.path", fmt::format("'{}' is a file, so '{}' cannot be in a folder of that name", file, below))
      .hint(fmt::format("delete '{}', or take another path", file));
}

Error too_many_folders() { return Error("site.large", fmt::format("a site has at most {} folders", kMostSiteFolders)); }

void check_folders(const FileTree& tree, const Changes& changes) {
  for (const auto& [path, text] : changes) {
    if (!text) continue;
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      const std::string above = path.substr(0, slash);
      const auto changed = changes.find(above);
      if (changed == changes.end() ? tree.kind("/" + above) == FileKind::file : changed->second.has_value())
        refuse_folder(above, path);
    }
    if (tree.kind("/" + path) != FileKind::folder) continue;
    std::vector<std::string> below;
    list(tree, "/" + path, path, below);
    const auto stays = std::ranges::find_if(below, [&](const std::string& one) { return !changes.contains(one); });
    if (stays != below.end()) refuse_folder(path, *stays);
  }
}

Files read_files(const FileTree& tree, const std::string& folder) {
  Reader reader(tree);
  reader.read(folder, {}, 0);
  return reader.take();
}

std::vector<std::string> paths_of(const FileTree& tree) {
  std::vector<std::string> out;
  list(tree, "/", {}, out);
  return out;
}

}  // namespace strata::service::sites
