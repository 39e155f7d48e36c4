// SPDX-License-Identifier: Apache-2.0
// A git revision as a tree of files, through libgit2, which is loaded when the first one is asked for.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <shared_mutex>

#include "changes.hpp"
#include "entries.hpp"
#include "git_library.hpp"
#include "strata/file_tree.hpp"
#include "strata/git_place.hpp"
#include "strata/links.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "value/seeded_hash.hpp"
#include "value/tree_path.hpp"

namespace strata {
namespace {

using git::Owned;
const git::Git& git() { return git::library(); }

/// A folder of the repository: what git_tree says, read once, so that any number of threads can look at it.
struct Folder {
  struct Item {
    std::string name;
    git_filemode_t mode;
    git_oid id;
  };
  std::vector<Item> items;  ///< In byte order of the names. Git sorts folders as if their names ended in `/`.

  [[nodiscard]] const Item* find(std::string_view name) const {
    const auto found = std::ranges::lower_bound(items, name, {}, &Item::name);
    return found != items.end() && found->name == name ? &*found : nullptr;
  }
};

/// The folders that were read so far, by identity. They never change and never go. Thread-safe; split, so that threads
/// seldom wait for each other.
class Folders {
 public:
  [[nodiscard]] const Folder* find(const git_oid& id) const {
    const Part& part = part_of(id);
    const std::shared_lock lock(part.mutex);
    const auto known = part.folders.find(key_of(id));
    return known == part.folders.end() ? nullptr : &known->second;
  }
  const Folder& add(const git_oid& id, Folder&& folder) {
    Part& part = part_of(id);
    const std::unique_lock lock(part.mutex);
    return part.folders.try_emplace(key_of(id), std::move(folder)).first->second;
  }

 private:
  static constexpr std::size_t kParts = 16;
  struct Part {
    mutable std::shared_mutex mutex;
    TextMap<Folder> folders;
  };

  static std::string key_of(const git_oid& id) { return {reinterpret_cast<const char*>(id.id), sizeof id.id}; }
  [[nodiscard]] const Part& part_of(const git_oid& id) const { return parts_.at(id.id[0] % kParts); }
  [[nodiscard]] Part& part_of(const git_oid& id) { return parts_.at(id.id[0] % kParts); }

  std::array<Part, kParts> parts_;
};

/// The repository's open handles, each one thread's at a time. Thread-safe.
class Repositories {
 public:
  /// A handle in use; it is taken when it is first needed.
  class Use {
   public:
    explicit Use(const Repositories& all) : all_(all) {}
    ~Use() {
      if (repository_) all_.give(std::move(repository_));
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    [[nodiscard]] git_repository* get() {
      if (!repository_) repository_ = all_.take();
      return repository_.get();
    }

   private:
    const Repositories& all_;
    Owned<git_repository> repository_;
  };

  Repositories(GitPlace place, Owned<git_repository> first)
      : place_(std::move(place)), path_(git().repository_path(first.get())) {
    idle_.push_back(std::move(first));
  }

 private:
  [[nodiscard]] Owned<git_repository> take() const {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Owned<git_repository> repository = std::move(idle_.back());
        idle_.pop_back();
        return repository;
      }
    }
    if (place_.is_closed()) return git::open_repository(place_);
    git_repository* repository = nullptr;
    if (git().repository_open_ext(&repository, path_.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr) != 0) {
      throw Error("git.no-repository",
                  fmt::format("the git repository '{}' cannot be opened again: {}", path_, git().message()));
    }
    return Owned<git_repository>(repository);
  }
  void give(Owned<git_repository> repository) const {
    constexpr std::size_t kMost = 16;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kMost) idle_.push_back(std::move(repository));
  }

  GitPlace place_;
  std::string path_;
  mutable std::mutex mutex_;
  mutable std::vector<Owned<git_repository>> idle_;
};

/// Everything but what `open` finds out is made when it is asked for. Any number of threads read at once.
class GitTree final : public detail::FixedTree, public detail::LinkedTree {
 public:
  static std::unique_ptr<GitTree> open(const std::string& revision, const GitPlace& place, std::size_t max_bytes) {
    return std::unique_ptr<GitTree>(new GitTree(git::open_repository(place), revision, place, max_bytes));
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    Repositories::Use repository(*repositories_);
    const auto id = blob_id(path, repository);
    if (!id) return std::nullopt;
    return read_blob(*id, path, repository);
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    Repositories::Use repository(*repositories_);
    const auto blob = blob_id(path, repository);
    if (!blob) return std::nullopt;
    // The beginning of the object's name: the bytes behind a name never change.
    ContentId id;
    static_assert(sizeof(id) <= sizeof(blob->id));
    std::memcpy(&id, blob->id, sizeof(id));
    return Identified{.id = id, .bytes = std::nullopt};
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    Repositories::Use repository(*repositories_);
    return locate(path, repository).kind;
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    detail::check_listing();
    Repositories::Use repository(*repositories_);
    const Found found = locate(path, repository);
    std::vector<std::string> names;
    if (found.kind != FileKind::folder) return names;
    const Folder& folder = folder_of(found.id, found.path, repository);
    names.reserve(folder.items.size());
    for (const Folder::Item& item : folder.items) names.push_back(item.name);
    return names;
  }

  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    try {
      Repositories::Use repository(*repositories_);
      git_oid at = root_id_;
      const std::vector<std::string> names = from_root(path);
      for (std::size_t i = 0; i < names.size(); ++i) {
        const Folder::Item* item = folder_of(at, path, repository).find(names[i]);
        if (item == nullptr) return std::nullopt;
        if (i + 1 == names.size())
          return item->mode == GIT_FILEMODE_LINK ? target_of(item->id, path, repository) : std::nullopt;
        if (item->mode != GIT_FILEMODE_TREE) return std::nullopt;
        at = item->id;
      }
      return std::nullopt;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return std::nullopt;  // It is outside, or reading it reports the error.
    }
  }

 private:
  struct Found {
    FileKind kind = FileKind::none;
    git_oid id{};
    std::string path;  ///< Where it is, links resolved.
  };
  struct Step {
    std::string path;  ///< Of a folder, from the root on; the root's is empty.
    git_oid id;
  };

  GitTree(Owned<git_repository> repository, const std::string& revision, const GitPlace& place, std::size_t max_bytes)
      : max_bytes_(max_bytes), root_id_(root_of(repository.get(), revision)) {
    if (const char* folder = git().repository_workdir(repository.get())) {
      work_tree_ = folder;
      while (work_tree_.size() > 1 && work_tree_.ends_with('/')) work_tree_.pop_back();
      struct stat status_of_root {};
      if (stat(work_tree_.c_str(), &status_of_root) == 0) root_ = status_of_root;
      const std::string from = git::real_path(place.folder());
      if (from.starts_with(work_tree_ + "/")) start_ = from.substr(work_tree_.size() + 1);
    }
    repositories_.emplace(place, std::move(repository));
  }

  /// The identity of the root folder of a revision.
  static git_oid root_of(git_repository* repository, const std::string& revision) {
    const Owned<git_object> object = git::find(repository, revision);
    git_object* tree = nullptr;
    if (git().object_peel(&tree, object.get(), GIT_OBJECT_TREE) != 0)
      throw git::no_revision(revision, "it names neither a commit nor a folder");
    const Owned<git_object> folder(tree);
    return *git().object_id(tree);
  }

  [[nodiscard]] static Error outside(std::string_view path) {
    return detail::outside_error(path, "the git repository");
  }

  /// The part of an absolute path that is inside the work tree, whichever links the path goes through to get there.
  [[nodiscard]] std::vector<std::string> inside_work_tree(std::string_view path) const {
    const detail::TreePath parsed = detail::parse_tree_path(path);
    std::string prefix;
    for (std::size_t depth = 0; !work_tree_.empty() && depth <= parsed.names.size(); ++depth) {
      struct stat status {};
      const bool exists = stat(prefix.empty() ? "/" : prefix.c_str(), &status) == 0;
      if (prefix == (work_tree_ == "/" ? "" : work_tree_) ||
          (exists && status.st_dev == root_.st_dev && status.st_ino == root_.st_ino)) {
        return {parsed.names.begin() + static_cast<std::ptrdiff_t>(depth), parsed.names.end()};
      }
      if (depth < parsed.names.size()) prefix.append("/").append(parsed.names[depth]);
    }
    throw outside(path);
  }

  /// The names from the repository's root to a path.
  [[nodiscard]] std::vector<std::string> from_root(std::string_view path) const {
    if (path.starts_with('/')) return inside_work_tree(path);
    const std::string whole = start_.empty() ? std::string(path) : start_ + "/" + std::string(path);
    const detail::TreePath parsed = detail::parse_tree_path(whole);
    if (parsed.up != 0) throw outside(path);
    return {parsed.names.begin(), parsed.names.end()};
  }

  [[nodiscard]] Found locate(std::string_view path, Repositories::Use& repository) const {
    if (!detail::is_possible_path(path)) return {};
    const std::vector<std::string> steps = from_root(path);
    std::deque<std::string> names(steps.begin(), steps.end());
    std::vector<Step> folders{{.path = {}, .id = root_id_}};  // The folders on the way down, the root first.
    int links = 0;
    while (!names.empty()) {
      const std::string name = std::move(names.front());
      names.pop_front();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        if (folders.size() == 1) throw outside(path);
        folders.pop_back();
        continue;
      }
      const Folder::Item* item = folder_of(folders.back().id, folders.back().path, repository).find(name);
      if (item == nullptr) return {};
      const std::string place = folders.back().path.empty() ? name : folders.back().path + "/" + name;
      const bool last = std::ranges::all_of(names, [](const std::string& rest) { return rest.empty() || rest == "."; });
      switch (item->mode) {
        case GIT_FILEMODE_TREE:
          folders.push_back({.path = place, .id = item->id});
          break;
        case GIT_FILEMODE_LINK: {
          if (++links > detail::kMaxLinks) throw detail::unreadable_error(path, "too many symbolic links");
          check_stop(StopScope::stop());
          const std::optional<std::string> target = target_of(item->id, path, repository);
          if (!target || !detail::is_possible_path(*target)) return {};
          std::vector<std::string> more;
          if (target->starts_with('/')) {
            more = inside_work_tree(*target);
            folders.resize(1);
          } else {
            for (std::size_t begin = 0; begin <= target->size();) {
              const std::size_t end = std::min(target->find('/', begin), target->size());
              more.push_back(target->substr(begin, end - begin));
              begin = end + 1;
            }
          }
          names.insert(names.begin(), more.begin(), more.end());
          break;
        }
        case GIT_FILEMODE_COMMIT:
          return last ? Found{.kind = FileKind::other, .id = item->id, .path = place} : Found{};
        default:
          return last ? Found{.kind = FileKind::file, .id = item->id, .path = place} : Found{};
      }
    }
    return {.kind = FileKind::folder, .id = folders.back().id, .path = folders.back().path};
  }

  /// The identity of the file at a path, links resolved; none for a missing path. Error `tree.unreadable` for
  /// anything other than a file.
  [[nodiscard]] std::optional<git_oid> blob_id(std::string_view path, Repositories::Use& repository) const {
    const Found found = locate(path, repository);
    if (found.kind == FileKind::none) return std::nullopt;
    if (found.kind == FileKind::folder) throw detail::unreadable_error(path, "it is a folder");
    if (found.kind == FileKind::other) throw detail::unreadable_error(path, "it is a submodule");
    return found.id;
  }

  /// The folder `id`, which is at `path`. Listed once; by two threads that ask for it at the same time, maybe by both.
  [[nodiscard]] const Folder& folder_of(const git_oid& id, const std::string& path,
                                        Repositories::Use& repository) const {
    if (const Folder* known = folders_.find(id)) return *known;
    ::git_tree* raw = nullptr;
    if (git().tree_lookup(&raw, repository.get(), &id) != 0) throw detail::unreadable_error(path, git().message());
    const Owned<::git_tree> tree(raw);
    Folder folder;
    const std::size_t count = git().tree_entrycount(raw);
    folder.items.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const git_tree_entry* entry = git().tree_entry_byindex(raw, i);
      folder.items.push_back({.name = git().tree_entry_name(entry),
                              .mode = git().tree_entry_filemode(entry),
                              .id = *git().tree_entry_id(entry)});
    }
    std::ranges::sort(folder.items, {}, &Folder::Item::name);
    return folders_.add(id, std::move(folder));
  }

  /// The target of a link. No value: it is longer than a host allows.
  [[nodiscard]] std::optional<std::string> target_of(const git_oid& id, std::string_view path,
                                                     Repositories::Use& repository) const {
    std::string target = read_blob(id, path, repository);
    return target.size() < PATH_MAX ? std::optional(std::move(target)) : std::nullopt;
  }

  [[nodiscard]] std::string read_blob(const git_oid& id, std::string_view path, Repositories::Use& repository) const {
    git_blob* raw = nullptr;
    if (git().blob_lookup(&raw, repository.get(), &id) != 0) throw detail::unreadable_error(path, git().message());
    const Owned<git_blob> blob(raw);
    const auto size = static_cast<std::size_t>(git().blob_rawsize(raw));
    if (size > max_bytes_) throw detail::too_large_error(path, max_bytes_);
    return {static_cast<const char*>(git().blob_rawcontent(raw)), size};
  }

  std::size_t max_bytes_;
  git_oid root_id_;
  std::optional<Repositories> repositories_;
  mutable Folders folders_;
  std::string work_tree_;  ///< Without a final `/`; empty for a bare repository.
  struct stat root_ {};    ///< Of the work tree's folder.
  std::string start_;      ///< The start folder, from the work tree's folder on.
};

}  // namespace

std::unique_ptr<FileTree> git_tree(const std::string& revision, const std::string& start, std::size_t max_bytes) {
  return GitTree::open(revision, GitPlace(start), max_bytes);
}
std::unique_ptr<FileTree> git_tree(const std::string& revision, const GitPlace& place, std::size_t max_bytes) {
  return GitTree::open(revision, place, max_bytes);
}

std::string revision_id(const std::string& revision, const std::string& start) {
  return revision_id(revision, GitPlace(start));
}
std::string revision_id(const std::string& revision, const GitPlace& place) {
  constexpr std::size_t kDigits = 2 * GIT_OID_RAWSZ + 1;
  const Owned<git_repository> repository = git::open_repository(place);
  const Owned<git_object> object = git::find(repository.get(), revision);
  std::array<char, kDigits> text{};
  git::library().oid_tostr(text.data(), text.size(), git::library().object_id(object.get()));
  return text.data();
}

}  // namespace strata
