// SPDX-License-Identifier: Apache-2.0
#include "puppet/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/yaml/profile.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {
namespace {

constexpr std::string_view kObjectTag = "!ruby/object:Puppet::Node::Facts";

/// Puppet keeps facts as an object of Ruby; apart from its tag it is a mapping with the member `values`, and times
/// beside it.
bool is_object(std::string_view text) {
  constexpr std::size_t kHead = 200;  // Comments, `---` and blanks may stand before it.
  return text.substr(0, kHead + kObjectTag.size()).find(kObjectTag) != std::string_view::npos;
}

Error shape_error(const Sources& sources, const Value& facts, Origin otherwise) {
  return Error("facts.shape", fmt::format("facts must be a mapping of names to values, not {}", describe(facts.kind())))
      .at(sources, facts.origin() ? facts.origin() : otherwise);
}

/// What reads the object. Its times have no form in JSON, so they stay the texts that they are.
const text::Profile& object_profile() {
  static const std::vector<text::TagRule> tags = [] {
    const auto& known = text::pyyaml_json().tags;
    std::vector<text::TagRule> out(known.begin(), known.end());
    out.push_back({.tag = kObjectTag, .meaning = text::Tag::mapping, .nodes = text::kMappings});
    return out;
  }();
  static const text::Profile profile = [] {
    text::Profile out = text::pyyaml_json();
    out.tags = tags;
    return out;
  }();
  return profile;
}

/// Whether a text could be the object without its tag: its times would be forbidden as facts.
bool may_be_cache(std::string_view text) {
  const auto has_line = [text](std::string_view begin) {
    for (std::size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin, at + 1)) {
      if (at == 0 || text[at - 1] == '\n') return true;
    }
    return false;
  };
  return has_line("name:") && has_line("values:");
}

/// What Puppet caches of a node: its values are the facts.
bool is_cache(const Value& root) {
  static constexpr std::array<std::string_view, 4> kMembers{"name", "values", "timestamp", "expiration"};
  if (!root.is_mapping()) return false;
  const Value* values = root.find("values");
  const Value* name = root.find("name");
  return values != nullptr && values->is_mapping() && name != nullptr && name->is_text() &&
         std::ranges::all_of(root.entries(), [](const Entry& entry) {
           return entry.key.is_text() && std::ranges::find(kMembers, entry.key.text()) != kMembers.end();
         });
}

text::Document read_facts_yaml(Sources& sources, SourceId source, const Limits& limits) {
  const std::string_view text = sources.text(source);
  if (is_object(text)) {
    text::Document document = text::read_yaml(sources, source, object_profile(), limits);
    if (!document.root.is_mapping()) return document;
    const Value* values = document.root.find("values");
    if (values == nullptr || values->is_null()) throw shape_error(sources, Value::null(), sources.at(source, 0));
    return document;
  }
  if (may_be_cache(text)) {
    text::Document document = text::read_yaml(sources, source, object_profile(), limits);
    if (is_cache(document.root)) return document;
  }
  return text::read_yaml(sources, source, text::psych_facts(), limits);
}

text::Document read_document(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits) {
  const auto read_json = [&] { return text::read_json(sources, source, limits, 0, text::kRubyJson); };
  if (file_name.ends_with(".json")) return read_json();
  if (!file_name.ends_with(".yaml") && !file_name.ends_with(".yml")) {
    try {
      return read_json();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
    }
  }
  return read_facts_yaml(sources, source, limits);
}

/// Refuses members that are not known; `what` they are members of.
void check_members(const Sources& sources, const Value& mapping, std::span<const std::string_view> known,
                   std::string_view code, std::string_view what) {
  for (const Entry& entry : mapping.entries()) {
    const std::string name = key_text(entry.key);
    if (entry.key.is_text() && std::ranges::find(known, name) != known.end()) continue;
    const std::string_view near = nearest_name(known, name);
    throw Error(std::string(code), fmt::format("{} has no member '{}'", what, name))
        .at(sources, entry.key.origin())
        .hint(near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                           : fmt::format("did you mean '{}'?", near));
  }
}

/// What is wrong with a name, which must be a text.
std::string wrong_name(std::string_view what, const Value& name) {
  return name.is_text() ? fmt::format("{} must not be empty", what)
                        : fmt::format("{} must be text, not {}", what, describe(name.kind()));
}

/// The one node of an answer that is wanted.
NodeFacts one_of(const Sources& sources, const Value& answer, const std::shared_ptr<Arena>& arena,
                 std::string_view node) {
  std::vector<NodeFacts> nodes = nodes_of(sources, answer, arena);
  if (node.empty() && nodes.size() == 1) return std::move(nodes.front());
  const auto found = std::ranges::find(nodes, node, &NodeFacts::name);
  if (found != nodes.end()) return std::move(*found);
  const std::string message = node.empty()
                                  ? fmt::format("these are the facts of {} nodes, and one is asked for", nodes.size())
                                  : fmt::format("these facts are not of the node '{}'", node);
  std::vector<std::string_view> names;
  names.reserve(nodes.size());
  for (const NodeFacts& each : nodes) names.push_back(each.name);
  const std::string_view near = nearest_name(names, node);
  throw Error("facts.shape", message)
      .at(sources, answer.origin())
      .hint(near.empty() ? "say which one with --node NAME" : fmt::format("did you mean '{}'?", near));
}

constexpr std::array<std::string_view, 6> kTrustedMembers{"authenticated", "certname", "domain",
                                                          "extensions",    "external", "hostname"};

}  // namespace

NodeFacts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits,
                     std::string_view node) {
  text::Document document = read_document(sources, source, file_name, limits);
  const Origin begin = sources.at(source, 0);
  const Value root = document.root ? document.root : Value::null();
  if (root.is_sequence() && root.size() > 0 && root.items().front().is_mapping() &&
      root.items().front().find("certname") != nullptr) {
    return one_of(sources, root, document.arena, node);
  }
  NodeFacts out{.arena = std::move(document.arena), .values = root};
  if (is_cache(root) || (root.is_mapping() && is_object(sources.text(source)) && root.find("values") != nullptr)) {
    if (const Value* name = root.find("name"); name != nullptr && name->is_text()) out.name = name->text();
    out.values = *root.find("values");
  }
  if (!out.values.is_mapping() && !out.values.is_null()) throw shape_error(sources, out.values, begin);
  if (!out.values.origin()) out.values = out.values.with_origin(begin);
  return out;
}

NodeFacts node_of(const Sources& sources, const Value& item, std::shared_ptr<Arena> arena) {
  static constexpr std::array<std::string_view, 3> kMembers{"name", "facts", "trusted"};
  static constexpr std::array<std::string_view, 5> kInventoryMembers{"certname", "facts", "trusted", "timestamp",
                                                                     "environment"};
  const auto refuse = [&](std::string message, const Value& where) {
    throw Error("fleet.node", std::move(message))
        .at(sources, where.origin())
        .hint("an item is {\"name\": NAME, \"facts\": {…}}");
  };
  if (!item.is_mapping())
    refuse(fmt::format("a node must be a mapping of name and facts, not {}", describe(item.kind())), item);
  const Value* certname = item.find("certname");
  const Value* name = certname != nullptr ? certname : item.find("name");
  if (certname != nullptr) {
    check_members(sources, item, kInventoryMembers, "fleet.node", "a node of PuppetDB's inventory");
  } else {
    check_members(sources, item, kMembers, "fleet.node", "a node");
  }
  if (name == nullptr) refuse("this node has no name", item);
  if (!name->is_text() || name->text().empty()) refuse(wrong_name("the name of a node", *name), *name);
  const Value* facts = item.find("facts");
  NodeFacts out{
      .arena = std::move(arena), .values = facts == nullptr ? Value() : *facts, .name = std::string(name->text())};
  if (facts == nullptr) out.values = out.arena->mapping().with_origin(item.origin());
  const Value* trusted = item.find("trusted");
  const Value* among_facts = certname != nullptr && out.values.is_mapping() ? out.values.find("trusted") : nullptr;
  if (trusted == nullptr || trusted->is_null()) trusted = among_facts;
  if (trusted != nullptr && !trusted->is_null()) {
    check_trusted(sources, *trusted);
    out.trusted = *trusted;
  }
  if (among_facts != nullptr) {
    // PuppetDB has it as a fact, too.
    MappingBuilder others = MappingBuilder::copy_of(*out.arena, out.values);
    others.erase("trusted");
    out.values = others.finish();
  }
  return out;
}

bool is_fact_row(const Value& item) {
  return item.is_mapping() && item.find("certname") != nullptr && item.find("name") != nullptr &&
         item.find("value") != nullptr;
}

std::vector<NodeFacts> nodes_of(const Sources& sources, const Value& answer, const std::shared_ptr<Arena>& arena) {
  static constexpr std::array<std::string_view, 4> kRowMembers{"certname", "environment", "name", "value"};
  std::vector<NodeFacts> out;
  if (answer.size() == 0 || !is_fact_row(answer.items().front())) {
    for (const Value& item : answer.items()) out.push_back(node_of(sources, item, arena));
    return out;
  }
  TextViewMap<std::size_t> places;
  std::vector<std::pair<MappingBuilder, Origin>> values;  // Of each node.
  for (const Value& row : answer.items()) {
    const auto refuse = [&](std::string message) {
      throw Error("fleet.node", std::move(message))
          .at(sources, row.origin())
          .hint(R"(a row of facts is {"certname": NODE, "name": FACT, "value": VALUE})");
    };
    if (!is_fact_row(row)) refuse("the others are rows of facts, and this is not");
    check_members(sources, row, kRowMembers, "fleet.node", "a row of PuppetDB's facts");
    const Value* certname = row.find("certname");
    const Value* name = row.find("name");
    if (!certname->is_text() || certname->text().empty()) refuse(wrong_name("the certname", *certname));
    if (!name->is_text()) refuse(wrong_name("the name of a fact", *name));
    const auto [place, is_new] = places.try_emplace(certname->text(), out.size());
    if (is_new) {
      out.push_back({.arena = arena, .values = {}, .name = std::string(certname->text())});
      values.emplace_back(*arena, row.origin());
    }
    if (name->text() == "trusted") {
      check_trusted(sources, *row.find("value"));
      out[place->second].trusted = *row.find("value");
      continue;
    }
    values[place->second].first.insert(arena->key(name->text()).with_origin(name->origin()), *row.find("value"));
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].values = values[i].first.finish().with_origin(values[i].second);
  return out;
}

NodeFacts read_trusted(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits) {
  text::Document document = read_document(sources, source, file_name, limits);
  NodeFacts out{.arena = std::move(document.arena), .values = {}};
  out.trusted = document.root && !document.root.is_null() ? document.root : out.arena->mapping();
  check_trusted(sources, out.trusted);
  return out;
}

void check_trusted(const Sources& sources, const Value& trusted) {
  if (!trusted.is_mapping()) {
    throw Error("facts.trusted", fmt::format("the trusted facts must be a mapping, not {}", describe(trusted.kind())))
        .at(sources, trusted.origin());
  }
  check_members(sources, trusted, kTrustedMembers, "facts.trusted", "the variable 'trusted'");
}

Value trusted_of(const Value& facts, const Value& given, Arena& arena) {
  const auto find = [&given](std::string_view name) { return given.is_mapping() ? given.find(name) : nullptr; };
  const Value* name = find("certname");
  if (name == nullptr && facts.is_mapping()) name = facts.find("clientcert");
  const bool known = name != nullptr && !name->is_null();
  const std::string certname = !known            ? std::string()
                               : name->is_text() ? std::string(name->text())
                                                 : scalar_text(*name);
  const std::size_t dot = certname.find('.');
  const auto text_or_null = [&](bool there, std::string_view text) { return there ? arena.text(text) : Value::null(); };
  MappingBuilder out(arena);
  const auto put = [&](std::string_view member, const Value& otherwise) {
    const Value* value = find(member);
    out.insert(member, value != nullptr ? *value : otherwise);
  };
  put("authenticated", arena.text("local"));
  put("certname", text_or_null(known, certname));
  put("extensions", arena.mapping());
  put("hostname", text_or_null(known, std::string_view(certname).substr(0, dot)));
  put("domain", text_or_null(known && dot != std::string::npos,
                             dot == std::string::npos ? "" : std::string_view(certname).substr(dot + 1)));
  put("external", arena.mapping());
  return out.finish();
}

}  // namespace strata::puppet
