// SPDX-License-Identifier: Apache-2.0
// Warnings about messages that are legal but probably not intended.
#pragma once

#include <string>
#include <string_view>

#include "message.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

namespace strata::cloudinit {

/// A warning about a body. `name` is the name of the part in messages.
void warn_at(Diagnostics& diagnostics, const Sources& sources, const Body& body, std::string code, std::string message,
             std::string hint = {});

/// Whether a text is the base64 form of something that would be handled.
[[nodiscard]] bool is_encoded_blob(std::string_view text);
/// Whether bytes are gzip data in gzip data, as far as `limits` permit to find out.
[[nodiscard]] bool is_compressed_twice(std::string_view bytes, const Limits& limits);

/// A whole blob that has no handler: base64 text, damaged gzip data, or gzip data in gzip data. `is_inflated`: it was
/// decompressed once.
void warn_about_blob(Diagnostics& diagnostics, const Sources& sources, SourceId blob, bool is_inflated,
                     const Limits& limits);

/// A decoded part before it is added: headers in another case than the reference expects, characters that it damages,
/// gzip data that it does not inflate.
void warn_about_part(Diagnostics& diagnostics, const Sources& sources, const Message& part, const std::string& name,
                     const Limits& limits);

/// The strategy in the headers of a compressed part, which the reference loses.
void warn_about_lost_headers(Diagnostics& diagnostics, const Sources& sources, const Message& compressed,
                             const std::string& name);

}  // namespace strata::cloudinit
