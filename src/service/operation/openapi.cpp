// SPDX-License-Identifier: Apache-2.0
#include "service/operation/openapi.hpp"

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/text.hpp"

namespace strata::service {

const std::string& openapi_json() {
  static const std::string text = [] {
    Sources sources;
    const text::Document document =
        text::read_yaml(sources, sources.add("openapi.yaml", std::string(openapi_yaml())), text::core12(), Limits());
    return text::write_json(document.root, {.indent = -1});
  }();
  return text;
}

}  // namespace strata::service
