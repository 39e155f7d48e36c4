#include "service/sites/sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "service/changes.hpp"
#include "service/core.hpp"
#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "service/operation/log.hpp"
#include "service/operation/metrics.hpp"
#include "store/blobs.hpp"
#include "store/encoding.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"

namespace strata::service::sites {
namespace {

constexpr std::chrono::seconds kInterval{2};
constexpr std::string_view kConfiguredProject = "default";
constexpr std::string_view kUpload = "upload";
constexpr std::int64_t kFileMode = 0644;

/// What a folder looks like from outside: it changes with each file.
std::string look_of(const std::string& folder) {
  std::string out;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    const auto time = at->last_write_time(ignored).time_since_epoch().count();
    out += fmt::format("{} {} {}\n", at->path().string(), time, at->is_regular_file(ignored) ? at->file_size(ignored) : 0);
  }
  return out;
}

Error broken(const std::string& name, const Diagnostic& why) {
  Diagnostic what = why;
  what.message = fmt::format("the site '{}' is broken: {}", name, why.message);
  what.code = "site.broken";
  return Error(std::move(what));
}

Error unknown(const std::string& name) { return Error("site.unknown", fmt::format("there is no site '{}'", name)); }

std::string tag_of(std::int64_t generation) { return fmt::format("\"{}\"", generation); }

std::shared_ptr<const FileTree> tree_of(Files files) { return std::shared_ptr<const FileTree>(memory_tree(std::move(files))); }

SiteForm form_of(const store::Site& site) { return {.name = site.name, .dialect = site.dialect, .options = site.options}; }

Files files_of(store::Transaction& transaction, const store::SiteTree& tree) {
  std::vector<store::BlobId> ids;
  for (const store::TreeFile& file : tree.files) ids.push_back(file.text);
  const auto texts = store::get_blobs(transaction, ids);
  Files out;
  for (const store::TreeFile& file : tree.files) out.emplace(file.path, texts.at(file.text));
  return out;
}

/// Whether a write may be done to what is there, or is not. Errors (Refused): 412, and 428 where the configuration demands `If-Match`.
void check_conditions(const Call& call, const std::optional<std::string>& tag, bool demands) {
  const auto refuse = [&tag](unsigned status, std::string code, std::string message) {
    Refusal out{.status = status, .code = std::move(code), .message = std::move(message), .hint = "", .type = "", .headers = {}};
    if (tag) out.headers.add("ETag", *tag);
    throw Refused(std::move(out));
  };
  const std::string* expected = call.request.headers.find("If-Match");
  if (expected != nullptr && (!tag || (*expected != "*" && !has_tag(*expected, *tag)))) {
    refuse(412, "request.precondition", tag ? fmt::format("it is {}, not {}", *tag, *expected) : std::string("it is not there"));
  }
  const std::string* unwanted = call.request.headers.find("If-None-Match");
  if (unwanted != nullptr && tag && (*unwanted == "*" || has_tag(*unwanted, *tag))) refuse(412, "request.precondition", "it is there already");
  if (demands && expected == nullptr && tag) {
    refuse(428, "request.if-match", "a change of what is there needs If-Match");
  }
}

Response described(const Site& site, unsigned status) {
  Arena arena;
  MappingBuilder out(arena);
  out.insert("name", arena.text(site.form.name));
  out.insert("dialect", arena.text(site.form.dialect));
  out.insert("kind", arena.text(site.kind));
  out.insert("generation", Value::integer(site.generation));
  Response response = json_response(out.finish(), status);
  response.headers.set("ETag", tag_of(site.generation));
  return response;
}

}  // namespace

std::shared_ptr<const SiteState> state_of(const Site& site) {
  if (site.failure && !site.is_stale) throw broken(site.form.name, *site.failure);
  if (site.state == nullptr) throw Error("site.empty", fmt::format("the site '{}' has no files yet", site.form.name)).hint("PUT …/tree");
  return site.state;
}

/// A site of the configuration, and how its source was when it was read.
struct Sites::Watched {
  SiteSettings source;
  SiteForm form;
  std::mutex looking;     ///< Held while the source is read.
  std::string look = {};  ///< Of the last reading.
  Files files = {};
  std::shared_ptr<const FileTree> base = {};
  Edits edits = {};  ///< Since `base`.
  Site site = {};    ///< Guarded by Sites::mutex_.
};

Sites::Sites(Core& core, Log& log, SiteState::Ground ground, std::vector<SiteSettings> sources) : core_(core), log_(log), ground_(std::move(ground)) {
  for (SiteSettings& source : sources) {
    auto watched = std::make_unique<Watched>();
    watched->form = {.name = source.name, .dialect = source.dialect, .options = source.options};
    watched->source = std::move(source);
    watched->site = {.form = watched->form, .kind = watched->source.ref.empty() ? "path" : "git"};
    look(*watched);
    watched_.emplace(watched->form.name, std::move(watched));
  }
  core_.changes().listen([this](const std::string& project, const store::Change& change) {
    if (change.kind == "node") return tell(project, change.target.substr(0, change.target.find('/')));
    if (change.kind != "site") return;
    {
      const std::scoped_lock lock(mutex_);
      told_[{project, change.target}] = change.number;
      const auto found = uploads_.find({project, change.target});
      if (found != uploads_.end() && found->second.generation != change.generation) uploads_.erase(found);
    }
    tell(project, change.target);
  });
  if (watched_.empty()) return;
  thread_ = std::thread([this] { follow(); });
}

/// Looks at the sources of sites: at folders when something in them changes, at all of them from time to time.
void Sites::follow() {
  const auto listen_to = [this](const Watched& watched) {
    if (watched.source.ref.empty()) folders_.follow(watched.form.name, watched.source.path);
  };
  for (const auto& [name, watched] : watched_) listen_to(*watched);
  auto next = std::chrono::steady_clock::now();  // What changed before somebody listened is found now.
  while (!is_over_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - std::chrono::steady_clock::now());
    const std::set<std::string> changed = left.count() > 0 ? folders_.wait(left) : std::set<std::string>();
    if (is_over_) return;
    const bool is_time = std::chrono::steady_clock::now() >= next;
    for (const auto& [name, watched] : watched_) {
      if (!is_time && !changed.contains(name)) continue;
      if (changed.contains(name)) listen_to(*watched);
      look(*watched);
    }
    if (is_time) next = std::chrono::steady_clock::now() + kInterval;
  }
}

Sites::~Sites() {
  is_over_ = true;
  folders_.wake();
  if (thread_.joinable()) thread_.join();
}

void Sites::look(Watched& watched) {
  const std::scoped_lock looking(watched.looking);
  Site next = {.form = watched.form, .kind = watched.source.ref.empty() ? "path" : "git"};
  {
    const std::scoped_lock lock(mutex_);
    next.generation = watched.site.generation + 1;
  }
  try {
    const bool is_git = !watched.source.ref.empty();
    const std::string now = is_git ? revision_id(watched.source.ref, watched.source.path) : look_of(watched.source.path);
    if (now == watched.look) return;
    const std::unique_ptr<FileTree> tree = is_git ? git_tree(now, watched.source.path) : closed_tree(watched.source.path);
    Files files = read_files(*tree, ".");
    watched.look = now;
    if (watched.base == nullptr) {
      watched.base = tree_of(files);
    } else {
      bool differs = false;
      for (const auto& [path, text] : files) {
        const auto before = watched.files.find(path);
        if (before != watched.files.end() && before->second == text) continue;
        watched.edits["/" + path] = text;
        differs = true;
      }
      for (const auto& [path, text] : watched.files) {
        if (files.contains(path)) continue;
        watched.edits["/" + path] = std::nullopt;
        differs = true;
      }
      if (!differs && !is_git) return;
    }
    watched.files = std::move(files);
    const auto current = watched.edits.empty() ? watched.base : edited_tree(watched.base, watched.edits, "/");
    next.state = std::make_shared<const SiteState>(watched.form, next.generation, is_git ? now : std::string(), current, ground_);
  } catch (const Error& error) {
    next.failure = error.diagnostic();
    watched.look.clear();
  }
  next.number = store::now();
  {
    const std::scoped_lock lock(mutex_);
    if (next.failure && watched.site.failure && next.failure->message == watched.site.failure->message) return;
    if (next.failure) {
      log_.write("error", "site.broken", {{"site", std::string_view(next.form.name)}, {"message", std::string_view(next.failure->message)}});
    }
    next.number = std::max(next.number, watched.site.number + 1);  // Also where the clock was set back.
    if (next.failure && watched.source.keep_last_good && watched.site.state) {
      watched.site.failure = std::move(next.failure);
      watched.site.is_stale = true;
      return;
    }
    watched.site = std::move(next);
  }
  tell(std::string(kConfiguredProject), watched.form.name);
}

void Sites::listen(Listener listener) {
  const std::scoped_lock lock(mutex_);
  listeners_.push_back(std::move(listener));
}

void Sites::tell(const std::string& project, const std::string& site) {
  std::vector<Listener> all;
  {
    const std::scoped_lock lock(mutex_);
    all = listeners_;
    ++tellings_[{project, site}];
  }
  telling_.notify_all();
  for (const Listener& listener : all) listener(project, site);
}

Site Sites::load(store::Transaction& transaction, const store::Project& project, const store::Site& site) {
  Site out{.form = form_of(site), .kind = site.kind, .generation = site.generation, .number = project.last_change};
  const auto tree = store::find_tree(transaction, project, site.name, site.generation);
  if (!tree) return out;
  Files files = files_of(transaction, *tree);
  try {
    out.state = std::make_shared<const SiteState>(out.form, site.generation, std::string(), tree_of(std::move(files)), ground_);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    out.failure = error.diagnostic();
  }
  return out;
}

std::vector<Site> Sites::list(const Call& call) {
  std::map<std::string, Site> out;
  core_.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out.clear();
    if (project == nullptr) return;
    for (const store::Site& one : store::sites(transaction, *project)) {
      if (one.kind == kUpload) out.emplace(one.name, Site{.form = form_of(one), .kind = one.kind, .generation = one.generation});
    }
  });
  const std::scoped_lock lock(mutex_);
  for (auto& [name, site] : out) {
    if (const auto known = uploads_.find({call.project, name}); known != uploads_.end()) site = known->second;
  }
  if (call.project == kConfiguredProject) {
    for (const auto& [name, watched] : watched_) out.insert_or_assign(name, watched->site);
  }
  std::vector<Site> sites;
  sites.reserve(out.size());
  for (auto& [name, site] : out) sites.push_back(std::move(site));
  return sites;
}

Site Sites::find(const Call& call, const std::string& name) { return find(call.project, name, deadline_of(call.stop)); }

Site Sites::find(const std::string& project_name, const std::string& name, store::Deadline deadline) {
  {
    const std::scoped_lock lock(mutex_);
    if (project_name == kConfiguredProject) {
      if (const auto found = watched_.find(name); found != watched_.end()) return found->second->site;
    }
    if (const auto found = uploads_.find({project_name, name}); found != uploads_.end()) return found->second;
  }
  std::optional<Site> out;
  core_.store().read(
      [&](store::Transaction& transaction) {
        out.reset();
        const auto project = store::find_project(transaction, project_name);
        if (!project) return;
        // Others were of a configuration, and keep their nodes.
        const auto site = store::find_site(transaction, *project, name);
        if (site && site->kind == kUpload) out = load(transaction, *project, *site);
      },
      {.deadline = deadline});
  if (!out) throw unknown(name);
  const std::scoped_lock lock(mutex_);
  // What was read before a change that was told meanwhile is not kept.
  if (const auto told = told_.find({project_name, name}); told != told_.end() && told->second > out->number) return *out;
  const auto [kept, is_new] = uploads_.try_emplace({project_name, name}, *out);
  if (!is_new && kept->second.number < out->number) kept->second = *out;
  return *out;
}

std::shared_ptr<const SiteState> Sites::earlier_state(const std::string& project_name, const std::string& name, std::int64_t generation,
                                                      store::Deadline deadline) {
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
  if (project == kConfiguredProject) {
    if (const auto found = watched_.find(name); found != watched_.end()) return found->second->site.state;
  }
  const auto found = uploads_.find({project, name});
  return found == uploads_.end() ? nullptr : found->second.state;
}

std::shared_ptr<const SiteState> Sites::state(const Call& call, const std::string& name) { return state_of(find(call, name)); }

std::uint64_t Sites::told(const std::string& project, const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = tellings_.find({project, name});
  return found == tellings_.end() ? 0 : found->second;
}

bool Sites::wait(const std::string& project, const std::string& name, std::uint64_t told, const Stop& stop) const {
  constexpr std::chrono::milliseconds kLook{250};  // Whether the request was given up.
  const auto is_told = [&] {
    const auto found = tellings_.find({project, name});
    return found != tellings_.end() && found->second != told;
  };
  std::unique_lock lock(mutex_);
  while (!is_told()) {
    if (is_ending_ || stop.is_cancelled() || Stop::Clock::now() >= stop.deadline()) return false;
    telling_.wait_until(lock, std::min(stop.deadline(), Stop::Clock::now() + kLook));
  }
  return true;
}

std::shared_ptr<const SiteState> Sites::earlier_state(const Call& call, const std::string& name, const std::string& which) {
  const Site site = find(call, name);
  if (site.state && (which == std::to_string(site.state->generation()) || which == site.state->commit())) return site.state;
  Tree tree = this->tree(call, name, which);
  return std::make_shared<const SiteState>(site.form, tree.generation, std::move(tree.commit), std::move(tree.files), ground_);
}

void Sites::shut_down() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  telling_.notify_all();
}

Tree Sites::tree(const Call& call, const std::string& name, const std::string& which) {
  const Site site = find(call, name);
  const auto unknown_generation = [&] {
    return Error("site.no-generation", fmt::format("'{}' has no generation '{}' any more, or not yet", name, which))
        .hint("the last 50 of an upload are kept; of a repository, any revision; of a folder, the present one");
  };
  if (which.empty() || which == std::to_string(site.generation) || (site.state && !which.empty() && which == site.state->commit())) {
    const auto state = state_of(site);
    return {.files = state->shared_tree(), .generation = state->generation(), .commit = state->commit()};
  }
  if (site.kind == kUpload) {
    std::int64_t number = 0;
    const char* const end = which.data() + which.size();
    const auto [stopped, wrong] = std::from_chars(which.data(), end, number);
    if (wrong != std::errc() || stopped != end) throw unknown_generation();
    std::optional<Files> files;
    core_.read(call, [&](store::Transaction& transaction, const store::Project* project) {
      files.reset();
      if (project == nullptr) return;
      const auto tree = store::find_tree(transaction, *project, name, number);
      if (tree) files = files_of(transaction, *tree);
    });
    if (!files) throw unknown_generation();
    return {.files = tree_of(*std::move(files)), .generation = number};
  }
  std::string repository;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = watched_.find(name); found != watched_.end() && !found->second->source.ref.empty())
      repository = found->second->source.path;
  }
  if (repository.empty()) throw unknown_generation();
  try {
    const std::string commit = revision_id(which, repository);
    const std::unique_ptr<FileTree> tree = git_tree(commit, repository);
    return {.files = tree_of(read_files(*tree, ".")), .commit = commit};
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw unknown_generation().because(error);
  }
}

std::string Sites::folder_of(const Call& call, const std::string& name) {
  if (call.project == kConfiguredProject) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = watched_.find(name); found != watched_.end()) return found->second->source.path;
  }
  (void)find(call, name);
  return {};
}

std::shared_ptr<const SiteState> Sites::state_at(const Call& call, const std::string& name, const std::string& revision) {
  const std::string folder = folder_of(call, name);
  if (folder.empty()) throw Error("git.no-repository", fmt::format("the site '{}' is an upload: it has no revisions", name));
  const Site site = find(call, name);
  const std::string id = revision_id(revision, folder);
  try {
    return std::make_shared<const SiteState>(site.form, site.generation, id, tree_of(read_files(*git_tree(id, folder), ".")), ground_);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    throw broken(name, error.diagnostic());
  }
}

Response Sites::put(const Call& call, const SiteForm& form) {
  (void)verb_of(form.dialect);
  {
    const std::scoped_lock lock(mutex_);
    if (call.project == kConfiguredProject && watched_.contains(form.name)) {
      throw Error("site.fixed", fmt::format("the site '{}' is one of the configuration", form.name));
    }
  }
  Response out = core_.write(call, [&](Writing& writing) {
    const auto before = store::find_site(writing.transaction, writing.project, form.name);
    check_conditions(call, before && before->kind == kUpload ? std::optional(tag_of(before->generation)) : std::nullopt, false);
    store::Site site{.name = form.name, .dialect = form.dialect, .kind = "upload", .options = form.options};
    if (before) site.generation = before->generation;
    store::put_site(writing.transaction, writing.project, site);
    // The next number for those who keep it in memory: its options may be others.
    writing.note("site", form.name, -1);
    return described({.form = form, .kind = "upload", .generation = site.generation}, before ? 200 : 201);
  });
  return out;
}

Response Sites::write_tree(const Call& call, const std::string& name, const std::string& message,
                           const std::function<std::map<std::string, store::TreeFile>(store::Transaction&, const store::Project&,
                                                                                      const std::map<std::string, store::TreeFile>&)>& change) {
  return core_.write(call, [&](Writing& writing) {
    const auto site = store::find_site(writing.transaction, writing.project, name);
    if (!site) throw unknown(name);
    check_conditions(call, site->generation == 0 ? std::nullopt : std::optional(tag_of(site->generation)), call.core.settings().requires_if_match);
    std::map<std::string, store::TreeFile> before;
    if (const auto tree = store::find_tree(writing.transaction, writing.project, name, site->generation)) {
      for (const store::TreeFile& file : tree->files) before.emplace(file.path, file);
    }
    const std::map<std::string, store::TreeFile> after = change(writing.transaction, writing.project, before);
    Site out{.form = form_of(*site), .kind = site->kind, .generation = site->generation};
    if (after == before && site->generation != 0) return described(out, 200);
    if (after.size() > kMostFiles) throw Error("site.large", fmt::format("a site has at most {} files", kMostFiles));
    store::SiteTree tree{.generation = site->generation, .author = call.request.principal.name, .message = message};
    for (const auto& [path, file] : after) tree.files.push_back(file);
    if (!store::add_tree(writing.transaction, writing.project, name, tree)) throw unknown(name);
    writing.note("site", name, tree.generation);
    out.generation = tree.generation;
    return described(out, 201);
  });
}

Response Sites::put_files(const Call& call, const std::string& name, Files files, const std::string& message) {
  std::vector<std::string_view> texts;
  for (const auto& [path, text] : files) texts.push_back(text);
  return write_tree(call, name, message, [&](store::Transaction& transaction, const store::Project&, const auto& /*before*/) {
    const std::vector<store::BlobId> ids = store::put_blobs(transaction, texts);
    std::map<std::string, store::TreeFile> out;
    std::size_t at = 0;
    for (const auto& [path, text] : files) out.emplace(path, store::TreeFile{.path = path, .mode = kFileMode, .text = ids[at++]});
    return out;
  });
}

Response Sites::change_files(const Call& call, const std::string& name, const std::map<std::string, std::optional<std::string>>& changes,
                             const std::string& message) {
  std::vector<std::string_view> texts;
  for (const auto& [path, text] : changes) {
    if (text) texts.push_back(*text);
  }
  return write_tree(call, name, message, [&](store::Transaction& transaction, const store::Project&, const auto& before) {
    const std::vector<store::BlobId> ids = store::put_blobs(transaction, texts);
    std::map<std::string, store::TreeFile> out = before;
    std::size_t at = 0;
    for (const auto& [path, text] : changes) {
      if (text) {
        out.insert_or_assign(path, store::TreeFile{.path = path, .mode = kFileMode, .text = ids[at++]});
      } else {
        out.erase(path);
      }
    }
    return out;
  });
}

std::optional<std::int64_t> Sites::stale(const std::string& project, const std::string& name) const {
  if (project != kConfiguredProject) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  const auto found = watched_.find(name);
  if (found == watched_.end() || !found->second->site.is_stale) return std::nullopt;
  return found->second->site.generation;
}

void Sites::append_metrics(std::string& out) const {
  append_metric_head(out, "strata_site_generation", "gauge", "Generation of a site of the configuration.");
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [name, watched] : watched_) {
      out += fmt::format("strata_site_generation{{site={}}} {}\n", metric_label(name), watched->site.generation);
    }
  }
  ground_.usage->append_to(out);
}

void Sites::refresh(const Call& call, const std::string& name) {
  Watched* watched = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = watched_.find(name);
    if (call.project == kConfiguredProject && found != watched_.end()) watched = found->second.get();
  }
  if (watched != nullptr) look(*watched);
}

}  // namespace strata::service::sites
