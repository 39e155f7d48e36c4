// What a state keeps of a combination, so that the next one need not read again what is the same.
#pragma once

#include <string>
#include <vector>

#include "heat/combination.hpp"
#include "heat/schema.hpp"
#include "heat/state.hpp"

namespace strata::heat {

/// A file of the list as a checkpoint knows it.
struct FileDigest {
  std::string name;
  std::string digest;  ///< Of its text and of the names that it is taken not to have.
};
[[nodiscard]] FileDigest digest_of(const Sources& sources, const StoredText& text, const NameSet& cleared);
/// Of what is declared: names and types.
[[nodiscard]] std::string digest_of(const Schemata& schemata, bool implicit);

/// The combination of `files` under the declarations of a digest, as data; absent where it has no form as data.
[[nodiscard]] Value make_checkpoint(Arena& arena, const Combination& combination, const std::string& declarations,
                                    const std::vector<FileDigest>& files);

/// Takes a combination up from a checkpoint, where that is of the first files of `files`, and nobody edited it. The number of files that are combined
/// then: 0 where it cannot be used. Warns where it was edited.
[[nodiscard]] std::size_t resume(const Documents& documents, Combination& combination, const Value& checkpoint, const std::string& declarations,
                                 const std::vector<FileDigest>& files);

}  // namespace strata::heat
