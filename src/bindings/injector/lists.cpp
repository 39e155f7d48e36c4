// The lists that several statements make: classes and dependencies. Rule: bindings 11.3, 11.6.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"

namespace strata::bindings {

namespace {

constexpr std::string_view kIncluded = "included_classes";
constexpr std::string_view kExcluded = "excluded_classes";

}  // namespace

/// Every include and exclude in effect, in collection order. They are gathered once, so that all lists agree.
const std::vector<InjectorState::Inclusion>& InjectorState::inclusions() {
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

std::vector<InjectorState::Inclusion> InjectorState::gathered_inclusions() {
  std::vector<Inclusion> out;
  const auto add = [&](const Inclusion& like, const merge::Traced& name, Origin origin) {
    if (!name.value.is_text() || name.value.text().empty()) {
      throw Error("bindings.class", fmt::format("{} is no name of a class", shown(name.value))).at(sources_, origin);
    }
    Inclusion one = like;
    one.name = class_name(name.value.text());
    if (one.name == "class") throw Error("bindings.class", "a class can not be called 'class'").at(sources_, origin);
    const Value text = one.name == name.value.text() ? name.value : arena_.text(one.name).with_origin(name.value.origin());
    one.value = {text, name.slot};
    out.push_back(std::move(one));
  };
  for (const Placed& placed : composition_->classes()) {
    if (!composition_->in_effect(placed.guard)) continue;
    Inclusion like;
    like.rank = composition_->rank(placed.layer, placed.guard);
    like.excluded = placed.statement->form == Form::exclude;
    like.position = composition_->document(placed.document).position;
    like.statement = placed.statement;
    Work work;
    work.statement = placed.statement;
    work.prepared = composition_->document(placed.document).prepared.get();
    work.document = placed.document;
    work.guard = placed.guard;
    work.key = {{}, "/classes"};
    for (const Expression* name : placed.statement->names) {
      const Value value = evaluate(work, *name);
      add(like, history_ == nullptr ? merge::Traced{value, {}} : record(work, value, {}), name->origin);
    }
  }
  for (const std::string_view id : {kIncluded, kExcluded}) {
    std::vector<const Contributed*> which;
    Work list;
    list.key = {{}, id};
    const std::vector<Part> parts = parts_of(list, id, &which);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Inclusion like;
      like.rank = parts[i].rank;
      like.excluded = id == kExcluded;
      like.position = composition_->document(which[i]->document).position;
      like.statement = which[i]->statement->statement;
      const merge::Traced& value = parts[i].value;
      if (!value.value.is_sequence()) {
        add(like, value, like.statement->origin);
        continue;
      }
      for (std::size_t item = 0; item < value.value.size(); ++item) {
        add(like, history_ == nullptr ? merge::Traced{value.value.items()[item], {}} : merge::History::member(value, item), like.statement->origin);
      }
    }
  }
  const std::uint32_t key = composition_->intern({}, "/classes");
  if (key >= slots_.size()) slots_.resize(composition_->key_count());
  for (const Composition::Source& source : composition_->key_sources()) {
    const Rank rank = composition_->rank_of_source(source.layer);
    const FromSource found = ask_sources(key, rank, rank + 1);
    if (found.source != &source || !found.value.value.is_sequence()) continue;
    Inclusion like;
    like.rank = rank;
    like.position = source.position;
    for (std::size_t item = 0; item < found.value.value.size(); ++item) {
      add(like, history_ == nullptr ? merge::Traced{found.value.value.items()[item], {}} : merge::History::member(found.value, item),
          found.value.value.origin());
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Inclusion& left, const Inclusion& right) {
    return left.position != right.position ? left.position < right.position : left.statement < right.statement;
  });
  return out;
}

merge::Traced InjectorState::class_list(std::string_view which) {
  const std::vector<Inclusion>& all = inclusions();
  std::map<std::string_view, Rank> excluded;
  std::map<std::string_view, Rank> included;
  for (const Inclusion& one : all) {
    Rank& rank = (one.excluded ? excluded : included)[one.name];
    rank = std::max(rank, one.rank);
  }
  const bool effective = which == "/classes";
  const bool of_excluded = which == kExcluded;
  std::set<std::string_view> seen;
  std::vector<merge::Traced> members;
  const Value out = arena_.sequence();
  for (const Inclusion& one : all) {
    if (one.excluded != of_excluded) continue;
    if (effective) {
      const auto barred = excluded.find(one.name);
      if (barred != excluded.end() && barred->second >= included[one.name]) continue;
    }
    if (!seen.insert(one.name).second) continue;
    arena_.append(out, one.value.value);
    members.push_back(one.value);
  }
  return compose(out, members);
}

merge::Traced InjectorState::classes() {
  const std::uint32_t key = composition_->find({}, "/classes");
  if (key != KeyTable::kNone && composition_->effective(key).winner != nullptr) return look_up(key);
  if (!classes_) classes_ = class_list("/classes");
  return *classes_;
}

merge::Traced InjectorState::dependency_list() {
  if (dependencies_) return *dependencies_;
  std::set<std::string> seen;
  std::vector<merge::Traced> members;
  const Value out = arena_.sequence();
  for (const Placed& placed : composition_->edges()) {
    if (!composition_->in_effect(placed.guard)) continue;
    const EvaluatePart part = [&](const Expression& expression) {
      try {
        return resolve(expression);
      } catch (const Error& error) {
        throw for_statement(sources_, error, *placed.statement);
      }
    };
    for (const Edge& edge : placed.statement->edges) {
      for (const TypeReference& source : edge.sources) {
        const std::string from = reference_text(*read_type(sources_, source, part, limits_));
        for (const TypeReference& target : edge.targets) {
          const std::string to = reference_text(*read_type(sources_, target, part, limits_));
          const std::string_view kind = edge.notifies ? "~>" : "->";
          evaluator_->charge(1);
          if (!seen.insert(fmt::format("{}\n{}\n{}", from, kind, to)).second) continue;
          const Value row = arena_.mapping(KeyEquality::exact, 3);
          arena_.insert(row, "source", arena_.text(from).with_origin(source.origin));
          arena_.insert(row, "target", arena_.text(to).with_origin(target.origin));
          arena_.insert(row, "kind", arena_.text(kind).with_origin(edge.origin));
          const Value placed_row = row.with_origin(edge.origin);
          arena_.append(out, placed_row);
          if (history_ != nullptr) members.push_back(record(placed_row, composition_->told(*placed.statement, placed.document, placed.guard)));
        }
      }
    }
  }
  dependencies_ = compose(out, members);
  return *dependencies_;
}

bool InjectorState::is_special(std::string_view name) noexcept {
  return name == "/classes" || name == "/dependencies" || name == kIncluded || name == kExcluded;
}

/// Names that stand for what several statements make.
merge::Traced InjectorState::special(std::string_view name) {
  if (name == "/classes") return classes();
  if (name == "/dependencies") return dependency_list();
  if (name == kIncluded || name == kExcluded) return class_list(name);
  return {};
}

}  // namespace strata::bindings
