// The last line of an explanation that ends with a failure.
#pragma once

#include <string>

#include "strata/error.hpp"

namespace strata::hiera {

/// The message of a failed lookup in the reference's words, with its way to name places, where it has some of its own: faults of hiera.yaml, and YAML
/// that cannot be read. Any other message stays as it is. Rule: docs/lookup.md, "Explanations".
/// `working_folder`: where files count from that are told by a relative name; the reference gives whole paths.
[[nodiscard]] std::string explained_failure(const Error& error, const std::string& working_folder);

}  // namespace strata::hiera
