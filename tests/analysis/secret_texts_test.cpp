// SPDX-License-Identifier: Apache-2.0
// Contents of files without the secrets in them.
#include "analysis/secret_texts.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "file_host.hpp"
#include "strata/deckhand.hpp"
#include "strata/file_tree.hpp"
#include "strata/heat.hpp"
#include "strata/hiera.hpp"
#include "strata/secret_keys.hpp"

namespace strata::analysis {
namespace {

SecretTexts secrets_of(Files files, const query::Traits& traits, const std::vector<std::string>& keys = {}) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : files) paths.push_back("/" + path);
  Limits limits;
  if (!keys.empty()) limits.secret_keys = std::make_shared<const SecretKeys>(keys);
  const auto tree = memory_tree(std::move(files));
  return {*tree, paths, traits, limits};
}

std::string shown(const std::string& text, const query::Traits& traits = hiera::traits(),
                  const std::string& path = "/a.yaml") {
  return secrets_of({}, traits, {"password$"}).shown(path, text);
}

TEST(SecretTexts, ValuesOfNamesAreMaskedAndLinesStay) {
  EXPECT_EQ(shown("user: ann\ndb::password: hunter2\nport: 1\n"), "user: ann\ndb::password: ******\nport: 1\n");
  EXPECT_EQ(shown("password: |\n  one\n  two\n\nport: 1\n"), "password: ******\n******\n******\n\nport: 1\n");
  EXPECT_EQ(shown("password: >-\n one\n two"), "password: ******\n******\n******");
  EXPECT_EQ(shown("password: 'one\n\n  two'\nport: 1\n"), "password: ******\n\n******\nport: 1\n");
  EXPECT_EQ(shown("db: {password: a, user: b}\n"), "db: {password: ******, user: b}\n");
  EXPECT_EQ(shown("- password: a # b\n- c\n"), "- password: ******\n- c\n");
  EXPECT_EQ(shown("password: a\r\nport: 1\r\n"), "password: ******\nport: 1\r\n");
  EXPECT_EQ(shown("password:\nport: 1\n"), "password:\nport: 1\n");
  EXPECT_EQ(shown("password: a\n"), "password: ******\n");
  EXPECT_EQ(shown("no: secret\n"), "no: secret\n");
}

TEST(SecretTexts, ContainersAreMaskedAsAWhole) {
  EXPECT_EQ(shown("password:\n  ann: a\n  bob: [b,\n    c]\nport: 1\n"),
            "password:\n  ******\n******\n******\nport: 1\n");
  EXPECT_EQ(shown("password: [a,\n  b]\nport: 1\n"), "password: ******\n******\nport: 1\n");
}

TEST(SecretTexts, AnchorsOfAliasesAreMasked) {
  EXPECT_EQ(shown("plain: &a hunter2\npassword: *a\nport: 1\n"), "plain: &a ******\npassword: ******\nport: 1\n");
  EXPECT_EQ(shown("base: &b {password: x}\nmore:\n  <<: *b\n  user: ann\n"),
            "base: &b {password: ******\nmore:\n  <<: *b\n  user: ann\n");
}

TEST(SecretTexts, JsonIsMasked) {
  EXPECT_EQ(shown("{\"password\": \"a\", \"b\": 1}", hiera::traits(), "/a.json"), "{\"password\": ******, \"b\": 1}");
  EXPECT_EQ(shown("{\"password\": [\"a\",\n \"c\"],\n \"b\": 1}", hiera::traits(), "/a.json"),
            "{\"password\": ******\n******\n \"b\": 1}");
}

TEST(SecretTexts, WhatReadersPassOverIsMasked) {
  EXPECT_EQ(shown("# password: old\npassword: new\nb: 1\n"), "# password: ******\npassword: ******\nb: 1\n");
  EXPECT_EQ(shown("run: |\n  export root_password=hunter2\nb: 1\n"), "run: |\n  export root_password=******\nb: 1\n");
  EXPECT_EQ(shown("password: a\npassword: b\n"), "******\n");
  EXPECT_EQ(shown("a: 1\n---\npassword: b\n"), "******\n");
}

TEST(SecretTexts, WhatCannotBeReadIsMaskedAsAWholeIfItNamesASecret) {
  EXPECT_EQ(shown("password: [\n"), "******\n");
  EXPECT_EQ(shown("other: [\n"), "other: [\n");
  EXPECT_EQ(shown("bind 'db::password' to 'a'", query::plain_traits(), "/default.pp"), "******\n");
  EXPECT_EQ(shown("bind 'db::user' to 'a'", query::plain_traits(), "/default.pp"), "bind 'db::user' to 'a'");
  EXPECT_EQ(shown("\xff\xfe", query::plain_traits(), "/a.gz"), "******\n");
}

TEST(SecretTexts, KeysOfHieraThatBecomeSensitive) {
  const SecretTexts secrets = secrets_of(
      {{"data/c.yaml", "lookup_options:\n  a: {convert_to: Sensitive}\n  '^v::': {convert_to: [Sensitive]}\n"}},
      hiera::traits());
  EXPECT_TRUE(secrets.may_have_some());
  EXPECT_EQ(secrets.shown("/x.yaml", "a: 1\nb: {a: 2}\nv::x: [3]\n"), "a: ******\nb: {a: 2}\nv::x: ******\n");
}

TEST(SecretTexts, KeysOfHieraThatBecomeSensitiveByHocon) {
  const SecretTexts secrets =
      secrets_of({{"o.conf", "lookup_options { pw { convert_to = Sensitive } }\n"}}, hiera::traits());
  EXPECT_EQ(secrets.shown("/a.yaml", "pw: a\nb: 1\n"), "pw: ******\nb: 1\n");
  EXPECT_EQ(secrets.shown("/a.conf", "pw = a\npw = b\n"), "******\n");
  EXPECT_EQ(secrets.shown("/a.conf", "p\"w\" = a\n"), "******\n");
  EXPECT_EQ(secrets.shown("/a.conf", "\"p\\u0077\" = a\n"), "******\n");
  EXPECT_EQ(secrets.shown("/b.conf", "b = 1\n"), "b = 1\n");
  EXPECT_EQ(secrets.shown("/b.conf", "b = {\n"), "******\n");
  const SecretTexts unknown =
      secrets_of({{"o.conf", "lookup_options { pw { convert_to = Sensitive }\n"}}, hiera::traits());
  EXPECT_EQ(unknown.shown("/b.yaml", "b: 1\n"), "******\n");
}

TEST(SecretTexts, EncryptedDocuments) {
  const std::string text =
      "schema: a/B/v1\nmetadata: {name: x, storagePolicy: encrypted}\ndata: {a: hunter2}\n---\nschema: "
      "a/B/v1\nmetadata: {name: y}\ndata: {a: 1}\n";
  EXPECT_EQ(secrets_of({}, deckhand::traits()).shown("/s.yaml", text),
            "schema: a/B/v1\nmetadata: {name: x, storagePolicy: encrypted}\ndata: ******\n---\nschema: "
            "a/B/v1\nmetadata: {name: y}\ndata: {a: 1}\n");
}

TEST(SecretTexts, HiddenParameters) {
  const std::string templ =
      "heat_template_version: 2018-08-31\nparameters:\n  pw: {type: string, hidden: true, default: old}\n  size: "
      "{type: string}\n";
  const SecretTexts secrets = secrets_of({{"t.yaml", templ}}, heat::traits());
  EXPECT_EQ(secrets.shown("/e.yaml", "parameters: {pw: hunter2, size: s}\nparameter_defaults: {pw: x}\n"),
            "parameters: {pw: ******, size: s}\nparameter_defaults: {pw: ******\n");
  EXPECT_EQ(secrets.shown("/t.yaml", templ),
            "heat_template_version: 2018-08-31\nparameters:\n  pw: {type: string, hidden: true, default: ******\n  "
            "size: {type: string}\n");
  EXPECT_EQ(secrets.shown("/s.json", R"({"files": {"e": "parameters: {pw: hunter2}"}, "b": 1})"),
            R"({"files": {"e": ******, "b": 1})");
}

TEST(SecretTexts, WhatResultsKnowIsHiddenAsWell) {
  const SecretTexts secrets = secrets_of({}, hiera::traits(), {"password$"});
  const auto known = [&](const std::string& text, const TextKnowledge& knowledge) {
    return secrets.shown("/a.yaml", text, knowledge);
  };
  // Of a line of which each hides another part nothing stays from the first of them on.
  EXPECT_EQ(known("{a: one, password: two, b: 3}\nc: 4\n", {.shown = "{a: ******\nc: 4\n"}), "{a: ******\nc: 4\n");
  EXPECT_EQ(known("{password: one, a: two, b: 3}\nc: 4\n", {.shown = "{password: one, a: ******\nc: 4\n"}),
            "{password: ******\nc: 4\n");
  EXPECT_EQ(known("a: one\npassword: two\nc: 4\n", {.shown = "a: ******\npassword: two\nc: 4\n"}),
            "a: ******\npassword: ******\nc: 4\n");
  const std::vector<TextPlace> places{{.line = 2, .column = 8}, {.line = 1, .column = 4}};
  EXPECT_EQ(known("a: one\nb: [\u00e4, two] # rest\nc: 4\n", {.places = places}),
            "a: ******\nb: [\u00e4, ******\nc: 4\n");
  const std::vector<TextPlace> block{{.line = 1, .column = 4}};
  EXPECT_EQ(known("a: |\n  one\n\n  two\nb: 2\n", {.places = block}), "a: ******\n******\n\n******\nb: 2\n");
  // No reader reads it: what follows in the line is hidden, and the deeper lines.
  EXPECT_EQ(known("a: {one\n  two\nb: 2\n", {.places = block}), "a: ******\n******\nb: 2\n");
}

TEST(SecretTexts, PlacesHideWhatBeginsThere) {
  const SecretTexts secrets = secrets_of({}, hiera::traits());
  const auto shown = [&](const std::string& text, std::size_t line, std::size_t column, bool shows_comments = false,
                         const std::string& path = "/a.yaml") {
    const std::vector<TextPlace> places{{.line = line, .column = column}};
    return secrets.shown(path, text, {.places = places, .shows_comments = shows_comments});
  };
  // A key, and all that it holds.
  EXPECT_EQ(shown("a:\n  key: {b: one, c: two}\n  d: 1\n", 2, 3), "a:\n  ******\n  d: 1\n");
  // An earlier value of the same member, which no result has, too.
  EXPECT_EQ(shown("a: one\nb: 1\na: two\nc: 1\n", 3, 4), "******\n******\n******\nc: 1\n");
  EXPECT_EQ(shown("{a: one, b: three, a: two, b: four}\nc: 1\n", 1, 23), "{******, four}\nc: 1\n");
  EXPECT_EQ(shown("a: one\nb: 1\na: two\nc: 1\n", 4, 4), "a: one\nb: 1\na: two\nc: ******\n");
  EXPECT_EQ(shown("a = one\nb = 1\na = two\n", 3, 5, false, "/a.conf").find("two"), std::string::npos);
  // Comments in lines of their own are part of the secret only where they may be one.
  EXPECT_EQ(shown("a: one # x\n# y\nb: 1\n", 1, 4), "a: ******\n******\nb: 1\n");
  EXPECT_EQ(shown("a: one # x\n# y\nb: 1\n", 1, 4, true), "a: ******\n# y\nb: 1\n");
  EXPECT_EQ(shown("a: \"one\n # y\n two\" # x\n# z\nb: 1\n", 1, 4, true), "a: ******\n******\n******\n# z\nb: 1\n");
  EXPECT_EQ(shown("a: |\n one\n # y\nb: 1\n", 1, 4, true), "a: ******\n******\n******\nb: 1\n");
  // Whose lines are these?
  EXPECT_EQ(shown("a: one\rb: two\nc: 1\n", 1, 4), "******\n");
}

TEST(SecretTexts, LinesThatAreNotShown) {
  EXPECT_EQ(hidden_lines("a: 1\nb: two\n\nc: |\n x\n", "a: 1\nb: ******\n\nc: ******\n******\n"),
            (std::set<std::size_t>{2, 4, 5}));
  EXPECT_EQ(hidden_lines("a: 1\n\nb: 2\n", "******\n"), (std::set<std::size_t>{1, 3}));
  EXPECT_EQ(hidden_lines("a: 1\n", "a: 1\n"), (std::set<std::size_t>{}));
}

TEST(SecretTexts, OfFilesInNoResultOnlyWhatCanBeToldApartIsShown) {
  const std::set<std::string, std::less<>> names{"token", "1"};
  const auto told = [&](const SecretTexts& secrets, const std::string& path, const std::string& text,
                        bool has_names = true) {
    return secrets.shown_unread(path, text, {.names = has_names ? &names : nullptr});
  };
  const SecretTexts plain = secrets_of({}, hiera::traits());
  EXPECT_EQ(told(plain, "/a.yaml", "token: [a,\n  b]\nport: 1\n1: c\n"), "token: ******\n******\nport: 1\n1: ******\n");
  EXPECT_EQ(told(plain, "/a.json", R"({"token": {"a": "b"}, "port": 1})"), R"({"token": ******, "port": 1})");
  EXPECT_EQ(told(plain, "/a.yaml", "token: a\ntoken: b\nport: 1\n"), "******\n");
  EXPECT_EQ(told(plain, "/a.yaml", "token: [a\n"), std::nullopt);
  EXPECT_EQ(told(plain, "/a.conf", "port = 1\n"), std::nullopt);
  EXPECT_EQ(told(plain, "/a.conf", "port = 1\n", false), "port = 1\n");
  EXPECT_EQ(told(secrets_of({}, deckhand::traits()), "/a.yaml", "port: 1\n", false), std::nullopt);
  EXPECT_EQ(told(secrets_of({}, hiera::traits(), {"password$"}), "/a.conf", "port = 1\n", false), std::nullopt);
}

TEST(SecretTexts, ATreeWithoutSecretsIsShown) {
  const SecretTexts secrets = secrets_of({{"a.yaml", "a: 1\n"}}, hiera::traits());
  EXPECT_FALSE(secrets.may_have_some());
  EXPECT_EQ(secrets.shown("/a.yaml", "password: x\n"), "password: x\n");
}

}  // namespace
}  // namespace strata::analysis
