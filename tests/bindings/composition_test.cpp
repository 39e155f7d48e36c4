// SPDX-License-Identifier: Apache-2.0
// Which binding is effective, and what is said of those that cannot be.
#include <string>

#include "bindings/composition/guards.hpp"
#include "bindings/composition/key_table.hpp"
#include "injector_world.hpp"

namespace strata::bindings {
namespace {

using testing::has;
using testing::World;

CategorySet set_of(std::initializer_list<std::size_t> numbers) {
  CategorySet out;
  for (const std::size_t number : numbers) out.add(number);
  return out;
}

TEST(CategorySet, ComparesAsPrecedenceVectors) {
  EXPECT_LT(set_of({}), set_of({1}));
  EXPECT_LT(set_of({1}), set_of({2}));
  EXPECT_LT(set_of({2}), set_of({2, 1}));
  EXPECT_LT(set_of({2, 1}), set_of({3}));
  EXPECT_LT(set_of({3, 1}), set_of({3, 2}));
  EXPECT_LT(set_of({63, 5}), set_of({64}));
  EXPECT_LT(set_of({64, 63}), set_of({200}));
  EXPECT_TRUE(set_of({200, 3}).contains(set_of({3})));
  EXPECT_FALSE(set_of({3}).contains(set_of({200})));
  EXPECT_EQ(set_of({70, 1}), set_of({1, 70}));
}

TEST(Alternatives, AreJoinedWithoutBeingGreedy) {
  // The best union is not that of the best of each: {3} with {3, 1} is below {3} with {2}... for which {3} must be had
  // from the other one.
  const Alternatives left{set_of({3}), set_of({2, 1})};
  const Alternatives right{set_of({3, 1}), set_of({2})};
  EXPECT_EQ(highest(both(left, right)), set_of({3, 2, 1}));
  EXPECT_TRUE(both(left, {}).empty());
  EXPECT_EQ(either({set_of({1})}, {set_of({1, 2})}), Alternatives{set_of({1, 2})});
}

TEST(KeyTable, NumbersKeys) {
  KeyTable table(10);
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("k" + std::to_string(i));
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(table.intern({"", names[i]}, i % 7), 10 + i);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(table.find({"", names[i]}, i % 7), 10 + i);
  EXPECT_EQ(table.find({"T", "k1"}, 1), KeyTable::kNone);
}

struct Example {
  std::string about;
  std::vector<testing::LayerText> layers;
  std::string expected;  ///< The value of `a`; empty: an error that names it.
};

TEST(Composition, WorkedExamples) {
  const std::vector<Example> examples{
      {"tie", {{"one", {{"x", "bind 'a' to 1"}, {"y", "bind 'a' to 2"}}}}, ""},
      {"site above a tie",
       {{"site", {{"s", "bind 'a' to 9"}}}, {"modules", {{"x", "bind 'a' to 1"}, {"y", "bind 'a' to 2"}}}},
       "9"},
      {"abstract", {{"one", {{"x", "bind abstract 'a'"}}}}, ""},
      {"site above abstract", {{"site", {{"s", "bind 'a' to 5"}}}, {"modules", {{"x", "bind abstract 'a'"}}}}, "5"},
      {"abstract above", {{"site", {{"s", "bind abstract 'a'"}}}, {"modules", {{"x", "bind 'a' to 4"}}}}, ""},
      {"abstract below a category", {{"one", {{"x", "bind abstract 'a' when node 'kermit' { bind 'a' to 5 }"}}}}, "5"},
      {"override alone", {{"one", {{"x", "bind override 'a' to 5"}}}}, ""},
      {"override of a layer",
       {{"site", {{"s", "bind override 'a' to 5"}}}, {"modules", {{"x", "bind 'a' to 4"}}}},
       "5"},
      {"override in a category",
       {{"one", {{"x", "when node 'kermit' { bind override 'a' to 5 } bind 'a' to 4"}}}},
       "5"},
      {"override that loses", {{"one", {{"x", "when node 'kermit' { bind 'a' to 5 } bind override 'a' to 4"}}}}, "5"},
      {"types of one name", {{"one", {{"x", "bind Integer, 'a' to 4 bind String, 'a' to 'x'"}}}}, ""},
      {"loop", {{"one", {{"x", "bind 'a' to inject('b') bind 'b' to inject('a')"}}}}, ""},
      {"tie below the winner",
       {{"one", {{"x", "bind 'a' to 1 bind 'a' to 2 when node 'kermit' { bind 'a' to 3 }"}}}},
       "3"},
      {"equal values", {{"one", {{"x", "bind 'a' to 1 bind 'a' to 1"}}}}, ""},
  };
  for (const Example& example : examples) {
    World world;
    for (const auto& layer : example.layers) world.layer(layer);
    const std::string found = world.error_of("a");
    if (example.expected.empty()) {
      EXPECT_TRUE(has(found, "error:")) << example.about;
      EXPECT_TRUE(has(found, "'a'")) << example.about;
    } else {
      EXPECT_EQ(found, "value " + example.expected) << example.about;
    }
  }
}

TEST(Composition, Precedence) {
  // Rising; each is above those before it. Rule: the table of section 7.
  const std::vector<std::string> rising{"common",
                                        "virtual true",
                                        "environment production",
                                        "environment production and virtual true",
                                        "node 'kermit'",
                                        "node 'kermit' and virtual true",
                                        "node 'kermit' and environment production"};
  for (std::size_t low = 0; low < rising.size(); ++low) {
    for (std::size_t high = low + 1; high < rising.size(); ++high) {
      World world;
      world.body("when " + rising[high] + " { bind 'a' to 'high' } when " + rising[low] + " { bind 'a' to 'low' }");
      EXPECT_EQ(world.error_of("a"), "value \"high\"") << rising[low] << " < " << rising[high];
    }
  }
  World nested;
  nested.body(
      "when virtual true { when node k or node 'KERMIT' { bind 'a' to 1 } }  when node 'kermit' and virtual true { "
      "bind 'b' to 1 }"
      "when node 'kermit' { bind 'a' to 2 }  when node 'x' { when node 'kermit' { bind 'a' to 3 } } when nosuch 'x' { "
      "bind 'a' to 4 }");
  EXPECT_EQ(nested.inject("a"), "1");
}

TEST(Composition, CategoriesWithoutValueAreNotInEffect) {
  World world;
  world.categories({{"node", std::nullopt}, {"environment", "production"}, {"rack", "7"}});
  world.body(
      "bind 'a' to 1  when node '' { bind 'a' to 2 }  when rack 7 { bind 'b' to 3 } when rack \"${rack}\" { bind 'c' "
      "to 4 }");
  EXPECT_EQ(world.inject("a"), "1");
  EXPECT_EQ(world.inject("b"), "3");
  EXPECT_EQ(world.inject("c"), "4");
}

TEST(Composition, ManyCategories) {
  World world;
  std::vector<std::pair<std::string, std::optional<std::string>>> categories;
  for (int i = 0; i < 200; ++i) categories.emplace_back("c" + std::to_string(i), "v");
  world.categories(categories)
      .body(
          "when c199 v and c198 v { bind 'a' to 1 } when c1 v { bind 'a' to 2 } when c100 v and c50 v { bind 'a' to 3 "
          "}");
  EXPECT_EQ(world.inject("a"), "2");
}

TEST(Messages, OfAConflict) {
  World world;
  world.layer({"modules",
               {{"a::default", "bind 'color' to 'blue'"},
                {"b::default", "when virtual true or common { bind 'x' to 1 }\nbind 'color' to 'red'"}}});
  const std::string error = world.error_of("x");
  for (const std::string part : {"'color'", "layer 'modules'", "a::default", "b::default", "a::default.pp:2:",
                                 "b::default.pp:3:", "(common)", "hint: bind it in a higher layer"}) {
    EXPECT_TRUE(has(error, part));
  }
}

TEST(Messages, OfAConflictThroughAnOr) {
  World world;
  world.body("when virtual true or node 'x' { bind 'a' to 1 }\nwhen virtual true { bind 'a' to 2 }");
  const std::string error = world.error_of("a");
  EXPECT_TRUE(has(error, "(virtual 'true')"));
  EXPECT_TRUE(has(error, "of 'when virtual true or node 'x''"));
}

TEST(Messages, OfAnAbstract) {
  World world;
  world.layer({"site", {{"s", "bind abstract 'k'"}}}).layer({"modules", {{"m", "bind 'k' to 1"}}});
  const std::string error = world.error_of("k");
  EXPECT_TRUE(has(error, "'k' must be bound: it is abstract in layer 'site'"));
  EXPECT_TRUE(has(error, "s.pp:2:1"));
  EXPECT_TRUE(has(error, "m.pp:2:1"));
}

TEST(Messages, OfAnOverride) {
  World world;
  world.body("bind override 'the meaning of lif' to 1  bind 'the meaning of life' to 2");
  const std::string error = world.error_of("x");
  EXPECT_TRUE(has(error, "'the meaning of lif' overrides nothing"));
  EXPECT_TRUE(has(error, "did you mean 'the meaning of life'?"));
}

TEST(Messages, OfDuplicateIds) {
  World world;
  world.body("multibind Array, 'a' as 'i'\nmultibind Array, 'b' as 'i'");
  const std::string error = world.error_of("x");
  EXPECT_TRUE(has(error, "'i'"));
  EXPECT_TRUE(has(error, "default.pp:2:"));
  EXPECT_TRUE(has(error, "default.pp:3:"));
  World aliased;
  aliased.body("multibind Array, 'a' as 'i'  bind alias 'a' as 'b'");
  EXPECT_EQ(aliased.error_of("b"), "value []");
}

TEST(Messages, AllAtOnceAtMostTwenty) {
  World world;
  std::string body;
  for (int i = 0; i < 30; ++i) body += "bind abstract 'k" + std::to_string(i) + "'\n";
  world.body(body);
  try {
    world.injector();
    FAIL();
  } catch (const Errors& errors) {
    EXPECT_EQ(errors.all().size(), 20U);
  }
}

TEST(Messages, OfNames) {
  World world;
  world.body("bind '/users/x' to 1");
  EXPECT_TRUE(has(world.error_of("x"), "reserved"));
  World same;
  same.body("bind parameters ntp to { enable => true }\nbind '/param/Class[NTP]/enable' to false");
  EXPECT_TRUE(has(same.error_of("x"), "parameter 'enable' of class ntp"));
}

TEST(ComputedNames, AreKnownAtLoadTime) {
  World world;
  world.body(
      "bind \"rack-${rack}\" to 1  multibind Array, 'm' as \"id-${rack}\"  bind to 5 in \"id-${rack}\"  bind 'rack-8' "
      "to 2");
  EXPECT_EQ(world.inject("rack-7"), "1");
  EXPECT_EQ(world.inject("m"), "[5]");
  World conflict;
  conflict.body("bind \"rack-${rack}\" to 1\nbind 'rack-7' to 2");
  EXPECT_TRUE(has(conflict.error_of("x"), "'rack-7' is bound twice"));
}

TEST(Nodes, ShareDocuments) {
  World world;
  world.body(
      "bind 'a' to 1  when node 'kermit' { bind 'a' to 2 }  when node 'piggy' { bind 'a' to 3 } bind 'r' to $rack");
  EXPECT_EQ(world.inject("a"), "2");
  auto other = std::make_shared<Request>(*world.request);
  other->categories[0].value = "piggy";
  const auto second = make_injector(world.shared, other, {}, world.session);
  EXPECT_EQ(World::json(second->inject("a").value), "3");
  EXPECT_EQ(World::json(second->inject("r").value), "7");
}

TEST(Check, FindsStaticConflictsAndWarns) {
  World world;
  world.body(R"(when node 'x' { bind 'a' to 1 }
when node 'X' { bind 'a' to 2 }
when node 'x' and virtual true { bind 'b' to 1 }
when virtual true { when node 'x' { bind 'b' to 2 } }
when nosuch 'x' { bind 'c' to 1 }
when node 'x' { when node 'y' { bind 'c' to 2 } }
bind to 1 in 'nobody'
bind override 'd' to 1
when node 'kermit' { bind 'd' to 2 }
bind 'e' to inject('nothing')
bind variables to { fqdn => 'x' })");
  const Findings findings = world.injector().check();
  std::string errors;
  for (const Diagnostic& each : findings.errors) errors += format(each, "error");
  EXPECT_EQ(findings.errors.size(), 3U) << errors;
  EXPECT_TRUE(has(errors, "'a' is bound twice"));
  EXPECT_TRUE(has(errors, "'b' is bound twice"));
  EXPECT_TRUE(has(errors, "nothing is bound for 'nothing'"));
  std::string warnings;
  for (const Diagnostic& each : findings.warnings) warnings += format(each, "warning");
  for (const std::string part : {"unknown category 'nosuch'", "contradicts itself", "no multibind has the id 'nobody'",
                                 "'d' overrides nothing", "$fqdn hides a fact"}) {
    EXPECT_TRUE(has(warnings, part));
  }
}

}  // namespace
}  // namespace strata::bindings
