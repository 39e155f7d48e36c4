// SPDX-License-Identifier: Apache-2.0
#include "node_variables.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <variant>

#include "key.hpp"
#include "value/value_hash.hpp"

namespace strata::hiera {
namespace {

/// What a Scope makes itself, besides the facts.
constexpr std::array<std::string_view, 8> kAdded{
    "trusted", "server_facts", "environment",        "name",
    "title",   "module_name",  "caller_module_name", "settings::environment"};

std::size_t hash_of(const Value* value) { return value == nullptr ? 0 : ValueHash()(*value); }

}  // namespace

const Value* Variables::decider(const std::string& expression) {
  const Key key(expression);
  const std::span<const Segment> segments = key.segments();
  std::string_view root = key.root();
  while (root.starts_with("::")) root.remove_prefix(2);
  const Facts& facts = *node_.facts;
  const Value* here = nullptr;
  if (root == "facts") {
    here = &facts.values;
  } else if (std::ranges::find(kAdded, root) != kAdded.end()) {
    here = scope().find(root);
  } else {
    if (facts.variables.is_mapping()) here = facts.variables.find(root);
    if (here == nullptr && facts.values.is_mapping()) here = facts.values.find(root);
    if (here == nullptr && node_.server_facts != nullptr) here = node_.server_facts->values.find(root);
  }
  for (const Segment& segment : segments) {
    const auto* name = std::get_if<std::string>(&segment);
    const Value* member = here == nullptr || name == nullptr || !here->is_mapping() ? nullptr : here->find(*name);
    if (member == nullptr) break;
    here = member;
  }
  return here;
}

const Scope& Variables::scope() {
  if (!scope_) {
    const Scope::Surroundings surroundings{
        .environment = node_.environment, .compat = node_.compat, .server_facts = node_.server_facts.get()};
    scope_.emplace(*node_.facts, surroundings, arena_.emplace());
  }
  return *scope_;
}

std::uint64_t KnownValues::number(const Value* value) const {
  const auto [first, last] = numbers_.equal_range(hash_of(value));
  const auto known = std::find_if(first, last, [value](const auto& one) {
    const Value& other = one.second.first;
    return static_cast<bool>(other) == (value != nullptr) && (!other || identical(other, *value));
  });
  return known == last ? 0 : known->second.second;
}

void KnownValues::add(const Value* value, std::uint64_t number) {
  constexpr std::size_t kMost = std::size_t{1} << 14U;
  if (numbers_.size() >= kMost) {
    numbers_.clear();
    values_ = std::make_unique<Arena>();
  }
  numbers_.emplace(hash_of(value), std::pair(value == nullptr ? Value() : values_->deep_copy(*value), number));
}

}  // namespace strata::hiera
