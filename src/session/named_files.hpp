// SPDX-License-Identifier: Apache-2.0
// The files of a folder by the names of what they describe: the nodes and the classes of an inventory.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/session.hpp"

namespace strata {

/// How the files of a folder get their names, and the words of errors.
struct NamedFolder {
  std::string path;
  std::span<const std::string_view> endings = {};
  std::span<const std::string_view> skipped = {};            ///< As in FolderWalk.
  std::string (*name_of)(std::string_view below) = nullptr;  ///< Of the path of a file below the folder.
  std::string_view dialect = {};    ///< `reclass`: errors are `reclass.folder`, `reclass.duplicate` and `reclass.KIND`.
  std::string_view kind = {};       ///< `class`. Of one file.
  std::string_view kinds = {};      ///< `classes`.
  std::string_view where = {};      ///< The hint where the folder is missing.
  std::string_view otherwise = {};  ///< The hint for an unknown name that is like no known one.
};

/// The names of all files of a folder and of the folders below. Part of a Snapshot. Thread-safe.
class NamedFiles {
 public:
  /// Lists the folder once. Errors: DIALECT.folder, also where there is none; DIALECT.duplicate for two files of one
  /// name; those of files_in.
  NamedFiles(const FileTree& tree, const NamedFolder& folder);

  /// In byte order.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool has(std::string_view name) const { return files_.contains(name); }
  /// The path of a file below the folder, without its extension. `name` must be one of them.
  [[nodiscard]] std::string path_below(std::string_view name) const;

 protected:
  struct File {
    std::string path;
    mutable std::shared_ptr<const void> parsed = {};  ///< Null until it is read for all requests.
  };
  /// `asked`: where the name is written. Error DIALECT.KIND, with a similar name.
  [[nodiscard]] const File& file(std::string_view name, Session& session, Origin asked) const;
  /// Throws: a listed file is not there any more.
  [[noreturn]] void refuse_gone(const File& file) const;

  mutable std::mutex mutex_;  ///< Of File::parsed.

 private:
  NamedFolder folder_;
  std::map<std::string, File, std::less<>> files_;
};

/// Files that are all read to one form, by `Parsed::read` (a FileReader).
template <class Parsed>
class FilesOf : public NamedFiles {
 public:
  using NamedFiles::NamedFiles;

  /// The file of a name. `is_shared`: it is read once for the Snapshot, otherwise for this request only, and nothing of
  /// it stays. `asked`: where the name is written. Errors: DIALECT.KIND, DIALECT.folder, those of the reader.
  [[nodiscard]] std::shared_ptr<const Parsed> read(std::string_view name, Session& session, bool is_shared,
                                                   Origin asked = {}) const {
    const File& found = file(name, session, asked);
    return is_shared ? shared(found, session) : alone(found, session);
  }

 private:
  [[nodiscard]] std::shared_ptr<const Parsed> shared(const File& found, Session& session) const {
    {
      // Many requests ask for few files again and again.
      const std::lock_guard lock(mutex_);
      if (found.parsed != nullptr) {
        session.keep(found.parsed);
        return std::static_pointer_cast<const Parsed>(found.parsed);
      }
    }
    auto parsed = session.read<Parsed>(found.path, {}, Parsed::read);
    if (parsed == nullptr) refuse_gone(found);
    const std::lock_guard lock(mutex_);
    found.parsed = parsed;
    return parsed;
  }

  [[nodiscard]] std::shared_ptr<const Parsed> alone(const File& found, Session& session) const {
    auto text = session.snapshot().tree_below().read(found.path);
    if (!text) refuse_gone(found);
    auto parsed =
        Parsed::read(session.sources(), session.sources().add(found.path, std::move(*text)), session.limits()).parsed;
    session.keep(parsed);
    return parsed;
  }
};

}  // namespace strata
