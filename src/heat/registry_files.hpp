// The files that the registry of an environment names.
#pragma once

#include <string>

#include "heat/attached_files.hpp"

namespace strata::heat {

/// The registry with URLs in the places of paths, all of them attached: of its own entries, and of those of each resource in `resources`, no deeper.
/// `base`: the URL of the folder that paths count from, unless a `base_url` says otherwise. What is no mapping, and nulls, are left as they are.
/// Errors: `bundle.registry` for values that are no text, `bundle.base-url`; as of AttachedFiles::attach.
[[nodiscard]] Value resolved_registry(const Value& registry, const std::string& base, AttachedFiles& files, Arena& arena, const Sources& sources);

}  // namespace strata::heat
