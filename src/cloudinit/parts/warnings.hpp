// What in a message is legal, but is probably not meant so.
#pragma once

#include <string>

#include "message.hpp"
#include "strata/error.hpp"

namespace strata::cloudinit {

/// A warning about a body. `name` is the part's, as people know it.
void warn_at(Diagnostics& diagnostics, const Sources& sources, const Body& body, std::string code, std::string message, std::string hint = {});

/// A whole blob that nobody will handle: base64 text, or damaged gzip data.
void warn_about_blob(Diagnostics& diagnostics, const Sources& sources, SourceId blob);

/// A part that is about to be attached, decoded: headers in another case than the reference looks for, characters that it damages, gzip data that it
/// does not inflate.
void warn_about_part(Diagnostics& diagnostics, const Sources& sources, const Message& part, const std::string& name);

/// The strategy that a compressed part names in its headers, which the reference loses.
void warn_about_lost_headers(Diagnostics& diagnostics, const Sources& sources, const Message& compressed, const std::string& name);

}  // namespace strata::cloudinit
