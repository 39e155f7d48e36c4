// SPDX-License-Identifier: Apache-2.0
// The files that the registry of an environment refers to.
#pragma once

#include <string>

#include "heat/attached_files.hpp"

namespace strata::heat {

/// Replaces the paths of a registry by URLs and attaches all of these files: those of its own entries, and of each
/// resource in `resources`, no deeper. `base` is the URL of the folder to which paths are relative, unless `base_url`
/// gives another one. Values that are not mappings, and nulls, stay unchanged. Errors: `bundle.registry` for values
/// that are not text, `bundle.base-url`; as AttachedFiles::attach.
[[nodiscard]] Value resolved_registry(const Value& registry, const std::string& base, AttachedFiles& files,
                                      Arena& arena, const Sources& sources);

}  // namespace strata::heat
