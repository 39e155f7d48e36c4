// SPDX-License-Identifier: Apache-2.0
#include "heat/environment_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "heat/event_sinks.hpp"
#include "heat/registry.hpp"
#include "heat/template.hpp"
#include "python/data.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"
#include "value/problems.hpp"

namespace strata::heat {
namespace {

/// Whether a text is a number to JSON, and none to YAML 1.1: an exponent without sign or point, and what JavaScript
/// calls infinities.
bool is_number_of_json(std::string_view text) {
  if (text == "NaN" || text == "Infinity" || text == "-Infinity") return true;
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent == std::string_view::npos || exponent == 0 || exponent + 1 == text.size()) return false;
  const auto is_part_of_number = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; };
  return text.find_first_of("0123456789") < exponent &&
         std::ranges::all_of(text.substr(0, exponent), is_part_of_number) &&
         std::ranges::all_of(text.substr(exponent + 1), is_part_of_number);
}

/// Warns of texts that were numbers before a client made JSON of them.
// Recursion: bounded by Limits::depth, which the reader keeps.
void warn_of_numbers(const Documents& documents, SourceId source, const Value& value) {
  if (value.is_text()) {
    if (!is_number_of_json(value.text()) || value.origin().through_alias()) return;
    const std::size_t offset = value.origin().location - documents.session().sources().at(source, 0).location;
    const std::string_view text = documents.session().sources().text(source);
    if (offset >= text.size() || text[offset] == '"' || text[offset] == '\'') return;
    warn(documents.session(), "heat.number-text", "this is a number to JSON, but text to YAML 1.1", value.origin(),
         "write it with a point and a signed exponent: 1.0e+20");
  } else if (value.is_sequence()) {
    for (const Value& item : value.items()) warn_of_numbers(documents, source, item);
  } else if (value.is_mapping()) {
    for (const Entry& entry : value.entries()) warn_of_numbers(documents, source, entry.value);
  }
}

void warn_of(const Documents& documents, const text::Document& document) {
  if (looks_like_json(documents.session().sources().text(document.source)))
    warn_of_numbers(documents, document.source, document.root);
  warn_of_repeated_keys(documents.session(), document.repeated_keys);
  if (const Value* names = document.root.find(kEncryptedNames); names != nullptr) {
    warn(documents.session(), "heat.encrypted-names", fmt::format("'{}' is for the engine's own use", kEncryptedNames),
         names->origin(), "declare the parameter with `hidden: true` in the template");
  }
}

}  // namespace

bool may_have_section(std::string_view text, std::string_view section) noexcept {
  const std::array<std::string_view, 6> signs{section, "\\u", "\\x", "\\U", "\\\n", "\\\r"};
  return std::ranges::any_of(signs,
                             [text](std::string_view sign) { return text.find(sign) != std::string_view::npos; }) ||
         text.find('\0') != std::string_view::npos;
}

Error section_shape(const Documents& documents, std::string_view title, const Value& section) {
  return Error("heat.section-shape", wrong_kind(fmt::format("'{}'", title), "a mapping", section))
      .at(documents.session().sources(), section.origin());
}

void check_sections(const Documents& documents, const Value& environment) {
  Problems problems;
  for (const Entry& section : environment.entries()) {
    const std::string name = key_text(section.key);
    if (!section.key.is_text() || std::ranges::find(kSections, name) == kSections.end()) {
      problems.add(
          Error("heat.section", fmt::format("environment has wrong section \"{}\"", name))
              .at(documents.session().sources(), section.key.origin())
              .hint(name_hint(kSections, name, fmt::format("the sections are {}", fmt::join(kSections, ", ")))));
    } else if (section.value.is_null()) {
      problems.add(Error("heat.empty-section", fmt::format("environment has empty section \"{}\"", name))
                       .at(documents.session().sources(), section.key.origin())
                       .hint("write {} if it is meant to be empty, or remove it"));
    }
  }
  problems.raise();
}

void check_alone(const Documents& documents, const Value& environment, const Error* known) {
  Problems problems;
  if (known != nullptr) problems.add(*known);
  const auto check = [&](const auto& work) {
    Problems found;
    found.guard(work);
    for (const Diagnostic& one : found.all()) {
      if (std::ranges::find(problems.all(), one) == problems.all().end()) problems.add(one);
    }
  };
  const auto filled = [&environment](std::string_view title) {
    const Value* section = environment.find(title);
    return section != nullptr && python::truth(*section) ? section : nullptr;
  };
  check([&] { check_sections(documents, environment); });
  for (const std::string_view title : {kParameters, kParameterDefaults}) {
    const Value* section = filled(title);
    if (section != nullptr && !section->is_mapping()) check([&] { throw section_shape(documents, title, *section); });
  }
  if (const Value* sinks = filled(kEventSinks)) check([&] { check_event_sinks(documents, *sinks); });
  if (const Value* registry = filled(kResourceRegistry)) {
    check([&] {
      (void)load_registry(documents, empty_registry(documents), {*registry, merge::Slot(merge::kNoLayer)});
    });
  }
  problems.raise();
}

Value read_environment(Documents& documents, SourceId source) {
  const text::Document document = read_environment(documents, source, documents.pool());
  if (document.arena != documents.shared_arena()) documents.session().keep(document.arena);
  return document.root;
}

text::Document read_environment(Documents& documents, SourceId source, text::DocumentPool& pool) {
  text::Document document = documents.read(source, pool);
  if (!document.root || document.root.is_null()) {
    document.root = documents.arena().mapping();
    return document;
  }
  if (!document.root.is_mapping()) {
    throw Error("heat.root",
                fmt::format("the environment is not a valid YAML mapping, but {}", describe(document.root.kind())))
        .at(documents.session().sources(), document.root.origin());
  }
  documents.count(document.nodes);
  try {
    check_sections(documents, document.root);
  } catch (const Error& error) {
    check_alone(documents, document.root, &error);
  }
  warn_of(documents, document);
  return document;
}

}  // namespace strata::heat
