// The names that are being looked up. Finds cycles.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"

namespace strata::hiera {

class NameStack {
 public:
  NameStack(const Limits& limits, std::size_t most) : limits_(limits), most_(most) {}

  /// A name, as long as this lives; the text must live as long. Errors: LookupError `hiera.recursion` where it is on the stack already, with the
  /// chain; `limit.depth`, `limit.stack`. Variables and keys are different names.
  class Entry {
   public:
    Entry(NameStack& stack, bool is_variable, std::string_view name);
    ~Entry() { stack_.names_.pop_back(); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    NameStack& stack_;
  };

 private:
  struct Name {
    bool is_variable;
    std::string_view name;
    friend bool operator==(const Name&, const Name&) = default;
  };
  const Limits& limits_;
  std::size_t most_;
  std::vector<Name> names_;
};

}  // namespace strata::hiera
