// What extensions are asked, and what they may ask.
#include <fmt/format.h>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "puppet/types/make.hpp"

namespace strata::bindings {

using puppet::TypeKind;

namespace {

/// The name of a runtime type: of `Type[X]`, or of X.
std::string runtime_name(const Type& type) {
  const Type& inner = type.kind == TypeKind::type && !type.parts.empty() ? *type.parts[0] : type;
  return inner.kind == TypeKind::resource && inner.texts.size() == 1 ? inner.texts[0] : std::string();
}

}  // namespace

Value InjectorState::inject(std::string_view type, std::string_view name) {
  if (!available_) throw Error("bindings.not-available", "injection is not available here");
  const TypeRef wanted = type.empty() ? nullptr : read_type_text(type);
  const merge::Traced found = wanted == nullptr ? find_data(name) : find_typed(wanted, name);
  if (!found.value) not_bound(wanted == nullptr || (!name.empty() && is_data(*wanted)) ? "" : type_text(*wanted), name);
  return used(found);
}

extensions::Binding InjectorState::binding() {
  if (working_.empty()) return {};
  const Work& work = *working_.back();
  return {std::string(work.key.name), work.declared == 0 ? "Data" : type_text(type_of(work)), work.statement->origin};
}

void InjectorState::warn(const std::string& message) {
  Error warning("extension.warning", message);
  if (!working_.empty()) place_at(warning, sources_, working_.back()->statement->origin);
  diagnostics_.warn(warning.diagnostic());
}

/// The multibind that names producers, whatever its type is: a Hash of types is no Data. kNone where there is none.
std::uint32_t InjectorState::producers_key() {
  if (producers_key_) return *producers_key_;
  producers_key_ = KeyTable::kNone;
  for (std::uint32_t key = 0; key < composition_->key_count() && *producers_key_ == KeyTable::kNone; ++key) {
    const Candidate* winner = composition_->effective(key).winner;
    if (winner == nullptr || composition_->text(key).name != "producers" || renamed_.contains(key)) continue;
    try {
      const Candidate* multibind = behind_rebinds(key, *winner);
      const bool is_multibind = multibind != nullptr && (multibind->flags & Candidate::kMultibind) != 0;
      if (is_multibind && type_of(work_of(key, *multibind)).kind == TypeKind::hash) producers_key_ = key;
    } catch (const Error&) {
      continue;  // It is told by who checks rebinds.
    }
  }
  return *producers_key_;
}

/// The producer that `producer "x"` or `producer Type[X]` names: by way of the multibind `producers`, else as an extension registered it.
extensions::Producer* InjectorState::producer_of(const Work& work) {
  if (services_.extensions == nullptr) return nullptr;
  const Expression& named = *work.statement->producer.expression;
  if (has_form_of_type(named)) {
    const TypeRef type = read_type(
        sources_, named, [&](const Expression& part) { return evaluate(work, part); }, limits_);
    return services_.extensions->producer(runtime_name(*type));
  }
  const Value name = evaluate(work, named);
  if (!name.is_text()) return nullptr;
  merge::Traced all;
  if (available_) {
    const std::uint32_t key = producers_key();
    // What is contributed to the multibind itself can only be what extensions registered.
    const bool collecting = key != KeyTable::kNone && slots_[key].progress == Progress::running;
    if (!collecting) all = key != KeyTable::kNone ? look_up(key) : find_exact("producers");
  }
  const Value* bound = all.value.is_mapping() ? all.value.find(name.text()) : nullptr;
  if (const puppet::TypeObject* type = bound == nullptr ? nullptr : puppet::as_type(*bound)) {
    return services_.extensions->producer(runtime_name(*type->type()));
  }
  return services_.extensions->producer(bound != nullptr && bound->is_text() ? bound->text() : name.text());
}

/// For messages: `'x'`, `Type[X]`.
std::string InjectorState::producer_name(const Work& work) {
  const Expression& named = *work.statement->producer.expression;
  const EvaluatePart part = [&](const Expression& expression) { return evaluate(work, expression); };
  if (has_form_of_type(named)) return reference_text(*read_type(sources_, named, part, limits_));
  const Value name = evaluate(work, named);
  return name.is_text() ? fmt::format("'{}'", name.text()) : shown(name);
}

Value InjectorState::named_producer(const Work& work) {
  extensions::Producer* producer = producer_of(work);
  const Origin here = work.statement->producer.expression->origin;
  if (producer == nullptr) {
    if (work.statement->producer.is_optional) return {};
    throw located(work, Error("bindings.producer", fmt::format("there is no producer {}", producer_name(work))).at(sources_, here));
  }
  Value arguments;
  if (const Option* given = find_option(*work.statement, "producer_args")) arguments = evaluate(work, *given->value);
  const Pushed<const Work*> pushed(working_, &work);
  try {
    const Value value = producer->produce(*this, arguments);
    if (!value || value.is_null() || producer->type().empty()) return value;
    const TypeRef declared = read_type_text(producer->type());
    if (types_.is_instance(*declared, value)) return value;
    throw Error("bindings.type",
                fmt::format("type error for {}: the producer {} of {} says that it makes {}, but made {} ({})", Composition::readable(work.key),
                            producer->declared().name, producer->declared().file, reference_text(*declared), bindings::type_of(value), shown(value)))
        .at(sources_, here);
  } catch (const Error& error) {
    throw located(work, error);
  }
}

/// `bind T, 'x' to producer 'p'`, where p is bound as a producer of something: that must fit.
void InjectorState::check_producers() {
  const std::uint32_t producers = producers_key();
  if (producers == KeyTable::kNone || problems_.is_full()) return;
  const Candidate& multibind = *behind_rebinds(producers, *composition_->effective(producers).winner);
  const auto held = [](const TypeRef& type) -> TypeRef {
    const bool known = type != nullptr && type->kind == TypeKind::type && !type->parts.empty() && is_producer_type(*type->parts[0]);
    return known && !type->parts[0]->parts.empty() ? type->parts[0]->parts[0] : nullptr;
  };
  const TypeRef of_all = held(type_of(work_of(producers, multibind)).parts[1]);
  std::unordered_map<std::string_view, TypeRef> known;
  const auto id = id_of(multibind);
  for (const Contributed& each : id ? composition_->contributions(*id) : std::span<const Contributed>()) {
    if (!composition_->in_effect(each.guard)) continue;
    const TypeRef own = held(composition_->document(each.document).prepared->types[each.statement->declared]);
    known.emplace(each.statement->name, own != nullptr ? own : of_all);
  }
  for (std::uint32_t key = 0; key < composition_->key_count() && !problems_.is_full(); ++key) {
    const Candidate* winner = composition_->effective(key).winner;
    if (winner == nullptr || (winner->flags & Candidate::kNamed) == 0) continue;
    const Statement& statement = *winner->binding->statement;
    const Value* name = scalar_constant(*statement.producer.expression);
    if (name == nullptr || !name->is_text() || find_option(statement, "transformer") != nullptr) continue;
    const auto found = known.find(name->text());
    if (found == known.end() || found->second == nullptr) continue;
    const Type& wanted = type_of(work_of(key, *winner));
    if (types_.is_assignable(wanted, *found->second)) continue;
    Error error("bindings.type", fmt::format("type error for {}: expected {}, but the producer '{}' is bound as one of {}",
                                             composition_->readable(key), reference_text(wanted), name->text(), reference_text(*found->second)));
    place_at(error, sources_, statement.producer.expression->origin);
    if (statement.key.type) add_note(error, sources_, statement.key.type.origin, "the type is declared here");
    problems_.add(error);
  }
}

}  // namespace strata::bindings
