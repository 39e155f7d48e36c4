// SPDX-License-Identifier: Apache-2.0
// Warnings about messages that are legal but probably not intended.
#pragma once

#include <string>

#include "message.hpp"
#include "strata/error.hpp"

namespace strata::cloudinit {

/// A warning about a body. `name` is the name of the part in messages.
void warn_at(Diagnostics& diagnostics, const Sources& sources, const Body& body, std::string code, std::string message,
             std::string hint = {});

/// A whole blob that has no handler: base64 text, or damaged gzip data.
void warn_about_blob(Diagnostics& diagnostics, const Sources& sources, SourceId blob);

/// A decoded part before it is added: headers in another case than the reference expects, characters that it damages,
/// gzip data that it does not inflate.
void warn_about_part(Diagnostics& diagnostics, const Sources& sources, const Message& part, const std::string& name);

/// The strategy in the headers of a compressed part, which the reference loses.
void warn_about_lost_headers(Diagnostics& diagnostics, const Sources& sources, const Message& compressed,
                             const std::string& name);

}  // namespace strata::cloudinit
