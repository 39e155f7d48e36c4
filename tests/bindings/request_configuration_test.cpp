// SPDX-License-Identifier: Apache-2.0
// strata.yaml.
#include <gtest/gtest.h>

#include "../support/sessions.hpp"
#include "bindings/request/configuration.hpp"
#include "bindings/request/paths.hpp"

namespace strata::bindings {
namespace {

Configuration configuration_of(const std::string& text) {
  Session session = strata::testing::test_session({{"c/strata.yaml", text}});
  return *read_configuration("/c", session);
}

std::string error_of(const std::string& text) {
  try {
    (void)configuration_of(text);
  } catch (const Error& error) {
    return error.code() + ": " + error.diagnostic().message + " (" + error.diagnostic().hint + ")";
  }
  return "none";
}

TEST(Configuration, ReadsEverything) {
  const Configuration got = configuration_of(
      "enc_command: bin/enc --fast\nenc_facts: true\nenc_timeout: 3\nfacts_dir: facts\n"
      "extensions: [{name: ldap, kind: provider, lua: ext/ldap.lua}, {plugin: /lib/x.so}]\n"
      "puppetdb: {url: 'https://db:8081', ssl_ca: ca.pem, ssl_cert: c.pem, ssl_key: k.pem, timeout: 5}\nquery_service: "
      "puppetdb\n");
  ASSERT_TRUE(got.enc_command.has_value());
  EXPECT_EQ(got.enc_command->words, (std::vector<std::string>{"/c/bin/enc", "--fast"}));
  EXPECT_TRUE(got.enc_command->takes_facts);
  EXPECT_EQ(got.enc_command->timeout, 3U);
  EXPECT_EQ(got.facts_dir, "/c/facts");
  ASSERT_EQ(got.extensions.size(), 2U);
  EXPECT_EQ(got.extensions[0].lua, "/c/ext/ldap.lua");
  EXPECT_EQ(got.extensions[1].plugin, "/lib/x.so");
  ASSERT_TRUE(got.puppetdb.has_value());
  EXPECT_EQ(got.puppetdb->ssl_key, "/c/k.pem");
  EXPECT_EQ(got.puppetdb->timeout, 5U);
}

TEST(Configuration, NothingIsConfiguredWithoutIt) {
  EXPECT_FALSE(configuration_of("").enc_command.has_value());
  EXPECT_FALSE(configuration_of("---\n").enc_command.has_value());
  EXPECT_EQ(configuration_of("enc_command: [enc, 'a b']\n").enc_command->words,
            (std::vector<std::string>{"enc", "a b"}));
}

TEST(Configuration, WhatIsUnknownOrWrongIsAnError) {
  EXPECT_EQ(error_of("enc_comand: x\n"),
            "config.key: strata.yaml has an unknown key 'enc_comand' (did you mean 'enc_command'?)");
  EXPECT_EQ(error_of("[1]\n"), "config.value: strata.yaml must be a mapping, not a sequence ()");
  EXPECT_EQ(error_of("enc_command: ''\n"),
            "config.value: 'enc_command' of strata.yaml must be the program to run: a text, or a list of texts ()");
  EXPECT_EQ(error_of("enc_command: 1\n"),
            "config.value: 'enc_command' of strata.yaml must be the program to run: a text, or a list of texts, not an "
            "integer ()");
  EXPECT_EQ(error_of("enc_command: [x, 1]\n"),
            "config.value: 'enc_command' of strata.yaml must be the program to run: a text, or a list of texts; this "
            "item is an integer ()");
  EXPECT_EQ(error_of("enc_command: x\nenc_timeout: 0\n"),
            "config.value: 'enc_timeout' of strata.yaml must be a number of seconds from 1 to 86400 ()");
  EXPECT_EQ(error_of("facts_dir: \"a\\0b\"\n"),
            "config.value: 'facts_dir' of strata.yaml must be a text without null characters ()");
  EXPECT_EQ(error_of("enc_facts: true\n").substr(0, 12), "config.value");
  EXPECT_EQ(error_of("extensions: [{lua: a, plugin: b}]\n").substr(0, 12), "config.value");
  EXPECT_EQ(error_of("extensions: [{kind: producr, lua: a}]\n").substr(0, 12), "config.value");
  EXPECT_EQ(error_of("puppetdb: {url: 'file:///etc'}\n").substr(0, 12), "config.value");
}

TEST(Paths, AreNormal) {
  EXPECT_EQ(normal("/a/./b//../c/"), "/a/c");
  EXPECT_EQ(normal("/../.."), "/");
  EXPECT_EQ(joined("/a", "b"), "/a/b");
  EXPECT_EQ(joined("/a", "../b"), "/b");
  EXPECT_EQ(joined("/a", "/b"), "/b");
}

}  // namespace
}  // namespace strata::bindings
