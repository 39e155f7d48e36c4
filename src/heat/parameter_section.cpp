#include "heat/parameter_section.hpp"

#include <fmt/format.h>

#include "heat/checked_value.hpp"
#include "heat/mapping_builder.hpp"
#include "strata/path.hpp"

namespace strata::heat {

using merge::Traced;

ParameterSection::ParameterSection(Context& context, Arena& home, Names& names, std::size_t which, std::string_view title)
    : context_(context), home_(&home), names_(names), which_(which), title_(title) {}

ParameterSection::Member& ParameterSection::member(Name& name) {
  std::size_t& position = name.position.at(which_);
  if (position == Name::kNowhere) {
    position = members_.size();
    members_.emplace_back(name.key, *home_, context_);
  }
  return members_[position];
}

merge::Slot FileLayers::of(Join join) {
  if (!context_.recorder.keeps() || join == Join::overwrite) return plain_;
  auto& joined = joined_.at(join == Join::merge ? 0 : 1);
  if (!joined) joined = context_.add_layer(file_, std::string(to_string(join)));
  return *joined;
}

void ParameterSection::set(const Value& name, const Traced& value) {
  Name& known = names_.of(name);
  member(known).value.start({known.hidden ? value.value.with_secret() : value.value, value.slot});
}

void ParameterSection::add(const Contribution& file) {
  const auto entries = file.section.entries();
  found_.assign(entries.size(), nullptr);
  std::size_t counting = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Value& key = entries[i].key;
    if (!file.cleared.empty() && key.is_text() && file.cleared.contains(key.text())) continue;
    Name& name = names_.of(key);
    found_[i] = &name;
    ++counting;
    if (name.declared && !entries[i].value.is_null()) file.strategies.choose(name, key.origin());
  }
  if (counting == 0) return;
  const bool adopts = is_empty();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Name* name = found_[i];
    if (name == nullptr) continue;
    const bool meets = !adopts && name->declared && !entries[i].value.is_null();
    const Traced value{name->hidden ? entries[i].value.with_secret() : entries[i].value,
                       meets ? file.layers.of(name->strategy->join) : file.layers.plain()};
    if (adopts) {
      member(*name).value.start(value);
      if (!name->declared && !names_.is_implicit()) {
        context_.warn("heat.unknown-name",
                      fmt::format("no template declares '{}'; the first file that fills '{}' keeps it", key_text(name->key), title_),
                      entries[i].key.origin());
      }
    } else if (meets) {
      meet(*name, value, file.file);
    } else {
      drop(*name, {entries[i].key, value.value}, file);
    }
  }
}

/// Names that nobody declares and nulls are ignored.
void ParameterSection::drop(const Name& name, const Entry& entry, const Contribution& file) {
  if (!name.declared && !names_.is_implicit()) {
    context_.warn("heat.dropped-name",
                  fmt::format("no template declares '{}': its value in '{}' of {} is dropped", key_text(name.key), title_, file.file),
                  entry.key.origin(), "declare it in a template, or correct the name");
  }
  if (!context_.recorder.keeps()) return;
  const std::size_t position = name.position.at(which_);
  if (position == Name::kNowhere) {
    dropped_.push_back({.key = entry.key, .value = {entry.value, file.layers.plain()}});
  } else {
    members_[position].value.merge({entry.value, file.layers.plain()}, keep_strategy());
  }
}

void ParameterSection::meet(Name& name, const Traced& value, std::string_view file) {
  Member& known = member(name);
  if (name.strategy->join != Join::overwrite) return join(name, known, value, file);
  if (!context_.recorder.keeps()) {
    known.value.start(value);
  } else {
    known.value.merge(value, join_strategy(name.type, Join::overwrite));
  }
}

void ParameterSection::join(Name& name, Member& known, const Traced& value, std::string_view file) {
  const Joining joining{.name = name, .file = file, .title = title_};
  const Traced checked{checked_value(context_, joining, value.value), value.slot};
  const merge::Strategy& strategy = join_strategy(name.type, name.strategy->join);
  try {
    known.value.merge(checked, strategy);
  } catch (const merge::KindMismatch& mismatch) {
    const auto rest = without_idle(*context_.arena, known.value.current().value, checked.value, name.strategy->join == Join::deep_merge);
    if (!rest) throw mismatch_error(context_, joining, checked.value, mismatch);
    if (!*rest) return;
    try {
      known.value.merge({*rest, value.slot}, strategy);
    } catch (const merge::KindMismatch& again) {
      throw mismatch_error(context_, joining, *rest, again);
    }
  }
}

Traced ParameterSection::finish() const {
  MappingBuilder section(context_, members_.size());
  for (const Member& member : members_) section.put(member.key, member.value.current());
  for (const Dropped& dropped : dropped_) {
    if (!section.at(dropped.key)) section.remove(dropped.key, dropped.value);
  }
  return section.finish();
}

}  // namespace strata::heat
