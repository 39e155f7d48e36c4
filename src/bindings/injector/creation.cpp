// How an injector comes to be: everything static is found out here. Rule: bindings 1.7, 10.
#include <fmt/format.h>

#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"

namespace strata::bindings {

Preparations::Preparations() : state_(std::make_unique<State>()) {}
Preparations::~Preparations() = default;

InjectorState::InjectorState(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Sources& sources,
                             Diagnostics& diagnostics, const Limits& limits, merge::Recorder& recorder)
    : request_(std::move(request)),
      services_(services),
      sources_(sources),
      diagnostics_(diagnostics),
      limits_(limits),
      recorder_(recorder),
      types_(services.extensions, [this](std::string_view text) { return read_type_text(text); }),
      answers_(services.queries, sources, arena_, request_->certname),
      scope_(request_->scope.get(), this),
      evaluator_(std::make_unique<puppet::Evaluator>(puppet::EvaluatorContext{.sources = sources,
                                                                              .arena = arena_,
                                                                              .limits = limits_,
                                                                              .diagnostics = diagnostics,
                                                                              .strict = services.strict,
                                                                              .functions = this,
                                                                              .queries = &answers_,
                                                                              .module_file = services.module_file})),
      attached_(services.extensions, *this) {
  plan_ = shared.state_->plans.plan(*request_, sources_, limits_);
  composition_ = std::make_unique<Composition>(
      plan_, *request_, sources_, limits_, [this](const Expression& expression) { return resolve(expression); }, problems_);
  for (std::uint32_t d = 0; d < composition_->document_count(); ++d) {
    for (const Diagnostic& each : composition_->document(d).prepared->repeated) warn_of_repeated(each);
  }
  for (const Placed& placed : composition_->computed()) {
    if (problems_.is_full()) break;
    problems_.guard([&] {
      try {
        expand(placed);
      } catch (const Error& error) {
        throw for_statement(sources_, error, *placed.statement);
      }
    });
  }
  composition_->settle();
  slots_.resize(composition_->key_count());
  check_extensions();
  check_effective();
  if (problems_.empty() && services_.extensions != nullptr) check_producers();
  problems_.raise();
  available_ = true;
  settle_optionals();
  problems_.raise();
  evaluator_->refill();
}

InjectorState::~InjectorState() = default;

/// As the evaluator takes it.
void InjectorState::warn_of_repeated(const Diagnostic& repeated) {
  if (services_.strict) {
    problems_.add(repeated);
  } else {
    diagnostics_.warn(repeated);
  }
}

/// What a name, type or category value comes to: facts, `$environment` and variables of site.pp alone. Rule: bindings D-11.
Value InjectorState::resolve(const Expression& expression) {
  const bool before = available_;
  available_ = false;
  puppet::Scope frame(&scope_);
  try {
    const Value value = evaluator_->evaluate(expression, frame);
    available_ = before;
    return value;
  } catch (...) {
    available_ = before;
    throw;
  }
}

Value InjectorState::find(std::string_view name, puppet::Evaluator& evaluator) {
  if (available_) {
    const merge::Traced bound = find_exact(fmt::format("/var/{}", name));
    if (bound.value) return used(bound);
  }
  return request_->variables == nullptr ? Value() : request_->variables->find(name, evaluator);
}

void InjectorState::settle_optionals() {
  const std::uint32_t keys = composition_->key_count();
  for (std::uint32_t key = 0; key < keys && !problems_.is_full(); ++key) {
    const Candidate* winner = composition_->effective(key).winner;
    if (winner == nullptr || (winner->flags & Candidate::kOptional) == 0) continue;
    try {
      static_cast<void>(look_up(key));
    } catch (const Error& error) {
      // What else goes wrong is told when the key is asked for.
      if (error.code() == "bindings.abstract" || error.code() == "bindings.conflict") problems_.add(error);
    }
  }
}

std::optional<std::string_view> InjectorState::id_of(const Candidate& candidate) {
  const Statement& statement = *candidate.binding->statement;
  if (statement.form != Form::multibind) return std::nullopt;
  if (statement.id == nullptr) return candidate.binding->name.empty() ? std::nullopt : std::optional(candidate.binding->name);
  if (statement.id->node == puppet::Node::literal) return puppet::as<puppet::Literal>(*statement.id).value.text();
  const auto known = ids_.find(&statement);
  if (known != ids_.end()) return known->second;
  Value value;
  try {
    value = resolve(*statement.id);
  } catch (const Error& error) {
    throw for_statement(sources_, error, statement);
  }
  if (!value.is_text()) throw Error("bindings.name", "the id of a multibind must be a text").at(sources_, statement.id->origin);
  return ids_.emplace(&statement, value.text()).first->second;
}

std::uint32_t InjectorState::source_key(const Candidate& candidate) {
  const Prepared& prepared = *composition_->document(candidate.document).prepared;
  const Prepared::SourceKey& source = prepared.sources.at(candidate.binding->statement);
  const std::uint32_t key = composition_->intern(prepared.type_texts[source.type_part], source.name);
  if (key >= slots_.size()) slots_.resize(composition_->key_count());
  return key;
}

}  // namespace strata::bindings
