// SPDX-License-Identifier: Apache-2.0
// reclass: the result of a node from the files of an inventory, for Salt (reclass 1.7) and for Kapitan (kapicorp's
// reclass).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/merge.hpp"
#include "strata/origin.hpp"
#include "strata/session.hpp"

namespace strata::text {
class Regex;
}

namespace strata::query {
struct Traits;
}

namespace strata::reclass {

/// Classes that nodes get by their names.
struct ClassMapping {
  std::shared_ptr<const text::Regex> pattern;  ///< Globs are converted.
  bool is_glob = true;                         ///< It must match the whole name.
  std::vector<std::string> classes;            ///< Without a glob, `\1` is the group of the pattern.
  Origin origin;
};

/// Which values may replace values of other kinds. By default none may.
struct Replacing {
  bool null_over_any = false;
  bool scalar_over_mapping = false;
  bool scalar_over_list = false;
  bool mapping_over_scalar = false;
  bool list_over_scalar = false;  ///< The scalar becomes the first item.
  bool constants_stay = false;    ///< A change of a constant is passed over. Otherwise it is an error.
};

/// Whose rules count. docs/reclass/kapitan.md lists the differences.
enum class Compat : std::uint8_t {
  reclass,  ///< reclass 1.7.
  kapitan,  ///< kapicorp's reclass, with what Kapitan adds.
};
/// The name of rules as users write it. Error `reclass.config` for another name.
[[nodiscard]] Compat compat_named(std::string_view name);
[[nodiscard]] std::string_view to_string(Compat compat) noexcept;

/// Where an inventory is, and what its `reclass-config.yml` says.
struct Settings {
  std::string nodes = "nodes";      ///< The folder of the nodes. A file anywhere below it is the node of its name.
  std::string classes = "classes";  ///< The folder of the classes: `a/b.yml` is the class `a.b`, `a/init.yml` is `a`.
  std::string default_environment = "base";
  std::vector<ClassMapping> class_mappings = {};
  /// Missing classes whose names begin with a match are left out. Null: a missing class is an error.
  std::shared_ptr<const text::Regex> optional_classes = {};
  Compat compat = Compat::reclass;
  /// The Snapshot keeps the files of nodes. If false, each request reads its own, and memory does not grow with the
  /// number of nodes.
  bool share_nodes = true;
  bool composes_node_names = false;  ///< `a/b.yml` is the node `a.b`.
  bool matches_paths = false;        ///< Class mappings look at the path of the node's file below the folder of nodes.
  bool warns_of_missing_classes = true;
  bool adds_automatic_parameters = true;  ///< `_reclass_`
  Replacing replacing = {};
  bool ignores_failed_nodes = false;  ///< Queries leave out nodes whose file cannot be read.
  bool groups_errors = true;          ///< For queries, a parameter that has a reference without a target is null.
};

/// The settings without a file: where an inventory is below `base`, and what the rules are. Kapitan's nodes are in
/// `targets`, and its null replaces any value.
[[nodiscard]] Settings default_settings(Compat compat, const std::string& base = {});

/// The file of settings.
inline constexpr std::string_view kConfigName = "reclass-config.yml";

/// Where a `reclass-config.yml` counts.
struct ConfigPlace {
  std::string base = {};       ///< The folder of the inventory.
  bool is_base_fixed = false;  ///< `base` counts whatever the file says. Always so with Kapitan's rules.
  std::string home = {};       ///< For `~`. Empty: not known.
};
/// Sets what a `reclass-config.yml` says. Warning: `reclass.setting` for a setting that has no effect. Error:
/// `reclass.config` for a wrong value, and for a setting that changes results and is not supported.
void read_config(Settings& settings, Session& session, SourceId source, const ConfigPlace& place);

/// Where an inventory is, as its files show.
struct InventoryPlace {
  std::string base;  ///< The folder of the inventory. Empty: the working folder.
  Compat compat = Compat::reclass;
  bool composes_node_names = false;  ///< As in Settings, by `.kapitan`.
};
/// Looks in `folder`: it is the inventory if it has one of `reclass-config.yml`, `nodes`, `targets` and `classes`; else
/// the folder that `.kapitan` in it names, or `inventory` if that has `targets` and `classes`. Kapitan's rules count
/// for `targets` beside `classes` without `nodes`, and where `.kapitan` lies in `folder` or in the working folder.
/// Warning `reclass.setting` for an `inventory-backend` of `.kapitan` that has other rules than reclass. Error
/// `reclass.config` for a wrong value in `.kapitan`.
[[nodiscard]] InventoryPlace find_inventory(const std::string& folder, Session& session);

/// The names of all nodes, in byte order. Errors: `reclass.folder`, `reclass.duplicate`.
[[nodiscard]] std::vector<std::string> node_names(const Settings& settings, Session& session);

/// The parameters to which the references of a text lead, each in its order. An empty name: only another reference
/// tells.
[[nodiscard]] std::vector<std::string> names_in(std::string_view text);

/// One query.
struct Request {
  Settings settings = {};
  std::string node = {};
  bool shows_exports = false;  ///< The result has a member `exports`.
  /// Receives where the files begin that were read, also if there is an error then: the strongest last. May be null.
  std::vector<Origin>* files = nullptr;
};

struct Result {
  merge::Traced node;                  ///< A mapping of `applications`, `classes`, `environment` and `parameters`, and
                                       ///< of `exports` where the request wants them.
  std::shared_ptr<const void> memory;  ///< Keeps the value alive after the Session ends.
};

/// Merges the classes of a node, each once and depth first, and the node over them. A history has a layer for each
/// class, by its name, one for the node, and `<automatic>` for the parameter `_reclass_`. For many nodes: ask_all.
/// Warnings: `reclass.repeated-key`, `reclass.missing-class`. Errors: `reclass.*`, `limit.result`, `limit.depth`, those
/// of the YAML reader. References without a target are reported together. Cost: linear in the merged classes, whose
/// files are parsed once for a Snapshot. Rule: docs/reclass/inventory.md.
[[nodiscard]] Result inventory(const Request& request, Session& session);

/// Properties of reclass and Kapitan, for analyses. Thread-safe.
[[nodiscard]] const query::Traits& traits();

}  // namespace strata::reclass
