// SPDX-License-Identifier: Apache-2.0
#include "hiera/eyaml/eyaml.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "hiera/eyaml/blocks.hpp"
#include "payloads.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"

namespace strata::hiera::eyaml {
namespace {

std::string eyaml_file(const std::string& name) {
  std::ifstream file(STRATA_SOURCE_DIR "/tests/hiera/eyaml/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Keys load(const std::string& key, const std::string& certificate = {}) {
  const std::string key_text = eyaml_file(key);
  const std::string certificate_text = eyaml_file(certificate);
  if (certificate.empty()) return Keys::from_pem({key_text, key});
  return Keys::from_pem({key_text, key}, Pem{certificate_text, certificate});
}

const Keys& keys() {
  static const Keys loaded = load("private_key.pem", "certificate.pem");
  return loaded;
}

const Keys& bare_key() {
  static const Keys loaded = load("private_key.pem");
  return loaded;
}

std::string block(std::string_view payload, std::string_view scheme = "PKCS7,") {
  return "ENC[" + std::string(scheme) + std::string(payload) + "]";
}

std::string broken(std::string_view payload, std::string_view with) {
  return std::string(payload.substr(0, 50)) + std::string(with) + std::string(payload.substr(50));
}

// Each row was run through hiera-eyaml 3.3.0 as Puppet calls it.
TEST(Decrypt, ReplacesBlocks) {
  const std::string one = block(kGeheim);
  struct Row {
    std::string text;
    std::string expected;
    bool secret = true;
  };
  const std::vector<Row> rows{
      {"plain\n", "plain\n", false},
      {one, "geheim"},
      {block(kGeheim, "pkcs7,"), "geheim"},
      {block(kGeheim, ""), "geheim"},
      {"x " + one + " y\n\n", "x geheim y\n"},
      {"a\r\n" + one + "\r\n", "a\r\ngeheim"},
      {one + "\r", "geheim"},
      {one + one, "geheimgeheim"},
      {"\u00e9" + one + "\u00fc", "\u00e9geheim\u00fc"},
      {block(kLine), "password: %{role}"},
      {block(kLine) + one, "password: %{role}\ngeheim"},
      {block(kNested), "ENC[PKCS7,AAAA]"},
      {block(kEmpty), ""},
      {"ENC[PKCS7, " + std::string(kGeheim) + " ]", "geheim"},
      {block(broken(kGeheim, " ")), "geheim"},
      {block(broken(kGeheim, "\n")), block(broken(kGeheim, "\n")), false},
      {block(broken(kGeheim, "\n")) + "\nENC[?]", "geheim\nENC[?]"},
      {block(broken(kGeheim, "\t")), block(broken(kGeheim, "\t")), false},
      {"ENC[" + one + "]", "ENC[geheim]"},
      {"ENC[PKCS7," + one + "]", "ENC[PKCS7,geheim]"},
      {"DEC(" + one + ")", "DEC(geheim)"},
      {"DEC::PKCS7[abc]!", "DEC::PKCS7[abc]!", false},
      {"DEC(1)::PKCS7[abc]!\n", "DEC(1)::PKCS7[abc]!\n", false},
      {one.substr(0, one.size() - 1) + "\n", one.substr(0, one.size() - 1) + "\n", false},
      {"enc" + one.substr(3), "enc" + one.substr(3), false},
      {"ENC[]\n", "ENC[]", false},
      {"ENC[PKCS7,]", "ENC[PKCS7,]", false},
      {"ENC[ PKCS7," + std::string(kGeheim) + "]", "ENC[ PKCS7," + std::string(kGeheim) + "]", false},
      {"ENC[\u00e9]" + one, "ENC[\u00e9]geheim"},
      {block(std::string(kGeheim) + "AAAA"), "geheim"},
      {block(std::string(kGeheim.substr(0, 8)) + "=" + std::string(kGeheim.substr(8))), "geheim"},
      {block(kGeheim.substr(0, kGeheim.find('='))), "geheim"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    const Decrypted decrypted = decrypt(row.text, &keys());
    EXPECT_EQ(decrypted.text, row.expected);
    EXPECT_EQ(decrypted.secret, row.secret);
  }
}

TEST(Decrypt, OpensWhateverCmsAllows) {
  for (const Keys* some : {&keys(), &bare_key()}) {
    EXPECT_EQ(decrypt(block(kThree), some).text, "three");
    EXPECT_EQ(decrypt(block(kBoth), some).text, "both");
    EXPECT_EQ(decrypt(block(kGcm), some).text, "gcm");
    EXPECT_EQ(decrypt(block(kOaep), some).text, "oaep");
  }
  const Keys other = load("other_private_key.pem", "other_certificate.pem");
  EXPECT_EQ(decrypt(block(kBoth), &other).text, "both");
}

TEST(Decrypt, MindsTheCertificateWhereThereIsOne) {
  EXPECT_EQ(decrypt(block(kRenewed), &bare_key()).text, "renewed");
  const Keys renewed = load("private_key.pem", "renewed_certificate.pem");
  EXPECT_EQ(decrypt(block(kRenewed), &renewed).text, "renewed");
  STRATA_EXPECT_ERROR(decrypt(block(kRenewed), &keys()), "eyaml.recipient");
  STRATA_EXPECT_ERROR(decrypt(block(kGeheim), &renewed), "eyaml.recipient");
}

TEST(Decrypt, NeedsTheRightKey) {
  const Keys other = load("other_private_key.pem");
  try {
    (void)decrypt(block(kGeheim), &other);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "eyaml.decrypt");
    EXPECT_TRUE(std::string_view(error.what())
                    .starts_with("the value does not open with the private key in 'other_private_key.pem'"))
        << error.what();
  }
  STRATA_EXPECT_ERROR(decrypt(block(kGeheim), nullptr), "eyaml.no-keys");
  EXPECT_EQ(decrypt("ENC[]", nullptr).text, "ENC[]");
  STRATA_EXPECT_ERROR(decrypt(block(kShared), &bare_key()), "eyaml.recipient");
}

TEST(Decrypt, RefusesWhatIsNoEnvelope) {
  for (const std::string& text :
       {block("="), block(" "), block("abc"), block(kGeheim.substr(0, 200)),
        block(kGeheim.substr(0, kGeheim.size() - 8)), block(std::string(100'000, 'A')), block(kSigned)}) {
    STRATA_EXPECT_ERROR(decrypt(text, &keys()), "eyaml.envelope");
  }
  for (const char* scheme : {"GPG,", "NOPE,", "PKCS,", "pkcs77,", "_,"})
    STRATA_EXPECT_ERROR(decrypt(block(kGeheim, scheme), &keys()), "eyaml.scheme");
  STRATA_EXPECT_ERROR(decrypt(block(kBytes), &keys()), "eyaml.not-text");
}

TEST(Decrypt, SurvivesDamage) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same damage each time.
  const std::string whole = decode_payload(kGeheim);
  for (int i = 0; i < 2000; ++i) {
    std::string der = whole;
    for (int n = 0; n <= i % 3; ++n) der[random() % der.size()] = static_cast<char>(random());
    if (i % 5 == 0) der.resize(random() % der.size());
    for (const Keys* some : {&keys(), &bare_key()}) {
      try {
        (void)some->open(der);
      } catch (const Error& error) {
        EXPECT_TRUE(error.code().starts_with("eyaml.")) << error.code();
        EXPECT_EQ(std::string_view(error.what()).find("geheim"), std::string_view::npos);
      }
    }
  }
  std::string noise(std::size_t{1} << 20U, ' ');
  std::ranges::generate(noise, [&random] { return static_cast<char>(random()); });
  STRATA_EXPECT_ERROR(keys().open(noise), "eyaml.envelope");
  EXPECT_FALSE(decrypt(noise, &keys()).secret);
}

TEST(Keys, ReportWhatTheyAreNot) {
  struct Row {
    const char* key;
    const char* certificate;
    const char* named;
  };
  for (const Row& row : {Row{"certificate.pem", "", "'certificate.pem' does not contain a private key"},
                         Row{"missing", "", "'missing' does not contain a private key"},
                         Row{"locked_private_key.pem", "", "'locked_private_key.pem' is protected by a passphrase"},
                         Row{"ec_private_key.pem", "", "'ec_private_key.pem' is not an RSA key"},
                         Row{"private_key.pem", "private_key.pem", "'private_key.pem' does not contain a certificate"},
                         Row{"private_key.pem", "other_certificate.pem",
                             "'private_key.pem' does not match the certificate in 'other_certificate.pem'"}}) {
    try {
      (void)load(row.key, row.certificate);
      ADD_FAILURE() << row.named;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "eyaml.key");
      EXPECT_NE(std::string_view(error.what()).find(row.named), std::string_view::npos) << error.what();
      EXPECT_EQ(std::string_view(error.what()).find("BEGIN"), std::string_view::npos) << error.what();
    }
  }
}

TEST(HoldsBlock, LooksAtEachLine) {
  EXPECT_TRUE(holds_block("a\nx ENC[x]"));
  EXPECT_TRUE(holds_block("ENC[\nENC[]"));
  EXPECT_FALSE(holds_block("ENC[\n]"));
  EXPECT_FALSE(holds_block("] ENC["));
  EXPECT_FALSE(holds_block(""));
}

class DecryptValue : public ::testing::Test {
 protected:
  Value read(const std::string& yaml) {
    document_ = text::read_yaml(sources_, sources_.add("secrets.eyaml", yaml), text::core12(), {});
    return document_.root;
  }

  Sources sources_;
  text::Document document_;
  Arena arena_;
};

TEST_F(DecryptValue, ChangesOnlyWhatHoldsBlocks) {
  const Value value = read("plain: {a: [1, text]}\nsecret:\n- a\n- {b: '" + block(kGeheim) + "', c: 1.5}\n'" +
                           block(kGeheim) + "': key\n");
  const Value result = decrypt_value(value, &keys(), arena_, sources_);
  EXPECT_EQ(text::write_json(result, {.indent = -1}),
            "{\"plain\": {\"a\": [1, \"text\"]}, \"secret\": [\"a\", {\"b\": \"geheim\", \"c\": 1.5}], \"" +
                block(kGeheim) + "\": \"key\"}\n");
  const Value& opened = *result.find("secret")->items()[1].find("b");
  EXPECT_TRUE(opened.is_secret());
  EXPECT_EQ(sources_.place(opened.origin()).to_string(), "secrets.eyaml:4:7");
  EXPECT_FALSE(result.find("secret")->items()[0].is_secret());
  EXPECT_EQ(result.find("plain")->entries().data(), value.find("plain")->entries().data());
  EXPECT_EQ(result.origin(), value.origin());
  // The document is as it was.
  EXPECT_EQ(value.find("secret")->items()[1].find("b")->text(), block(kGeheim));
}

TEST_F(DecryptValue, SharesWhatHasNone) {
  const Value value = read("[{a: [1, 2]}]");
  EXPECT_EQ(decrypt_value(value, nullptr, arena_, sources_).items().data(), value.items().data());
}

TEST_F(DecryptValue, OpensWhatAliasesShare) {
  const std::string yaml = "- &a '" + block(kGeheim) +
                           "'\n- &b [*a, *a, *a, *a, *a, *a, *a, *a]\n- &c [*b, *b, *b, *b, *b, *b, *b, *b]\n- &d [*c, "
                           "*c, *c, *c]\n- [*d, *d, *d]\n";
  const Value result = decrypt_value(read(yaml), &keys(), arena_, sources_);
  EXPECT_EQ(result.items()[4].items()[2].items()[3].items()[7].items()[7].text(), "geheim");
}

TEST_F(DecryptValue, NamesThePlaceOfAnError) {
  const Value value = read("a:\n  b: ENC[GPG,abcd]\n");
  try {
    (void)decrypt_value(value, &keys(), arena_, sources_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(format(error.diagnostic(), "error"),
              "secrets.eyaml:2:6: error: the value is encrypted with the unknown scheme 'GPG' [eyaml.scheme]\n"
              "    2 |   b: ENC[GPG,abcd]\n"
              "      |      ^\n"
              "hint: the only known one is PKCS7\n");
  }
}

}  // namespace
}  // namespace strata::hiera::eyaml
