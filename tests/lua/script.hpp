// SPDX-License-Identifier: Apache-2.0
// A script for a test: its function, called with values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lua/sandbox.hpp"
#include "strata/scalar_text.hpp"

namespace strata::lua::testing {

/// One sandbox with the function that a text returns.
class Script {
 public:
  explicit Script(const std::string& text, Limits limits = {}, SandboxOptions options = {})
      : limits_(limits),
        sandbox_(sources, limits_, options),
        function_(sandbox_.load(sources.add("script.lua", text))) {}

  Value call(const std::vector<Argument>& arguments = {}, const Origins& origins = {}) {
    return sandbox_.call(function_, arguments, arena, origins);
  }

  Sources sources;
  Arena arena;

 private:
  Limits limits_;
  Sandbox sandbox_;
  Reference function_;
};

/// The body of a function, run without arguments; the result as text.
inline std::string run(const std::string& body, Limits limits = {}, SandboxOptions options = {}) {
  Script script("return function(...)\n" + body + "\nend", limits, options);
  return scalar_text(script.call());
}

/// The code of the Error that a body ends with; its result where there is none.
inline std::string error_of(const std::string& body, Limits limits = {}, SandboxOptions options = {}) {
  try {
    return "no error but " + run(body, limits, options);
  } catch (const Error& error) {
    return error.code();
  }
}

}  // namespace strata::lua::testing
