// The machines of a site of cloud-init: its file `strata-nodes.yaml`, where it has one, is its fleet.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/workspace.hpp"

namespace strata::service::sites {

/// The file at the root of a site that lists machines.
inline constexpr std::string_view kMachinesFile = "strata-nodes.yaml";

/// A file as a word of a command: neither an option nor standard input.
[[nodiscard]] std::string file_word(std::string_view path);

/// A project whose subjects are the machines that the file names, those that have user-data: the merge of these. Places and what else the machines
/// have: nodes/seed.hpp. No value: there is no such file, or it cannot be read (machines are told so when they ask).
/// Errors: as Stop::check.
[[nodiscard]] std::optional<workspace::Project> machines_project(const FileTree& tree, std::string_view name, const Limits& limits);

}  // namespace strata::service::sites
