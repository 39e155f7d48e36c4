// SPDX-License-Identifier: Apache-2.0
#include "service/explore/host_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "service/memory.hpp"
#include "strata/error.hpp"
#include "strata/file_bounds.hpp"
#include "strata/file_writer.hpp"
#include "strata/git_history.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kMostRevisions = 8;
constexpr std::chrono::seconds kPoll{2};

}  // namespace

Error unknown_project(const std::vector<std::string>& names, const std::string& name) {
  const std::vector<std::string_view> all(names.begin(), names.end());
  return Error("explore.project", fmt::format("unknown project '{}'", name)).hint(name_hint(all, name, {}));
}

/// The projects of one generation.
struct HostSource::Projects {
  std::int64_t generation = 0;
  std::vector<ExploredProject> list = {};
  std::optional<Diagnostic> failure = {};  ///< Why they cannot be read now.

  std::mutex mutex;  ///< Of all below.
  std::list<std::pair<std::string, std::shared_ptr<const View>>> views =
      {};  ///< By name and revision; last used first.

  [[nodiscard]] const ExploredProject& find(const std::string& name) const {
    const auto found = std::ranges::find(list, name, &ExploredProject::name);
    if (found != list.end()) return *found;
    if (failure) throw Error(*failure);
    std::vector<std::string> names;
    for (const ExploredProject& one : list) names.push_back(one.name);
    throw unknown_project(names, name);
  }
};

HostSource::HostSource(ExplorerSettings settings) : settings_(std::move(settings)) {
  look_ = look();
  projects_ = std::make_shared<Projects>();
  projects_->generation = generation_;
  projects_->list = settings_.projects();
  if (projects_->list.empty()) {
    throw Error("explore.none", "no project found")
        .hint("name a question: strata explore VERB …; or write a .strata.yaml (strata projects)");
  }
  thread_ = std::thread([this] { follow(); });
}

HostSource::~HostSource() {
  shut_down();
  is_over_ = true;
  folders_.wake();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<HostSource::Projects> HostSource::projects() const {
  const std::scoped_lock lock(mutex_);
  return projects_;
}

/// What the files look like from outside.
std::map<std::string, std::string> HostSource::look() const {
  std::map<std::string, std::string> out;
  if (!settings_.at.empty()) return out;
  std::set<std::string> folders{settings_.folder};
  if (const auto known = projects(); known != nullptr) {
    for (const ExploredProject& one : known->list) folders.insert(one.folder);
  }
  for (const std::string& folder : folders) {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator
             at(folder, std::filesystem::directory_options::skip_permission_denied, error),
         end;
         !error && at != end; at.increment(error)) {
      std::error_code ignored;
      if (at->path().filename() == ".git" || at->path().filename() == "node_modules") {
        at.disable_recursion_pending();
        continue;
      }
      if (!at->is_regular_file(ignored)) continue;
      const auto time = at->last_write_time(ignored).time_since_epoch().count();
      out.insert_or_assign(at->path().string(), fmt::format("{} {}", time, at->file_size(ignored)));
    }
  }
  return out;
}

void HostSource::look_again() {
  const std::scoped_lock looking(looking_);
  std::map<std::string, std::string> now = look();
  std::vector<std::string> changed;
  for (const auto& [path, state] : now) {
    const auto before = look_.find(path);
    if (before == look_.end() || before->second != state) changed.push_back(shown_path(path, settings_.folder));
  }
  for (const auto& [path, state] : look_) {
    if (!now.contains(path)) changed.push_back(shown_path(path, settings_.folder));
  }
  if (changed.empty()) return;
  look_ = std::move(now);
  auto next = std::make_shared<Projects>();
  try {
    next->list = settings_.projects();
  } catch (const Error& error) {
    next->failure = error.diagnostic();
  }
  std::int64_t generation = 0;
  {
    const std::scoped_lock lock(mutex_);
    generation = ++generation_;
    next->generation = generation;
    projects_ = std::move(next);
  }
  std::ranges::sort(changed);
  events_.tell(generation, changed);
}

void HostSource::follow() {
  const auto listen_to_all = [this] {
    folders_.follow("all", settings_.folder);
    for (const ExploredProject& one : projects()->list) {
      if (one.folder != settings_.folder) folders_.follow("all", one.folder);
    }
  };
  const bool watches = settings_.at.empty();
  as_soon_as_memory_allows([&] {
    if (!watches) return;
    listen_to_all();
    look_again();  // What changed before the first listener.
  });
  const auto turn = [&] {
    // Without news from the system, files are looked at from time to time.
    const bool hears = !watches || folders_.hears();
    const std::set<std::string> changed = folders_.wait(hears ? EventStream::kHeartbeat : kPoll);
    if (is_over_) return;
    if (watches && (!changed.empty() || !hears)) {
      if (!changed.empty()) listen_to_all();
      look_again();
    }
    if (changed.empty()) events_.breathe();
  };
  while (!is_over_) if_memory_allows(turn);
}

Response HostSource::events(const Call& call) { return events_.listen(generation(call)); }

void HostSource::shut_down() { events_.close(); }

std::vector<std::string> HostSource::names(const Call& /*call*/) {
  const auto known = projects();
  if (known->failure) throw Error(*known->failure);
  std::vector<std::string> out;
  for (const ExploredProject& one : known->list) out.push_back(one.name);
  return out;
}

std::shared_ptr<const View> HostSource::view(const Call& /*call*/, const std::string& name,
                                             const std::string& revision) {
  const auto known = projects();
  const ExploredProject& project = known->find(name);
  if (project.failure) throw Error(*project.failure);
  const std::string& at = revision.empty() ? settings_.at : revision;
  const std::string key = name + '\n' + at;
  const std::scoped_lock lock(known->mutex);
  const auto made = std::ranges::find(known->views, key, &std::pair<std::string, std::shared_ptr<const View>>::first);
  if (made != known->views.end()) {
    known->views.splice(known->views.begin(), known->views, made);
    return known->views.front().second;
  }
  const analysis::State state =
      analysis::kept(project.state_of(at), settings_.engine, {.folder = settings_.folder, .limits = project.limits});
  auto out =
      std::make_shared<const View>(ViewForm{.name = name,
                                            .verb = project.verb,
                                            .question = project.question,
                                            .state = state,
                                            .folder = settings_.folder,
                                            .root = project.folder,
                                            .revision = revision,
                                            .generation = known->generation,
                                            .limits = project.limits,
                                            .is_assumed = project.is_assumed,
                                            .words = project.words,
                                            .words_of = project.words_of,
                                            .executor = settings_.executor,
                                            .keeper = {},
                                            .tell = [this](const Progress& progress) { events_.tell(progress); }});
  known->views.emplace_front(key, out);
  if (known->views.size() > kMostRevisions + known->list.size()) known->views.pop_back();
  return out;
}

std::string HostSource::verb_of(const Call& /*call*/, const std::string& name) { return projects()->find(name).verb; }

std::optional<Excerpt> HostSource::place_of(const Call& /*call*/, const std::string& name) {
  return projects()->find(name).place;
}

std::int64_t HostSource::generation(const Call& /*call*/) {
  const std::scoped_lock lock(mutex_);
  return generation_;
}

std::string HostSource::commit_of(const Call& /*call*/, const std::string& name, const std::string& revision) {
  const auto known = projects();
  const ExploredProject& project = known->find(name);
  if (project.repository.empty()) return {};
  const std::string& at = revision.empty() ? settings_.at : revision;
  try {
    return revision_id(at.empty() ? "HEAD" : at, project.repository);
  } catch (const Error&) {
    if (at.empty()) return {};  // Nothing is committed yet.
    throw;
  }
}

std::unique_ptr<GitHistory> HostSource::history(const Call& call, const std::string& name,
                                                const std::string& revision) {
  const std::string commit = commit_of(call, name, revision);
  return commit.empty() ? nullptr
                        : std::make_unique<GitHistory>(commit, std::string(), projects()->find(name).repository);
}

std::vector<std::string> HostSource::references(const Call& /*call*/, const std::string& name) {
  const auto known = projects();
  const std::string& repository = known->find(name).repository;
  return repository.empty() ? std::vector<std::string>() : git_references(repository);
}

bool HostSource::is_writable(const Call& /*call*/, const std::string& /*name*/) {
  return settings_.writes && settings_.at.empty();
}

void HostSource::write(const Call& /*call*/, const View& view, const std::string& path,
                       const std::optional<std::string>& before, const std::string& text) {
  write_files({{.path = path, .before = before, .after = text}},
              std::make_shared<const FileBounds>(std::vector{view.form().root}, std::vector<std::string>()));
  look_again();
}

}  // namespace strata::service::explore
