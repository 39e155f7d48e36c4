// What is found out when an injector is made, and by `bindings check`. Rule: bindings 2, 10, 13, 17, 19.
#include <string>

#include "injector_world.hpp"

namespace strata::bindings {
namespace {

using testing::World;

::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}

std::string all_of(const std::vector<Diagnostic>& all, const std::string& severity) {
  std::string out;
  for (const Diagnostic& each : all) out += format(each, severity);
  return out;
}

/// What `bindings check` finds, as people see it.
std::string findings_of(World& world) {
  const Findings found = world.injector().check();
  return all_of(found.errors, "error") + all_of(found.warnings, "warning");
}

/// What is wrong with a document; nothing that it binds is asked for.
std::string error_in(const std::string& body) {
  World world;
  world.body(body + "\nbind 'ok' to 1");
  return world.error_of("ok");
}

TEST(Constants, PatternsAreNoData) {
  EXPECT_TRUE(has(error_in("bind Data, 'x' to /a/"), "type error for 'x': expected Data, got Pattern (/a/)"));
  for (const std::string body :
       {"bind 'x' to /a/", "bind 'x' TO /a/", "bind 'x' to optional /a/", "bind 'x' to [1, /a/]", "bind 'x' to {a => /a/}"}) {
    EXPECT_TRUE(has(error_in(body), "type error for 'x': expected Data")) << body;
  }
  EXPECT_TRUE(has(error_in("bind parameters ntp to {a => /a/}"), "type error for parameter 'a' of class ntp: expected Data, got Pattern"));
  World world;
  world.body(
      "bind Pattern, 'x' to /a/  bind Pattern, 'o' TO OPTIONAL /b/  multibind Array[Pattern], 'i'  bind to /x/ in 'i'  BIND Pattern, 'u' TO /c/");
  EXPECT_EQ(world.inject("Pattern", "x"), "\"/a/\"");
  EXPECT_EQ(world.inject("Pattern", "o"), "\"/b/\"");
  EXPECT_EQ(world.inject("Pattern", "u"), "\"/c/\"");
  EXPECT_EQ(world.inject("Array[Pattern]", "i"), "[\"/x/\"]");
}

TEST(Constants, KeysOfDataAreTextsAndNumbers) {
  EXPECT_TRUE(has(error_in("bind 'x' to {true => 1}"), "type error for 'x': expected Data"));
  EXPECT_TRUE(has(error_in("bind 'x' to [{a => {undef => 1}}]"), "type error for 'x': expected Data"));
  EXPECT_EQ(error_in("bind 'x' to {1 => undef, 1.5 => [undef, {'a' => true}]}"), "value 1");
}

TEST(Constants, AreCheckedWhereNamesAreComputed) {
  const std::string error = error_in(
      "when node 'other' { bind Integer, \"x-${rack}\" to 'str'  bind 'z' to 1 { nope => 1 }  bind \"y${1 + 1}\" to 1 { singleton => 5 }\n"
      "bind Integer to 'abc' in \"id-${rack}\" }");
  EXPECT_TRUE(has(error, "type error for 'x-${rack}': expected Integer, got String"));
  EXPECT_TRUE(has(error, "the option 'singleton' must be true or false"));
  EXPECT_TRUE(has(error, "type error for a contribution to the multibind 'id-${rack}': expected Integer, got String"));
  // Each is told once where the statement is in effect.
  const std::string once = error_in("bind Integer, \"x-${rack}\" to 'str'");
  EXPECT_EQ(once.find("type error"), once.rfind("type error"));
}

TEST(Constants, OfContributionsNameTheMultibind) {
  EXPECT_TRUE(has(error_in("multibind Array[Data], 'a' as 'i'\nbind Integer to 's' in 'i'"),
                  "type error for a contribution to the multibind 'i': expected Integer, got String"));
}

TEST(Members, TheLastOfAKeyCounts) {
  World world;
  world.body("bind parameters ntp to { a => 1, a => 2 }\nbind variables to { v => 1, '::v' => 3 }\nbind variables Integer to { w => 'x', w => 5 }");
  EXPECT_EQ(world.inject("ntp::a"), "2");
  EXPECT_EQ(world.inject("/var/v"), "3");
  EXPECT_EQ(world.inject("/var/w"), "5");
  const std::string warnings = all_of(world.diagnostics.warnings(), "warning");
  EXPECT_TRUE(has(warnings, "default.pp:2:34: warning: the key 'a' is given twice, the last one counts [puppet.repeated-key]"));
  EXPECT_TRUE(has(warnings, "default.pp:2:26: note: given here first"));
  World strict;
  strict.strict = true;
  strict.body("bind parameters ntp to { a => 1, a => 2 }  bind 'ok' to 1");
  EXPECT_TRUE(has(strict.error_of("ok"), "error: the key 'a' is given twice"));
}

TEST(Members, OfComputedHashesAreLikeThoseOfLiteralOnes) {
  EXPECT_TRUE(has(error_in("bind variables to merge({'Bad Name' => 1}, {})"), "'Bad Name' is no name of a variable"));
  EXPECT_TRUE(has(error_in("bind variables to {'Bad Name' => 1}"), "'Bad Name' is no name of a variable"));
  World world;
  world.body(
      "bind variables to {'::x' => 1} + {}\nbind parameters ntp to {a => undef} + {b => 1}\nbind parameters ssh to {a => undef}\n"
      "bind parameters dns to optional {a => undef} + {b => 1}\nbind variables abstract to ['::x']");
  EXPECT_TRUE(has(world.error_of("ok"), "variable $x is bound twice"));
  World other;
  other.body(
      "bind variables to {'::x' => 1} + {}\nbind parameters ntp to {a => undef} + {b => 1}\nbind parameters ssh to {a => undef}\n"
      "bind parameters dns to optional {a => undef} + {b => 1}");
  EXPECT_EQ(other.inject("/var/x"), "1");
  EXPECT_EQ(other.inject("ntp::b"), "1");
  EXPECT_TRUE(has(other.error_of("ntp::a"), "the producer of parameter 'a' of class ntp produced no value"));
  EXPECT_TRUE(has(other.error_of("ssh::a"), "the producer of parameter 'a' of class ssh produced no value"));
  EXPECT_TRUE(has(other.error_of("dns::a"), "nothing is bound for"));
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(Check, SeesMultibindsBehindRebinds) {
  World world;
  world.body(
      "multibind Array[Data], 'l' as 'i'\nbind to 1 in 'i'\nwhen node 'kermit' { rebind 'l' }\nwhen node 'kermit' and virtual true { rebind 'l' }");
  EXPECT_EQ(world.inject("l"), "[1]");
  EXPECT_EQ(count_of(findings_of(world), "bindings.orphan"), 0U);
  const std::string error =
      error_in("multibind Array[Data], 'l' as 'i'\nmultibind Array[Data], 'm' as 'i'\nwhen node 'kermit' { rebind 'l' rebind 'm' }");
  EXPECT_TRUE(has(error, "the multibinds 'l' and 'm' have the same id 'i'"));
  EXPECT_TRUE(has(error, "default.pp:3:1"));
  EXPECT_TRUE(has(error, "default.pp:2:1"));
}

TEST(Check, RebindsOfWhatCannotBeTakenAreErrorsAtOnce) {
  EXPECT_TRUE(has(error_in("bind abstract 'x'  when node 'kermit' { rebind 'x' }"), "'x' must be bound"));
  EXPECT_TRUE(has(error_in("bind 'x' to 1  bind 'x' to 2  when node 'kermit' { rebind 'x' }"), "'x' is bound twice"));
  EXPECT_TRUE(has(error_in("when node 'kermit' { rebind 'x' }"), "nothing to rebind"));
  EXPECT_TRUE(has(error_in("when virtual true { rebind 'x' }  when node 'kermit' { rebind 'x' }"), "nothing to rebind"));
}

TEST(Check, HigherLayersThatAlwaysBindSettleTies) {
  const std::pair<std::string, std::vector<std::pair<std::string, std::string>>> modules{
      "modules", {{"x::default", "bind 'a' to 1"}, {"y::default", "bind 'a' to 2"}}};
  for (const std::string above :
       {"bind 'a' to 9", "when common { bind 'a' to 9 }", "bind 'a' to optional 9", "when node 'x' or common { bind 'a' to 9 }"}) {
    World world;
    world.layer({"site", {{"default", above}}}).layer({modules.first, modules.second});
    const std::string found = findings_of(world);
    EXPECT_EQ(count_of(found, "error:"), 0U) << found;
    EXPECT_EQ(count_of(found, "is bound twice"), 1U) << found;
    EXPECT_TRUE(has(found, "warning: 'a' is bound twice in layer 'modules'"));
  }
  World sometimes;
  sometimes.layer({"site", {{"default", "when node 'kermit' { bind 'a' to 9 }"}}}).layer({modules.first, modules.second});
  const std::string found = findings_of(sometimes);
  EXPECT_TRUE(has(found, "error: 'a' is bound twice in layer 'modules'"));
  EXPECT_EQ(count_of(found, "is bound twice"), 1U) << found;
  World below;
  below.body("bind 'a' to 1\nbind 'a' to 2\nwhen node 'kermit' { bind 'a' to 3 }");
  EXPECT_EQ(count_of(findings_of(below), "is bound twice"), 1U);
}

TEST(Check, WideConditionsAreNoErrors) {
  std::string names = "node 'n0'";
  for (int i = 1; i < 3000; ++i) names += " or node 'n" + std::to_string(i) + "'";
  World plain;
  plain.body("when virtual true { when " + names + " { bind 'a' to 1 } }\nwhen " + names + " { bind 'b' to 1 }\nwhen node 'n7' { bind 'b' to 2 }");
  const std::string found = findings_of(plain);
  EXPECT_EQ(count_of(found, "error:"), 1U);
  EXPECT_TRUE(has(found, "error: 'b' is bound twice"));
  std::string products = "(rack 1 or node 'n0')";
  for (int i = 1; i < 40; ++i) products += " and (rack 1 or node 'n0' or os" + std::to_string(i) + " 'x')";
  World wide;
  wide.body("when " + products + " { bind 'a' to 1 }\nwhen " + products + " { bind 'a' to 2 }");
  const std::string widest = findings_of(wide);
  EXPECT_EQ(count_of(widest, "error:"), 0U) << widest;
}

TEST(Conditions, ThatAreLongAreCutWhereTheyAreLong) {
  std::string condition = "node 'kermit'";
  for (int i = 0; i < 60; ++i) condition += " and rack " + std::to_string(i);
  World world;
  world.body("when " + condition + " { bind 'a' to 1 }");
  const std::string error = world.error_of("a");
  EXPECT_TRUE(has(error, " …"));
  EXPECT_EQ(error.find("and  and"), std::string::npos) << error;
}

TEST(Notes, TellEverythingThatIsHidden) {
  World world;
  std::string body;
  for (int i = 0; i < 60; ++i) body += "when node 'n" + std::to_string(i) + "' { bind 'k' to 1 }\n";
  world.body(body);
  const std::string error = world.error_of("k");
  EXPECT_EQ(count_of(error, "note: bound here, but"), 50U);
  EXPECT_TRUE(has(error, "note: and 10 more"));
  World abstract;
  testing::LayerText modules{"modules", {}};
  for (int i = 0; i < 8; ++i) modules.documents.emplace_back("m" + std::to_string(i), "when virtual true { bind 'k' to 1 }\nbind 'x' to 1");
  abstract.layer({"site", {{"s", "bind abstract 'k'  bind 'x' to 2"}}}).layer(modules);
  const std::string hidden = abstract.error_of("x");
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(has(hidden, "m" + std::to_string(i) + ".pp:2:21: note: hidden by it: bound here, in layer 'modules'"));
}

TEST(Classes, AreGatheredOnce) {
  World world;
  world.body("include ntp  bind to inject('/classes') in 'included_classes'");
  EXPECT_TRUE(has(world.error_of("/classes"), "lookup loop"));
}

TEST(Plans, AreToldApartByLayerAndPosition) {
  World world;
  for (int i = 0; i < 40; ++i) world.layer({"l" + std::to_string(i), {}});
  const auto document = world.document("default", "bind 'a' to 1");
  const auto other = world.document("other", "bind 'b' to 1");
  world.request->layers[0].items = {{other, nullptr}, {document, nullptr}};
  EXPECT_EQ(world.inject("a"), "1");
  auto second = std::make_shared<Request>(*world.request);
  second->layers[0].items = {{other, nullptr}};
  for (int i = 1; i < 31; ++i) second->layers[static_cast<std::size_t>(i)].items.clear();
  second->layers[31].items = {{document, nullptr}};
  Injector made(world.shared, second, {}, world.sources, world.diagnostics, world.limits);
  Explanation told = made.explain("", "a");
  ASSERT_TRUE(told.winner.has_value());
  EXPECT_EQ(told.winner->layer, "l31");
}

}  // namespace
}  // namespace strata::bindings
