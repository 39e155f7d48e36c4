// Transfer encodings of message bodies, as the reference decodes them.
#pragma once

#include <string>
#include <string_view>

namespace strata::cloudinit {

enum class Transfer { identity, base64, quoted_printable, uuencode };

/// The encoding that a Content-Transfer-Encoding value names, in any case. Unknown names, and blanks around a known one, mean identity.
[[nodiscard]] Transfer transfer_of(std::string_view value);

/// Decodes a body. What cannot be decoded is left as it is; this never fails.
[[nodiscard]] std::string decode_transfer(std::string_view body, Transfer transfer);

}  // namespace strata::cloudinit
