// SPDX-License-Identifier: Apache-2.0
#include "heat/names.hpp"

#include <fmt/format.h>

#include "heat/environment_file.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "value/fields.hpp"

namespace strata::heat {
namespace {

constexpr std::string_view kDefault = "default";

}  // namespace

ChosenStrategy ChosenStrategy::of(const Value& word) {
  for (const MergeStrategy kind : {MergeStrategy::overwrite, MergeStrategy::merge, MergeStrategy::deep_merge}) {
    if (word.is_text() && word.text() == to_string(kind)) return {.kind = kind, .odd = {}, .where = word.origin()};
  }
  return {.kind = MergeStrategy::overwrite, .odd = word, .where = word.origin()};
}

std::string ChosenStrategy::text() const {
  if (!odd) return std::string(to_string(kind));
  return odd.is_text() ? std::string(odd.text()) : scalar_text(odd);
}

Names::Names(Arena& arena, const Schemata& schemata, bool implicit)
    : arena_(arena), schemata_(schemata), implicit_(implicit), index_(arena) {}

Name& Names::of(const Value& key) {
  if (const Value* known = index_.find(key)) return all_[static_cast<std::size_t>(known->as_integer())];
  // Files that are combined may go before the name does.
  const Value kept = arena_.key(arena_.deep_copy(key));
  index_.insert(kept, Value::integer(static_cast<std::int64_t>(all_.size())));
  Name& name = all_.emplace_back();
  name.key = kept;
  const ParameterSchema* schema = schemata_.find(key);
  name.hidden = schemata_.hides(key);
  if (schema == nullptr) return name;
  if (!implicit_) declare(name, schema->type);
  return name;
}

void Names::declare(const Value& section, const NameSet& cleared) {
  if (!implicit_ || !section.is_mapping()) return;
  for (const Entry& entry : section.entries()) {
    if (entry.value.is_null() || (entry.key.is_text() && cleared.contains(entry.key.text()))) continue;
    Name& name = of(entry.key);
    if (!name.declared) declare(name, implied_type(entry.value));
  }
}

void Names::declare(Name& name, ParameterType type) const {
  name.declared = true;
  name.type = type;
}

StrategySection::StrategySection(const Documents& documents, const Value& section, std::string_view file)
    : documents_(documents), section_(section), file_(file) {
  if (!section.is_mapping()) return;
  for (const Entry& entry : section.entries()) {
    const ChosenStrategy choice = ChosenStrategy::of(entry.value);
    if (entry.key.is_text() && entry.key.text() == kDefault) {
      default_ = choice;
      default_.option = entry.key.origin();
    }
    if (!choice.odd) continue;
    warn(documents.session(), "heat.strategy-word", fmt::format("'{}' is not a merge strategy", choice.text()),
         entry.value.origin(), "write overwrite, merge or deep_merge");
  }
}

void StrategySection::check() const {
  if (!section_ || section_.is_mapping()) return;
  throw Error("heat.strategies", wrong_kind(fmt::format("'{}'", kStrategies), "a mapping", section_))
      .at(documents_.session().sources(), section_.origin());
}

void StrategySection::choose(Name& name, Origin where) const {
  const Value* own = section_ ? section_.find(name.key) : nullptr;
  ChosenStrategy choice = own != nullptr ? ChosenStrategy::of(*own) : name.strategy.value_or(default_);
  if (own != nullptr) choice.option = section_.entries()[Arena::index_of(section_, name.key)].key.origin();
  if (choice.odd) choice = default_;
  if (own != nullptr || !choice.where) choice.where = own != nullptr ? own->origin() : where;
  if (!name.strategy) {
    name.strategy = choice;
  } else if (!name.strategy->is_same(choice)) {
    throw Error("heat.strategy-conflict", fmt::format("conflicting merge strategy '{}' for parameter '{}' in file '{}'",
                                                      choice.text(), key_text(name.key), file_))
        .at(documents_.session().sources(), choice.where)
        .note(documents_.session().sources(), name.strategy->where,
              fmt::format("it got the strategy '{}' here, and keeps it", name.strategy->text()))
        .hint("give the strategy in the first file that sets the parameter, and the same or none in later ones");
  }
}

}  // namespace strata::heat
