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
  std::string path;                ///< Behind the scheme, up to a `?`.
  std::vector<std::string> query;  ///< What stands behind the `?`, `optional` excepted, in order.
  bool is_optional = false;
  Origin origin;
  std::string written;  ///< As it was written.
};

// Errors of all: `layer.uri`; `layer`: whose URI it is.

/// Splits one.
[[nodiscard]] Uri parse_uri(const Sources& sources, std::string_view layer, std::string_view text, Origin origin);
/// The names that the path of `confdir:` and `module:` stands for, in lower case.
[[nodiscard]] NamePattern pattern_of(const Sources& sources, std::string_view layer, const Uri& uri);
/// What an URI of the scheme `enc:` means.
[[nodiscard]] EncPart enc_part_of(const Sources& sources, std::string_view layer, const Uri& uri);

}  // namespace strata::bindings
