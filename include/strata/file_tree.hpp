// Where files are read from: the host, a closed folder, memory, a git revision, or one laid over another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

enum class FileKind { none, file, folder, other };

/// What a file holds, in 128 bits: equal for equal bytes, and different for different ones, also where somebody tries.
struct ContentId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const ContentId&, const ContentId&) = default;
};
/// Of bytes: the beginning of their SHA-256.
[[nodiscard]] ContentId content_id(std::string_view bytes);

/// Files by path. Dialects read configuration through it and through nothing else.
///
/// Paths use `/`; a relative path counts from the tree's start folder; `.` and `..` are resolved by the path's text (in the targets of symbolic
/// links, by the folders). Errors: `tree.outside` where a path leaves the tree, `tree.unreadable` where the file is there but cannot be read (a
/// folder also), `limit.input`. Thread safety: all members may be called from several threads at once.
class FileTree {
 public:
  virtual ~FileTree() = default;
  /// The bytes of a file; none where there is no such file.
  [[nodiscard]] virtual std::optional<std::string> read(std::string_view path) const = 0;
  [[nodiscard]] virtual FileKind kind(std::string_view path) const = 0;
  /// Names in a folder, in byte order, without `.` and `..`; empty where there is no such folder.
  [[nodiscard]] virtual std::vector<std::string> list(std::string_view path) const = 0;

  /// A file with its identity, and with its bytes where it had to be read to know it.
  struct Identified {
    ContentId id;
    std::optional<std::string> bytes;
  };
  /// None where there is no such file. A tree that knows the identity without reading says so: git by its blob, the host by the file's status where
  /// that has not changed since the file was read. Identities of different kinds of trees need not agree on the same bytes. Errors: as `read`.
  [[nodiscard]] virtual std::optional<Identified> identify(std::string_view path) const;
  /// The identity alone. Errors: as `read`.
  [[nodiscard]] std::optional<ContentId> identity(std::string_view path) const;
};

/// The host's file system from `start` on (the working folder if empty). Nothing is outside. Pipes and devices are read up to `max_bytes`.
std::unique_ptr<FileTree> host_tree(std::string start = {}, std::size_t max_bytes = std::size_t{1} << 30);

/// One folder of the host and nothing above it: `..`, absolute paths and links that lead out are `tree.outside`.
/// Only regular files are read. Error `tree.unreadable` where `root` is no folder.
std::unique_ptr<FileTree> closed_tree(const std::string& root, std::size_t max_bytes = std::size_t{1} << 30);

/// Files given by name, for tests, uploads and archives. Absolute and relative names are the same; a name that leads out is `tree.outside`.
std::unique_ptr<FileTree> memory_tree(std::map<std::string, std::string> files);

/// `over`, and where it has nothing `under`. Folders are joined. Outside is only what is outside both.
std::unique_ptr<FileTree> overlay_tree(std::shared_ptr<const FileTree> over, std::shared_ptr<const FileTree> under);

/// What an edit makes of one file: its new bytes, or none where the file is deleted.
using Edits = std::map<std::string, std::optional<std::string>>;
/// `under` with edits that nobody has saved. `start`: the absolute folder that relative paths count from, in edits and in questions. Links do not
/// count: an edit is of the path that it names. Folders stay when their last file is deleted. Edits of an edited tree cost what differs from the
/// tree below, not what was ever edited.
std::shared_ptr<const FileTree> edited_tree(std::shared_ptr<const FileTree> under, const Edits& edits, const std::string& start = "/");

/// The git repository around `start` (the working folder if empty) as of `revision` (anything that names a commit or a tree).
/// An absolute path inside the work tree means the revision's file; what is outside the repository is `tree.outside`.
/// Symbolic links are followed inside the revision; submodules are of kind `other`.
/// Errors: `git.no-repository`, `git.owner` where git does not trust the repository, `git.revision`, `git.unavailable` where libgit2 is not
/// installed.
std::unique_ptr<FileTree> git_tree(const std::string& revision, const std::string& start = {}, std::size_t max_bytes = std::size_t{1} << 30);

}  // namespace strata
