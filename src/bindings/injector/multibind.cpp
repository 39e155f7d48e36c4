// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/multibinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "bindings/injector/collection.hpp"
#include "bindings/injector/extension_context.hpp"
#include "bindings/injector/producers.hpp"
#include "bindings/types/names.hpp"
#include "puppet/types/make.hpp"
#include "strata/builder.hpp"
#include "strata/strategy.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

using puppet::TypeKind;

std::vector<Multibinds::Part> Multibinds::parts_of(const Production& multibind, std::string_view id) {
  std::vector<Part> parts;
  for (const Contributed& each : composition_.contributions(id)) {
    if (!composition_.in_effect(each.guard)) continue;
    const ContributionStatement& statement = *each.statement;
    Part part;
    part.rank = composition_.rank(each.layer, each.guard);
    part.name = statement.name;
    part.work.statement = statement.statement;
    part.work.prepared = composition_.document(each.document).prepared.get();
    part.work.declared = statement.declared;
    part.work.document = each.document;
    part.work.guard = each.guard;
    part.work.key = multibind.key;
    part.work.is_contribution = true;
    part.contributed = &each;
    part.value = producers_.produce(part.work);
    if (!part.value.value) {
      not_taken(part, "optional produced nothing");
      continue;
    }
    if (statement.declared != 0) expressions_.check_type(part.work, declared_type(part.work), part.value.value);
    if (provenance_.is_kept()) outcomes_[&each].history = provenance_.layers() - 1;  // `produce` records itself last.
    parts.push_back(part);
  }
  return parts;
}

merge::Traced Multibinds::collect(std::uint32_t key, const Candidate& candidate) {
  Production work = production_of(composition_, key, candidate);
  const Type& type = declared_type(work);
  const bool is_hash = type.kind() == TypeKind::hash;
  const auto id = references_.id_of(candidate);
  const merge::Following following(
      provenance_.recorder(), [&work] { return merge::Rule{.text = "multibind", .option = work.statement->origin}; });
  std::vector<Part> parts = id ? parts_of(work, *id) : std::vector<Part>();
  if (is_hash) {
    for (const Part& part : parts) {
      if (!part.name.empty()) continue;
      throw Error("bindings.contribution",
                  fmt::format("a contribution to the multibind {} needs a name, since it is a Hash",
                              Composition::readable(work.key)))
          .at(sources_, part.work.statement->origin)
          .note(sources_, work.statement->origin, "the multibind is here");
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& left, const Part& right) { return left.rank > right.rank; });
  }
  if (provenance_.is_kept()) {
    const std::string via = fmt::format("multibind {}", Composition::readable(work.key));
    for (const Part& part : parts) {
      if (part.value.slot.node() != nullptr) continue;
      StatementReport* told = provenance_.told(part.value.slot.layer());
      if (told != nullptr && told->via.empty()) told->via = via;
    }
  }
  merge::Traced out;
  const Option* combinator = find_option(*work.statement, "combinator");
  if (combinator != nullptr) {
    out = combine(work, *combinator, parts, is_hash);
    expressions_.check_type(work, type, out.value);
  } else {
    const Type& item = is_hash ? *type.as<puppet::HashType>().value : *type.as<puppet::ArrayType>().item;
    const TypeRef list = is_hash ? nullptr : puppet::array_type(type.as<puppet::ArrayType>().item);
    for (const Part& part : parts) {
      if (expressions_.types().is_instance(item, part.value.value) ||
          (list != nullptr && expressions_.types().is_instance(*list, part.value.value)))
        continue;
      throw Error("bindings.type",
                  fmt::format("type error for a contribution to the multibind {}: expected {}, got {} ({})",
                              Composition::readable(work.key), reference_text(item),
                              bindings::type_of(part.value.value), shown(part.value.value)))
          .at(sources_, part.value.value.origin() ? part.value.value.origin() : part.work.statement->origin)
          .note(sources_, work.statement->origin, "the multibind is here");
    }
    out = is_hash ? join_hash(work, parts) : join_array(work, parts);
    // Nobody contributes: it is the multibind's own value.
    if (parts.empty()) out = provenance_.record(work, out.value, {});
  }
  if (const Option* transformer = find_option(*work.statement, "transformer")) {
    const Value value = expressions_.call_lambda(work, *transformer, std::span(&out.value, 1));
    expressions_.check_type(work, type, value);
    out = provenance_.derive(value, std::span(&out, 1));
    combinator = transformer;
  }
  return provenance_.recorder().ruled(
      out, combinator == nullptr ? merge::ListAction::single : merge::ListAction::by_function);
}

std::size_t Multibinds::levels_of(const Production& multibind, std::size_t otherwise) {
  const Option* option = find_option(*multibind.statement, "flatten");
  if (option == nullptr) return otherwise;
  const Value value = expressions_.evaluate(multibind, *option->value);
  if (value.kind() == Kind::boolean) return value.as_boolean() ? std::numeric_limits<std::size_t>::max() : 0;
  if (value.kind() == Kind::integer) {
    return value.as_integer() < 0 ? std::numeric_limits<std::size_t>::max()
                                  : static_cast<std::size_t>(value.as_integer());
  }
  throw Error("bindings.option", "the option 'flatten' must be true, false or a number of levels")
      .at(sources_, option->origin);
}

void Multibinds::not_taken(const Part& part, std::string reason) {
  if (!provenance_.is_kept()) return;
  Outcome& outcome = outcomes_[part.contributed];
  outcome.reason = std::move(reason);
  if (StatementReport* told = provenance_.told(outcome.history)) told->reason = outcome.reason;
}

const Multibinds::Outcome* Multibinds::outcome(const Contributed& contribution) const noexcept {
  const auto found = outcomes_.find(&contribution);
  return found == outcomes_.end() ? nullptr : &found->second;
}

merge::Traced Multibinds::as_item(const merge::Traced& value) { return provenance_.builder(arena_).sequence_of(value); }

/// The items of a sequence, and those of the sequences among them in their places.
merge::Traced Multibinds::opened(const merge::Traced& list) {
  std::size_t size = 0;
  for (const Value& item : list.value.items()) size += item.is_sequence() ? item.size() : 1;
  expressions_.charge(size);
  merge::Accumulator out(arena_, limits_, provenance_.recorder());
  out.start({arena_.sequence(), merge::Slot(merge::kNoLayer)});
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    const merge::Traced item = merge::Recorder::member(list, i);
    if (!item.value.is_sequence()) {
      out.merge(as_item(item), append_strategy());
    } else if (item.value.size() != 0) {
      out.merge(item, append_strategy());
    }
  }
  return out.current();
}

/// A value with so many levels of sequences taken away, as a sequence.
merge::Traced Multibinds::items_of(const Production& multibind, const merge::Traced& value, std::size_t levels) {
  merge::Traced items = levels == 0 || !value.value.is_sequence() ? as_item(value) : value;
  if (levels != 0) expressions_.charge(items.value.size());
  for (std::size_t level = 1; level < levels && std::ranges::any_of(items.value.items(), &Value::is_sequence); ++level)
    items = opened(items);
  return {items.value.with_origin(multibind.statement->origin), items.slot};
}

/// The values of contributions with so many levels of sequences taken away; then each distinct one once.
merge::Traced Multibinds::flattened(const Production& multibind, std::span<const Part* const> parts, std::size_t levels,
                                    bool uniq) {
  merge::Accumulator list(arena_, limits_, provenance_.recorder());
  list.start({arena_.sequence().with_origin(multibind.statement->origin), merge::Slot(merge::kNoLayer)});
  std::vector<std::size_t> ends;  // Of the items of each contribution.
  ends.reserve(parts.size());
  for (const Part* part : parts) {
    const merge::Traced items = items_of(multibind, part->value, levels);
    if (items.value.size() != 0) list.merge(items, append_strategy());
    ends.push_back(list.current().value.size());
  }
  if (!uniq) return list.current();
  const merge::Traced distinct = distinct_items(list.current(), arena_, limits_, provenance_.recorder());
  if (provenance_.is_kept()) tell_of_repeated(parts, ends, list.current().value, distinct.value);
  return distinct;
}

/// Tells which contributions gave nothing that was not there already. `ends`: where the items of each one end in the
/// list.
void Multibinds::tell_of_repeated(std::span<const Part* const> parts, std::span<const std::size_t> ends,
                                  const Value& list, const Value& distinct) {
  std::size_t item = 0;
  std::size_t taken = 0;  // The distinct ones stand in the order in which they came first.
  for (std::size_t i = 0; i < parts.size(); ++i) {
    bool gave_any = item == ends[i];  // Where there is nothing, nothing was refused.
    for (; item < ends[i]; ++item) {
      if (taken == distinct.size() || !equal(list.items()[item], distinct.items()[taken])) continue;
      ++taken;
      gave_any = true;
    }
    if (!gave_any) not_taken(*parts[i], "it is already in the list");
  }
}

merge::Traced Multibinds::join_array(const Production& multibind, std::vector<Part>& parts) {
  std::vector<const Part*> all;
  all.reserve(parts.size());
  for (const Part& part : parts) all.push_back(&part);
  return flattened(multibind, all, levels_of(multibind, 1), expressions_.flag(multibind, "uniq", false));
}

void Multibinds::duplicate(const Production& multibind, const Part& first, const Part& second) {
  throw Error("bindings.contribution", fmt::format("the multibind {} has two contributions named '{}'",
                                                   Composition::readable(multibind.key), first.name))
      .at(sources_, first.work.statement->origin)
      .note(sources_, second.work.statement->origin, "the other one is here")
      .hint("choose with the option conflict_resolution, or a combinator");
}

namespace {

/// Contributions by name, names in their order.
template <class Part>
std::vector<std::vector<Part*>> by_name(std::vector<Part>& parts) {
  std::vector<std::vector<Part*>> out;
  TextViewMap<std::size_t> known;
  for (Part& part : parts) {
    const auto added = known.emplace(part.name, out.size());
    if (added.second) out.emplace_back();
    out[added.first->second].push_back(&part);
  }
  return out;
}

}  // namespace

merge::Traced Multibinds::join_hash(const Production& multibind, std::vector<Part>& parts) {
  std::string how = "error";
  if (const Option* option = find_option(*multibind.statement, "conflict_resolution")) {
    const Value word = expressions_.evaluate(multibind, *option->value);
    how = word.is_text() ? std::string(word.text()) : std::string();
    if (how != "error" && how != "priority" && how != "ignore" && how != "append" && how != "merge") {
      throw Error("bindings.option", fmt::format("unknown conflict_resolution '{}'", how)).at(sources_, option->origin);
    }
  }
  const std::size_t levels = how == "append" ? levels_of(multibind, 0) : 0;
  const bool uniq = how == "append" && expressions_.flag(multibind, "uniq", false);
  merge::TracedMapping out(provenance_.builder(arena_));
  for (const std::vector<Part*>& group : by_name(parts)) {
    const Part& first = *group.front();
    merge::Traced value;
    if (how == "append") {
      const std::vector<const Part*> all(group.begin(), group.end());
      value = flattened(multibind, all, levels, uniq);
    } else if (how == "merge") {
      value = merged_hashes(multibind, group);
    } else {
      if (group.size() > 1 && (how == "error" || (how == "priority" && group[1]->rank == first.rank)))
        duplicate(multibind, first, *group[1]);
      value = strongest(group);
    }
    out.insert(arena_.key(first.name).with_origin(first.work.statement->origin), value);
  }
  return out.finish(multibind.statement->origin);
}

/// Contributions of one name, strongest first: the hashes of all of them.
merge::Traced Multibinds::merged_hashes(const Production& multibind, std::span<Part* const> group) {
  for (const Part* part : group) {
    if (part->value.value.is_mapping()) continue;
    throw Error("bindings.type",
                fmt::format("the multibind {} merges hashes; the contribution '{}' is {}",
                            Composition::readable(multibind.key), part->name, bindings::type_of(part->value.value)))
        .at(sources_, part->work.statement->origin);
  }
  merge::Accumulator value(arena_, limits_, provenance_.recorder());
  value.start(group.back()->value);
  for (std::size_t i = group.size() - 1; i-- > 0;) value.merge(group[i]->value, merge::shallow_replace());
  return value.current();
}

/// Contributions of one name, strongest first: the first one.
merge::Traced Multibinds::strongest(std::span<Part* const> group) {
  const Part& first = *group.front();
  merge::Accumulator value(arena_, limits_, provenance_.recorder());
  value.start(first.value);
  for (const Part* part : group.subspan(1)) {
    const bool is_near = part->contributed->layer == first.contributed->layer;
    not_taken(*part, !is_near                  ? "lower layer"
                     : part->rank < first.rank ? "lower precedence"
                                               : "one of that name is there already");
    value.merge(part->value, merge::keep_all());
  }
  return value.current();
}

/// Calls a lambda or an extension for each contribution.
merge::Traced Multibinds::combine(const Production& multibind, const Option& option, std::vector<Part>& parts,
                                  bool is_hash) {
  extensions::Combinator* extension = nullptr;
  if (option.value->node != puppet::Node::lambda) {
    const TypeRef type = expressions_.type_in(multibind, *option.value);
    const auto* named = type->kind() == TypeKind::type && puppet::held(*type) != nullptr
                            ? puppet::held(*type)->get_if<puppet::ResourceType>()
                            : nullptr;
    if (named != nullptr && registry_ != nullptr) extension = registry_->combinator(named->name);
    if (extension == nullptr) {
      throw Error("bindings.runtime-type", fmt::format("{} is not a combinator", reference_text(*type)))
          .at(sources_, option.origin);
    }
  }
  const auto call = [&](std::span<const Value> arguments) {
    if (extension == nullptr) return expressions_.call_lambda(multibind, option, arguments);
    const ExtensionContext::Producing producing(context_, multibind);
    try {
      const Value out = extension->combine(context_, arguments);
      return out ? out : Value::null();
    } catch (const Error& error) {
      throw located(sources_, multibind, error);
    }
  };
  const merge::LayerId own = !provenance_.is_kept() ? merge::kNoLayer : own_layer(multibind);
  if (!is_hash) {
    merge::Traced memo{arena_.sequence(), {}};
    for (const Part& part : parts) {
      const std::array<Value, 2> arguments{memo.value, part.value.value};
      const Value next = call(arguments);
      memo = !provenance_.is_kept() ? merge::Traced{next, {}} : stepped(memo, part.value, next, own);
    }
    if (!memo.value.origin()) memo.value = memo.value.with_origin(multibind.statement->origin);
    return memo;
  }
  merge::TracedMapping out(provenance_.builder(arena_));
  for (const std::vector<Part*>& group : by_name(parts)) {
    Value current = extension == nullptr ? Value::null() : Value();
    std::vector<merge::Traced> inputs;
    for (const Part* part : group) {
      const std::array<Value, 3> arguments{arena_.text(part->name), current, part->value.value};
      current = call(arguments);
      inputs.push_back(part->value);
    }
    out.insert(group.front()->name, !provenance_.is_kept()
                                        ? merge::Traced{current, {}}
                                        : provenance_.made_of(current, provenance_.derive(current, inputs), own));
  }
  return out.finish(multibind.statement->origin);
}

/// The statement of a multibind, as a layer of the history.
merge::LayerId Multibinds::own_layer(const Production& multibind) {
  const StatementReport told = composition_.told(*multibind.statement, multibind.document, multibind.guard);
  return provenance_.record(Value::null(), told).slot.layer();
}

/// One step of a combinator of an array: items that stay keep their histories; new ones came from the contribution and
/// from the items that are gone.
merge::Traced Multibinds::stepped(const merge::Traced& memo, const merge::Traced& contribution, const Value& next,
                                  merge::LayerId own) {
  if (!next.is_sequence()) return provenance_.made_of(next, contribution, own);
  const std::span<const Value> before = memo.value.is_sequence() ? memo.value.items() : std::span<const Value>();
  std::vector<bool> stays(before.size(), false);
  std::vector<merge::Traced> members(next.size());
  std::vector<std::size_t> fresh;
  const auto same = [](const Value& left, const Value& right) {
    return left.origin() == right.origin() && equal(left, right);
  };
  // Mostly a prefix stays; else items stay in their order.
  std::size_t from = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    std::size_t at = from;
    while (at < before.size() && !same(before[at], next.items()[i])) ++at;
    if (at == before.size()) {
      fresh.push_back(i);
      continue;
    }
    stays[at] = true;
    members[i] = merge::Recorder::member(memo, at);
    from = at + 1;
  }
  std::vector<merge::Traced> inputs;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!stays[i]) inputs.push_back(merge::Recorder::member(memo, i));
  }
  if (!memo.value.is_sequence()) inputs.push_back(memo);
  inputs.push_back(contribution);
  const merge::Traced all = inputs.size() == 1 ? contribution : provenance_.derive(next, inputs);
  for (const std::size_t i : fresh) members[i] = provenance_.made_of(next.items()[i], all, own);
  const merge::Traced out = provenance_.compose(next, members);
  // What nothing was made of is told as not taken.
  return fresh.empty() ? provenance_.chosen(out, all) : out;
}

}  // namespace strata::bindings
