// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/collection.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/types/names.hpp"
#include "strata/builder.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

namespace {

constexpr std::string_view kIncluded = "included_classes";
constexpr std::string_view kExcluded = "excluded_classes";

}  // namespace

/// Every include and exclude in effect, in collection order. They are gathered once, so that all lists agree.
const std::vector<StatementLists::Inclusion>& StatementLists::inclusions() {
  if (inclusions_) return *inclusions_;
  if (gathers_inclusions_) throw Error("bindings.loop", "lookup loop: list of classes → list of classes");
  gathers_inclusions_ = true;
  try {
    inclusions_ = gathered_inclusions();
  } catch (...) {
    gathers_inclusions_ = false;
    throw;
  }
  gathers_inclusions_ = false;
  return *inclusions_;
}

std::vector<StatementLists::Inclusion> StatementLists::gathered_inclusions() {
  std::vector<Inclusion> out;
  const auto add = [&](const Inclusion& like, const merge::Traced& name, Origin origin) {
    if (!name.value.is_text() || name.value.text().empty()) {
      throw Error("bindings.class", fmt::format("{} is not a class name", shown(name.value))).at(sources_, origin);
    }
    Inclusion one = like;
    one.name = class_name(name.value.text());
    if (one.name == "class") throw Error("bindings.class", "a class cannot be called 'class'").at(sources_, origin);
    const Value text =
        one.name == name.value.text() ? name.value : arena_.text(one.name).with_origin(name.value.origin());
    one.value = {text, name.slot};
    out.push_back(std::move(one));
  };
  for (const Placed& placed : composition_.classes()) {
    if (!composition_.in_effect(placed.guard)) continue;
    Inclusion like;
    like.rank = composition_.rank(placed.layer, placed.guard);
    like.excluded = placed.statement->form == Form::exclude;
    like.position = composition_.document(placed.document).position;
    like.statement = placed.statement;
    like.document = placed.document;
    like.guard = placed.guard;
    like.layer = placed.layer;
    Production work;
    work.statement = placed.statement;
    work.prepared = composition_.document(placed.document).prepared.get();
    work.document = placed.document;
    work.guard = placed.guard;
    work.key = {{}, "/classes"};
    for (const Expression* name : placed.statement->names) {
      const Value value = expressions_.evaluate(work, *name);
      add(like, provenance_.record(work, value, {}), name->origin);
    }
  }
  for (const std::string_view id : {kIncluded, kExcluded}) {
    Production list;
    list.key = {{}, id};
    for (const Multibinds::Part& part : multibinds_.parts_of(list, id)) {
      Inclusion like;
      like.rank = part.rank;
      like.excluded = id == kExcluded;
      like.position = composition_.document(part.contributed->document).position;
      like.statement = part.contributed->statement->statement;
      like.document = part.contributed->document;
      like.guard = part.contributed->guard;
      like.layer = part.contributed->layer;
      const merge::Traced& value = part.value;
      if (!value.value.is_sequence()) {
        add(like, value, like.statement->origin);
        continue;
      }
      for (std::size_t item = 0; item < value.value.size(); ++item) {
        add(like, merge::Recorder::member(value, item), like.statement->origin);
      }
    }
  }
  const std::uint32_t key = composition_.intern({}, "/classes");
  for (const Composition::Source& source : composition_.key_sources()) {
    const Rank rank = composition_.rank_of_source(source.layer);
    const LayerSources::Found found = layers_.ask_sources(key, rank, rank + 1);
    if (found.source != &source || !found.value.value.is_sequence()) continue;
    Inclusion like;
    like.rank = rank;
    like.position = source.position;
    like.layer = source.layer;
    like.source = &source;
    for (std::size_t item = 0; item < found.value.value.size(); ++item) {
      add(like, merge::Recorder::member(found.value, item), found.value.value.origin());
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Inclusion& left, const Inclusion& right) {
    return left.position != right.position ? left.position < right.position : left.statement < right.statement;
  });
  return out;
}

std::vector<StatementLists::Verdict> StatementLists::verdicts(const std::vector<Inclusion>& all, bool is_effective) {
  using ByName = TextViewMap<const Inclusion*>;
  ByName included;
  ByName excluded;
  for (const Inclusion& one : all) {
    const Inclusion*& strongest = (one.excluded ? excluded : included)[one.name];
    if (strongest == nullptr || strongest->rank < one.rank) strongest = &one;
  }
  ByName first_included;
  ByName first_excluded;
  std::vector<Verdict> out(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Inclusion& one = all[i];
    if (is_effective && !one.excluded) {
      const auto barred = excluded.find(one.name);
      if (barred != excluded.end() && barred->second->rank >= included[one.name]->rank)
        out[i].excluded_by = barred->second;
      if (out[i].excluded_by != nullptr) continue;
    }
    const auto first = (one.excluded ? first_excluded : first_included).emplace(one.name, &one);
    if (!first.second) out[i].repeats = first.first->second;
  }
  return out;
}

merge::Traced StatementLists::class_list(std::string_view which) {
  const std::vector<Inclusion>& all = inclusions();
  const std::vector<Verdict> verdicts = StatementLists::verdicts(all, which == "/classes");
  const bool of_excluded = which == kExcluded;
  const merge::Following following(provenance_.recorder(), [of_excluded] {
    return merge::Rule{.text = of_excluded ? "exclude" : "include", .option = {}};
  });
  std::vector<merge::Traced> members;
  SequenceBuilder names(arena_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].excluded != of_excluded || verdicts[i].excluded_by != nullptr) continue;
    names.append(all[i].value.value);
    members.push_back(all[i].value);
  }
  return distinct_items(provenance_.compose(names.finish(), members), arena_, limits_, provenance_.recorder());
}

void StatementLists::explain_list(std::string_view name, Explanation& out) {
  if (name == "/dependencies") {
    explain_dependencies(out);
  } else {
    explain_classes(name, out);
  }
}

/// Each include and exclude, and why a class is in the list or not.
void StatementLists::explain_classes(std::string_view which, Explanation& out) {
  const bool is_effective = which == "/classes";
  const auto concerns = [&](bool excluded) { return is_effective || excluded == (which == kExcluded); };
  const std::vector<Inclusion>& all = inclusions();
  const std::vector<Verdict> verdicts = StatementLists::verdicts(all, is_effective);
  TextViewMap<const Inclusion*> included;
  std::set<std::string_view> bars;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (verdicts[i].excluded_by != nullptr) bars.insert(all[i].name);
    if (all[i].excluded) continue;
    const Inclusion*& strongest = included[all[i].name];
    if (strongest == nullptr || strongest->rank < all[i].rank) strongest = &all[i];
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Inclusion& one = all[i];
    if (!concerns(one.excluded)) continue;
    StatementReport told = one.source != nullptr ? layers_.told_of(*one.source)
                                                 : composition_.told(*one.statement, one.document, one.guard);
    if (one.source != nullptr) told.origin = one.value.value.origin();
    told.name = one.name;
    const Verdict& verdict = verdicts[i];
    if (verdict.excluded_by != nullptr) {
      const Inclusion& by = *verdict.excluded_by;
      told.reason = fmt::format("excluded at {}", sources_.place(by.statement->origin).to_string());
    } else if (is_effective && one.excluded && !bars.contains(one.name)) {
      const auto strongest = included.find(one.name);
      told.reason = strongest == included.end()             ? "nothing includes it"
                    : strongest->second->layer != one.layer ? "lower layer"
                                                            : "lower precedence";
    } else if (verdict.repeats != nullptr) {
      told.reason = "it is already in the list";
      told.in_history = true;
    } else if (!is_effective || !one.excluded) {
      told.in_history = true;
    }
    out.contributions.push_back(std::move(told));
  }
  const auto add_idle = [&](const Statement& statement, std::uint32_t document, std::uint32_t guard, std::string name) {
    StatementReport told = composition_.told(statement, document, guard);
    told.reason = composition_.not_in_effect(statement);
    if (!name.empty()) told.name = std::move(name);
    out.contributions.push_back(std::move(told));
  };
  for (const Placed& placed : composition_.classes()) {
    if (composition_.in_effect(placed.guard) || !concerns(placed.statement->form == Form::exclude)) continue;
    for (const Expression* name : placed.statement->names) {
      const Value constant = fold(arena_, *name);
      add_idle(*placed.statement, placed.document, placed.guard,
               constant.is_text() ? class_name(constant.text()) : std::string());
    }
  }
  for (const std::string_view id : {kIncluded, kExcluded}) {
    if (!concerns(id == kExcluded)) continue;
    for (const Contributed& each : composition_.contributions(id)) {
      if (!composition_.in_effect(each.guard)) add_idle(*each.statement->statement, each.document, each.guard, {});
    }
  }
}

merge::Traced StatementLists::classes() {
  const std::uint32_t key = composition_.find({}, "/classes");
  if (key != KeyTable::kNone && composition_.effective(key).winner != nullptr) return lookup_.look_up(key);
  if (!classes_) classes_ = class_list("/classes");
  return *classes_;
}

/// What a statement orders, each source with each target.
std::vector<StatementLists::Dependency> StatementLists::dependencies_of(const Statement& statement) {
  const EvaluatePart part = [&](const Expression& expression) {
    try {
      return expressions_.resolve(expression);
    } catch (const Error& error) {
      throw for_statement(sources_, error, statement);
    }
  };
  std::vector<Dependency> out;
  for (const Edge& edge : statement.edges) {
    for (const TypeReference& source : edge.sources) {
      const std::string from = reference_text(*read_type(sources_, source, part, limits_));
      for (const TypeReference& target : edge.targets) {
        expressions_.charge(1);
        out.push_back({.from = from,
                       .to = reference_text(*read_type(sources_, target, part, limits_)),
                       .kind = edge.notifies ? "~>" : "->",
                       .source = source.origin,
                       .target = target.origin,
                       .edge = edge.origin});
      }
    }
  }
  return out;
}

merge::Traced StatementLists::dependency_list() {
  if (dependencies_) return *dependencies_;
  std::set<std::string> seen;
  std::vector<merge::Traced> members;
  SequenceBuilder rows(arena_);
  for (const Placed& placed : composition_.edges()) {
    if (!composition_.in_effect(placed.guard)) continue;
    for (const Dependency& one : dependencies_of(*placed.statement)) {
      // Rows that are there already only matter to a history.
      if (!seen.insert(one.shown()).second && !provenance_.is_kept()) continue;
      MappingBuilder row(arena_, KeyEquality::exact, 3);
      row.insert("source", arena_.text(one.from).with_origin(one.source));
      row.insert("target", arena_.text(one.to).with_origin(one.target));
      row.insert("kind", arena_.text(one.kind).with_origin(one.edge));
      const merge::Traced member = provenance_.record(
          row.finish().with_origin(one.edge), composition_.told(*placed.statement, placed.document, placed.guard));
      rows.append(member.value);
      members.push_back(member);
    }
  }
  const merge::Following following(provenance_.recorder(), [] { return merge::Rule{}; });
  dependencies_ = distinct_items(provenance_.compose(rows.finish(), members), arena_, limits_, provenance_.recorder());
  return *dependencies_;
}

void StatementLists::explain_dependencies(Explanation& out) {
  std::set<std::string> seen;
  for (const Placed& placed : composition_.edges()) {
    StatementReport told = composition_.told(*placed.statement, placed.document, placed.guard);
    if (!composition_.in_effect(placed.guard)) {
      told.reason = composition_.not_in_effect(*placed.statement);
      out.contributions.push_back(std::move(told));
      continue;
    }
    told.in_history = true;
    for (const Dependency& one : dependencies_of(*placed.statement)) {
      told.name = one.shown();
      told.origin = one.edge;
      told.reason = seen.insert(*told.name).second ? "" : "it is already in the list";
      out.contributions.push_back(told);
    }
  }
}

bool StatementLists::is_special(std::string_view name) noexcept {
  return name == "/classes" || name == "/dependencies" || name == kIncluded || name == kExcluded;
}

/// Names that stand for what several statements make.
merge::Traced StatementLists::special(std::string_view name) {
  if (name == "/classes") return classes();
  if (name == "/dependencies") return dependency_list();
  if (name == kIncluded || name == kExcluded) return class_list(name);
  return {};
}

}  // namespace strata::bindings
