// SPDX-License-Identifier: Apache-2.0
#include "strata/git_history.hpp"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "git_library.hpp"

namespace strata {
namespace {

using git::library;

/// The commit that a revision names.
git_oid commit_id(git_repository* repository, const std::string& revision) {
  const git::Owned<git_object> object = git::find(repository, revision);
  git_object* commit = nullptr;
  if (library().object_peel(&commit, object.get(), GIT_OBJECT_COMMIT) != 0)
    throw git::no_revision(revision, "it names no commit");
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
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{:02}:{:02}", parts.tm_year + kFirstYear, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, time.offset < 0 ? '-' : '+',
                     minutes / kMinutesOfHour, minutes % kMinutesOfHour);
}

/// A text in an encoding that iconv knows, as UTF-8; as it is where that does not work out, or the encoding is missing.
std::string in_utf8(const std::string& text, const char* encoding) {
  if (encoding == nullptr) return text;
  struct Close {
    void operator()(void* converter) const { iconv_close(converter); }
  };
  iconv_t opened = iconv_open("UTF-8", encoding);
  if (opened == reinterpret_cast<iconv_t>(-1)) return text;  // NOLINT: the error value of POSIX.
  const std::unique_ptr<void, Close> converter(opened);
  constexpr std::size_t kMostOfOne =
      8;  // Bytes that one of another encoding can become, and some more for what ends the text.
  std::string in = text;
  std::string out((in.size() + 1) * kMostOfOne, '\0');
  char* from = in.data();
  char* to = out.data();
  std::size_t left = in.size();
  std::size_t room = out.size();
  if (iconv(converter.get(), &from, &left, &to, &room) == static_cast<std::size_t>(-1)) return text;
  out.resize(out.size() - room);
  return out;
}

}  // namespace

/// The commits of a repository, found and sorted by itself: libgit2 1.5 knows nothing of shallow clones.
struct GitHistory::Walk {
  struct Node {
    git_oid id;
    git_time_t time = 0;
    git::Owned<git_commit> commit = {};  ///< Until its parents are found. Null: the commit is missing.
    std::vector<std::uint32_t> parents = {};
    std::uint32_t children = 0;  ///< That are to come before it.
    bool is_hidden = false;      ///< Those who ask have it.
    bool is_expanded = false;
  };
  struct Hash {
    std::size_t operator()(const git_oid& id) const noexcept {
      std::size_t out = 0;
      std::memcpy(&out, id.id, sizeof out);
      return out;
    }
  };
  struct Equal {
    bool operator()(const git_oid& left, const git_oid& right) const noexcept {
      return std::memcmp(left.id, right.id, sizeof left.id) == 0;
    }
  };
  /// The newest first; of equals, the one that was found first.
  struct Later {
    const std::vector<Node>* nodes;
    bool operator()(std::uint32_t left, std::uint32_t right) const noexcept {
      const git_time_t before = (*nodes)[left].time;
      const git_time_t after = (*nodes)[right].time;
      return before != after ? before < after : left > right;
    }
  };
  using Queue = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, Later>;

  explicit Walk(git::Owned<git_repository> opened) : repository(std::move(opened)) {
    std::ifstream shallow(std::string(library().repository_commondir(repository.get())) + "shallow");
    for (std::string line; std::getline(shallow, line);) ends.insert(line);
  }

  std::uint32_t number_of(const git_oid& id) {
    const auto [found, is_new] = numbers.try_emplace(id, static_cast<std::uint32_t>(nodes.size()));
    if (!is_new) return found->second;
    Node node{.id = id};
    git_commit* raw = nullptr;
    if (library().commit_lookup(&raw, repository.get(), &id) == 0) {
      node.commit.reset(raw);
      node.time = library().commit_time(raw);
    }
    nodes.push_back(std::move(node));
    unread.push(found->second);
    ++waiting;
    return found->second;
  }

  [[nodiscard]] bool is_cut(const git_oid& id) const { return !ends.empty() && ends.contains(text_of(id)); }

  /// Finds the parents of a commit.
  void expand(std::uint32_t number) {
    nodes[number].is_expanded = true;
    const git::Owned<git_commit> commit = std::move(nodes[number].commit);
    if (commit == nullptr || is_cut(nodes[number].id)) return;
    for (unsigned i = 0; i < library().commit_parentcount(commit.get()); ++i) {
      const std::uint32_t parent = number_of(*library().commit_parent_id(commit.get(), i));
      nodes[number].parents.push_back(parent);
      if (nodes[number].is_hidden) hide(parent);
    }
  }

  /// Leaves a commit out, and what it is known to lead to.
  void hide(std::uint32_t number) {
    std::vector<std::uint32_t> rest{number};
    while (!rest.empty()) {
      Node& node = nodes[rest.back()];
      rest.pop_back();
      if (node.is_hidden) continue;
      node.is_hidden = true;
      if (!node.is_expanded) --waiting;
      rest.insert(rest.end(), node.parents.begin(), node.parents.end());
    }
  }

  /// Finds all commits that `first` leads to and `last`, where there is one, does not.
  void find(const git_oid& first, const git_oid* last) {
    const std::uint32_t newest = number_of(first);
    if (last != nullptr) hide(number_of(*last));
    // Clocks differ: what is older than all that is shown may lead to some of it all the same, but seldom far behind.
    constexpr int kLookedAtBehind = 64;
    git_time_t oldest = std::numeric_limits<git_time_t>::max();
    for (int behind = 0; !unread.empty() && behind < kLookedAtBehind;) {
      const std::uint32_t number = unread.top();
      unread.pop();
      if (nodes[number].is_hidden) {
        if (waiting == 0 && nodes[number].time < oldest) ++behind;
      } else {
        --waiting;
        oldest = std::min(oldest, nodes[number].time);
      }
      expand(number);
    }
    for (const Node& node : nodes) {
      if (node.is_hidden) continue;
      for (const std::uint32_t parent : node.parents) ++nodes[parent].children;
    }
    if (!nodes[newest].is_hidden) ready.push(newest);
  }

  git::Owned<git_repository> repository;
  std::unordered_set<std::string> ends;  ///< Where a shallow clone ends.
  std::vector<Node> nodes;
  std::unordered_map<git_oid, std::uint32_t, Hash, Equal> numbers;
  std::size_t waiting = 0;  ///< Those that are unread and not hidden.
  Queue unread{Later{&nodes}};
  Queue ready{Later{&nodes}};
};

GitHistory::GitHistory(const std::string& revision, const std::string& since, const std::string& start)
    : GitHistory(revision, since, GitPlace(start)) {}
GitHistory::GitHistory(const std::string& revision, const std::string& since, const GitPlace& place)
    : walk_(std::make_unique<Walk>(git::open_repository(place))) {
  git_repository* repository = walk_->repository.get();
  const git_oid first = commit_id(repository, revision);
  std::optional<git_oid> last;
  if (!since.empty()) last = commit_id(repository, since);
  walk_->find(first, last ? &*last : nullptr);
}
GitHistory::~GitHistory() = default;

std::optional<Commit> GitHistory::next() {
  if (walk_->ready.empty()) return std::nullopt;
  const Walk::Node& node = walk_->nodes[walk_->ready.top()];
  walk_->ready.pop();
  git_commit* raw = nullptr;
  if (library().commit_lookup(&raw, walk_->repository.get(), &node.id) != 0)
    throw git::no_revision(text_of(node.id), "the commit is missing");
  const git::Owned<git_commit> commit(raw);
  Commit out{
      .id = text_of(node.id), .date = {}, .author = {}, .subject = {}, .parents = {}, .is_cut = walk_->is_cut(node.id)};
  const char* const encoding = library().commit_message_encoding(raw);
  if (const git_signature* author = library().commit_author(raw)) {
    out.date = date_of(author->when);
    if (author->name != nullptr) out.author = in_utf8(author->name, encoding);
  }
  if (const char* subject = library().commit_summary(raw)) out.subject = in_utf8(subject, encoding);
  for (const std::uint32_t parent : node.parents) {
    Walk::Node& before = walk_->nodes[parent];
    out.parents.push_back(text_of(before.id));
    if (!before.is_hidden && --before.children == 0) walk_->ready.push(parent);
  }
  return out;
}

std::vector<std::string> git_references(const std::string& start) { return git_references(GitPlace(start)); }
std::vector<std::string> git_references(const GitPlace& place) {
  const git::Owned<git_repository> repository = git::open_repository(place);
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
