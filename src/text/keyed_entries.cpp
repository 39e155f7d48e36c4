#include "keyed_entries.hpp"

#include <algorithm>
#include <string>

#include "strata/path.hpp"

namespace strata::text {
namespace {

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

std::vector<const Entry*> sorted_by_key_text(const Value& mapping) {
  std::vector<const Entry*> sorted;
  sorted.reserve(mapping.size());
  if (has_text_keys_only(mapping)) {
    // The order of UTF-8 bytes is the order of code points.
    const auto text = [](const Entry* entry) { return entry->key.text(); };
    for (const Entry& entry : mapping.entries()) sorted.push_back(&entry);
    if (!std::ranges::is_sorted(sorted, {}, text)) std::ranges::stable_sort(sorted, {}, text);
  } else {
    for (const Keyed& keyed : sorted_texts(mapping)) sorted.push_back(keyed.entry);
  }
  return sorted;
}

const Entry* find_key_collision(const Value& mapping) {
  const std::vector<Keyed> keyed = sorted_texts(mapping);
  const auto same = std::ranges::adjacent_find(keyed, {}, &Keyed::text);
  return same == keyed.end() ? nullptr : std::next(same)->entry;
}

}  // namespace strata::text
