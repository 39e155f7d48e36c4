// SPDX-License-Identifier: Apache-2.0
// URIs of layers: `module:/*::default?optional`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bindings/request/enc.hpp"
#include "bindings/request/names.hpp"
#include "strata/origin.hpp"

namespace strata::bindings {

struct Uri {
  std::string text;                ///< Without `?optional`.
  std::string scheme;              ///< Lower case; `modules` is `module`.
  std::string path;                ///< After the scheme, up to `?`.
  std::vector<std::string> query;  ///< The items after `?`, except `optional`, in order.
  bool is_optional = false;
  Origin origin;
  std::string written;  ///< As written.
};

// Errors of all functions: `layer.uri`. `layer`: the layer of the URI.

/// Parses a URI.
[[nodiscard]] Uri parse_uri(const Sources& sources, std::string_view layer, std::string_view text, Origin origin);
/// The names that match the path of `confdir:` and `module:`, in lower case.
[[nodiscard]] NamePattern pattern_of(const Sources& sources, std::string_view layer, const Uri& uri);
/// The parts that a URI of the scheme `enc:` selects.
[[nodiscard]] EncPart enc_part_of(const Sources& sources, std::string_view layer, const Uri& uri);

}  // namespace strata::bindings
