// SPDX-License-Identifier: Apache-2.0
// Bytes as text, identifiers, times, and folders that reach the disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata::store {

[[nodiscard]] std::string base64(std::string_view bytes);
/// No value if the text is not exactly what `base64` writes for some bytes.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);
[[nodiscard]] std::string hex(std::string_view bytes);
/// No value for other characters, or an odd number of them.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text);

/// A new random UUID (version 4): `0b6f3c0e-…`.
[[nodiscard]] std::string new_uuid();
/// Microseconds since 1970, UTC, by the clock of the machine.
[[nodiscard]] std::int64_t now();

/// Waits until the entries of the folder of `path` are on the disk.
void sync_folder_of(const std::string& path);

}  // namespace strata::store
