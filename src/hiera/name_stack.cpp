#include "name_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "strata/hiera.hpp"
#include "strata/stack.hpp"

namespace strata::hiera {

NameStack::Entry::Entry(NameStack& stack, bool is_variable, std::string_view name) : stack_(stack) {
  const Name added{.is_variable = is_variable, .name = name};
  if (std::ranges::find(stack.names_, added) != stack.names_.end()) {
    std::string chain;
    for (const Name& one : stack.names_) chain += fmt::format("{}{}{}", chain.empty() ? "" : ", ", one.is_variable ? "scope:" : "", one.name);
    LookupError error(Error("hiera.recursion", fmt::format("Recursive lookup detected in [{}]", chain)));
    for (const Name& one : stack.names_) error.tells(std::string(one.name));
    throw LookupError(std::move(error));
  }
  if (stack.names_.size() >= stack.most_) throw Error("limit.depth", fmt::format("lookups lead to lookups deeper than {} levels", stack.most_));
  check_stack(stack.limits_);
  stack.names_.push_back(added);
}

}  // namespace strata::hiera
