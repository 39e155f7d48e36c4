// SPDX-License-Identifier: Apache-2.0
#include "heat/young_generation.hpp"

#include <algorithm>
#include <span>

#include "strata/builder.hpp"

namespace strata::heat {
namespace {

#ifdef NDEBUG
constexpr std::size_t kFewNodes = 60'000;  ///< Two megabytes or so.
#else
constexpr std::size_t kFewNodes = 10;  // All tests go this way then.
#endif

const void* members_of(const Value& container) noexcept {
  return container.is_sequence() ? static_cast<const void*>(container.items().data()) : container.entries().data();
}

}  // namespace

bool YoungGeneration::is_full(std::size_t nodes) const noexcept {
  return nodes - cleared_at_ > std::max(kFewNodes, 4 * survivors_);
}

void YoungGeneration::begin(std::size_t nodes) noexcept { unshared_ = nodes - cleared_at_ + survivors_; }

// Recursion: bounded by Limits::depth, which the reader keeps.
Value YoungGeneration::keep(const Value& survivor) {
  ++copying_;
  if (!survivor.is_container() || survivor.size() == 0) return to_->deep_copy(survivor);
  // More than there is without sharing: aliases made one node of many.
  const bool may_be_shared = copying_ > unshared_;
  if (may_be_shared) {
    if (const auto known = copied_.find(members_of(survivor)); known != copied_.end()) {
      return known->second.with_origin(survivor.origin()).with_secret(survivor.is_secret());
    }
  }
  const Value copy = (survivor.is_sequence() ? copy_of_items(survivor) : copy_of_entries(survivor))
                         .with_origin(survivor.origin())
                         .with_secret(survivor.is_secret());
  if (may_be_shared) copied_.emplace(members_of(survivor), copy);
  return copy;
}

Value YoungGeneration::copy_of_items(const Value& sequence) {
  SequenceBuilder copy(*to_, sequence.size());
  for (const Value& item : sequence.items()) copy.append(keep(item));
  return copy.finish();
}

Value YoungGeneration::copy_of_entries(const Value& mapping) {
  const std::size_t first = entries_.size();
  for (const Entry& entry : mapping.entries()) {
    const Value key = entry.key.is_text() ? documents_.key(entry.key) : to_->key(keep(entry.key));
    entries_.push_back({key, keep(entry.value)});
  }
  const auto entries = std::span(entries_).subspan(first);
  Value copy;
  if (mapping.is_mapping()) {
    copy = to_->mapping(entries, Arena::equality(mapping));
  } else {
    MappingBuilder set = MappingBuilder::set(*to_, Arena::equality(mapping), entries.size());
    for (const Entry& entry : entries) set.insert(entry.key, entry.value);
    copy = set.finish();
  }
  entries_.resize(first);
  return copy;
}

void YoungGeneration::clear(std::size_t nodes) noexcept {
  eden_->clear();
  adopted_->clear();
  from_->clear();
  std::swap(from_, to_);
  copied_.clear();
  survivors_ = copying_;
  copying_ = 0;
  cleared_at_ = nodes;
}

}  // namespace strata::heat
