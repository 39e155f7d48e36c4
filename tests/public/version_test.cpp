// SPDX-License-Identifier: Apache-2.0
#include "strata/version.hpp"

#include <gtest/gtest.h>

#include <string>

namespace strata {
namespace {

TEST(Version, TextAndNumbersAgree) {
  const std::string numbers =
      std::to_string(kVersionMajor) + "." + std::to_string(kVersionMinor) + "." + std::to_string(kVersionPatch);
  EXPECT_EQ(version(), numbers);
}

}  // namespace
}  // namespace strata
