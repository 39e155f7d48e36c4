// SPDX-License-Identifier: Apache-2.0
// Programs of the Puppet language, parsed and evaluated under small limits. Input: a program.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "strata/puppet_program.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

constexpr std::string_view kVariables =
    R"({"facts": {"os": {"family": "Debian"}, "tags": ["a", 1, null, {"b": 2.5}]}, "name": "x", "count": 4})";
const Limits kLimits = {.depth = 200, .input = 1U << 16U, .result = 20'000, .steps = 50'000};

/// The value of a program, or the code of its error.
std::string outcome(std::string_view text) {
  Sources sources;
  Arena arena;
  Diagnostics warnings;
  try {
    const text::Document variables = text::read_json(sources, sources.add("variables", std::string(kVariables)), {});
    const puppet::Program program = puppet::Program::parse(sources, sources.add("x.pp", std::string(text)), kLimits);
    const Value value =
        program.evaluate({.arena = arena, .diagnostics = warnings, .variables = variables.root, .limits = kLimits});
    if (!value) std::abort();
    return scalar_text(value);
  } catch (const Error& error) {
    if (error.code().empty() || error.diagnostic().message.empty()) std::abort();
    return error.code();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The same each time.
  if (outcome(text) != outcome(text)) std::abort();
  return 0;
}
