// SPDX-License-Identifier: Apache-2.0
// Detects the type of a text from its beginning.
#pragma once

#include <string_view>

namespace strata::cloudinit {

/// The content type for the first words of a text. Empty if they are not a known marker.
/// Ignores case and leading white space, but not a byte order mark. The result is a literal. Rule: cloud-init's
/// inclusion types.
[[nodiscard]] std::string_view detect_type(std::string_view text) noexcept;

/// Whether a file is read as a message: it says `mime-version:` anywhere near its beginning.
[[nodiscard]] bool is_message(std::string_view text);

}  // namespace strata::cloudinit
