// SPDX-License-Identifier: Apache-2.0
// The lines of a value as YAML, each with what it is about.
#pragma once

#include <functional>

#include "strata/text.hpp"

namespace strata::text {

/// Receives a line with the part of the value whose key or dash is the last on it, or which goes on there. Null: it is
/// a line of a key that has several.
using NodeLineSink = std::function<void(const YamlLine& line, const Value* node)>;
/// As `write_yaml_lines` of strata/text.hpp; the lines are the same. The parts come in the order of the writing, each
/// at least once but for those that stand behind a dash or `? ` of their container.
void write_node_lines(const Value& value, const YamlStyle& style, const NodeLineSink& sink);

}  // namespace strata::text
