// What stands between the brackets of a type.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "strata/puppet.hpp"

namespace strata::puppet {

/// A parameter as it was read.
struct Parameter {
  enum class Kind : std::uint8_t { type, integer, floating, text, boolean, regex, default_word, undef, list, hash };
  Kind kind = Kind::type;
  TypeRef type{};
  std::string text{};  ///< Of a text or regex; the digits of an integer.
  double number = 0;
  bool truth = false;
  std::vector<Parameter> items{};  ///< Of a list; of a hash: key, value, key, value, ….
  std::string place{};             ///< Where it begins.
};

/// The type `base` with parameters. `place`: where its name stands. Throws `puppet.type`, `puppet.unsupported`, `regex.syntax`.
[[nodiscard]] TypeRef with_parameters(const Type& base, std::span<const Parameter> parameters, const std::string& place);

}  // namespace strata::puppet
