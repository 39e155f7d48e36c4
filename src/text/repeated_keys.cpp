// SPDX-License-Identifier: Apache-2.0
#include "text/repeated_keys.hpp"

namespace strata::text {

std::vector<Diagnostic> repeated_key_warnings(const Sources& sources, const Document& document, const std::string& code,
                                              const std::string& message, std::size_t most) {
  std::vector<Diagnostic> out;
  for (const Origin key : document.repeated_keys) {
    if (out.size() == most) break;
    Error error(code, message);
    error.at(sources, key).hint("keep one of the two");
    out.push_back(error.without_lines().diagnostic());
  }
  return out;
}

}  // namespace strata::text
