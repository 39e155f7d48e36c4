// SPDX-License-Identifier: Apache-2.0
// Warnings about keys that a mapping holds twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {

/// Readers report no more of them per text: further ones are not useful.
inline constexpr std::size_t kMostRepeatedKeys = 1000;

/// A key as messages quote it: long ones are cut.
[[nodiscard]] std::string shown_key(std::string_view key);

/// `PREFIXduplicate key 'x': the earlier value is lost`, with both places.
[[nodiscard]] Error repeated_key_error(const Sources& sources, const RepeatedKey& key, std::string_view code,
                                       std::string_view prefix = {});

/// One for each key of Document::repeated_keys, at most `most`. Without their lines, which may hold a password.
[[nodiscard]] std::vector<Diagnostic> repeated_key_warnings(const Sources& sources, const Document& document,
                                                            std::string_view code, std::string_view prefix = {},
                                                            std::size_t most = SIZE_MAX);

/// Adds them to the warnings of a request.
inline void warn_of_repeated_keys(Diagnostics& diagnostics, const Sources& sources, const Document& document,
                                  std::string_view code, std::string_view prefix = {}) {
  for (Diagnostic& warning : repeated_key_warnings(sources, document, code, prefix))
    diagnostics.warn(std::move(warning));
}

}  // namespace strata::text
