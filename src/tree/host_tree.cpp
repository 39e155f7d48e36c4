// SPDX-License-Identifier: Apache-2.0
// The host's file system, open and closed.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>

#include "descriptor.hpp"
#include "entries.hpp"
#include "strata/file_bounds.hpp"
#include "strata/file_tree.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"
#include "value/tree_path.hpp"

namespace strata {
namespace {

using detail::Descriptor;
using detail::kMaxLinks;
using detail::system_message;
using detail::unreadable_error;

/// Errors that mean "there is no such file".
bool is_missing(int error) noexcept { return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG; }

FileKind kind_of(const struct stat& status) noexcept {
  if (S_ISREG(status.st_mode)) return FileKind::file;
  return S_ISDIR(status.st_mode) ? FileKind::folder : FileKind::other;
}

/// What the folder itself says of a file. A link is of the kind of what it leads to.
std::optional<FileKind> kind_of(const dirent& entry) noexcept {
  if (entry.d_type == DT_REG) return FileKind::file;
  return entry.d_type == DT_DIR ? std::optional(FileKind::folder) : std::nullopt;
}

/// What is in an open folder, in byte order of names.
std::vector<FileTree::Named> read_entries(Descriptor folder, std::string_view path) {
  detail::check_listing();
  std::vector<FileTree::Named> out;
  DIR* stream = fdopendir(folder.get());
  if (stream == nullptr) throw unreadable_error(path, system_message(errno));
  folder.release();  // The stream closes it.
  errno = 0;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): readdir is safe on streams that are not shared.
  while (const dirent* entry = readdir(stream)) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") out.push_back({.name = std::string(name), .kind = kind_of(*entry)});
  }
  const int error = errno;
  closedir(stream);
  if (error != 0) throw unreadable_error(path, system_message(error));
  std::ranges::sort(out, {}, &FileTree::Named::name);
  return out;
}

/// Identities of files by their status, so that what did not change is not read again. Thread-safe.
class KnownFiles {
 public:
  /// `read`: the file's bytes with the status that it had while it was read.
  template <class Read>
  [[nodiscard]] FileTree::Identified identify(const struct stat& status, const Read& read) {
    const Key key = key_of(status);
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = ids_.find(key); known != ids_.end()) return {.id = known->second, .bytes = std::nullopt};
    }
    std::string bytes = read();
    const ContentId id = content_id(bytes);
    if (is_settled(status)) {
      const std::lock_guard lock(mutex_);
      if (ids_.size() >= kMost) ids_.clear();
      ids_.insert_or_assign(key, id);
    }
    return {.id = id, .bytes = std::move(bytes)};
  }

 private:
  using Key = std::array<std::int64_t, 7>;
  static constexpr std::size_t kMost = 1'000'000;

  [[nodiscard]] static Key key_of(const struct stat& status) noexcept {
    return {static_cast<std::int64_t>(status.st_dev),
            static_cast<std::int64_t>(status.st_ino),
            status.st_size,
            status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec,
            status.st_ctim.tv_sec,
            status.st_ctim.tv_nsec};
  }
  /// A file that was changed just now may be changed again without a sign: times of files are as coarse as two seconds.
  [[nodiscard]] static bool is_settled(const struct stat& status) noexcept {
    struct timespec now {};
    clock_gettime(CLOCK_REALTIME, &now);
    return std::max(status.st_mtim.tv_sec, status.st_ctim.tv_sec) + 2 < now.tv_sec;
  }

  std::mutex mutex_;
  std::map<Key, ContentId> ids_;
};

class HostTree final : public FileTree, public detail::LinkedTree {
 public:
  HostTree(std::string start, std::size_t max_bytes) : start_(std::move(start)), max_bytes_(max_bytes) {
    if (!start_.empty() && !start_.ends_with('/')) start_ += '/';
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    if (!detail::is_possible_path(path)) return std::nullopt;
    // O_NONBLOCK: opening a pipe that has no writer yet would hang.
    const Descriptor file(open(locate(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file) {
      if (is_missing(errno)) return std::nullopt;
      throw unreadable_error(path, system_message(errno));
    }
    return detail::read_all(file, path, max_bytes_);
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    struct stat status {};
    if (!detail::is_possible_path(path) || stat(locate(path).c_str(), &status) != 0) return FileKind::none;
    return kind_of(status);
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    return detail::names_of(entries(path));
  }

  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override {
    if (!detail::is_possible_path(path)) return {};
    Descriptor folder(open(locate(path).c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    if (!folder) {
      if (is_missing(errno)) return {};
      throw unreadable_error(path, system_message(errno));
    }
    return read_entries(std::move(folder), path);
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    if (!detail::is_possible_path(path)) return std::nullopt;
    const Descriptor file(open(locate(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0) {
      if (is_missing(errno)) return std::nullopt;
      throw unreadable_error(path, system_message(errno));
    }
    if (!S_ISREG(status.st_mode)) return FileTree::identify(path);
    return known_.identify(status, [&] { return detail::read_all(file, path, max_bytes_); });
  }

  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    if (!detail::is_possible_path(path)) return std::nullopt;
    std::array<char, PATH_MAX> target{};
    const ssize_t size = readlink(path.c_str(), target.data(), target.size());
    return size < 0 ? std::nullopt : std::optional(std::string(target.data(), static_cast<std::size_t>(size)));
  }

 private:
  [[nodiscard]] std::string locate(std::string_view path) const {
    if (path.starts_with('/') && detail::is_plain_path(path)) return std::string(path);
    const detail::TreePath parsed = detail::parse_tree_path(path);
    if (parsed.absolute) return "/" + parsed.join();
    std::string result = start_;
    for (std::size_t i = 0; i < parsed.up; ++i) result += "../";
    result += parsed.join();
    return result.empty() ? "." : result;
  }

  std::string start_;
  std::size_t max_bytes_;
  mutable KnownFiles known_;
};

/// Where an open file is. No value where the system does not say it.
std::optional<std::string> place_of(const Descriptor& file) {
  std::array<char, PATH_MAX> place{};
  const std::string link = "/proc/self/fd/" + std::to_string(file.get());
  const ssize_t size = readlink(link.c_str(), place.data(), place.size());
  if (size <= 0 || place.front() != '/') return std::nullopt;
  return std::string(place.data(), static_cast<std::size_t>(size));
}

/// The host as far as FileBounds allow. A path is checked before it is opened, so that nothing outside is even looked
/// at, and once more by the descriptor, so that a link that changes in between gains nothing.
class BoundedTree final : public FileTree, public detail::LinkedTree {
 public:
  BoundedTree(std::shared_ptr<const FileBounds> bounds, std::string start, std::size_t max_bytes)
      : bounds_(std::move(bounds)), start_(std::move(start)), max_bytes_(max_bytes), host_({}, max_bytes) {
    if (start_.starts_with('/')) return;
    std::array<char, PATH_MAX> folder{};
    const char* here = getcwd(folder.data(), folder.size());
    start_ = absolute_path(here == nullptr ? "/" : here, start_);
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    if (is_named(path)) return host_.read(whole(path));
    const std::optional<Opened> file = open_file(path);
    if (!file) return std::nullopt;
    return detail::read_all(file->descriptor, path, max_bytes_);
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    if (is_named(path)) return host_.kind(whole(path));
    if (!detail::is_possible_path(path)) return FileKind::none;
    struct stat status {};
    return lstat(checked(path).c_str(), &status) == 0 ? kind_of(status) : FileKind::none;
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    return detail::names_of(entries(path));
  }

  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override {
    if (is_named(path)) return host_.entries(whole(path));
    std::optional<Opened> folder = open_inside(path, O_DIRECTORY);
    if (!folder) return {};
    std::vector<Named> out = read_entries(std::move(folder->descriptor), path);
    // A walk through the folder skips it then.
    std::erase_if(out, [](const Named& one) { return is_git_folder(one.name); });
    return out;
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    if (is_named(path)) return host_.identify(whole(path));
    const std::optional<Opened> file = open_file(path);
    if (!file) return std::nullopt;
    return known_.identify(file->status, [&] { return detail::read_all(file->descriptor, path, max_bytes_); });
  }

  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override { return host_.link(path); }
  [[nodiscard]] std::vector<std::string> trail(std::string_view path) const override {
    return trails_.find(*this, path);
  }

 private:
  struct Opened {
    Descriptor descriptor;
    struct stat status {};
  };

  [[nodiscard]] std::string whole(std::string_view path) const { return absolute_path(start_, path); }
  [[nodiscard]] bool is_named(std::string_view path) const {
    return detail::is_possible_path(path) && bounds_->names(whole(path));
  }

  [[nodiscard]] static Error outside(std::string_view path) {
    return Error("tree.outside",
                 "this file is outside of the folders that may be read here: those that the command line "
                 "names, and their git repositories")
        .in(std::string(path))
        .hint("--allow-files DIR lets files name what is in another folder");
  }

  /// The path without links. Error if it leads out.
  [[nodiscard]] std::string checked(std::string_view path) const {
    std::string real = trails_.find(*this, whole(path)).back();
    if (!bounds_->contains(real)) throw outside(path);
    return real;
  }

  /// No value if there is no such file.
  [[nodiscard]] std::optional<Opened> open_inside(std::string_view path, int more_flags) const {
    if (!detail::is_possible_path(path)) return std::nullopt;
    const std::string real = checked(path);
    if (!bounds_->may_open(real)) throw outside(path);
    Opened out{.descriptor = Descriptor(
                   open(real.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | more_flags))};
    if (!out.descriptor || fstat(out.descriptor.get(), &out.status) != 0) {
      if (is_missing(errno)) return std::nullopt;
      throw unreadable_error(path, system_message(errno));
    }
    if (const auto place = place_of(out.descriptor); place && !bounds_->may_open(*place)) throw outside(path);
    return out;
  }

  [[nodiscard]] std::optional<Opened> open_file(std::string_view path) const {
    std::optional<Opened> out = open_inside(path, 0);
    if (out && !S_ISREG(out->status.st_mode))
      throw unreadable_error(path, S_ISDIR(out->status.st_mode) ? "it is a folder" : "it is not a regular file");
    return out;
  }

  std::shared_ptr<const FileBounds> bounds_;
  std::string start_;
  std::size_t max_bytes_;
  HostTree host_;  ///< For files that are named themselves.
  detail::Trails trails_;
  mutable KnownFiles known_;
};

/// Walks one name at a time from the root's descriptor and expands links itself, so that no path, link or race leads
/// out.
class ClosedTree final : public FileTree {
 public:
  ClosedTree(const std::string& root, std::size_t max_bytes)
      : root_(open(root.empty() ? "." : root.c_str(), O_PATH | O_CLOEXEC | O_DIRECTORY)), max_bytes_(max_bytes) {
    if (!root_) throw unreadable_error(root, system_message(errno));
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const std::optional<Found> found = locate(path);
    if (!found) return std::nullopt;
    const Descriptor file = reopen(*found, path, FileKind::file);
    return detail::read_all(file, path, max_bytes_);
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const std::optional<Found> found = locate(path);
    return found ? found->kind : FileKind::none;
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    const std::optional<Found> found = locate(path);
    if (!found || found->kind != FileKind::folder) return {};
    return detail::names_of(read_entries(reopen(*found, path, FileKind::folder), path));
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    const std::optional<Found> found = locate(path);
    if (!found) return std::nullopt;
    const Descriptor file = reopen(*found, path, FileKind::file);
    struct stat status {};
    if (fstat(file.get(), &status) != 0) throw unreadable_error(path, system_message(errno));
    return known_.identify(status, [&] { return detail::read_all(file, path, max_bytes_); });
  }

 private:
  /// A file by its parent folder and its name there; the folder itself where the name is empty.
  struct Found {
    Descriptor parent;
    std::string name;
    FileKind kind;
  };

  [[nodiscard]] static Descriptor reopen(const Found& found, std::string_view path, FileKind wanted) {
    if (found.kind != wanted)
      throw unreadable_error(path, found.kind == FileKind::folder ? "it is a folder" : "it is not a regular file");
    const char* name = found.name.empty() ? "." : found.name.c_str();
    Descriptor file(openat(found.parent.get(), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0) throw unreadable_error(path, system_message(errno));
    // Somebody may have changed it since it was looked at.
    if (kind_of(status) != wanted) throw unreadable_error(path, "it is not a regular file");
    return file;
  }

  [[nodiscard]] std::optional<Found> locate(std::string_view path) const {
    const auto outside = [path] { return detail::outside_error(path, "the folder that files are read from"); };
    if (!detail::is_possible_path(path)) return std::nullopt;
    const detail::TreePath parsed = detail::parse_tree_path(path);
    if (parsed.absolute || parsed.up != 0) throw outside();

    std::deque<std::string> names(parsed.names.begin(), parsed.names.end());
    std::vector<Descriptor> folders;  // The way down from the root, without it.
    int links = 0;
    const auto here = [&] { return folders.empty() ? root_.get() : folders.back().get(); };
    while (!names.empty()) {
      std::string name = std::move(names.front());
      names.pop_front();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        if (folders.empty()) throw outside();
        folders.pop_back();
        continue;
      }
      Descriptor entry(openat(here(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
      struct stat status {};
      if (!entry || fstat(entry.get(), &status) != 0) {
        if (is_missing(errno)) return std::nullopt;
        throw unreadable_error(path, system_message(errno));
      }
      if (S_ISLNK(status.st_mode)) {
        if (++links > kMaxLinks) throw unreadable_error(path, "too many symbolic links");
        const std::string target = read_link(entry, path);
        if (target.starts_with('/')) throw outside();
        std::deque<std::string> steps;
        for (std::size_t begin = 0; begin <= target.size();) {
          const std::size_t end = std::min(target.find('/', begin), target.size());
          steps.push_back(target.substr(begin, end - begin));
          begin = end + 1;
        }
        names.insert(names.begin(), steps.begin(), steps.end());
        continue;
      }
      if (S_ISDIR(status.st_mode)) {
        folders.push_back(std::move(entry));
        continue;
      }
      const bool last = std::ranges::all_of(names, [](const std::string& rest) { return rest.empty() || rest == "."; });
      if (!last) return std::nullopt;
      return Found{.parent = duplicate(here(), path), .name = std::move(name), .kind = kind_of(status)};
    }
    return Found{.parent = duplicate(here(), path), .name = {}, .kind = FileKind::folder};
  }

  [[nodiscard]] static std::string read_link(const Descriptor& link, std::string_view path) {
    std::string target(PATH_MAX, '\0');
    const ssize_t size = readlinkat(link.get(), "", target.data(), target.size());
    if (size < 0) throw unreadable_error(path, system_message(errno));
    target.resize(static_cast<std::size_t>(size));
    return target;
  }

  [[nodiscard]] static Descriptor duplicate(int folder, std::string_view path) {
    Descriptor copy(fcntl(folder, F_DUPFD_CLOEXEC, 0));
    if (!copy) throw unreadable_error(path, system_message(errno));
    return copy;
  }

  Descriptor root_;
  std::size_t max_bytes_;
  mutable KnownFiles known_;
};

}  // namespace

std::unique_ptr<FileTree> host_tree(std::string start, std::size_t max_bytes) {
  return std::make_unique<HostTree>(std::move(start), max_bytes);
}

std::unique_ptr<FileTree> bounded_tree(std::shared_ptr<const FileBounds> bounds, std::string start,
                                       std::size_t max_bytes) {
  if (bounds == nullptr) return host_tree(std::move(start), max_bytes);
  return std::make_unique<BoundedTree>(std::move(bounds), std::move(start), max_bytes);
}

std::unique_ptr<FileTree> closed_tree(const std::string& root, std::size_t max_bytes) {
  return std::make_unique<ClosedTree>(root, max_bytes);
}

}  // namespace strata
