// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/computed_bindings.hpp"

#include <fmt/format.h>

#include <map>

#include "bindings/injector/extension_producers.hpp"
#include "bindings/injector/producers.hpp"
#include "bindings/types/names.hpp"
#include "bindings/types/type_reader.hpp"
#include "puppet/characters.hpp"
#include "puppet/types/type.hpp"

namespace strata::bindings {

using puppet::as;
using puppet::Node;

/// What `bind parameters REF to R` found behind R.
struct ComputedBindings::Object {
  Value resource;  ///< In its printed form.
  Value parameters;
  std::string type;
  std::string name;  ///< `Sql[one]`, for messages and provenance.
};

/// Names of the left side to names of the object, in order.
struct ComputedBindings::ParameterMap {
  std::vector<std::pair<std::string, std::string>> names;
  std::string via;
};

std::vector<std::pair<std::string, std::string>> parameter_pairs(const Value& value) {
  std::vector<std::pair<std::string, std::string>> out;
  if (value.is_sequence()) {
    for (const Value& name : value.items()) {
      if (!name.is_text()) throw Error("bindings.map", "a map needs names of parameters");
      out.emplace_back(name.text(), name.text());
    }
  } else if (value.is_mapping()) {
    for (const Entry& entry : value.entries()) {
      if (!entry.key.is_text() || !entry.value.is_text())
        throw Error("bindings.map", "a map needs names of parameters on both sides");
      out.emplace_back(entry.key.text(), entry.value.text());
    }
  } else {
    throw Error("bindings.map", "a map is a hash of names to names, or a list of names");
  }
  return out;
}

/// As the evaluator takes it.
void ComputedBindings::warn_of_repeated(const Diagnostic& repeated) {
  if (services_.strict) {
    problems_.add(repeated);
  } else {
    expressions_.diagnostics().warn(repeated);
  }
}

void ComputedBindings::expand_all() {
  composition_.for_each_with_findings([this](const PlannedDocument& one) {
    for (const Diagnostic& each : one.prepared->repeated) warn_of_repeated(each);
  });
  for (const Placed& placed : composition_.computed()) {
    if (problems_.is_full()) break;
    problems_.guard([&] {
      try {
        expand(placed);
      } catch (const Error& error) {
        throw for_statement(sources_, error, *placed.statement);
      }
    });
  }
}

void ComputedBindings::expand(const Placed& placed) {
  const Statement& statement = *placed.statement;
  Prepared& prepared = composition_.local(placed.document);
  const EvaluatePart part = [this](const Expression& expression) { return expressions_.resolve(expression); };
  const TypeRef reference =
      statement.key.type ? read_type(sources_, statement.key.type, part, expressions_.limits()) : nullptr;
  const ProducerForm form = form_of(statement.producer);
  if (statement.form == Form::parameters && form != ProducerForm::expression && form != ProducerForm::constant)
    return expand_object(placed, reference);
  const Value hash = expressions_.resolve(*statement.producer.expression);
  if (hash.is_null() && statement.producer.is_optional) return;
  if (!hash.is_mapping()) {
    throw Error("bindings.parameters",
                fmt::format("'{}' needs a hash, not {}", form_name(statement), bindings::type_of(hash)))
        .at(sources_, statement.producer.origin);
  }
  std::uint32_t declared = 0;
  if (statement.form == Form::variables && reference != nullptr) declared = add_type(prepared, reference);
  std::map<std::string, Value> members;
  for (const Entry& entry : hash.entries()) {
    if (!entry.key.is_text() || entry.key.text().empty()) {
      throw Error("bindings.name", fmt::format("the keys of the hash of '{}' must be texts", form_name(statement)))
          .at(sources_, statement.producer.origin);
    }
    std::string name = statement.form == Form::variables
                           ? variable_key(sources_, entry.key.text(), statement.producer.origin)
                           : parameter_key(*reference, entry.key.text());
    const Value value = entry.value.origin() ? entry.value : entry.value.with_origin(statement.producer.origin);
    const auto added = members.insert_or_assign(std::move(name), value);
    if (!added.second)
      warn_of_repeated(
          repeated_key(sources_, entry.key.text(), value.origin(), statement.producer.origin).diagnostic());
  }
  for (const auto& member : members) {
    const std::string& name = member.first;
    const Value& value = member.second;
    // As with the members of a literal hash, that there is no value is told when it is asked for.
    if (!value.is_null() &&
        !expressions_.types().is_instance(declared == 0 ? *data_type() : *prepared.types[declared], value)) {
      throw Error("bindings.type", fmt::format("type error for {}: expected {}, got {} ({})", readable_key({}, name),
                                               declared == 0 ? "Data" : reference_text(*prepared.types[declared]),
                                               bindings::type_of(value), shown(value)))
          .at(sources_, statement.producer.origin);
    }
    add_ready(placed, name, provenance_.record(value, composition_.told(statement, placed.document, placed.guard)),
              declared, {});
  }
}

void ComputedBindings::add_ready(const Placed& placed, std::string name, const merge::Traced& value,
                                 std::uint32_t declared, std::string via) {
  Prepared& prepared = composition_.local(placed.document);
  Binding binding;
  binding.statement = placed.statement;
  binding.name = prepared.texts.emplace_back(std::move(name));
  binding.declared = declared;
  binding.guard = placed.guard;
  binding.is_override = placed.statement->is_override;
  binding.member = Binding::kReady + static_cast<std::uint32_t>(ready_.size());
  binding.hash = key_hash({}, binding.name);
  ready_.push_back({value, std::move(via)});
  composition_.add(placed.document, binding);
}

std::optional<ComputedBindings::Object> ComputedBindings::object_of(const Placed& placed, const TypeRef& reference) {
  const Statement& statement = *placed.statement;
  Production work;
  work.statement = &statement;
  work.prepared = composition_.document(placed.document).prepared.get();
  work.document = placed.document;
  work.guard = placed.guard;
  work.key = {{}, {}};
  const ProducerForm form = form_of(statement.producer);
  const queries::Answers::Feeding feeding(answers_, readable_reference(type_text(*reference)));
  const EvaluatePart part = [this](const Expression& expression) { return expressions_.resolve(expression); };
  Value found;
  std::string asked = "the query";
  if (form == ProducerForm::named) {
    found = extensions_.named_producer(work);
    asked = "the producer";
    if (!found || found.is_null()) found = arena_.sequence();
    if (!found.is_sequence()) found = arena_.sequence(std::span(&found, 1));
  } else if (form == ProducerForm::query) {
    const auto& query = as<puppet::Query>(*statement.producer.expression);
    found = expressions_.answer(query);
    if (!query.type.empty()) asked = fmt::format("{}[??]", query.type);
  } else {
    const TypeReference right{statement.producer.expression, statement.producer.is_class_name,
                              statement.producer.origin};
    const TypeRef type = read_type(sources_, right, part, expressions_.limits());
    asked = reference_text(*type);
    const auto* resource = type->get_if<puppet::ResourceType>();
    if (resource == nullptr) {
      throw Error("bindings.parameters", fmt::format("{} has no parameters", asked))
          .at(sources_, statement.producer.origin);
    }
    if (resource->title) {
      found = answers_.find(resource->name, *resource->title, statement.producer.origin);
    } else {
      puppet::Query all{{Node::query, false, statement.producer.origin}, resource->name, nullptr};
      found = expressions_.answer(all);
    }
  }
  if (const Option* select = find_option(statement, "select_result"); select != nullptr && found.size() > 0) {
    const Value chosen = expressions_.call_lambda(work, *select, std::span(&found, 1));
    found = chosen.is_null() || !chosen ? arena_.sequence() : arena_.sequence(std::span(&chosen, 1));
  }
  const std::string left = readable_reference(type_text(*reference));
  if (found.size() == 0) {
    if (statement.producer.is_optional) return std::nullopt;
    throw Error("bindings.no-value", fmt::format("parameters of {}: {} finds no resource", left, asked))
        .at(sources_, statement.producer.origin);
  }
  if (found.size() > 1) {
    throw Error("bindings.ambiguous",
                fmt::format("parameters of {}: {} is ambiguous: it matches {} resources", left, asked, found.size()))
        .at(sources_, statement.producer.origin)
        .hint("choose one with select_result => |$all| { … }");
  }
  Object out;
  out.resource = found.items()[0];
  const Value* type = out.resource.is_mapping() ? out.resource.find("type") : nullptr;
  const Value* title = out.resource.is_mapping() ? out.resource.find("title") : nullptr;
  const Value* parameters = out.resource.is_mapping() ? out.resource.find("parameters") : nullptr;
  if (type == nullptr || !type->is_text() || parameters == nullptr || !parameters->is_mapping()) {
    throw Error("bindings.parameters",
                fmt::format("parameters of {}: {} is not an object with parameters", left, shown(out.resource)))
        .at(sources_, statement.producer.origin);
  }
  out.parameters = *parameters;
  out.type = puppet::capitalized_name(type->text());
  out.name = title != nullptr && title->is_text() ? fmt::format("{}[{}]", out.type, title->text()) : out.type;
  return out;
}

std::optional<std::vector<std::string>> ComputedBindings::parameter_names(const Type& type) {
  const auto* of_class = type.get_if<puppet::ClassType>();
  const auto* resource = type.get_if<puppet::ResourceType>();
  const std::string name = of_class != nullptr ? *of_class->name : resource != nullptr ? resource->name : std::string();
  if (auto known = answers_.parameter_names(name)) return known;
  return services_.parameter_names ? services_.parameter_names(name) : std::nullopt;
}

ComputedBindings::ParameterMap ComputedBindings::map_of(const Placed& placed, const TypeRef& reference,
                                                        const Object& object) {
  const Statement& statement = *placed.statement;
  ParameterMap out;
  Production work;
  work.statement = &statement;
  work.prepared = composition_.document(placed.document).prepared.get();
  work.document = placed.document;
  work.guard = placed.guard;
  if (const Option* given = find_option(statement, "map")) {
    try {
      out.names = parameter_pairs(expressions_.evaluate(work, *given->value));
    } catch (const Error& error) {
      if (!error.diagnostic().where.place.file.empty()) throw;
      throw Error(error.diagnostic()).at(sources_, given->origin);
    }
    out.via = "map option";
    return out;
  }
  // Maps are of types: an instance has that of its type.
  const auto* instance = reference->get_if<puppet::ResourceType>();
  const std::string left_name =
      type_text(instance != nullptr && instance->title ? *resource_type(instance->name) : *reference);
  const std::uint32_t key = composition_.find({}, fmt::format("/map/{}/{}", left_name, object.type));
  if (key != KeyTable::kNone) {
    const Effective effective = composition_.below(key, UINT64_MAX);
    if (effective.winner != nullptr) {
      if (effective.is_tied) throw composition_.conflict(key, *effective.winner);
      const merge::Traced value = producers_.produce(production_of(composition_, key, *effective.winner));
      out.names = parameter_pairs(value.value);
      out.via = fmt::format("map of {} to {}", readable_reference(left_name), object.type);
      return out;
    }
  }
  // A parameter that is null is none.
  out.via = fmt::format("same names as {}", object.type);
  if (left_name == object.type) {
    for (const Entry& entry : object.parameters.entries()) {
      if (entry.key.is_text() && !entry.value.is_null()) out.names.emplace_back(entry.key.text(), entry.key.text());
    }
    return out;
  }
  if (const auto names = parameter_names(*reference)) {
    for (const std::string& name : *names) {
      const Value* value = object.parameters.find(name);
      if (value != nullptr && !value->is_null()) out.names.emplace_back(name, name);
    }
  }
  if (out.names.empty()) {
    throw Error("bindings.map-required",
                fmt::format("map required for {} from {}", readable_reference(left_name), object.type))
        .at(sources_, statement.origin)
        .hint(fmt::format("bind map {} to {} {{ left => right }}", left_name, object.type));
  }
  return out;
}

void ComputedBindings::expand_object(const Placed& placed, const TypeRef& reference) {
  const Statement& statement = *placed.statement;
  const std::string left = readable_reference(type_text(*reference));
  const auto object = object_of(placed, reference);
  if (!object) return;
  // One object of a type at one rank.
  const std::string once =
      fmt::format("{}\n{}\n{}", type_text(*reference), object->type, composition_.rank(placed.layer, placed.guard));
  const auto added = objects_.emplace(once, &statement);
  if (!added.second) {
    throw Error("bindings.parameters", fmt::format("a {} is already bound to the parameters of {}", object->type, left))
        .at(sources_, statement.origin)
        .note(sources_, added.first->second->origin, "it is bound here")
        .hint("put one of them in a higher layer or a more specific category");
  }
  const ParameterMap map = map_of(placed, reference, *object);
  for (const auto& pair : map.names) {
    const Value* value = object->parameters.find(pair.second);
    if (value == nullptr || value->is_null()) {
      if (statement.producer.is_optional) continue;
      throw Error("bindings.no-value", fmt::format("parameter '{}' of {}: {} has no parameter '{}'", pair.first, left,
                                                   object->name, pair.second))
          .at(sources_, statement.producer.origin);
    }
    StatementReport told = composition_.told(statement, placed.document, placed.guard);
    told.via = fmt::format("{} ← {}, parameter {}", map.via, object->name, pair.second);
    if (const auto from = answers_.origin_of(value->origin()); from && !from->certname.empty())
      told.via += fmt::format(", of {}", from->certname);
    add_ready(placed, parameter_key(*reference, pair.first), provenance_.record(*value, told), 0, told.via);
  }
}

}  // namespace strata::bindings
