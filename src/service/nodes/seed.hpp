// SPDX-License-Identifier: Apache-2.0
// The seed of a machine, as cloud-init's NoCloud reads it: what the fleet of a site says, or else its
// `strata-nodes.yaml`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/sites/state.hpp"
#include "strata/cloudinit.hpp"
#include "strata/error.hpp"

namespace strata::service::nodes {

/// What a machine is given.
struct Seed {
  std::string meta_data;              ///< YAML.
  bool has_secret_meta_data = false;  ///< Names in it say so.
  std::string user_data;
  std::string vendor_data;
  std::optional<std::string> network_config;
  std::vector<cloudinit::Blob> user_parts;    ///< The user-data, part by part.
  std::vector<cloudinit::Blob> vendor_parts;  ///< The vendor-data.
  bool is_merged = false;                     ///< The machine is to get one cloud-config, and not its parts.
  bool is_default = false;                    ///< The site does not name the machine.
};
/// The seed of a machine. Its parts are those of the site's fleet, where that names it; else, and for what else it has,
/// its entry in `strata-nodes.yaml` counts, or that of `default` if neither names it. No value: there is none. Errors:
/// `site.seed`, and those of the YAML reader.
[[nodiscard]] std::optional<Seed> seed_of(const sites::SiteState& state, const std::string& node, const Limits& limits);

/// What is wrong with the seeds of all machines that a site of cloud-init names, and of `default`: files that are not
/// there, unknown members, parts that cannot be merged, names in `meta-data` that are nearly those which cloud-init
/// reads. Errors: those that end a request.
[[nodiscard]] std::vector<Diagnostic> seed_problems(const sites::SiteState& state, const Limits& limits);
/// A part that cannot be a part of one cloud-config would be lost in it. Error `site.seed`.
void check_merged(const std::vector<cloudinit::Blob>& parts);

}  // namespace strata::service::nodes
