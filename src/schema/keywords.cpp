// SPDX-License-Identifier: Apache-2.0
// The keywords of draft 4, each in the words of Python's jsonschema; `anyOf` and `oneOf` are in branches.cpp. Messages
// are made when a violation is reported, so what they capture is a copy.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "python/data.hpp"
#include "schema/validation.hpp"
#include "text/unicode/characters.hpp"
#include "value/seeded_hash.hpp"

namespace strata::json_schema::detail {
namespace {

/// The number of a keyword that counts; the meta-schema has seen to its being one.
std::size_t count_of(const Value& keyword) noexcept {
  return keyword.kind() == Kind::integer ? static_cast<std::size_t>(std::max<std::int64_t>(keyword.as_integer(), 0))
                                         : SIZE_MAX;
}

bool is_true(const Value* value) noexcept {
  return value != nullptr && value->kind() == Kind::boolean && value->as_boolean();
}

std::string_view was_or_were(std::size_t count) noexcept { return count == 1 ? "was" : "were"; }

}  // namespace

void Validation::deprecated(const Value& keyword, const Value& data, const Value& schema) {
  if (is_true(&keyword)) annotate(SchemaFailure::Kind::deprecation, "deprecated", data, schema);
}
void Validation::changed(const Value& keyword, const Value& data, const Value& schema) {
  if (is_true(&keyword)) annotate(SchemaFailure::Kind::change, "changed", data, schema);
}

void Validation::reference(const Value& keyword, const Value& data, const Value& /*schema*/) {
  const References::Target to = schema_.reference(keyword, base_);
  const References::Base outer = std::exchange(base_, to.base);
  check(to.schema, data, false);
  base_ = outer;
}

void Validation::type(const Value& keyword, const Value& data, const Value& /*schema*/) {
  const std::span<const Value> types = keyword.is_sequence() ? keyword.items() : std::span(&keyword, 1);
  const auto is_type = [&](const Value& one) {
    if (!one.is_text()) return false;
    if (schema_.rules.binary_is_string && data.kind() == Kind::binary && one.text() == "string") return true;
    return is_of_type(data, one.text());
  };
  if (std::ranges::any_of(types, is_type)) return;
  fail(data, true, [=] {
    return fmt::format("{} is not of type {}", shown(data), listed({types.begin(), types.end()}));
  });
}

void Validation::enumeration(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (std::ranges::any_of(keyword.items(), [&](const Value& one) {
        stop_.tick();
        return same_data(one, data);
      })) {
    return;
  }
  fail(data, true, [=] { return fmt::format("{} is not one of {}", shown(data), shown(keyword)); });
}

void Validation::limit(const Value& keyword, const Value& data, const Value& schema, bool is_minimum) {
  if (!is_number(data)) return;
  const bool excludes = is_true(schema.find(is_minimum ? "exclusiveMinimum" : "exclusiveMaximum"));
  const int order = is_minimum ? compare_numbers(data, keyword) : compare_numbers(keyword, data);
  if (excludes ? order > 0 : order >= 0) return;
  fail(data, true, [=] {
    return fmt::format("{} is {} than {}the {} of {}", shown(data), is_minimum ? "less" : "greater",
                       excludes ? "or equal to " : "", is_minimum ? "minimum" : "maximum", shown(keyword));
  });
}

void Validation::minimum(const Value& keyword, const Value& data, const Value& schema) {
  limit(keyword, data, schema, true);
}
void Validation::maximum(const Value& keyword, const Value& data, const Value& schema) {
  limit(keyword, data, schema, false);
}

void Validation::multiple_of(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!is_number(data) || is_multiple(data, keyword)) return;
  fail(data, true, [=] { return fmt::format("{} is not a multiple of {}", shown(data), shown(keyword)); });
}

void Validation::size(const Value& keyword, const Value& data, std::size_t have, bool at_least, std::string_view one,
                      std::string_view other) {
  const std::size_t bound = count_of(keyword);
  if (at_least ? have >= bound : have <= bound) return;
  fail(data, true, [=] { return fmt::format("{} {}", shown(data), bound == (at_least ? 1U : 0U) ? one : other); });
}

void Validation::min_items(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (data.is_sequence()) size(keyword, data, data.size(), true, "should be non-empty", "is too short");
}
void Validation::max_items(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (data.is_sequence()) size(keyword, data, data.size(), false, "is expected to be empty", "is too long");
}
void Validation::min_length(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (data.is_text())
    size(keyword, data, text::unicode::length(data.text()), true, "should be non-empty", "is too short");
}
void Validation::max_length(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (data.is_text())
    size(keyword, data, text::unicode::length(data.text()), false, "is expected to be empty", "is too long");
}
void Validation::min_properties(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (data.is_mapping())
    size(keyword, data, data.size(), true, "should be non-empty", "does not have enough properties");
}
void Validation::max_properties(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (data.is_mapping()) size(keyword, data, data.size(), false, "is expected to be empty", "has too many properties");
}

void Validation::unique_items(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!is_true(&keyword) || !data.is_sequence()) return;
  TextSet seen;
  if (std::ranges::all_of(data.items(), [&](const Value& item) {
        stop_.tick();
        return seen.insert(canonical(item)).second;
      })) {
    return;
  }
  fail(data, true, [=] { return fmt::format("{} has non-unique elements", shown(data)); });
}

void Validation::pattern(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!data.is_text() || schema_.pattern(keyword).search(data.text())) return;
  fail(data, true, [=] { return fmt::format("{} does not match {}", shown(data), shown(keyword)); });
}

/// The format `regex` counts in schemas only, `date` where the rules ask for it.
void Validation::format(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!keyword.is_text() || !data.is_text()) return;
  if (schema_.rules.checks_dates && keyword.text() == "date" && !is_date(data.text()))
    fail(data, true, [=] { return fmt::format("{} is not a 'date'", shown(data)); });
  if (!schema_.checks_formats || keyword.text() != "regex") return;
  try {
    (void)schema_.pattern(data);
  } catch (const Error& error) {
    // Other errors are limits, which are reported where a string reaches the pattern.
    if (error.ends_request()) throw;
    if (error.code() != "regex.syntax") return;
    fail(
        data, true, [=] { return fmt::format("{} is not a 'regex'", shown(data)); }, &error);
  }
}

void Validation::items(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!data.is_sequence()) return;
  const std::size_t count = keyword.is_sequence() ? std::min(keyword.size(), data.size()) : data.size();
  for (std::size_t i = 0; i < count && !is_decided(); ++i) {
    const Path::Step into = i;
    if (keyword.is_sequence()) {
      descend(keyword.items()[i], inside(data, data.items()[i]), &into, std::to_string(i));
    } else {
      descend(keyword, inside(data, data.items()[i]), &into, {});
    }
  }
}

void Validation::additional_items(const Value& keyword, const Value& data, const Value& schema) {
  const Value* items = schema.find("items");
  if (!data.is_sequence() || items == nullptr || !items->is_sequence() || data.size() <= items->size()) return;
  if (keyword.is_mapping()) {
    for (std::size_t i = items->size(); i < data.size() && !is_decided(); ++i) {
      const Path::Step into = i;
      descend(keyword, inside(data, data.items()[i]), &into, {});
    }
  } else if (!is_true(&keyword)) {
    const std::span<const Value> extra = data.items().subspan(items->size());
    fail(data, true, [=] {
      return fmt::format("Additional items are not allowed ({} {} unexpected)", listed({extra.begin(), extra.end()}),
                         was_or_were(extra.size()));
    });
  }
}

void Validation::properties(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!data.is_mapping()) return;
  for (const Entry& property : keyword.entries()) {
    const Value* member = data.find(property.key);
    if (member == nullptr) continue;
    const Path::Step into = property.key;
    descend(property.value, inside(data, *member), &into, property.key.text());
  }
}

void Validation::pattern_properties(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!data.is_mapping() || data.size() == 0) return;  // Nothing reaches the patterns, which may be wrong.
  for (const Entry& property : keyword.entries()) {
    const text::Regex& regex = schema_.pattern(property.key);
    for (const Entry& member : data.entries()) {
      if (is_decided()) return;
      check_stop(schema_.limits.stop);
      if (!member.key.is_text() || !regex.search(member.key.text())) continue;
      const Path::Step into = inside(data, member.key);
      descend(property.value, inside(data, member.value), &into, property.key.text());
    }
  }
}

void Validation::additional_properties(const Value& keyword, const Value& data, const Value& schema) {
  if (!data.is_mapping() || is_true(&keyword)) return;
  const Value* properties = schema.find("properties");
  const Value* patterns = schema.find("patternProperties");
  const auto is_known = [&](const Value& key) {
    if (properties != nullptr && properties->find(key) != nullptr) return true;
    return patterns != nullptr && key.is_text() && std::ranges::any_of(patterns->entries(), [&](const Entry& one) {
             return schema_.pattern(one.key).search(key.text());
           });
  };
  std::vector<Value> extra;
  for (const Entry& member : data.entries()) {
    check_stop(schema_.limits.stop);
    if (is_known(member.key)) continue;
    extra.push_back(inside(data, member.key));
    const Path::Step into = extra.back();
    if (keyword.is_mapping()) descend(keyword, inside(data, member.value), &into, {});
  }
  if (keyword.is_mapping() || extra.empty()) return;
  const auto by_text = [](const Value& left, const Value& right) { return canonical(left) < canonical(right); };
  std::ranges::sort(extra, by_text);
  std::optional<std::vector<Value>> known;
  if (patterns != nullptr) {
    known.emplace();
    for (const Entry& one : patterns->entries()) known->push_back(one.key);
    std::ranges::sort(*known, by_text);
  }
  const auto message = [known](const std::vector<Value>& names) {
    if (!known)
      return fmt::format("Additional properties are not allowed ({} {} unexpected)", listed(names),
                         was_or_were(names.size()));
    return fmt::format("{} {} not match any of the regexes: {}", listed(names), names.size() == 1 ? "does" : "do",
                       listed(*known));
  };
  // The first one is the place to look at.
  const Value place = data.with_origin(extra.front().origin() ? extra.front().origin() : data.origin());
  fail_for_names(place, extra, message);
}

void Validation::required(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!data.is_mapping() || !keyword.is_sequence()) return;
  for (const Value& name : keyword.items()) {
    stop_.tick();
    if (data.find(name) == nullptr)
      fail(data, false, [=] { return fmt::format("{} is a required property", shown(name)); });
  }
}

void Validation::dependencies(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (!data.is_mapping()) return;
  for (const Entry& dependency : keyword.entries()) {
    if (data.find(dependency.key) == nullptr) continue;
    if (!dependency.value.is_sequence()) {
      descend(dependency.value, data, nullptr, dependency.key.text());
      continue;
    }
    for (const Value& name : dependency.value.items()) {
      if (data.find(name) == nullptr)
        fail(data, false, [=] { return fmt::format("{} is a dependency of {}", shown(name), shown(dependency.key)); });
    }
  }
}

void Validation::all_of(const Value& keyword, const Value& data, const Value& /*schema*/) {
  for (std::size_t i = 0; i < keyword.size(); ++i) descend(keyword.items()[i], data, nullptr, std::to_string(i));
}

void Validation::negation(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (fits(keyword, data, false))
    fail(data, true, [=] { return fmt::format("{} should not be valid under {}", shown(data), shown(keyword)); });
}

}  // namespace strata::json_schema::detail
