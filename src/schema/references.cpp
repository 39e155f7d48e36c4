// SPDX-License-Identifier: Apache-2.0
#include "schema/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <vector>

#include "schema/schema.hpp"
#include "schema/uri.hpp"
#include "strata/error.hpp"
#include "strata/stop.hpp"

namespace strata::json_schema::detail {
namespace {

constexpr std::string_view kDraft4Uri = "http://json-schema.org/draft-04/schema";
constexpr std::string_view kNowhere = "leads nowhere";
constexpr std::string_view kOut = "leads out of it";
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

/// Keywords by what they hold: a schema, a list of schemas, a mapping to schemas. `items` and `dependencies` hold
/// several kinds.
constexpr std::array<std::string_view, 3> kOne{"not", "additionalItems", "additionalProperties"};
constexpr std::array<std::string_view, 3> kLists{"allOf", "anyOf", "oneOf"};
constexpr std::array<std::string_view, 3> kMappings{"definitions", "patternProperties", "properties"};

bool is_among(std::span<const std::string_view> keywords, std::string_view word) {
  return std::ranges::find(keywords, word) != keywords.end();
}

/// The `id` of a schema that is an address. Beside `$ref` nothing else counts.
std::optional<std::string_view> id_of(const Value& schema) {
  const Value* id = schema.is_mapping() ? schema.find("id") : nullptr;
  if (id == nullptr || !id->is_text() || id->text().starts_with('#') || schema.find("$ref") != nullptr)
    return std::nullopt;
  std::string_view text = id->text();
  while (text.ends_with('#')) text.remove_suffix(1);
  return text;
}

/// Whether the steps lead from a schema to one right below it, or below that one, as the reference tells them apart.
bool leads_to_schema(const std::vector<std::string>& steps, const Value& to) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if ((steps[i] == "items" || steps[i] == "dependencies") && to.is_mapping()) return true;
    if (is_among(kOne, steps[i])) continue;
    if ((!is_among(kLists, steps[i]) && !is_among(kMappings, steps[i])) || ++i == steps.size()) return false;
  }
  return true;
}

const Value* child_at(const Value& of, const std::string& step) {
  if (of.is_mapping()) return of.find(step);
  std::size_t index = 0;
  const auto [end, status] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool is_index =
      of.is_sequence() && status == std::errc{} && end == step.data() + step.size() && index < of.size();
  return is_index ? &of.items()[index] : nullptr;
}

/// A step of a JSON Pointer. An invalid escape stays as it is, as in the reference.
std::string step_of(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '~' && (next == '0' || next == '1')) {
      out += next == '0' ? '~' : '/';
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Calls `act` with each schema right below a schema.
template <class Act>
void for_each_below(const Value& schema, const Act& act) {
  const auto all = [&](const Value* in) {
    if (in == nullptr) return;
    if (in->is_sequence()) std::ranges::for_each(in->items(), act);
    if (in->is_mapping()) std::ranges::for_each(in->entries(), [&](const Entry& entry) { act(entry.value); });
  };
  for (const std::string_view keyword : kLists) all(schema.find(keyword));
  for (const std::string_view keyword : kMappings) all(schema.find(keyword));
  all(schema.find("dependencies"));
  if (const Value* items = schema.find("items"); items != nullptr && items->is_sequence()) {
    all(items);
  } else if (items != nullptr) {
    act(*items);
  }
  for (const std::string_view keyword : kOne) {
    if (const Value* one = schema.find(keyword)) act(*one);
  }
}

}  // namespace

References::References(const Value& root, const Limits& limits) : root_(root), limits_(&limits) {
  resources_.emplace(number(std::string(id_of(root).value_or(""))), root);
  resources_.emplace(number(std::string(kDraft4Uri)), draft4());
}

References::Base References::enter(Base base, const Value& schema) {
  const auto id = id_of(schema);
  return id ? join(base, *id) : base;
}

References::Target References::lookup(Base base, std::string_view reference) {
  const auto key = std::pair(base, std::string(reference));
  const auto known = found_.find(key);
  if (known != found_.end()) return known->second;
  charge(reference.size());
  return found_.emplace(key, follow(base, reference)).first->second;
}

References::Target References::follow(Base base, std::string_view reference) {
  std::string fragment;
  const Value* found = nullptr;
  if (reference.starts_with('#')) {
    fragment = reference.substr(1);
    found = resource(uris_[base], base);
  } else {
    charge(uris_[base].size() + reference.size());
    SplitUri parts = split_uri(join_uri(uris_[base], reference));
    fragment = std::move(parts.fragment);
    found = resource(parts.uri, base);
  }
  if (found == nullptr) return {.schema = {}, .base = 0, .problem = kOut};
  if (fragment.empty()) return {.schema = *found, .base = base};
  if (fragment.starts_with('/')) return point(*found, base, std::string_view(fragment).substr(1));
  const Value* named_so = named(base, *found, fragment);
  return named_so != nullptr ? Target{.schema = *named_so, .base = base}
                             : Target{.schema = {}, .base = 0, .problem = kNowhere};
}

/// A JSON Pointer, without its first `/`. On its way it enters known schemas.
References::Target References::point(const Value& resource, Base base, std::string_view pointer) {
  const std::string text = unescaped_uri(pointer);
  Value here = resource;
  std::vector<std::string> steps;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    std::string step = step_of(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    const Value* next = child_at(here, step);
    if (next == nullptr) return {.schema = {}, .base = 0, .problem = kNowhere};
    here = *next;
    steps.push_back(std::move(step));
    if (const auto id = id_of(here); id && leads_to_schema(steps, here)) {
      base = join(base, *id);
      steps.clear();
    }
  }
  return {.schema = here, .base = base};
}

const Value* References::resource(std::string_view uri, Base& number) {
  const auto find = [&]() -> const Value* {
    const auto known = numbers_.find(uri);
    const auto found = known == numbers_.end() ? resources_.end() : resources_.find(known->second);
    if (found == resources_.end()) return nullptr;
    number = found->first;
    return &found->second;
  };
  if (const Value* found = find()) return found;
  look_through();
  return find();
}

const Value* References::named(Base base, const Value& resource, const std::string& name) {
  look_through();
  auto found = names_.find({base, name});
  if (found != names_.end()) return &found->second;
  // A relative address is also known without its base.
  const auto id = id_of(resource);
  const auto canonical = id ? numbers_.find(*id) : numbers_.end();
  if (canonical != numbers_.end()) found = names_.find({canonical->second, name});
  return found != names_.end() ? &found->second : nullptr;
}

References::Base References::join(Base base, std::string_view id) {
  const auto key = std::pair(base, std::string(id));
  const auto known = joined_.find(key);
  if (known != joined_.end()) return known->second;
  charge(uris_[base].size() + 2 * id.size());
  return joined_.emplace(key, number(join_uri(uris_[base], id))).first->second;
}

References::Base References::number(std::string&& uri) {
  const auto known = numbers_.find(uri);
  if (known != numbers_.end()) return known->second;
  numbers_.emplace(uri, uris_.size());
  uris_.push_back(std::move(uri));
  return uris_.size() - 1;
}

void References::charge(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > kMostBytes)
    throw Error("limit.input",
                fmt::format("the addresses of a schema and its parts have more than {} bytes", kMostBytes));
}

/// Registers all addresses and names. Of several schemas with one, the last one met counts, but those that were known
/// before stay.
void References::look_through() {
  if (is_looked_through_) return;
  StopCheck stop(limits_->stop);
  const std::map<Base, Value> before = resources_;
  std::vector<std::pair<Value, Base>> open{{root_, root()}};
  while (!open.empty()) {
    stop.tick();
    auto [schema, base] = open.back();
    open.pop_back();
    if (!schema.is_mapping()) continue;
    if (const auto id = id_of(schema)) {
      base = join(base, *id);
      if (!before.contains(base)) resources_.insert_or_assign(base, schema);
    }
    if (const Value* id = schema.find("id"); id != nullptr && id->is_text() && id->text().starts_with('#')) {
      charge(id->text().size());
      names_.insert_or_assign({base, std::string(id->text().substr(1))}, schema);
    }
    for_each_below(schema, [&open, base = base](const Value& below) { open.emplace_back(below, base); });
  }
  is_looked_through_ = true;
}

}  // namespace strata::json_schema::detail
