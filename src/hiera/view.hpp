// What a code directory and a node's view of it hold.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "data_file.hpp"
#include "data_source.hpp"
#include "eyaml_source.hpp"
#include "layer.hpp"
#include "lookup_options.hpp"
#include "scope.hpp"
#include "strata/hiera.hpp"

namespace strata::hiera::detail {

/// A configuration that was read, or why it cannot be; read once for all nodes.
struct ConfigSlot {
  std::once_flag read;
  std::shared_ptr<const Config> config;  ///< Null: the layer does not take part.
  Diagnostics told;
};

/// What all nodes share. Thread-safe.
struct DirectoryState {
  DirectoryState(Settings settings, std::shared_ptr<const FileTree> tree, Sources& sources, const Limits& limits);

  Settings settings;
  std::shared_ptr<const FileTree> tree;
  Sources& sources;
  const Limits& limits;
  FileCache files;
  KeyRing keys;
  std::string environment_folder;        ///< Empty where there are no environments.
  std::vector<std::string> module_path;  ///< Absolute folders.

  ConfigSlot global;
  ConfigSlot environment;
  std::mutex mutex;  ///< Of `modules`.
  std::map<std::string, std::shared_ptr<ConfigSlot>, std::less<>> modules;

  /// The folder of a module; empty where there is none of the name.
  [[nodiscard]] std::string module_folder(std::string_view name) const;
  /// Names of the modules, in byte order.
  [[nodiscard]] std::vector<std::string> module_names() const;
};

struct ViewState {
  ViewState(std::shared_ptr<DirectoryState> directory, Facts facts, Diagnostics& diagnostics, merge::History* history);

  std::shared_ptr<DirectoryState> directory;
  Arena arena;  ///< Of what lives as long as the view.
  Facts facts;
  Scope scope;
  Diagnostics& diagnostics;
  merge::History* history;
  merge::LayerId facts_layer = merge::kNoLayer;
  FunctionLoader loader;

  /// A layer; null where it does not take part. Errors: those of the shape of its configuration.
  Layer* global();
  Layer* environment();
  /// Makes a layer's entries, unless they are there. Errors: those of the variables in its configuration.
  void resolve(Layer& layer);
  /// `found` tells whether the module is there at all.
  Layer* module(std::string_view name, bool& found);

  // What `lookup_options` say, as far as somebody has asked.
  struct Known {
    bool is_known = false;
    Value value;  ///< A mapping, or absent.
  };
  Known global_options;
  Known environment_options;
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>> options;          ///< By module; "" outside modules.
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>> default_options;  ///< Of default hierarchies.

  /// Warns once a view.
  void warn_once(const void* about, const Diagnostic& warning);
  void warn_about_variable(const std::string& name, const Diagnostic& warning);

 private:
  bool global_known_ = false;
  bool environment_known_ = false;
  std::unique_ptr<Layer> global_;
  std::unique_ptr<Layer> environment_;
  std::map<std::string, std::unique_ptr<Layer>, std::less<>> modules_;
  std::set<const void*> warned_;
  std::set<std::string> warned_variables_;
};

}  // namespace strata::hiera::detail
