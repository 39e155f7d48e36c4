// SPDX-License-Identifier: Apache-2.0
#include "value/same_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace strata::detail {
namespace {

TEST(SameText, SeesEveryByteOfTextsOfEveryLength) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string text(size, 'x');
    EXPECT_TRUE(same_text(text, std::string(text)));
    EXPECT_FALSE(same_text(text, text + 'x'));
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = 'y';
      EXPECT_FALSE(same_text(text, other)) << size << " " << at;
    }
  }
}

TEST(CopyText, CopiesEveryByteAndNoOther) {
  for (std::size_t size = 0; size <= 80; ++size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('!' + i);
    std::string copy(size + 1, '~');
    copy_text(copy.data(), text);
    EXPECT_EQ(copy, text + '~');
  }
}

}  // namespace
}  // namespace strata::detail
