// What extensions are asked, and what they may ask. Rule: bindings 13.7, 18.
#include <fmt/format.h>

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
  const merge::Traced all = available_ ? find_exact("producers") : merge::Traced();
  const Value* bound = all.value.is_mapping() ? all.value.find(name.text()) : nullptr;
  if (const puppet::TypeObject* type = bound == nullptr ? nullptr : puppet::as_type(*bound)) {
    return services_.extensions->producer(runtime_name(*type->type()));
  }
  return services_.extensions->producer(name.text());
}

Value InjectorState::named_producer(const Work& work) {
  extensions::Producer* producer = producer_of(work);
  const Expression& named = *work.statement->producer.expression;
  if (producer == nullptr) {
    if (work.statement->producer.is_optional) return {};
    std::string name = "that name";
    if (named.node == puppet::Node::literal) name = fmt::format("'{}'", puppet::as<puppet::Literal>(named).value.text());
    throw located(work, Error("bindings.producer", fmt::format("there is no producer of {}", name)).at(sources_, named.origin));
  }
  Value arguments;
  if (const Option* given = find_option(*work.statement, "producer_args")) arguments = evaluate(work, *given->value);
  working_.push_back(&work);
  try {
    const Value value = producer->produce(*this, arguments);
    working_.pop_back();
    return value;
  } catch (const Error& error) {
    working_.pop_back();
    throw located(work, error);
  }
}

}  // namespace strata::bindings
