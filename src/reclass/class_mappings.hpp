// SPDX-License-Identifier: Apache-2.0
// Classes that nodes get by their names: `'web* role.web'`, `'/^db(\d+)/ role.db shard.\1'`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/reclass.hpp"
#include "strata/value.hpp"

namespace strata::reclass {

/// Reads a line of `class_mappings`. Error `reclass.config`.
[[nodiscard]] ClassMapping parse_class_mapping(const Sources& sources, const Value& line);

/// The classes that a mapping gives a node. `name`: what is matched. Empty: it does not match.
[[nodiscard]] std::vector<std::string> mapped_classes(const ClassMapping& mapping, std::string_view name);

}  // namespace strata::reclass
