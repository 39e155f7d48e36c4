// SPDX-License-Identifier: Apache-2.0
#include "heat/combination.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "heat/environment_file.hpp"
#include "heat/merge_strategies.hpp"
#include "heat/registry.hpp"
#include "heat/values.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "value/fields.hpp"

namespace strata::heat {
namespace {

using merge::Slot;
using merge::Traced;

constexpr std::string_view kStrategyWords = "strategies";
constexpr std::string_view kTypes = "types";

bool has_values(const Value& mapping) {
  return std::ranges::any_of(mapping.entries(), [](const Entry& entry) { return !entry.value.is_null(); });
}

std::optional<ParameterType> type_named(const Value& name) {
  using enum ParameterType;
  for (const ParameterType type : {string, number, json, comma_delimited_list, boolean}) {
    if (name.is_text() && name.text() == to_string(type)) return type;
  }
  return std::nullopt;
}

bool needs_change(const Value& value) {
  const JsonNeeds needs = json_needs(value);
  return needs.change || needs.not_finite;
}

}  // namespace

Combination::Combination(Documents& documents, const Schemata& schemata, bool implicit)
    : documents_(documents),
      young_(documents.session().recorder().keeps()
                 ? std::nullopt
                 : std::optional<YoungGeneration>(std::in_place, documents.shared_arena())),
      names_(documents.arena(), schemata, implicit),
      parameters_(documents, home(), names_, 0, kParameters),
      defaults_(documents, home(), names_, 1, kParameterDefaults),
      others_{{{kResourceRegistry,
                merge::Accumulator(home(), documents.session().limits(), documents.session().recorder())},
               {kEventSinks, merge::Accumulator(home(), documents.session().limits(), documents.session().recorder())},
               {kEncryptedNames,
                merge::Accumulator(home(), documents.session().limits(), documents.session().recorder())}}} {
  const Value nothing = documents.arena().sequence();
  others_[0].value.start({documents.arena().mapping(), Slot(merge::kNoLayer)});
  others_[1].value.start({nothing, Slot(merge::kNoLayer)});
  others_[2].value.start({nothing, Slot(merge::kNoLayer)});
  if (!young_) return;
  for (std::shared_ptr<Arena>& arena : young_->arenas()) documents.session().keep(std::move(arena));
  documents.session().keep(young_->adopted());
}

void Combination::start(const Traced& parameters) {
  for (const Entry& entry : parameters.value.entries()) parameters_.set(entry.key, {entry.value, parameters.slot});
}

void Combination::add(const std::string& name, SourceId source, const NameSet& cleared) {
  const Value file = read(source);
  try {
    combine(name, file, cleared);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    check_alone(documents_, file, &error);
  }
  if (young_ && young_->is_full(documents_.nodes())) copy_survivors();
}

void Combination::combine(const std::string& name, const Value& file, const NameSet& cleared) {
  FileLayers layers(documents_, name);
  const Value* words = file.find(kStrategies);
  const StrategySection strategies(documents_, words == nullptr ? Value() : *words, name);
  const auto check = [this](const Entry& section) {
    if (!section.value.is_mapping()) throw section_shape(documents_, section.key.text(), section.value);
  };
  static const NameSet none;
  if (const Value* section = file.find(kParameters)) names_.declare(*section, cleared);
  if (const Value* section = file.find(kParameterDefaults)) names_.declare(*section, none);
  for (const Entry& section : file.entries()) {
    const std::string_view title = section.key.text();
    if (!python::truth(section.value) || title == kStrategies) continue;
    if (title == kParameters || title == kParameterDefaults) {
      check(section);
      const bool is_first = title == kParameters;
      (is_first ? parameters_ : defaults_)
          .add({.section = section.value,
                .layers = layers,
                .file = name,
                .strategies = strategies,
                .cleared = is_first ? cleared : none});
    } else {
      add_section(*std::ranges::find(others_, title, &Section::title), section.value, layers.plain(), name);
    }
  }
}

Value Combination::read(SourceId source) {
  if (!young_) return read_environment(documents_, source);
  text::Document document = read_environment(documents_, source, young_->documents());
  if (document.arena != young_->documents().arena()) young_->adopt(std::move(document.arena));
  return document.root;
}

void Combination::copy_survivors() {
  young_->begin(documents_.nodes());
  const auto keep = [this](const Value& value) { return young_->keep(value); };
  names_.move(keep);
  parameters_.move(young_->next(), keep);
  defaults_.move(young_->next(), keep);
  for (Section& section : others_) {
    const Traced& value = section.value.current();
    section.value.move(young_->next(), {keep(value.value), value.slot});
  }
  young_->clear(documents_.nodes());
}

/// Adopted while there is nothing, else merged entry by entry.
void Combination::add_section(Section& section, const Value& value, Slot slot, const std::string& file) {
  const Value& known = section.value.current().value;
  if (!python::truth(known)) return section.value.start({value, slot});
  if (!value.is_mapping() || (!known.is_mapping() && has_values(value))) {
    throw Error("heat.section-twice",
                fmt::format("'{}' of an earlier file cannot be combined with that of {}", section.title, file))
        .at(documents_.session().sources(), value.origin())
        .note(documents_.session().sources(), known.origin(), fmt::format("'{}' is filled here", section.title))
        .hint(section.title == kResourceRegistry ? "a registry is a mapping"
                                                 : fmt::format("only one file may have '{}'", section.title));
  }
  if (!known.is_mapping()) return;
  warn_of(section, value, file);
  section.value.merge({value, slot}, one_level_strategy());
}

void Combination::warn_of(const Section& section, const Value& value, const std::string& file) {
  if (section.title != kResourceRegistry) return;
  for (const Entry& entry : value.entries()) {
    if (entry.value.is_null() && entry.key.is_text()) {
      warn(documents_.session(), "heat.null-ignored",
           fmt::format("null does not remove '{}' in a file after the first registry: it is ignored", entry.key.text()),
           entry.key.origin(), "leave the entry out of the earlier file, or map it to OS::Heat::None");
    }
  }
  const Value* earlier = section.value.current().value.find(kResources);
  const Value* later = value.find(kResources);
  if (earlier == nullptr || later == nullptr || later->is_null() || earlier->size() == 0) return;
  warn(documents_.session(), "heat.resources-replaced",
       fmt::format("'{}' of {} replaces that of earlier files as a whole", kResources, file), later->origin(),
       "repeat the entries of the earlier one that are still needed");
}

Sections Combination::finish() const {
  return {.parameters = parameters_.finish(),
          .parameter_defaults = defaults_.finish(),
          .resource_registry = others_[0].value.current(),
          .event_sinks = others_[1].value.current(),
          .encrypted_param_names = others_[2].value.current()};
}

Value Combination::checkpoint() const {
  Arena& arena = documents_.arena();
  MappingBuilder data(arena);
  bool is_plain = true;
  for (const auto& [title, section] :
       {std::pair(kParameters, &parameters_), std::pair(kParameterDefaults, &defaults_)}) {
    MappingBuilder values(arena);
    section->each([&](const Value& key, const Value& value) {
      check_stop(documents_.session().limits().stop);
      is_plain = is_plain && key.is_text() && !needs_change(value);
      values.insert(key, value);
    });
    data.insert(title, values.finish());
  }
  for (const Section& section : others_) {
    is_plain = is_plain && !needs_change(section.value.current().value);
    data.insert(section.title, section.value.current().value);
  }
  // In an order that does not depend on where the combination was gone on from.
  std::vector<const Name*> names;
  for (const Name& name : names_.all()) {
    if (!name.declared) continue;
    if (!name.key.is_text()) return {};  // In JSON it would become a text, which is another name.
    names.push_back(&name);
  }
  std::ranges::sort(names, {}, [](const Name* name) { return name->key.text(); });
  MappingBuilder words(arena);
  MappingBuilder types(arena);
  for (const Name* name : names) {
    if (name->strategy) {
      is_plain = is_plain && (!name->strategy->odd || name->strategy->odd.is_text());
      words.insert(name->key, arena.text(name->strategy->text()));
    }
    if (names_.is_implicit()) types.insert(name->key, arena.text(to_string(name->type)));
  }
  data.insert(kStrategyWords, words.finish());
  data.insert(kTypes, types.finish());
  return is_plain ? data.finish() : Value();
}

bool Combination::resume(const Value& checkpoint) {
  if (!checkpoint.is_mapping()) return false;
  for (const std::string_view title : {kParameters, kParameterDefaults, kStrategyWords, kTypes}) {
    const Value* part = checkpoint.find(title);
    if (part == nullptr || !part->is_mapping()) return false;
  }
  for (const Section& section : others_) {
    if (checkpoint.find(section.title) == nullptr) return false;
  }
  for (const Entry& type : checkpoint.find(kTypes)->entries()) {
    if (!type_named(type.value)) return false;
  }
  for (const Entry& type : checkpoint.find(kTypes)->entries())
    names_.declare(names_.of(type.key), *type_named(type.value));
  for (const Entry& word : checkpoint.find(kStrategyWords)->entries())
    names_.of(word.key).strategy = ChosenStrategy::of(word.value);
  for (const Entry& entry : checkpoint.find(kParameters)->entries()) parameters_.set(entry.key, {entry.value, {}});
  for (const Entry& entry : checkpoint.find(kParameterDefaults)->entries()) defaults_.set(entry.key, {entry.value, {}});
  for (Section& section : others_) section.value.start({*checkpoint.find(section.title), {}});
  return true;
}

}  // namespace strata::heat
