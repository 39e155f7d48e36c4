// SPDX-License-Identifier: Apache-2.0
#include "value/shown_url.hpp"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(ShownUrl, HasNoUserAndPassword) {
  EXPECT_EQ(shown_url("https://me:secret@db.example.com:8081/x?y#z"), "https://db.example.com:8081/x?y#z");
  EXPECT_EQ(shown_url("https://me:p@ss@db.example.com"), "https://db.example.com");
  EXPECT_EQ(shown_url("postgresql://u@h/db?password=x&port=1"), "postgresql://h/db?password=******&port=1");
  EXPECT_EQ(shown_url("postgresql://h/db?port=1&sslpassword=x&password=y"),
            "postgresql://h/db?port=1&sslpassword=******&password=******");
  EXPECT_EQ(shown_url("host=h password=x user=u"), "host=h password=****** user=u");
  EXPECT_EQ(shown_url("https://me@db.example.com?q=a@b"), "https://db.example.com?q=a@b");
}

TEST(ShownUrl, LeavesTheRestAsItIs) {
  for (const char* url : {"https://db.example.com/a@b", "https://db.example.com?a@b", "db.example.com",
                          "me@db.example.com", "://", "", "http://"}) {
    EXPECT_EQ(shown_url(url), url);
  }
}

}  // namespace
}  // namespace strata
