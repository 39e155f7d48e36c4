// SPDX-License-Identifier: Apache-2.0
// Archives: YAML lists of parts.
#pragma once

#include <memory>
#include <vector>

#include "message.hpp"
#include "strata/session.hpp"

namespace strata::cloudinit {

/// The entries of a cloud-config-archive as messages. A text that is not YAML, or not a sequence, has none, with a
/// warning (`archive.syntax`).
///
/// If the body of an entry is a literal block or one line without escapes, its places are lines of the outer text.
/// Errors: `archive.content`, `archive.type`, `archive.header` for entries that make the reference stop; `limit.*`.
[[nodiscard]] std::vector<std::unique_ptr<Message>> read_archive(Session& session, SourceId archive);

}  // namespace strata::cloudinit
