// SPDX-License-Identifier: Apache-2.0
#include "bindings/composition/key_index.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include "bindings/composition/plan.hpp"

namespace strata::bindings {
namespace {

using KeyEntry = KeyIndex::Entry;

constexpr std::size_t kWanted = 64;  ///< Bindings of a part.

const Binding& binding_of(const PlannedDocuments& documents, const KeyEntry& entry) noexcept {
  return documents[entry.binding.document]->prepared->bindings[entry.binding.binding];
}

KeyText key_text_of(const PlannedDocuments& documents, const KeyEntry& entry) noexcept {
  return key_text(*documents[entry.binding.document]->prepared, binding_of(documents, entry));
}

std::strong_ordering compare_keys(const KeyText& left, const KeyText& right) noexcept {
  return std::tie(left.name, left.type) <=> std::tie(right.name, right.type);
}

/// By hash, then by key, then by place.
struct Before {
  const PlannedDocuments& documents;
  bool operator()(const KeyEntry& left, const KeyEntry& right) const noexcept {
    if (left.hash != right.hash) return left.hash < right.hash;
    const auto order = compare_keys(key_text_of(documents, left), key_text_of(documents, right));
    return order != 0 ? order < 0 : left.binding < right.binding;
  }
};

bool have_one_key(const PlannedDocuments& documents, const KeyEntry& left, const KeyEntry& right) noexcept {
  return left.hash == right.hash && key_text_of(documents, left) == key_text_of(documents, right);
}

/// Finds the first bindings of keys among sorted entries.
void mark_first(const PlannedDocuments& documents, std::span<KeyEntry> entries) noexcept {
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i].is_first = i == 0 || !have_one_key(documents, entries[i - 1], entries[i]);
}

/// Does so for entries of one hash that are sorted by place, and calls `use` with those of each key that has several.
void group(const PlannedDocuments& documents, std::span<KeyEntry> entries, const KeyIndex::Use& use) {
  bool is_one_key = true;
  for (KeyEntry& next : entries.subspan(1)) {
    next.is_first = !have_one_key(documents, entries.front(), next);
    is_one_key = is_one_key && !next.is_first;
  }
  if (is_one_key) return use(entries);
  std::sort(entries.begin(), entries.end(), Before{documents});
  mark_first(documents, entries);
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t end = i + 1;
    while (end < entries.size() && !entries[end].is_first) ++end;
    if (end - i > 1) use(entries.subspan(i, end - i));
    i = end;
  }
}

}  // namespace

bool KeyIndex::have_same_keys(const Prepared& left, const Prepared& right) noexcept {
  return std::equal(left.bindings.begin(), left.bindings.end(), right.bindings.begin(), right.bindings.end(),
                    [&](const Binding& one, const Binding& other) {
                      return one.hash == other.hash && key_text(left, one) == key_text(right, other);
                    });
}

KeyIndex::KeyIndex(const PlannedDocuments& documents, const Use& use_repeated) {
  std::vector<std::size_t> first_bindings;  // By document, among all bindings.
  first_bindings.reserve(documents.size());
  std::size_t bindings = 0;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    first_bindings.push_back(bindings);
    bindings += documents[d]->prepared->bindings.size();
  }
  const std::size_t parts = std::bit_ceil(std::max<std::size_t>(bindings / kWanted, 1));
  shift_ = 32U - static_cast<unsigned>(std::countr_zero(parts));
  std::vector<std::uint32_t> sizes(parts);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    for (const Binding& binding : documents[d]->prepared->bindings) ++sizes[part_of(binding.hash)];
  }
  std::vector<std::shared_ptr<Part>> made(parts);
  for (std::size_t i = 0; i < parts; ++i) {
    made[i] = std::make_shared<Part>();
    made[i]->reserve(sizes[i]);
  }
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    const std::vector<Binding>& all = documents[d]->prepared->bindings;
    for (std::uint32_t i = 0; i < all.size(); ++i)
      made[part_of(all[i].hash)]->push_back({.hash = all[i].hash, .binding = {d, i}});
  }
  // Texts are looked at only where hashes are the same, and in the order of documents: bindings of a key tend to be
  // near each other.
  std::vector<std::span<KeyEntry>> of_one_hash;
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> first_of(bindings, kNone);  // By binding: among `of_one_hash`.
  for (const auto& part : made) {
    std::sort(part->begin(), part->end(), [](const KeyEntry& left, const KeyEntry& right) {
      return left.hash != right.hash ? left.hash < right.hash : left.binding < right.binding;
    });
    for (auto first = part->begin(); first != part->end();) {
      const auto last =
          std::find_if(first + 1, part->end(), [first](const KeyEntry& entry) { return entry.hash != first->hash; });
      if (last - first > 1) {
        first_of[first_bindings[first->binding.document] + first->binding.binding] =
            static_cast<std::uint32_t>(of_one_hash.size());
        of_one_hash.emplace_back(first, last);
      }
      first = last;
    }
  }
  for (const std::uint32_t number : first_of) {
    if (number != kNone) group(documents, of_one_hash[number], use_repeated);
  }
  parts_ = std::make_shared<const Parts>(std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
}

KeyIndex::KeyIndex(const KeyIndex& index, const PlannedDocuments& before, const PlannedDocuments& documents,
                   std::span<const std::uint32_t> replaced)
    : parts_(index.parts_), shift_(index.shift_) {
  if (replaced.empty()) return;
  auto parts = std::make_shared<Parts>(*index.parts_);
  std::vector<std::size_t> touched;
  Part added;
  for (const std::uint32_t d : replaced) {
    for (const Binding& binding : before[d]->prepared->bindings) touched.push_back(part_of(binding.hash));
    const std::vector<Binding>& all = documents[d]->prepared->bindings;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      touched.push_back(part_of(all[i].hash));
      added.push_back({.hash = all[i].hash, .binding = {d, i}});
    }
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  std::sort(added.begin(), added.end(), Before{documents});
  auto next = added.begin();
  Part kept;
  for (const std::size_t number : touched) {
    kept.clear();
    const Part& part = *(*parts)[number];
    std::copy_if(part.begin(), part.end(), std::back_inserter(kept), [&](const KeyEntry& entry) {
      return !std::binary_search(replaced.begin(), replaced.end(), entry.binding.document);
    });
    const auto end =
        std::find_if(next, added.end(), [&](const KeyEntry& entry) { return part_of(entry.hash) != number; });
    auto made = std::make_shared<Part>();
    made->reserve(kept.size() + static_cast<std::size_t>(end - next));
    std::merge(kept.begin(), kept.end(), next, end, std::back_inserter(*made), Before{documents});
    mark_first(documents, *made);
    (*parts)[number] = std::move(made);
    next = end;
  }
  parts_ = std::move(parts);
}

std::span<const KeyEntry> KeyIndex::find(const PlannedDocuments& documents, const KeyText& key,
                                         std::uint32_t hash) const noexcept {
  if (!parts_) return {};
  const Part& part = *(*parts_)[part_of(hash)];
  auto begin = std::lower_bound(part.begin(), part.end(), hash,
                                [](const KeyEntry& entry, std::uint32_t wanted) { return entry.hash < wanted; });
  if (begin == part.end() || begin->hash != hash) return {};
  const auto last = std::find_if(begin, part.end(), [hash](const KeyEntry& entry) { return entry.hash != hash; });
  if (last - begin > 1) {
    begin = std::lower_bound(begin, last, key, [&](const KeyEntry& entry, const KeyText& wanted) {
      return compare_keys(key_text_of(documents, entry), wanted) < 0;
    });
  }
  if (begin == last || key_text_of(documents, *begin) != key) return {};
  const auto end = std::find_if(begin + 1, last, [](const KeyEntry& entry) { return entry.is_first; });
  return {begin, end};
}

bool KeyIndex::suits(std::size_t bindings) const noexcept {
  constexpr std::size_t kFactor = 8;
  const std::size_t parts = std::bit_ceil(std::max<std::size_t>(bindings / kWanted, 1));
  return parts_ && parts <= parts_->size() * kFactor && parts_->size() <= parts * kFactor;
}

}  // namespace strata::bindings
