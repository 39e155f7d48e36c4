// Archives: YAML lists of parts.
#pragma once

#include <memory>
#include <vector>

#include "message.hpp"
#include "strata/session.hpp"

namespace strata::cloudinit {

/// The entries of a cloud-config-archive as messages. A text that is no YAML, or no sequence, has none, with a warning (`archive.syntax`).
///
/// The body of an entry stands in the outer text, line by line, where it was written as a literal block or in one line without escapes.
/// Errors: `archive.content`, `archive.type`, `archive.header` for entries that make the reference stop; `limit.*`.
[[nodiscard]] std::vector<std::unique_ptr<Message>> read_archive(Session& session, SourceId archive);

}  // namespace strata::cloudinit
