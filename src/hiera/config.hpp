// SPDX-License-Identifier: Apache-2.0
// hiera.yaml: the hierarchy of a layer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/hiera.hpp"
#include "strata/value.hpp"

namespace strata::hiera {

enum class LayerKind { global, environment, module };
[[nodiscard]] std::string_view to_string(LayerKind kind) noexcept;

/// A data function, named by a member of hiera.yaml.
enum class FunctionKind { data_hash, lookup_key, data_dig };
[[nodiscard]] std::string_view to_string(FunctionKind kind) noexcept;

enum class LocationKind { none, paths, globs, uris, mapped_paths };

/// One item of a hierarchy.
struct HierarchyEntry {
  std::string name;
  FunctionKind kind = FunctionKind::data_hash;
  std::string function;
  Origin function_at;
  std::string unknown_backend;  ///< Version 4: an unknown back end; an error when the hierarchy is resolved.
  LocationKind location_kind = LocationKind::none;
  std::vector<Value> locations;   ///< Texts; for mapped_paths: variable, name, template.
  std::string datadir;            ///< Joined to the configuration's folder; not yet interpolated.
  bool is_datadir_plain = false;  ///< It has no expressions, whatever it looks like. Version 4 only.
  Origin datadir_at;              ///< Where it is written. If it is not, the place of the entry.
  std::string extension;          ///< Appended to paths that lack it. Versions 3 and 4 only.
  Origin extension_at;            ///< As `datadir_at`.
  Value options;                  ///< A mapping, not yet interpolated. Absent if there are none.
  Origin at;
};

/// A hiera.yaml with valid shape. Duplicate names are found when a hierarchy is resolved. Immutable; shared by all
/// nodes.
struct Config {
  int version = 5;
  std::string path;    ///< The path of the file. Empty if there is none.
  std::string folder;  ///< Relative data folders are relative to it.
  std::vector<HierarchyEntry> hierarchy;
  std::optional<std::vector<HierarchyEntry>> default_hierarchy;
  std::shared_ptr<Arena> arena;  ///< Owns the values of the entries.
};

/// Inputs for reading a configuration.
struct ConfigContext {
  Sources& sources;
  const Limits& limits;
  const Settings& settings;
  LayerKind layer;
};

/// The default for a missing file: an empty hierarchy.
[[nodiscard]] std::shared_ptr<const Config> no_config(const std::string& path);
/// The configuration that a missing file stands for where data providers of Puppet 4 ask for one: `data/common.yaml`.
[[nodiscard]] std::shared_ptr<const Config> built_in_config(const std::string& path);
/// Reads a configuration. Null if the layer ignores it (version 3 outside the global layer); `diagnostics` then
/// receives a warning. Errors: `hiera.config`, `hiera.version`, with the path of the entry, and those of the YAML
/// reader.
[[nodiscard]] std::shared_ptr<const Config> read_config(const ConfigContext& context, const std::string& path,
                                                        SourceId source, Diagnostics& diagnostics);

}  // namespace strata::hiera
