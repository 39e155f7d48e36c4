// SPDX-License-Identifier: Apache-2.0
// Files that are written whole or not at all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

class FileBounds;

/// A new file beside another one, which takes its place; gone if it does not. Errors of all members: `code`, with a
/// message that names `name`.
class FileReplacement {
 public:
  /// What a file is, for messages and permissions.
  struct Use {
    std::string_view code;  ///< Of errors.
    std::string_view name;
    bool is_private;  ///< A new file can be read by its owner only.
  };

  /// A symbolic link stays one: what it leads to is replaced. Errors also where what is there is not a regular file.
  /// `within`: what it must lead to is below one of these folders and not in a `.git`, or the Error is `tree.outside`;
  /// null: anything. `use` must outlive the object.
  FileReplacement(const std::string& path, const Use& use, const FileBounds* within = nullptr);
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;
  ~FileReplacement();

  /// Writes the whole text to the disk. A file that exists keeps its permissions.
  void write(std::string_view text);
  /// The same in pieces: each of them, and then `complete`.
  void add(std::string_view text);
  void complete();
  /// From now on the new text is what the path names.
  void place();

 private:
  std::string target_;  ///< Without links.
  const Use& use_;
  std::string name_;  ///< In the folder, before it is placed.
  int folder_;        ///< What is written is found from this descriptor, wherever names lead meanwhile.
  int descriptor_;    ///< Of the new file. Negative once it is complete.
  bool is_placed_ = false;
};

/// A file that is to be changed.
struct FileUpdate {
  std::string path;
  std::optional<std::string> before;  ///< As it was read. No value: there was none.
  std::string after;
};
/// Writes files, whose folders are made where they are missing. Nothing is written unless each file is still as it was
/// read, and all new contents are complete on the disk; each file then changes as a whole. `within`: as for
/// FileReplacement. Errors: `edit.changed`; `output.edit` where a file cannot be written; `tree.outside`.
void write_files(const std::vector<FileUpdate>& updates, const std::shared_ptr<const FileBounds>& within = nullptr);

}  // namespace strata
