// SPDX-License-Identifier: Apache-2.0
#include "service/sites/sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <utility>

#include "analysis/secret_texts.hpp"
#include "service/changes.hpp"
#include "service/core.hpp"
#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "service/memory.hpp"
#include "service/operation/log.hpp"
#include "service/operation/metrics.hpp"
#include "service/sites/site_settings.hpp"
#include "store/secret_blobs.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"

namespace strata::service::sites {
namespace {

constexpr std::chrono::seconds kSourceInterval{2};
constexpr std::chrono::milliseconds kShortOfMemory{100};
constexpr std::chrono::milliseconds kGitInterval{200};  ///< Requests look at a repository no more often.
constexpr std::string_view kConfiguredProject = "default";

Error broken(const std::string& name, const Diagnostic& why) {
  Diagnostic what = why;
  what.message = fmt::format("the site '{}' is broken: {}", name, why.message);
  what.code = "site.broken";
  return Error(std::move(what));
}

Error unknown(const std::string& name) { return Error("site.unknown", fmt::format("unknown site '{}'", name)); }

/// Why a state must not take the place of one with other files. No value: it may.
std::optional<Diagnostic> why_broken(const SiteState& state, const FileTree& before) {
  try {
    return state.unreadable_file(before);
  } catch (const Error& error) {
    if (error.gives_up()) return std::nullopt;  // The next request gets the error.
    return error.diagnostic();
  }
}

std::shared_ptr<const FileTree> tree_of(Files files) {
  return std::shared_ptr<const FileTree>(memory_tree(std::move(files)));
}

SiteForm site_form(const store::Site& site, const std::string& project) {
  return {.name = site.name, .dialect = site.dialect, .options = site.options, .project = project};
}

Files files_of(store::Transaction& transaction, const store::Keyring& keys, const store::Project& project,
               const store::SiteTree& tree) {
  std::vector<store::BlobId> ids;
  for (const store::TreeFile& file : tree.files) ids.push_back(file.text);
  const auto texts = store::get_secret_blobs(transaction, keys, project, ids);
  Files out;
  for (const store::TreeFile& file : tree.files) out.emplace(file.path, texts.at(file.text));
  return out;
}

void wake_all(const std::vector<std::weak_ptr<const std::function<void()>>>& wakes) {
  for (const auto& one : wakes) {
    if (const Wake wake = one.lock()) (*wake)();
  }
}

}  // namespace

std::shared_ptr<const SiteState> state_of(const Site& site) {
  if (site.failure && !site.is_stale) throw broken(site.form.name, *site.failure);
  if (site.state == nullptr)
    throw Error("site.empty", fmt::format("the site '{}' has no files", site.form.name)).hint("PUT …/tree");
  return site.state;
}

Sites::Sites(Core& core, Log& log, SiteState::Ground ground, const std::vector<SiteSettings>& sources,
             std::vector<std::string> repositories)
    : core_(core), log_(log), ground_(std::move(ground)), repositories_(std::move(repositories)) {
  for (const SiteSettings& source : sources) {
    auto watched = std::make_shared<Watched>(std::string(kConfiguredProject), source);
    look(*watched, true);
    configured_.emplace(Key(watched->project(), watched->name()), std::move(watched));
  }
  core_.changes().listen([this](const std::string& project, const store::Change& change) {
    if (change.kind == "node") return tell(project, change.target.substr(0, change.target.find('/')));
    if (change.kind != "site") return;
    {
      const std::scoped_lock lock(mutex_);
      const Key key(project, change.target);
      told_[key] = change.number;
      stored_.erase(key);
      const auto found = uploads_.find(key);
      if (found != uploads_.end() && found->second.site.generation != change.generation) uploads_.erase(found);
    }
    tell(project, change.target);
  });
  thread_ = std::thread([this] { follow(); });
}

Sites::Kept Sites::watched(const std::string& project, const std::string& name) const {
  for (const auto* all : {&configured_, &stored_}) {
    if (const auto found = all->find({project, name}); found != all->end()) return found->second;
  }
  return nullptr;
}

std::vector<Sites::Kept> Sites::all_watched() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Kept> out;
  for (const auto* all : {&configured_, &stored_}) {
    for (const auto& [key, one] : *all) out.push_back(one);
  }
  return out;
}

bool Sites::is_configured(const std::string& project, const std::string& name) const {
  return configured_.contains({project, name});
}

/// Looks at the sources of sites: at folders when something in them changes, at all of them from time to time.
void Sites::follow() {
  const auto listen_to = [this](const Watched& watched) {
    if (!watched.is_git()) folders_.follow(watched.name(), watched.folder());
  };
  as_soon_as_memory_allows([&] {
    for (const Kept& watched : all_watched()) listen_to(*watched);
  });
  auto next = std::chrono::steady_clock::now();  // Changes before the first listener are found now.
  const auto turn = [&] {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - std::chrono::steady_clock::now());
    const std::set<std::string> changed = left.count() > 0 ? folders_.wait(left) : std::set<std::string>();
    if (is_over_) return;
    const bool is_time = std::chrono::steady_clock::now() >= next;
    for (const Kept& watched : all_watched()) {
      const bool is_changed = !watched->is_git() && changed.contains(watched->name());
      if (!is_time && !is_changed) continue;
      if (is_changed) listen_to(*watched);
      look(*watched, true);
    }
    if (is_time) next = std::chrono::steady_clock::now() + kSourceInterval;
  };
  // Where one found no memory, what changed is found when it is time again.
  while (!is_over_) {
    if (!if_memory_allows(turn)) next = std::min(next, std::chrono::steady_clock::now() + kShortOfMemory);
  }
}

Sites::~Sites() {
  is_over_ = true;
  folders_.wake();
  if (thread_.joinable()) thread_.join();
}

void Sites::look(Watched& watched, bool waits) {
  const std::unique_lock reading =
      waits ? std::unique_lock(watched.reading) : std::unique_lock(watched.reading, std::try_to_lock);
  if (!reading.owns_lock()) return;
  std::int64_t generation = 0;
  {
    const std::scoped_lock lock(mutex_);
    generation = watched.site.generation + 1;
  }
  std::shared_ptr<const SiteState> before;
  if (watched.keeps_last_good()) {
    const std::scoped_lock lock(mutex_);
    before = watched.site.state;
  }
  std::optional<Site> next = watched.read(generation, ground_);
  if (!next) return;
  // A state that could not be read before is not better now: then each node reports its error.
  if (before != nullptr && next->state != nullptr) {
    next->failure = why_broken(*next->state, before->tree());
    if (next->failure) next->state = nullptr;
  }
  {
    const std::scoped_lock lock(mutex_);
    if (next->failure && watched.site.failure && next->failure->message == watched.site.failure->message) return;
    if (next->failure) {
      const Diagnostic& why = *next->failure;
      log_.write("error", "site.broken",
                 {{"site", std::string_view(watched.name())},
                  {"message", std::string_view(why.message)},
                  {"hint", std::string_view(why.hint)}});
    }
    if (next->failure && watched.keeps_last_good() && watched.site.state) {
      watched.site.failure = std::move(next->failure);
      watched.site.is_stale = true;
      return;
    }
    watched.site = *std::move(next);
  }
  tell(watched.project(), watched.name());
}

void Sites::listen(Listener listener) {
  const std::scoped_lock lock(mutex_);
  listeners_.push_back(std::move(listener));
}

void Sites::tell(const std::string& project, const std::string& site) {
  std::vector<Listener> all;
  Waiting woken;
  {
    const std::scoped_lock lock(mutex_);
    all = listeners_;
    ++tellings_[{project, site}];
    if (auto found = waiting_.extract({project, site})) woken = std::move(found.mapped());
  }
  wake_all(woken.wakes);
  for (const Listener& listener : all) listener(project, site);
}

Site Sites::load(store::Transaction& transaction, const store::Project& project, const store::Site& site) {
  constexpr std::int64_t kMostTried = 10;
  Site out{.form = site_form(site, project.name),
           .kind = site.kind,
           .generation = site.generation,
           .number = project.last_change};
  out.settings_tag = settings_tag(site);
  const auto keys = core_.store().keys(false);
  const auto read = [&](std::int64_t generation) -> std::optional<Diagnostic> {
    const auto tree = store::find_tree(transaction, project, site.name, generation);
    // One whose files were all deleted is as one that never had any.
    if (!tree || tree->files.empty()) return std::nullopt;
    Files files = files_of(transaction, *keys, project, *tree);
    const std::size_t bytes = bytes_of(files);
    try {
      const auto state = std::make_shared<const SiteState>(out.form, generation, std::string(),
                                                           tree_of(std::move(files)), ground_, bytes);
      state->check_nodes();
      out.state = state;
    } catch (const Error& error) {
      if (error.gives_up()) throw;
      return error.diagnostic();
    }
    return std::nullopt;
  };
  out.failure = read(site.generation);
  if (!settings_of(site).keep_last_good) return out;
  static const auto nothing = std::shared_ptr<const FileTree>(memory_tree({}));
  const auto newest = std::exchange(out.state, nullptr);
  if (newest != nullptr) out.failure = why_broken(*newest, *nothing);
  // As it was before it broke.
  for (std::int64_t i = 1; out.failure && i <= kMostTried && i < site.generation && out.state == nullptr; ++i) {
    (void)read(site.generation - i);
    if (newest != nullptr && out.state != nullptr && why_broken(*out.state, *nothing)) out.state = nullptr;
  }
  out.is_stale = out.state != nullptr;
  if (out.is_stale || newest == nullptr) return out;
  // It was never better: each node tells what is wrong with it.
  out.state = newest;
  out.failure.reset();
  return out;
}

std::vector<Site> Sites::list(const Call& call) {
  std::map<std::string, Site> out;
  core_.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out.clear();
    if (project == nullptr) return;
    for (const store::Site& one : store::sites(transaction, *project)) {
      if (is_of_store(one))
        out.emplace(one.name,
                    Site{.form = site_form(one, call.project), .kind = one.kind, .generation = one.generation});
    }
  });
  const std::scoped_lock lock(mutex_);
  for (auto& [name, site] : out) {
    if (const auto known = uploads_.find({call.project, name}); known != uploads_.end()) site = known->second.site;
    if (const auto known = stored_.find({call.project, name}); known != stored_.end()) site = known->second->site;
  }
  for (const auto& [key, watched] : configured_) {
    if (key.first == call.project) out.insert_or_assign(key.second, watched->site);
  }
  std::vector<Site> sites;
  sites.reserve(out.size());
  for (auto& [name, site] : out) sites.push_back(std::move(site));
  return sites;
}

Site Sites::find(const Call& call, const std::string& name) { return find(call.project, name, deadline_of(call.stop)); }

Site Sites::find(const std::string& project_name, const std::string& name, store::Deadline deadline) {
  Kept repository;
  {
    const std::scoped_lock lock(mutex_);
    repository = watched(project_name, name);
    if (repository != nullptr && !repository->is_git()) return repository->site;
    if (const auto found = uploads_.find({project_name, name}); repository == nullptr && found != uploads_.end())
      return used(found->second);
  }
  if (repository != nullptr) {
    if (repository->is_due(kGitInterval)) look(*repository, false);
    const std::scoped_lock lock(mutex_);
    return repository->site;
  }
  std::optional<Site> out;
  std::optional<store::Site> row;
  std::int64_t number = 0;
  core_.store().read(
      [&](store::Transaction& transaction) {
        out.reset();
        row.reset();
        const auto project = store::find_project(transaction, project_name);
        if (!project) return;
        // Others were of a configuration, and keep their nodes.
        row = store::find_site(transaction, *project, name);
        number = project->last_change;
        if (row && row->kind == kUpload) out = load(transaction, *project, *row);
      },
      {.deadline = deadline});
  if (row && row->kind != kUpload && is_of_store(*row)) return watch(project_name, *row, number);
  if (!out) throw unknown(name);
  const std::scoped_lock lock(mutex_);
  // A state that was read before a change announced meanwhile is not kept.
  if (const auto told = told_.find({project_name, name}); told != told_.end() && told->second > out->number)
    return *out;
  const auto [kept, is_new] = uploads_.try_emplace({project_name, name});
  if (is_new || kept->second.site.number < out->number) kept->second.site = *out;
  (void)used(kept->second);
  trim(kept->first);
  return *out;
}

const Site& Sites::used(Upload& upload) const {
  upload.used = ++uses_;
  return upload.site;
}

/// Evicts uploads that have not been used for a while, if memory is short; not the one that is
/// used now.
void Sites::trim(const Key& now) {
  while (ground_.usage->trim(ground_.engine->usage().bytes) && uploads_.size() > 1) {
    auto oldest = uploads_.end();
    for (auto at = uploads_.begin(); at != uploads_.end(); ++at) {
      if (at->first != now && (oldest == uploads_.end() || at->second.used < oldest->second.used)) oldest = at;
    }
    const std::size_t before = static_cast<std::size_t>(ground_.usage->states);
    uploads_.erase(oldest);
    if (static_cast<std::size_t>(ground_.usage->states) == before) return;  // Somebody uses it: it goes later.
  }
}

Site Sites::watch(const std::string& project, const store::Site& site, std::int64_t number) {
  Kept kept = std::make_shared<Watched>(project, settings_of(site), settings_tag(site), repositories_);
  {
    const std::scoped_lock lock(mutex_);
    const Key key(project, site.name);
    // A state that was read before a change announced meanwhile is not kept.
    const auto told = told_.find(key);
    if (told == told_.end() || told->second <= number) kept = stored_.try_emplace(key, kept).first->second;
  }
  // Whoever asks while another one reads it for the first time waits.
  if (kept->is_due(kGitInterval)) {
    look(*kept, true);
  } else {
    const std::scoped_lock reading(kept->reading);
  }
  const std::scoped_lock lock(mutex_);
  return kept->site;
}

std::shared_ptr<const SiteState> Sites::upload_state(const std::string& project_name, const std::string& name,
                                                     std::int64_t generation, store::Deadline deadline) {
  std::optional<Site> out;
  core_.store().read(
      [&](store::Transaction& transaction) {
        out.reset();
        const auto project = store::find_project(transaction, project_name);
        if (!project) return;
        auto site = store::find_site(transaction, *project, name);
        if (!site || site->kind != kUpload) return;
        site->generation = generation;
        out = load(transaction, *project, *site);
      },
      {.deadline = deadline});
  return out ? out->state : nullptr;
}

std::shared_ptr<const SiteState> Sites::peek(const std::string& project, const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  if (const Kept found = watched(project, name)) {
    // Who asks a repository now has to look at it.
    return found->is_git() && !found->is_fresh(kGitInterval) ? nullptr : found->site.state;
  }
  const auto found = uploads_.find({project, name});
  return found == uploads_.end() ? nullptr : used(found->second).state;
}

std::shared_ptr<const SiteState> Sites::state(const Call& call, const std::string& name) {
  return state_of(find(call, name));
}

std::uint64_t Sites::told(const std::string& project, const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = tellings_.find({project, name});
  return found == tellings_.end() ? 0 : found->second;
}

bool Sites::when_told(const std::string& project, const std::string& name, std::uint64_t told, const Wake& wake) {
  constexpr std::size_t kOften = 64;
  {
    const std::scoped_lock lock(mutex_);
    if (is_ending_) return false;
    const auto found = tellings_.find({project, name});
    if (found == tellings_.end() || found->second == told) {
      Waiting& waiting = waiting_[{project, name}];
      waiting.wakes.push_back(wake);
      if (waiting.wakes.size() >= waiting.cleared_at) {
        std::erase_if(waiting.wakes, [](const auto& one) { return one.expired(); });
        waiting.cleared_at = std::max(kOften, 2 * waiting.wakes.size());
      }
      return true;
    }
  }
  (*wake)();
  return true;
}

std::shared_ptr<const SiteState> Sites::earlier_state(const Call& call, const std::string& name,
                                                      const std::string& which) {
  const Site site = find(call, name);
  if (site.state && (which == std::to_string(site.state->generation()) || which == site.state->commit()))
    return site.state;
  Tree tree = this->tree(call, name, which);
  try {
    return std::make_shared<const SiteState>(site.form, tree.generation, std::move(tree.commit), std::move(tree.files),
                                             ground_, tree.bytes);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    throw broken(name, error.diagnostic());
  }
}

void Sites::shut_down() {
  std::map<Key, Waiting> woken;
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    woken = std::exchange(waiting_, {});
  }
  for (const auto& [key, waiting] : woken) wake_all(waiting.wakes);
}

Tree Sites::tree(const Call& call, const std::string& name, const std::string& which) {
  const Site site = find(call, name);
  const auto unknown_generation = [&] {
    return Error("site.no-generation", fmt::format("'{}' has no generation '{}' any more, or not yet", name, which))
        .hint("the last 50 of an upload are kept; of a repository, any revision");
  };
  const bool is_present =
      which.empty() || which == std::to_string(site.generation) || (site.state && which == site.state->commit());
  // Also of a site that is broken, or has no files any more, the files can be looked at: they say why.
  const bool is_broken = site.state == nullptr && site.generation != 0;
  if (is_present && !is_broken) {
    const auto state = state_of(site);
    return {.files = state->shared_tree(), .generation = state->generation(), .commit = state->commit()};
  }
  if (site.kind == kUpload) {
    std::int64_t number = site.generation;
    const char* const end = which.data() + which.size();
    const auto [stopped, wrong] = std::from_chars(which.data(), end, number);
    if (!is_present && (wrong != std::errc() || stopped != end)) throw unknown_generation();
    std::optional<Files> files;
    const auto keys = core_.store().keys(false);
    core_.read(call, [&](store::Transaction& transaction, const store::Project* project) {
      files.reset();
      if (project == nullptr) return;
      const auto tree = store::find_tree(transaction, *project, name, number);
      if (tree) files = files_of(transaction, *keys, *project, *tree);
    });
    if (!files) throw unknown_generation();
    const std::size_t bytes = bytes_of(*files);
    return {.files = tree_of(*std::move(files)), .generation = number, .bytes = bytes};
  }
  try {
    const Kept kept = [&] {
      const std::scoped_lock lock(mutex_);
      return watched(call.project, name);
    }();
    if (kept == nullptr) throw unknown_generation();
    const bool is_folder = is_present && !kept->is_git();
    const std::string commit = is_folder ? std::string() : revision_id(is_present ? kept->ref() : which, kept->place());
    const std::unique_ptr<FileTree> tree = is_folder ? closed_tree(kept->folder()) : git_tree(commit, kept->place());
    Files files = read_files(*tree, ".");
    const std::size_t bytes = bytes_of(files);
    return {.files = tree_of(std::move(files)), .commit = commit, .bytes = bytes};
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw unknown_generation().because(error);
  }
}

std::shared_ptr<const SiteState> Sites::changed_state(const Call& call, const std::string& name,
                                                      const Changes& changes) {
  const Tree present = tree(call, name, {});
  check_folders(*present.files, changes);
  Files files;
  for (const std::string& path : paths_of(*present.files)) {
    if (auto text = present.files->read("/" + path)) files.emplace(path, *std::move(text));
  }
  for (const auto& [path, text] : changes) {
    if (text) {
      files.insert_or_assign(path, *text);
    } else {
      files.erase(path);
    }
  }
  const std::size_t bytes = bytes_of(files);
  return std::make_shared<const SiteState>(find(call, name).form, present.generation, present.commit,
                                           tree_of(std::move(files)), ground_, bytes);
}

std::shared_ptr<const analysis::SecretTexts> Sites::secret_texts(const Call& call, const std::string& name,
                                                                 const Tree& tree) {
  const Site site = find(call, name);
  if (site.state != nullptr && site.state->shared_tree() == tree.files)
    return {site.state, &site.state->secret_texts()};
  return secret_texts_of(site.form, *tree.files, ground_.limits);
}

std::optional<GitPlace> Sites::place_of(const Call& call, const std::string& name) {
  (void)find(call, name);
  const std::scoped_lock lock(mutex_);
  const Kept found = watched(call.project, name);
  return found == nullptr ? std::nullopt : std::optional(found->place());
}

std::optional<std::int64_t> Sites::stale(const std::string& project, const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const Kept found = watched(project, name);
  const auto upload = uploads_.find({project, name});
  const Site* site = found != nullptr ? &found->site : upload != uploads_.end() ? &upload->second.site : nullptr;
  if (site == nullptr || !site->is_stale) return std::nullopt;
  return site->state->generation();
}

void Sites::note_stale(const std::string& project, const std::string& name, Response& response) const {
  if (const auto generation = stale(project, name)) response.headers.set("Strata-Stale", std::to_string(*generation));
}

std::vector<Site> Sites::configured() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Site> out;
  for (const auto& [key, watched] : configured_) out.push_back(watched->site);
  return out;
}

std::vector<std::string> Sites::broken_sites(bool with_stale) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [key, watched] : configured_) {
    if (watched->site.failure && (with_stale || !watched->site.is_stale)) out.push_back(key.second);
  }
  return out;
}

void Sites::append_metrics(std::string& out) const {
  append_metric_head(out, "strata_site_generation", "gauge", "Generation of a site of the configuration.");
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [key, watched] : configured_) {
      out += fmt::format("strata_site_generation{{site={}}} {}\n", metric_label(key.second), watched->site.generation);
    }
  }
  ground_.usage->append_to(out, ground_.engine->usage().bytes);
}

void Sites::refresh(const Call& call, const std::string& name) {
  (void)find(call, name);
  Kept found;
  {
    const std::scoped_lock lock(mutex_);
    found = watched(call.project, name);
  }
  if (found != nullptr) look(*found, true);
}

}  // namespace strata::service::sites
