// SPDX-License-Identifier: Apache-2.0
#include "service/sites/answers.hpp"

#include <gtest/gtest.h>

#include "service/sites/usage.hpp"

namespace strata::service::sites {
namespace {

Answers::Kept kept_body(const std::string& body) {
  return {.tag = "\"t\"", .body = std::make_shared<const std::string>(body)};
}

TEST(Answers, AreFoundByStateAndQuestion) {
  Answers answers;
  answers.keep(1, "a", kept_body("one"));
  answers.keep(2, "a", kept_body("two"));
  answers.keep(1, "a", kept_body("later"));  // There is one.
  ASSERT_TRUE(answers.find(1, "a"));
  EXPECT_EQ(*answers.find(1, "a")->body, "one");
  EXPECT_EQ(*answers.find(2, "a")->body, "two");
  EXPECT_FALSE(answers.find(1, "b"));
  EXPECT_FALSE(answers.find(3, "a"));
}

TEST(Answers, OfAStateGoWithIt) {
  Answers answers;
  answers.keep(1, "a", kept_body("one"));
  const std::size_t before = answers.bytes();
  for (int i = 0; i < 100; ++i) answers.keep(2, std::to_string(i), kept_body(std::string(1000, 'x')));
  EXPECT_GT(answers.bytes(), before + 100'000);
  answers.drop(2);
  answers.drop(3);
  EXPECT_EQ(answers.bytes(), before);
  EXPECT_TRUE(answers.find(1, "a"));
  EXPECT_FALSE(answers.find(2, "0"));
  answers.drop(1);
  EXPECT_EQ(answers.bytes(), 0U);
}

TEST(Answers, ThatNobodyAskedForGoFirst) {
  Answers answers;
  for (std::uint64_t state = 1; state <= 3; ++state) {
    for (int i = 0; i < 10; ++i) answers.keep(state, std::to_string(i), kept_body(std::string(1000, 'x')));
  }
  EXPECT_TRUE(answers.find(1, "0"));  // The oldest is the last that was used.
  answers.shrink(answers.bytes() / 2);
  EXPECT_TRUE(answers.find(1, "0"));
  EXPECT_FALSE(answers.find(1, "1"));
  EXPECT_TRUE(answers.find(3, "9"));
  answers.shrink(0);
  EXPECT_EQ(answers.bytes(), 0U);
  EXPECT_FALSE(answers.find(1, "0"));
}

TEST(Usage, LeavesRoomForWhatIsNotAnAnswer) {
  Usage usage;
  usage.budget = 100'000;
  for (int i = 0; i < 50; ++i) usage.answers.keep(1, std::to_string(i), kept_body(std::string(1000, 'x')));
  EXPECT_FALSE(usage.trim(40'000));
  EXPECT_LE(usage.answers.bytes(), 60'000U);
  EXPECT_GT(usage.answers.bytes(), 50'000U);
  usage.snapshot_bytes = 30'000;
  EXPECT_FALSE(usage.trim(40'000));
  EXPECT_LE(usage.answers.bytes(), 30'000U);
  EXPECT_TRUE(usage.trim(80'000));
  EXPECT_EQ(usage.answers.bytes(), 0U);
}

}  // namespace
}  // namespace strata::service::sites
