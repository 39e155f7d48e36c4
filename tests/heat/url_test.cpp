// SPDX-License-Identifier: Apache-2.0
// URLs: expectations are those of Python's urllib.
#include "heat/url.hpp"

#include <gtest/gtest.h>

namespace strata::heat {
namespace {

struct Join {
  const char* base;
  const char* reference;
  const char* joined;
};

class UrlJoin : public ::testing::TestWithParam<Join> {};

TEST_P(UrlJoin, is_that_of_urljoin) { EXPECT_EQ(join_urls(GetParam().base, GetParam().reference), GetParam().joined); }

INSTANTIATE_TEST_SUITE_P(
    Table, UrlJoin,
    ::testing::Values(Join{"file:///a/b/", "c.yaml", "file:///a/b/c.yaml"},
                      Join{"file:///a/b/", "../c.yaml", "file:///a/c.yaml"},
                      Join{"file:///a/b/", "./x/./y", "file:///a/b/x/y"},
                      Join{"file:///a/b/", "/c.yaml", "file:///c.yaml"}, Join{"file:///", "c.yaml", "file:///c.yaml"},
                      Join{"file:///a/", "../../../c", "file:///c"}, Join{"file:///a/b/", "", "file:///a/b/"},
                      Join{"file:///a/b/", "..", "file:///a/"}, Join{"file:///a/b/", "http://h/x", "http://h/x"},
                      Join{"http://h/a/", "b?q#f", "http://h/a/b?q#f"}, Join{"http://h/a/", "//g/x", "http://g/x"},
                      Join{"http://h", "x", "http://h/x"}, Join{"tpl/", "n.yaml", "tpl/n.yaml"},
                      Join{"file:///a/", "my file.yaml", "file:///a/my file.yaml"}, Join{"file:///a/", "x::y", "x::y"},
                      Join{"", "n.yaml", "n.yaml"}, Join{"file:///a//b/", "c", "file:///a/b/c"},
                      Join{"file:///a/", "swift:x", "swift:x"}));

TEST(Urls, of_paths_are_absolute_and_encoded) {
  EXPECT_EQ(url_of_path("my env.yaml", "/tmp/x"), "file:///tmp/x/my%20env.yaml");
  EXPECT_EQ(url_of_path("../é.yaml", "/tmp/x"), "file:///tmp/%C3%A9.yaml");
  EXPECT_EQ(url_of_path("/a/./b//c", "/tmp"), "file:///a/b/c");
  EXPECT_EQ(url_of_path("https://h/a b", "/tmp"), "https://h/a b");
  EXPECT_EQ(url_of_path("../../../..", "/tmp/x"), "file:///");
}

TEST(Urls, give_their_folder_and_path) {
  EXPECT_EQ(folder_of("file:///a/b/c.yaml"), "file:///a/b");
  EXPECT_EQ(folder_of("file:///c.yaml"), "file:///");
  EXPECT_EQ(folder_of("http://h/x/y?q"), "http://h/x");
  EXPECT_EQ(path_of(parse_url("file:///a/my%20env.yaml#f")), "/a/my env.yaml");
  EXPECT_EQ(path_of(parse_url("file:///a/50%")), "/a/50%");
}

}  // namespace
}  // namespace strata::heat
