// Maps of everything that is bound. Rule: bindings 2, 9.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "puppet/evaluation/pattern_object.hpp"

namespace strata::bindings {

// Recursion: values are bounded by Limits::depth.
bool holds_objects(const Value& value) {
  if (value.kind() == Kind::object) return true;
  if (value.is_sequence()) return std::any_of(value.items().begin(), value.items().end(), holds_objects);
  return value.is_mapping() && std::any_of(value.entries().begin(), value.entries().end(),
                                           [](const Entry& entry) { return holds_objects(entry.key) || holds_objects(entry.value); });
}

namespace {

// Recursion: values are bounded by Limits::depth.
Value printed(Arena& arena, const Value& value) {
  if (value.kind() == Kind::object) {
    std::string text = value.as_object().to_string();
    if (const puppet::TypeObject* type = puppet::as_type(value)) text = reference_text(*type->type());
    if (puppet::as_sensitive(value) != nullptr) return value;
    return arena.text(text).with_origin(value.origin());
  }
  if (!value.is_container() || !holds_objects(value)) return value;
  if (value.is_sequence()) {
    const Value out = arena.sequence(value.size());
    for (const Value& item : value.items()) arena.append(out, printed(arena, item));
    return out.with_origin(value.origin());
  }
  const Value out = arena.mapping(KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries()) arena.insert(out, arena.key(printed(arena, entry.key)), printed(arena, entry.value));
  return out.with_origin(value.origin());
}

}  // namespace

merge::Traced InjectorState::hand_out(const merge::Traced& value) {
  if (!value.value || !holds_objects(value.value)) return value;
  return {printed(arena_, value.value), value.slot};
}

std::vector<std::string> InjectorState::source_keys() {
  std::vector<std::string> out;
  for (const Composition::Source& source : composition_->key_sources()) {
    for (std::string& key : source.source->keys()) out.push_back(std::move(key));
  }
  return out;
}

merge::Traced InjectorState::listed_map(const Listed& listed) {
  const Value out = arena_.mapping(KeyEquality::exact, listed.size());
  std::vector<merge::Traced> members;
  for (const auto& one : listed) {
    const merge::Traced value = hand_out(one.second);
    arena_.insert(out, one.first, value.value);
    if (recorder_.keeps()) members.push_back(value);
  }
  return compose(out, members);
}

merge::Traced InjectorState::all() {
  Listed listed;
  const auto put = [&listed](std::string name, const merge::Traced& value) {
    if (value.value) listed.insert_or_assign(std::move(name), value);
  };
  for (const std::string& name : source_keys()) {
    if (name != "/classes") put(name, listed_value(name));
  }
  for (std::uint32_t key = 0; key < composition_->key_count(); ++key) {
    const KeyText text = composition_->text(key);
    if (composition_->effective(key).winner == nullptr || renamed_.contains(key)) continue;
    evaluator_->refill();
    put(text.type.empty() ? std::string(text.name) : fmt::format("{}/{}", text.type, text.name), with_shadowed(key, look_up(key)));
  }
  if (!listed.contains("/classes")) {
    if (!inclusions().empty()) put("/classes", classes());
  }
  const merge::Traced edges = dependency_list();
  if (edges.value.size() != 0) put("/dependencies", edges);
  return listed_map(listed);
}

merge::Traced InjectorState::variables() {
  constexpr std::string_view kPrefix = "/var/";
  Listed listed;
  const auto take = [&](std::string_view name) {
    if (!name.starts_with(kPrefix)) return;
    const merge::Traced value = listed_value(name);
    if (value.value) listed.insert_or_assign(std::string(name.substr(kPrefix.size())), value);
  };
  for (const std::string& name : source_keys()) take(name);
  for (std::uint32_t key = 0; key < composition_->key_count(); ++key) {
    const KeyText text = composition_->text(key);
    if (text.type.empty()) take(text.name);
  }
  return listed_map(listed);
}

std::vector<ResourceEdge> InjectorState::edges() const {
  std::vector<ResourceEdge> out;
  for (queries::Edge& edge : answers_.edges()) {
    out.push_back({.certname = std::move(edge.from.certname),
                   .type = std::move(edge.from.type),
                   .title = std::move(edge.from.title),
                   .parameter = std::move(edge.from.parameter),
                   .key = std::move(edge.key)});
  }
  return out;
}

merge::Traced InjectorState::parameters(std::string_view reference, const Injector::IsParameter& is_parameter) {
  const TypeRef type = read_type_text(reference);
  const bool right = (type->kind == puppet::TypeKind::host_class && type->text) || type->kind == puppet::TypeKind::resource ||
                     (type->kind == puppet::TypeKind::type && !type->parts.empty());
  if (!right) throw Error("bindings.reference", fmt::format("'{}' has no parameters", reference)).hint("class ntp, Class[ntp], Web or Web[one]");
  Listed listed;
  // Weaker forms first: the later one wins.
  std::vector<std::string> prefixes;
  if (type->kind == puppet::TypeKind::host_class) {
    prefixes.push_back(fmt::format("{}::", *type->text));
  } else if (type->kind == puppet::TypeKind::resource && type->texts.size() > 1) {
    prefixes.push_back(fmt::format("/param/{}/", type_text(*resource_type(type->texts[0]))));
  }
  prefixes.push_back(fmt::format("/param/{}/", type_text(*type)));
  const std::vector<std::string> from_sources = source_keys();
  for (const std::string& prefix : prefixes) {
    const auto take = [&](std::string_view name) {
      if (!name.starts_with(prefix) || name.size() == prefix.size()) return;
      const std::string_view parameter = name.substr(prefix.size());
      if (parameter.find("::") != std::string_view::npos) return;
      if (is_parameter && !prefix.starts_with('/') && !is_parameter(parameter)) return;
      const merge::Traced value = listed_value(name);
      if (value.value) listed.insert_or_assign(std::string(parameter), value);
    };
    for (const std::string& name : from_sources) take(name);
    for (std::uint32_t key = 0; key < composition_->key_count(); ++key) {
      const KeyText text = composition_->text(key);
      if (text.type.empty()) take(text.name);
    }
  }
  return listed_map(listed);
}

}  // namespace strata::bindings
