// SPDX-License-Identifier: Apache-2.0
#include "heat/parameter_section.hpp"

#include <fmt/format.h>

#include "heat/checked_value.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "strata/traced.hpp"

namespace strata::heat {

using merge::Traced;

namespace {

constexpr std::string_view kAttachHint = "attach the template that declares it, or correct the name";

}  // namespace

ParameterSection::ParameterSection(Documents& documents, Arena& home, Names& names, std::size_t which,
                                   std::string_view title)
    : documents_(documents), home_(&home), names_(names), which_(which), title_(title) {}

ParameterSection::Member& ParameterSection::member(Name& name) {
  std::size_t& position = name.position.at(which_);
  if (position == Name::kNowhere) {
    position = members_.size();
    members_.emplace_back(name.key, *home_, documents_);
  }
  return members_[position];
}

merge::Slot FileLayers::of(MergeStrategy kind) {
  if (!documents_.session().recorder().keeps() || kind == MergeStrategy::overwrite) return plain_;
  auto& joined = joined_.at(kind == MergeStrategy::merge ? 0 : 1);
  if (!joined) joined = documents_.session().recorder().add_layer(file_, std::string(to_string(kind)));
  return *joined;
}

void ParameterSection::set(const Value& name, const Traced& value) {
  Name& known = names_.of(name);
  member(known).value.start({known.hidden ? value.value.with_secret() : value.value, value.slot});
}

void ParameterSection::add(const Contribution& file) {
  const auto entries = file.section.entries();
  found_.assign(entries.size(), nullptr);
  StopCheck stop(documents_.session().limits().stop);
  std::size_t counting = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    stop.tick();
    const Value& key = entries[i].key;
    if (!file.cleared.empty() && key.is_text() && file.cleared.contains(key.text())) continue;
    Name& name = names_.of(key);
    found_[i] = &name;
    ++counting;
    if (!name.declared || entries[i].value.is_null()) continue;
    file.strategies.check();
    // What is wrong with one name changes nothing for the others.
    if (!documents_.collect([&] { file.strategies.choose(name, key.origin()); })) found_[i] = nullptr;
  }
  if (counting == 0) return;
  const bool adopts = is_empty();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    stop.tick();
    Name* name = found_[i];
    if (name == nullptr) continue;
    const bool meets = !adopts && name->declared && !entries[i].value.is_null();
    const Traced value{name->hidden ? entries[i].value.with_secret() : entries[i].value,
                       meets ? file.layers.of(name->strategy->kind) : file.layers.plain()};
    if (adopts) {
      member(*name).value.start(value);
      if (!name->declared && !names_.is_implicit()) {
        warn(documents_.session(), "heat.unknown-name",
             fmt::format("no given template declares '{}'; the first file that fills '{}' keeps it",
                         key_text(name->key), title_),
             entries[i].key.origin(), std::string(kAttachHint));
      }
    } else if (meets) {
      documents_.collect([&] { meet(*name, value, file.file); });
    } else {
      drop(*name, {entries[i].key, value.value}, file);
    }
  }
}

/// Ignores undeclared names and nulls.
void ParameterSection::drop(const Name& name, const Entry& entry, const Contribution& file) {
  if (!name.declared && !names_.is_implicit()) {
    warn(documents_.session(), "heat.dropped-name",
         fmt::format("no given template declares '{}': its value in '{}' of {} is dropped", key_text(name.key), title_,
                     file.file),
         entry.key.origin(), std::string(kAttachHint));
  }
  if (!documents_.session().recorder().keeps()) return;
  const std::size_t position = name.position.at(which_);
  if (position == Name::kNowhere) {
    dropped_.push_back({.key = entry.key, .value = {entry.value, file.layers.plain()}});
  } else {
    members_[position].value.merge({entry.value, file.layers.plain()}, merge::keep_all());
  }
}

namespace {

merge::Rule rule_of(const Name& name) {
  if (!name.strategy) return {.text = std::string(to_string(MergeStrategy::overwrite)), .option = {}};
  return {.text = name.strategy->text(), .option = name.strategy->option};
}

}  // namespace

void ParameterSection::meet(Name& name, const Traced& value, std::string_view file) {
  Member& known = member(name);
  const merge::Following following(documents_.session().recorder(), [&name] { return rule_of(name); });
  if (name.strategy->kind != MergeStrategy::overwrite) return merge(name, known, value, file);
  if (!documents_.session().recorder().keeps()) {
    known.value.start(value);
  } else {
    known.value.merge(value, merge::replace_all());
  }
}

void ParameterSection::merge(Name& name, Member& known, const Traced& value, std::string_view file) {
  const Joining joining{.name = name, .file = file, .title = title_};
  const Traced checked{checked_value(documents_, joining, value.value), value.slot};
  const merge::Strategy& strategy = kernel_strategy(name.type, name.strategy->kind);
  try {
    known.value.merge(checked, strategy);
  } catch (const merge::KindMismatch& mismatch) {
    const auto rest = without_idle(documents_.arena(), known.value.current().value, checked.value,
                                   name.strategy->kind == MergeStrategy::deep_merge);
    if (!rest) throw mismatch_error(documents_, joining, checked.value, mismatch);
    if (!*rest) return;
    try {
      known.value.merge({*rest, value.slot}, strategy);
    } catch (const merge::KindMismatch& again) {
      throw mismatch_error(documents_, joining, *rest, again);
    }
  }
}

Traced ParameterSection::finish() const {
  const merge::Builder make(documents_.arena(), documents_.session().recorder());
  merge::TracedMapping section(make, KeyEquality::exact, members_.size());
  for (const Member& member : members_) {
    Traced value = member.value.current();
    if (make.keeps()) {
      const merge::Following following(make.recorder(), [&] { return rule_of(names_.of(member.key)); });
      value = make.recorder().ruled(value);
    }
    section.insert(member.key, value);
  }
  return without_dropped(section.finish());
}

/// With the histories of undeclared names: the last dropped value removes the name, and it overrides the earlier ones.
Traced ParameterSection::without_dropped(const Traced& section) const {
  if (dropped_.empty()) return section;
  Arena& arena = documents_.arena();
  merge::Accumulator all(arena, documents_.session().limits(), documents_.session().recorder());
  all.start(section);
  const Traced nothing{Value::null(), merge::Slot(merge::kNoLayer)};
  MappingBuilder names(arena);  // Of those in `last`.
  std::vector<Traced> last;
  for (const Dropped& dropped : dropped_) {
    if (section.value.find(dropped.key) != nullptr) continue;
    const Path::Step step = dropped.key;
    if (const Value* place = names.find(dropped.key)) {
      Traced& before = last[static_cast<std::size_t>(place->as_integer())];
      all.put(std::span(&step, 1), before);
      before = dropped.value;
    } else {
      names.insert(dropped.key, Value::integer(static_cast<std::int64_t>(last.size())));
      last.push_back(dropped.value);
    }
    all.put(std::span(&step, 1), nothing);
  }
  if (last.empty()) return section;
  merge::TracedMapping removed(merge::Builder(arena, documents_.session().recorder()), KeyEquality::exact, last.size());
  for (std::size_t i = 0; i < last.size(); ++i) removed.insert(names.entries()[i].key, last[i]);
  all.merge(removed.finish(), removal_strategy());
  return all.current();
}

}  // namespace strata::heat
