// SPDX-License-Identifier: Apache-2.0
// Calls of functions, and what they give.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "strata/puppet_program.hpp"
#include "strata/text.hpp"

namespace strata::puppet::testing {

/// A program, and its value as JSON, or `error CODE`. Values that are no data are their text.
struct FunctionCase {
  const char* program;
  std::string_view expected;
};

inline std::string evaluated(const std::string& text, const Limits& limits = {}, Diagnostics* warnings = nullptr,
                             std::string* message = nullptr) {
  Sources sources;
  Arena arena;
  Diagnostics own;
  try {
    const Program program = Program::parse(sources, sources.add("test.pp", text), limits);
    const Value value =
        program.evaluate({.arena = arena, .diagnostics = warnings == nullptr ? own : *warnings, .limits = limits});
    std::string out;
    text::append_json(out, value, {.sort_keys = false, .indent = -1});
    return out;
  } catch (const Error& error) {
    if (message != nullptr) *message = error.what();
    return "error " + error.code();
  }
}

template <std::size_t size>
void expect_all(const FunctionCase (&cases)[size]) {
  for (const FunctionCase& one : cases) {
    std::string message;
    EXPECT_EQ(evaluated(one.program, {}, nullptr, &message), one.expected) << one.program << "\n" << message;
  }
}

}  // namespace strata::puppet::testing
