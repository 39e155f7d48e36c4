#include "heat/environment_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "strata/path.hpp"
#include "strata/text.hpp"
#include "value/near_names.hpp"

namespace strata::heat {
namespace {

constexpr std::array kSections{kParameters, kParameterDefaults, kResourceRegistry, kEncryptedNames, kEventSinks, kStrategies};

void warn_of(const Context& context, const text::Document& document) {
  for (const Origin key : document.repeated_keys) {
    context.warn("heat.repeated-key", "this key stood in the same mapping before: the earlier value is lost", key, "keep one of the two");
  }
  if (const Value* names = document.root.find(kEncryptedNames); names != nullptr) {
    context.warn("heat.encrypted-names", fmt::format("'{}' is for the engine's own use", kEncryptedNames), names->origin(),
                 "declare the parameter with `hidden: true` in the template");
  }
}

}  // namespace

void check_sections(const Context& context, const Value& environment) {
  for (const Entry& section : environment.entries()) {
    const std::string name = key_text(section.key);
    if (!section.key.is_text() || std::ranges::find(kSections, name) == kSections.end()) {
      const std::string_view near = nearest_name(kSections, name);
      throw Error("heat.section", fmt::format("environment has wrong section \"{}\"", name))
          .at(context.sources, section.key.origin())
          .hint(near.empty() ? fmt::format("the sections are {}", fmt::join(kSections, ", ")) : fmt::format("did you mean '{}'?", near));
    }
    if (section.value.is_null()) {
      throw Error("heat.empty-section", fmt::format("environment has empty section \"{}\"", name))
          .at(context.sources, section.key.origin())
          .hint("write {} where it is meant to be empty, or remove it");
    }
  }
}

Value read_environment(Context& context, SourceId source) {
  const text::Document document = text::read_yaml(context.sources, source, text::heat(), context.limits, context.documents);
  if (!document.root || document.root.is_null()) return context.arena->mapping();
  if (!document.root.is_mapping()) {
    throw Error("heat.root", fmt::format("the environment is not a valid YAML mapping, but {}", describe(document.root.kind())))
        .at(context.sources, document.root.origin());
  }
  context.count(document.nodes);
  check_sections(context, document.root);
  warn_of(context, document);
  return document.root;
}

}  // namespace strata::heat
