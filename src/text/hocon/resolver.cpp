// SPDX-License-Identifier: Apache-2.0
#include "text/hocon/resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/error.hpp"
#include "strata/stack.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kNothing = static_cast<std::size_t>(-1);

std::string written(const HoconNode* reference) {
  std::string path;
  for (const std::string_view element : reference->path) path.append(path.empty() ? "" : ".").append(element);
  return path;
}

}  // namespace

HoconResolver::HoconResolver(const Sources& sources, SourceId source, const Limits& limits, HoconGraph& graph,
                             HoconNode* root, const HoconVariables& variables)
    : sources_(sources), source_(source), limits_(limits), graph_(graph), root_(root), variables_(variables) {}

void HoconResolver::check(const HoconNode* node) const {
  const auto fail = [&](const char* code, std::string message, const char* hint) {
    throw Error(code, std::move(message)).at(sources_, sources_.at(source_, node->offset)).hint(hint);
  };
  if (depth_ > limits_.depth)
    fail("limit.depth", fmt::format("substitutions and containers nested deeper than {} levels", limits_.depth),
         "raise the limit with --limit depth=LEVELS");
  check_stack(limits_);
  if (graph_.work > limits_.steps)
    fail("limit.steps", fmt::format("the substitutions take more than {} steps", limits_.steps),
         "raise the limit with --limit steps=NUMBER");
}

HoconNode* HoconResolver::resolve(HoconNode* node) {
  if (!node->open) return node;
  if (const auto known = results_.back().find(node); known != results_.back().end()) return known->second;
  ++graph_.work;
  ++depth_;
  check(node);
  const std::size_t before = std::exchange(lowest_, kNothing);
  HoconNode* const result = resolve_anew(node);
  const bool depends = lowest_ < following_.size();
  if (!depends && result != loop()) results_.back().emplace(node, result);
  lowest_ = std::min(lowest_, before);
  --depth_;
  return result;
}

HoconNode* HoconResolver::resolve_anew(HoconNode* node) {
  switch (node->kind) {
    case HoconNodeKind::list:
      return resolve_list(node);
    case HoconNodeKind::object:
      return resolve_object(node);
    case HoconNodeKind::reference:
      return resolve_reference(node);
    case HoconNodeKind::concatenation:
      return resolve_concatenation(node);
    case HoconNodeKind::merge:
      return resolve_merge(node);
    default:
      return node;
  }
}

HoconNode* HoconResolver::resolve_list(HoconNode* node) {
  HoconNode* const list = graph_.make(HoconNodeKind::list, node->offset);
  for (HoconNode* item : node->items) {
    HoconNode* const resolved = resolve(item);
    if (resolved == loop()) return loop();
    if (resolved != nullptr) list->items.push_back(resolved);
  }
  graph_.work += node->items.size();
  return list;
}

HoconNode* HoconResolver::resolve_object(HoconNode* node) {
  HoconNode* const object = graph_.make(HoconNodeKind::object, node->offset);
  object->hides_below = node->hides_below;
  for (const HoconField& field : node->fields) {
    HoconNode* const resolved = resolve(field.value);
    if (resolved == loop()) return loop();
    if (resolved != nullptr) object->fields.push_back({field.key, field.offset, resolved});
  }
  graph_.work += node->fields.size();
  return object;
}

template <class Work>
HoconNode* HoconResolver::following(HoconNode* reference, const Work& work) {
  const auto [active, added] = following_.emplace(reference, following_.size());
  if (!added) {
    lowest_ = std::min(lowest_, active->second);
    return loop();
  }
  HoconNode* const target = look_up(reference);
  HoconNode* const result = target != nullptr && target != loop() ? work(target) : target;
  following_.erase(reference);
  if (result == loop()) {
    if (reference->optional) return nullptr;
    fail(reference, "leads back to itself", "");
  }
  if (target == nullptr && !reference->optional) fail_nowhere(reference);
  return result;
}

void HoconResolver::fail(const HoconNode* reference, const char* how, const char* hint) const {
  throw Error("hocon.substitution", fmt::format("the substitution ${{{}}} {}", written(reference), how))
      .at(sources_, sources_.at(source_, reference->offset))
      .hint(hint);
}

void HoconResolver::fail_nowhere(const HoconNode* reference) const {
  fail(reference, "leads nowhere", "write ${?..} for keys that may be missing");
}

HoconNode* HoconResolver::resolve_reference(HoconNode* node) {
  HoconNode* const result = following(node, [this](HoconNode* target) { return resolve(target); });
  if (result == nullptr && !node->optional) fail_nowhere(node);
  return result;
}

HoconNode* HoconResolver::resolve_concatenation(HoconNode* node) {
  std::vector<HoconNode*> pieces;
  for (HoconNode* piece : node->items) {
    HoconNode* const resolved = resolve(piece);
    if (resolved == loop()) return loop();
    if (resolved != nullptr) pieces.push_back(resolved);
  }
  const HoconNode* misfit = nullptr;
  HoconNode* const result = graph_.concatenate(pieces, misfit);
  check(node);
  if (misfit == nullptr) return result;
  throw Error("hocon.syntax", "a list or mapping next to a value of another kind")
      .at(sources_, sources_.at(source_, node->offset));
}

template <class Work>
HoconNode* HoconResolver::below(HoconNode* merge, std::size_t index, const Work& work) {
  HoconNode* const definition = merge->items[index];
  if (!definition->is_pending()) return work(definition);
  const std::size_t level = std::exchange(merge->level, index + 1);
  results_.emplace_back();
  HoconNode* const result = work(definition);
  results_.pop_back();
  merge->level = level;
  return result;
}

HoconNode* HoconResolver::resolve_merge(HoconNode* node) {
  HoconNode* merged = nullptr;
  // All of them, though what ends the stack hides the rest: the reference finds errors in that, too.
  for (std::size_t i = node->level; i < node->items.size(); ++i) {
    HoconNode* const resolved = below(node, i, [this](HoconNode* definition) { return resolve(definition); });
    if (resolved == loop()) return loop();
    if (resolved != nullptr) merged = merged == nullptr ? resolved : graph_.over(merged, resolved);
  }
  check(node);
  return merged;
}

HoconNode* HoconResolver::look_up(const HoconNode* reference) {
  HoconNode* node = root_;
  for (const std::string_view key : reference->path) {
    node = child(node, key);
    if (node == loop()) return loop();
    if (node == nullptr || node == hidden()) return variable(reference);
  }
  return node;
}

HoconNode* HoconResolver::variable(const HoconNode* reference) {
  if (!variables_) return nullptr;
  std::optional<std::string> value = variables_(written(reference));
  if (!value) return nullptr;
  HoconNode* const text = graph_.make(HoconNodeKind::text, reference->offset);
  text->text = std::move(*value);
  text->quoted = true;
  return text;
}

HoconNode* HoconResolver::child(HoconNode* node, std::string_view key) {
  ++graph_.work;
  ++depth_;
  check(node);
  HoconNode* found = hidden();
  if (node->kind == HoconNodeKind::object) {
    const HoconField* const field = graph_.find(node, key);
    found = field != nullptr ? field->value : node->hides_below ? hidden() : nullptr;
  } else if (node->kind == HoconNodeKind::reference) {
    found = following(node, [this, key](HoconNode* target) { return child(target, key); });
  } else if (node->kind == HoconNodeKind::concatenation) {
    found = resolve(node);
    if (found != nullptr && found != loop()) found = child(found, key);
  } else if (node->kind == HoconNodeKind::merge) {
    found = child_of_merge(node, key);
  }
  --depth_;
  return found;
}

HoconNode* HoconResolver::child_of_merge(HoconNode* merge, std::string_view key) {
  if (merge->level == 0) {
    const auto& members = children_[merge];
    if (const auto known = members.find(key); known != members.end()) return known->second;
  }
  HoconNode* found = nullptr;
  for (std::size_t i = merge->level; i < merge->items.size() && (found == nullptr || !found->ends_stack()); ++i) {
    HoconNode* const next = below(merge, i, [this, key](HoconNode* definition) { return child(definition, key); });
    if (next == loop()) return loop();
    if (next == hidden()) break;
    if (next != nullptr) found = found == nullptr ? next : graph_.over(found, next);
    if (merge->items[i]->ends_stack()) break;
  }
  if (merge->level == 0) children_[merge].emplace(key, found);
  return found;
}

}  // namespace strata::text
