// SPDX-License-Identifier: Apache-2.0
// Sources of files: the host, a closed folder, memory, a git revision, or one tree over another.
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

/// The identity of a file's bytes, in 128 bits. Equal bytes have equal identities. Different bytes have different ones,
/// even if somebody tries to make them collide.
struct ContentId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const ContentId&, const ContentId&) = default;
};
/// The identity of bytes: the beginning of their SHA-256.
[[nodiscard]] ContentId content_id(std::string_view bytes);

/// Files by path. Dialects read configuration only through a FileTree.
///
/// Paths use `/`. A relative path is relative to the tree's start folder. `.` and `..` are resolved in the text of the
/// path; in the target of a symbolic link, they are resolved by folders. Errors: `tree.outside` if a path leaves the
/// tree; `tree.unreadable` if the file exists but cannot be read, or is a folder; `limit.input`. Thread safety: all
/// members may be called from several threads at once.
class FileTree {
 public:
  virtual ~FileTree() = default;
  /// The bytes of a file. No value if it does not exist.
  [[nodiscard]] virtual std::optional<std::string> read(std::string_view path) const = 0;
  [[nodiscard]] virtual FileKind kind(std::string_view path) const = 0;
  /// The names in a folder, in byte order, without `.` and `..`. Empty if there is no such folder.
  [[nodiscard]] virtual std::vector<std::string> list(std::string_view path) const = 0;

  /// A name in a folder.
  struct Named {
    std::string name;
    std::optional<FileKind> kind =
        {};  ///< As `kind` gives it. No value: not known without another look, as of what a link leads to.
  };
  /// The names that `list` gives, with the kinds that the tree knows from listing the folder.
  [[nodiscard]] virtual std::vector<Named> entries(std::string_view path) const;

  /// The identity of a file. `bytes` is set if the file had to be read to find it.
  struct Identified {
    ContentId id;
    std::optional<std::string> bytes;
  };
  /// No value if the file does not exist. Some trees know the identity without reading: git has the blob's id, and the
  /// host keeps the identity while the file's status does not change. Identities of different kinds of trees may differ
  /// for the same bytes. Errors: as `read`.
  [[nodiscard]] virtual std::optional<Identified> identify(std::string_view path) const;
  /// Only the identity. Errors: as `read`.
  [[nodiscard]] std::optional<ContentId> identity(std::string_view path) const;

  /// The tree below that keeps the file for all that read it (Snapshot::tree), where this tree passes on `path`
  /// unchanged. Null: there is none. Asking it counts as reading the file.
  [[nodiscard]] virtual const FileTree* keeper(std::string_view /*path*/) const { return nullptr; }
};

/// The host's file system, starting in `start` (empty: the working directory). No path is outside. Pipes and devices
/// are read up to `max_bytes`.
std::unique_ptr<FileTree> host_tree(std::string start = {}, std::size_t max_bytes = std::size_t{1} << 30);

/// One folder of the host and nothing above it. `..`, absolute paths and links that lead out are the error
/// `tree.outside`. Only regular files are read. Error `tree.unreadable` if `root` is not a folder.
std::unique_ptr<FileTree> closed_tree(const std::string& root, std::size_t max_bytes = std::size_t{1} << 30);

/// Files by name, for tests, uploads and archives. A name means the same with and without a leading `/`. A name that
/// leads out is `tree.outside`.
std::unique_ptr<FileTree> memory_tree(std::map<std::string, std::string> files);

/// The files of `over`, then those of `under`. Folders are joined. A path is outside only if it is outside both trees.
std::unique_ptr<FileTree> overlay_tree(std::shared_ptr<const FileTree> over, std::shared_ptr<const FileTree> under);

/// Edits by file: the new bytes, or no value to delete the file.
using Edits = std::map<std::string, std::optional<std::string>>;
/// `under` with unsaved edits. Relative paths, in edits and in calls, are relative to `start`, an absolute folder. An
/// edit of a symbolic link is one of the file that it leads to, seen by all its names; deleting a link deletes that
/// name. A folder stays when its last file is deleted. A tree of edits over a tree of edits costs the files that differ
/// from the bottom tree, not the number of edits made.
std::shared_ptr<const FileTree> edited_tree(std::shared_ptr<const FileTree> under, const Edits& edits,
                                            const std::string& start = "/");

/// The git repository around `start` (empty: the working directory) at `revision`, which names a commit or a tree.
/// An absolute path inside the work tree means the file of the revision. A path outside the repository is
/// `tree.outside`. Symbolic links are followed inside the revision. Submodules are of kind `other`. Errors:
/// `git.no-repository`; `git.owner` if git does not trust the repository; `git.revision`; `git.unavailable` if libgit2
/// is not installed.
std::unique_ptr<FileTree> git_tree(const std::string& revision, const std::string& start = {},
                                   std::size_t max_bytes = std::size_t{1} << 30);
/// The id of what a revision names, a commit mostly: hexadecimal digits. Errors: as git_tree.
[[nodiscard]] std::string revision_id(const std::string& revision, const std::string& start = {});

}  // namespace strata
