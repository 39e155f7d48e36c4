// SPDX-License-Identifier: Apache-2.0
// Types and values from texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "strata/puppet.hpp"
#include "strata/text.hpp"

namespace strata::puppet::testing {

inline TypeRef type(std::string_view text) { return parse_type(text, {}); }
inline std::string printed(std::string_view text) { return to_string(*type(text)); }

/// Values that live as long as this.
class World {
 public:
  /// A value from JSON.
  Value json(const std::string& text) {
    Sources sources;
    return arena.deep_copy(text::read_json(sources, sources.add("value", text), {}).root);
  }
  Arena arena;
};

}  // namespace strata::puppet::testing
