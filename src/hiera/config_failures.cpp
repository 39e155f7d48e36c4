// SPDX-License-Identifier: Apache-2.0
#include "config_failures.hpp"

#include <fmt/format.h>

#include <array>

#include "reference_words.hpp"

namespace strata::hiera {
namespace {

struct KnownFunction {
  std::string_view name;
  FunctionKind kind;
};
constexpr std::array<KnownFunction, 4> kKnownFunctions{{{"yaml_data", FunctionKind::data_hash},
                                                        {"json_data", FunctionKind::data_hash},
                                                        {"hocon_data", FunctionKind::data_hash},
                                                        {"eyaml_lookup_key", FunctionKind::lookup_key}}};

/// `yaml` and `eyaml` are names of back ends of older versions; functions have longer ones.
std::string function_hint(const HierarchyEntry& entry) {
  if (entry.function.starts_with("lua::"))
    return "lua::NAME is lib/strata/NAME.lua of the environment or of a module, lua::MODULE::NAME that of one module";
  for (const KnownFunction& known : kKnownFunctions) {
    const bool is_shorter = known.name.starts_with(entry.function + "_");
    if (is_shorter || known.name == entry.function)
      return fmt::format("write '{}: {}'", to_string(known.kind), known.name);
  }
  return "known are yaml_data, json_data, hocon_data, eyaml_lookup_key and lua::NAME; functions written in Ruby or "
         "Puppet are not supported";
}

}  // namespace

WordedError unknown_function(const Sources& sources, const HierarchyEntry& entry) {
  const std::string message =
      fmt::format("Unable to find '{}' function named '{}'", to_string(entry.kind), entry.function);
  return WordedError(Error("hiera.function", fmt::format("{} (hierarchy entry '{}')", message, entry.name))
                         .at(sources, entry.function_at)
                         .hint(function_hint(entry)),
                     in_config(message));
}

WordedError defined_twice(const Sources& sources, const HierarchyEntry& entry, Origin first, int version) {
  const std::string message = version == 3 ? fmt::format("Backend '{}' is defined more than once", entry.name)
                                           : fmt::format("Hierarchy name '{}' defined more than once", entry.name);
  const auto named_line = [&](Origin at) {
    return version == 3 ? sources.place(at).line : line_with(sources, at, " name: ");
  };
  const auto line = named_line(entry.at);
  const auto first_line = named_line(first);
  const std::string before =
      line && first_line && *line != *first_line ? fmt::format(" First defined at (line: {})", *first_line) : "";
  return WordedError(Error("hiera.config", message).at(sources, entry.at).note(sources, first, "first here"),
                     in_config(fmt::format("{}.{}", message, before), line));
}

}  // namespace strata::hiera
