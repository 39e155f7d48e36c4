// SPDX-License-Identifier: Apache-2.0
// Lookups and producers.
#include <string>

#include "injector_world.hpp"

namespace strata::bindings {
namespace {

using testing::has;
using testing::World;

TEST(Injector, GivesConstants) {
  World world;
  world.body("bind 'a' to 42  bind 'b' to ['x', {k => 1.5}]  bind 'c' to -3  bind 'd' to word");
  EXPECT_EQ(world.inject("a"), "42");
  EXPECT_EQ(world.inject("b"), R"(["x", {"k": 1.5}])");
  EXPECT_EQ(world.inject("c"), "-3");
  EXPECT_EQ(world.inject("d"), "\"word\"");
}

TEST(Injector, EvaluatesExpressionsWithFactsAndVariables) {
  World world;
  world.body(
      "bind 'a' to \"rack ${rack}\"  bind 'b' to [1, 2].map |$x| { $x * 10 }  bind variables to { base => '/srv' }  "
      "bind 'c' to \"${base}/x\"");
  EXPECT_EQ(world.inject("a"), "\"rack 7\"");
  EXPECT_EQ(world.inject("b"), "[10, 20]");
  EXPECT_EQ(world.inject("c"), "\"/srv/x\"");
}

TEST(Injector, LooksUp) {
  World world;
  world.body(
      "bind 'x' to inject('h')['k']  bind 'h' to { k => 5 }  bind 'f' to first_found('p', 'q')  bind 'q' to 3  bind "
      "'n' to first_found('p')");
  EXPECT_EQ(world.inject("x"), "5");
  EXPECT_EQ(world.inject("f"), "3");
  EXPECT_TRUE(has(world.error_of("n"), "bindings.no-value"));
}

TEST(Injector, TypeArgumentsMeanTheTypesOfBindings) {
  World world;
  world.body(
      "bind Hash[Integer], 'h' to {'a' => 1}  bind Collection, 'c' to [1]  bind 'x' to inject(Hash[Number], 'h')  bind "
      "'y' to inject(Collection, 'c')"
      "  bind 'f' to first_found([Collection, 'no'], [Literal, 'z'])  bind 'z' to 1.5  bind 'e' to inject(String, "
      "'z')");
  EXPECT_EQ(world.inject("x"), R"({"a": 1})");
  EXPECT_EQ(world.inject("y"), "[1]");
  EXPECT_EQ(world.inject("f"), "1.5");
  EXPECT_TRUE(has(world.error_of("e"), "expected String, got Float"));
}

TEST(Injector, TellsTheWholeLoop) {
  World world;
  world.body("bind 'a' to inject('b')  bind 'b' to inject('c')  bind 'c' to inject('a')  bind 'd' to 1");
  EXPECT_TRUE(has(world.error_of("a"), "'a' → 'b' → 'c' → 'a'"));
  EXPECT_TRUE(has(world.error_of("b"), "'b' → 'c' → 'a' → 'b'"));
  EXPECT_EQ(world.inject("d"), "1");
}

TEST(Injector, TellsNearNamesAndWhatIsNotInEffect) {
  World world;
  world.body("bind 'colour' to 1  when node 'other' { bind 'color' to 2 }");
  const std::string error = world.error_of("color");
  EXPECT_TRUE(has(error, "did you mean 'colour'?"));
  EXPECT_TRUE(has(error, "category not in effect: node 'other' (is 'kermit')"));
  EXPECT_TRUE(has(error, "default.pp:2:"));
}

TEST(Injector, ChecksTypes) {
  World world;
  world.body(
      "bind Literal, 'x' to 1.5  bind Hash[Integer], 'h' to {'a' => 1}  bind Collection, 'c' to [1]  bind Integer, 'i' "
      "to "
      "\"${rack}\"");
  EXPECT_EQ(world.inject("Number", "x"), "1.5");
  EXPECT_EQ(world.inject("Hash[Number]", "h"), R"({"a": 1})");
  EXPECT_THROW(static_cast<void>(world.inject("String", "x")), Error);
  EXPECT_EQ(world.inject("Collection", "c"), "[1]");
  EXPECT_TRUE(has(world.error_of("c"), "nothing is bound"));
  const std::string error = world.error_of("i");
  EXPECT_TRUE(has(error, "expected Integer, got String"));
  EXPECT_TRUE(has(error, "the type is declared here"));
}

TEST(Injector, ChecksConstantsOfStatementsThatAreNotInEffect) {
  World world;
  world.body("bind 'a' to 1  when node 'x' { bind Integer, 'n' to 'abc' }  bind Float, 'f' to 1");
  const std::string error = world.error_of("a");
  EXPECT_TRUE(has(error, "type error for 'n': expected Integer, got String"));
  EXPECT_TRUE(has(error, "type error for 'f': expected Float, got Integer"));
}

TEST(Injector, LambdasTakeWhatIsNotBound) {
  World world;
  world.body(
      "bind 'a' to inject('no') |$v| { if $v == undef { 'none' } else { $v } }  bind 'b' to inject('a') |$v| { "
      "\"<${v}>\" }");
  EXPECT_EQ(world.inject("a"), "\"none\"");
  EXPECT_EQ(world.inject("b"), "\"<none>\"");
}

TEST(Injector, TransformsAndEvaluatesAgain) {
  World world;
  world.body(
      "bind Integer, 'a' to '5' { transformer => |$x| { Integer($x) } }  bind 'b' to [1] { singleton => false }");
  EXPECT_EQ(world.inject("a"), "5");
  EXPECT_EQ(world.inject("b"), "[1]");
}

TEST(Injector, OptionalGivesWay) {
  World world;
  world.body(
      "bind 'a' to 1  when node 'kermit' { bind 'a' to optional $facts['none'] }  bind 'b' to optional $facts['none']");
  EXPECT_EQ(world.inject("a"), "1");
  const std::string error = world.error_of("b");
  EXPECT_TRUE(has(error, "nothing is bound for 'b'"));
  EXPECT_TRUE(has(error, "note: bound here, but optional produced nothing"));
}

TEST(Injector, OptionalThatUncoversAConflictOrAnAbstractIsAnError) {
  World world;
  world.body("bind 'a' to 1  bind 'a' to 2  when node 'kermit' { bind 'a' to optional $facts['none'] }");
  EXPECT_TRUE(has(world.error_of("a"), "bindings.conflict"));
  World other;
  other.body("bind abstract 'a'  bind 'x' to 1 when node 'kermit' { bind 'a' to optional $facts['none'] }");
  EXPECT_TRUE(has(other.error_of("x"), "bindings.abstract"));
}

TEST(Injector, Anonymous) {
  World world;
  world.body("bind String to 'the text'  bind Integer to 5  bind Class[ntp] to class ntp2");
  EXPECT_EQ(world.inject("String", ""), "\"the text\"");
  EXPECT_EQ(world.inject("Integer", ""), "5");
  EXPECT_EQ(world.inject("Class[ntp]", ""), "\"Class[ntp2]\"");
  World instance;
  instance.body("bind File['x'] to 1");
  EXPECT_TRUE(has(instance.error_of("a"), "instance"));
}

TEST(Multibind, OfAnArray) {
  World world;
  world.body(
      "multibind Array[String], 'users' AS 'included_users'  bind to 'anna' in 'included_users'  bind to "
      "['akuna','ries'] in 'included_users'"
      "  multibind Array[Integer], 'none' as 'nobody'");
  EXPECT_EQ(world.inject("users"), R"(["anna", "akuna", "ries"])");
  EXPECT_EQ(world.inject("none"), "[]");
}

TEST(Multibind, Flattens) {
  const std::string contributions = "bind to [1,[2,[1]]] in 'i'  bind to 2 in 'i'";
  const std::vector<std::pair<std::string, std::string>> cases{{"", "[1, [2, [1]], 2]"},
                                                               {"{ flatten => true }", "[1, 2, 1, 2]"},
                                                               {"{ flatten => true, uniq => true }", "[1, 2]"},
                                                               {"{ flatten => 2 }", "[1, 2, [1], 2]"},
                                                               {"{ flatten => 0 }", "[[1, [2, [1]]], 2]"},
                                                               {"{ flatten => false }", "[[1, [2, [1]]], 2]"}};
  for (const auto& one : cases) {
    World world;
    world.body("multibind Array[Data], 'm' as 'i' " + one.first + " " + contributions);
    EXPECT_EQ(world.inject("m"), one.second) << one.first;
  }
}

TEST(Multibind, OfAHash) {
  World world;
  world.body("multibind Hash[Integer], 'h' as 'i'  bind 'a' to 1 in 'i'  bind 'b' to 2 in 'i'");
  EXPECT_EQ(world.inject("h"), R"({"a": 1, "b": 2})");
  World unnamed;
  unnamed.body("multibind Hash[Integer], 'counts' as 'i'  bind to 5 in 'i'");
  EXPECT_TRUE(has(unnamed.error_of("counts"), "'counts'"));
  World twice;
  twice.body("multibind Hash[Integer], 'counts' as 'i'  bind 'mary' to 5 in 'i'\nbind 'mary' to 6 in 'i'");
  const std::string error = twice.error_of("counts");
  EXPECT_TRUE(has(error, "'mary'"));
  EXPECT_TRUE(has(error, "default.pp:2:"));
  EXPECT_TRUE(has(error, "default.pp:3:"));
}

TEST(Multibind, ResolvesConflicts) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"priority", R"({"a": 2})"}, {"ignore", R"({"a": 2})"}, {"append", R"({"a": [2, 1]})"}};
  for (const auto& one : cases) {
    World world;
    world.body("multibind Hash, 'h' as 'i' { conflict_resolution => '" + one.first +
               "' }  bind 'a' to 1 in 'i'  when node 'kermit' { bind 'a' to 2 in 'i' }");
    EXPECT_EQ(world.inject("h"), one.second) << one.first;
  }
  World merged;
  merged.body(
      "multibind Hash, 'h' as 'i' { conflict_resolution => 'merge' }  bind 'k' to {z => 2, x => 2} in 'i'  when node "
      "'kermit' { bind 'k' to "
      "{x => 1, y => 1} in 'i' }");
  EXPECT_EQ(merged.inject("h"), R"({"k": {"z": 2, "x": 1, "y": 1}})");
  World nested;
  nested.body(
      "multibind Hash, 'h' as 'i' { conflict_resolution => 'append' }  bind 'a' to [1] in 'i'  bind 'a' to [2,3] in "
      "'i'");
  EXPECT_EQ(nested.inject("h"), R"({"a": [[1], [2, 3]]})");
  World flat;
  flat.body(
      "multibind Hash, 'h' as 'i' { conflict_resolution => 'append', flatten => 1, uniq => true }  bind 'a' to [1, 2] "
      "in 'i'  bind 'a' to [2,3] in "
      "'i'");
  EXPECT_EQ(flat.inject("h"), R"({"a": [1, 2, 3]})");
  World tie;
  tie.body(
      "multibind Hash, 'h' as 'i' { conflict_resolution => 'priority' }  bind 'a' to 1 in 'i'  bind 'a' to 2 in 'i'");
  EXPECT_TRUE(has(tie.error_of("h"), "two contributions named 'a'"));
}

TEST(Multibind, Combines) {
  World world;
  world.body(
      "multibind Array[Data], 'l' as 'e' { combinator => |$memo, $x| { $memo + flatten($x) } }  bind to [1,2,[3]] in "
      "'e'  bind to [4,[[5,6]]] in 'e'"
      "  multibind Hash[Data], 'h' as 'f' { combinator => |$key, $current, $value| { unless $current { $value } else { "
      "$current + $value } } }"
      "  bind 'a' to [1] in 'f'  bind 'a' to [2] in 'f'  bind 'b' to [3] in 'f'");
  EXPECT_EQ(world.inject("l"), "[1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(world.inject("h"), R"({"a": [1, 2], "b": [3]})");
}

TEST(Multibind, RefusesWrongOptions) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"Array", "{ combiner => 1 }"},
      {"Hash", "{ combinator => |$a, $b| { $a } }"},
      {"Array", "{ combinator => |$a, $b, $c| { $a } }"},
      {"Array", "{ combinator => |$a, $b| { $a }, uniq => true }"},
      {"Array", "{ conflict_resolution => 'merge' }"},
      {"Hash", "{ conflict_resolution => 'no' }"},
      {"Hash[Integer]", "{ conflict_resolution => 'append' }"},
      {"Array", "{ uniq => 5 }"}};
  for (const auto& one : cases) {
    World world;
    world.body("multibind " + one.first + ", 'm' as 'i' " + one.second + " bind 'x' to 1");
    EXPECT_TRUE(has(world.error_of("x"), "bindings.option")) << one.second;
  }
}

TEST(Multibind, TakesContributionsOfAllLayers) {
  World world;
  world.layer({"site", {{"default", "bind to 'high' in 'i'"}}})
      .layer({"modules", {{"m", "multibind Array[String], 'l' as 'i'  bind to 'low' in 'i'"}}});
  EXPECT_EQ(world.inject("l"), R"(["high", "low"])");
}

TEST(Classes, IncludeAndExclude) {
  World world;
  world.body(
      "include ntp  include [apache, mysql::server]  include '::Ssh'  exclude apache  when node 'kermit' { include "
      "late }  exclude late");
  EXPECT_EQ(World::json(world.injector().classes().value), R"(["ntp", "mysql::server", "ssh", "late"])");
  EXPECT_EQ(world.inject("/classes"), R"(["ntp", "mysql::server", "ssh", "late"])");
  EXPECT_EQ(world.inject("included_classes"), R"(["ntp", "apache", "mysql::server", "ssh", "late"])");
}

TEST(Dependencies, AreAList) {
  World world;
  world.body(
      "bind dependency File['/etc/ssh'] ~> Service['sshd'] -> [Exec['a'], Exec['b']]  bind dependency File['/etc/ssh'] "
      "~> Service['sshd']");
  EXPECT_EQ(
      world.inject("/dependencies"),
      R"([{"source": "File[/etc/ssh]", "target": "Service[sshd]", "kind": "~>"}, )"
      R"({"source": "Service[sshd]", "target": "Exec[a]", "kind": "->"}, {"source": "Service[sshd]", "target": "Exec[b]", "kind": "->"}])");
}

TEST(Parameters, BothNames) {
  World world;
  world.body(
      "bind parameters ntp::server to { ipaddress => '10.0.0.1', port => 1 }  bind 'ntp::server::port' to 2  bind "
      "'ntp::server::mode' to 3");
  EXPECT_EQ(world.inject("ntp::server::ipaddress"), "\"10.0.0.1\"");
  EXPECT_EQ(world.inject("/param/Class[ntp::server]/mode"), "3");
  EXPECT_EQ(World::json(world.injector().parameters("class ntp::server").value),
            R"({"ipaddress": "10.0.0.1", "mode": 3, "port": 1})");
  EXPECT_EQ(World::json(world.injector().parameters("Class[ntp::server]").value),
            R"({"ipaddress": "10.0.0.1", "mode": 3, "port": 1})");
  EXPECT_EQ(World::json(world.injector().parameters("class other").value), "{}");
}

TEST(Parameters, OfInstancesLieOverThoseOfTheType) {
  World world;
  world.body(
      "bind parameters Web to { port => 80, user => 'w' }  bind parameters Web[one] to { port => 81 }  bind parameters "
      "File['foo/bar[x]'] to { m => "
      "1 }");
  EXPECT_EQ(World::json(world.injector().parameters("Web[one]").value), R"({"port": 81, "user": "w"})");
  EXPECT_EQ(world.inject("/param/File[foo%2Fbar%5Bx%5D]/m"), "1");
}

TEST(Parameters, OfAComputedHash) {
  World world;
  world.body("bind parameters ntp to { a => 1 } + { b => $rack }");
  EXPECT_EQ(World::json(world.injector().parameters("class ntp").value), R"({"a": 1, "b": 7})");
}

TEST(Variables, AreUniqueAndListed) {
  World world;
  world.layer({"site", {{"default", "bind variables to { b => 2 }"}}})
      .layer({"modules", {{"m", "bind variables to { a => 1, b => 1 }"}}});
  EXPECT_EQ(World::json(world.injector().variables().value), R"({"a": 1, "b": 2})");
  World twice;
  twice.body("bind variables Integer to { a => 1 }  bind variables String to { a => 'x' }");
  EXPECT_TRUE(has(twice.error_of("/var/a"), "variable $a"));
  World loop;
  loop.body("bind variables to { a => $b, b => $a }");
  EXPECT_TRUE(has(loop.error_of("/var/a"), "variable $a → variable $b → variable $a"));
}

TEST(OtherNames, AliasRenamedRebind) {
  World world;
  world.body(
      "bind 'a' to 42  bind alias 'a' as 'b'  bind alias 'b' as 'c'  bind 'r' to 1  bind renamed 'r' as 's'"
      "  bind 'x' to 'c'  when environment 'production' { bind 'x' to 'e' }  when node 'kermit' { rebind 'x' }"
      "  multibind Array[Integer], 'l' as 'i'  bind to 1 in 'i'  bind alias 'l' as 'k'");
  EXPECT_EQ(world.inject("c"), "42");
  EXPECT_EQ(world.inject("s"), "1");
  EXPECT_TRUE(has(world.error_of("r"), "it was renamed: ask for 's'"));
  EXPECT_EQ(world.inject("x"), "\"e\"");
  EXPECT_EQ(world.inject("k"), "[1]");
}

TEST(OtherNames, MustHaveASource) {
  World alias;
  alias.body("bind alias 'nope' as 'b'  bind 'x' to 1");
  EXPECT_TRUE(has(alias.error_of("x"), "'nope'"));
  World rebind;
  rebind.body("when node 'kermit' { rebind 'zed' }  bind 'x' to 1");
  EXPECT_TRUE(has(rebind.error_of("x"), "nothing to rebind: 'zed'"));
  World abstract;
  abstract.body("bind 'a' to 1  bind alias 'a' as abstract 'b'");
  EXPECT_TRUE(has(abstract.error_of("a"), "'b' must be bound"));
  World cycle;
  cycle.body("bind alias 'a' as 'b'  bind alias 'b' as 'a'  bind 'x' to 1");
  EXPECT_TRUE(has(cycle.error_of("x"), "lookup loop: 'b' → 'a' → 'b'"));
}

/// Answers from a list.
class Keys final : public KeySource {
 public:
  explicit Keys(std::vector<std::pair<std::string, Value>> all) : all_(std::move(all)) {}
  [[nodiscard]] merge::Traced find(const std::string& key) override {
    for (const auto& one : all_) {
      if (one.first == key) return {one.second, {}};
    }
    return {};
  }
  [[nodiscard]] std::vector<std::string> keys() override {
    std::vector<std::string> out;
    for (const auto& one : all_) out.push_back(one.first);
    return out;
  }
  [[nodiscard]] std::string title() const override { return "hiera:/hiera.yaml"; }

 private:
  std::vector<std::pair<std::string, Value>> all_;
};

TEST(Sources, StandBetweenLayers) {
  World world;
  world.layer({"site", {{"default", "bind 'a' to 1"}}})
      .source("data", std::make_shared<Keys>(std::vector<std::pair<std::string, Value>>{{"a", Value::integer(2)},
                                                                                        {"b", Value::integer(2)},
                                                                                        {"only", Value::integer(2)},
                                                                                        {"/var/v", Value::integer(9)}}))
      .layer(
          {"modules",
           {{"m", "bind 'b' to 3  bind 'c' to 3  bind abstract 'b2'  bind 'w' to $v  bind alias 'only' as 'other'"}}});
  world.layer({"low", {{"n", "bind 'b2' to 1"}}});
  EXPECT_TRUE(has(world.error_of("a"), "'b2' must be bound"));
  World good;
  good.layer({"site", {{"default", "bind 'a' to 1  bind override 'only' to 4"}}})
      .source("data", std::make_shared<Keys>(std::vector<std::pair<std::string, Value>>{{"a", Value::integer(2)},
                                                                                        {"b", Value::integer(2)},
                                                                                        {"only", Value::integer(2)},
                                                                                        {"/var/v", Value::integer(9)}}))
      .layer({"modules", {{"m", "bind abstract 'b'  bind 'c' to 3  bind 'w' to $v  bind alias 'b' as 'other'"}}});
  EXPECT_EQ(good.inject("a"), "1");
  EXPECT_EQ(good.inject("b"), "2");
  EXPECT_EQ(good.inject("only"), "4");
  EXPECT_EQ(good.inject("w"), "9");
  EXPECT_EQ(good.inject("other"), "2");
  EXPECT_EQ(World::json(good.injector().all().value),
            R"({"/var/v": 9, "a": 1, "b": 2, "c": 3, "only": 4, "other": 2, "w": 9})");
}

TEST(Bounds, DeepChainsAndManyAlternativesAreErrors) {
  World world;
  std::string body = "bind 'k3000' to 1\n";
  for (int i = 0; i < 3000; ++i)
    body += "bind 'k" + std::to_string(i) + "' to inject('k" + std::to_string(i + 1) + "')\n";
  world.body(body + "bind 'x' to 5");
  EXPECT_TRUE(has(world.error_of("k0"), "limit.depth"));
  EXPECT_EQ(world.inject("x"), "5");
  EXPECT_EQ(world.inject("k2900"), "1");
  World wide;
  std::vector<std::pair<std::string, std::optional<std::string>>> categories;
  std::string when = "when ";
  for (int i = 0; i < 40; ++i) {
    categories.emplace_back("c" + std::to_string(i), "1");
    if (i % 2 == 0) {
      when +=
          (i == 0 ? "(" : " and (") + std::string("c") + std::to_string(i) + " 1 or c" + std::to_string(i + 1) + " 1)";
    }
  }
  wide.categories(categories).body(when + " { bind 'a' to 1 }");
  EXPECT_TRUE(has(wide.error_of("a"), "limit.alternatives"));
}

}  // namespace
}  // namespace strata::bindings
