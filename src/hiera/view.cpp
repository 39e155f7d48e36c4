#include "view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "environment_conf.hpp"
#include "lua_backend.hpp"
#include "pathname.hpp"

namespace strata::hiera::detail {
namespace {

constexpr std::string_view kDefaultEnvironment = "production";

/// What a module may be called: nothing that leads elsewhere.
bool is_module_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

DirectoryState::DirectoryState(Settings given, std::shared_ptr<const FileTree> from, Sources& all_sources, const Limits& all_limits)
    : settings(std::move(given)),
      tree(std::move(from)),
      sources(all_sources),
      limits(all_limits),
      files(tree, sources, limits, settings),
      keys(settings),
      scripts(*this) {
  if (settings.codedir.empty()) return;
  const std::string& name = settings.environment;
  const std::string folder = join_path(settings.codedir, "environments/" + name);
  if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.') || tree->kind(folder) != FileKind::folder) {
    // The environment that there is by default need not be there.
    if (name == kDefaultEnvironment) {
      module_path = {join_path(settings.codedir, "modules")};
      return;
    }
    throw Error("hiera.environment", fmt::format("Could not find a directory environment named '{}'", name))
        .hint(fmt::format("there is no folder {}", folder));
  }
  environment_folder = folder;
  module_path = read_module_path(*tree, sources, settings.codedir, folder, name);
}

std::string DirectoryState::module_folder(std::string_view name) const {
  if (!is_module_name(name)) return {};
  for (const std::string& folder : module_path) {
    std::string path = join_path(folder, name);
    if (tree->kind(path) == FileKind::folder) return path;
  }
  return {};
}

std::vector<std::string> DirectoryState::module_names() const {
  std::vector<std::string> out;
  for (const std::string& folder : module_path) {
    for (const std::string& name : tree->list(folder)) {
      if (is_module_name(name) && tree->kind(join_path(folder, name)) == FileKind::folder) out.push_back(name);
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const std::vector<std::string>& DirectoryState::all_modules() {
  std::call_once(modules_listed, [this] { listed_modules = module_names(); });
  return listed_modules;
}

bool DirectoryState::has_config(ConfigSlot& slot, const std::string& path) const {
  std::call_once(slot.looked, [&] { slot.exists = tree->kind(path) != FileKind::none; });
  return slot.exists;
}

ViewState::ViewState(std::shared_ptr<DirectoryState> state, Sources& texts, Facts given, Diagnostics& where, merge::Recorder& recording)
    : directory(std::move(state)),
      sources(texts),
      number(++directory->views),
      facts(std::move(given)),
      scope(facts, directory->settings.environment, arena),
      diagnostics(where),
      recorder(recording),
      made_by_functions(std::make_shared<Arena>()),
      loader(lua_functions(*directory, made_by_functions)) {
  lasting = std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(directory, made_by_functions);
}

namespace {

std::string merge_name(std::string_view key, const MergeOptions& options) {
  return fmt::format("{}\n{}{}\n{}\n{}", to_string(options.kind), options.sort_merged_arrays ? 's' : '-', options.merge_hash_arrays ? 'm' : '-', key,
                     options.knockout_prefix.value_or(""));
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

void ViewState::warn_about_variable(const std::string& name, const Diagnostic& warning) {
  if (warned_variables_.insert(name).second) diagnostics.warn(warning);
}

namespace {

/// Reads a layer's configuration, for the first node that asks.
std::shared_ptr<const Config> config_of(DirectoryState& directory, ConfigSlot& slot, LayerKind kind, const std::string& path) {
  std::call_once(slot.read, [&] {
    const ConfigContext context{.sources = directory.sources, .limits = directory.limits, .settings = directory.settings, .layer = kind};
    slot.config = read_config(context, path, path.empty() ? std::nullopt : directory.tree->read(path), slot.told);
  });
  return slot.config;
}

}  // namespace

void ViewState::resolve(Layer& layer) { hiera::resolve(layer, scope, directory->files, arena); }

Layer* ViewState::global() {
  if (!global_known_) {
    const Settings& settings = directory->settings;
    std::string path = settings.hiera_config.value_or("");
    if (!settings.hiera_config && !settings.codedir.empty()) path = join_path(settings.codedir, "hiera.yaml");
    auto layer = std::make_unique<Layer>();
    layer->config = config_of(*directory, directory->global, LayerKind::global, path);
    for (const Diagnostic& warning : directory->global.told.warnings()) diagnostics.warn(warning);
    global_ = std::move(layer);
    global_known_ = true;
  }
  return global_.get();
}

Layer* ViewState::environment() {
  if (!environment_known_) {
    if (!directory->environment_folder.empty()) {
      const std::string path = join_path(directory->environment_folder, "hiera.yaml");
      if (directory->has_config(directory->environment, path)) {
        auto layer = std::make_unique<Layer>();
        layer->kind = LayerKind::environment;
        layer->config = config_of(*directory, directory->environment, LayerKind::environment, path);
        for (const Diagnostic& warning : directory->environment.told.warnings()) diagnostics.warn(warning);
        if (layer->config) environment_ = std::move(layer);
      }
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
  const std::string folder = directory->module_folder(name);
  found = !folder.empty();
  std::unique_ptr<Layer> layer;
  const std::string path = found ? join_path(folder, "hiera.yaml") : "";
  std::shared_ptr<ConfigSlot> slot;
  if (found) {
    const std::lock_guard lock(directory->mutex);
    auto& shared = directory->modules[std::string(name)];
    if (!shared) shared = std::make_shared<ConfigSlot>();
    slot = shared;
  }
  if (slot && directory->has_config(*slot, path)) {
    layer = std::make_unique<Layer>();
    layer->kind = LayerKind::module;
    layer->module = name;
    layer->config = config_of(*directory, *slot, LayerKind::module, path);
    for (const Diagnostic& warning : slot->told.warnings()) diagnostics.warn(warning);
    if (!layer->config) layer.reset();
  }
  return modules_.emplace(std::string(name), Module{.is_there = found, .layer = std::move(layer)}).first->second.layer.get();
}

}  // namespace strata::hiera::detail
