#include "strata/git_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

#include "git_library.hpp"

namespace strata {
namespace {

using git::library;

/// The commit that a revision names.
git_oid commit_id(git_repository* repository, const std::string& revision) {
  const git::Owned<git_object> object = git::find(repository, revision);
  git_object* commit = nullptr;
  if (library().object_peel(&commit, object.get(), GIT_OBJECT_COMMIT) != 0) throw git::no_revision(revision, "it names no commit");
  const git::Owned<git_object> owned(commit);
  return *library().object_id(commit);
}

std::string text_of(const git_oid& id) {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  return library().oid_tostr(text.data(), text.size(), &id);
}

std::string date_of(const git_time& time) {
  constexpr int kMinutesOfHour = 60;
  const std::time_t local = time.time + static_cast<std::time_t>(time.offset) * kMinutesOfHour;
  std::tm parts{};
  if (gmtime_r(&local, &parts) == nullptr) return {};
  const int minutes = time.offset < 0 ? -time.offset : time.offset;
  constexpr int kFirstYear = 1900;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{:02}:{:02}", parts.tm_year + kFirstYear, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                     parts.tm_min, parts.tm_sec, time.offset < 0 ? '-' : '+', minutes / kMinutesOfHour, minutes % kMinutesOfHour);
}

}  // namespace

struct GitHistory::Walk {
  git::Owned<git_repository> repository;
  git::Owned<git_revwalk> walk;
};

GitHistory::GitHistory(const std::string& revision, const std::string& since, const std::string& start) : walk_(std::make_unique<Walk>()) {
  walk_->repository = git::open_repository(git::real_path(start));
  git_repository* repository = walk_->repository.get();
  git_revwalk* walk = nullptr;
  if (library().revwalk_new(&walk, repository) != 0) throw git::no_revision(revision, "its commits cannot be listed");
  walk_->walk.reset(walk);
  library().revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
  const git_oid first = commit_id(repository, revision);
  if (library().revwalk_push(walk, &first) != 0) throw git::no_revision(revision, "its commits cannot be listed");
  if (since.empty()) return;
  const git_oid last = commit_id(repository, since);
  if (library().revwalk_hide(walk, &last) != 0) throw git::no_revision(since, "its commits cannot be listed");
}
GitHistory::~GitHistory() = default;

std::optional<Commit> GitHistory::next() {
  git_oid id{};
  const int status = library().revwalk_next(&id, walk_->walk.get());
  if (status == GIT_ITEROVER) return std::nullopt;
  git_commit* raw = nullptr;
  if (status != 0 || library().commit_lookup(&raw, walk_->repository.get(), &id) != 0) throw git::no_revision(text_of(id), "the commit is missing");
  const git::Owned<git_commit> commit(raw);
  Commit out{.id = text_of(id), .date = {}, .author = {}, .subject = {}, .parents = {}};
  if (const git_signature* author = library().commit_author(raw)) {
    out.date = date_of(author->when);
    if (author->name != nullptr) out.author = author->name;
  }
  if (const char* subject = library().commit_summary(raw)) out.subject = subject;
  for (unsigned i = 0; i < library().commit_parentcount(raw); ++i) out.parents.push_back(text_of(*library().commit_parent_id(raw, i)));
  return out;
}

std::vector<std::string> git_references(const std::string& start) {
  const git::Owned<git_repository> repository = git::open_repository(git::real_path(start));
  git_strarray names{};
  std::vector<std::string> out;
  if (library().reference_list(&names, repository.get()) != 0) return out;
  for (std::size_t i = 0; i < names.count; ++i) {
    const std::string_view name = names.strings[i];
    for (const std::string_view folder : {"refs/heads/", "refs/tags/", "refs/remotes/"}) {
      if (name.starts_with(folder)) out.emplace_back(name.substr(folder.size()));
    }
  }
  library().strarray_dispose(&names);
  std::ranges::sort(out);
  return out;
}

}  // namespace strata
