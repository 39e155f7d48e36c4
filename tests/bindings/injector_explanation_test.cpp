// SPDX-License-Identifier: Apache-2.0
// Provenance.
#include <string>

#include "injector_world.hpp"
#include "strata/report.hpp"

namespace strata::bindings {
namespace {

using testing::has;
using testing::World;

class Explanations : public ::testing::Test {
 protected:
  std::string told(const std::string& name) {
    return explanation_text(world_.sources, world_.injector().explain("", name));
  }
  std::string data(const std::string& name) {
    const Explanation explanation = world_.injector().explain("", name);
    return World::json(explanation_data(arena_, world_.sources, history(), world_.injector(), explanation));
  }
  std::string rows(const std::string& name) {
    const merge::Traced value = world_.injector().inject(name);
    return World::json(explanation_data(arena_, world_.sources, history(), world_.injector(), value));
  }
  const merge::History& history() { return static_cast<const merge::History&>(world_.session.recorder()); }
  World world_{{.keeps_history = true}};
  Arena arena_;
};

TEST_F(Explanations, ToldInRankOrderWithReasons) {
  world_
      .layer({"site", {{"s", "bind 'a' to 1\nwhen node 'kermit' { bind 'a' to 2 }\nwhen node 'x' { bind 'a' to 3 }"}}})
      .layer({"modules", {{"m", "bind 'a' to 4"}}});
  const std::string text = told("a");
  EXPECT_TRUE(has(text, "s.pp:3:22: bind in s, layer 'site', node 'kermit'"));
  const std::size_t precedence = text.find("lower precedence");
  const std::size_t layer = text.find("lower layer");
  const std::size_t category = text.find("category not in effect: node 'x' (is 'kermit')");
  EXPECT_LT(precedence, layer) << text;
  EXPECT_LT(layer, category) << text;
  EXPECT_NE(category, std::string::npos) << text;
  const std::string json = data("a");
  EXPECT_TRUE(
      has(json, R"("fate": "won", "value": 2, "document": "s", "category": "node 'kermit'", "statement": "bind")"));
  EXPECT_TRUE(has(json, R"("fate": "shadowed", "value": 4, "document": "m")"));
  EXPECT_TRUE(has(json, R"("reason": "lower layer")"));
}

TEST_F(Explanations, OfMultibinds) {
  world_.body(
      "multibind Array[Integer], 'l' as 'i' { uniq => true }\nbind to 1 in 'i'\nbind to [2, 3] in 'i'\nwhen node 'x' { "
      "bind to 4 in 'i' }");
  const std::string text = told("l");
  EXPECT_TRUE(has(text, "uniq => true"));
  EXPECT_TRUE(has(text, "not taken: category not in effect"));
  const std::string json = rows("l");
  EXPECT_TRUE(has(json, R"("path": "/0", "value": 1, "history": [{"layer": "site", "file": "default.pp", "line": 3)"));
  EXPECT_TRUE(has(json, R"("path": "/2", "value": 3, "history": [{"layer": "site", "file": "default.pp", "line": 4)"));
  EXPECT_TRUE(has(json, R"("via": "multibind 'l'")"));
}

TEST_F(Explanations, OfMultibindsToWhichNobodyContributes) {
  world_.body("multibind Array[Integer], 'l' as 'i'\nwhen node 'x' { bind to 4 in 'i' }");
  EXPECT_TRUE(has(rows("l"), R"("line": 2, "column": 1, "fate": "won", "value": [])"));
}

TEST_F(Explanations, OfAliasesAndLookups) {
  world_.body("bind 'a' to 1\nbind alias 'a' as 'b'\nbind 'c' to inject('b')");
  EXPECT_TRUE(has(told("b"), "alias of 'a'"));
  const std::string json = rows("c");
  EXPECT_TRUE(has(json, R"("via": "alias of 'a'")"));
  EXPECT_TRUE(has(json, R"("line": 2)"));
}

TEST_F(Explanations, OfOptionalAndMissing) {
  world_.body(
      "bind 'a' to 1\nwhen node 'kermit' { bind 'a' to optional $facts['none'] }\nwhen node 'x' { bind 'b' to 1 }");
  EXPECT_TRUE(has(told("a"), "optional produced nothing"));
  EXPECT_TRUE(has(told("b"), "category not in effect"));
  EXPECT_THROW(static_cast<void>(told("nope")), Error);
}

TEST_F(Explanations, ThePlainValueIsTheSame) {
  world_.body(
      "bind 'a' to {x => [1, 2]}  multibind Hash, 'h' as 'i' { conflict_resolution => 'append' }  bind 'k' to 1 in 'i' "
      " bind 'k' to [2] in 'i'"
      "  bind 'n' to inject('h')['k']  when node 'kermit' { rebind 'a' }  include [p, q]");
  const std::string all = World::json(world_.injector().all().value);
  Session plain(world_.session.shared_snapshot());
  const auto other = make_injector(world_.shared, world_.request, {}, plain);
  EXPECT_EQ(World::json(other->all().value), all);
  EXPECT_EQ(all, R"({"/classes": ["p", "q"], "a": {"x": [1, 2]}, "h": {"k": [1, [2]]}, "n": [1, [2]]})");
}

}  // namespace
}  // namespace strata::bindings
