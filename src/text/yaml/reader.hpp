// SPDX-License-Identifier: Apache-2.0
// Reading parts of a stream.
#pragma once

#include <vector>

#include "strata/limits.hpp"
#include "strata/text.hpp"
#include "text/stretch.hpp"
#include "text/yaml/events.hpp"

namespace strata::text {

/// All documents of a part of a source, as the scanner reads them. Throws NotScanned where libyaml would have to read,
/// and the reader's errors, which may not be the first of the text.
[[nodiscard]] std::vector<Document> read_scanned_part(Sources& sources, SourceId source, const Stretch& stretch,
                                                      const Profile& profile, const Limits& limits, DocumentPool& pool);

}  // namespace strata::text
