#include "hocon_resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/error.hpp"

namespace strata::text {
namespace {

using Kind = HoconNode::Kind;

constexpr std::size_t kNothing = static_cast<std::size_t>(-1);

std::string written(const HoconNode* reference) {
  std::string path;
  for (const std::string_view element : reference->path) path.append(path.empty() ? "" : ".").append(element);
  return path;
}

}  // namespace

HoconResolver::HoconResolver(const Sources& sources, SourceId source, const Limits& limits, HoconGraph& graph, HoconNode* root,
                             const HoconVariables& variables)
    : sources_(sources), source_(source), limits_(limits), graph_(graph), root_(root), variables_(variables) {}

void HoconResolver::check(const HoconNode* node) const {
  const auto fail = [&](const char* code, std::string message, const char* hint) {
    throw Error(code, std::move(message)).at(sources_, sources_.at(source_, node->offset)).hint(hint);
  };
  if (depth_ > limits_.depth)
    fail("limit.depth", fmt::format("substitutions and containers nested deeper than {} levels", limits_.depth),
         "raise the limit with --limit depth=LEVELS");
  if (graph_.work > limits_.steps)
    fail("limit.steps", fmt::format("the substitutions take more than {} steps", limits_.steps), "raise the limit with --limit steps=NUMBER");
}

HoconNode* HoconResolver::resolve(HoconNode* node) {
  if (!node->open) return node;
  if (node->is_resolved) return node->resolved;
  ++graph_.work;
  ++depth_;
  check(node);
  const std::size_t before = std::exchange(lowest_, kNothing);
  const std::size_t active = active_;
  HoconNode* const result = resolve_anew(node);
  if (lowest_ > active && result != loop()) {
    node->resolved = result;
    node->is_resolved = true;
  }
  lowest_ = std::min(lowest_, before);
  --depth_;
  return result;
}

HoconNode* HoconResolver::resolve_anew(HoconNode* node) {
  switch (node->kind) {
    case Kind::list:
      return resolve_list(node);
    case Kind::object:
      return resolve_object(node);
    case Kind::reference:
      return resolve_reference(node);
    case Kind::concatenation:
      return resolve_concatenation(node);
    case Kind::merge:
      return resolve_merge(node);
    default:
      return node;
  }
}

HoconNode* HoconResolver::resolve_list(HoconNode* node) {
  HoconNode* const list = graph_.make(Kind::list, node->offset);
  for (HoconNode* item : node->items) {
    HoconNode* const resolved = resolve(item);
    if (resolved == loop()) return loop();
    if (resolved != nullptr) list->items.push_back(resolved);
  }
  graph_.work += node->items.size();
  return list;
}

HoconNode* HoconResolver::resolve_object(HoconNode* node) {
  HoconNode* const object = graph_.make(Kind::object, node->offset);
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
  if (reference->activation != 0) {
    depend_on(reference);
    return loop();
  }
  reference->activation = ++active_;
  HoconNode* target = look_up(reference);
  if (target != nullptr && target != loop()) target = work(target);
  reference->activation = 0;
  --active_;
  if (target == loop() && reference->optional) return nullptr;
  if (target != nullptr && target != loop()) return target;
  if (target == nullptr && reference->optional) return nullptr;
  throw Error("hocon.substitution", target == nullptr ? fmt::format("the substitution ${{{}}} leads nowhere", written(reference))
                                                      : fmt::format("the substitution ${{{}}} leads back to itself", written(reference)))
      .at(sources_, sources_.at(source_, reference->offset))
      .hint(target == nullptr ? "${?..} is for keys that need not be there" : "");
}

HoconNode* HoconResolver::resolve_reference(HoconNode* node) {
  return following(node, [this](HoconNode* target) { return resolve(target); });
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
  throw Error("hocon.syntax", "a list or mapping in a row with something of another kind").at(sources_, sources_.at(source_, node->offset));
}

template <class Work>
HoconNode* HoconResolver::below(HoconNode* merge, std::size_t index, const Work& work) {
  HoconNode* const definition = merge->items[index];
  if (!definition->is_pending()) return work(definition);
  const std::size_t level = std::exchange(merge->level, index + 1);
  const std::size_t activation = std::exchange(merge->activation, ++active_);
  HoconNode* const result = work(definition);
  merge->level = level;
  merge->activation = activation;
  --active_;
  return result;
}

HoconNode* HoconResolver::resolve_merge(HoconNode* node) {
  if (node->level != 0) depend_on(node);
  HoconNode* merged = nullptr;
  for (std::size_t i = node->level; i < node->items.size() && (merged == nullptr || !merged->ends_stack()); ++i) {
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
    if (node == nullptr) break;
  }
  return node != nullptr ? node : variable(reference);
}

HoconNode* HoconResolver::variable(const HoconNode* reference) {
  if (!variables_) return nullptr;
  std::optional<std::string> value = variables_(written(reference));
  if (!value) return nullptr;
  HoconNode* const text = graph_.make(Kind::text, reference->offset);
  text->text = std::move(*value);
  text->quoted = true;
  return text;
}

HoconNode* HoconResolver::child(HoconNode* node, std::string_view key) {
  ++graph_.work;
  ++depth_;
  check(node);
  HoconNode* found = nullptr;
  if (node->kind == Kind::object) {
    const HoconField* const field = graph_.find(node, key);
    if (field != nullptr) found = field->value;
  } else if (node->kind == Kind::reference) {
    found = following(node,
                      [this, key](HoconNode* target) { return target->is_pending() || target->kind == Kind::object ? child(target, key) : nullptr; });
  } else if (node->kind == Kind::concatenation) {
    found = resolve(node);
    if (found != nullptr && found != loop()) found = child(found, key);
  } else if (node->kind == Kind::merge) {
    found = child_of_merge(node, key);
  }
  --depth_;
  return found;
}

HoconNode* HoconResolver::child_of_merge(HoconNode* merge, std::string_view key) {
  if (merge->level != 0) depend_on(merge);
  if (merge->level == 0) {
    const auto known = merge->children.find(key);
    if (known != merge->children.end()) return known->second;
  }
  HoconNode* found = nullptr;
  for (std::size_t i = merge->level; i < merge->items.size() && (found == nullptr || !found->ends_stack()); ++i) {
    if (!merge->items[i]->is_pending() && merge->items[i]->kind != Kind::object) break;
    HoconNode* const next = below(merge, i, [this, key](HoconNode* definition) { return child(definition, key); });
    if (next == loop()) return loop();
    if (next != nullptr) found = found == nullptr ? next : graph_.over(found, next);
  }
  if (merge->level == 0) merge->children.emplace(key, found);
  return found;
}

}  // namespace strata::text
