// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/accepted.hpp"

#include <algorithm>
#include <cstddef>

#include "service/json.hpp"
#include "strata/builder.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::size_t kMostRules = 8;  ///< Of a value, and of a name.

void add_to(std::vector<std::string>& rules, const std::string& one) {
  if (std::ranges::find(rules, one) != rules.end()) return;
  if (rules.size() == kMostRules) rules.erase(rules.begin() + 1);
  rules.push_back(one);
}

std::vector<std::string> texts_of(const Value& of, std::string_view name) {
  std::vector<std::string> out;
  for (const Value& one : of.find(name)->items()) out.emplace_back(one.text());
  return out;
}

}  // namespace

AcceptedRules::AcceptedRules(const Value& written) {
  for (const Entry& entry : written.entries()) {
    Known& known = names_[std::string(entry.key.text())];
    known.all = texts_of(entry.value, "rules");
    for (const Value& one : entry.value.find("values")->items())
      known.met.emplace(texts_of(one, "place"), texts_of(one, "rules"));
  }
}

void AcceptedRules::begin(std::string_view name, const std::string& rules) {
  names_.try_emplace(std::string(name), Known{.all = {rules}, .met = {}});
}

bool AcceptedRules::has(std::string_view name, const ValuePlace& place, const std::string& rules) const {
  const auto known = names_.find(name);
  if (known == names_.end()) return false;
  const auto met = known->second.met.find(place);
  if (met != known->second.met.end()) return std::ranges::find(met->second, rules) != met->second.end();
  return std::ranges::all_of(known->second.all, [&rules](const std::string& one) { return one == rules; });
}

void AcceptedRules::add(std::string_view name, const ValuePlace& place, const std::string& rules) {
  Known& known = names_[std::string(name)];
  add_to(known.all, rules);
  add_to(known.met[place], rules);
}

void AcceptedRules::forget(const std::function<bool(std::string_view, const ValuePlace&)>& is_other) {
  for (auto& [name, known] : names_) {
    std::erase_if(known.met, [&is_other, &name = name](const auto& one) { return is_other(name, one.first); });
  }
}

Value AcceptedRules::value(Arena& arena) const {
  MappingBuilder out(arena, KeyEquality::exact, names_.size());
  for (const auto& [name, known] : names_) {
    SequenceBuilder values(arena, known.met.size());
    for (const auto& [place, rules] : known.met) {
      MappingBuilder one(arena);
      one.insert("place", json_list(arena, place));
      one.insert("rules", json_list(arena, rules));
      values.append(one.finish());
    }
    MappingBuilder entry(arena);
    entry.insert("rules", json_list(arena, known.all));
    entry.insert("values", values.finish());
    out.insert(name, entry.finish());
  }
  return out.finish();
}

}  // namespace strata::service::stacks
