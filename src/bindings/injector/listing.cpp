// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/listing.hpp"

#include <fmt/format.h>

#include "bindings/injector/explainer.hpp"
#include "bindings/injector/lists.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/types/names.hpp"
#include "bindings/types/type_reader.hpp"
#include "puppet/types/type.hpp"
#include "strata/builder.hpp"

namespace strata::bindings {

merge::Traced Listing::listed_map(const Listed& listed) {
  merge::TracedMapping out(provenance_.builder(arena_), KeyEquality::exact, listed.size());
  for (const auto& one : listed) out.insert(one.first, {printed(arena_, one.second.value), one.second.slot});
  return out.finish();
}

/// As `find_exact`, for listings, whose histories contain the shadowed bindings.
merge::Traced Listing::listed_value(std::string_view name) {
  const merge::Traced value = lookup_.find_exact(name);
  return !provenance_.is_kept() || !value.value ? value : explainer_.with_shadowed(lookup_.data_key(name), value);
}

std::vector<Injector::Key> Listing::keys() {
  std::vector<Injector::Key> out;
  for (std::string& name : layers_.keys()) out.push_back({.type = {}, .name = std::move(name)});
  for (std::uint32_t key = 0; key < composition_.key_count(); ++key) {
    if (composition_.effective(key).winner == nullptr || lookup_.is_renamed(key)) continue;
    const KeyText text = composition_.text(key);
    out.push_back({.type = std::string(text.type), .name = std::string(text.name)});
  }
  return out;
}

merge::Traced Listing::all() {
  Listed listed;
  const auto put = [&listed](std::string name, const merge::Traced& value) {
    if (value.value) listed.insert_or_assign(std::move(name), value);
  };
  for (const std::string& name : layers_.keys()) {
    if (name != "/classes") put(name, listed_value(name));
  }
  for (std::uint32_t key = 0; key < composition_.key_count(); ++key) {
    if (composition_.effective(key).winner == nullptr || lookup_.is_renamed(key)) continue;
    const KeyText text = composition_.text(key);
    expressions_.refill();
    put(text.type.empty() ? std::string(text.name) : fmt::format("{}/{}", text.type, text.name),
        explainer_.with_shadowed(key, lookup_.look_up(key)));
  }
  if (!listed.contains("/classes")) {
    if (lists_.has_inclusions()) put("/classes", lists_.classes());
  }
  const merge::Traced edges = lists_.dependency_list();
  if (edges.value.size() != 0) put("/dependencies", edges);
  return listed_map(listed);
}

merge::Traced Listing::variables() {
  constexpr std::string_view kPrefix = "/var/";
  Listed listed;
  const auto take = [&](std::string_view name) {
    if (!name.starts_with(kPrefix)) return;
    const merge::Traced value = listed_value(name);
    if (value.value) listed.insert_or_assign(std::string(name.substr(kPrefix.size())), value);
  };
  for (const std::string& name : layers_.keys()) take(name);
  for (std::uint32_t key = 0; key < composition_.key_count(); ++key) {
    if (!composition_.is_key(key)) continue;
    const KeyText text = composition_.text(key);
    if (text.type.empty()) take(text.name);
  }
  return listed_map(listed);
}

merge::Traced Listing::parameters(std::string_view reference, const Injector::IsParameter& is_parameter) {
  const TypeRef type = expressions_.read_type_text(reference);
  if (!has_parameters(*type))
    throw Error("bindings.reference", fmt::format("'{}' has no parameters", reference))
        .hint("class ntp, Class[ntp], Web or Web[one]");
  Listed listed;
  // Weaker forms first: the later one wins.
  std::vector<std::string> prefixes;
  if (const auto* of_class = type->get_if<puppet::ClassType>()) {
    prefixes.push_back(fmt::format("{}::", *of_class->name));
  } else if (const auto* resource = type->get_if<puppet::ResourceType>(); resource != nullptr && resource->title) {
    prefixes.push_back(fmt::format("/param/{}/", type_text(*resource_type(resource->name))));
  }
  prefixes.push_back(fmt::format("/param/{}/", type_text(*type)));
  const std::vector<std::string> from_sources = layers_.keys();
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
    for (std::uint32_t key = 0; key < composition_.key_count(); ++key) {
      if (!composition_.is_key(key)) continue;
      const KeyText text = composition_.text(key);
      if (text.type.empty()) take(text.name);
    }
  }
  return listed_map(listed);
}

}  // namespace strata::bindings
