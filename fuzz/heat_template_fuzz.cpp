// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as a template and gives its parameters values. Either an error comes out, or a row for each
// declared parameter.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "heat/parameters.hpp"
#include "heat/template.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20U, .aliases = 2000};
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({})), {.limits = limits});
  Sources& sources = session.sources();
  try {
    const heat::Template read =
        heat::read_template(sources, sources.add("f", std::string(reinterpret_cast<const char*>(data), size)), limits);
    Arena& arena = session.arena();
    MappingBuilder given(arena);
    for (const heat::ParameterSchema& schema : read.parameters.all()) {
      if (schema.constraints.size() % 2 == 0) given.insert(schema.name, arena.text("1,a"));
    }
    const Value none = arena.mapping();
    const merge::Traced rows = heat::effective_parameters(read.parameters, {given.finish(), {}}, {none, {}}, session);
    if (rows.value.size() != read.parameters.all().size()) std::abort();
    for (const Entry& row : rows.value.entries()) {
      if (row.value.size() != 3 || !row.value.find("text")->is_text()) std::abort();
    }
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
  return 0;
}
