// SPDX-License-Identifier: Apache-2.0
// Striking items out of a list while it is walked, against the walk written out.
#include "merge/knockout_in_place.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ctime>

#include "strata/merge.hpp"

namespace strata::merge {
namespace {

struct KnockoutResult {
  std::vector<std::string> left;
  std::vector<std::string> struck;
  friend bool operator==(const KnockoutResult&, const KnockoutResult&) = default;
};

std::string struck_line(std::size_t index, const std::string& item, const std::string& by) {
  return std::to_string(index) + " " + item + " by " + by;
}

/// Specification 11.8, word by word. Each struck item is recorded once. An item that knocks out only itself is recorded
/// as empty, struck by that item; one that the walk loses is recorded at its own index, struck by an empty name.
KnockoutResult written_out(const std::vector<std::string>& texts, const std::string& prefix) {
  KnockoutResult out;
  std::size_t written = 0;
  std::size_t read = 0;
  const std::size_t size = texts.size();
  std::vector<std::size_t> items;  // By their indexes at the beginning.
  for (std::size_t i = 0; i < size; ++i) items.push_back(i);
  std::vector<bool> is_recorded(size);
  for (; read < items.size(); ++read) {
    const std::size_t own = items[read];
    const std::string& item = texts[own];
    if (!item.starts_with(prefix)) {
      items[written++] = own;
      continue;
    }
    const std::string target = item.substr(prefix.size());
    std::vector<std::size_t> staying;
    const std::size_t before = out.struck.size();
    for (const std::size_t other : items) {
      if (texts[other] != target && texts[other] != item) {
        staying.push_back(other);
        continue;
      }
      if (!is_recorded[other] && other != own) out.struck.push_back(struck_line(read, texts[other], item));
      is_recorded[other] = true;
    }
    if (out.struck.size() == before) out.struck.push_back(struck_line(read, {}, item));
    items = staying;
  }
  if (written != size) {
    read = std::min(read, items.size());
    if (written < read)
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(written),
                  items.begin() + static_cast<std::ptrdiff_t>(read));
  }
  for (const std::size_t item : items) {
    out.left.push_back(texts[item]);
    is_recorded[item] = true;
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (!is_recorded[i]) out.struck.push_back(struck_line(i, texts[i], {}));
  }
  return out;
}

KnockoutResult walked(Arena& arena, const std::vector<std::string>& texts, const std::string& prefix) {
  std::vector<Traced> items;
  for (const std::string& text : texts) items.push_back({arena.text(text), {}});
  KnockoutResult out;
  const ListOptions options{.knockout = prefix};
  StopCheck never(nullptr);
  const auto text = [](const Traced& item) { return item.value ? std::string(item.value.text()) : std::string(); };
  const auto left = knock_out_in_place(items, Knockout(options, nullptr), never,
                                       [&](std::size_t index, const Traced& item, const Traced& by) {
                                         out.struck.push_back(struck_line(index, text(item), text(by)));
                                       });
  for (const Traced& item : left) out.left.emplace_back(item.value.text());
  return out;
}

TEST(SharedList, LosesWhatTheSpecificationSays) {
  using Texts = std::vector<std::string>;
  const std::vector<std::pair<Texts, Texts>> cases{
      {{"--a", "x"}, {}},
      {{"x", "--a"}, {"x"}},
      {{"x", "--a", "y", "z"}, {"x", "z"}},
      {{"--a", "x", "--b", "y"}, {}},
      {{"a", "--a", "b", "--b", "c", "d"}, {"b", "c", "d"}},
      {{"x", "y"}, {"x", "y"}},
      {{}, {}},
  };
  Arena arena;
  for (const auto& [items, left] : cases)
    EXPECT_EQ(walked(arena, items, "--").left, left) << ::testing::PrintToString(items);
}

RC_GTEST_PROP(SharedList, IsAsTheWalkWrittenOut, ()) {
  Arena arena;
  const auto item =
      rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::inRange(0, 5)), [](const std::pair<int, int>& drawn) {
        // About half have the prefix, some of them twice.
        static const std::vector<std::string> kPrefixes{"", "", "-", "--"};
        return kPrefixes.at(static_cast<std::size_t>(drawn.first)) + static_cast<char>('a' + drawn.second);
      });
  const auto items = *rc::gen::container<std::vector<std::string>>(item);
  RC_ASSERT(walked(arena, items, "-") == written_out(items, "-"));
}

TEST(SharedList, TellsWhatItLoses) {
  Arena arena;
  using Texts = std::vector<std::string>;
  EXPECT_EQ(walked(arena, {"--x", "y"}, "--").struck, (Texts{"0  by --x", "1 y by "}));
  EXPECT_EQ(walked(arena, {"x", "--a", "y", "z"}, "--").struck, (Texts{"1  by --a", "2 y by "}));
  EXPECT_EQ(walked(arena, {"x", "--x", "--x"}, "--").struck, (Texts{"1 x by --x", "1 --x by --x"}));
}

TEST(SharedList, LongOnesTakeNoMinutes) {
  Arena arena;
  std::vector<std::string> items;
  for (int i = 0; i < 100'000; ++i) items.push_back((i % 2 == 0 ? "--" : "") + std::to_string(i));
  const std::clock_t begin = std::clock();
  EXPECT_EQ(walked(arena, items, "--").struck.size(), 100'000);  // One half is lost.
  EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);          // Processor time.
}

}  // namespace
}  // namespace strata::merge
