// SPDX-License-Identifier: Apache-2.0
// POST /validate: what a template declares, and what an environment gives it. Nothing is stored, and nothing is masked:
// the request brought it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "heat/declarations.hpp"
#include "heat/parameters.hpp"
#include "heat/state.hpp"
#include "heat/values.hpp"
#include "python/data.hpp"
#include "service/json.hpp"
#include "service/stacks/arguments.hpp"
#include "service/stacks/evaluation.hpp"
#include "service/stacks/handlers.hpp"
#include "service/stacks/refusals.hpp"
#include "service/stacks/template_structure.hpp"
#include "strata/builder.hpp"
#include "strata/chain.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::string_view kIgnorableError =
    "99001";  // A service that a resource needs is not there: here that is never looked at.

std::string_view type_name(heat::ParameterType type) noexcept {
  switch (type) {
    case heat::ParameterType::number:
      return "Number";
    case heat::ParameterType::json:
      return "Json";
    case heat::ParameterType::comma_delimited_list:
      return "CommaDelimitedList";
    case heat::ParameterType::boolean:
      return "Boolean";
    case heat::ParameterType::string:
      break;
  }
  return "String";
}

const Value* either_of(const Value& mapping, std::string_view hot, std::string_view cfn) {
  if (!mapping.is_mapping()) return nullptr;
  const Value* found = mapping.find(hot);
  return found == nullptr ? mapping.find(cfn) : found;
}

/// Error (Refused, 400) for codes that the reference does not know.
void check_ignored(const Query& query) {
  const std::string* text = query.find("ignore_errors");
  if (text == nullptr) return;
  std::vector<std::string> unknown;
  for (std::string& code : tags_of(*text)) {
    if (code != kIgnorableError) unknown.push_back(std::move(code));
  }
  if (!unknown.empty()) refuse_request(fmt::format("Invalid codes in ignore_errors : {}", fmt::join(unknown, ", ")));
}

class Validation {
 public:
  Validation(Session& session, const heat::Composition& composition)
      : session_(session), arena_(session.arena()), composition_(composition), root_(*composition.declarations->root) {
    session.keep(root_.arena);
    for (const std::shared_ptr<Arena>& arena : composition.declarations->arenas) session.keep(arena);
    for (const heat::StoredText& file : composition.state->files)
      files_.emplace(file.name, heat::characters(session.sources(), file));
  }

  Value answer(bool shows_nested) {
    check_declarations();
    constexpr std::string_view kBad = "HTTPBadRequest";
    check_structure(root_, session_.sources(), kBad);
    check_nested(composition_, session_, kBad, false);
    MappingBuilder out(arena_);
    describe(out, root_, composition_.environment.parameters.value);
    MappingBuilder environment(arena_);
    environment.insert("resource_registry", composition_.environment.resource_registry.value);
    environment.insert("parameters", composition_.environment.parameters.value);
    environment.insert("parameter_defaults", composition_.environment.parameter_defaults.value);
    environment.insert("event_sinks", composition_.environment.event_sinks.value);
    out.insert("Environment", environment.finish());
    if (shows_nested) add_nested(out, root_.root);
    return heat::json_form(arena_, out.finish()).value;
  }

 private:
  /// As the reference: names and declarations are checked, not whether values fit, or are there.
  void check_declarations() const {
    const auto counts = [](const Diagnostic& one) {
      return one.code != "heat.parameter-missing" && one.code != "heat.parameter-value";
    };
    const heat::Environment& environment = composition_.environment;
    try {
      (void)heat::effective_parameters(root_.parameters, environment.parameters, environment.parameter_defaults,
                                       session_);
    } catch (const Error& error) {
      const std::vector<Diagnostic> all = error.all();
      const auto found = std::ranges::find_if(all, counts);
      if (found != all.end()) throw Error(*found);
    }
  }

  void describe(MappingBuilder& out, const heat::Template& of, const Value& given) const {
    const Value* description = either_of(of.root, "description", "Description");
    out.insert("Description", description != nullptr && description->is_text() && !description->text().empty()
                                  ? *description
                                  : arena_.text("No description"));
    const Value* declared = either_of(of.root, "parameters", "Parameters");
    MappingBuilder parameters(arena_);
    for (const heat::ParameterSchema& schema : of.parameters.all()) {
      const Value* declaration = declared != nullptr && declared->is_mapping() ? declared->find(schema.name) : nullptr;
      parameters.insert(schema.name, parameter(schema, declaration == nullptr ? Value() : *declaration, given));
    }
    out.insert("Parameters", parameters.finish());
    const Value* groups = either_of(of.root, "parameter_groups", "ParameterGroups");
    if (groups != nullptr && python::truth(*groups)) out.insert("ParameterGroups", *groups);
  }

  [[nodiscard]] Value parameter(const heat::ParameterSchema& schema, const Value& declaration,
                                const Value& given) const {
    const auto text_of = [&](std::string_view hot, std::string_view cfn, std::string_view otherwise) {
      const Value* found = either_of(declaration, hot, cfn);
      return found != nullptr && found->is_text() ? *found : arena_.text(otherwise);
    };
    MappingBuilder out(arena_);
    out.insert("Type", arena_.text(type_name(schema.type)));
    out.insert("Description", text_of("description", "Description", ""));
    out.insert("NoEcho", arena_.text(schema.hidden ? "true" : "false"));
    out.insert("Label", text_of("label", "Label", schema.name));
    const Value* tags = declaration.is_mapping() ? declaration.find("tags") : nullptr;
    if (tags != nullptr && tags->is_sequence()) out.insert("Tags", *tags);
    const Value& defaults = composition_.environment.parameter_defaults.value;
    const Value* from_environment = defaults.is_mapping() ? defaults.find(schema.name) : nullptr;
    if (from_environment != nullptr && !from_environment->is_null()) {
      out.insert("Default", *from_environment);
    } else if (schema.default_value) {
      out.insert("Default", schema.default_value);
    }
    const Value* value = given.is_mapping() ? given.find(schema.name) : nullptr;
    if (value != nullptr && python::truth(*value)) out.insert("Value", *value);
    add_constraints(out, schema);
    return out.finish();
  }

  void add_constraints(MappingBuilder& out, const heat::ParameterSchema& schema) const {
    std::string reasons;
    for (const heat::Constraint& one : schema.constraints) {
      const auto add = [&out](std::string_view name, const Value& value) {
        if (value) out.insert(name, value);
      };
      switch (one.kind) {
        case heat::Constraint::Kind::length:
          add("MinLength", one.low);
          add("MaxLength", one.high);
          break;
        case heat::Constraint::Kind::range:
          add("MinValue", one.low);
          add("MaxValue", one.high);
          break;
        case heat::Constraint::Kind::modulo:
          add("Step", one.low);
          add("Offset", one.high);
          break;
        case heat::Constraint::Kind::allowed_values:
          add("AllowedValues", one.values);
          break;
        case heat::Constraint::Kind::allowed_pattern:
          add("AllowedPattern", arena_.text(one.pattern));
          break;
        case heat::Constraint::Kind::custom:
          add("CustomConstraint", arena_.text(one.pattern));
          break;
      }
      if (!one.message.empty()) reasons.append(reasons.empty() ? "" : " ").append(one.message);
    }
    if (!reasons.empty()) out.insert("ConstraintDescription", arena_.text(reasons));
  }

  /// The templates behind the resources of a template, by the names of the resources.
  // Recursion: bounded by Limits::include_depth.
  void add_nested(MappingBuilder& out, const Value& of) {
    const Value* resources = either_of(of, "resources", "Resources");
    if (resources == nullptr || !resources->is_mapping()) return;
    MappingBuilder nested(arena_);
    for (const Entry& resource : resources->entries()) {
      check_stop(session_.limits().stop);
      const Value* type = either_of(resource.value, "type", "Type");
      if (type == nullptr || !type->is_text()) continue;
      const std::string file = template_of_type(composition_, type->text(), key_text(resource.key), session_);
      const auto text = files_.find(file);
      if (text == files_.end() || std::ranges::find(way_, file) != way_.end()) continue;
      if (way_.size() == session_.limits().include_depth) {
        throw Error("limit.include-depth", fmt::format("templates are nested more than {} levels deep", way_.size()));
      }
      if (++described_ > session_.limits().includes) {
        throw Error("limit.includes", fmt::format("more than {} templates are nested", session_.limits().includes));
      }
      nested.insert(resource.key, nested_view(file, text->second, resource.value));
    }
    if (nested.size() != 0) out.insert("NestedParameters", nested.finish());
  }

  Value nested_view(const std::string& file, std::string_view text, const Value& resource) {
    const heat::Template of =
        heat::read_template(session_.sources(), session_.sources().add(file, std::string(text)), session_.limits());
    session_.keep(of.arena);
    MappingBuilder view(arena_);
    view.insert("Type", *either_of(resource, "type", "Type"));
    describe(view, of, given_to(resource));
    way_.push_back(file);
    add_nested(view, of.root);
    way_.pop_back();
    return view.finish();
  }

  /// What the properties of a resource give to its template, as far as it is known here.
  [[nodiscard]] Value given_to(const Value& resource) const {
    const Value* properties = either_of(resource, "properties", "Properties");
    MappingBuilder out(arena_);
    if (properties == nullptr || !properties->is_mapping()) return out.finish();
    for (const Entry& property : properties->entries()) {
      if (is_literal(property.value)) out.insert(property.key, property.value);
    }
    return out.finish();
  }

  Session& session_;
  Arena& arena_;
  const heat::Composition& composition_;
  const heat::Template& root_;
  std::map<std::string, std::string, std::less<>> files_;
  std::vector<std::string> way_;
  std::size_t described_ = 0;
};

}  // namespace

Response validate_template(const Call& call) {
  const bool shows_nested = flag_of(call.request.query, "show_nested").value_or(false);
  check_ignored(call.request.query);
  const std::unique_ptr<Session> session = session_of(call);
  const Sent sent = read_body(call, *session, Purpose::validate);
  const heat::Composition composition = compose(*session, sent, nullptr);
  return json_response(in_heat([&] { return Validation(*session, composition).answer(shows_nested); }));
}

}  // namespace strata::service::stacks
