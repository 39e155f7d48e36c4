// SPDX-License-Identifier: Apache-2.0
// Converts combined sections to an environment as the engine keeps and shows it.
#pragma once

#include "heat/combination.hpp"
#include "heat/declarations.hpp"
#include "heat/documents.hpp"
#include "strata/heat.hpp"

namespace strata::heat {

/// The sections of an environment given as one value. Null or falsy sections are empty. Errors: `heat.section`,
/// `heat.empty-section`, `heat.section-shape`.
[[nodiscard]] Sections sections_of(const Documents& documents, const Value& environment, merge::Slot slot);

/// The environment of sections: with the registry loaded and the sinks checked. Errors: those of load_registry and
/// check_event_sinks.
[[nodiscard]] Environment environment_of(const Documents& documents, const Sections& sections);
/// The same over a stored environment: parameters by name, the registry loaded over, sinks appended. Encrypted names
/// stay as stored.
[[nodiscard]] Environment environment_over(const Documents& documents, const Environment& stored,
                                           const Sections& sections);

/// A mapping in which the values of hidden parameters are marked secret.
[[nodiscard]] Value with_marked(Arena& arena, const Declarations& declarations, const Value& parameters);

/// The environment with text keys, as in JSON. Error `heat.not-finite`, with the parameter.
[[nodiscard]] Environment in_json_form(const Documents& documents, const Environment& environment);
/// The five sections as one mapping.
[[nodiscard]] Value as_mapping(Arena& arena, const Environment& environment);
[[nodiscard]] merge::Traced as_mapping(Arena& arena, merge::Recorder& recorder, const Environment& environment);

}  // namespace strata::heat
