// SPDX-License-Identifier: Apache-2.0
#include "git_library.hpp"

#include <fmt/format.h>

#include <climits>
#include <cstdlib>
#include <utility>

#include "closed_repository.hpp"
#include "value/tree_path.hpp"

namespace strata::git {

namespace {

bool& is_configuration_closed() {
  static bool out = false;
  return out;
}

/// As close_git_configuration.
void close_configuration(const Git& git) {
  for (const int level :
       {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL})
    git.libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
  git.libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
}

}  // namespace

const Git& library() {
  static const Git* const loaded = [] {
    auto opened = SharedLibrary::open({"libgit2.so." LIBGIT2_SOVERSION});
    if (opened == nullptr) {
      throw Error("git.unavailable",
                  "reading a git revision needs the library libgit2.so." LIBGIT2_SOVERSION ", which is not installed")
          .hint("install it (Debian: apt-get install libgit2-" LIBGIT2_SOVERSION ")");
    }
    auto* const made = new Git(std::move(opened));
    if (is_configuration_closed()) close_configuration(*made);
    return made;
  }();
  return *loaded;
}

std::string real_path(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.empty() ? "." : path.c_str(), buffer) != nullptr ? buffer : path;
}

Error cannot_open(int status, const std::string& from) {
  const std::string why = library().message();
  // libgit2 1.5 also says "not found" of an owner that is not trusted, where no safe.directory is configured at all.
  if (status == GIT_EOWNER || why.find("safe.directory") != std::string::npos) {
    return Error("git.owner",
                 fmt::format("the git repository around '{}' belongs to another user, so git does not trust it", from))
        .hint("if you do: git config --global --add safe.directory FOLDER, with the repository's folder");
  }
  if (status == GIT_ENOTFOUND) {
    return Error("git.no-repository", fmt::format("'{}' is not in a git repository", from))
        .hint("run inside a repository, or leave the revision out");
  }
  return Error("git.no-repository", fmt::format("the git repository around '{}' cannot be opened: {}", from, why));
}

Owned<git_repository> open_repository(const std::string& from) {
  git_repository* repository = nullptr;
  const int status = library().repository_open_ext(&repository, from.c_str(), GIT_REPOSITORY_OPEN_CROSS_FS, nullptr);
  if (status != 0) throw cannot_open(status, from);
  return Owned<git_repository>(repository);
}

Owned<git_repository> open_repository(const GitPlace& place) {
  return place.is_closed() ? open_closed(place) : open_repository(real_path(place.folder()));
}

Owned<git_object> find(git_repository* repository, const std::string& revision) {
  // An author of commits could choose the work: libgit2 searches all messages, and nothing ends that.
  if (revision.starts_with(":/") || revision.find("^{/") != std::string::npos) {
    throw Error(
        "git.revision",
        fmt::format("the git revision '{}' searches the messages of commits, which strata does not do", revision))
        .hint("name the commit: git rev-parse --verify REVISION");
  }
  git_object* named = nullptr;
  const bool possible = detail::is_possible_path(revision) && !revision.empty();
  const int status = possible ? library().revparse_single(&named, repository, revision.c_str()) : GIT_EINVALIDSPEC;
  if (status == 0) return Owned<git_object>(named);
  throw no_revision(revision, status == GIT_EAMBIGUOUS ? "several objects begin like this" : "no such revision");
}

Error no_revision(const std::string& revision, const char* why) {
  return Error("git.revision", fmt::format("the git revision '{}' cannot be read: {}", revision, why))
      .hint("`git rev-parse --verify REVISION` must know it; a shallow clone holds only its newest commits");
}

}  // namespace strata::git

namespace strata {

void close_git_configuration() { git::is_configuration_closed() = true; }

}  // namespace strata
