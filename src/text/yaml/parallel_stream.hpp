// SPDX-License-Identifier: Apache-2.0
// Reads large streams of YAML documents on several threads.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "strata/executor.hpp"
#include "strata/limits.hpp"
#include "strata/text.hpp"

namespace strata::text {

/// Bytes of a text. In smaller ones, starting threads and their memory cost what they gain.
inline constexpr std::size_t kLeastInParts = std::size_t{1} << 20U;

/// As read_yaml_stream, with the same documents, places and errors; a large text is read on the threads of `executor`
/// too, which may be null. Nodes and keys are in the arena of `pool`, or in arenas of their own, which Document::arena
/// owns.
///
/// `---` in the first column is always the begin of a document, or an error: parts between such lines are read on their
/// own. Where a part is not for the scanner, or has any error, the whole text is read again in order.
[[nodiscard]] std::vector<Document> read_yaml_stream(const std::shared_ptr<Executor>& executor, Sources& sources,
                                                     SourceId source, const Profile& profile, const Limits& limits,
                                                     DocumentPool& pool, std::size_t least = kLeastInParts);

}  // namespace strata::text
