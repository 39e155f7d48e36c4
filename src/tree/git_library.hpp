// SPDX-License-Identifier: Apache-2.0
// libgit2, loaded when the first revision is asked for.
#pragma once

#include <git2.h>

#include <memory>
#include <string>

#include "shared_library.hpp"
#include "strata/error.hpp"
#include "strata/git_place.hpp"

namespace strata::git {

/// The functions of libgit2 in use, each typed by its declaration in git2.h.
struct Git {
  std::unique_ptr<SharedLibrary> library;
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration cannot have them.
#define STRATA_GIT(name) decltype(&git_##name) name = library->symbol<decltype(&git_##name)>("git_" #name)
  STRATA_GIT(libgit2_init);
  STRATA_GIT(libgit2_opts);
  STRATA_GIT(error_last);
  STRATA_GIT(repository_open_ext);
  STRATA_GIT(repository_free);
  STRATA_GIT(repository_path);
  STRATA_GIT(repository_workdir);
  STRATA_GIT(repository_commondir);
  STRATA_GIT(revparse_single);
  STRATA_GIT(object_peel);
  STRATA_GIT(object_free);
  STRATA_GIT(object_id);
  STRATA_GIT(tree_lookup);
  STRATA_GIT(tree_free);
  STRATA_GIT(tree_entrycount);
  STRATA_GIT(tree_entry_byindex);
  STRATA_GIT(tree_entry_name);
  STRATA_GIT(tree_entry_filemode);
  STRATA_GIT(tree_entry_id);
  STRATA_GIT(blob_lookup);
  STRATA_GIT(blob_rawsize);
  STRATA_GIT(blob_rawcontent);
  STRATA_GIT(blob_free);
  STRATA_GIT(commit_lookup);
  STRATA_GIT(commit_author);
  STRATA_GIT(commit_summary);
  STRATA_GIT(commit_message_encoding);
  STRATA_GIT(commit_time);
  STRATA_GIT(commit_parentcount);
  STRATA_GIT(commit_parent_id);
  STRATA_GIT(commit_free);
  STRATA_GIT(oid_tostr);
  STRATA_GIT(repository_config_snapshot);
  STRATA_GIT(config_find_xdg);
  STRATA_GIT(config_free);
  STRATA_GIT(config_get_path);
  STRATA_GIT(buf_dispose);
  STRATA_GIT(reference_list);
  STRATA_GIT(strarray_dispose);
#undef STRATA_GIT

  explicit Git(std::unique_ptr<SharedLibrary> opened) : library(std::move(opened)) { libgit2_init(); }

  /// What libgit2 said last on this thread.
  [[nodiscard]] std::string message() const {
    const git_error* error = error_last();
    return error != nullptr && error->message != nullptr ? error->message : "unknown error";
  }
};

/// Loaded once and never let go: libgit2 has state of its own, and trees may outlive static objects. Error
/// `git.unavailable`.
[[nodiscard]] const Git& library();

struct Free {
  void operator()(git_repository* item) const { library().repository_free(item); }
  void operator()(git_object* item) const { library().object_free(item); }
  void operator()(::git_tree* item) const { library().tree_free(item); }
  void operator()(git_blob* item) const { library().blob_free(item); }
  void operator()(git_commit* item) const { library().commit_free(item); }
};
template <class Type>
using Owned = std::unique_ptr<Type, Free>;

/// A path without links; as it is where there is no such file.
[[nodiscard]] std::string real_path(const std::string& path);
/// The repository around a folder. Errors: `git.no-repository`, `git.owner`, `git.unavailable`.
[[nodiscard]] Owned<git_repository> open_repository(const std::string& from);
/// The repository of a place. Errors also `git.outside`.
[[nodiscard]] Owned<git_repository> open_repository(const GitPlace& place);
/// Why libgit2 did not open a repository.
[[nodiscard]] Error cannot_open(int status, const std::string& from);
/// What a revision names. Error `git.revision`.
[[nodiscard]] Owned<git_object> find(git_repository* repository, const std::string& revision);
[[nodiscard]] Error no_revision(const std::string& revision, const char* why);

}  // namespace strata::git
