// SPDX-License-Identifier: Apache-2.0
// `convert_to`: converts values to a Puppet type.
#pragma once

#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::hiera {

/// `wanted`: the text of a type, or a sequence of it and arguments of its `new`. `arguments`: receives them in printed
/// form for explanations, unless null. Errors: LookupError `hiera.convert-to`, with the key, for an invalid type and
/// for a value that cannot be converted.
[[nodiscard]] Value convert_to(const Sources& sources, std::string_view key, const Value& wanted, const Value& value,
                               Arena& arena, const Limits& limits, std::string* arguments);

}  // namespace strata::hiera
