// SPDX-License-Identifier: Apache-2.0
// `anyOf` and `oneOf`, and which of their violations are reported.
//
// Draft 4 says no more than that none of the branches fits. With Rules::picks_branch, the violations of all branches
// are collected, and the most specific one is reported as if its branch were the only one. `anyOf` takes the choice
// of Python's jsonschema (best_match): of the violations the shallowest one, then down its context the deepest, as long
// as that is unique. `oneOf` takes all of the deepest ones. If the data have a member `type`, cloud-init prefers the
// branch that is made for this type. Deprecations of a branch count if the branch is taken.
//
// A violation that an inner `anyOf` reported is also in the context of the inner general one. Its path then counts from
// the data of the outer keyword: `Found::from` says from where. Cost: that of checking every branch whole.
// Tested by tests/schema/schema_test.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <utility>

#include "schema/validation.hpp"

namespace strata::json_schema::detail {
namespace {

std::span<const Path::Step> relative_path(const Found& found) {
  return std::span(found.path).subspan(std::min(found.from, found.path.size()));
}

/// Indexes come before keys, which are ordered by their text.
std::strong_ordering compare_steps(const Path::Step& left, const Path::Step& right) {
  if (left.index() != right.index()) return right.index() <=> left.index();
  if (const auto* index = std::get_if<std::size_t>(&left)) return *index <=> std::get<std::size_t>(right);
  return key_text(std::get<Value>(left)).compare(key_text(std::get<Value>(right))) <=> 0;
}

/// Whether the violated schema at least has the type of the data.
bool has_type_of_data(const Found& found) {
  const Value* type = found.failure.schema.is_mapping() ? found.failure.schema.find("type") : nullptr;
  if (type == nullptr) return false;
  const auto is_type = [&found](const Value& one) {
    return one.is_text() && is_of_type(found.failure.value, one.text());
  };
  return type->is_sequence() ? std::ranges::any_of(type->items(), is_type) : is_type(*type);
}

/// Less: `left` is deeper, or more specific in another way.
std::strong_ordering compare_relevance(const Found& left, const Found& right) {
  const auto one = relative_path(left);
  const auto other = relative_path(right);
  if (const auto order = other.size() <=> one.size(); order != 0) return order;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (const auto order = compare_steps(one[i], other[i]); order != 0) return order;
  }
  const auto is_weak = [](const Found& found) {
    return found.failure.keyword == "anyOf" || found.failure.keyword == "oneOf";
  };
  if (const auto order = static_cast<int>(!is_weak(left)) <=> static_cast<int>(!is_weak(right)); order != 0)
    return order;
  return static_cast<int>(!has_type_of_data(left)) <=> static_cast<int>(!has_type_of_data(right));
}

bool is_annotation(const std::shared_ptr<Found>& found) {
  return found->failure.kind != SchemaFailure::Kind::violation;
}

/// The member `type` of data.
const Value* type_of(const Value& data) { return data.is_mapping() ? data.find("type") : nullptr; }

/// Whether a violated schema lists `type` among those that it is for.
bool is_for_type(const Found& found, const Value& type) {
  const Value* at = found.failure.schema.is_mapping() ? found.failure.schema.find("properties") : nullptr;
  if (at != nullptr) at = at->is_mapping() ? at->find("type") : nullptr;
  if (at != nullptr) at = at->is_mapping() ? at->find("enum") : nullptr;
  return at != nullptr && at->is_sequence() &&
         std::ranges::any_of(at->items(), [&type](const Value& one) { return same_data(one, type); });
}

}  // namespace

std::shared_ptr<Found> best_match(const FoundList& all) {
  const auto is_less = [](const std::shared_ptr<Found>& left, const std::shared_ptr<Found>& right) {
    return compare_relevance(*left, *right) < 0;
  };
  std::shared_ptr<Found> best = *std::ranges::max_element(all, is_less);
  while (!best->context.empty()) {
    const auto first = std::ranges::min_element(best->context, is_less);
    const bool is_shared = std::ranges::any_of(best->context, [&](const std::shared_ptr<Found>& one) {
      return one != *first && compare_relevance(*one, **first) == 0;
    });
    if (is_shared) return best;
    best = *first;
  }
  return best;
}

FoundList deepest_matches(const FoundList& all, const Value& data) {
  FoundList out;
  std::size_t depth = 0;
  const Value* type = type_of(data);
  for (const std::shared_ptr<Found>& one : all) {
    const auto path = relative_path(*one);
    if (type != nullptr) {
      if (is_for_type(*one, *type)) return {one};
      const auto* last = path.empty() ? nullptr : std::get_if<Value>(&path.back());
      if (last != nullptr && key_text(*last).ends_with("type")) out.push_back(one);
    } else if (path.size() == depth) {
      out.push_back(one);
    } else if (path.size() > depth) {
      depth = path.size();
      out = {one};
    }
  }
  return out;
}

FoundList Validation::collect(const Value& schema, const Value& data, std::size_t index) {
  FoundList outer = std::exchange(found_, {});
  const std::size_t outer_from = std::exchange(from_, path_.size());
  descend(schema, data, nullptr, std::to_string(index));
  from_ = outer_from;
  return std::exchange(found_, std::move(outer));
}

void Validation::any_of(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (schema_.rules.picks_branch && !probing_) return any_of_best(keyword, data);
  if (std::ranges::any_of(keyword.items(), [&](const Value& one) { return fits(one, data); })) return;
  fail(data, true, [=] { return fmt::format("{} is not valid under any of the given schemas", shown(data)); });
}

void Validation::any_of_best(const Value& keyword, const Value& data) {
  FoundList all;
  bool is_chosen = false;
  const Value* type = type_of(data);
  for (std::size_t i = 0; i < keyword.size(); ++i) {
    const Value& branch = keyword.items()[i];
    FoundList found = collect(branch, data, i);
    if (std::ranges::all_of(found, is_annotation)) {
      for (const auto& one : found) report(one);
      return;
    }
    std::erase_if(found, is_annotation);
    const Value* to = branch.is_mapping() ? branch.find("$ref") : nullptr;
    if (type != nullptr && type->is_text() && to != nullptr && to->is_text() &&
        to->text().find(fmt::format("anyOf_type_{}", type->text())) != std::string_view::npos) {
      is_chosen = true;
      for (const auto& one : found) report(one);
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  if (!is_chosen && !all.empty()) report(best_match(all));
  fail(data, true, [=] { return fmt::format("{} is not valid under any of the given schemas", shown(data)); });
  found_.back()->context = std::move(all);
}

void Validation::one_of(const Value& keyword, const Value& data, const Value& /*schema*/) {
  if (schema_.rules.picks_branch && !probing_) return one_of_best(keyword, data);
  std::vector<Value> fitting;
  for (const Value& one : keyword.items()) {
    // After the first one the reference overlooks what an `id` changes, as it does for `not`.
    if (fits(one, data, fitting.empty())) fitting.push_back(one);
  }
  if (fitting.size() != 1) fail_one_of(data, std::move(fitting));
}

void Validation::fail_one_of(const Value& data, std::vector<Value> fitting) {
  if (!fitting.empty()) std::rotate(fitting.begin(), fitting.begin() + 1, fitting.end());
  fail(data, true, [=] {
    return fitting.empty() ? fmt::format("{} is not valid under any of the given schemas", shown(data))
                           : fmt::format("{} is valid under each of {}", shown(data), listed(fitting));
  });
}

void Validation::one_of_best(const Value& keyword, const Value& data) {
  FoundList all;
  FoundList annotations;
  std::vector<Value> fitting;
  for (std::size_t i = 0; i < keyword.size(); ++i) {
    const Value& branch = keyword.items()[i];
    if (!fitting.empty()) {
      if (fits(branch, data)) fitting.push_back(branch);
      continue;
    }
    FoundList found = collect(branch, data, i);
    if (std::ranges::all_of(found, is_annotation)) {
      fitting.push_back(branch);
      annotations = std::move(found);
      continue;
    }
    std::ranges::copy_if(found, std::back_inserter(all), [](const auto& one) { return !is_annotation(one); });
  }
  if (fitting.size() > 1) return fail_one_of(data, std::move(fitting));
  if (fitting.empty()) {
    failed_ = true;
    annotations = deepest_matches(all, data);
  }
  for (const auto& one : annotations) report(one);
}

}  // namespace strata::json_schema::detail
