// What a code directory and a node's view of it hold.
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

#include "data_file.hpp"
#include "data_source.hpp"
#include "eyaml_source.hpp"
#include "layer.hpp"
#include "lookup_options.hpp"
#include "merge_choice.hpp"
#include "scope.hpp"
#include "strata/hiera.hpp"
#include "strata/session.hpp"
#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera::detail {

/// What the nodes of one Snapshot share: one for each Settings. Thread-safe.
struct DirectoryState {
  /// Errors: `hiera.environment`.
  DirectoryState(Settings given, Snapshot& of_snapshot);

  Settings settings;
  Snapshot& snapshot;
  Sources texts;  ///< Of what belongs to no file.
  SharedPaths shared_paths;
  KeyRing keys;
  std::string environment_folder;        ///< Empty where there are no environments.
  std::vector<std::string> module_path;  ///< Absolute folders.
  SourceId script_context;               ///< strata's own script, which makes the `context` of calls. Its places are called kScriptContext.

  /// The one of a Snapshot.
  [[nodiscard]] static DirectoryState& of(const Settings& settings, Snapshot& snapshot);
  /// The folder of a module; empty where there is none of the name.
  [[nodiscard]] std::string module_folder(std::string_view name) const;
  /// Names of the modules, in byte order. The folders are read once.
  [[nodiscard]] const std::vector<std::string>& modules();
  std::atomic<std::uint64_t> views = 0;  ///< How many there were.

 private:
  std::once_flag modules_listed_;
  std::vector<std::string> modules_;
};

/// What keeps a result alive: its own nodes, what it shares with results that were remembered, and the files.
struct Keepalive {
  std::shared_ptr<const void> nodes;
  std::vector<std::shared_ptr<const void>> used;
  std::shared_ptr<const void> lasting;  ///< ViewState::lasting.
};

/// What a lookup found.
struct Remembered {
  Value value;                            ///< Absent where the key is not found.
  std::shared_ptr<const void> keepalive;  ///< Null where the key is not found.
};

struct ViewState {
  /// `lasting`: what outlives the view where a result needs it, beside what functions made.
  ViewState(DirectoryState& of_directory, Session& of_session, Facts given, std::shared_ptr<const void> results_keep);

  DirectoryState& directory;
  Session& session;
  Sources& sources;
  std::uint64_t number;  ///< Of the view within its directory, from 1.
  DataFiles files;
  std::shared_ptr<Arena> own_arena = std::make_shared<Arena>();
  Arena& arena = *own_arena;                                         ///< Of what lives as long as the view, and the histories that tell of it.
  std::shared_ptr<Arena> options_arena = std::make_shared<Arena>();  ///< Of what `options` hold, which views of one fleet share.
  Facts facts;
  Scope scope;
  Diagnostics& diagnostics;
  merge::Recorder& recorder;
  const Limits& limits;
  merge::LayerId facts_layer = merge::kNoLayer;
  /// What outlives the view where a result needs it.
  StopCheck stop;  ///< Of all lookups.
  /// What outlives the view where a result needs it: the directory and what functions made. Counted for this view alone: threads that counted the
  /// directory's users with each result would wait for each other.
  std::shared_ptr<const void> lasting;
  std::shared_ptr<Arena> made_by_functions;  ///< What users' functions made: lives as long as the view, and the results that hold it.
  FunctionLoader loader;

  /// A layer; null where it does not take part. Errors: those of the shape of its configuration.
  Layer* global();
  Layer* environment();
  /// Makes a layer's entries, unless they are there. Errors: those of the variables in its configuration.
  void resolve(Layer& layer);
  /// `found` tells whether the module is there at all.
  Layer* module(std::string_view name, bool& found);

  std::set<std::string>* told = nullptr;  ///< What views of one fleet were warned of, one after the other; null: nothing is shared.

  // What `lookup_options` say, as far as somebody has asked.
  struct Known {
    bool is_known = false;
    Value value;  ///< A mapping, or absent.
  };
  Known global_options;
  Known environment_options;
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>> options;          ///< By module; "" outside modules.
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>> default_options;  ///< Of default hierarchies.

  // What lookups have found, so that asking again costs nothing. Neither histories nor explanations are remembered.
  /// Null pointer where nothing is known yet. `merge`: null for keys that are merged as the data says.
  [[nodiscard]] const Remembered* remembered(std::string_view key, const MergeChoice* merge) const;
  void remember(std::string_view key, const MergeChoice* merge, Remembered found);
  void forget() noexcept;
  /// As NodeView::lacks.
  [[nodiscard]] bool lacks(std::string_view root_key);

  /// An arena for one lookup: the last one's where nobody holds its result any more.
  [[nodiscard]] std::shared_ptr<Arena> fresh_arena();

  /// Warns once a view.
  void warn_once(const void* about, const Diagnostic& warning);
  /// Warns once a view, or once of all views that share `told`, of what `name` stands for; of very many of them, of the first ones.
  void warn_about(const std::string& name, const Diagnostic& warning);
  /// Warns of members of lookup_options that mean nothing. `said`: a mapping, or absent.
  void warn_about_options(const Value& said);
  /// Warns of an expression in hiera.yaml that names a variable which the node has not, or does not end.
  void warn_about_path(const std::string& key, std::string_view text, Origin at);

 private:
  /// Whether nobody was told of `name` yet; from now on somebody was.
  [[nodiscard]] bool is_news(const std::string& name);
  void warn_about_yml(const Layer& layer);

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
