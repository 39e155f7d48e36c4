// SPDX-License-Identifier: Apache-2.0
// Warnings of keys that stand twice in a mapping.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {

/// One for each key of Document::repeated_keys, at most `most`. Without its line, which may hold a password.
[[nodiscard]] std::vector<Diagnostic> repeated_key_warnings(
    const Sources& sources, const Document& document, const std::string& code,
    const std::string& message = "duplicate key: the earlier value is lost", std::size_t most = SIZE_MAX);

/// Adds them to the warnings of a request.
inline void warn_of_repeated_keys(Diagnostics& diagnostics, const Sources& sources, const Document& document,
                                  const std::string& code, const std::string& message) {
  for (Diagnostic& warning : repeated_key_warnings(sources, document, code, message))
    diagnostics.warn(std::move(warning));
}

}  // namespace strata::text
