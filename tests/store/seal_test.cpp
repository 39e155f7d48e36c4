// SPDX-License-Identifier: Apache-2.0
// Sealing and its keys.
#include "store/seal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "store/encoding.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace strata::store {
namespace {

constexpr SealPlace kPlace{.project = "default", .table = "document", .id = "0b6f3c0e-0000-4000-8000-000000000000"};

Keyring single_key_ring(const Key& key) {
  std::vector<Key> keys;
  keys.push_back(key_of(key.bytes.copy()));
  return Keyring(std::move(keys));
}

TEST(SealTest, OpensWhatItSealed) {
  const Key key = new_key();
  for (const std::string& secret :
       {std::string(), std::string("x"), std::string("a\0b", 3), std::string(1'000'000, 's')}) {
    const SealedValue value = seal(key, kPlace, secret);
    EXPECT_EQ(value.key_id, key.id);
    EXPECT_EQ(value.nonce.size(), 12U);
    EXPECT_EQ(value.ciphertext.size(), secret.size() + 16);
    EXPECT_EQ(open(single_key_ring(key), kPlace, value).view(), secret);
  }
}

TEST(SealTest, HidesWhatIsEqual) {
  const Key key = new_key();
  const SealedValue first = seal(key, kPlace, "secret");
  const SealedValue second = seal(key, kPlace, "secret");
  EXPECT_NE(first.ciphertext, second.ciphertext);
  EXPECT_NE(first.wrapped, second.wrapped);
  EXPECT_NE(first.nonce, second.nonce);
}

TEST(SealTest, OpensNowhereElse) {
  const Key key = new_key();
  const SealedValue value = seal(key, kPlace, "secret");
  for (const SealPlace& place :
       {SealPlace{.project = "other", .table = kPlace.table, .id = kPlace.id},
        SealPlace{.project = kPlace.project, .table = "stack", .id = kPlace.id},
        SealPlace{.project = kPlace.project, .table = kPlace.table, .id = "0b6f3c0e-0000-4000-8000-000000000001"}}) {
    STRATA_EXPECT_ERROR(open(single_key_ring(key), place, value), "store.sealed-broken");
  }
}

TEST(SealTest, NoticesEachFlippedBit) {
  const Key key = new_key();
  const SealedValue value = seal(key, kPlace, "secret");
  for (std::string SealedValue::*part : {&SealedValue::wrapped, &SealedValue::nonce, &SealedValue::ciphertext}) {
    for (std::size_t bit = 0; bit < (value.*part).size() * 8; ++bit) {
      SealedValue changed = value;
      (changed.*part)[bit / 8] = static_cast<char>((changed.*part)[bit / 8] ^ (1 << (bit % 8)));
      STRATA_EXPECT_ERROR(open(single_key_ring(key), kPlace, changed), "store.sealed-broken");
    }
    for (const std::size_t size : {std::size_t{0}, (value.*part).size() - 1, (value.*part).size() + 1}) {
      SealedValue changed = value;
      (changed.*part).resize(size);
      STRATA_EXPECT_ERROR(open(single_key_ring(key), kPlace, changed), "store.sealed-broken");
    }
  }
}

TEST(SealTest, NeedsTheKey) {
  const Key key = new_key();
  const SealedValue value = seal(key, kPlace, "secret");
  STRATA_EXPECT_ERROR(open(single_key_ring(new_key()), kPlace, value), "store.no-key");
  STRATA_EXPECT_ERROR(open(Keyring(), kPlace, value), "store.no-key");
  STRATA_EXPECT_ERROR(Keyring().current(), "store.no-key");
  // Another key that says it is this one.
  Key liar = new_key();
  liar.id = key.id;
  std::vector<Key> keys;
  keys.push_back(std::move(liar));
  STRATA_EXPECT_ERROR(open(Keyring(std::move(keys)), kPlace, value), "store.sealed-broken");
}

TEST(SealTest, IsPutUnderAnotherKey) {
  const Key old_key = new_key();
  const Key key = new_key();
  const SealedValue value = seal(old_key, kPlace, "secret");
  const SealedValue moved = rewrap(single_key_ring(old_key), key, kPlace, value);
  EXPECT_EQ(moved.ciphertext, value.ciphertext);
  EXPECT_EQ(open(single_key_ring(key), kPlace, moved).view(), "secret");
  STRATA_EXPECT_ERROR(open(single_key_ring(old_key), kPlace, moved), "store.no-key");
}

TEST(KeyTest, IsReadFromAFileThatIsPrivate) {
  const testing::TemporaryFolder folder;
  const Key key = new_key();
  folder.write("key", key_text(key).view());
  chmod((folder / "key").c_str(), 0600);
  EXPECT_EQ(read_key("file:" + (folder / "key")).id, key.id);
  EXPECT_EQ(read_key(folder / "key").bytes.view(), key.bytes.view());
  for (const mode_t mode : {0640U, 0604U, 0620U, 0601U}) {
    chmod((folder / "key").c_str(), mode);
    STRATA_EXPECT_ERROR(read_key(folder / "key"), "service.key-readable");
  }
  STRATA_EXPECT_ERROR(read_key(folder / "none"), "store.key");
  STRATA_EXPECT_ERROR(read_key(folder.path().string()), "store.key");
}

TEST(KeyTest, IsBase64OrHexadecimal) {
  const Key key = new_key();
  EXPECT_EQ(parse_key(base64(key.bytes.view()), "k").id, key.id);
  EXPECT_EQ(parse_key(" \n" + hex(key.bytes.view()) + "\r\n", "k").id, key.id);
  for (const std::string& text : {std::string(), base64(std::string(31, 'x')), base64(std::string(33, 'x')),
                                  std::string(64, 'g'), std::string(63, '0')}) {
    STRATA_EXPECT_ERROR(parse_key(text, "k"), "store.key");
  }
}

TEST(KeyTest, IsTakenOutOfTheEnvironment) {
  const Key key = new_key();
  setenv("STRATA_TEST_KEY", hex(key.bytes.view()).c_str(), 1);
  EXPECT_EQ(read_key("env:STRATA_TEST_KEY").id, key.id);
  EXPECT_EQ(getenv("STRATA_TEST_KEY"), nullptr);
  STRATA_EXPECT_ERROR(read_key("env:STRATA_TEST_KEY"), "store.key");
}

TEST(KeyTest, IsMadeOnceBesideAFile) {
  const testing::TemporaryFolder folder;
  bool is_new = false;
  const Key first = read_or_make_key(folder / "key", is_new);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(std::filesystem::status(folder / "key").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(read_or_make_key(folder / "key", is_new).id, first.id);
  EXPECT_FALSE(is_new);
}

TEST(EncodingTest, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xff\xfe\xfd\xfc"), "//79/A==");
  for (const char* wrong : {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v\n", "Zm 9v"})
    EXPECT_EQ(from_base64(wrong), std::nullopt) << wrong;
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
    EXPECT_EQ(from_base64(base64(all)), all);
    EXPECT_EQ(from_hex(hex(all)), all);
  }
}

TEST(EncodingTest, Uuids) {
  const std::string id = new_uuid();
  ASSERT_EQ(id.size(), 36U);
  EXPECT_EQ(id[14], '4');
  EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
  EXPECT_NE(id, new_uuid());
}

}  // namespace
}  // namespace strata::store
