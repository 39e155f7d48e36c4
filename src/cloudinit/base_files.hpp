// SPDX-License-Identifier: Apache-2.0
// Base configuration: files, their folders of fragments, and how they are joined.
#pragma once

#include "instance_data.hpp"
#include "part_merger.hpp"

namespace strata::cloudinit {

/// Reads a `--base` path: a file with its `conf_d` or `FILE.d`, or a folder. A missing path is empty.
/// Errors (fatal): `base.conf-d` if `conf_d` is not text, `base.encoding`, `base.template`, and those of join_layers.
/// Rule: docs/cloud-init/merge.md, "Base files".
[[nodiscard]] merge::Traced read_base(Documents& documents, const std::string& path, InstanceData& instance_data,
                                      DroppedLists& dropped);

}  // namespace strata::cloudinit
