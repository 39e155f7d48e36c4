// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/producers.hpp"

#include <fmt/format.h>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/computed_bindings.hpp"
#include "bindings/injector/extension_context.hpp"
#include "bindings/injector/extension_producers.hpp"
#include "bindings/injector/lists.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/injector/multibinds.hpp"
#include "bindings/types/names.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/type.hpp"
#include "strata/builder.hpp"
#include "strata/secret_keys.hpp"

namespace strata::bindings {

using puppet::as;
using puppet::Node;

namespace {

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

merge::Traced Producers::produce_candidate(std::uint32_t key, const Candidate& candidate) {
  const Statement& statement = *candidate.binding->statement;
  const std::uint32_t member = candidate.binding->member;
  if (member != Binding::kWhole && member >= Binding::kReady) {
    const merge::Traced& ready = computed_.ready(member).value;
    if (!ready.value.is_null()) return {named(composition_.text(key), ready.value), ready.slot};
    Production work = production_of(composition_, key, candidate);
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
      if (statement.producer.kind == Producer::Kind::none) {
        const merge::Traced all = multibinds_.collect(key, candidate);
        return {named(composition_.text(key), all.value), all.slot};
      }
      break;
    default:
      break;
  }
  return produce(production_of(composition_, key, candidate));
}

bool Producers::is_singleton(const Production& work) {
  if (!expressions_.flag(work, "singleton", true)) return false;
  if (form_of(work.statement->producer) != ProducerForm::named) return true;
  const extensions::Producer* producer = extensions_.producer_of(work);
  return producer == nullptr || producer->is_singleton();
}

/// What is bound below a rebind.
merge::Traced Producers::produce_lower(std::uint32_t key, const Candidate& candidate) {
  const Candidate* lower = references_.rebound(key, candidate);
  if (lower == nullptr) return layers_.ask_sources(key, 0, composition_.rank(candidate)).value;
  // Recursion: rebinds of rebinds are as many as there are ranks; a limit for hostile ones.
  const Counted level(rebinds_);
  if (rebinds_ > 200)
    throw Error("limit.depth", "more than 200 rebinds of rebinds").at(sources_, candidate.binding->statement->origin);
  const merge::Traced value = produce_candidate(key, *lower);
  if (!provenance_.is_kept() || !value.value) return value;
  StatementReport told = composition_.told(candidate);
  told.via = fmt::format("rebind of {}", composition_.told(*lower).document);
  return provenance_.record(value.value, told, std::span(&value, 1));
}

merge::Traced Producers::produce_alias(std::uint32_t key, const Candidate& candidate) {
  const std::uint32_t source = references_.source_key(candidate);
  merge::Traced value = lookup_.look_up(source);
  if (const KeyText text = composition_.text(source); !value.value && text.type.empty())
    value = lists_.special(text.name);
  if (!value.value) {
    throw Error("bindings.not-bound", fmt::format("nothing is bound for {}, the source of {}",
                                                  composition_.readable(source), composition_.readable(key)))
        .at(sources_, candidate.binding->statement->origin);
  }
  const Production work = production_of(composition_, key, candidate);
  value.value = named(work.key, value.value);
  if (candidate.binding->statement->target.type) expressions_.check_type(work, declared_type(work), value.value);
  if (!provenance_.is_kept()) return value;
  StatementReport told = composition_.told(candidate);
  told.via = fmt::format("{} of {}", candidate.binding->statement->form == Form::alias ? "alias" : "new name",
                         composition_.readable(source));
  return provenance_.record(value.value, told, std::span(&value, 1));
}

/// Limits may say of names that their values are secret.
Value Producers::named(const KeyText& key, const Value& value) {
  return limits_.secret_keys == nullptr ? value : with_secrets(arena_, *limits_.secret_keys, key.name, value);
}

merge::Traced Producers::produce(const Production& work) {
  const ExtensionContext::Producing producing(context_, work);
  const Provenance::Inputs inputs(provenance_);
  Value value = named(work.key, raw_value(work));
  if (value && !value.is_null()) {
    const Option* transformer = work.statement->options.empty() || work.statement->form == Form::map
                                    ? nullptr
                                    : find_option(*work.statement, "transformer");
    if (transformer != nullptr) value = expressions_.call_lambda(work, *transformer, std::span(&value, 1));
  }
  if (!value || value.is_null()) {
    if (work.statement->producer.is_optional) return {};
    throw located(
        sources_, work,
        Error("bindings.no-value", fmt::format("the producer of {} produced no value", Composition::readable(work.key)))
            .at(sources_, work.expression != nullptr ? work.expression->origin : work.statement->producer.origin));
  }
  if (work.statement->form == Form::map) value = map_value(work, value);
  if (!work.is_contribution) {
    // Constants are Data by their form; where a type was declared, it is checked when the document is prepared, but not
    // behind a transformer.
    expressions_.check_type(work, declared_type(work), value);
  }
  return provenance_.record(work, value, inputs.used());
}

Value Producers::raw_value(const Production& work) {
  if (work.value) return work.value;
  if (work.expression != nullptr) return expressions_.evaluate(work, *work.expression);
  const Producer& producer = work.statement->producer;
  const ProducerForm form = form_of(producer);
  switch (form) {
    case ProducerForm::none:
      return written_map(work);
    case ProducerForm::type: {
      const TypeReference reference{producer.expression, producer.is_class_name, producer.origin};
      bool has_secret = false;
      const TypeRef type = expressions_.type_in(work, reference, &has_secret);
      return puppet::make_type_value(arena_, type).with_origin(producer.origin).with_secret(has_secret);
    }
    case ProducerForm::reference:
    case ProducerForm::query:
      return from_resources(work, form);
    case ProducerForm::named:
      return extensions_.named_producer(work);
    default:
      return expressions_.evaluate(work, *producer.expression);
  }
}

/// A resource or the answer to a query, and which of them.
Value Producers::from_resources(const Production& work, ProducerForm form) {
  const Producer& producer = work.statement->producer;
  const queries::Answers::Feeding feeding(answers_, Composition::readable(work.key));
  const Option* select = find_option(*work.statement, "select_result");
  Value all;
  std::string asked = "the query";
  bool has_secret = false;
  try {
    if (form == ProducerForm::query) {
      all = expressions_.answer(as<puppet::Query>(*producer.expression));
    } else {
      const TypeRef type = expressions_.type_in(work, *producer.expression, &has_secret);
      asked = has_secret ? "a resource whose title comes from a secret" : reference_text(*type);
      const auto& resource = type->as<puppet::ResourceType>();
      all = answers_.find(resource.name, *resource.title, producer.origin);
    }
  } catch (const Error& error) {
    if (has_secret && !error.gives_up())
      throw located(sources_, work,
                    Error(error.code(), fmt::format("{} cannot be evaluated; the reason is not shown", asked)));
    throw located(sources_, work, error);
  }
  const std::size_t count = all.size();
  if (form == ProducerForm::query && select == nullptr)
    return count == 0 && producer.is_optional ? Value() : all.with_origin(producer.origin);
  if (count == 0) {
    if (producer.is_optional) return {};
    throw located(sources_, work,
                  Error("bindings.no-value", fmt::format("{} finds no resource", asked)).at(sources_, producer.origin));
  }
  if (select != nullptr) return expressions_.call_lambda(work, *select, std::span(&all, 1));
  if (count == 1) return all.items()[0];
  throw located(sources_, work,
                Error("bindings.ambiguous", fmt::format("{} is ambiguous: it matches {} resources", asked, count))
                    .at(sources_, producer.origin)
                    .hint("choose one with select_result => |$all| { … }"));
}

/// `bind map A to B { a => b }`, or `{ map => … }`.
Value Producers::written_map(const Production& work) {
  const auto options = work.statement->options;
  if (options.size() == 1 && options[0].name == "map" &&
      (options[0].value->node == Node::hash || options[0].value->node == Node::list)) {
    return expressions_.evaluate(work, *options[0].value);
  }
  MappingBuilder out(arena_, KeyEquality::exact, options.size());
  for (const Option& option : options) out.insert(option.name, expressions_.evaluate(work, *option.value));
  return out.finish().with_origin(work.statement->origin);
}

/// The hash of a `bind map`: of a list of names, each to itself.
Value Producers::map_value(const Production& work, const Value& value) {
  try {
    MappingBuilder out(arena_);
    for (const auto& pair : parameter_pairs(value))
      out.insert(pair.first, arena_.text(pair.second).with_origin(value.origin()));
    return out.finish().with_origin(value.origin() ? value.origin() : work.statement->origin);
  } catch (const Error& error) {
    throw Error(error.diagnostic()).at(sources_, work.statement->origin);
  }
}

}  // namespace strata::bindings
