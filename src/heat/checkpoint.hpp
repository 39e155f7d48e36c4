// SPDX-License-Identifier: Apache-2.0
// The part of a state that lets the next combination skip unchanged files.
#pragma once

#include <string>
#include <vector>

#include "heat/combination.hpp"
#include "heat/schema.hpp"
#include "heat/state.hpp"

namespace strata::heat {

/// A file of the list in a checkpoint.
struct FileDigest {
  std::string name;
  std::string digest;  ///< Of its text and of the names that count as missing in it.
};
[[nodiscard]] FileDigest digest_of(const Sources& sources, const StoredText& text, const NameSet& cleared);
/// Of the declarations: names and types.
[[nodiscard]] std::string digest_of(const Schemata& schemata, bool implicit);

/// The combination of `files` under the declarations of a digest, as data. Absent if it cannot be represented as data.
[[nodiscard]] Value make_checkpoint(Arena& arena, const Combination& combination, const std::string& declarations,
                                    const std::vector<FileDigest>& files);

/// Continues from a checkpoint if it is one of the first files of `files` and nobody edited it. Returns the number of
/// files that are then combined: 0 if it cannot be used. Warns if it was edited.
[[nodiscard]] std::size_t resume(const Documents& documents, Combination& combination, const Value& checkpoint,
                                 const std::string& declarations, const std::vector<FileDigest>& files);

}  // namespace strata::heat
