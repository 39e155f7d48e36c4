// hiera.yaml: what a layer searches.
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

/// A data function, by the member of hiera.yaml that names it.
enum class FunctionKind { data_hash, lookup_key, data_dig };
[[nodiscard]] std::string_view to_string(FunctionKind kind) noexcept;

enum class LocationKind { none, paths, globs, uris, mapped_paths };

/// One item of a hierarchy.
struct HierarchyEntry {
  std::string name;
  FunctionKind kind = FunctionKind::data_hash;
  std::string function;
  Origin function_at;
  std::string unknown_backend;  ///< Version 4: a back end that has no function; told when the hierarchy is resolved.
  LocationKind location_kind = LocationKind::none;
  std::vector<Value> locations;  ///< Texts; for mapped_paths: variable, name, template.
  std::string datadir;           ///< Joined to the configuration's folder; not yet interpolated.
  std::string extension;         ///< Added to paths that lack it; versions 3 and 4 alone.
  Value options;                 ///< A mapping, not yet interpolated; absent for none.
  Origin at;
};

/// A hiera.yaml, its shape checked: names that are there twice are found when a hierarchy is resolved. Immutable; shared by all nodes.
struct Config {
  int version = 5;
  std::string path;    ///< Of the file; empty where there is none.
  std::string folder;  ///< Where relative data folders count from.
  std::vector<HierarchyEntry> hierarchy;
  std::optional<std::vector<HierarchyEntry>> default_hierarchy;
  std::shared_ptr<Arena> arena;  ///< Owns what the entries hold.
};

/// What reading a configuration needs to know.
struct ConfigContext {
  Sources& sources;
  const Limits& limits;
  const Settings& settings;
  LayerKind layer;
};

/// The built-in stand-in of a file that is not there: it searches nothing.
[[nodiscard]] std::shared_ptr<const Config> no_config(const std::string& path);
/// Reads a configuration. Null where the layer ignores it (version 3 outside the global
/// layer), which `diagnostics` tells. Errors: `hiera.config`, `hiera.version`, with the path of the entry, and those of the YAML reader.
[[nodiscard]] std::shared_ptr<const Config> read_config(const ConfigContext& context, const std::string& path, SourceId source,
                                                        Diagnostics& diagnostics);

}  // namespace strata::hiera
