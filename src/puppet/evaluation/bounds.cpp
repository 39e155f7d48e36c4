// SPDX-License-Identifier: Apache-2.0
// What bounds an evaluation, and what it remembers.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "puppet/evaluation/state.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

constexpr std::size_t kSmall = 64;  ///< Members of a container without others that are counted again each time.
constexpr std::size_t kMostPatterns = 1000;

constexpr std::size_t kBytesAStep = 64;

constexpr std::size_t kMostTypeNodes = 10'000;
constexpr std::size_t kDeepestType = 200;  ///< As where types are read from texts.

/// What took a millisecond at least, as steps: one a microsecond.
class Watch {
 public:
  [[nodiscard]] std::size_t steps() const {
    constexpr std::int64_t kSlow = 1000;
    const auto spent =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin_).count();
    return spent < kSlow ? 0 : static_cast<std::size_t>(spent);
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

const void* address_of(const Value& container) noexcept {
  if (container.is_sequence()) return container.items().data();
  return container.entries().data();
}

}  // namespace

// Recursion: every level was weighed when it was made, data that come from outside nest as deep as Limits::depth.
Weight Evaluator::State::weigh(const Value& value, const Limits& limits) {
  if (!value.is_container()) return {1, 0, value.is_text() ? value.text().size() : 0};
  if (value.size() == 0) return {1, 1, 0};
  const auto known = weights.find(address_of(value));
  if (known != weights.end()) return known->second;
  Weight out{1, 1, 0};
  bool nested = false;
  const auto add = [&](const Value& member) {
    if (!member.is_container()) {
      ++out.nodes;
      if (member.is_text()) out.bytes += member.text().size();
      return;
    }
    nested = true;
    const Weight inner = weigh(member, limits);
    out.nodes += inner.nodes;
    out.bytes += inner.bytes;
    out.depth = std::max(out.depth, inner.depth + 1);
  };
  if (value.is_sequence()) {
    for (const Value& item : value.items()) add(item);
  } else {
    for (const Entry& entry : value.entries()) {
      add(entry.key);
      add(entry.value);
    }
  }
  if (out.nodes > limits.result)
    throw Error("limit.result", "a value of more than " + std::to_string(limits.result) + " nodes")
        .hint("raise it with --limit result=NUMBER");
  if (out.depth > limits.depth)
    throw Error("limit.depth", "a value that nests deeper than " + std::to_string(limits.depth) + " levels")
        .hint("raise it with --limit depth=NUMBER");
  if (nested || value.size() >= kSmall) weights.emplace(address_of(value), out);
  return out;
}

const Value& Evaluator::admit(const Value& container) {
  if (container.is_container()) static_cast<void>(state_->weigh(container, context_.limits));
  return container;
}

void Evaluator::charge_value(const Value& value) {
  constexpr std::size_t kNodesAStep = 8;
  if (value.is_container()) {
    const Weight weight = state_->weigh(value, context_.limits);
    charge(weight.nodes / kNodesAStep + weight.bytes / kBytesAStep);
    state_->stop_check.tick(static_cast<std::uint32_t>(std::min<std::size_t>(weight.nodes, UINT32_MAX / 2)));
  } else if (value.is_text()) {
    charge(value.text().size() / kBytesAStep);
  }
}

void Evaluator::charge_inferring(const Value& value) {
  constexpr std::size_t kStepsANode = 8;
  charge_value(value);
  if (value.is_container()) charge(state_->weigh(value, context_.limits).nodes * kStepsANode);
}

void Evaluator::charge_type(const Type& part) {
  const TypeWeight weight = weigh_type(part, kMostTypeNodes, kDeepestType);
  charge(weight.nodes);
  if (weight.nodes > kMostTypeNodes)
    throw Error("limit.result", fmt::format("a type of more than {} parts", kMostTypeNodes));
  if (weight.depth >= kDeepestType)
    throw Error("limit.depth", fmt::format("a type that nests deeper than {} levels", kDeepestType));
}

void Evaluator::charge_types(const Type& left, const Type& right) {
  constexpr std::size_t kPairsAStep = 64;
  // Types of values may be larger than those that are written.
  constexpr std::size_t kMost = 1'000'000;
  const auto weigh = [](const Type& type) { return weigh_type(type, kMost, kMost).nodes; };
  charge(1 + weigh(left) * weigh(right) / kPairsAStep);
}

std::optional<text::Regex::Match> Evaluator::find(const text::Regex& regex, std::string_view text, std::size_t at) {
  charge(1 + text.size() / kBytesAStep);
  const Watch watch;
  std::optional<text::Regex::Match> match = regex.find(text, at);
  charge(watch.steps());
  // One search may take as long as thousands of expressions.
  if (context_.limits.stop != nullptr) context_.limits.stop->check();
  return match;
}

bool Evaluator::is_member(const Type& type, const Value& value) {
  charge_value(value);
  switch (type.kind()) {
    case TypeKind::any:
    case TypeKind::integer:
    case TypeKind::floating:
    case TypeKind::numeric:
    case TypeKind::boolean:
    case TypeKind::string:
      return is_instance(type, value);
    default:
      break;
  }
  // What is made of types may hold patterns.
  const Watch watch;
  const bool is_member = is_instance(type, value);
  charge(watch.steps());
  if (context_.limits.stop != nullptr) context_.limits.stop->check();
  return is_member;
}

void Evaluator::charge_text(std::size_t bytes) {
  if (bytes > context_.limits.input)
    throw Error("limit.result", "a text of more than " + std::to_string(context_.limits.input) + " bytes")
        .hint("raise it with --limit input=NUMBER");
  charge(bytes / kBytesAStep);
  constexpr std::size_t kLarge = std::size_t{1} << 16U;
  if (bytes > kLarge && context_.limits.stop != nullptr) context_.limits.stop->take_memory(bytes);
}

void Evaluator::out_of_steps() const {
  throw Error("limit.steps", "the evaluation takes more than " + std::to_string(context_.limits.steps) + " steps")
      .hint("raise it with --limit steps=NUMBER");
}

const text::Regex& Evaluator::compiled(std::string_view pattern) {
  auto [found, added] = state_->patterns.try_emplace(std::string(pattern));
  if (added) {
    try {
      found->second = std::make_shared<const text::Regex>(pattern);
    } catch (...) {
      state_->patterns.erase(found);
      throw;
    }
    if (state_->patterns.size() > kMostPatterns) {
      const auto kept = found->second;
      state_->patterns.clear();
      return *state_->patterns.emplace(std::string(pattern), kept).first->second;
    }
  }
  return *found->second;
}

void Evaluator::warn(Origin origin, std::string_view code, std::string message, std::string hint) {
  constexpr std::size_t kMostWarnings = 1000;
  std::string key = std::to_string(origin.location) + std::string(code);
  if (!origin) key += message;
  if (state_->warned.size() >= kMostWarnings || !state_->warned.insert(std::move(key)).second) return;
  context_.diagnostics.warn(
      Error(std::string(code), std::move(message)).at(context_.sources, origin).hint(std::move(hint)).diagnostic());
}

Error Evaluator::error(Origin origin, std::string_view code, std::string message) const {
  return Error(code, std::move(message)).at(context_.sources, origin);
}

Error Evaluator::reserved_variable(std::string_view name, Origin origin) const {
  return error(origin, "puppet.assignment", "cannot assign '$" + std::string(name) + "': the name is reserved");
}

}  // namespace strata::puppet
