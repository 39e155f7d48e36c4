// SPDX-License-Identifier: Apache-2.0
#include "bindings/composition/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/composition/constants.hpp"
#include "bindings/problems.hpp"
#include "bindings/types/membership.hpp"
#include "bindings/types/names.hpp"
#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/type.hpp"
#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

using puppet::as;
using puppet::Node;
using puppet::TypeKind;

ProducerForm form_of(const Producer& producer) noexcept {
  if (producer.kind == Producer::Kind::none) return ProducerForm::none;
  if (producer.kind == Producer::Kind::named) return ProducerForm::named;
  if (producer.is_class_name) return ProducerForm::type;
  const Expression& expression = *producer.expression;
  switch (expression.node) {
    case Node::query:
      return ProducerForm::query;
    case Node::type_name:
      return ProducerForm::type;
    case Node::access: {
      const Expression& target = *as<puppet::Access>(expression).target;
      if (target.node != Node::type_name) return ProducerForm::expression;
      return is_reserved(as<puppet::TypeName>(target).name) ? ProducerForm::type : ProducerForm::reference;
    }
    default:
      return is_constant(expression) ? ProducerForm::constant : ProducerForm::expression;
  }
}

std::uint32_t add_type(Prepared& prepared, TypeRef type) {
  prepared.types.push_back(std::move(type));
  // Only types that are no Data are parts of keys, unless there is no name.
  prepared.type_texts.push_back(type_text(*prepared.types.back()));
  return static_cast<std::uint32_t>(prepared.types.size() - 1);
}

std::uint32_t key_part(const Prepared& prepared, std::uint32_t declared, std::string_view name) {
  if (declared == 0) return 0;
  return !name.empty() && is_data(*prepared.types[declared]) ? 0 : declared;
}

std::uint32_t key_hash(std::string_view type_part, std::string_view name) noexcept {
  std::uint64_t hash = seeded_hash(name);
  if (!type_part.empty()) hash ^= seeded_hash(type_part) * 0x9E3779B97F4A7C15U;
  return static_cast<std::uint32_t>(hash ^ hash >> 32U);
}

std::string_view form_name(const Statement& statement) noexcept {
  switch (statement.form) {
    case Form::bind:
      return "bind";
    case Form::multibind:
      return "multibind";
    case Form::rebind:
      return "rebind";
    case Form::parameters:
      return "bind parameters";
    case Form::variables:
      return "bind variables";
    case Form::map:
      return "bind map";
    case Form::alias:
      return "bind alias";
    case Form::renamed:
      return "bind renamed";
    case Form::dependency:
      return "bind dependency";
    case Form::include:
      return "include";
    case Form::exclude:
      return "exclude";
  }
  return "";
}

Preparer::Preparer(Prepared& out, const Sources& sources, const Limits& limits, Resolve resolve)
    : out_(out), sources_(sources), limits_(limits), resolve_(std::move(resolve)) {}

namespace {

/// A text as it is written, for messages about what is not evaluated yet.
std::string written_text(const Expression& expression) {
  if (const Value* constant = scalar_constant(expression))
    return constant->is_text() ? std::string(constant->text()) : "…";
  if (expression.node == Node::variable) return fmt::format("${{{}}}", as<puppet::Variable>(expression).name);
  if (expression.node != Node::interpolation) return "${…}";
  std::string out;
  for (const Expression* part : as<puppet::Interpolation>(expression).parts) {
    out += part->node == Node::interpolation ? "${…}" : written_text(*part);
  }
  return out;
}

/// How messages name what a statement binds.
std::string written_key(const Statement& statement) {
  if (statement.id != nullptr && statement.form == Form::bind) {
    return fmt::format("a contribution to the multibind '{}'", written_text(*statement.id));
  }
  if (statement.key.name == nullptr) return fmt::format("'{}'", form_name(statement));
  return readable_key("", written_text(*statement.key.name));
}

}  // namespace

Error for_statement(const Sources& sources, const Error& error, const Statement& statement) {
  Error out(error.diagnostic());
  // Errors of bindings speak of the statement themselves.
  if (error.code().starts_with("bindings.") && error.code() != "bindings.not-available") return out;
  return std::move(out).note(sources, statement.origin, fmt::format("for {}, bound here", written_key(statement)));
}

/// Leaves a statement to the nodes. Options and constants are checked here all the same, whether or not it is ever in
/// effect.
void Preparer::defer(const Statement& statement, std::uint32_t guard, std::optional<std::uint32_t> declared) {
  assert(!resolve_);
  const std::size_t errors = out_.errors.size();
  if (declared || statement.form != Form::multibind)
    options(statement, declared ? out_.types[*declared].get() : nullptr);
  const bool constant = statement.form == Form::bind && form_of(statement.producer) == ProducerForm::constant;
  if (declared && constant && (*declared != 0 || statement.id == nullptr)) {
    check_constant(statement, *declared, *statement.producer.expression, [&] { return written_key(statement); });
  }
  if (out_.errors.size() == errors) out_.open.push_back({&statement, guard});
}

std::string_view Preparer::keep(std::string text) { return out_.texts.emplace_back(std::move(text)); }

std::optional<std::string_view> Preparer::text_of(const Expression& expression, std::string_view what) {
  Value value;
  if (const Value* constant = scalar_constant(expression)) {
    value = *constant;
  } else if (resolve_) {
    value = resolve_(expression);
  } else {
    return std::nullopt;
  }
  if (!value.is_text())
    throw Error("bindings.name", fmt::format("{} must be a text", what)).at(sources_, expression.origin);
  if (value.is_secret()) {
    throw Error("bindings.name", fmt::format("{} comes from a secret, and names cannot be hidden", what))
        .at(sources_, expression.origin);
  }
  return value.text();
}

std::optional<std::uint32_t> Preparer::type_of(const TypeReference& reference) {
  if (!reference) return 0;
  const bool plain = reference.expression->node == Node::type_name;
  if (plain) {
    const auto known = plain_types_.find(as<puppet::TypeName>(*reference.expression).name);
    if (known != plain_types_.end()) return known->second;
  }
  TypeRef type = read_type(sources_, reference, resolve_, limits_);
  if (type == nullptr) return std::nullopt;
  const std::uint32_t number = add_type(out_, std::move(type));
  if (plain) plain_types_.emplace(as<puppet::TypeName>(*reference.expression).name, number);
  return number;
}

std::string_view Preparer::checked_name(std::string_view name, Origin origin) {
  if (!name.starts_with('/')) return name;
  const auto canonical = canonical_name(name);
  if (!canonical) {
    throw Error("bindings.name", fmt::format("the name '{}' begins with '/', which is reserved", name))
        .at(sources_, origin)
        .hint(
            "reserved forms are /param/Class[name]/parameter, /map/Left/Right, /var/name, /classes and /dependencies");
  }
  return *canonical == name ? name : keep(*canonical);
}

void Preparer::push(Binding binding) {
  binding.hash = key_hash(out_.type_texts[binding.type_part], binding.name);
  out_.bindings.push_back(binding);
}

/// What is wrong with a statement that binds its key all the same.
void Preparer::record(const Error& error) {
  if (out_.errors.size() < Problems::kMost) out_.errors.push_back(error.diagnostic());
}

void Preparer::options(const Statement& statement, const Type* declared) {
  if (statement.options.empty() || statement.form == Form::map) return;
  try {
    check_options(sources_, statement, declared);
  } catch (const Error& error) {
    record(error);
  }
}

/// Remembers which runtime types a statement asks for.
void Preparer::need(const Statement& statement) {
  using As = Prepared::Needed::As;
  const auto add = [this](const Expression& expression, Origin origin, As as) {
    if (!has_form_of_type(expression)) return;
    TypeRef type = read_type(sources_, expression, resolve_, limits_);
    std::string name = type == nullptr || type->kind() != TypeKind::type ? std::string() : runtime_name(*type);
    if (!name.empty()) out_.needed.push_back({std::move(name), origin, as});
  };
  const Producer& producer = statement.producer;
  if (producer.kind == Producer::Kind::expression && !producer.is_class_name &&
      producer.expression->node == Node::access) {
    add(*producer.expression, producer.origin, As::value);
  }
  // An optional one that nobody has produces nothing.
  if (producer.kind == Producer::Kind::named && !producer.is_optional)
    add(*producer.expression, producer.expression->origin, As::producer);
  if (statement.form != Form::multibind || statement.options.empty()) return;
  if (const Option* combinator = find_option(statement, "combinator"))
    add(*combinator->value, combinator->origin, As::combinator);
}

void Preparer::add(const Statement& statement, std::uint32_t guard) {
  switch (statement.form) {
    case Form::bind:
      return statement.id != nullptr ? contribution(statement, guard) : bind(statement, guard);
    case Form::multibind:
    case Form::rebind:
      return bind(statement, guard);
    case Form::alias:
    case Form::renamed:
      return other_name(statement, guard);
    case Form::parameters:
      return parameters(statement, guard);
    case Form::variables:
      return variables(statement, guard);
    case Form::map:
      return map(statement, guard);
    case Form::include:
    case Form::exclude:
      for (const Expression* name : statement.names) {
        const Value* constant = scalar_constant(*name);
        if (constant == nullptr || !constant->is_text() || class_name(constant->text()) != "class") continue;
        throw Error("bindings.class", "a class cannot be called 'class'").at(sources_, name->origin);
      }
      out_.classes.push_back({&statement, guard});
      return;
    case Form::dependency:
      out_.edges.push_back({&statement, guard});
      return;
  }
}

namespace {

/// `File['x']` can not be an anonymous key.
void check_anonymous(const Sources& sources, const Statement& statement, const Type* type) {
  if (type == nullptr) throw Error("bindings.name", "a binding needs a name or a type").at(sources, statement.origin);
  const auto* resource = type->get_if<puppet::ResourceType>();
  if (resource != nullptr && resource->title) {
    throw Error("bindings.typeref",
                fmt::format("{} is an instance, which cannot be bound without a name", reference_text(*type)))
        .at(sources, statement.key.origin)
        .hint("give it a name, or bind its parameters: bind parameters …");
  }
}

}  // namespace

void Preparer::bind(const Statement& statement, std::uint32_t guard) {
  const auto declared = type_of(statement.key.type);
  const auto name = statement.key.name == nullptr ? std::optional(std::string_view())
                                                  : text_of(*statement.key.name, "the name of a binding");
  if (!declared || !name) return defer(statement, guard, declared);
  const Type* type = out_.types[*declared].get();
  if (name->empty()) check_anonymous(sources_, statement, type);
  if (statement.form == Form::multibind &&
      (type == nullptr || (type->kind() != TypeKind::array && type->kind() != TypeKind::hash))) {
    throw Error("bindings.multibind",
                fmt::format("multibind {} must be an Array or a Hash, not {}", readable_key("", *name),
                            type == nullptr ? "Data" : reference_text(*type)))
        .at(sources_, statement.origin)
        .hint("multibind Array[String], 'name' …");
  }
  options(statement, type);
  need(statement);
  Binding binding;
  binding.statement = &statement;
  binding.name = checked_name(*name, statement.key.origin);
  binding.declared = *declared;
  binding.type_part = key_part(out_, *declared, binding.name);
  binding.guard = guard;
  binding.is_abstract = statement.is_abstract;
  binding.is_override = statement.is_override;
  if (statement.form == Form::bind && statement.producer.kind == Producer::Kind::expression) {
    const ProducerForm form = form_of(statement.producer);
    if (form == ProducerForm::constant) {
      check_constant(statement, *declared, *statement.producer.expression,
                     [&] { return readable_key(out_.type_texts[binding.type_part], binding.name); });
    }
    if (form == ProducerForm::type && name->empty()) {
      // Class names and types that are constants are checked here; others when they are produced.
      const TypeReference right{statement.producer.expression, statement.producer.is_class_name,
                                statement.producer.origin};
      const TypeRef value = read_type(sources_, right, resolve_, limits_);
      // Runtime types have parents that extensions know: they are checked by the injector.
      if (value != nullptr && value->kind() != TypeKind::type &&
          !Types().is_instance(*type, puppet::make_type_value(out_.values, value))) {
        record(Error("bindings.type",
                     fmt::format("{} is bound to {}, which is not one", reference_text(*type), reference_text(*value)))
                   .at(sources_, statement.producer.origin));
      }
    }
  }
  push(binding);
}

void Preparer::contribution(const Statement& statement, std::uint32_t guard) {
  const auto declared = type_of(statement.key.type);
  const auto name = statement.key.name == nullptr ? std::optional(std::string_view())
                                                  : text_of(*statement.key.name, "the name of a contribution");
  const auto id = text_of(*statement.id, "the id of a multibind");
  if (!declared || !name || !id) return defer(statement, guard, declared);
  options(statement, out_.types[*declared].get());
  if (*declared != 0 && form_of(statement.producer) == ProducerForm::constant) {
    check_constant(statement, *declared, *statement.producer.expression,
                   [&] { return fmt::format("a contribution to the multibind '{}'", *id); });
  }
  need(statement);
  out_.contributions.push_back({&statement, *id, *name, *declared, guard});
}

void Preparer::other_name(const Statement& statement, std::uint32_t guard) {
  const auto source_type = type_of(statement.key.type);
  const auto target_type = statement.target.type ? type_of(statement.target.type) : source_type;
  const auto name = statement.target.name == nullptr ? std::optional(std::string_view())
                                                     : text_of(*statement.target.name, "the name of a binding");
  const auto source = statement.key.name == nullptr ? std::optional(std::string_view())
                                                    : text_of(*statement.key.name, "the name of a binding");
  if (!source_type || !target_type || !name || !source) return defer(statement, guard, source_type);
  if (name->empty()) check_anonymous(sources_, statement, out_.types[*target_type].get());
  Binding binding;
  binding.statement = &statement;
  binding.name = checked_name(*name, statement.target.origin);
  binding.declared = *target_type;
  binding.type_part = key_part(out_, *target_type, binding.name);
  binding.guard = guard;
  binding.is_abstract = statement.is_abstract;
  const std::string_view source_name = checked_name(*source, statement.key.origin);
  out_.sources[&statement] = {key_part(out_, *source_type, source_name), source_name};
  push(binding);
}

std::shared_ptr<const Prepared> prepare(const Document& document, const Sources& sources, const Limits& limits) {
  auto out = std::make_shared<Prepared>();
  out->document = &document;
  out->bindings.reserve(document.statements.size());
  Problems problems;
  Preparer preparer(*out, sources, limits);
  StopCheck stop_check(limits.stop);
  const When* when = nullptr;
  std::uint32_t guard = Guards::kCommon;
  for (const Statement& statement : document.statements) {
    stop_check.tick();
    if (statement.when != when) {
      when = statement.when;
      guard = out->guards.add(when);
    }
    if (problems.is_full()) break;
    const std::uint32_t placed = document.in_node_category ? Guards::kNode : guard;
    try {
      preparer.add(statement, placed);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      problems.add(error);
    }
  }
  for (const Diagnostic& error : out->errors) problems.add(error);
  out->errors = problems.all();
  return out;
}

}  // namespace strata::bindings
