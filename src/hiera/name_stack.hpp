// SPDX-License-Identifier: Apache-2.0
// The names that are being looked up. Finds cycles.
#pragma once

#include <cstddef>
#include <string_view>

#include "strata/chain.hpp"
#include "strata/limits.hpp"

namespace strata::hiera {

class NameStack {
  struct Name {
    bool is_variable;
    std::string_view name;
    friend bool operator==(const Name&, const Name&) = default;
  };

 public:
  NameStack(const Limits& limits, std::size_t most) : limits_(limits), most_(most) {}

  /// A name, as long as this lives; the text must live as long. Errors: LookupError `hiera.recursion` where it is on
  /// the stack already, with the chain; `limit.depth`, `limit.stack`. Variables and keys are different names.
  class Entry {
   public:
    Entry(NameStack& stack, bool is_variable, std::string_view name)
        : step_(stack.names_, stack.checked({.is_variable = is_variable, .name = name})) {}

   private:
    Chain<Name>::Step step_;
  };

 private:
  /// Returns `added`, which may be put on the stack.
  [[nodiscard]] Name checked(const Name& added) const;

  const Limits& limits_;
  std::size_t most_;
  Chain<Name> names_;
};

}  // namespace strata::hiera
