// SPDX-License-Identifier: Apache-2.0
#include "service/api/cursors.hpp"

#include <gtest/gtest.h>

#include "service/entity_tags.hpp"
#include "service/signer.hpp"

namespace strata::service::api {
namespace {

store::SecretBytes secret() { return store::SecretBytes(std::string_view("what all of them know")); }

TEST(Cursors, ComeBackAsTheyWere) {
  const Signer signer("test");
  for (const Cursor& cursor : {Cursor{.list = "a", .snapshot = 41, .after = "web01"}, Cursor{},
                               Cursor{.list = "b", .snapshot = -1, .after = ":x:\n\xC3\xA9"}}) {
    const auto read = read_cursor(cursor_text(cursor, signer), cursor.list, signer);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->snapshot, cursor.snapshot);
    EXPECT_EQ(read->after, cursor.after);
  }
}

TEST(Cursors, AreOfOneListAndOneService) {
  const Signer signer("test");
  const std::string text = cursor_text({.list = "a", .snapshot = 1, .after = "x"}, signer);
  EXPECT_FALSE(read_cursor(text, "b", signer));
  EXPECT_FALSE(read_cursor(text, "", signer));
  EXPECT_FALSE(read_cursor(text, "a", Signer("test")));
  for (const char* wrong : {"", ".", "x", "MTp4", "MTp4.", ".AAAA", "MTp4.AAAAAAAAAAAAAAAAAAAAAA"})
    EXPECT_FALSE(read_cursor(wrong, "a", signer)) << wrong;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    // The last digit before the dot may have bits that say nothing.
    const auto read = read_cursor(changed, "a", signer);
    EXPECT_TRUE(!read || read->after == "x") << i;
  }
}

TEST(Signatures, AreThoseOfTheSecretAndOfThePurpose) {
  const Signer one(secret(), "a");
  EXPECT_EQ(one.sign("text"), Signer(secret(), "a").sign("text"));
  EXPECT_NE(one.sign("text"), Signer(secret(), "b").sign("text"));
  EXPECT_NE(one.sign("text"), one.sign("texu"));
  EXPECT_TRUE(one.is_signature("text", one.sign("text")));
  EXPECT_FALSE(one.is_signature("text", one.sign("texu")));
  EXPECT_FALSE(one.is_signature("text", ""));
  EXPECT_NE(Signer("a").sign("text"), Signer("a").sign("text"));
}

TEST(EntityTags, AreTheSameInOtherForms) {
  EXPECT_TRUE(has_tag("\"41\"", "\"41\""));
  EXPECT_TRUE(has_tag("\"1\", \"41-gzip\"", "\"41\""));
  EXPECT_TRUE(has_tag("\"41-yaml-gzip\"", "\"41\""));
  EXPECT_FALSE(has_tag("\"41-other\"", "\"41\""));
  EXPECT_FALSE(has_tag("\"4\"", "\"41\""));
}

}  // namespace
}  // namespace strata::service::api
