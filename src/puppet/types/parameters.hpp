// SPDX-License-Identifier: Apache-2.0
// The parameters of a type, between its brackets.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "strata/puppet.hpp"

namespace strata::puppet {

/// A parsed parameter.
struct Parameter {
  enum class Kind : std::uint8_t { type, integer, floating, text, boolean, regex, default_word, undef, list, hash };
  Kind kind = Kind::type;
  TypeRef type{};
  std::string text{};  ///< For a text or regex; for an integer, its digits.
  double number = 0;
  bool truth = false;
  std::vector<Parameter> items{};  ///< For a list: its items. For a hash: key, value, key, value, ….
  std::string place{};             ///< Where it begins.
};

/// The type `base` with parameters. `place`: of its name. Throws `puppet.type`, `puppet.unsupported`, `regex.syntax`.
[[nodiscard]] TypeRef with_parameters(const Type& base, std::span<const Parameter> parameters,
                                      const std::string& place);

}  // namespace strata::puppet
