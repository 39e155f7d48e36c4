// SPDX-License-Identifier: Apache-2.0
// What is found out when an injector is made, and by `bindings check`.
#include <string>

#include "bindings/extensions/registry.hpp"
#include "injector_world.hpp"

namespace strata::bindings {
namespace {

using testing::has;
using testing::World;

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
  for (const std::string body : {"bind 'x' to /a/", "bind 'x' TO /a/", "bind 'x' to optional /a/",
                                 "bind 'x' to [1, /a/]", "bind 'x' to {a => /a/}"}) {
    EXPECT_TRUE(has(error_in(body), "type error for 'x': expected Data")) << body;
  }
  EXPECT_TRUE(has(error_in("bind parameters ntp to {a => /a/}"),
                  "type error for parameter 'a' of class ntp: expected Data, got Pattern"));
  World world;
  world.body(
      "bind Pattern, 'x' to /a/  bind Pattern, 'o' TO OPTIONAL /b/  multibind Array[Pattern], 'i'  bind to /x/ in 'i'  "
      "BIND Pattern, 'u' TO /c/");
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
      "when node 'other' { bind Integer, \"x-${rack}\" to 'str'  bind 'z' to 1 { nope => 1 }  bind \"y${1 + 1}\" to 1 "
      "{ singleton => 5 }\n"
      "bind Integer to 'abc' in \"id-${rack}\" }");
  EXPECT_TRUE(has(error, "type error for 'x-${rack}': expected Integer, got String"));
  EXPECT_TRUE(has(error, "the option 'singleton' must be true or false"));
  EXPECT_TRUE(has(error, "type error for a contribution to the multibind 'id-${rack}': expected Integer, got String"));
  // Each is reported once where the statement is in effect.
  const std::string once = error_in("bind Integer, \"x-${rack}\" to 'str'");
  EXPECT_EQ(once.find("type error"), once.rfind("type error"));
}

TEST(Constants, OfContributionsNameTheMultibind) {
  EXPECT_TRUE(has(error_in("multibind Array[Data], 'a' as 'i'\nbind Integer to 's' in 'i'"),
                  "type error for a contribution to the multibind 'i': expected Integer, got String"));
}

TEST(Members, TheLastOfAKeyCounts) {
  World world;
  world.body(
      "bind parameters ntp to { a => 1, a => 2 }\nbind variables to { v => 1, '::v' => 3 }\nbind variables Integer to "
      "{ w => 'x', w => 5 }");
  EXPECT_EQ(world.inject("ntp::a"), "2");
  EXPECT_EQ(world.inject("/var/v"), "3");
  EXPECT_EQ(world.inject("/var/w"), "5");
  const std::string warnings = all_of(world.session.diagnostics().warnings(), "warning");
  EXPECT_TRUE(
      has(warnings, "default.pp:2:34: warning: the key 'a' is given twice, the last one counts [puppet.repeated-key]"));
  EXPECT_TRUE(has(warnings, "default.pp:2:26: note: given here first"));
  std::string many = "bind parameters web to { z => 0";
  for (int i = 0; i < 40; ++i) many += ", a" + std::to_string(i % 30) + " => " + std::to_string(i);
  World wide;
  wide.body(many + " }");
  EXPECT_EQ(wide.inject("web::a5"), "35");
  EXPECT_EQ(wide.inject("web::a15"), "15");
  EXPECT_EQ(wide.session.diagnostics().warnings().size(), 10U);
  World strict;
  strict.strict = true;
  strict.body("bind parameters ntp to { a => 1, a => 2 }  bind 'ok' to 1");
  EXPECT_TRUE(has(strict.error_of("ok"), "error: the key 'a' is given twice"));
}

TEST(Members, OfComputedHashesAreLikeThoseOfLiteralOnes) {
  EXPECT_TRUE(has(error_in("bind variables to merge({'Bad Name' => 1}, {})"), "'Bad Name' is not a variable name"));
  EXPECT_TRUE(has(error_in("bind variables to {'Bad Name' => 1}"), "'Bad Name' is not a variable name"));
  World world;
  world.body(
      "bind variables to {'::x' => 1} + {}\nbind parameters ntp to {a => undef} + {b => 1}\nbind parameters ssh to {a "
      "=> undef}\n"
      "bind parameters dns to optional {a => undef} + {b => 1}\nbind variables abstract to ['::x']");
  EXPECT_TRUE(has(world.error_of("ok"), "variable $x is bound twice"));
  World other;
  other.body(
      "bind variables to {'::x' => 1} + {}\nbind parameters ntp to {a => undef} + {b => 1}\nbind parameters ssh to {a "
      "=> undef}\n"
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
      "multibind Array[Data], 'l' as 'i'\nbind to 1 in 'i'\nwhen node 'kermit' { rebind 'l' }\nwhen node 'kermit' and "
      "virtual true { rebind 'l' }");
  EXPECT_EQ(world.inject("l"), "[1]");
  EXPECT_EQ(count_of(findings_of(world), "bindings.orphan"), 0U);
  const std::string error = error_in(
      "multibind Array[Data], 'l' as 'i'\nmultibind Array[Data], 'm' as 'i'\nwhen node 'kermit' { rebind 'l' rebind "
      "'m' }");
  EXPECT_TRUE(has(error, "the multibinds 'l' and 'm' have the same id 'i'"));
  EXPECT_TRUE(has(error, "default.pp:3:1"));
  EXPECT_TRUE(has(error, "default.pp:2:1"));
}

TEST(Check, RebindsOfWhatCannotBeTakenAreErrorsAtOnce) {
  EXPECT_TRUE(has(error_in("bind abstract 'x'  when node 'kermit' { rebind 'x' }"), "'x' must be bound"));
  EXPECT_TRUE(has(error_in("bind 'x' to 1  bind 'x' to 2  when node 'kermit' { rebind 'x' }"), "'x' is bound twice"));
  EXPECT_TRUE(has(error_in("when node 'kermit' { rebind 'x' }"), "nothing to rebind"));
  EXPECT_TRUE(
      has(error_in("when virtual true { rebind 'x' }  when node 'kermit' { rebind 'x' }"), "nothing to rebind"));
}

TEST(Check, HigherLayersThatAlwaysBindSettleTies) {
  const std::pair<std::string, std::vector<std::pair<std::string, std::string>>> modules{
      "modules", {{"x::default", "bind 'a' to 1"}, {"y::default", "bind 'a' to 2"}}};
  for (const std::string above : {"bind 'a' to 9", "when common { bind 'a' to 9 }", "bind 'a' to optional 9",
                                  "when node 'x' or common { bind 'a' to 9 }"}) {
    World world;
    world.layer({"site", {{"default", above}}}).layer({modules.first, modules.second});
    const std::string found = findings_of(world);
    EXPECT_EQ(count_of(found, "error:"), 0U) << found;
    EXPECT_EQ(count_of(found, "is bound twice"), 1U) << found;
    EXPECT_TRUE(has(found, "warning: 'a' is bound twice in layer 'modules'"));
  }
  World sometimes;
  sometimes.layer({"site", {{"default", "when node 'kermit' { bind 'a' to 9 }"}}})
      .layer({modules.first, modules.second});
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
  plain.body("when virtual true { when " + names + " { bind 'a' to 1 } }\nwhen " + names +
             " { bind 'b' to 1 }\nwhen node 'n7' { bind 'b' to 2 }");
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
  for (int i = 0; i < 8; ++i)
    modules.documents.emplace_back("m" + std::to_string(i), "when virtual true { bind 'k' to 1 }\nbind 'x' to 1");
  abstract.layer({"site", {{"s", "bind abstract 'k'  bind 'x' to 2"}}}).layer(modules);
  const std::string hidden = abstract.error_of("x");
  for (int i = 0; i < 8; ++i)
    EXPECT_TRUE(has(hidden, "m" + std::to_string(i) + ".pp:2:21: note: hidden by it: bound here, in layer 'modules'"));
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
  world.request->layers[0].parts = {LayerPart::of({other, document})};
  EXPECT_EQ(world.inject("a"), "1");
  auto second = std::make_shared<Request>(*world.request);
  second->layers[0].parts = {LayerPart::of({other})};
  for (int i = 1; i < 31; ++i) second->layers[static_cast<std::size_t>(i)].parts.clear();
  second->layers[31].parts = {LayerPart::of({document})};
  Explanation told = make_injector(world.shared, second, {}, world.session)->explain("", "a");
  ASSERT_TRUE(told.winner.has_value());
  EXPECT_EQ(told.winner->layer, "l31");
}

/// Produces the given value.
class MadeOf final : public extensions::Producer {
 public:
  MadeOf(std::string name, std::string type, Value value)
      : declared_{std::move(name), "p.lua"}, type_(std::move(type)), value_(value) {}
  [[nodiscard]] const extensions::Declared& declared() const override { return declared_; }
  [[nodiscard]] const std::string& type() const override { return type_; }
  [[nodiscard]] bool is_singleton() const override { return true; }
  [[nodiscard]] Value produce(extensions::Context& /*context*/, const Value& /*arguments*/) override { return value_; }

 private:
  extensions::Declared declared_;
  std::string type_;
  Value value_;
};

class RuntimeProducers : public ::testing::Test {
 protected:
  RuntimeProducers() {
    registry_.add(std::make_unique<MadeOf>("Text", "String", arena_.text("made")));
    registry_.add(std::make_unique<MadeOf>("Number", "Integer", Value::integer(5)));
    registry_.add(std::make_unique<MadeOf>("Wrong", "Integer", arena_.text("five")));
    registry_.add(std::make_unique<MadeOf>("Free", "", Value::integer(6)));
  }
  std::string made(const std::string& body, const std::string& name = "x") {
    World world;
    world.services.extensions = &registry_;
    world.body(body + "\nbind 'ok' to 1");
    return world.error_of(name);
  }

  Arena arena_;
  Registry registry_;
};

TEST_F(RuntimeProducers, AreNamedByTheMultibind) {
  const std::string use = "\nbind 'short' to Type[Text] in 'producers'\nbind 'x' to producer 'short'";
  for (const std::string type :
       {"Hash[Type[Producer[String]]]", "Hash[Type[Producer[Data]]]", "Hash[Type[Producer]]", "Hash[Type]", "Hash[Any]",
        "Hash[Type[Text]]", "Hash[String, Type[Producer[Literal]]]"}) {
    EXPECT_EQ(made("multibind " + type + ", 'producers'" + use), "value \"made\"") << type;
  }
  EXPECT_EQ(made("multibind Hash[Type[Producer]], 'producers' as 'p'\nwhen node 'kermit' { rebind "
                 "Hash[Type[Producer]], 'producers' }\n"
                 "bind 'short' to Type[Text] in 'p'\nbind 'x' to producer 'short'"),
            "value \"made\"");
  EXPECT_EQ(
      made("multibind Hash[Data], 'producers'\nbind 'short' to 'Text' in 'producers'\nbind 'x' to producer 'short'"),
      "value \"made\"");
  EXPECT_EQ(made("multibind Hash[Any], 'producers'\nbind 'short' to producer 'Text' in 'producers'\nbind 'x' to "
                 "producer 'Number'"),
            "value 5");
  EXPECT_EQ(made("bind 'x' to producer 'Text'"), "value \"made\"");
  EXPECT_TRUE(has(made("multibind Hash[Type[Producer[Integer]]], 'producers'" + use),
                  "type error for a contribution to the multibind"));
  EXPECT_TRUE(has(made("multibind Hash[Type[Producer]], 'producers'\nbind 'short' to Type[Nope] in 'producers'", "ok"),
                  "no runtime type Nope is registered"));
}

TEST_F(RuntimeProducers, AreCheckedWhenTheInjectorIsMade) {
  const std::string error = made(
      "multibind Hash[Type[Producer[String]]], 'producers'\nbind 'short' to Type[Text] in 'producers'\nbind Integer, "
      "'z' to producer 'short'",
      "ok");
  EXPECT_TRUE(has(error, "type error for 'z': expected Integer, but the producer 'short' is bound as one of String"));
  EXPECT_TRUE(has(error, "default.pp:4:"));
  EXPECT_TRUE(has(made("multibind Hash[Type[Producer]], 'producers'\nbind Type[Producer[String]], 'short' to "
                       "Type[Text] in 'producers'\n"
                       "bind Integer, 'z' to producer 'short'",
                       "ok"),
                  "expected Integer, but the producer 'short' is bound as one of String"));
  // Without a T, each value is checked.
  const std::string lazy =
      "multibind Hash[Type[Producer]], 'producers'\nbind 'short' to Type[Text] in 'producers'\nbind Integer, 'z' to "
      "producer 'short'";
  EXPECT_EQ(made(lazy, "ok"), "value 1");
  EXPECT_TRUE(has(made(lazy, "z"), "type error for 'z': expected Integer, got String"));
}

TEST_F(RuntimeProducers, MakeWhatTheySay) {
  const std::string error = made("bind Any, 'y' to 1\nbind 'x' to producer 'Wrong'");
  EXPECT_TRUE(
      has(error, "type error for 'x': the producer Wrong of p.lua declares Integer, but made String (\"five\")"));
  EXPECT_TRUE(has(error, "for 'x', bound here"));
  EXPECT_EQ(made("bind 'x' to producer Type[Free]"), "value 6");
}

TEST_F(RuntimeProducers, ThatAreMissingAreNamed) {
  EXPECT_TRUE(has(made("bind 'x' to producer Type[Nope]", "ok"), "no runtime type Nope is registered"));
  EXPECT_TRUE(has(made("bind 'x' to producer 'Nope'"), "there is no producer 'Nope'"));
  EXPECT_TRUE(has(made("bind 'x' to producer \"No${1 + 0}\""), "there is no producer 'No1'"));
  EXPECT_EQ(made("bind 'x' to optional producer Type[Nope]", "ok"), "value 1");
}

TEST(WrittenTypes, AnyIsNoData) {
  World world;
  world.body(
      "bind Hash[String, Any], 'x' to { a => 1 }  bind Array[Any, 1, 3], 'w' to [1]  bind Array[1, 3], 'v' to [1]  "
      "bind Hash[1, 3], 'h' to {a => 1}");
  EXPECT_TRUE(has(world.error_of("x"), "nothing is bound"));
  EXPECT_TRUE(has(world.error_of("w"), "nothing is bound"));
  EXPECT_EQ(world.inject("Hash[String, Any]", "x"), "{\"a\": 1}");
  EXPECT_EQ(world.inject("v"), "[1]");
  EXPECT_EQ(world.inject("h"), "{\"a\": 1}");
}

TEST(WrittenTypes, UndefStandsInAllThatHoldsData) {
  World world;
  world.body(
      "bind Struct[{a => Data}], 's' to {a => undef}  bind Tuple[Data], 't' to [undef]  bind Array[Struct[{a => "
      "Data}]], 'n' to [{a => [undef]}]"
      "bind Tuple[Integer, Data, 2, 4], 'u' to [1, undef, undef]");
  EXPECT_EQ(world.inject("s"), "{\"a\": null}");
  EXPECT_EQ(world.inject("Tuple[Data]", "t"), "[null]");
  EXPECT_EQ(world.inject("n"), "[{\"a\": [null]}]");
  EXPECT_EQ(world.inject("u"), "[1, null, null]");
  const std::string error = error_in(
      "bind Struct[{a => Data, Optional[b] => Number, 'c' => Array[Literal], d => Pattern}], 'x' to {}\nbind Struct[{a "
      "=> Data}], 'z' to {}");
  EXPECT_TRUE(has(
      error,
      "expected Struct[{'a' => Data, Optional['b'] => Number, 'c' => Array[Literal], 'd' => Pattern}], got Hash ({})"));
  EXPECT_TRUE(has(error, "expected Struct[{'a' => Data}], got Hash"));
}

TEST(WrittenTypes, OfValuesInMessages) {
  const std::vector<std::pair<std::string, std::string>> values{{"{'a' => 'b'}", "Hash[String]"},
                                                                {"[undef, 1]", "Array"},
                                                                {"[/x/, 1]", "Array[Any]"},
                                                                {"[1, 'a']", "Array[Literal]"},
                                                                {"[1, 2.5]", "Array[Number]"},
                                                                {"[1, [2]]", "Array"},
                                                                {"[]", "Array"},
                                                                {"{true => 1}", "Hash[Boolean, Integer]"}};
  for (const auto& one : values)
    EXPECT_TRUE(has(error_in("bind Integer, 'x' to " + one.first), ", got " + one.second + " (")) << one.first;
}

TEST(Names, OfClassParametersAreReadInEverySpelling) {
  World world;
  world.body("bind 'ntp::server::ip' to '::1'");
  for (const std::string name :
       {"/param/Class[NTP::Server]/ip", "/param/Class[::ntp::server]/ip", "/param/class[ntp::server]/ip"}) {
    EXPECT_EQ(world.error_of(name), "value \"::1\"") << name;
  }
}

TEST(Names, ListsHaveOtherNames) {
  World world;
  world.body(
      "include ntp  exclude ssh  bind alias '/classes' as 'c'  bind alias 'included_classes' as 'i'  bind alias "
      "'/dependencies' as 'd'");
  EXPECT_EQ(world.inject("c"), "[\"ntp\"]");
  EXPECT_EQ(world.inject("i"), "[\"ntp\"]");
  EXPECT_EQ(world.inject("d"), "[]");
}

TEST(Names, NoClassIsCalledClass) {
  EXPECT_TRUE(has(error_in("include 'class'"), "a class cannot be called 'class'"));
  EXPECT_TRUE(has(error_in("exclude ['ntp', '::Class']"), "a class cannot be called 'class'"));
  World world;
  world.body("bind 'class' to 1  bind to ['ntp', 'Class'] in 'included_classes'");
  EXPECT_TRUE(has(world.error_of("/classes"), "a class cannot be called 'class'"));
}

TEST(Sources, TypesAreReadOnce) {
  World world;
  world.body("bind Integer, 'a' to 1");
  static_cast<void>(world.injector().find("Integer", "a"));
  const Origin before = world.sources.at(world.sources.add("<mark>", "x"), 0);
  static_cast<void>(world.injector().find("Integer", "a"));
  const Origin after = world.sources.at(world.sources.add("<mark>", "x"), 0);
  const Origin next = world.sources.at(world.sources.add("<mark>", "x"), 0);
  EXPECT_EQ(after.location - before.location, next.location - after.location);
}

// Section 19: what each message must name.

/// Nothing that only the injector calls a key may be seen.
void expect_no_keys(const std::string& error) {
  for (const std::string part : {"/param/", "/var/", "/map/"}) EXPECT_EQ(error.find(part), std::string::npos) << error;
}

TEST(Rows, Conflict) {
  World world;
  world.body(
      "when node 'kermit' { bind 'a' to 1 }\nwhen virtual true { when node 'kermit' or node 'x' { bind 'b' to 1 } }\n"
      "when node 'kermit' and virtual true { bind 'b' to 2\nbind 'b' to 3 }\nwhen node 'kermit' { bind 'a' to 2 }");
  const std::string error = world.error_of("ok");
  EXPECT_TRUE(has(error,
                  "'a' is bound twice in layer 'site' with the same precedence: by default (node 'kermit') and by "
                  "default (node 'kermit')"));
  EXPECT_TRUE(has(
      error, "by default (node 'kermit' and virtual 'true'), of 'when virtual true and (node 'kermit' or node 'x')'"));
  EXPECT_TRUE(has(error, "and 1 more"));
  EXPECT_TRUE(has(error, "default.pp:2:"));
  EXPECT_TRUE(has(error, "default.pp:6:"));
  expect_no_keys(
      error_in("bind parameters ntp to {a => 1}\nbind parameters ntp to {a => 2}\nbind variables to {v => 1}\nbind "
               "variables to {v => 2}\n"
               "bind map A to B {a => b}\nbind map A to B {a => c}"));
}

TEST(Rows, Abstract) {
  World world;
  world.layer({"top", {{"t", "bind abstract 'k'  bind abstract variables to 'v'"}}})
      .layer({"site", {{"s", "bind 'k' to 1\nbind variables to {v => 1}"}}})
      .layer({"modules", {{"m", "\nwhen virtual true { bind 'k' to 2 }\nbind 'k' to 3"}}});
  const std::string error = world.error_of("k");
  EXPECT_TRUE(has(error, "t.pp:2:1: error: 'k' must be bound: it is abstract in layer 'top'"));
  EXPECT_TRUE(has(error, "s.pp:2:1: note: hidden by it: bound here, in layer 'site'"));
  EXPECT_TRUE(has(error, "m.pp:3:21: note: hidden by it: bound here, in layer 'modules'"));
  EXPECT_TRUE(has(error, "m.pp:4:1: note: hidden by it"));
  EXPECT_TRUE(has(error, "variable $v must be bound"));
  expect_no_keys(error);
}

TEST(Rows, OverrideOfNothing) {
  const std::string error =
      error_in("bind 'user' to 1\n  bind override 'usr' to 1\nbind parameters ntp override to {a => 1}");
  EXPECT_TRUE(has(error, "default.pp:3:3: error: 'usr' overrides nothing"));
  EXPECT_TRUE(has(error, "did you mean 'user'?"));
  EXPECT_TRUE(has(error, "parameter 'a' of class ntp overrides nothing"));
  expect_no_keys(error);
}

TEST(Rows, TypeError) {
  const std::string error =
      error_in("bind Integer,\n 'x' to\n '" + std::string(100, 'y') + "'\nbind variables Integer to {v => 'z'}");
  EXPECT_TRUE(has(error, "default.pp:4:2: error: type error for 'x': expected Integer, got String (\"" +
                             std::string(59, 'y') + "…)"));
  EXPECT_TRUE(has(error, "default.pp:2:6: note: the type is declared here"));
  EXPECT_TRUE(has(error, "type error for variable $v"));
  expect_no_keys(error);
}

TEST(Rows, Contributions) {
  World world;
  world.body(
      "multibind Hash[Data], 'h'\nbind to 1 in 'h'\nmultibind Hash[Data], 'g'\nbind 'a' to 1 in 'g'\nbind 'a' to 2 in "
      "'g'");
  const std::string unnamed = world.error_of("h");
  EXPECT_TRUE(has(unnamed, "default.pp:3:1: error: a contribution to the multibind 'h' needs a name"));
  EXPECT_TRUE(has(unnamed, "default.pp:2:1: note: the multibind is here"));
  const std::string twice = world.error_of("g");
  EXPECT_TRUE(has(twice, "the multibind 'g' has two contributions named 'a'"));
  EXPECT_TRUE(has(twice, "default.pp:5:1"));
  EXPECT_TRUE(has(twice, "default.pp:6:1"));
}

TEST(Rows, ExpressionsNameTheirBinding) {
  const std::string error = error_in(
      "bind \"x${nosuch(1)}\" to 1\nwhen node (1 / 0) { bind 'guarded' to 1 }\nbind variables to nosuch()\nbind "
      "parameters ntp to {a => 1} + {b => 1 "
      "/ 0}\n"
      "bind 'c' to 1 in \"i${1 / 0}\"");
  EXPECT_TRUE(has(error_in("multibind Array[Data], 'm' as \"i${1 / 0}\""), "note: for 'm', bound here"));
  World edges;
  edges.body("bind dependency File[\"a${1 / 0}\"] -> File['b']");
  EXPECT_TRUE(has(edges.error_of("/dependencies"), "note: for 'bind dependency', bound here"));
  EXPECT_TRUE(has(error, "default.pp:2:10: error: unknown function"));
  EXPECT_TRUE(has(error, "default.pp:2:1: note: for 'x${…}', bound here"));
  EXPECT_TRUE(has(error, "note: for 'guarded', bound here"));
  EXPECT_TRUE(has(error, "default.pp:4:1: note: for 'bind variables', bound here"));
  EXPECT_TRUE(has(error, "default.pp:5:1: note: for 'bind parameters', bound here"));
  EXPECT_TRUE(has(error, "note: for a contribution to the multibind 'i${…}', bound here"));
  expect_no_keys(error);
  for (const std::string producer : {"nosuch(1)", "with(1) |$v| { $v = 2 }", "1 / 0"}) {
    World world;
    world.body("bind 'x' to " + producer + "\nbind variables to {v => " + producer + "}");
    EXPECT_TRUE(has(world.error_of("x"), "default.pp:2:1: note: for 'x', bound here")) << producer;
    const std::string variable = world.error_of("/var/v");
    EXPECT_TRUE(has(variable, "default.pp:3:1: note: for variable $v, bound here")) << producer;
    expect_no_keys(variable);
  }
}

}  // namespace
}  // namespace strata::bindings
