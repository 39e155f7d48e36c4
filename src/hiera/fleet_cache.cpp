// SPDX-License-Identifier: Apache-2.0
#include "fleet_cache.hpp"

#include "strata/text.hpp"

namespace strata::hiera {
namespace {

constexpr std::size_t kMostStates = std::size_t{1} << 20U;
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

}  // namespace

KeyTable::Id KeyTable::intern(std::string_view text) {
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  const Id id = size();
  Name& name = names_.emplace_back();
  name.text = text;
  text::append_json_text(name.json, text);
  name.json += ": ";
  ids_.emplace(name.text, id);
  return id;
}

void KeyTable::shrink(Id size) {
  while (names_.size() > size) {
    ids_.erase(names_.back().text);
    names_.pop_back();
  }
}

std::size_t ResultTree::slot_of(std::uint64_t from_and_step) const noexcept {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  constexpr unsigned kHalf = 32;
  const std::uint64_t mixed = from_and_step * kOdd;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = (mixed ^ mixed >> kHalf) & mask;
  while (slots_[slot].to != kRoot && slots_[slot].from_and_step != from_and_step) slot = (slot + 1) & mask;
  return slot;
}

ResultTree::State ResultTree::next(State from, Step step) {
  constexpr unsigned kHalf = 32;
  const std::uint64_t wanted = std::uint64_t{from} << kHalf | step;
  Slot& slot = slots_[slot_of(wanted)];
  if (slot.to != kRoot) return slot.to;
  const auto made = static_cast<State>(results_.size());
  slot = {.from_and_step = wanted, .to = made};
  results_.emplace_back();
  if (results_.size() * 2 > slots_.size()) grow();
  return made;
}

void ResultTree::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.to != kRoot) slots_[slot_of(slot.from_and_step)] = slot;
  }
}

bool ResultTree::is_full() const noexcept { return results_.size() > kMostStates || arena_->bytes() > kMostBytes; }

void ResultTree::clear() {
  constexpr std::size_t kFirst = 1024;
  slots_.assign(kFirst, {});
  results_.assign(1, {});
  arena_ = std::make_unique<Arena>();
  owners_.clear();
}

SharedFile& FleetCache::file(const SearchedSource& searched, const DataFile& file) {
  const auto [known, is_new] = files_.try_emplace({&file, searched.place});
  SharedFile& shared = known->second;
  if (!is_new) return shared;
  shared.step = static_cast<ResultTree::Step>(files_.size());
  for (const Entry& entry : file.root().entries()) {
    if (!entry.key.is_text()) continue;
    const std::string_view name = entry.key.text();
    const bool is_plain = file.content(entry) == Content::plain;
    if (name == kLookupOptions) {
      shared.has_options = true;
      shared.options_are_plain = is_plain;
    } else if (name.starts_with(searched.prefix)) {
      shared.keys.push_back({.id = keys.intern(name), .is_plain = is_plain});
    }
  }
  return shared;
}

void FleetCache::trim() {
  constexpr KeyTable::Id kMostKeys = KeyTable::Id{1} << 20U;
  if (!results.is_full() && keys.size() < kMostKeys) return;
  keys.shrink(0);
  results.clear();
  options.clear();
  files_.clear();
}

}  // namespace strata::hiera
