// SPDX-License-Identifier: Apache-2.0
// Laws that hold for all values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "support/generators.hpp"
#include "value/growable.hpp"

namespace strata {
namespace {

using testing::Sample;

bool has_nan(const Value& value) {
  if (value.kind() == Kind::floating) return std::isnan(value.as_floating());
  if (value.is_sequence()) return std::ranges::any_of(value.items(), has_nan);
  if (value.is_container())
    return std::ranges::any_of(value.entries(),
                               [](const Entry& entry) { return has_nan(entry.key) || has_nan(entry.value); });
  return false;
}

RC_GTEST_PROP(Values, EqualThemselvesAndTheirCopies, (const Sample& sample)) {
  // Under Python's equality a key that is not-a-number is never found.
  RC_PRE(!has_nan(sample.value));
  Arena arena;
  const Value copy = arena.deep_copy(sample.value);
  RC_ASSERT(equal(sample.value, sample.value));
  RC_ASSERT(identical(sample.value, copy));
  RC_ASSERT(equal(copy, sample.value));
}

RC_GTEST_PROP(Values, EqualityIsSymmetric, (const Sample& left, const Sample& right)) {
  RC_ASSERT(equal(left.value, right.value) == equal(right.value, left.value));
  RC_ASSERT(!identical(left.value, right.value) || testing::show(left.value) == testing::show(right.value));
}

RC_GTEST_PROP(Mappings, FindEveryKey, ()) {
  const Sample sample = *testing::any_mapping({.depth = 1, .width = 60, .finite = true});
  const auto entries = sample.value.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    RC_ASSERT(sample.value.find(entries[i].key) == &entries[i].value);
    RC_ASSERT(Arena::index_of(sample.value, entries[i].key) == i);
    if (entries[i].key.is_text()) RC_ASSERT(sample.value.find(entries[i].key.text()) == &entries[i].value);
  }
}

RC_GTEST_PROP(Mappings, ErasingIsTheSameAsNotKeeping, ()) {
  const Sample sample = *testing::any_mapping({.depth = 1, .width = 40, .finite = true});
  const auto flags = *rc::gen::container<std::vector<bool>>(sample.value.size(), rc::gen::arbitrary<bool>());
  Arena arena;
  MappingBuilder erased = MappingBuilder::copy_of(arena, sample.value);
  const Value kept = Growable::copy(arena, sample.value);
  const std::unique_ptr<bool[]> keep(new bool[flags.size() + 1]);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    keep[i] = flags[i];
    if (!flags[i]) RC_ASSERT(erased.erase(sample.value.entries()[i].key));
  }
  Growable::keep_entries(arena, kept, {keep.get(), flags.size()});
  RC_ASSERT(identical(erased.finish(), kept));
}

RC_GTEST_PROP(Sequences, BehaveAsVectorsDo, (const std::vector<std::pair<std::uint8_t, std::uint8_t>>& edits)) {
  Arena arena;
  const Value sequence = Growable::sequence(arena, 0);
  std::vector<std::int64_t> model;
  std::int64_t next = 0;
  for (const auto& [kind, where] : edits) {
    const Value item = Value::integer(++next);
    const std::size_t index = model.empty() ? 0 : where % model.size();
    const auto place = model.begin() + static_cast<std::ptrdiff_t>(index);
    switch (kind % 5) {
      case 0:
        Growable::append(arena, sequence, item);
        model.push_back(next);
        break;
      case 1:
        Growable::prepend(arena, sequence, std::span(&item, 1));
        model.insert(model.begin(), next);
        break;
      case 2:
        Growable::insert_at(arena, sequence, index, item);
        model.insert(place, next);
        break;
      case 3:
        if (model.empty()) break;
        Growable::erase_at(sequence, index);
        model.erase(place);
        break;
      default:
        if (model.empty()) break;
        Growable::replace(sequence, index, item);
        *place = next;
    }
  }
  RC_ASSERT(sequence.size() == model.size());
  for (std::size_t i = 0; i < model.size(); ++i) RC_ASSERT(sequence.items()[i].as_integer() == model[i]);
}

RC_GTEST_PROP(Floats, ReadBackAsTheSameNumber, (double number)) {
  const std::string text = float_text(number);
  RC_ASSERT(text.find('.') != std::string::npos);
  RC_ASSERT(std::strtod(text.c_str(), nullptr) == number);
}

RC_GTEST_PROP(Pointers, SplitIntoTheKeysThatTheyWereMadeOf, ()) {
  const auto keys = *rc::gen::container<std::vector<std::string>>(testing::any_text());
  Arena arena;
  Path path;
  for (const std::string& key : keys) path.push(arena.text(key));
  RC_ASSERT(parse_pointer(path.pointer()) == keys);
}

}  // namespace
}  // namespace strata
