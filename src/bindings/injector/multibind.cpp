// Multibinds: the contributions to an id, put together. Rule: bindings 11.2.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "puppet/types/make.hpp"
#include "strata/strategy.hpp"

namespace strata::bindings {

using puppet::TypeKind;

std::vector<InjectorState::Part> InjectorState::parts_of(const Work& multibind, std::string_view id) {
  std::vector<Part> parts;
  for (const Contributed& each : composition_->contributions(id)) {
    if (!composition_->in_effect(each.guard)) continue;
    const ContributionStatement& statement = *each.statement;
    Part part;
    part.rank = composition_->rank(each.layer, each.guard);
    part.name = statement.name;
    part.work.statement = statement.statement;
    part.work.prepared = composition_->document(each.document).prepared.get();
    part.work.declared = statement.declared;
    part.work.document = each.document;
    part.work.guard = each.guard;
    part.work.key = multibind.key;
    part.work.is_contribution = true;
    part.contributed = &each;
    part.value = produce(part.work);
    if (!part.value.value) {
      not_taken(part, "optional produced nothing");
      continue;
    }
    if (statement.declared != 0) check_type(part.work, type_of(part.work), part.value.value);
    if (recorder_.keeps()) outcomes_[&each].history = recorder_.layers() - 1;  // `produce` records itself last.
    parts.push_back(part);
  }
  return parts;
}

merge::Traced InjectorState::collect(std::uint32_t key, const Candidate& candidate) {
  Work work = work_of(key, candidate);
  const Type& type = type_of(work);
  const bool is_hash = type.kind == TypeKind::hash;
  const auto id = id_of(candidate);
  std::vector<Part> parts = id ? parts_of(work, *id) : std::vector<Part>();
  if (is_hash) {
    for (const Part& part : parts) {
      if (!part.name.empty()) continue;
      throw Error("bindings.contribution",
                  fmt::format("a contribution to the multibind {} needs a name, since it is a Hash", Composition::readable(work.key)))
          .at(sources_, part.work.statement->origin)
          .note(sources_, work.statement->origin, "the multibind is here");
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& left, const Part& right) { return left.rank > right.rank; });
  }
  if (recorder_.keeps()) {
    const std::string via = fmt::format("multibind {}", Composition::readable(work.key));
    for (const Part& part : parts) {
      if (part.value.slot.node() != nullptr) continue;
      const auto told = told_.find(part.value.slot.layer());
      if (told != told_.end() && told->second.via.empty()) told->second.via = via;
    }
  }
  merge::Traced out;
  const Option* combinator = find_option(*work.statement, "combinator");
  if (combinator != nullptr) {
    out = combine(work, *combinator, parts, is_hash);
    check_type(work, type, out.value);
  } else {
    const Type& item = *type.parts[is_hash ? 1 : 0];
    const TypeRef list = is_hash ? nullptr : puppet::array_type(type.parts[0]);
    for (const Part& part : parts) {
      if (types_.is_instance(item, part.value.value) || (list != nullptr && types_.is_instance(*list, part.value.value))) continue;
      throw Error("bindings.type",
                  fmt::format("type error for a contribution to the multibind {}: expected {}, got {} ({})", Composition::readable(work.key),
                              reference_text(item), bindings::type_of(part.value.value), shown(part.value.value)))
          .at(sources_, part.value.value.origin() ? part.value.value.origin() : part.work.statement->origin)
          .note(sources_, work.statement->origin, "the multibind is here");
    }
    out = is_hash ? join_hash(work, parts) : join_array(work, parts);
  }
  if (const Option* transformer = find_option(*work.statement, "transformer")) {
    const Value value = call_lambda(work, *transformer, std::span(&out.value, 1));
    check_type(work, type, value);
    out = recorder_.derive(value, std::span(&out, 1));
  }
  return out;
}

std::size_t InjectorState::levels_of(const Work& multibind, std::size_t otherwise) {
  const Option* option = find_option(*multibind.statement, "flatten");
  if (option == nullptr) return otherwise;
  const Value value = evaluate(multibind, *option->value);
  if (value.kind() == Kind::boolean) return value.as_boolean() ? std::numeric_limits<std::size_t>::max() : 0;
  if (value.kind() == Kind::integer) {
    return value.as_integer() < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(value.as_integer());
  }
  throw Error("bindings.option", "the option 'flatten' must be true, false or a number of levels").at(sources_, option->origin);
}

void InjectorState::not_taken(const Part& part, std::string reason) {
  if (!recorder_.keeps()) return;
  Outcome& outcome = outcomes_[part.contributed];
  outcome.reason = std::move(reason);
  const auto told = told_.find(outcome.history);
  if (told != told_.end()) told->second.reason = outcome.reason;
}

/// What an array is made of.
struct InjectorState::Item {
  merge::Traced value;
  const Part* part;
};

/// The values of contributions with so many levels of sequences taken away; then each distinct one once.
merge::Traced InjectorState::flattened(const Work& multibind, std::span<const Part* const> parts, std::size_t levels, bool uniq) {
  std::vector<Item> items;
  items.reserve(parts.size());
  for (const Part* part : parts) items.push_back({part->value, part});
  bool changed = true;
  for (std::size_t level = 0; level < levels && changed; ++level) {
    changed = false;
    std::vector<Item> next;
    for (const Item& item : items) {
      const Value& value = item.value.value;
      if (!value.is_sequence()) {
        next.push_back(item);
        continue;
      }
      changed = true;
      for (std::size_t i = 0; i < value.size(); ++i) {
        next.push_back({merge::Recorder::member(item.value, i), item.part});
      }
    }
    evaluator_->charge(next.size());
    items = std::move(next);
  }
  std::vector<merge::Traced> members;
  members.reserve(items.size());
  std::unordered_set<const Part*> used;
  const Value seen = arena_.mapping();
  for (const Item& item : items) {
    const Value key = uniq ? arena_.key(item.value.value) : Value();
    const Value* place = uniq ? seen.find(key) : nullptr;
    if (place != nullptr) {
      merge::Traced& first = members[static_cast<std::size_t>(place->as_integer())];
      first = chosen(first, item.value);
      continue;
    }
    if (uniq) arena_.insert(seen, key, Value::integer(static_cast<std::int64_t>(members.size())));
    if (recorder_.keeps()) used.insert(item.part);
    members.push_back(item.value);
  }
  if (recorder_.keeps() && uniq) {
    for (const Item& item : items) {
      if (!used.contains(item.part)) not_taken(*item.part, "stands there already");
    }
  }
  const Value out = arena_.sequence(members.size());
  for (const merge::Traced& member : members) arena_.append(out, member.value);
  return compose(out.with_origin(multibind.statement->origin), members);
}

merge::Traced InjectorState::join_array(const Work& multibind, std::vector<Part>& parts) {
  std::vector<const Part*> all;
  all.reserve(parts.size());
  for (const Part& part : parts) all.push_back(&part);
  return flattened(multibind, all, levels_of(multibind, 1), flag(multibind, "uniq", false));
}

void InjectorState::duplicate(const Work& multibind, const Part& first, const Part& second) {
  throw Error("bindings.contribution",
              fmt::format("the multibind {} has two contributions named '{}'", Composition::readable(multibind.key), first.name))
      .at(sources_, first.work.statement->origin)
      .note(sources_, second.work.statement->origin, "the other one is here")
      .hint("choose with the option conflict_resolution, or a combinator");
}

namespace {

/// Contributions by name, names in their order.
template <class Part>
std::vector<std::vector<Part*>> by_name(std::vector<Part>& parts) {
  std::vector<std::vector<Part*>> out;
  std::unordered_map<std::string_view, std::size_t> known;
  for (Part& part : parts) {
    const auto added = known.emplace(part.name, out.size());
    if (added.second) out.emplace_back();
    out[added.first->second].push_back(&part);
  }
  return out;
}

/// Members of the old value first, those of the new one win.
const merge::Strategy& shallow() {
  static const merge::Strategy strategy = [] {
    merge::Strategy out;
    merge::fill(out.root, merge::Action::recurse);
    for (auto& row : out.root) row.fill(merge::Action::take_new);
    using enum merge::Shape;
    merge::set_cells(out.root, {empty_mapping, mapping}, {empty_mapping, mapping}, merge::Action::recurse);
    merge::fill(out.member, merge::Action::take_new);
    merge::fill(out.item, merge::Action::take_new);
    return out;
  }();
  return strategy;
}

}  // namespace

merge::Traced InjectorState::join_hash(const Work& multibind, std::vector<Part>& parts) {
  std::string how = "error";
  if (const Option* option = find_option(*multibind.statement, "conflict_resolution")) {
    const Value word = evaluate(multibind, *option->value);
    how = word.is_text() ? std::string(word.text()) : std::string();
    if (how != "error" && how != "priority" && how != "ignore" && how != "append" && how != "merge") {
      throw Error("bindings.option", fmt::format("unknown conflict_resolution '{}'", how)).at(sources_, option->origin);
    }
  }
  const std::size_t levels = how == "append" ? levels_of(multibind, 0) : 0;
  const bool uniq = how == "append" && flag(multibind, "uniq", false);
  const Value out = arena_.mapping();
  std::vector<merge::Traced> members;
  for (const std::vector<Part*>& group : by_name(parts)) {
    const Part& first = *group.front();
    merge::Traced value = first.value;
    if (how == "append") {
      const std::vector<const Part*> all(group.begin(), group.end());
      value = flattened(multibind, all, levels, uniq);
    } else if (how == "merge") {
      for (const Part* part : group) {
        if (part->value.value.is_mapping()) continue;
        throw Error("bindings.type", fmt::format("the multibind {} merges hashes; the contribution '{}' is {}", Composition::readable(multibind.key),
                                                 part->name, bindings::type_of(part->value.value)))
            .at(sources_, part->work.statement->origin);
      }
      value = group.back()->value;
      for (std::size_t i = group.size() - 1; i-- > 0;) value = merge::merge(value, group[i]->value, shallow(), arena_, limits_, recorder_);
    } else if (group.size() > 1 && how != "ignore") {
      if (how == "error" || group[1]->rank == first.rank) duplicate(multibind, first, *group[1]);
    }
    if (how == "priority" || how == "ignore") {
      for (const Part* part : std::span(group).subspan(1)) {
        const bool is_near = part->contributed->layer == first.contributed->layer;
        not_taken(*part, !is_near ? "lower layer" : part->rank < first.rank ? "lower precedence" : "one of that name is there already");
        value = chosen(value, part->value);
      }
    }
    arena_.insert(out, arena_.key(first.name).with_origin(first.work.statement->origin), value.value);
    members.push_back(value);
  }
  return compose(out.with_origin(multibind.statement->origin), members);
}

/// Calls a lambda or an extension for each contribution.
merge::Traced InjectorState::combine(const Work& multibind, const Option& option, std::vector<Part>& parts, bool is_hash) {
  extensions::Combinator* extension = nullptr;
  if (option.value->node != puppet::Node::lambda) {
    const TypeRef type = read_type(
        sources_, *option.value, [&](const Expression& part) { return evaluate(multibind, part); }, limits_);
    const bool named = type->kind == TypeKind::type && !type->parts.empty() && !type->parts[0]->texts.empty();
    if (named && services_.extensions != nullptr) extension = services_.extensions->combinator(type->parts[0]->texts[0]);
    if (extension == nullptr) {
      throw Error("bindings.runtime-type", fmt::format("{} is no combinator", reference_text(*type))).at(sources_, option.origin);
    }
  }
  const auto call = [&](std::span<const Value> arguments) {
    if (extension == nullptr) return call_lambda(multibind, option, arguments);
    const Pushed<const Work*> pushed(working_, &multibind);
    try {
      const Value out = extension->combine(*this, arguments);
      return out ? out : Value::null();
    } catch (const Error& error) {
      throw located(multibind, error);
    }
  };
  const merge::LayerId own = recorder_.keeps() ? own_layer(multibind) : merge::kNoLayer;
  if (!is_hash) {
    merge::Traced memo{arena_.sequence(), {}};
    for (const Part& part : parts) {
      const std::array<Value, 2> arguments{memo.value, part.value.value};
      const Value next = call(arguments);
      memo = recorder_.keeps() ? stepped(memo, part.value, next, own) : merge::Traced{next, {}};
    }
    if (!memo.value.origin()) memo.value = memo.value.with_origin(multibind.statement->origin);
    return memo;
  }
  const Value out = arena_.mapping();
  std::vector<merge::Traced> members;
  for (const std::vector<Part*>& group : by_name(parts)) {
    Value current = extension == nullptr ? Value::null() : Value();
    std::vector<merge::Traced> inputs;
    for (const Part* part : group) {
      const std::array<Value, 3> arguments{arena_.text(part->name), current, part->value.value};
      current = call(arguments);
      inputs.push_back(part->value);
    }
    arena_.insert(out, arena_.key(group.front()->name), current);
    members.push_back(recorder_.keeps() ? made_of(current, recorder_.derive(current, inputs), own) : merge::Traced{current, {}});
  }
  return compose(out.with_origin(multibind.statement->origin), members);
}

/// The statement of a multibind, as a layer of the history.
merge::LayerId InjectorState::own_layer(const Work& multibind) {
  const Told told = composition_->told(*multibind.statement, multibind.document, multibind.guard);
  return record(Value::null(), told).slot.layer();
}

/// A value that something computed: each of its leaves came from all of `inputs`. Recursion: bounded by Limits::depth.
merge::Traced InjectorState::made_of(const Value& value, const merge::Traced& inputs, merge::LayerId own) {
  if (value.is_leaf() || value.is_secret()) {
    const std::array<merge::Traced, 2> both{inputs, merge::Traced{value, merge::Slot(own)}};
    return recorder_.derive(value, both);
  }
  std::vector<merge::Traced> members;
  members.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    members.push_back(made_of(value.is_sequence() ? value.items()[i] : value.entries()[i].value, inputs, own));
  }
  return recorder_.compose(value, members);
}

/// One step of a combinator of an array: items that stay keep their histories; new ones came from the contribution and from the items that are gone.
merge::Traced InjectorState::stepped(const merge::Traced& memo, const merge::Traced& contribution, const Value& next, merge::LayerId own) {
  if (!next.is_sequence()) return made_of(next, contribution, own);
  const std::span<const Value> before = memo.value.is_sequence() ? memo.value.items() : std::span<const Value>();
  std::vector<bool> stays(before.size(), false);
  std::vector<merge::Traced> members(next.size());
  std::vector<std::size_t> fresh;
  const auto same = [](const Value& left, const Value& right) { return left.origin() == right.origin() && equal(left, right); };
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
  const merge::Traced all = inputs.size() == 1 ? contribution : recorder_.derive(next, inputs);
  for (const std::size_t i : fresh) members[i] = made_of(next.items()[i], all, own);
  const merge::Traced out = recorder_.compose(next, members);
  // What nothing was made of is told as not taken.
  return fresh.empty() ? chosen(out, all) : out;
}

}  // namespace strata::bindings
