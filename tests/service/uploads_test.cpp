// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

#include "service/api/archive.hpp"
#include "service/api/form_data.hpp"
#include "service/http/forwarded.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

std::string little_endian(std::uint64_t value, int size) {
  std::string out;
  for (; size > 0; --size, value >>= 8U) out += static_cast<char>(value & 255U);
  return out;
}

/// A zip with one stored file.
std::string zip_of(const std::string& name, const std::string& text) {
  const auto sum =
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
  const auto size = static_cast<std::uint32_t>(text.size());
  const auto name_size = static_cast<std::uint32_t>(name.size());
  const std::string sizes = little_endian(sum, 4) + little_endian(size, 4) + little_endian(size, 4);
  const std::string local = "PK\x03\x04" + little_endian(20, 2) + little_endian(0, 8) + sizes +
                            little_endian(name_size, 2) + little_endian(0, 2) + name + text;
  const std::string central = "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) + little_endian(0, 8) + sizes +
                              little_endian(name_size, 2) + little_endian(0, 12) + little_endian(0, 4) + name;
  const std::string end = "PK\x05\x06" + little_endian(0, 4) + little_endian(1, 2) + little_endian(1, 2) +
                          little_endian(static_cast<std::uint32_t>(central.size()), 4) +
                          little_endian(static_cast<std::uint32_t>(local.size()), 4) + little_endian(0, 2);
  return local + central + end;
}

std::string archive_error(const std::string& bytes) {
  try {
    (void)api::read_archive(bytes);
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

/// A head of a tar with its sum, and the blocks of the text.
std::string tar_entry(const std::string& name, const std::string& text) {
  std::string head(512, '\0');
  head.replace(0, name.size(), name);
  head.replace(100, 7, "0000644");
  head.replace(124, 11, fmt::format("{:011o}", text.size()));
  head[156] = '0';
  head.replace(148, 8, std::string(8, ' '));
  unsigned sum = 0;
  for (const char one : head) sum += static_cast<unsigned char>(one);
  head.replace(148, 7, fmt::format("{:06o}", sum) + '\0');
  return head + text + std::string((512 - text.size() % 512) % 512, '\0');
}

TEST(Tar, IsWholeWithItsEndOnly) {
  const std::string entries = tar_entry("a", "1") + tar_entry("b/c", std::string(512, 'x'));
  const std::string zeros(512, '\0');
  const sites::Files files{{"a", "1"}, {"b/c", std::string(512, 'x')}};
  EXPECT_EQ(api::read_archive(entries + zeros), files);
  EXPECT_EQ(api::read_archive(entries + zeros + zeros), files);
  // Wherever it is cut before the end of the first block of zeros, it is noticed.
  for (std::size_t size = 0; size < entries.size() + zeros.size(); ++size) {
    EXPECT_EQ(archive_error((entries + zeros).substr(0, size)), "request.archive") << size;
  }
  EXPECT_EQ(archive_error(entries + zeros + "x"), "request.archive");
  EXPECT_EQ(archive_error(entries + zeros + tar_entry("d", "")), "request.archive");
  std::string junk = entries + zeros;
  junk[512 + 512 + 512 + 512 + 100] = 'x';
  EXPECT_EQ(archive_error(junk), "request.archive");
}

TEST(Zip, GivesItsFiles) {
  EXPECT_EQ(api::read_archive(zip_of("a/b.yaml", "x: 1\n")), (sites::Files{{"a/b.yaml", "x: 1\n"}}));
  EXPECT_EQ(api::read_archive(zip_of("./a", "")), (sites::Files{{"a", ""}}));
  EXPECT_TRUE(api::read_archive(zip_of("folder/", "")).empty());
  EXPECT_EQ(archive_error(zip_of("../a", "")), "request.path");
}

TEST(Zip, IsRefusedWhereItIsDamaged) {
  const std::string whole = zip_of("a", "text");
  for (std::size_t size = 4; size < whole.size(); ++size) EXPECT_NE(archive_error(whole.substr(0, size)), "") << size;
  // A changed byte is noticed, or changes nothing that is looked at: time stamps, versions, names, sizes of the head
  // beside the file.
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x15);
    try {
      for (const auto& [path, text] : api::read_archive(changed)) EXPECT_EQ(text, "text") << at;
    } catch (const Error&) {
      continue;
    }
  }
}

TEST(Form, GivesItsParts) {
  const std::string body =
      "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a "
      "\\\"q\\\".yaml\"\r\n\r\n1\r\n2\r\n--b\r\ncontent-disposition: form-data; "
      "name=message\r\n\r\n\r\n--b--";
  const auto parts = api::read_form_data("multipart/form-data; charset=utf-8; boundary=b", body);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].file, "a \"q\".yaml");
  EXPECT_EQ(parts[0].content, "1\r\n2");
  EXPECT_EQ(parts[1].name, "message");
  EXPECT_FALSE(parts[1].is_file);
  for (std::size_t size = 0; size + 2 < body.size(); ++size) {
    EXPECT_THROW((void)api::read_form_data("multipart/form-data; boundary=b", std::string_view(body).substr(0, size)),
                 Error)
        << size;
  }
}

TEST(Proxies, AreTrustedByNetwork) {
  const TrustedProxies proxies({"10.0.0.0/9", "2001:db8::/33", "192.0.2.1"});
  for (const char* address : {"10.0.0.1", "10.127.255.255", "::ffff:10.1.1.1", "2001:db8::1", "192.0.2.1"})
    EXPECT_TRUE(proxies.trusts(address)) << address;
  for (const char* address : {"10.128.0.0", "11.0.0.1", "2001:db8:8000::1", "192.0.2.2", "local", "", "10.0.0"})
    EXPECT_FALSE(proxies.trusts(address)) << address;
  EXPECT_TRUE(TrustedProxies({"unix"}).trusts("local"));
  EXPECT_TRUE(TrustedProxies({"0.0.0.0/0"}).trusts("203.0.113.1"));
  EXPECT_FALSE(TrustedProxies({"0.0.0.0/0"}).trusts("2001:db8::1"));
}

}  // namespace
}  // namespace strata::service
