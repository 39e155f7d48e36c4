// The value of one binding. Rule: bindings 13.
#include <fmt/format.h>

#include <algorithm>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "puppet/types/make.hpp"

namespace strata::bindings {

using puppet::as;

namespace {

constexpr std::string_view kBoundHere = ", bound here";

/// One more, as long as it lives.
class Counted {
 public:
  explicit Counted(std::size_t& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::size_t& count_;
};

}  // namespace

Work InjectorState::work_of(std::uint32_t key, const Candidate& candidate) const {
  const Binding& binding = *candidate.binding;
  Work work;
  work.statement = binding.statement;
  work.prepared = composition_->document(candidate.document).prepared.get();
  work.declared = binding.declared;
  work.document = candidate.document;
  work.guard = candidate.guard;
  work.key = composition_->text(key);
  if (binding.member < Binding::kReady) {
    const Member member = member_of(*binding.statement, binding.member);
    work.expression = member.expression;
    work.value = member.value;
  }
  return work;
}

const Type& InjectorState::type_of(const Work& work) const { return work.declared == 0 ? *data_type() : *work.prepared->types[work.declared]; }

Error InjectorState::located(const Work& work, const Error& error) const {
  Error out(error.diagnostic());
  if (out.diagnostic().where.place.file.empty()) {
    place_at(out, sources_, work.statement->producer.origin ? work.statement->producer.origin : work.statement->origin);
  }
  constexpr std::ptrdiff_t kMostTold = 6;
  const auto& notes = out.diagnostic().notes;
  if (std::count_if(notes.begin(), notes.end(), [](const auto& note) { return note.message.ends_with(kBoundHere); }) >= kMostTold) return out;
  const std::string name = work.key.type.empty() && work.key.name.empty() ? std::string(form_name(*work.statement)) : Composition::readable(work.key);
  return std::move(out).note(sources_, work.statement->origin, fmt::format("for {}{}", name, kBoundHere));
}

merge::Traced InjectorState::produce_candidate(std::uint32_t key, const Candidate& candidate) {
  const Statement& statement = *candidate.binding->statement;
  const std::uint32_t member = candidate.binding->member;
  if (member != Binding::kWhole && member >= Binding::kReady) {
    const merge::Traced& ready = ready_[member - Binding::kReady].value;
    if (!ready.value.is_null()) return ready;
    Work work = work_of(key, candidate);
    work.value = ready.value;
    return produce(work);
  }
  switch (statement.form) {
    case Form::alias:
    case Form::renamed:
      return produce_alias(key, candidate);
    case Form::rebind:
      return produce_lower(key, candidate);
    case Form::multibind:
      if (statement.producer.kind == Producer::Kind::none) return collect(key, candidate);
      break;
    default:
      break;
  }
  return produce(work_of(key, candidate));
}

/// What is bound below a rebind.
merge::Traced InjectorState::produce_lower(std::uint32_t key, const Candidate& candidate) {
  const Candidate* lower = rebound(key, candidate);
  if (lower == nullptr) return ask_sources(key, 0, composition_->rank(candidate)).value;
  // Recursion: rebinds of rebinds are as many as there are ranks; a limit for hostile ones.
  const Counted level(rebinds_);
  if (rebinds_ > 200) throw Error("limit.depth", "more than 200 rebinds of rebinds").at(sources_, candidate.binding->statement->origin);
  const merge::Traced value = produce_candidate(key, *lower);
  if (!recorder_.keeps() || !value.value) return value;
  Told told = composition_->told(candidate);
  told.via = fmt::format("rebind of {}", composition_->told(*lower).document);
  return record(value.value, told, std::span(&value, 1));
}

merge::Traced InjectorState::produce_alias(std::uint32_t key, const Candidate& candidate) {
  const std::uint32_t source = source_key(candidate);
  merge::Traced value = look_up(source);
  if (const KeyText text = composition_->text(source); !value.value && text.type.empty()) value = special(text.name);
  if (!value.value) {
    throw Error("bindings.not-bound",
                fmt::format("nothing is bound for {}, which {} stands for", composition_->readable(source), composition_->readable(key)))
        .at(sources_, candidate.binding->statement->origin);
  }
  const Work work = work_of(key, candidate);
  if (candidate.binding->statement->target.type) check_type(work, type_of(work), value.value);
  if (!recorder_.keeps()) return value;
  Told told = composition_->told(candidate);
  told.via = fmt::format("{} of {}", candidate.binding->statement->form == Form::alias ? "alias" : "new name", composition_->readable(source));
  return record(value.value, told, std::span(&value, 1));
}

void InjectorState::check_type(const Work& work, const Type& type, const Value& value) {
  if (types_.is_instance(type, value)) return;
  Error error("bindings.type", fmt::format("type error for {}: expected {}, got {} ({})", Composition::readable(work.key), reference_text(type),
                                           bindings::type_of(value), shown(value)));
  const TypeReference& declared =
      work.statement->form == Form::alias || work.statement->form == Form::renamed ? work.statement->target.type : work.statement->key.type;
  const Origin here = value.origin() ? value.origin() : work.statement->producer.origin;
  place_at(error, sources_, here ? here : work.statement->origin);
  if (declared) add_note(error, sources_, declared.origin, "the type is declared here");
  throw Error(error);
}

bool InjectorState::flag(const Work& work, std::string_view option, bool otherwise) {
  if (work.statement->options.empty() || work.statement->form == Form::map) return otherwise;
  const Option* given = find_option(*work.statement, option);
  if (given == nullptr) return otherwise;
  const Value value = evaluate(work, *given->value);
  if (value.kind() == Kind::boolean) return value.as_boolean();
  throw Error("bindings.option", fmt::format("the option '{}' must be true or false", option)).at(sources_, given->origin);
}

Value InjectorState::evaluate(const Work& work, const Expression& expression) {
  const Value folded = fold(arena_, expression);
  if (folded) return folded;
  puppet::Scope frame(&scope_);
  try {
    return evaluator_->evaluate(expression, frame);
  } catch (const Error& error) {
    throw located(work, error);
  }
}

Value InjectorState::call_lambda(const Work& work, const Option& option, std::span<const Value> arguments) {
  puppet::Scope frame(&scope_);
  try {
    return evaluator_->call(as<puppet::Lambda>(*option.value), arguments, frame);
  } catch (const Error& error) {
    throw located(work, error);
  }
}

Value InjectorState::raw_value(const Work& work) {
  if (work.value) return work.value;
  if (work.expression != nullptr) return evaluate(work, *work.expression);
  const Producer& producer = work.statement->producer;
  const ProducerForm form = form_of(producer);
  switch (form) {
    case ProducerForm::none:
      return written_map(work);
    case ProducerForm::type: {
      const TypeReference reference{producer.expression, producer.is_class_name, producer.origin};
      const TypeRef type = read_type(
          sources_, reference, [&](const Expression& part) { return evaluate(work, part); }, limits_);
      return puppet::make_type_value(arena_, type).with_origin(producer.origin);
    }
    case ProducerForm::reference:
    case ProducerForm::query:
      return from_resources(work, form);
    case ProducerForm::named:
      return named_producer(work);
    default:
      return evaluate(work, *producer.expression);
  }
}

/// A resource or the answer to a query, and which of them. Rule: bindings 16.2.
Value InjectorState::from_resources(const Work& work, ProducerForm form) {
  const Producer& producer = work.statement->producer;
  const queries::Answers::Feeding feeding(answers_, Composition::readable(work.key));
  const Option* select = find_option(*work.statement, "select_result");
  Value all;
  std::string asked = "the query";
  try {
    if (form == ProducerForm::query) {
      puppet::Scope frame(&scope_);
      all = answers_.answer(as<puppet::Query>(*producer.expression), frame, *evaluator_);
    } else {
      const TypeRef type = read_type(
          sources_, *producer.expression, [&](const Expression& part) { return evaluate(work, part); }, limits_);
      asked = reference_text(*type);
      all = answers_.find(type->texts[0], type->texts[1], producer.origin);
    }
  } catch (const Error& error) {
    throw located(work, error);
  }
  const std::size_t count = all.size();
  if (form == ProducerForm::query && select == nullptr) return count == 0 && producer.is_optional ? Value() : all.with_origin(producer.origin);
  if (count == 0) {
    if (producer.is_optional) return {};
    throw located(work, Error("bindings.no-value", fmt::format("{} finds no resource", asked)).at(sources_, producer.origin));
  }
  if (select != nullptr) return call_lambda(work, *select, std::span(&all, 1));
  if (count == 1) return all.items()[0];
  throw located(work, Error("bindings.ambiguous", fmt::format("{} is ambiguous: there are {} of it", asked, count))
                          .at(sources_, producer.origin)
                          .hint("choose one with select_result => |$all| { … }"));
}

merge::Traced InjectorState::produce(const Work& work) {
  std::vector<merge::Traced> inputs;
  const Pushed<const Work*> pushed(working_, &work);
  const Pushed<std::vector<merge::Traced>*> pushed_inputs(inputs_, &inputs);
  Value value = raw_value(work);
  if (value && !value.is_null()) {
    const Option* transformer =
        work.statement->options.empty() || work.statement->form == Form::map ? nullptr : find_option(*work.statement, "transformer");
    if (transformer != nullptr) value = call_lambda(work, *transformer, std::span(&value, 1));
  }
  if (!value || value.is_null()) {
    if (work.statement->producer.is_optional) return {};
    throw located(work, Error("bindings.no-value", fmt::format("the producer of {} produced no value", Composition::readable(work.key)))
                            .at(sources_, work.expression != nullptr ? work.expression->origin : work.statement->producer.origin));
  }
  if (work.statement->form == Form::map) value = map_value(work, value);
  if (!work.is_contribution) {
    // Constants are Data by their form; where a type was declared, it is checked when the document is prepared, but not behind a transformer.
    check_type(work, type_of(work), value);
  }
  return record(work, value, inputs);
}

merge::Traced InjectorState::record(const Work& work, const Value& value, std::span<const merge::Traced> inputs) {
  if (!recorder_.keeps()) return {value, {}};
  Told told = composition_->told(*work.statement, work.document, work.guard);
  if (const auto resource = answers_.origin_of(value.origin())) {
    told.via = fmt::format("{}[{}]", resource->type, resource->title);
    if (!resource->certname.empty()) told.via += fmt::format(" of {}", resource->certname);
    if (!resource->parameter.empty()) told.via += fmt::format(", parameter {}", resource->parameter);
  }
  return record(value, told, inputs);
}

merge::Traced InjectorState::record(const Value& value, const Told& told, std::span<const merge::Traced> inputs) {
  if (!recorder_.keeps()) return {value, {}};
  const merge::Slot layer = recorder_.add_layer(told.layer, fmt::format("{}, {}, {}", told.document, told.category, told.statement));
  told_.insert_or_assign(layer.layer(), told).first->second.in_history = true;
  const merge::Traced own{value, layer};
  if (inputs.empty()) return own;
  std::vector<merge::Traced> all(inputs.begin(), inputs.end());
  all.push_back(own);
  return recorder_.derive(value, all);
}

merge::Traced InjectorState::compose(const Value& container, std::span<const merge::Traced> members) { return recorder_.compose(container, members); }

}  // namespace strata::bindings
