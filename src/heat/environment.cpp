// SPDX-License-Identifier: Apache-2.0
#include "heat/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "heat/environment_file.hpp"
#include "heat/event_sinks.hpp"
#include "heat/merge_strategies.hpp"
#include "heat/registry.hpp"
#include "heat/values.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "value/fields.hpp"
#include "value/problems.hpp"

namespace strata::heat {
namespace {

using merge::Slot;
using merge::Traced;

Traced over(const Documents& documents, const Traced& stored, const Traced& added, const merge::Strategy& strategy) {
  return merge::merge(stored, added, strategy, documents.arena(), documents.session().limits(),
                      documents.session().recorder());
}

/// The registry, loaded over a stored one. Reports what is wrong with it together with what is wrong with the sinks.
Traced checked_registry(const Documents& documents, const Traced& stored, const Sections& sections) {
  Problems problems;
  Traced registry;
  problems.guard([&] { check_event_sinks(documents, sections.event_sinks.value); });
  problems.guard([&] { registry = load_registry(documents, stored, sections.resource_registry); });
  problems.raise();
  warn_of_wildcards(documents, registry.value);
  return registry;
}

Error not_finite(const Documents& documents, std::string_view section, const std::string& name, Origin where) {
  return Error(
             "heat.not-finite",
             fmt::format("'{}' in '{}' is infinite or not a number, which an environment cannot store", name, section))
      .at(documents.session().sources(), where)
      .hint("quote it, if it is meant as text");
}

constexpr std::uint32_t kValueWork = 16;  ///< Some nodes.

/// One section; `by_name`: messages name its entries.
Traced section_in_json_form(const Documents& documents, std::string_view title, const Traced& section, bool by_name) {
  check_stop(documents.session().limits().stop);
  JsonNeeds needs;
  std::string name(title);
  if (by_name && section.value.is_mapping()) {
    StopCheck stop(documents.session().limits().stop);
    Problems problems;
    for (const Entry& entry : section.value.entries()) {
      stop.tick(kValueWork);
      needs = json_needs(entry.value);
      if (needs.not_finite) problems.add(not_finite(documents, title, key_text(entry.key), needs.not_finite));
    }
    problems.raise();
  }
  needs = json_needs(section.value);
  if (needs.not_finite) throw not_finite(documents, title, name, needs.not_finite);
  if (!needs.change) return section;
  const JsonForm form = json_form(documents.arena(), section.value);
  // Positions are the same where no keys fell together, and with them the history.
  if (!documents.session().recorder().keeps() || !form.collided) return {form.value, section.slot};
  return documents.session().recorder().derive(form.value, std::array{section});
}

}  // namespace

Sections sections_of(const Documents& documents, const Value& environment, Slot slot) {
  check_sections(documents, environment);
  Arena& arena = documents.arena();
  const auto section = [&](std::string_view title, bool is_mapping) -> Traced {
    const Value* value = environment.find(title);
    if (value != nullptr && python::truth(*value)) return {*value, slot};
    return {is_mapping ? arena.mapping() : arena.sequence(), Slot(merge::kNoLayer)};
  };
  Sections sections{.parameters = section(kParameters, true),
                    .parameter_defaults = section(kParameterDefaults, true),
                    .resource_registry = section(kResourceRegistry, true),
                    .event_sinks = section(kEventSinks, false),
                    .encrypted_param_names = section(kEncryptedNames, false)};
  Problems problems;
  for (const auto& [title, part] :
       {std::pair(kParameters, &sections.parameters), std::pair(kParameterDefaults, &sections.parameter_defaults)}) {
    if (!part->value.is_mapping()) problems.add(section_shape(documents, title, part->value));
  }
  problems.raise();
  return sections;
}

Environment environment_of(const Documents& documents, const Sections& sections) {
  return {.resource_registry = checked_registry(documents, empty_registry(documents), sections),
          .parameters = sections.parameters,
          .parameter_defaults = sections.parameter_defaults,
          .event_sinks = sections.event_sinks,
          .encrypted_param_names = sections.encrypted_param_names};
}

Environment environment_over(const Documents& documents, const Environment& stored, const Sections& sections) {
  const auto& append = kernel_strategy(ParameterType::comma_delimited_list, MergeStrategy::merge);
  return {.resource_registry = checked_registry(documents, stored.resource_registry, sections),
          .parameters = over(documents, stored.parameters, sections.parameters, merge::shallow_replace()),
          .parameter_defaults =
              over(documents, stored.parameter_defaults, sections.parameter_defaults, merge::shallow_replace()),
          .event_sinks = over(documents, stored.event_sinks, sections.event_sinks, append),
          .encrypted_param_names = stored.encrypted_param_names};
}

Value with_marked(Arena& arena, const Declarations& declarations, const Value& parameters) {
  const auto is_hidden = [&](const Entry& entry) {
    return entry.key.is_text() && declarations.is_hidden(entry.key.text());
  };
  if (!parameters || std::ranges::none_of(parameters.entries(), is_hidden)) return parameters;
  MappingBuilder marked = MappingBuilder::copy_of(arena, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Entry& entry = parameters.entries()[i];
    if (is_hidden(entry)) marked.replace(i, entry.value.with_secret());
  }
  return marked.finish();
}

Environment in_json_form(const Documents& documents, const Environment& environment) {
  Environment form = environment;
  form.resource_registry = section_in_json_form(documents, kResourceRegistry, environment.resource_registry, false);
  form.parameters = section_in_json_form(documents, kParameters, environment.parameters, true);
  form.parameter_defaults = section_in_json_form(documents, kParameterDefaults, environment.parameter_defaults, true);
  form.event_sinks = section_in_json_form(documents, kEventSinks, environment.event_sinks, false);
  form.encrypted_param_names =
      section_in_json_form(documents, kEncryptedNames, environment.encrypted_param_names, false);
  return form;
}

namespace {

std::array<Traced, 5> section_list(const Environment& environment) {
  return {environment.resource_registry, environment.parameters, environment.parameter_defaults,
          environment.event_sinks, environment.encrypted_param_names};
}

}  // namespace

Value as_mapping(Arena& arena, const Environment& environment) {
  MappingBuilder mapping(arena);
  const std::array members = section_list(environment);
  std::size_t i = 0;
  for (const std::string_view title :
       {kResourceRegistry, kParameters, kParameterDefaults, kEventSinks, kEncryptedNames}) {
    mapping.insert(title, members.at(i++).value);
  }
  return mapping.finish();
}

Traced as_mapping(Arena& arena, merge::Recorder& recorder, const Environment& environment) {
  return recorder.compose(as_mapping(arena, environment), section_list(environment));
}

}  // namespace strata::heat
