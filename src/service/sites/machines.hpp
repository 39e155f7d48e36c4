// SPDX-License-Identifier: Apache-2.0
// The machines of a site of cloud-init: its file `strata-nodes.yaml`, where it has one, is its fleet.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"
#include "value/fields.hpp"

namespace strata::service::sites {

/// The file at the root of a site that lists machines.
inline constexpr std::string_view kMachinesFile = "strata-nodes.yaml";

/// A file as a word of a command: neither an option nor standard input.
[[nodiscard]] std::string file_word(std::string_view path);

/// The file at the root of a site, read.
class MachineList {
 public:
  /// Errors: `site.seed` for another shape; those of the YAML reader.
  MachineList(const FileTree& tree, const Limits& limits);
  MachineList(const MachineList&) = delete;
  MachineList& operator=(const MachineList&) = delete;

  /// A mapping of machines by their names, and of `default`. Null: there is no such file, or it names no machines.
  [[nodiscard]] const Value* machines() const noexcept { return machines_; }
  /// The whole file. Absent: there is no such file.
  [[nodiscard]] const Value& root() const noexcept { return document_.root; }
  /// Those of what a machine has.
  [[nodiscard]] const FieldErrors& errors() const noexcept { return errors_; }

 private:
  Sources sources_;
  text::Document document_;
  FieldErrors errors_{.code = "site.seed", .hint = "docs/service/nodes.md has an example"};
  const Value* machines_ = nullptr;
};

/// A project whose subjects are the machines that the file names, those that have user-data: the merge of these. Places
/// and what else the machines have: nodes/seed.hpp. No value: it names no machines. What is wrong with one machine is
/// told when it asks. Errors: as MachineList.
[[nodiscard]] std::optional<workspace::Project> machines_project(const FileTree& tree, std::string_view name,
                                                                 const Limits& limits);

}  // namespace strata::service::sites
