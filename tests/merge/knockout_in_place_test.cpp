// Striking items out of a list while it is walked, against the walk written out.
#include "merge/knockout_in_place.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ctime>

#include "strata/merge.hpp"

namespace strata::merge {
namespace {

struct Outcome {
  std::vector<std::string> left;
  std::vector<std::string> struck;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string told(std::size_t read, const std::string& item, const std::string& by) { return std::to_string(read) + " " + item + " by " + by; }

/// Specification 11.8, word by word.
Outcome written_out(std::vector<std::string> items, const std::string& prefix) {
  Outcome out;
  std::size_t written = 0;
  std::size_t read = 0;
  const std::size_t size = items.size();
  for (; read < items.size(); ++read) {
    const std::string item = items[read];
    if (!item.starts_with(prefix)) {
      items[written++] = item;
      continue;
    }
    const std::string target = item.substr(prefix.size());
    std::vector<std::string> staying;
    for (const std::string& other : items) {
      if (other == target || other == item) {
        out.struck.push_back(told(read, other, item));
      } else {
        staying.push_back(other);
      }
    }
    items = staying;
  }
  if (written != size) {
    read = std::min(read, items.size());
    if (written < read) items.erase(items.begin() + static_cast<std::ptrdiff_t>(written), items.begin() + static_cast<std::ptrdiff_t>(read));
  }
  out.left = items;
  return out;
}

Outcome walked(Arena& arena, const std::vector<std::string>& texts, const std::string& prefix) {
  std::vector<Traced> items;
  for (const std::string& text : texts) items.push_back({arena.text(text), {}});
  Outcome out;
  const ListOptions options{.knockout = prefix};
  StopCheck never(nullptr);
  const auto left = knock_out_in_place(items, Knockout(options, nullptr), never, [&out](std::size_t read, const Traced& item, const Traced& by) {
    out.struck.push_back(told(read, std::string(item.value.text()), std::string(by.value.text())));
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
  for (const auto& [items, left] : cases) EXPECT_EQ(walked(arena, items, "--").left, left) << ::testing::PrintToString(items);
}

RC_GTEST_PROP(SharedList, IsAsTheWalkWrittenOut, ()) {
  Arena arena;
  const auto item = rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::inRange(0, 5)), [](const std::pair<int, int>& drawn) {
    // About half have the prefix, some of them twice.
    static const std::vector<std::string> kPrefixes{"", "", "-", "--"};
    return kPrefixes.at(static_cast<std::size_t>(drawn.first)) + static_cast<char>('a' + drawn.second);
  });
  const auto items = *rc::gen::container<std::vector<std::string>>(item);
  RC_ASSERT(walked(arena, items, "-") == written_out(items, "-"));
}

TEST(SharedList, LongOnesTakeNoMinutes) {
  Arena arena;
  std::vector<std::string> items;
  for (int i = 0; i < 100'000; ++i) items.push_back((i % 2 == 0 ? "--" : "") + std::to_string(i));
  const std::clock_t begin = std::clock();
  EXPECT_EQ(walked(arena, items, "--").struck.size(), 50'000);
  EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);  // Processor time.
}

}  // namespace
}  // namespace strata::merge
