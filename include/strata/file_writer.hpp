// SPDX-License-Identifier: Apache-2.0
// Files that are written whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

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
  /// `use` must outlive the object.
  FileReplacement(const std::string& path, const Use& use);
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
  std::string target_;
  const Use& use_;
  std::string name_;
  int descriptor_;
  bool is_placed_ = false;
};

/// A file that is to be changed.
struct FileUpdate {
  std::string path;
  std::optional<std::string> before;  ///< As it was read. No value: there was none.
  std::string after;
};
/// Writes files, whose folders are made where they are missing. Nothing is written unless each file is still as it was
/// read, and all new texts are complete on the disk; each file then changes as a whole. Errors: `edit.changed`;
/// `output.edit` where a file cannot be written.
void write_files(const std::vector<FileUpdate>& updates);

}  // namespace strata
