// SPDX-License-Identifier: Apache-2.0
// Transfer encodings of message bodies, as the reference decodes them.
#pragma once

#include <string>
#include <string_view>

namespace strata::cloudinit {

enum class Transfer { identity, base64, quoted_printable, uuencode };

/// The encoding in a Content-Transfer-Encoding value, in any case. Unknown names, and blanks around a known one, mean
/// identity.
[[nodiscard]] Transfer transfer_of(std::string_view value);

/// Decodes a body. Leaves it unchanged if it cannot be decoded. Never fails.
[[nodiscard]] std::string decode_transfer(std::string_view body, Transfer transfer);

}  // namespace strata::cloudinit
