// SPDX-License-Identifier: Apache-2.0
#include "scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pathname.hpp"
#include "puppet/facts.hpp"
#include "strata/builder.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::hiera {
namespace {

// Recursion: bounded by Limits::depth.
bool has_null(const Value& value) {
  if (value.is_sequence()) return std::ranges::any_of(value.items(), has_null);
  if (value.is_mapping())
    return std::ranges::any_of(value.entries(), [](const Entry& entry) { return has_null(entry.value); });
  return value.is_null();
}

/// Facts know no null: an empty text stands for it, however deep.
// Recursion: bounded by Limits::depth.
Value without_nulls(const Value& value, Arena& arena) {
  if (!has_null(value)) return value;
  if (value.is_null()) return arena.text("").with_origin(value.origin());
  if (value.is_sequence()) {
    SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(without_nulls(item, arena));
    return out.finish().with_origin(value.origin());
  }
  MappingBuilder out(arena, KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries()) out.insert(entry.key, without_nulls(entry.value, arena));
  return out.finish().with_origin(value.origin());
}

/// Release 8 always knows the environment; before, there are only members that were given.
Value server_facts_of(const Scope::Surroundings& surroundings, Arena& arena) {
  const Value given = surroundings.server_facts == nullptr ? arena.mapping() : surroundings.server_facts->values;
  if (!is_strict(surroundings.compat)) return given;
  MappingBuilder out(arena);
  for (const Entry& entry : given.entries()) out.insert(entry.key, entry.value);
  out.insert("environment", arena.text(surroundings.environment));
  return out.finish();
}

}  // namespace

bool is_server_fact(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 5> kNames{"serverimplementation", "serverip", "serverip6", "servername",
                                                          "serverversion"};
  return std::ranges::find(kNames, name) != kNames.end();
}

std::shared_ptr<const ServerFacts> read_server_facts(std::string text, std::string_view file_name,
                                                     const Sources& beside, const Limits& limits) {
  struct Kept {
    explicit Kept(const Sources& beside) : sources(&beside) {}
    Sources sources;
    text::Document document;
  };
  const auto kept = std::make_shared<Kept>(beside);
  const SourceId source = kept->sources.add(file_name, std::move(text));
  kept->document = file_name.ends_with(".json") ? text::read_json(kept->sources, source, limits, 0, text::kRubyJson)
                                                : text::read_yaml(kept->sources, source, text::psych(), limits);
  const Value& root = kept->document.root;
  if (!root.is_mapping()) {
    throw Error("facts.server", wrong_kind("server facts", "a mapping of names to values", root))
        .at(kept->sources, kept->sources.at(source, 0))
        .hint("write 'servername: puppet.example.org' lines");
  }
  return std::make_shared<const ServerFacts>(ServerFacts{.values = root, .keepalive = kept});
}

Scope::Scope(const Facts& facts, const Surroundings& surroundings, Arena& arena)
    : facts_(facts.values.is_mapping() ? without_nulls(facts.values, arena) : arena.mapping()),
      variables_(facts.variables.is_mapping() ? without_nulls(facts.variables, arena) : arena.mapping()) {
  MappingBuilder added(arena);
  added.insert("facts", facts_);
  added.insert("trusted", puppet::trusted_of(facts.values, facts.trusted, arena));
  if (surroundings.server_facts != nullptr) server_variables_ = surroundings.server_facts->values;
  added.insert("server_facts", server_facts_of(surroundings, arena));
  const Value environment = arena.text(surroundings.environment);
  added.insert("environment", environment);
  // The variables that every top scope has.
  added.insert("name", arena.text("main"));
  added.insert("title", arena.text("main"));
  added.insert("module_name", arena.text(""));
  added.insert("caller_module_name", arena.text(""));
  // Of Puppet's settings, those that are not a server's own.
  added.insert("settings::environment", environment);
  if (!surroundings.codedir.empty()) {
    const std::string codedir(surroundings.codedir);
    added.insert("settings::codedir", arena.text(codedir));
    added.insert("settings::environmentpath", arena.text(join_path(codedir, "environments")));
  }
  added_ = added.finish();
}

const Value* Scope::find(std::string_view name) const noexcept {
  // The top scope has no local names; what begins with more colons is looked for as if it had none.
  const bool is_of_top = name.starts_with("::") && !name.starts_with("::::");
  while (name.starts_with("::")) name.remove_prefix(2);
  if (local_ && !is_of_top && name == local_name_) return &local_;
  if (const Value* added = added_.find(name)) return added;
  if (const Value* variable = variables_.find(name)) return variable;
  if (const Value* fact = facts_.find(name)) return fact;
  return server_variables_ ? server_variables_.find(name) : nullptr;
}

const Value* Scope::find_legacy(std::string_view name) const noexcept {
  static const Value nothing = Value::null();
  static constexpr std::array<std::string_view, 3> kCallers{"calling_class", "calling_class_path", "calling_module"};
  if (std::ranges::find(kCallers, name) != kCallers.end()) return &nothing;
  const Value* value = find(name);
  return value != nullptr && value->is_text() && value->text().empty() ? &nothing : value;
}

std::string Scope::nearest(std::string_view name) const {
  while (name.starts_with("::")) name.remove_prefix(2);
  std::string out;
  const Value* here = nullptr;
  for (std::string_view rest = name; !rest.empty();) {
    const std::string_view segment = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(segment.size() + 1, rest.size()));
    const Value* next = here == nullptr ? find(segment) : here->is_mapping() ? here->find(segment) : nullptr;
    std::string_view spelled = segment;
    if (next == nullptr) {
      std::vector<std::string_view> names;
      const auto add = [&names](const Value& mapping) {
        for (const Entry& entry : mapping.entries()) {
          if (entry.key.is_text()) names.push_back(entry.key.text());
        }
      };
      if (here == nullptr) {
        for (const Value* scope : {&facts_, &variables_, &added_}) add(*scope);
      } else if (here->is_mapping()) {
        add(*here);
      }
      spelled = nearest_name(names, segment);
      if (spelled.empty()) return {};
      next = here == nullptr ? find(spelled) : here->find(spelled);
      if (next == nullptr) return {};
    }
    out += (out.empty() ? "" : ".") + std::string(spelled);
    here = next;
  }
  return out == name ? std::string() : out;
}

std::string Scope::misspelt(std::string_view name) const {
  constexpr std::size_t kLeast = 5;
  std::string near = nearest(name);
  if (near.empty() || edit_distance(near, name) != 1) return {};
  // The segment that differs: `eth1` and `sdb` are not misspelt where a node has `eth0` and `sda`.
  const auto begin = std::ranges::mismatch(name, near).in1 - name.begin();
  const std::size_t dot = name.rfind('.', static_cast<std::size_t>(begin));
  std::string_view segment = name.substr(dot == std::string_view::npos ? 0 : dot + 1);
  segment = segment.substr(0, segment.find('.'));
  return segment.size() >= kLeast && segment.find_first_of("0123456789") == std::string_view::npos ? near
                                                                                                   : std::string();
}

void check_facts(const Sources& sources, const Value& facts) {
  if (!facts.is_mapping()) {
    throw Error("facts.shape", wrong_kind("facts", "a mapping of names to values", facts)).at(sources, facts.origin());
  }
  static constexpr std::array<std::string_view, 3> kTaken{"name", "title", "module_name"};
  static constexpr std::array<std::string_view, 3> kReserved{"facts", "trusted", "server_facts"};
  for (const Entry& fact : facts.entries()) {
    const std::string name = key_text(fact.key);
    if (std::ranges::find(kTaken, name) != kTaken.end()) {
      throw Error("facts.name",
                  fmt::format("a fact may not be called '{}': Cannot reassign variable '${}'", name, name))
          .at(sources, fact.key.origin());
    }
    if (std::ranges::find(kReserved, name) != kReserved.end()) {
      Error error("facts.name", fmt::format("a fact may not be called '{}': Puppet reserves that variable", name));
      error.at(sources, fact.key.origin());
      if (name == "trusted") throw std::move(error).hint("give trusted facts with --trusted FILE");
      throw Error(std::move(error));
    }
    if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos) {
      throw Error("facts.name", fmt::format("a fact may not be called '{}': numbers are the groups of a match", name))
          .at(sources, fact.key.origin());
    }
  }
  static constexpr std::array<std::string_view, 4> kIdentity{"hostname", "domain", "fqdn", "clientcert"};
  std::string there;
  std::string missing;
  for (const std::string_view name : kIdentity) {
    std::string& list = facts.find(name) != nullptr ? there : missing;
    list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  if (!there.empty() && !missing.empty()) {
    throw Error("facts.identity", fmt::format("the facts say who the node is by {}, but lack {}: "
                                              "hostname,domain,fqdn,clientcert must all be overridden together",
                                              there, missing))
        .at(sources, facts.origin())
        .hint("give all of hostname, domain, fqdn and clientcert, or none");
  }
}

Facts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits,
                 std::string_view node) {
  puppet::NodeFacts read = puppet::read_facts(sources, source, file_name, limits, node);
  check_facts(sources, read.values);
  return {.node = node.empty() ? std::move(read.name) : std::string(node),
          .values = read.values,
          .arena = std::move(read.arena),
          .variables = {},
          .trusted = read.trusted};
}

void set_trusted(Facts& facts, Sources& sources, SourceId source, std::string_view file_name, const Limits& limits) {
  puppet::NodeFacts read = puppet::read_trusted(sources, source, file_name, limits);
  facts.trusted = read.trusted;
  // Both documents live as long as the facts.
  using Owners = std::pair<std::shared_ptr<Arena>, std::shared_ptr<Arena>>;
  const auto owners =
      std::make_shared<Owners>(facts.arena ? facts.arena : std::make_shared<Arena>(), std::move(read.arena));
  facts.arena = std::shared_ptr<Arena>(owners, owners->first.get());
}

}  // namespace strata::hiera
