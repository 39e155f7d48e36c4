// SPDX-License-Identifier: Apache-2.0
// Which values of templates and registries name files: the rules of the service's client, for all that collects files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata {
class Stop;
}  // namespace strata

namespace strata::heat {

/// A value that names a file.
struct FileReference {
  std::string base;     ///< The URL of the folder that `name` is relative to.
  std::string name;     ///< As written: a path or a URL.
  std::string pointer;  ///< In an environment file: a JSON Pointer. Empty: in a template.
  Origin origin;        ///< In a registry, of the key; in a template, of the value.
};

/// The URL of a name that is relative to a folder. Empty scheme: `base` is not a whole URL.
[[nodiscard]] std::string referenced_url(const std::string& base, std::string_view name);

/// Whether an entry at any depth of a template names a file: `get_file: PATH`, or `type: PATH` where the path ends in
/// `.yaml` or `.template`.
[[nodiscard]] bool template_names_file(const Entry& entry);

/// Whether an entry of one level of a registry names a file: a string without `::`, except under `base_url`, `hooks`
/// and `restricted_actions`.
[[nodiscard]] bool registry_names_file(const Entry& entry);

/// The files that a template names, deepest values first. `base`: the URL of its folder. `stop` counts the memory; it
/// may be null. Errors: as Stop::check. Cost: linear in the nodes; each file costs the bytes of `base`.
[[nodiscard]] std::vector<FileReference> files_of_template(const Value& root, const std::string& base,
                                                           const Stop* stop);

/// The files that a registry names: those of its own entries, then those of each resource in `resources`, no deeper.
/// `base`: the URL of the environment's folder, which `base_url` replaces. Entries of another kind are left out.
/// `stop`, errors and cost: as above.
[[nodiscard]] std::vector<FileReference> files_of_registry(const Value& registry, const std::string& base,
                                                           const Stop* stop);

}  // namespace strata::heat
