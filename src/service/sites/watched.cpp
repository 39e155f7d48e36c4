// SPDX-License-Identifier: Apache-2.0
#include "service/sites/watched.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "service/sites/site_settings.hpp"

namespace strata::service::sites {
namespace {

constexpr std::size_t kMostEdits = 256;  ///< More of them are a new tree: edits must not grow for ever.

/// What a folder looks like from outside: it changes with each file. Never empty. Error `site.folder`.
std::string look_of(const std::string& folder) {
  std::string out = folder + '\n';
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    throw Error("site.folder", fmt::format("the folder '{}' is missing", folder))
        .hint("make it, or name another one: path:");
  }
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    struct stat what {};
    if (::stat(at->path().c_str(), &what) != 0) continue;  // Gone since it was listed.
    const std::int64_t size = S_ISREG(what.st_mode) ? what.st_size : 0;
    out += fmt::format("{} {}.{} {} {}\n", at->path().string(), what.st_mtim.tv_sec, what.st_mtim.tv_nsec, size,
                       what.st_ino);
  }
  return out;
}

}  // namespace

std::string Site::tag() const {
  if (settings_tag.empty()) return fmt::format("\"{}\"", generation);
  if (kind == kUpload) return fmt::format("\"{}-{}\"", generation, settings_tag);
  return fmt::format("\"{}-{}\"", settings_tag, state == nullptr ? std::string() : state->commit());
}

Watched::Watched(std::string project, const SiteSettings& source, std::string settings_tag,
                 std::vector<std::string> roots)
    : project_(std::move(project)),
      source_(source),
      place_(settings_tag.empty() ? GitPlace(source.path) : GitPlace::closed(source.path, std::move(roots))),
      form_{.name = source.name,
            .dialect = source.dialect,
            .options = source.options,
            .keys = source.eyaml_keys,
            .project = project_},
      settings_tag_(std::move(settings_tag)) {
  site = unread();
}

Site Watched::unread() const {
  Site out{.form = form_, .kind = is_git() ? "git" : "path"};
  out.settings_tag = settings_tag_;
  return out;
}

bool Watched::is_due(std::chrono::nanoseconds interval) noexcept {
  const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
  std::int64_t before = looked_;
  return now - before >= interval.count() && looked_.compare_exchange_strong(before, now);
}

std::shared_ptr<const FileTree> Watched::tree_of_next(Files files) {
  bool differs = base_ == nullptr;
  for (const auto& [path, text] : files) {
    const auto before = files_.find(path);
    if (before != files_.end() && before->second == text) continue;
    edits_["/" + path] = text;
    differs = true;
  }
  for (const auto& [path, text] : files_) {
    if (files.contains(path)) continue;
    edits_["/" + path] = std::nullopt;
    differs = true;
  }
  files_ = std::move(files);
  if (!differs) return nullptr;
  if (base_ == nullptr || edits_.size() > kMostEdits) {
    base_ = std::shared_ptr<const FileTree>(memory_tree(Files(files_)));
    edits_.clear();
  }
  return edits_.empty() ? base_ : std::shared_ptr<const FileTree>(edited_tree(base_, edits_, "/"));
}

std::optional<Site> Watched::read(std::int64_t generation, const SiteState::Ground& ground) {
  looked();
  Site next = unread();
  next.generation = generation;
  try {
    const std::string now = is_git() ? revision_id(source_.ref, place_) : look_of(source_.path);
    if (now == look_) return std::nullopt;
    const std::unique_ptr<FileTree> tree = is_git() ? git_tree(now, place_) : closed_tree(source_.path);
    std::shared_ptr<const FileTree> current = tree_of_next(read_files(*tree, "."));
    look_ = now;
    if (current == nullptr) {
      if (!is_git()) return std::nullopt;
      current = edits_.empty() ? base_ : std::shared_ptr<const FileTree>(edited_tree(base_, edits_, "/"));
    }
    next.state = std::make_shared<const SiteState>(form_, generation, is_git() ? now : std::string(),
                                                   std::move(current), ground, bytes_of(files_));
    next.state->check_nodes();
  } catch (const Error& error) {
    next.state = nullptr;
    next.failure = error.diagnostic();
    look_.clear();
  }
  return next;
}

}  // namespace strata::service::sites
