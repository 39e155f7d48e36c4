// SPDX-License-Identifier: Apache-2.0
// Files that the configuration or the command line of a program names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace strata {

/// The contents of a regular file, or of what the program was started with (`/dev/stdin`, `/dev/fd/N`), or of
/// `/dev/null`. No value if there is no such file. Never waits for a writer. Errors: `tree.unreadable` for pipes,
/// devices, folders and unreadable files; `limit.input` above `max_bytes`. Thread-safe. Example: `if (auto text =
/// read_named_file("/etc/strata.yaml", 1 << 20)) …`
[[nodiscard]] std::optional<std::string> read_named_file(const std::string& path, std::size_t max_bytes);

}  // namespace strata
