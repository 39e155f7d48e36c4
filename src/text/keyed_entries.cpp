// SPDX-License-Identifier: Apache-2.0
#include "keyed_entries.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "strata/path.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kFew = 16;  ///< Up to here sorting by insertion is the fastest.

struct Keyed {
  std::string text;
  const Entry* entry;
};

bool has_text_keys_only(const Value& mapping) {
  return std::ranges::all_of(mapping.entries(), [](const Entry& entry) { return entry.key.is_text(); });
}

std::vector<Keyed> sorted_texts(const Value& mapping) {
  std::vector<Keyed> keyed;
  keyed.reserve(mapping.size());
  for (const Entry& entry : mapping.entries()) keyed.push_back({key_text(entry.key), &entry});
  std::ranges::stable_sort(keyed, {}, &Keyed::text);
  return keyed;
}

}  // namespace

void append_sorted_by_key_text(const Value& mapping, std::vector<const Entry*>& sorted) {
  if (!has_text_keys_only(mapping)) {
    for (const Keyed& keyed : sorted_texts(mapping)) sorted.push_back(keyed.entry);
    return;
  }
  // The order of UTF-8 bytes is the order of code points.
  const auto text = [](const Entry* entry) { return entry->key.text(); };
  const auto begin = static_cast<std::ptrdiff_t>(sorted.size());
  if (mapping.size() > kFew) {
    for (const Entry& entry : mapping.entries()) sorted.push_back(&entry);
    const auto before = [&text](const Entry* one, const Entry* other) { return text(one) < text(other); };
    if (!std::is_sorted(sorted.begin() + begin, sorted.end(), before))
      std::stable_sort(sorted.begin() + begin, sorted.end(), before);
    return;
  }
  for (const Entry& entry : mapping.entries()) {
    sorted.push_back(&entry);
    for (auto at = sorted.end() - 1; at != sorted.begin() + begin && text(*at) < text(*std::prev(at)); --at)
      std::swap(*at, *std::prev(at));
  }
}

std::vector<const Entry*> sorted_by_key_text(const Value& mapping) {
  std::vector<const Entry*> sorted;
  sorted.reserve(mapping.size());
  append_sorted_by_key_text(mapping, sorted);
  return sorted;
}

const Entry* find_key_collision(const Value& mapping) {
  const std::vector<Keyed> keyed = sorted_texts(mapping);
  const auto same = std::ranges::adjacent_find(keyed, {}, &Keyed::text);
  return same == keyed.end() ? nullptr : std::next(same)->entry;
}

}  // namespace strata::text
