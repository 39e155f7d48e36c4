#include "bindings/request/facts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "puppet/language/word_characters.hpp"
#include "strata/text.hpp"
#include "text/yaml/profile.hpp"

namespace strata::bindings {
namespace {

/// Puppet keeps facts as an object of Ruby; apart from its tag it is a mapping with the member `values`, and times beside it.
bool take_tag(std::string& text) {
  constexpr std::string_view kTag = "!ruby/object:Puppet::Node::Facts";
  constexpr std::size_t kHead = 200;  // Comments, `---` and blanks may stand before it.
  const std::size_t at = text.find(kTag);
  if (at > kHead) return false;  // Or nowhere.
  std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), kTag.size(), ' ');
  return true;
}

std::string_view text_at(const Value& mapping, std::string_view path) {
  const std::size_t dot = path.find('.');
  const Value* value = mapping.is_mapping() ? mapping.find(path.substr(0, dot)) : nullptr;
  if (value == nullptr) return {};
  if (dot != std::string_view::npos) return text_at(*value, path.substr(dot + 1));
  return value->is_text() ? value->text() : std::string_view();
}

}  // namespace

Facts::Facts() : arena(std::make_shared<Arena>()), values(arena->mapping()) {}

Facts read_facts(Sources& sources, std::string_view shown, std::string text, const Limits& limits) {
  const bool is_object = !shown.ends_with(".json") && take_tag(text);
  const SourceId source = sources.add(shown, std::move(text));
  const text::Document document = shown.ends_with(".json")
                                      ? text::read_json(sources, source, limits, 0, text::kRubyJson)
                                      : text::read_yaml(sources, source, is_object ? text::pyyaml_json() : text::psych_facts(), limits);
  Facts facts;
  if (!document.root || document.root.is_null()) return facts;
  Value values = document.root;
  if (is_object && values.is_mapping()) {
    const Value* member = values.find("values");
    values = member == nullptr ? Value::null() : *member;
  }
  if (!values.is_mapping()) {
    throw Error("facts.shape", fmt::format("facts must be a mapping of names to values, not {}", describe(values.kind())))
        .at(sources, values.origin() ? values.origin() : sources.at(source, 0));
  }
  facts.arena = document.arena;
  facts.values = values;
  return facts;
}

std::string_view first_text(const Value& facts, std::initializer_list<std::string_view> paths) {
  for (const std::string_view path : paths) {
    if (const std::string_view text = text_at(facts, path); !text.empty()) return text;
  }
  return {};
}

std::string certname_of(std::string_view given, const Value& facts) {
  return std::string(given.empty() ? first_text(facts, {"trusted.certname", "clientcert", "fqdn", "networking.fqdn"}) : given);
}

TopVariables::TopVariables(const Value& facts, const Value& agent_environment) {
  for (const Entry& fact : facts.entries()) {
    if (!fact.key.is_text()) continue;
    std::string_view name = fact.key.text();
    if (name.starts_with("::")) name.remove_prefix(2);
    if (puppet::is_qualified_name(name) && name != "environment") set(name, fact.value);
  }
  set("facts", facts);
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
