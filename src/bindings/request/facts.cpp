// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/facts.hpp"

#include <algorithm>

#include "puppet/facts.hpp"
#include "puppet/language/word_characters.hpp"

namespace strata::bindings {
namespace {

std::string_view text_at(const Value& mapping, std::string_view path) {
  const std::size_t dot = path.find('.');
  const Value* value = mapping.is_mapping() ? mapping.find(path.substr(0, dot)) : nullptr;
  if (value == nullptr) return {};
  if (dot != std::string_view::npos) return text_at(*value, path.substr(dot + 1));
  return value->is_text() ? value->text() : std::string_view();
}

}  // namespace

Facts::Facts() : arena(std::make_shared<Arena>()), values(arena->mapping()) {}

void Facts::set_trusted(const Value& given, std::shared_ptr<const void> owner) {
  const auto made = std::make_shared<Arena>();
  trusted = puppet::trusted_of(values, given, *made);
  owners = {made, std::move(owner)};
}

Facts read_facts(Sources& sources, std::string_view shown, std::string text, const Limits& limits,
                 std::string_view node) {
  puppet::NodeFacts read = puppet::read_facts(sources, sources.add(shown, std::move(text)), shown, limits, node);
  Facts facts;
  if (read.values.is_null()) return facts;
  facts.arena = std::move(read.arena);
  facts.values = read.values;
  if (read.trusted) facts.set_trusted(read.trusted, facts.arena);
  return facts;
}

std::string_view first_text(const Value& facts, std::initializer_list<std::string_view> paths) {
  for (const std::string_view path : paths) {
    if (const std::string_view text = text_at(facts, path); !text.empty()) return text;
  }
  return {};
}

std::string certname_of(std::string_view given, const Facts& facts) {
  if (!given.empty()) return std::string(given);
  if (const std::string_view name = first_text(facts.trusted, {"certname"}); !name.empty()) return std::string(name);
  return std::string(first_text(facts.values, {"trusted.certname", "clientcert", "fqdn", "networking.fqdn"}));
}

TopVariables::TopVariables(const Facts& facts, const Value& agent_environment) {
  for (const Entry& fact : facts.values.entries()) {
    if (!fact.key.is_text()) continue;
    std::string_view name = fact.key.text();
    if (name.starts_with("::")) name.remove_prefix(2);
    if (puppet::is_qualified_name(name) && name != "environment") set(name, fact.value);
  }
  set("facts", facts.values);
  if (facts.trusted) set("trusted", facts.trusted);
  set("agent_environment", agent_environment);
}

Value TopVariables::find(std::string_view name, puppet::Evaluator& /*evaluator*/) {
  const auto found = values_.find(name);
  return found == values_.end() ? Value() : found->second;
}

std::vector<std::string> TopVariables::names() const {
  std::vector<std::string> out;
  out.reserve(values_.size());
  for (const auto& entry : values_) out.emplace_back(entry.first);
  std::ranges::sort(out);
  return out;
}

void TopVariables::assign_to(puppet::Scope& scope) const {
  for (const auto& entry : values_) (void)scope.assign(entry.first, entry.second, entry.second.origin());
}

}  // namespace strata::bindings
