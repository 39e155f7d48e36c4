// SPDX-License-Identifier: Apache-2.0
// What stands for a scalar in the YAML that Psych writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::ruby {

struct YamlScalar {
  enum class Form : std::uint8_t {
    null,         ///< No text at all, where that is possible.
    text,         ///< In the style that Psych takes for a text.
    binary,       ///< Base64, with a tag.
    symbol_name,  ///< In any style.
    plain,
  };
  std::string_view text;
  Form form;
};

/// Of a value that is not a container. `room`: for a text that is made; it must outlive the result.
[[nodiscard]] YamlScalar yaml_scalar(const Value& value, std::string& room);

}  // namespace strata::ruby
