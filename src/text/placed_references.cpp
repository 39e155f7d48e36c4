// SPDX-License-Identifier: Apache-2.0
#include "text/placed_references.hpp"

#include "strata/builder.hpp"
#include "strata/stack.hpp"

namespace strata::text {

PlacedReferences::PlacedReferences(const Document& document, const Sources& texts, const ReferenceGrammar& grammar,
                                   const Limits& limits)
    : arena_(*document.arena),
      grammar_(grammar),
      limits_(limits),
      stop_(limits.stop),
      has_aliases_(texts.text(document.source).find('*') != std::string_view::npos) {}

// Recursion: bounded by the depth of documents.
Value PlacedReferences::placed(const Value& value, bool is_merged) {
  const bool is_text = value.is_text();
  if (is_text ? !may_refer(value.text(), grammar_)
              : !value.is_container() || value.size() == 0 || value.kind() == Kind::set)
    return value;
  check_stack(limits_);
  stop_.tick();
  if (!has_aliases_) return made(value, is_merged);
  // Aliases hold one value in many places.
  const void* const node = is_text               ? value.text().data()
                           : value.is_sequence() ? static_cast<const void*>(value.items().data())
                                                 : value.entries().data();
  const std::pair place(node, is_merged);
  auto known = placed_.find(place);
  if (known == placed_.end()) known = placed_.emplace(place, made(value, is_merged)).first;
  return known->second.with_origin(value.origin());
}

Value PlacedReferences::made(const Value& value, bool is_merged) {
  if (is_merged && value.is_mapping()) return merged(value);
  if (!value.is_text()) {
    return with_members(arena_, value, [this](const Value& member) { return placed(member, false); });
  }
  const Value made = referring(value);
  if (const Reference* reference = reference_of(made)) {
    if (limits_.stop != nullptr) limits_.stop->take_memory(reference->bytes());
    bytes_ += reference->bytes();
  }
  return made;
}

}  // namespace strata::text
