// SPDX-License-Identifier: Apache-2.0
// Names that speak of something secret, found in texts of any length.
#include "heat/secret_names.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace strata::heat {
namespace {

const std::vector<std::string> kWords{"password", "passwd",      "passphrase", "_pass",   "adminpass",
                                      "secret",   "token",       "credential", "authkey", "apikey",
                                      "api_key",  "private_key", "privatekey"};

TEST(SecretNames, AreFoundWhereverTheyStand) {
  for (const std::string& word : kWords) {
    for (const std::size_t before : std::initializer_list<std::size_t>{0,  1,  2,  3,  5,  52, 53, 54, 55,  56,  57,
                                                                       58, 59, 60, 61, 62, 63, 64, 65, 127, 128, 200}) {
      EXPECT_TRUE(sounds_secret(std::string(before, 'x') + word)) << word << " behind " << before;
      EXPECT_TRUE(sounds_secret(std::string(before, 's') + word + "s: 1\n")) << word << " behind " << before;
      // Without its last letter it is none, unless a shorter word is in it.
      const std::string cut = std::string(before, 'x') + word.substr(0, word.size() - 1);
      EXPECT_FALSE(sounds_secret(cut)) << cut;
      EXPECT_FALSE(sounds_secret(cut + std::string(100, 'x'))) << cut;
    }
  }
  EXPECT_TRUE(sounds_secret("DbPassWord"));
  EXPECT_TRUE(sounds_secret("MY_API_KEY"));
  EXPECT_FALSE(sounds_secret("API_kez"));
  EXPECT_FALSE(sounds_secret(""));
  EXPECT_FALSE(sounds_secret("pass"));
  // Bytes that differ from letters in a bit that case does not count.
  EXPECT_FALSE(sounds_secret("\x14oken"));
  EXPECT_FALSE(sounds_secret("secre\xF4"));
}

RC_GTEST_PROP(SecretNames, AreThoseThatLookingAtEachPlaceFinds, ()) {
  const auto piece = rc::gen::oneOf(rc::gen::elementOf(kWords),
                                    rc::gen::elementOf(std::vector<std::string>{"pas", "s", "w", "_", "p", "K", "key",
                                                                                "ke", "to", "Secre", "PASS", "in"}),
                                    rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
  // Words stand in any part of the blocks that are looked at together.
  std::string text(*rc::gen::inRange<std::size_t>(0, 70), 'x');
  for (std::string part : *rc::gen::container<std::vector<std::string>>(piece)) {
    if (part.size() > 1 && *rc::gen::inRange(0, 3) != 0) part.pop_back();
    text += part;
  }
  std::string small = text;
  std::ranges::transform(small, small.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  RC_ASSERT(sounds_secret(text) == std::ranges::any_of(kWords, [&](const std::string& word) {
              return small.find(word) != std::string::npos;
            }));
}

}  // namespace
}  // namespace strata::heat
