// SPDX-License-Identifier: Apache-2.0
#include "view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "environment_conf.hpp"
#include "lua_backend.hpp"
#include "lua_context.hpp"
#include "module_metadata.hpp"
#include "pathname.hpp"
#include "ruby/ruby.hpp"
#include "strata/found_file.hpp"
#include "strata/host.hpp"

namespace strata::hiera::detail {

namespace {

constexpr std::string_view kDefaultEnvironment = "production";

/// What a module may be called: nothing that leads elsewhere.
bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// Puppet does not take folders with other names for modules.
bool is_module_name(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && std::ranges::all_of(name, is_name_character);
}

bool is_environment_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return is_name_character(c) || (c >= 'A' && c <= 'Z'); });
}

Settings with_keys(Settings settings, Snapshot& snapshot) {
  const Host* host = snapshot.settings().host;
  if (const KeyFiles* files = host == nullptr ? nullptr : host->key_files()) {
    settings.private_key = files->private_key;
    settings.public_key = files->public_key;
    settings.read_key = files->read;
    return settings;
  }
  if (settings.keys_in_tree)
    settings.read_key = [&snapshot](const std::string& path) { return snapshot.tree().read(path); };
  return settings;
}

}  // namespace

DirectoryState::DirectoryState(Settings given, Snapshot& of_snapshot)
    : settings(with_keys(std::move(given), of_snapshot)),
      snapshot(of_snapshot),
      texts(snapshot.engine().locations(), snapshot.settings().folder),
      keys(settings),
      script_context(texts.add(kScriptContext, std::string(context_script()))) {
  const FileTree& tree = snapshot.tree();
  const std::string& name = settings.environment;
  if (!settings.environment_root.empty()) {
    environment_folder = settings.environment_root;
    if (tree.kind(environment_folder) != FileKind::folder)
      throw Error("hiera.environment", "there is no such folder").in(environment_folder);
    set_module_path();
    return;
  }
  if (settings.codedir.empty()) return;
  const std::string folder = join_path(settings.codedir, "environments/" + name);
  if (!is_environment_name(name) || tree.kind(folder) != FileKind::folder) {
    // The default environment need not exist.
    if (name == kDefaultEnvironment) {
      module_path = {join_path(settings.codedir, "modules")};
      return;
    }
    throw Error("hiera.environment", fmt::format("Could not find a directory environment named '{}'", name))
        .hint(is_environment_name(name) ? fmt::format("the folder {} does not exist", folder)
                                        : std::string("Puppet takes names of letters, digits and _"));
  }
  environment_folder = folder;
  set_module_path();
}

void DirectoryState::set_module_path() {
  ModulePath read = read_module_path(snapshot.tree(), texts, settings.codedir, environment_folder, settings.maps);
  module_path = std::move(read.folders);
  module_path_has_globs = read.has_globs;
  warnings = std::move(read.warnings);
  if (settings.compat != Compat::openvox9) data_provider = std::move(read.data_provider);  // No setting any more.
}

std::string DirectoryState::module_folder(std::string_view name) const {
  if (!is_module_name(name)) return {};
  for (const std::string& folder : module_path) {
    std::string path = join_path(folder, name);
    if (snapshot.tree().kind(path) == FileKind::folder) return path;
  }
  return {};
}

std::vector<std::string> DirectoryState::asked_files() const {
  std::vector<std::string> out;
  if (settings.hiera_config) out.push_back(*settings.hiera_config);  // Also one that is missing.
  if (!settings.codedir.empty()) {
    out.push_back(settings.codedir);
    out.push_back(join_path(settings.codedir, "hiera.yaml"));
  }
  if (!environment_folder.empty()) {
    out.push_back(environment_folder);
    for (const char* name : {"environment.conf", "hiera.yaml"}) out.push_back(join_path(environment_folder, name));
  } else if (!settings.codedir.empty()) {
    out.push_back(join_path(settings.codedir, "environments/" + settings.environment));
  }
  return out;
}

const std::vector<std::string>& DirectoryState::modules() {
  modules_listed_.call([this] { modules_ = folders_in(snapshot.tree(), module_path, is_module_name); });
  return modules_;
}

DirectoryState& DirectoryState::of(const Settings& settings, Snapshot& snapshot) {
  // What the host gives is the same for all who have it, and nothing for the others.
  std::string name = fmt::format(
      "{}\n{}\n{}\n{}{}\n{}\n{}{}{}{}{}{}{}", settings.codedir, settings.environment, settings.environment_root,
      settings.hiera_config ? '+' : '-', settings.hiera_config.value_or(""), settings.working_folder,
      static_cast<int>(settings.compat), settings.share_files, settings.masks_locked,
      static_cast<bool>(settings.environment_variable), static_cast<bool>(settings.read_key), settings.keys_in_tree,
      settings.server_facts == nullptr ? "" : ruby::inspect(settings.server_facts->values));
  for (const MappedFolder& one : settings.maps) name += fmt::format("\n{}\n{}", one.from, one.to);
  return snapshot.part<DirectoryState>(name, [&] { return std::make_shared<DirectoryState>(settings, snapshot); });
}

ViewState::ViewState(DirectoryState& of_directory, Session& of_session, Facts given,
                     std::shared_ptr<const void> results_keep)
    : directory(of_directory),
      session(of_session),
      sources(session.sources()),
      number(++directory.views),
      files(session, directory.settings, directory.shared_paths, number),
      files_ahead(files),
      facts(std::move(given)),
      scope(facts,
            {.environment = directory.settings.environment,
             .codedir = directory.settings.codedir,
             .compat = directory.settings.compat,
             .server_facts = directory.settings.server_facts.get()},
            arena),
      diagnostics(session.diagnostics()),
      recorder(session.recorder()),
      limits(session.limits()),
      stop(limits.stop),
      made_by_functions(std::make_shared<Arena>()),
      loader(lua_functions(directory, session, made_by_functions)) {
  if (recorder.keeps()) {
    // Histories tell of the variables that texts were made from.
    session.keep(own_arena);
    if (facts.arena) session.keep(facts.arena);
    if (directory.settings.server_facts) session.keep(directory.settings.server_facts);
  }
  lasting = std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
      std::move(results_keep), made_by_functions);
}

namespace {

std::string merge_name(std::string_view key, const MergeOptions& options) {
  return fmt::format("{}\n{}{}\n{}\n{}", to_string(options.kind), options.sort_merged_arrays ? 's' : '-',
                     options.merge_hash_arrays ? 'm' : '-', key, options.knockout_prefix.value_or(""));
}

}  // namespace

const Remembered* ViewState::remembered(std::string_view key, const MergeChoice* merge) const {
  const Memory& memory = merge == nullptr ? by_key_ : by_merge_;
  const auto known = merge == nullptr ? memory.find(key) : memory.find(merge_name(key, merge->options));
  return known == memory.end() ? nullptr : &known->second;
}

void ViewState::remember(std::string_view key, const MergeChoice* merge, Remembered found) {
  if (merge == nullptr) {
    by_key_.emplace(key, std::move(found));
  } else {
    by_merge_.emplace(merge_name(key, merge->options), std::move(found));
  }
}

void ViewState::forget() noexcept {
  by_key_.clear();
  by_merge_.clear();
}

namespace {

/// Whether no location of a hierarchy, all of them opened, has a root key.
bool all_lack(const Layer& layer, const std::vector<ResolvedEntry>& entries, std::string_view root_key) {
  return layer.is_resolved && std::ranges::all_of(entries, [&](const ResolvedEntry& entry) {
           return std::ranges::all_of(entry.locations, [&](const Location& at) {
             return !at.exists || (at.source != nullptr && at.source->lacks(root_key));
           });
         });
}

}  // namespace

bool ViewState::lacks(std::string_view root_key) {
  constexpr int kLegacy = 3;  // Its lookups see other layers within themselves.
  const std::size_t colons = root_key.find("::");
  if (colons == 0 || !environment_known_ || global_ == nullptr || global_->config->version == kLegacy) return false;
  const std::string_view module = colons == std::string_view::npos ? std::string_view() : root_key.substr(0, colons);
  // Options can be wrong, which a lookup tells whether the key is there or not.
  const auto about = options.find(module);
  if (about == options.end() || about->second->find(root_key)) return false;
  stop.tick();
  if (!all_lack(*global_, global_->entries, root_key)) return false;
  if (environment_ && !all_lack(*environment_, environment_->entries, root_key)) return false;
  if (module.empty()) return true;
  const auto own = modules_.find(module);
  if (own == modules_.end()) return false;
  const Layer* layer = own->second.layer.get();
  return layer == nullptr ||
         (all_lack(*layer, layer->entries, root_key) && all_lack(*layer, layer->default_entries, root_key));
}

std::shared_ptr<Arena> ViewState::fresh_arena() {
  if (last_arena_ && last_arena_.use_count() == 1) {
    // Another thread may have let go of the result.
    std::atomic_thread_fence(std::memory_order_acquire);
    last_arena_->clear();
  } else {
    last_arena_ = std::make_shared<Arena>();
  }
  return last_arena_;
}

void ViewState::warn_once(const void* about, const Diagnostic& warning) {
  if (warned_.insert(about).second) diagnostics.warn(warning);
}

std::string DirectoryState::sibling_of(const std::string& path, const FileTree& tree) {
  constexpr std::size_t kMost = 10'000;
  const std::lock_guard lock(siblings_mutex_);
  const auto known = siblings_.find(path);
  if (known != siblings_.end()) return known->second;
  if (siblings_.size() >= kMost) return {};
  return siblings_.emplace(path, near_sibling(tree, path)).first->second;
}

bool ViewState::is_news(const std::string& name) {
  constexpr std::size_t kMost = 100'000;
  std::set<std::string>& known = told != nullptr ? *told : warned_names_;
  return known.size() < kMost && known.insert(name).second;
}

void ViewState::warn_about(const std::string& name, const Diagnostic& warning) {
  if (is_news(name)) diagnostics.warn(warning);
}

namespace {

/// A configuration as all nodes find it.
struct SharedConfig {
  std::shared_ptr<const Config> config;  ///< Null: the layer does not take part.
  Diagnostics told;
};

/// The configuration of a layer, in a file that need not exist. The view gets its warnings.
std::shared_ptr<const Config> config_of(ViewState& view, LayerKind kind, const std::string& path) {
  const Settings& settings = view.directory.settings;
  const FileReader<SharedConfig> reader = [&](Sources& texts, SourceId source, const Limits& limits) {
    auto out = std::make_shared<SharedConfig>();
    try {
      out->config = read_config({.sources = texts, .limits = limits, .settings = settings, .layer = kind}, path, source,
                                out->told);
    } catch (const Error&) {
      for (const Diagnostic& warning : out->told.warnings()) view.diagnostics.warn(warning);
      throw;
    }
    const std::size_t bytes = out->config ? out->config->arena->bytes() : 0;
    return Reading<SharedConfig>{.parsed = std::move(out), .bytes = bytes};
  };
  // Versions 3 and 4 say where data are by what the settings say.
  const std::string form = fmt::format("{} {}\n{}\n{}", static_cast<int>(kind), static_cast<int>(settings.compat),
                                       settings.codedir, settings.working_folder);
  const auto shared = path.empty() ? nullptr : view.session.read<SharedConfig>(path, form, reader);
  if (!shared) return no_config(path);
  for (const Diagnostic& warning : shared->told.warnings()) view.diagnostics.warn(warning);
  return shared->config;
}

/// The configuration of a layer below the global one, null if the layer does not take part. A data provider of Puppet 4
/// says where data come from unless a hiera.yaml of version 5 does.
std::shared_ptr<const Config> config_below(ViewState& view, LayerKind kind, const std::string& path,
                                           const std::optional<DataProvider>& provider) {
  const bool has_file = view.session.tree().kind(path) != FileKind::none;
  std::shared_ptr<const Config> config = has_file ? config_of(view, kind, path) : nullptr;
  if (!provider) return config;
  constexpr int kNewest = 5;
  Diagnostic told = provider->told;
  const auto warn = [&](std::string_view message, std::string hint) {
    told.message += message;
    told.hint = std::move(hint);
    view.warn_about("data provider " + path, told);
  };
  if (config && config->version >= kNewest) {
    warn(" is deprecated, and ignored beside a hiera.yaml of version 5", "remove it");
    return config;
  }
  if (provider->name == "none") {
    warn(" is deprecated: it gives no data", "remove it, and the hiera.yaml if there is one");
    return nullptr;
  }
  if (provider->name == "hiera") {
    warn(" is deprecated", "write a hiera.yaml of version 5");
    return has_file ? config : built_in_config(path);
  }
  if (provider->name == "function") {
    warn(" asks a function for data, which strata cannot: there are none",
         "write what it returns into data files, and a hiera.yaml of version 5");
    return nullptr;
  }
  told.message += " names no data provider";
  told.hint = "write a hiera.yaml of version 5";
  throw Error(told);
}

}  // namespace

void ViewState::resolve(Layer& layer) {
  hiera::resolve(layer, scope, files, arena,
                 [this](const std::string& key, std::string_view text, Origin at) { warn_about_path(key, text, at); });
  if (layer.told_of_files) return;
  layer.told_of_files = true;
  if (&layer == global_.get()) warn_about_maps(layer);
  warn_about_folders(layer);
  warn_about_outside(layer);
  warn_about_near_files(layer);
}

Layer* ViewState::global() {
  if (!global_known_) {
    const Settings& settings = directory.settings;
    if (!settings.codedir.empty() && session.tree().kind(settings.codedir) != FileKind::folder) {
      const Error error = Error("hiera.codedir", "there is no such code directory")
                              .in(settings.codedir)
                              .hint("say where it is with --codedir DIR");
      warn_about("codedir", error.diagnostic());
    }
    if (settings.hiera_config && session.tree().kind(*settings.hiera_config) == FileKind::none) {
      const Error error = Error("hiera.no-config", "there is no such hiera.yaml: the global layer has no data")
                              .in(*settings.hiera_config)
                              .hint("say where it is with --hiera-config FILE");
      warn_about("hiera_config", error.diagnostic());
    }
    for (const Diagnostic& warning : directory.warnings) warn_about("modulepath " + warning.message, warning);
    std::string path = settings.hiera_config.value_or("");
    if (!settings.hiera_config && !settings.codedir.empty()) path = join_path(settings.codedir, "hiera.yaml");
    auto layer = std::make_unique<Layer>();
    layer->config = config_of(*this, LayerKind::global, path);
    global_ = std::move(layer);
    global_known_ = true;
  }
  return global_.get();
}

Layer* ViewState::environment() {
  if (!environment_known_) {
    if (!directory.environment_folder.empty()) {
      const std::string path = join_path(directory.environment_folder, "hiera.yaml");
      auto layer = std::make_unique<Layer>();
      layer->kind = LayerKind::environment;
      layer->config = config_below(*this, LayerKind::environment, path, directory.data_provider);
      if (layer->config) environment_ = std::move(layer);
    }
    environment_known_ = true;
  }
  return environment_.get();
}

Layer* ViewState::module(std::string_view name, bool& found) {
  const auto known = modules_.find(name);
  if (known != modules_.end()) {
    found = known->second.is_there;
    return known->second.layer.get();
  }
  const std::string folder = directory.module_folder(name);
  found = !folder.empty();
  std::optional<DataProvider> provider;
  if (found) {
    const auto metadata = read_module_metadata(session, folder, name, directory.settings.compat);
    if (metadata->warning) diagnostics.warn(*metadata->warning);
    found = metadata->is_module;
    provider = metadata->data_provider;
  }
  std::unique_ptr<Layer> layer;
  if (found) {
    layer = std::make_unique<Layer>();
    layer->kind = LayerKind::module;
    layer->module = name;
    layer->config = config_below(*this, LayerKind::module, join_path(folder, "hiera.yaml"), provider);
    if (!layer->config) layer.reset();
  }
  return modules_.emplace(std::string(name), Module{.is_there = found, .layer = std::move(layer)})
      .first->second.layer.get();
}

}  // namespace strata::hiera::detail
