// SPDX-License-Identifier: Apache-2.0
// The structure of a mail message: headers, bodies and nested messages.
#pragma once

#include <memory>

#include "message.hpp"
#include "strata/limits.hpp"

namespace strata::cloudinit {

/// Parses a text as a message. Any text can be parsed: unknown input is body text.
///
/// This is deliberately not a general mail parser. What matters is which lines the reference (Python's
/// email.feedparser) treats as headers, boundaries and ends. GMime, the best C library, was tried: it treats 12 of 41
/// damaged but common messages differently (a missing closing boundary, a body without the empty line before it, a
/// repeated Content-Type, a config that only mentions `mime-version:`). Parsing headers separately cannot repair that,
/// because headers decide the structure. Values of headers are parsed elsewhere (header_values.hpp, rfc2231.hpp).
///
/// Errors: `limit.depth` if multiparts are nested deeper than `limits.depth`, or messages deeper than
/// `limits.include_depth`. Cost: linear in the text.
[[nodiscard]] std::unique_ptr<Message> parse_message(const Sources& sources, SourceId source, const Limits& limits);

}  // namespace strata::cloudinit
