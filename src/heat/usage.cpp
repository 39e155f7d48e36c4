// SPDX-License-Identifier: Apache-2.0
// What templates use of environment files.
#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "heat/declarations.hpp"
#include "heat/environment_file.hpp"
#include "heat/registry.hpp"
#include "heat/state.hpp"
#include "heat/template.hpp"
#include "strata/heat.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata::heat {
namespace {

bool is_type(std::string_view key) { return key != kBaseUrl && key != "hooks" && key != "restricted_actions"; }

/// The templates of a request, and what they say: their parameters and the types that they name.
class Templates {
 public:
  Templates(const Composition& composition, Session& session) : session_(session), stop_(&session.stop()) {
    for (const ParameterSchema& schema : composition.declarations->schemata.all()) parameters_.insert(schema.name);
    for (const StoredText& file : composition.state->files) {
      const std::string_view text = characters(session_.sources(), file);
      if (may_be_template(text) && text.size() <= 4 * kMaxTemplateSize) add_text(file.name, std::string(text));
    }
    if (composition.declarations->root) add(composition.declarations->root->root);
  }

  /// Adds the types that the values of parameters name: lists of services are such.
  void add_types(const Value& values) { read(values); }

  [[nodiscard]] const std::set<std::string, std::less<>>& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const std::set<std::string, std::less<>>& types() const noexcept { return types_; }

 private:
  void add_text(const std::string& name, std::string text) {
    const SourceId source = session_.sources().add(name, std::move(text));
    session_.sources().mark_secret(source);
    const auto document =
        find_template(session_.sources(), {.name = name, .source = source, .document = nullptr}, session_.limits());
    if (document) add(document->root);
  }

  void add(const Value& root) {
    for (const std::string_view section : {"parameters", "Parameters"}) {
      const Value* declared = root.find(section);
      if (declared == nullptr || !declared->is_mapping()) continue;
      for (const Entry& entry : declared->entries()) parameters_.insert(key_text(entry.key));
    }
    read(root);
  }

  // Recursion: bounded by Limits::depth.
  void read(const Value& value) {
    stop_.tick();
    if (value.is_text()) {
      if (value.text().find("::") != std::string_view::npos) types_.emplace(value.text());
    } else if (value.is_sequence()) {
      for (const Value& item : value.items()) read(item);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) {
        read(entry.value);
        const bool names_type =
            entry.key.is_text() && (entry.key.text() == "type" || entry.key.text() == "Type") && entry.value.is_text();
        if (names_type) types_.emplace(entry.value.text());
      }
    }
  }

  Session& session_;
  StopCheck stop_;
  std::set<std::string, std::less<>> parameters_;
  std::set<std::string, std::less<>> types_;
};

/// The members of environment files.
class Definitions {
 public:
  /// `has_template`: what templates use is known.
  Definitions(Templates& templates, Session& session, bool has_template)
      : templates_(templates), sources_(session.sources()), limits_(session.limits()), has_template_(has_template) {}

  void read(const NamedText& file) {
    const text::Document document = text::read_yaml(sources_, file.source, text::heat(), limits_);
    if (!document.root || !document.root.is_mapping()) return;
    if (const Value* defaults = document.root.find(kParameterDefaults); is_readable(defaults)) {
      templates_.add_types(*defaults);
      for (const Entry& entry : defaults->entries()) {
        const std::string name = key_text(entry.key);
        if (!has_template_) continue;
        add(Definition::Section::parameter_defaults, entry, name,
            pointer_of(std::vector{std::string(kParameterDefaults), name}));
      }
    }
    if (const Value* parameters = document.root.find(kParameters); is_readable(parameters))
      templates_.add_types(*parameters);
    if (const Value* registry = document.root.find(kResourceRegistry); is_readable(registry)) {
      std::vector<std::string> tokens{std::string(kResourceRegistry)};
      read_level(*registry, tokens);
    }
  }

  void add_missing(const UnattachedFile& one) {
    const bool is_outside = one.reason == UnattachedFile::Reason::outside;
    // A value behind an alias is reported where it is written.
    if ((one.reason != UnattachedFile::Reason::missing && !is_outside) || one.origin.through_alias()) return;
    all_.push_back({.section = Definition::Section::template_file,
                    .name = one.name,
                    .pointer = one.pointer,
                    .origin = one.origin,
                    .is_outside = is_outside,
                    .correction = one.correction});
  }

  [[nodiscard]] std::vector<Definition> take() {
    const TextSet used = used_types();
    for (Definition& one : all_) {
      switch (one.section) {
        case Definition::Section::resource_registry:
          one.is_used = used.contains(one.name);
          break;
        case Definition::Section::parameter_defaults:
          one.is_used = templates_.parameters().contains(one.name);
          break;
        case Definition::Section::template_file:
          break;
      }
    }
    return std::move(all_);
  }

 private:
  static bool is_readable(const Value* section) {
    return section != nullptr && section->is_mapping() && !section->origin().through_alias();
  }

  void add(Definition::Section section, const Entry& entry, const std::string& name, std::string pointer) {
    // A member behind an alias is checked where it is written.
    if (entry.key.origin().through_alias()) return;
    all_.push_back({.section = section, .name = name, .pointer = std::move(pointer), .origin = entry.key.origin()});
  }

  // Recursion: bounded by Limits::depth.
  void read_level(const Value& level, std::vector<std::string>& tokens) {
    for (const Entry& entry : level.entries()) {
      const std::string name = key_text(entry.key);
      if (!is_type(name)) continue;
      tokens.push_back(name);
      // A template is always mapped to itself.
      if (entry.value.is_mapping() && !is_template_name(name)) {
        if (is_readable(&entry.value)) read_level(entry.value, tokens);
      } else if (name != "resources" || tokens.size() != 2) {
        add_type(entry, name, tokens);
      }
      tokens.pop_back();
    }
  }

  void add_type(const Entry& entry, const std::string& name, const std::vector<std::string>& tokens) {
    const std::string target = is_template_name(name)  ? name
                               : entry.value.is_text() ? std::string(entry.value.text())
                                                       : std::string();
    if (!is_template_name(target)) {
      if (name.ends_with('*')) {
        wildcards_.emplace(name.substr(0, name.size() - 1), target);
      } else {
        mapped_[name].insert(target);
      }
    }
    if (has_template_ && !name.ends_with('*'))
      add(Definition::Section::resource_registry, entry, name, pointer_of(tokens));
  }

  /// Those that templates name, and what they are mapped to.
  [[nodiscard]] TextSet used_types() const {
    TextSet used;
    std::vector<std::string> waiting;
    const auto use = [&](const std::string& type) {
      if (used.insert(type).second) waiting.push_back(type);
    };
    for (const std::string& type : templates_.types()) use(type);
    StopCheck stop(limits_.stop);
    while (!waiting.empty()) {
      const std::string type = std::move(waiting.back());
      waiting.pop_back();
      if (const auto found = mapped_.find(type); found != mapped_.end()) {
        for (const std::string& target : found->second) use(target);
      }
      for (const auto& [prefix, target] : wildcards_) {
        stop.tick();
        if (!type.starts_with(prefix)) continue;
        const std::string to =
            target.ends_with('*') ? target.substr(0, target.size() - 1) + type.substr(prefix.size()) : target;
        // Paths that go up further are not tried: their number is unlimited.
        if (mapped_.contains(to)) use(to);
      }
    }
    return used;
  }

  Templates& templates_;
  Sources& sources_;
  const Limits& limits_;
  bool has_template_;
  std::vector<Definition> all_;
  TextMap<std::set<std::string>> mapped_;                    ///< Types to other types.
  std::set<std::pair<std::string, std::string>> wildcards_;  ///< Prefixes, and what they are mapped to.
};

}  // namespace

Usage usage_of(const Request& request, const Composition& composition, Session& session) {
  const bool has_template = composition.declarations->root.has_value();
  Templates templates(composition, session);
  if (request.parameters) templates.add_types(request.parameters);
  Definitions definitions(templates, session, has_template);
  const TextViewSet listed(request.environment_files.begin(), request.environment_files.end());
  for (const NamedText& file : request.files) {
    check_stop(session.limits().stop);
    if (listed.contains(file.name)) definitions.read(file);
  }
  if (request.environment_files.empty() && request.environment_body) {
    definitions.read({.name = session.sources().file(*request.environment_body), .source = *request.environment_body});
  }
  TextViewSet unread;
  for (const UnattachedFile& one : request.unattached) {
    definitions.add_missing(one);
    unread.insert(one.url);
  }
  Usage out{.definitions = definitions.take(), .parameter_names = {}, .unread = unread.size()};
  out.parameter_names.assign(templates.parameters().begin(), templates.parameters().end());
  return out;
}

}  // namespace strata::heat
