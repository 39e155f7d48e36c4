// `convert_to`: found values become values of a Puppet type.
#pragma once

#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::hiera {

/// `wanted`: a type's text, or a sequence of it and arguments of its `new`. `arguments`: where not null, gets them as explanations print them.
/// Errors: LookupError `hiera.convert-to`, naming the key, for a type that is none and a value that does not convert.
[[nodiscard]] Value convert_to(const Sources& sources, std::string_view key, const Value& wanted, const Value& value, Arena& arena,
                               const Limits& limits, std::string* arguments);

}  // namespace strata::hiera
