// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/stored_values.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "heat/state.hpp"
#include "heat/values.hpp"
#include "service/json.hpp"
#include "service/stacks/hidden.hpp"
#include "strata/builder.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::string_view kParametersSection = "parameters";
constexpr std::string_view kDefaultsSection = "parameter_defaults";

// Texts of a ValuePlace.
constexpr std::string_view kExplicit = "parameters";
constexpr std::string_view kBody = "environment";
constexpr std::string_view kFile = "file:";  ///< And the name.

/// The member of a mapping, or null.
const Value* member_in(const Value& of, std::string_view name) {
  return of && of.is_mapping() ? of.find(name) : nullptr;
}

/// A value in an environment, or null.
const Value* value_in(const Value& environment, std::string_view section, std::string_view name) {
  const Value* values = member_in(environment, section);
  return values == nullptr ? nullptr : member_in(*values, name);
}

}  // namespace

std::optional<StoredValue> StoredValues::find(std::string_view name) const {
  const heat::Environment& environment = composition_.environment;
  for (const auto& [section, values] : {std::pair(kParametersSection, &environment.parameters),
                                        std::pair(kDefaultsSection, &environment.parameter_defaults)}) {
    const Value* value = member_in(values->value, name);
    if (value != nullptr && !value->is_null())
      return StoredValue{.value = *value, .place = place_of(section, name, *value)};
  }
  return std::nullopt;
}

ValuePlace StoredValues::place_of(std::string_view section, std::string_view name, const Value& value) const {
  const heat::State& state = *composition_.state;
  const bool is_explicit = section == kParametersSection && state.compat == heat::Compat::promised &&
                           member_in(state.parameters, name) != nullptr;
  std::set<std::string> texts;
  if (is_explicit) {
    texts.emplace(kExplicit);
  } else {
    add_texts(value, texts);
  }
  ValuePlace out{std::string(section)};
  out.insert(out.end(), texts.begin(), texts.end());
  return out;
}

/// The texts that a value was made of. Recursion: bounded by Limits::depth, which the readers kept.
void StoredValues::add_texts(const Value& value, std::set<std::string>& out) const {
  if (value.is_leaf()) {
    const std::optional<SourceId> source = session_.sources().source_of(value.origin());
    const std::vector<heat::StoredText>& files = composition_.state->files;
    const auto file = std::ranges::find(files, source, &heat::StoredText::source);
    out.insert(source && file != files.end() ? std::string(kFile) + file->name : std::string(kBody));
  }
  for (const Value& item : value.is_sequence() ? value.items() : std::span<const Value>()) add_texts(item, out);
  for (const Entry& entry : value.is_mapping() ? value.entries() : std::span<const Entry>())
    add_texts(entry.value, out);
}

/// What the request has of a text, as an environment. Absent: nothing.
Value StoredValues::sent_text(std::string_view section, std::string_view text) const {
  Value out = sent_.environment;
  if (text == kExplicit) {
    out = sent_.parameters ? json_object(session_.arena(), {{section, sent_.parameters}}) : Value();
  } else if (text.starts_with(kFile)) {
    const Value* file = member_in(sent_.files, text.substr(kFile.size()));
    out = file == nullptr ? Value() : *file;
  }
  return out && out.is_text() ? environment_of(session_, out) : out;
}

/// What the request has for a parameter in a text. No value: nothing, or `******` for what is stored.
std::optional<Value> StoredValues::sent_at(std::string_view name, std::string_view section,
                                           std::string_view text) const {
  const Value* value = value_in(sent_text(section, text), section, name);
  return value == nullptr || is_masked(*value) ? std::nullopt : std::optional(*value);
}

bool StoredValues::is_sent(std::string_view name, const StoredValue& stored) const {
  if (stored.place.size() != 2) return false;
  const std::optional<Value> sent = sent_at(name, stored.place[0], stored.place[1]);
  return sent && equal(heat::json_form(session_.arena(), *sent).value, stored.value);
}

bool StoredValues::is_other(std::string_view name, const ValuePlace& place) const {
  return std::ranges::any_of(std::span(place).subspan(1),
                             [&](const std::string& text) { return is_other(name, place[0], text); });
}

bool StoredValues::is_other(std::string_view name, std::string_view section, std::string_view text) const {
  const heat::State& state = *composition_.state;
  if (sent_at(name, section, text)) return true;
  if (text == kExplicit) return member_in(state.parameters, name) == nullptr;
  if (text == kBody) return value_in(state.base_environment, section, name) == nullptr;
  const std::string_view file = text.substr(kFile.size());
  if (member_in(sent_.files, file) != nullptr) return value_in(sent_text(section, text), section, name) == nullptr;
  return std::ranges::find(state.files, file, &heat::StoredText::name) == state.files.end();
}

}  // namespace strata::service::stacks
