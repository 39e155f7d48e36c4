// SPDX-License-Identifier: Apache-2.0
// cloud-init: merges user-data parts, vendor data and base configuration into one cloud-config.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/host.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::query {
struct Traits;
}

namespace strata::cloudinit {

/// Which part a part's mergers apply to.
enum class Compat {
  shipped,   ///< The part itself, as every release since 2013 does.
  promised,  ///< The next part, as cloud-init's manual says.
};

/// User-data as a platform delivers it: gzip, a MIME message, or plain text.
struct Blob {
  std::string name;  ///< The name in places: a file name, `<stdin>`.
  std::string bytes;
};

/// How a custom merger treats old values, by type. An empty function: the type is not handled specially.
struct CustomHandlers {
  merge::Call on_mapping;
  merge::Call on_sequence;
  merge::Call on_string;
};

/// A merger that strategy texts can name. `build` is called once per strategy; its argument is the sequence of options
/// in the strategy.
struct CustomMerger {
  std::string name;
  std::function<CustomHandlers(const Value& options)> build;
};

struct Request {
  std::vector<Blob> user_data;  ///< In order; merged as one list.
  std::optional<Blob> vendor_data;
  std::optional<Blob> vendor_data2;
  std::vector<std::string> base;  ///< Paths of files and folders in the tree, weakest first.
  std::optional<std::string>
      base_input;  ///< The text of the path `-` in `base`: standard input. No value: `-` is a path as any other.
  std::optional<Blob> instance_data;  ///< JSON, for jinja parts and jinja base files.
  std::optional<std::string> launch_index;
  std::string strategy;  ///< Default mergers for user-data parts that name none. Empty: cloud-init's own.
  Compat compat = Compat::shipped;
  std::vector<CustomMerger> mergers;
  Fetcher* fetcher = nullptr;  ///< Null: no network access.
};

/// What happened to a part.
enum class PartFate {
  merged,   ///< Its configuration is in the result.
  skipped,  ///< It failed, or its mergers leave it out; a warning says why.
  kept,     ///< A script, boothook or part handler: not configuration.
  unhandled,
  filtered,  ///< Excluded by its launch index or by vendor-data rules.
};
[[nodiscard]] std::string_view to_string(PartFate fate) noexcept;

struct PartReport {
  std::string source;  ///< `user-data`, `vendor-data`, `vendor-data2`.
  std::string name;    ///< The file name, or `part-NNN`.
  std::string type;
  Origin origin;  ///< Where its text begins.
  PartFate fate = PartFate::merged;
  std::string mergers;  ///< The strategy that merged it, as text. Empty if it was not merged.
  std::vector<std::pair<std::string, std::string>> headers;
  Value config = {};  ///< Its cloud-config as it was read, with `merge_how`. Absent: it has none that could be read.
};

/// The merged configuration.
struct Result {
  merge::Traced config;  ///< A mapping, unless a JSON patch replaced it.
  std::vector<PartReport> parts;
  std::shared_ptr<const void> memory;  ///< Keeps the configuration alive after the Session ends.
};

/// The bare name of a merger, without the prefix `m_` of the reference's modules. Error `merger.name` if it has
/// characters other than letters, digits and underscores, or if a built-in merger has this name.
[[nodiscard]] std::string merger_name(std::string_view name);

/// Makes a merger from Lua source in a text of the Session. The text returns a table with any of `on_mapping`,
/// `on_sequence` and `on_string`, or a function that makes such a table from the options. The text runs once. `session`
/// must outlive the merger. Errors: `lua.syntax`, `lua.runtime`, `lua.memory`, `limit.steps`; `merger.lua` if the text
/// returns anything else. Rule: docs/cloud-init/custom-mergers.md.
[[nodiscard]] CustomMerger lua_merger(std::string name, SourceId source, Session& session);

/// The top-level keys of cloud-config that cloud-init reads, by bytes: the properties of its schema, and what it reads
/// from the configuration of the image; each also with `-` and `_` exchanged.
[[nodiscard]] std::span<const std::string_view> known_keys();

/// Something in a configuration that cloud-init refuses, warns of or cannot run with.
struct SchemaProblem {
  enum class Kind : std::uint8_t {
    unknown_name,  ///< The built-in table does not have the name of a member.
    wrong_type,    ///< The built-in table has another type.
    violation,     ///< An error of `cloud-init schema`.
    deprecation,   ///< The schema calls it deprecated, or changed in a release.
    crash,         ///< A released version ends with an exception.
  };
  Kind kind = Kind::violation;
  std::string pointer;  ///< To the member or value: a JSON Pointer.
  Origin origin;        ///< Of the value; of the key, if `is_name`.
  bool is_name = false;
  std::string message;
  std::string hint;
  std::string unknown_root = {};  ///< The name of the member of the root that the schema does not know.
};
/// Compares a merged cloud-config with the built-in table of names and types, which is smaller than cloud-init's
/// schema. Unknown names at the root are not among the problems. Rule: docs/analysis/check.md.
[[nodiscard]] std::vector<SchemaProblem> schema_problems(const Value& config);
/// The values in a merged cloud-config with which released versions end with an exception, with these versions.
[[nodiscard]] std::vector<SchemaProblem> crash_problems(const Value& config);

/// The kind of a configuration.
enum class ConfigType : std::uint8_t { cloud_config, network_config };

/// A JSON schema of cloud-init, with its deprecations. Not thread-safe.
class ConfigSchema {
 public:
  /// `bytes`: the file's, `name` its name in messages. Errors: `json.*`, `cloud-config.schema`, limits.
  ConfigSchema(const std::string& name, std::string bytes, const Limits& limits);
  ConfigSchema(ConfigSchema&&) noexcept;
  ~ConfigSchema();

  /// The problems of one configuration, in the words of `cloud-init schema`. Keys of the root that cloud-init reads
  /// outside its schema are none. `stop` ends the check; null: only limits do. Errors:
  /// `cloud-config.schema-reference`, `regex.syntax`, limits.
  [[nodiscard]] std::vector<SchemaProblem> check(const Value& config, const Stop* stop = nullptr) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Where the packages of Debian and Ubuntu have the schema for a configuration, the newest form first. Absolute paths.
/// A network configuration says its version itself.
[[nodiscard]] std::vector<std::string> installed_schemas(ConfigType type, const Value& config);

/// Checks the strategy of a request before any work is done. Errors: `merger.format`, `merger.unknown`.
void check_strategy(const Request& request);

/// Merges user-data, vendor data and base files as cloud-init does. The texts of `request` move into the Session. Base
/// files and included files are read from the Session's Snapshot. If the reference only warns, the Session's
/// diagnostics receive a warning. If the reference ends its boot stage, an Error is thrown. Codes: docs/errors.md.
/// Rule: docs/cloud-init/merge.md.
[[nodiscard]] Result merge(Request request, Session& session);

/// Properties of cloud-config, for analyses. Thread-safe.
[[nodiscard]] const query::Traits& traits();
/// The same for network configuration. Thread-safe.
[[nodiscard]] const query::Traits& traits_of_network();

}  // namespace strata::cloudinit
