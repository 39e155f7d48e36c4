// SPDX-License-Identifier: Apache-2.0
// Parts of the inspect format that other formats use.
#pragma once

#include <string>
#include <string_view>

#include "ruby/ruby.hpp"
#include "strata/value.hpp"

namespace strata::ruby {

/// Adds `inspect` of a value.
void append_inspect(std::string& out, const Value& value, Release release = Release::ruby3);

}  // namespace strata::ruby
