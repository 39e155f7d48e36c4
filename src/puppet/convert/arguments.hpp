// SPDX-License-Identifier: Apache-2.0
// Shared parts of the conversions of `new`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "puppet/kinds.hpp"
#include "puppet/types/integer.hpp"
#include "strata/error.hpp"
#include "strata/puppet.hpp"

namespace strata::puppet {

/// One call of `new`.
struct Conversion {
  const Type& type;
  std::span<const Value> arguments;
  Arena& arena;
  const Limits& limits;
};

/// The integer part of a float. No value for infinities and not-a-number.
[[nodiscard]] std::optional<Integer> whole_part(double number);

/// `the string 'x' cannot be converted to Integer`, or `value of type Undef cannot be …`.
[[nodiscard]] Error cannot_convert(const Value& from, std::string_view to);
/// The error for wrong further arguments. `expected` describes the right ones.
[[nodiscard]] Error wrong_arguments(const Conversion& call, std::string_view expected);
/// Throws unless the number of arguments is from `least` to `most`.
void need_arguments(const Conversion& call, std::size_t least, std::size_t most, std::string_view expected);
/// Throws `limit.result` if a result of `nodes` nodes is too large.
void need_room(const Conversion& call, std::size_t nodes);

// The conversions. The result may still violate the type.
[[nodiscard]] Value new_integer(const Conversion& call);
[[nodiscard]] Value new_float(const Conversion& call);
[[nodiscard]] Value new_numeric(const Conversion& call);
[[nodiscard]] Value new_boolean(const Conversion& call);
[[nodiscard]] Value new_string(const Conversion& call);
[[nodiscard]] Value new_array(const Conversion& call);
[[nodiscard]] Value new_hash(const Conversion& call);
/// From paths and values: `[[['a', 0], 'x']]`. `all_hashes`: arrays among the values become hashes too.
[[nodiscard]] Value hash_of_paths(const Conversion& call, bool all_hashes);

}  // namespace strata::puppet
