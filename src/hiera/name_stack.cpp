// SPDX-License-Identifier: Apache-2.0
#include "name_stack.hpp"

#include <fmt/format.h>

#include <string>

#include "strata/hiera.hpp"
#include "strata/stack.hpp"

namespace strata::hiera {

NameStack::Name NameStack::checked(const Name& added) const {
  if (!names_.circle(added).empty()) {
    std::string chain;
    for (const Name& one : names_.names())
      chain += fmt::format("{}{}{}", chain.empty() ? "" : ", ", one.is_variable ? "scope:" : "", one.name);
    LookupError error(Error("hiera.recursion", fmt::format("Recursive lookup detected in [{}]", chain)));
    for (const Name& one : names_.names()) error.tells(std::string(one.name));
    throw LookupError(std::move(error));
  }
  if (names_.size() >= most_)
    throw Error("limit.depth", fmt::format("lookups lead to lookups deeper than {} levels", most_));
  check_stack(limits_);
  return added;
}

}  // namespace strata::hiera
