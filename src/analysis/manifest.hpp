// SPDX-License-Identifier: Apache-2.0
// What a Puppet text says about keys of Hiera: parameters of classes, and lookups.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"
#include "strata/origin.hpp"

namespace strata::analysis {

/// The definition of a class.
struct ManifestClass {
  std::string name;
  std::vector<std::string> parameters;
  Origin origin;  ///< Of the keyword.
};

/// A key, or a pattern of keys, that a lookup names.
struct NamedKey {
  /// Its literal parts; what stands between two of them is computed. One part: the key itself.
  std::vector<std::string> parts;
  bool merges_itself = false;  ///< The lookup has a merge behaviour of its own.

  [[nodiscard]] bool matches(std::string_view key) const;
};

struct Manifest {
  std::vector<ManifestClass> classes = {};
  std::vector<NamedKey> keys = {};
  std::size_t computed = 0;  ///< Lookups whose key is not known.
};

/// Reads a manifest. A text with an error is read up to it. Errors: those that end the request.
[[nodiscard]] Manifest read_manifest(const Sources& sources, SourceId source, const Limits& limits);
/// The Puppet code of a template (EPP), for `read_manifest`: a text of the same length, so that places stay.
[[nodiscard]] std::string code_of_template(std::string_view text);

}  // namespace strata::analysis
