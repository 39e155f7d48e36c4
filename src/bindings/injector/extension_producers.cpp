// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/extension_producers.hpp"

#include <fmt/format.h>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/extension_context.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/types/names.hpp"
#include "bindings/types/type_reader.hpp"
#include "puppet/types/make.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

using puppet::TypeKind;

/// The multibind that names producers, whatever its type is: a Hash of types is no Data. kNone where there is none.
std::uint32_t ExtensionProducers::producers_key() {
  if (producers_key_) return *producers_key_;
  producers_key_ = KeyTable::kNone;
  for (const std::uint32_t key : composition_.notable()) {
    const Candidate* winner = composition_.effective(key).winner;
    if (winner == nullptr || composition_.text(key).name != "producers" || lookup_.is_renamed(key)) continue;
    try {
      const Candidate* multibind = references_.behind_rebinds(key, *winner);
      const bool is_multibind = multibind != nullptr && (multibind->flags & Candidate::kMultibind) != 0;
      if (is_multibind && declared_type(production_of(composition_, key, *multibind)).kind() == TypeKind::hash) {
        producers_key_ = key;
        break;
      }
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      continue;  // It is told by who checks rebinds.
    }
  }
  return *producers_key_;
}

/// The producer that `producer "x"` or `producer Type[X]` names: by way of the multibind `producers`, else as an
/// extension registered it.
extensions::Producer* ExtensionProducers::producer_of(const Production& work) {
  if (registry_ == nullptr) return nullptr;
  const Expression& named = *work.statement->producer.expression;
  if (has_form_of_type(named)) {
    const TypeRef type = expressions_.type_in(work, named);
    return registry_->producer(runtime_name(*type));
  }
  const Value name = expressions_.evaluate(work, named);
  if (!name.is_text()) return nullptr;
  merge::Traced all;
  if (expressions_.allows_injection()) {
    const std::uint32_t key = producers_key();
    // What is contributed to the multibind itself can only be what extensions registered.
    const bool collecting = key != KeyTable::kNone && lookup_.is_running(key);
    if (!collecting) all = key != KeyTable::kNone ? lookup_.look_up(key) : lookup_.find_exact("producers");
  }
  const Value* bound = all.value.is_mapping() ? all.value.find(name.text()) : nullptr;
  if (const puppet::TypeObject* type = bound == nullptr ? nullptr : puppet::as_type(*bound)) {
    return registry_->producer(runtime_name(*type->type()));
  }
  return registry_->producer(bound != nullptr && bound->is_text() ? bound->text() : name.text());
}

/// For messages: `'x'`, `Type[X]`.
std::string ExtensionProducers::producer_name(const Production& work) {
  const Expression& named = *work.statement->producer.expression;
  const EvaluatePart part = [&](const Expression& expression) { return expressions_.evaluate(work, expression); };
  if (has_form_of_type(named)) return reference_text(*read_type(sources_, named, part, expressions_.limits()));
  const Value name = expressions_.evaluate(work, named);
  return name.is_text() ? fmt::format("'{}'", name.text()) : shown(name);
}

Value ExtensionProducers::named_producer(const Production& work) {
  extensions::Producer* producer = producer_of(work);
  const Origin here = work.statement->producer.expression->origin;
  if (producer == nullptr) {
    if (work.statement->producer.is_optional) return {};
    throw located(
        sources_, work,
        Error("bindings.producer", fmt::format("there is no producer {}", producer_name(work))).at(sources_, here));
  }
  Value arguments;
  if (const Option* given = find_option(*work.statement, "producer_args"))
    arguments = expressions_.evaluate(work, *given->value);
  const ExtensionContext::Producing producing(context_, work);
  try {
    const Value value = producer->produce(context_, arguments);
    if (!value || value.is_null() || producer->type().empty()) return value;
    const TypeRef declared = expressions_.read_type_text(producer->type());
    if (expressions_.types().is_instance(*declared, value)) return value;
    throw Error("bindings.type",
                fmt::format("type error for {}: the producer {} of {} declares {}, but made {} ({})",
                            Composition::readable(work.key), producer->declared().name, producer->declared().file,
                            reference_text(*declared), bindings::type_of(value), shown(value)))
        .at(sources_, here);
  } catch (const Error& error) {
    throw located(sources_, work, error);
  }
}

merge::Traced ExtensionProducers::instance(const Type& type, const Value& arguments) {
  if (registry_ == nullptr) return {};
  const std::string name = runtime_name(type);
  extensions::RuntimeType* made = name.empty() ? nullptr : registry_->type(name);
  if (made == nullptr) return {};
  const Value value = made->create(context_, arguments);
  StatementReport told;
  told.layer = "extensions";
  told.document = made->declared().file;
  told.category = "common";
  told.statement = "type";
  return provenance_.record(value, told);
}

/// `bind T, 'x' to producer 'p'`, where p is bound as a producer of something: that must fit.
void ExtensionProducers::check(Problems& problems) {
  const std::uint32_t producers = producers_key();
  if (producers == KeyTable::kNone || problems.is_full()) return;
  const Candidate& multibind = *references_.behind_rebinds(producers, *composition_.effective(producers).winner);
  const auto held = [](const TypeRef& type) -> TypeRef {
    const bool known = type != nullptr && type->kind() == TypeKind::type && puppet::held(*type) != nullptr &&
                       is_producer_type(*puppet::held(*type));
    return known ? puppet::held(*type)->as<puppet::ResourceType>().produced : nullptr;
  };
  const TypeRef of_all =
      held(declared_type(production_of(composition_, producers, multibind)).as<puppet::HashType>().value);
  TextViewMap<TypeRef> known;
  const auto id = references_.id_of(multibind);
  for (const Contributed& each : id ? composition_.contributions(*id) : std::span<const Contributed>()) {
    if (!composition_.in_effect(each.guard)) continue;
    const TypeRef own = held(composition_.document(each.document).prepared->types[each.statement->declared]);
    known.emplace(each.statement->name, own != nullptr ? own : of_all);
  }
  for (const std::uint32_t key : composition_.notable()) {
    if (problems.is_full()) return;
    const Candidate* winner = composition_.effective(key).winner;
    if (winner == nullptr || (winner->flags & Candidate::kNamed) == 0) continue;
    const Statement& statement = *winner->binding->statement;
    const Value* name = scalar_constant(*statement.producer.expression);
    if (name == nullptr || !name->is_text() || find_option(statement, "transformer") != nullptr) continue;
    const auto found = known.find(name->text());
    if (found == known.end() || found->second == nullptr) continue;
    const Type& wanted = declared_type(production_of(composition_, key, *winner));
    if (expressions_.types().is_assignable(wanted, *found->second)) continue;
    Error error(
        "bindings.type",
        fmt::format("type error for {}: expected {}, but the producer '{}' is bound as one of {}",
                    composition_.readable(key), reference_text(wanted), name->text(), reference_text(*found->second)));
    place_at(error, sources_, statement.producer.expression->origin);
    if (statement.key.type) add_note(error, sources_, statement.key.type.origin, "the type is declared here");
    problems.add(error);
  }
}

}  // namespace strata::bindings
