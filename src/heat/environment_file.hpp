// SPDX-License-Identifier: Apache-2.0
// Parses an environment file and checks its sections.
#pragma once

#include <array>
#include <string_view>

#include "heat/documents.hpp"

namespace strata::heat {

inline constexpr std::string_view kParameters = "parameters";
inline constexpr std::string_view kParameterDefaults = "parameter_defaults";
inline constexpr std::string_view kResourceRegistry = "resource_registry";
inline constexpr std::string_view kEncryptedNames = "encrypted_param_names";
inline constexpr std::string_view kEventSinks = "event_sinks";
inline constexpr std::string_view kStrategies = "parameter_merge_strategies";
inline constexpr std::array kSections{kParameters,     kParameterDefaults, kResourceRegistry,
                                      kEncryptedNames, kEventSinks,        kStrategies};

/// Whether a text may have a section: it has the name, or an escape, which may be a part of the name.
[[nodiscard]] bool may_have_section(std::string_view text, std::string_view section) noexcept;

/// The sections of an environment, in the order of the text: a mapping with known keys and without nulls. An empty or
/// null document gives the empty mapping. Warns about duplicate keys and `encrypted_param_names`. Errors: `heat.root`,
/// `heat.section`, `heat.empty-section`, and those of the reader.
[[nodiscard]] Value read_environment(Documents& documents, SourceId source);
/// The same, with its nodes in `pool`, or in an arena of their own.
[[nodiscard]] text::Document read_environment(Documents& documents, SourceId source, text::DocumentPool& pool);

/// The same checks for an environment that is already parsed. Errors: `heat.section` and `heat.empty-section`, all of
/// them together.
void check_sections(const Documents& documents, const Value& environment);
/// A section that must be a mapping and is not: `heat.section-shape`.
[[nodiscard]] Error section_shape(const Documents& documents, std::string_view title, const Value& section);
/// Throws all that is wrong with an environment by itself: its sections, their shapes, sinks and the registry. `known`:
/// an error that was found already, which comes first; may be null. For environments that fail anyway: what is wrong
/// with a registry may disappear in a combination.
void check_alone(const Documents& documents, const Value& environment, const Error* known = nullptr);

}  // namespace strata::heat
