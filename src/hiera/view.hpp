// SPDX-License-Identifier: Apache-2.0
// The state of a code directory and of a node's view of it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "affected.hpp"
#include "data_file.hpp"
#include "data_provider.hpp"
#include "data_source.hpp"
#include "eyaml_source.hpp"
#include "files_ahead.hpp"
#include "layer.hpp"
#include "lookup_options.hpp"
#include "merge_choice.hpp"
#include "scope.hpp"
#include "strata/hiera.hpp"
#include "strata/session.hpp"
#include "strata/stop.hpp"
#include "value/once_flag.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera::detail {

/// State that the nodes of one Snapshot share. One per Settings. Thread-safe.
struct DirectoryState {
  /// Errors: `hiera.environment`, `hiera.environment-conf`.
  DirectoryState(Settings given, Snapshot& of_snapshot);

  Settings settings;
  Snapshot& snapshot;
  Sources texts;  ///< Texts that are not files.
  SharedPaths shared_paths;
  KeyRing keys;
  std::string environment_folder;                  ///< Empty without environments.
  std::vector<std::string> module_path;            ///< Absolute folders.
  bool module_path_has_globs = false;              ///< They depend on which folders there are.
  std::vector<Diagnostic> warnings;                ///< Of its environment.
  std::optional<DataProvider> data_provider = {};  ///< Of its environment.
  /// strata's own script, which makes the `context` of calls. Its file name in places is kScriptContext.
  SourceId script_context;

  /// The instance in a Snapshot.
  [[nodiscard]] static DirectoryState& of(const Settings& settings, Snapshot& snapshot);
  /// The folder of a module. Empty if no module has the name.
  [[nodiscard]] std::string module_folder(std::string_view name) const;
  /// What making it, and the configurations of its layers outside modules, asked the tree for.
  [[nodiscard]] std::vector<std::string> asked_files() const;
  /// The names of the modules, in byte order. The folders are listed once.
  [[nodiscard]] const std::vector<std::string>& modules();
  /// As near_sibling, with each result kept. After 10,000 paths, which only data folders with variables can be, others
  /// have none. Thread-safe.
  [[nodiscard]] std::string sibling_of(const std::string& path, const FileTree& tree);
  std::atomic<std::uint64_t> views = 0;  ///< The number of views so far.

 private:
  void set_module_path();

  OnceFlag modules_listed_;
  std::vector<std::string> modules_;
  std::mutex siblings_mutex_;
  std::map<std::string, std::string> siblings_;  ///< By path.
};

/// Keeps a result alive: its own nodes, remembered results that it shares, and the files.
struct Keepalive {
  std::shared_ptr<const void> nodes;
  std::vector<std::shared_ptr<const void>> used;
  std::shared_ptr<const void> lasting;  ///< ViewState::lasting.
};

/// What a lookup found.
struct Remembered {
  Value value;                            ///< Absent if the key is not found.
  std::shared_ptr<const void> keepalive;  ///< Null if the key is not found.
};

struct ViewState {
  /// `lasting`: what must outlive the view for a result, besides values made by functions.
  ViewState(DirectoryState& of_directory, Session& of_session, Facts given, std::shared_ptr<const void> results_keep);

  DirectoryState& directory;
  Session& session;
  Sources& sources;
  std::uint64_t number;  ///< Of the view within its directory, from 1.
  DataFiles files;
  FilesAhead files_ahead;
  std::shared_ptr<Arena> own_arena = std::make_shared<Arena>();
  Arena& arena = *own_arena;  ///< For values with the lifetime of the view, and their histories.
  std::shared_ptr<Arena> options_arena =
      std::make_shared<Arena>();  ///< For `options`, which the views of one fleet share.
  Facts facts;
  Scope scope;
  Diagnostics& diagnostics;
  merge::Recorder& recorder;
  const Limits& limits;
  merge::LayerId facts_layer = merge::kNoLayer;
  StopCheck stop;  ///< For all lookups.
  /// What must outlive the view for a result: the directory and values made by functions. Reference-counted per view:
  /// if each result counted the users of the directory, threads would wait for each other.
  std::shared_ptr<const void> lasting;
  std::shared_ptr<Arena>
      made_by_functions;  ///< Values made by users' functions. Lives as long as the view and the results that use it.
  FunctionLoader loader;

  /// A layer. Null if it does not take part. Errors: those of the shape of its configuration.
  Layer* global();
  Layer* environment();
  /// Makes a layer's entries once. Errors: those of the variables in its configuration.
  void resolve(Layer& layer);
  /// `found` receives whether the module exists.
  Layer* module(std::string_view name, bool& found);

  std::set<std::string>* told = nullptr;  ///< Warnings given by the views of one fleet. Null: not shared.

  // `lookup_options`, as far as they were needed.
  struct Known {
    bool is_known = false;
    Value value;  ///< A mapping, or absent.
  };
  Known global_options;
  Known environment_options;
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>> options;  ///< By module; "" outside modules.
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>>
      default_options;  ///< For default hierarchies.

  /// With a history: the keys of options in the data, by the locations of their values.
  std::unordered_map<std::uint32_t, Origin> option_keys;

  // Results of lookups, for repeated lookups. Histories and explanations are not kept.
  /// Null if nothing is known yet. `merge`: null for keys that are merged as the data say.
  [[nodiscard]] const Remembered* remembered(std::string_view key, const MergeChoice* merge) const;
  void remember(std::string_view key, const MergeChoice* merge, Remembered found);
  void forget() noexcept;
  /// As NodeView::lacks.
  [[nodiscard]] bool lacks(std::string_view root_key);

  /// An arena for one lookup: the last one if its result is no longer in use.
  [[nodiscard]] std::shared_ptr<Arena> fresh_arena();

  /// Warns once per view.
  void warn_once(const void* about, const Diagnostic& warning);
  /// Warns once per view, or once for all views that share `told`, by `name`. If there are very many names, only for
  /// the first ones.
  void warn_about(const std::string& name, const Diagnostic& warning);
  /// Whether no warning about `name` was given before. From now on it counts as given.
  [[nodiscard]] bool is_news(const std::string& name);
  /// Warns about members of lookup_options without effect. `said`: a mapping, or absent.
  void warn_about_options(const Value& said);
  /// Warns about an expression in hiera.yaml that is not closed or names a variable that the node does not have.
  void warn_about_path(const std::string& key, std::string_view text, Origin at);

 private:
  void warn_about_outside(const Layer& layer);
  void warn_about_folders(const Layer& layer);
  void warn_about_folder(const Layer& layer, const ResolvedEntry& resolved, bool is_template);
  void warn_about_maps(const Layer& layer);
  [[nodiscard]] bool may_be_in_module(std::string_view path);
  void warn_about_near_files(const Layer& layer);
  void warn_about_near_file(const Layer& layer, const ResolvedEntry& entry, const Location& location, bool is_plain);

  bool global_known_ = false;
  bool environment_known_ = false;
  std::unique_ptr<Layer> global_;
  std::unique_ptr<Layer> environment_;
  struct Module {
    bool is_there = false;
    std::unique_ptr<Layer> layer;
  };
  std::map<std::string, Module, std::less<>> modules_;
  using Memory = TextMap<Remembered>;
  Memory by_key_;
  Memory by_merge_;  ///< By key and merge behaviour: merge_name.
  std::shared_ptr<Arena> last_arena_;
  std::set<const void*> warned_;
  std::set<std::string> warned_names_;
};

}  // namespace strata::hiera::detail
