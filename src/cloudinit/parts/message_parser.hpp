// The structure of a mail message: headers, bodies, and messages inside of messages.
#pragma once

#include <memory>

#include "message.hpp"
#include "strata/limits.hpp"

namespace strata::cloudinit {

/// Reads a text as a message. Nothing is too damaged to be read as one: what is not understood is body text.
///
/// This is not a general mail parser on purpose. What counts is which lines the reference (Python's email.feedparser) takes for headers, boundaries
/// and ends; GMime, the best of the C libraries, was tried and takes 12 of 41 damaged but common messages otherwise (a missing closing boundary, a
/// body without the empty line before it, a repeated Content-Type, a config that only mentions `mime-version:`), which own reading of headers cannot
/// mend because headers decide the structure. Values of headers are read elsewhere (header_values.hpp, rfc2231.hpp).
///
/// Errors: `limit.depth` where multiparts are nested deeper than `limits.depth`, or messages deeper than `limits.include_depth`.
/// Cost: linear in the text.
[[nodiscard]] std::unique_ptr<Message> parse_message(const Sources& sources, SourceId source, const Limits& limits);

}  // namespace strata::cloudinit
