// SPDX-License-Identifier: Apache-2.0
#include "strata/secret_keys.hpp"

#include <gtest/gtest.h>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {
namespace {

Limits secret_limits() {
  Limits out;
  out.secret_keys = std::make_shared<const SecretKeys>(std::vector<std::string>{"password$", "^vault::"});
  return out;
}

struct MarkedDocument {
  std::unique_ptr<Sources> sources = std::make_unique<Sources>();
  Document document;

  /// Whether what steps lead to is marked.
  [[nodiscard]] bool marks(const std::vector<std::string>& path) const {
    Value at = document.root;
    for (const std::string& step : path) {
      if (at.is_sequence()) {
        at = at.items()[std::stoul(step)];
        continue;
      }
      const Value* next = at.find(step);
      EXPECT_NE(next, nullptr) << step;
      if (next == nullptr) return false;
      at = *next;
    }
    return at.is_secret();
  }
};

template <class Reader>
MarkedDocument read_marked(const std::string& text, const Reader& reader) {
  MarkedDocument out;
  const SourceId source = out.sources->add("f", text);
  out.document = reader(*out.sources, source, secret_limits());
  return out;
}
MarkedDocument yaml(const std::string& text, const Profile& profile = core12()) {
  return read_marked(text, [&](Sources& sources, SourceId source, const Limits& limits) {
    return read_yaml(sources, source, profile, limits);
  });
}
MarkedDocument json(const std::string& text) {
  return read_marked(
      text, [](Sources& sources, SourceId source, const Limits& limits) { return read_json(sources, source, limits); });
}
MarkedDocument hocon(const std::string& text) {
  return read_marked(text, [](Sources& sources, SourceId source, const Limits& limits) {
    return read_hocon(sources, source, limits);
  });
}

TEST(SecretKeys, AreSearchedInNames) {
  const SecretKeys keys({"password$", "^vault::"});
  for (const char* name : {"password", "db::password", "vault::x"}) EXPECT_TRUE(keys.has(name)) << name;
  for (const char* name : {"passwords", "my::vault::x", "", "user"}) EXPECT_FALSE(keys.has(name)) << name;
  EXPECT_FALSE(SecretKeys({}).has(""));
}

TEST(SecretKeys, RefuseWrongPatterns) { EXPECT_THROW(SecretKeys({"("}), Error); }

TEST(SecretKeys, AreTheSameForTheSamePatterns) {
  EXPECT_EQ(SecretKeys({"a", "b"}).identity(), SecretKeys({"a", "b"}).identity());
  EXPECT_NE(SecretKeys({"a", "b"}).identity(), SecretKeys({"ab"}).identity());
  EXPECT_NE(SecretKeys({"1:a"}).identity(), SecretKeys({"a"}).identity());
}

TEST(SecretKeys, MarkWhatMembersHold) {
  for (
      const MarkedDocument& r :
      {yaml("{db: {user: ann, password: x}, 'vault::keys': {a: [1, {b: 2}]}, list: [{password: y}]}"),
       json(
           R"({"db": {"user": "ann", "password": "x"}, "vault::keys": {"a": [1, {"b": 2}]}, "list": [{"password": "y"}]})"),
       hocon(
           R"({"db": {"user": "ann", "password": "x"}, "vault::keys": {"a": [1, {"b": 2}]}, "list": [{"password": "y"}]})")}) {
    EXPECT_TRUE(r.marks({"db", "password"}));
    EXPECT_TRUE(r.marks({"vault::keys"}));
    EXPECT_TRUE(r.marks({"vault::keys", "a", "0"}));
    EXPECT_TRUE(r.marks({"vault::keys", "a", "1", "b"}));
    EXPECT_TRUE(r.marks({"list", "0", "password"}));
    EXPECT_FALSE(r.marks({"db"}));
    EXPECT_FALSE(r.marks({"db", "user"}));
    EXPECT_FALSE(r.marks({"list", "0"}));
  }
}

TEST(SecretKeys, MarksTravelThroughAliases) {
  const MarkedDocument r = yaml(
      "password: &p x\nuser: &u ann\nurl: *p\nroot: {password: *u, name: *u}\n'vault::all': &all {a: 1}\ncopy: "
      "*all\nmerged: {<<: *all}\n",
      psych());
  EXPECT_TRUE(r.marks({"url"}));
  EXPECT_TRUE(r.marks({"root", "password"}));
  EXPECT_FALSE(r.marks({"root", "name"}));
  EXPECT_TRUE(r.marks({"copy", "a"}));
  EXPECT_TRUE(r.marks({"merged", "a"}));
  EXPECT_FALSE(r.marks({"user"}));
}

TEST(SecretKeys, MarksTravelThroughSubstitutions) {
  const MarkedDocument r = hocon(
      "{db {password = x, user = ann}, url = \"db://\"${db.password}\"@host\", copy = ${db}, name = ${db.user}\"!\"}");
  EXPECT_TRUE(r.marks({"url"}));
  EXPECT_TRUE(r.marks({"copy", "password"}));
  EXPECT_FALSE(r.marks({"copy", "user"}));
  EXPECT_FALSE(r.marks({"name"}));
}

TEST(SecretKeys, MarkNothingWithoutPatterns) {
  Sources sources;
  const Document document = read_yaml(sources, sources.add("f", "password: x"), core12(), {});
  EXPECT_FALSE(document.root.find("password")->is_secret());
}

TEST(SecretKeys, DuplicateKeysInSecretsHaveNoNames) {
  const std::vector<MarkedDocument> documents = [] {
    std::vector<MarkedDocument> out;
    out.push_back(yaml("password: {x: 1, x: 2}\ny: 1\ny: 2\n", pyyaml()));
    out.push_back(json(R"({"password": {"x": 1, "x": 2}, "y": 1, "y": 2})"));
    out.push_back(hocon("password { x = 1 }\npassword { x = 2 }\ny = 1\ny = 2\n"));
    return out;
  }();
  for (const MarkedDocument& one : documents) {
    ASSERT_EQ(one.document.repeated_keys.size(), 2U);
    EXPECT_EQ(one.document.repeated_keys[0].name, "");
    EXPECT_EQ(one.document.repeated_keys[1].name, "y");
  }
}

}  // namespace
}  // namespace strata::text
