// SPDX-License-Identifier: Apache-2.0
#include "strata/git_ignore.hpp"

#include <sys/stat.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "git_library.hpp"
#include "ignore_rules.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"

namespace strata {
namespace {

constexpr std::size_t kMostRules = std::size_t{1} << 20U;  ///< Bytes of a file of patterns.

/// The patterns of a file of the host. Like git, it follows no link: other files are not for patterns.
detail::IgnoreRules rules_in(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  try {
    const auto text = host_tree({}, kMostRules)->read(path);
    return text ? detail::IgnoreRules(*text) : detail::IgnoreRules();
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return {};  // It cannot be read, or is too large.
  }
}

/// The file that `core.excludesFile` names. Empty: there is none.
std::string user_file(git_repository* repository) {
  git_config* config = nullptr;
  if (git::library().repository_config_snapshot(&config, repository) != 0) return {};
  git_buf path{};
  std::string out;
  if (git::library().config_get_path(&path, config, "core.excludesfile") == 0) {
    out = path.ptr;
  } else if (git::library().config_find_xdg(&path) == 0) {
    out = path.ptr;
    out.replace(out.rfind('/') + 1, std::string::npos, "ignore");
  }
  git::library().buf_dispose(&path);
  git::library().config_free(config);
  return out;
}

class IgnoredPaths {
 public:
  IgnoredPaths(git_repository* repository, std::string work_tree)
      : work_tree_(std::move(work_tree)),
        own_(rules_in(std::string(git::library().repository_commondir(repository)) + "info/exclude")) {
    if (const std::string file = user_file(repository); !file.empty()) of_user_ = rules_in(git::real_path(file));
  }

  [[nodiscard]] bool has(std::string_view path) {
    const std::string whole = git::real_path(std::string(path));  // The work tree is named without links.
    if (!whole.starts_with(work_tree_) || whole.size() == work_tree_.size()) return false;
    const std::string_view below = std::string_view(whole).substr(work_tree_.size());
    // What is in a folder that git ignores is ignored, whatever the patterns in it say.
    for (std::size_t end = below.find('/');; end = below.find('/', end + 1)) {
      const bool is_whole = end == std::string_view::npos;
      if (is_ignored(below.substr(0, end), !is_whole || is_folder(whole))) return true;
      if (is_whole) return false;
    }
  }

 private:
  [[nodiscard]] static bool is_folder(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  }

  /// The patterns of the nearest folder count most.
  [[nodiscard]] bool is_ignored(std::string_view path, bool is_folder) {
    StopCheck stop(StopScope::stop());
    check_stop(StopScope::stop());
    for (std::size_t from = path.rfind('/') + 1;; from = from < 2 ? 0 : path.rfind('/', from - 2) + 1) {
      const auto found = rules_of(path.substr(0, from)).find(path.substr(from), is_folder, stop);
      if (found) return *found;
      if (from == 0) break;
    }
    if (const auto found = own_.find(path, is_folder, stop)) return *found;
    return of_user_.find(path, is_folder, stop).value_or(false);
  }

  /// `folder`: empty, or ends with a slash.
  [[nodiscard]] const detail::IgnoreRules& rules_of(std::string_view folder) {
    const auto known = rules_.find(folder);
    if (known != rules_.end()) return known->second;
    const std::string name(folder);
    return rules_.emplace(name, rules_in(work_tree_ + name + ".gitignore")).first->second;
  }

  std::string work_tree_;  ///< With a slash at its end.
  detail::IgnoreRules own_;
  detail::IgnoreRules of_user_;
  std::map<std::string, detail::IgnoreRules, std::less<>> rules_;  ///< By folder.
};

}  // namespace

std::function<bool(std::string_view path)> ignored_by_git(const std::string& start) {
  git::Owned<git_repository> repository;
  try {
    repository = git::open_repository(git::real_path(start));
  } catch (const Error&) {
    return nullptr;  // No repository, an untrusted one, or no libgit2.
  }
  const char* folder = git::library().repository_workdir(repository.get());
  if (folder == nullptr) return nullptr;
  return [paths = std::make_shared<IgnoredPaths>(repository.get(), folder)](std::string_view path) {
    return paths->has(path);
  };
}

}  // namespace strata
