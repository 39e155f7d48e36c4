// SPDX-License-Identifier: Apache-2.0
// Opens a repository that a stranger may have made, so that reading it reads no other file of the host.
//
// libgit2 follows symbolic links, `.git` files, `commondir`, alternates and includes of the configuration, and no
// option forbids it. Inspection therefore walks the repository by descriptors and follows nothing: it refuses each of
// these, wherever it points. The walk runs before libgit2 opens the repository and again afterwards. Both must meet the
// same folders (device and inode), so what was opened is what was inspected, even if the files change in between.
//
// Cost: two listings of `objects` and `refs` and one read of the configuration. Tested by tests/tree/git_tree_test.cpp,
// tests/cli/serve_git_sites_test.py and script/attacks.
#include "closed_repository.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <vector>

#include "descriptor.hpp"
#include "strata/file_bounds.hpp"
#include "strata/file_tree.hpp"
#include "strata/links.hpp"

namespace strata::git {
namespace {

using detail::Descriptor;

/// Looks through one repository. Everything is found by descriptors, and no link is followed.
class Inspection {
 public:
  explicit Inspection(const GitPlace& place)
      : shown_(place.folder()), folder_(detail::real_path(*host_tree(), place.folder())) {
    if (!place.roots().empty() && !FileBounds(place.roots(), {}).contains(folder_))
      refuse("it is not below a folder that may be read");
    const Descriptor folder = detail::open_without_links(folder_, O_PATH | O_DIRECTORY);
    if (!folder) {
      if (errno == ELOOP) refuse("a folder above it is a symbolic link now");
      throw none();
    }
    const auto own = kind_in(folder, ".git");
    if (own == S_IFLNK) refuse("its .git is a symbolic link");
    if (own == S_IFREG) refuse("its .git is a file, which names another folder");
    if (own == S_IFDIR) {
      git_folder_ = folder_ + "/.git";
      inspect(open_in(folder, ".git"));
    } else {
      git_folder_ = folder_;
      inspect(folder);
    }
  }

  [[nodiscard]] const std::string& git_folder() const noexcept { return git_folder_; }
  /// Which files these are.
  [[nodiscard]] const std::vector<std::uint64_t>& identity() const noexcept { return identity_; }
  [[nodiscard]] Error none() const {
    return Error("git.no-repository", fmt::format("'{}' is not a git repository", shown_))
        .hint("name the folder that holds .git, or a bare repository");
  }

 private:
  static constexpr std::size_t kDeepest = 64;
  static constexpr std::size_t kLargestConfiguration = std::size_t{1} << 20U;

  [[noreturn]] void refuse(std::string_view why) const {
    throw Error("git.outside", fmt::format("the git repository '{}' leads out of its folder: {}", shown_, why))
        .hint(
            "name a repository that holds all of its objects itself, such as a clone without --shared and --reference");
  }

  /// The type of a name in a folder, of a link itself. 0: there is none.
  static mode_t kind_in(const Descriptor& folder, const char* name) {
    struct stat status {};
    return fstatat(folder.get(), name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mode & S_IFMT : 0;
  }

  /// A folder in a folder. Empty: there is none.
  Descriptor open_in(const Descriptor& folder, const char* name) {
    Descriptor out(openat(folder.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (out && fstat(out.get(), &status) == 0) {
      identity_.push_back(status.st_dev);
      identity_.push_back(status.st_ino);
    } else if (errno == ELOOP || (errno == ENOTDIR && kind_in(folder, name) == S_IFLNK)) {
      refuse(fmt::format("'{}' is a symbolic link", name));
    }
    return out;
  }

  void inspect(const Descriptor& git) {
    struct stat status {};
    if (fstat(git.get(), &status) != 0) throw none();
    identity_.push_back(status.st_dev);
    identity_.push_back(status.st_ino);
    for (const char* name : {"HEAD", "config", "config.worktree", "index", "info", "logs", "objects", "packed-refs",
                             "refs", "shallow", "worktrees"}) {
      if (kind_in(git, name) == S_IFLNK) refuse(fmt::format("'{}' is a symbolic link", name));
    }
    for (const char* name : {"commondir", "gitdir"}) {
      if (kind_in(git, name) != 0) refuse(fmt::format("the file '{}' names another folder", name));
    }
    for (const char* name : {"config", "config.worktree"}) check_configuration(git, name);
    if (const Descriptor objects = open_in(git, "objects")) {
      if (const Descriptor info = open_in(objects, "info")) {
        for (const char* name : {"alternates", "http-alternates"}) {
          if (kind_in(info, name) != 0)
            refuse(fmt::format("'objects/info/{}' names folders with objects of others", name));
        }
      }
      check_links(objects, "objects", 0);
    }
    if (const Descriptor refs = open_in(git, "refs")) check_links(refs, "refs", 0);
  }

  /// A configuration may name others.
  void check_configuration(const Descriptor& git, const char* name) const {
    const Descriptor file(openat(git.get(), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file) {
      if (errno == ENOENT) return;
      refuse(fmt::format("'{}' cannot be read: {}", name, detail::system_message(errno)));
    }
    struct stat status {};
    if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
      refuse(fmt::format("'{}' is not a regular file", name));
    std::string text = detail::read_all(file, folder_ + "/" + name, kLargestConfiguration);
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (std::size_t at = text.find("include"); at != std::string::npos; at = text.find("include", at + 1)) {
      const std::size_t before = text.find_last_not_of(" \t\r\n\\", at == 0 ? 0 : at - 1);
      if (before != std::string::npos && text[before] == '[') refuse(fmt::format("'{}' includes other files", name));
    }
  }

  // Recursion: bounded by kDeepest.
  void check_links(const Descriptor& folder, const std::string& shown, std::size_t depth) {
    if (depth > kDeepest) refuse(fmt::format("folders in '{}' nest too deep", shown));
    const Descriptor again(openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (const auto& [name, type] : detail::read_folder(again)) {
      const std::string below = fmt::format("{}/{}", shown, name);
      const bool is_known = type == DT_DIR || type == DT_LNK || type == DT_REG;
      const mode_t kind = is_known ? static_cast<mode_t>(DTTOIF(type)) : kind_in(folder, name.c_str());
      if (kind == S_IFLNK) refuse(fmt::format("'{}' is a symbolic link", below));
      if (kind != S_IFDIR) continue;
      const Descriptor child(openat(folder.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (child) {
        check_links(child, below, depth + 1);
      } else if (errno == ELOOP || errno == ENOTDIR) {
        refuse(fmt::format("'{}' is a symbolic link", below));
      }
    }
  }

  std::string shown_;   ///< As it is named.
  std::string folder_;  ///< Without links.
  std::string git_folder_;
  std::vector<std::uint64_t> identity_;
};

}  // namespace

Owned<git_repository> open_closed(const GitPlace& place) {
  const Inspection before(place);
  constexpr unsigned kFlags = GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT | GIT_REPOSITORY_OPEN_BARE;
  git_repository* raw = nullptr;
  const int status = library().repository_open_ext(&raw, before.git_folder().c_str(), kFlags, nullptr);
  Owned<git_repository> out(status == 0 ? raw : nullptr);
  if (status != 0) throw status == GIT_ENOTFOUND ? before.none() : cannot_open(status, place.folder());
  const Inspection after(place);
  if (before.git_folder() != after.git_folder() || before.identity() != after.identity())
    throw Error("git.outside", fmt::format("the git repository '{}' was replaced while it was opened", place.folder()))
        .hint("ask again");
  return out;
}

}  // namespace strata::git
