// SPDX-License-Identifier: Apache-2.0
#include "value/append_only.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace strata::detail {
namespace {

TEST(AppendOnly, KeepsElementsInPlace) {
  AppendOnly<std::string> list;
  list.push("first");
  const std::string* first = &list[0];
  for (std::size_t i = 1; i < 5000; ++i) EXPECT_EQ(list.push(std::to_string(i)), i);
  EXPECT_EQ(first, &list[0]);
  EXPECT_EQ(list.size(), 5000U);
  for (std::size_t i = 1; i < 5000; ++i) EXPECT_EQ(list[i], std::to_string(i));
}

TEST(AppendOnly, IsReadWhileItGrows) {
  AppendOnly<std::size_t> list;
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) {
      const std::size_t size = list.size();
      if (size == 0) continue;
      EXPECT_EQ(list[size - 1], (size - 1) * 3);
    }
  });
  for (std::size_t i = 0; i < 100'000; ++i) list.push(i * 3);
  done = true;
  reader.join();
}

}  // namespace
}  // namespace strata::detail
