// SPDX-License-Identifier: Apache-2.0
#include "text/hocon/node.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "text/repeated_keys.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kIndexed = 16;  ///< From so many fields on there is an index.
constexpr std::size_t kBytesAStep = 16;

}  // namespace

bool HoconNode::ends_stack() const noexcept {
  if (kind == HoconNodeKind::object) return hides_below;
  if (kind == HoconNodeKind::merge) return items.back()->ends_stack();
  return !is_pending() && !(kind == HoconNodeKind::list && open);
}

HoconNode* HoconGraph::make(HoconNodeKind kind, std::size_t offset) {
  constexpr std::size_t kSteps = 4;  // Nodes take memory.
  work += kSteps;
  HoconNode* const node = &nodes_.emplace_back();
  node->kind = kind;
  node->offset = offset;
  node->open = node->is_pending();
  return node;
}

/// `path = ${path}":more"` and `port = ${?PORT}` need the earlier definition, objects are merged; anything else hides
/// it.
void HoconGraph::note_repeated(const HoconField& earlier, const HoconNode* value, std::size_t offset) {
  const bool hides_scalar = value->kind == HoconNodeKind::object && !earlier.value->is_pending() &&
                            earlier.value->kind != HoconNodeKind::object;
  if (!value->ends_stack() && !hides_scalar) return;
  if (repeated.size() >= kMostRepeatedKeys) return;
  repeated.push_back({.key = earlier.key, .earlier = earlier.offset, .later = offset, .is_secret = secret_levels != 0});
}

const HoconField* HoconGraph::find(const HoconNode* object, std::string_view key) const {
  const auto& fields = object->fields;
  if (fields.size() < kIndexed) {
    const auto found = std::ranges::find(fields, key, &HoconField::key);
    return found != fields.end() ? &*found : nullptr;
  }
  auto& index = indexes_[object];
  for (std::size_t i = index.size(); i < fields.size(); ++i) index.emplace(fields[i].key, i);
  const auto found = index.find(key);
  return found != index.end() ? &fields[found->second] : nullptr;
}

void HoconGraph::set_field(HoconNode* object, std::string_view key, std::size_t offset, HoconNode* value) {
  ++work;
  const HoconField* const existing = find(object, key);
  if (existing == nullptr) {
    object->fields.push_back({key, offset, value});
    object->open = object->open || value->open;
    return;
  }
  HoconField& field = object->fields[static_cast<std::size_t>(existing - object->fields.data())];
  if (notes_repeated) note_repeated(field, value, offset);
  const std::size_t level = notes_repeated && secret_keys != nullptr && secret_keys->has(key) ? 1 : 0;
  secret_levels += level;
  field.value = over(value, field.value);
  secret_levels -= level;
  // What was open below may be gone: then it is only resolved once more than needed.
  object->open = object->open || field.value->open;
}

HoconNode* HoconGraph::append(HoconNode* existing, HoconNode* list, const std::vector<std::string_view>& path) {
  const HoconNode* misfit = nullptr;
  if (existing->kind == HoconNodeKind::list) return join(existing, list, misfit);
  if (existing->kind != HoconNodeKind::concatenation || existing->items.size() != 2 ||
      existing->items[1]->kind != HoconNodeKind::list)
    return nullptr;
  const HoconNode* const reference = existing->items[0];
  if (reference->kind != HoconNodeKind::reference || !reference->optional || reference->path != path) return nullptr;
  existing->items[1] = join(existing->items[1], list, misfit);
  return existing;
}

HoconNode* HoconGraph::over(HoconNode* top, HoconNode* below) {
  if (top == below) return top;
  if (top->ends_stack()) return top;
  if (top->kind != HoconNodeKind::object || below->is_pending()) return stack(top, below);
  if (below->kind == HoconNodeKind::object) return merge_objects(top, below);
  if (top->open) return stack(top, below);
  HoconNode* const hiding = make(HoconNodeKind::object, top->offset);
  hiding->fields = top->fields;
  hiding->hides_below = true;
  work += top->fields.size();
  return hiding;
}

HoconNode* HoconGraph::stack(HoconNode* top, HoconNode* below) {
  HoconNode* const made = make(HoconNodeKind::merge, top->offset);
  for (HoconNode* node : {top, below}) {
    if (node->kind == HoconNodeKind::merge)
      made->items.insert(made->items.end(), node->items.begin(), node->items.end());
    else
      made->items.push_back(node);
  }
  work += made->items.size();
  return made;
}

HoconNode* HoconGraph::merge_objects(HoconNode* top, HoconNode* below) {
  HoconNode* const merged = make(HoconNodeKind::object, top->offset);
  merged->fields = below->fields;
  merged->open = below->open;
  merged->hides_below = below->hides_below;
  work += below->fields.size();
  for (const HoconField& field : top->fields) set_field(merged, field.key, field.offset, field.value);
  return merged;
}

/// An object whose keys are numbers stands for a list in their order; any other is what it is.
HoconNode* HoconGraph::list_of(HoconNode* object) {
  std::map<long, HoconNode*> ordered;
  for (const HoconField& field : object->fields) {
    long number = -1;
    const auto [end, status] = std::from_chars(field.key.data(), field.key.data() + field.key.size(), number);
    if (status == std::errc{} && end == field.key.data() + field.key.size() && number >= 0)
      ordered.emplace(number, field.value);
  }
  work += object->fields.size();
  if (ordered.empty()) return object;
  HoconNode* const list = make(HoconNodeKind::list, object->offset);
  for (const auto& [number, value] : ordered) list->items.push_back(value);
  list->open = object->open;
  return list;
}

/// Null where the two cannot be joined yet.
HoconNode* HoconGraph::join(HoconNode* left, HoconNode* right, const HoconNode*& misfit) {
  if (left->kind == HoconNodeKind::object && right->kind == HoconNodeKind::list) left = list_of(left);
  if (left->kind == HoconNodeKind::list && right->kind == HoconNodeKind::object) right = list_of(right);
  if (left->kind == HoconNodeKind::object && right->kind == HoconNodeKind::object) return over(right, left);
  if (left->kind == HoconNodeKind::list && right->kind == HoconNodeKind::list) {
    HoconNode* const both = make(HoconNodeKind::list, left->offset);
    both->items = left->items;
    both->items.insert(both->items.end(), right->items.begin(), right->items.end());
    both->open = left->open || right->open;
    work += both->items.size();
    return both;
  }
  // Text without quotes behind a list or an object is lost, as in the reference, which means to leave out white space
  // only.
  if (left->is_container() && right->kind == HoconNodeKind::text && !right->quoted) return left;
  if (left->is_pending() || right->is_pending()) return nullptr;
  if (left->is_container() || right->is_container()) {
    misfit = right;
    return nullptr;
  }
  HoconNode* const both = make(HoconNodeKind::text, left->offset);
  both->text = left->text + right->text;
  both->quoted = true;
  both->is_secret = left->is_secret || right->is_secret;
  work += both->text.size() / kBytesAStep;
  return both;
}

bool HoconGraph::extend(HoconNode* own, const HoconNode* right) {
  if (own->kind == HoconNodeKind::list && right->kind == HoconNodeKind::list) {
    own->items.insert(own->items.end(), right->items.begin(), right->items.end());
    own->open = own->open || right->open;
    work += right->items.size();
    return true;
  }
  if (own->kind != HoconNodeKind::text || right->is_container() || right->is_pending()) return false;
  own->text += right->text;
  own->is_secret = own->is_secret || right->is_secret;
  work += 1 + right->text.size() / kBytesAStep;
  return true;
}

HoconNode* HoconGraph::concatenate(const std::vector<HoconNode*>& pieces, const HoconNode*& misfit) {
  std::vector<HoconNode*> joined;
  const HoconNode* own =
      nullptr;  // Made here, so that it may grow: otherwise many pieces would take the square of their number.
  for (HoconNode* piece : pieces) {
    if (own != nullptr && joined.back() == own && extend(joined.back(), piece)) continue;
    HoconNode* const both = joined.empty() ? nullptr : join(joined.back(), piece, misfit);
    if (misfit != nullptr) return nullptr;
    if (both != nullptr) {
      if (both != joined.back()) own = both;
      joined.back() = both;
    } else {
      joined.push_back(piece);
    }
  }
  if (joined.empty()) return nullptr;
  if (joined.size() == 1) return joined.front();
  HoconNode* const made = make(HoconNodeKind::concatenation, joined.front()->offset);
  made->items = std::move(joined);
  return made;
}

}  // namespace strata::text
