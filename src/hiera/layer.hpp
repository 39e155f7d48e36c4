// SPDX-License-Identifier: Apache-2.0
// A layer for one node: its hierarchy with resolved locations.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config.hpp"
#include "data_source.hpp"
#include "release.hpp"
#include "scope.hpp"
#include "strata/merge.hpp"
#include "strata/stop.hpp"

namespace strata::hiera {

/// A location for a data function.
struct Location {
  std::string original;  ///< As written in hiera.yaml.
  std::string path;      ///< Absolute; or the URI.
  bool is_uri = false;
  bool exists = true;
  bool is_outside = false;             ///< The tree may not read it. It does not exist, then.
  bool is_secret = false;              ///< `path` was made of secrets.
  std::size_t item = 0;                ///< Of the entry's locations as written.
  std::unique_ptr<DataSource> source;  ///< Opened when it is first searched.
  merge::LayerId layer = merge::kNoLayer;
};

struct ResolvedEntry {
  const HierarchyEntry* entry = nullptr;
  std::string datadir;             ///< Interpolated, and mapped.
  bool is_datadir_secret = false;  ///< It was made of secrets.
  Value options;
  bool has_locations = false;  ///< False: the function is called once, without a location.
  std::vector<Location> locations;
};

/// One of the three layers, or that of a module.
struct Layer {
  LayerKind kind = LayerKind::global;
  std::string module;
  std::shared_ptr<const Config> config;
  bool is_resolved = false;
  bool is_expected = false;    ///< Its files may be read ahead.
  bool told_of_files = false;  ///< Whether warnings about folders and files that are not there were given.
  std::vector<ResolvedEntry> entries;
  std::vector<ResolvedEntry> default_entries;

  /// The name in explanations.
  [[nodiscard]] std::string name() const;
};

/// A folder at a path, or the file that a path without a file nearly names: with a further extension of data files, or
/// with the other of .yaml and .yml. Empty: there is none.
[[nodiscard]] std::string near_place(const FileTree& tree, const std::string& path);
/// A file in the folder of a path whose name differs from that of the path in the case of letters or in the extension.
/// Empty: there is none. Lists the folder.
[[nodiscard]] std::string near_sibling(const FileTree& tree, const std::string& path);
/// Whether a path has an extension of data files.
[[nodiscard]] bool has_data_extension(std::string_view path);
/// Whether files are looked for at a path in this layer.
[[nodiscard]] bool names_path(const Layer& layer, std::string_view path);

/// Whether an entry's function opens its file and nothing else, so that it tells by itself if there is none.
[[nodiscard]] bool opens_files(const HierarchyEntry& entry);

/// Interpolation in hiera.yaml: variables only.
class ConfigInterpolation {
 public:
  /// Called with a variable that is unknown or null, and the text that names it. With an empty key: a `%{` is not
  /// closed.
  using Doubtful = std::function<void(const std::string& key, std::string_view text, Origin at)>;

  ConfigInterpolation(const Scope& scope, const Sources& sources, const Limits& limits, Arena& arena, bool legacy,
                      ruby::Release release, const Doubtful& doubtful)
      : scope_(scope),
        sources_(sources),
        limits_(limits),
        arena_(arena),
        legacy_(legacy),
        release_(release),
        doubtful_(doubtful) {}

  /// Errors: `hiera.interpolation` for methods and for digging into text, at the place of the text; `limit.steps`;
  /// `limit.input`; those of Stop::check.
  [[nodiscard]] std::string text(const Value& template_text);
  [[nodiscard]] std::string text(std::string_view template_text, Origin at);
  /// As text, but an unknown variable is an error: `hiera.unknown-variable`.
  [[nodiscard]] std::string text_of_known(std::string_view template_text, Origin at);
  [[nodiscard]] Value value(const Value& value);
  /// A variable, with digging. Null if it is unknown.
  [[nodiscard]] Value variable(std::string_view key, Origin at);
  /// Whether anything since the last call was made of secrets.
  [[nodiscard]] bool took_secrets() noexcept { return std::exchange(has_secrets_, false); }

 private:
  std::string expand(std::string_view text, Origin at, std::size_t depth);
  /// `at`: the place of the text whose variables have this value. Nowhere: each text has its own.
  Value expanded(const Value& value, Origin at, std::size_t depth);

  const Scope& scope_;
  const Sources& sources_;
  const Limits& limits_;
  Arena& arena_;
  bool legacy_;
  ruby::Release release_;
  bool requires_known_ = false;
  const Doubtful& doubtful_;
  StopCheck stop_check_{limits_.stop};
  std::size_t steps_ = 0;
  bool has_secrets_ = false;
};

/// Resolves a layer's hierarchies for a scope. Errors: `hiera.config` for a duplicate name and for an unknown back end;
/// those of ConfigInterpolation; `hiera.glob`, `tree.*`.
void resolve(Layer& layer, Scope& scope, const DataFiles& files, Arena& arena,
             const ConfigInterpolation::Doubtful& doubtful);

}  // namespace strata::hiera
