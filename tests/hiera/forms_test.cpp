// SPDX-License-Identifier: Apache-2.0
// The forms of the lookup function. Specification, section 14.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::World;

World lookup_world() {
  return World(World::Files{
      {"hiera.yaml", "version: 5\n"},
      {"data/common.yaml", "k: v\nh: {a: 1}\nnothing: ~\nuses: \"%{lookup('given')}\"\nvariable: '%{given}'\n"}});
}

TEST(Forms, TheFirstNameThatIsFound) {
  World here = lookup_world();
  Query query;
  query.names = {"none", "h.b", "h.a", "k"};
  const Result& found = here.result(query);
  EXPECT_EQ(found.value.value.as_integer(), 1);
  EXPECT_EQ(found.name, "h.a");
  query.names = {"none", "nor.this"};
  EXPECT_EQ(here.answer(query),
            "hiera.not-found: Function lookup() did not find a value for any of the names ['none', 'nor.this']");
  query.names = {};
  EXPECT_EQ(here.answer(query), "hiera.not-found: Function lookup() did not find a value for any of the names []");
}

TEST(Forms, FindGivesNothingForAMiss) {
  World here = lookup_world();
  NodeView& view = here.view();
  Query query = World::query("none");
  for (int time = 0; time < 2; ++time) EXPECT_FALSE(view.find(query).has_value());
  query.names = {"nor.this", "h.a"};
  const auto found = view.find(query);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->name, "h.a");
  EXPECT_EQ(found->value.value.as_integer(), 1);
  // A value that was found outlives the misses behind it.
  EXPECT_FALSE(view.find(World::query("nor")).has_value());
  EXPECT_EQ(found->value.value.as_integer(), 1);
  query = World::query("none");
  query.default_value = Value::null();
  const auto fallback = view.find(query);
  ASSERT_TRUE(fallback.has_value());
  EXPECT_TRUE(fallback->value.value.is_null());
  EXPECT_TRUE(fallback->name.empty());
  // A malformed key is still an error.
  EXPECT_THROW((void)view.find(World::query("h..a")), LookupError);
}

TEST(Forms, OverridesAnswerWholeNames) {
  World here = lookup_world();
  Query query = World::query("k");
  query.override_values = here.yaml("{k: [over], 'h.a': 9, h: {a: 8}, raw: '%{k}', given: o}");
  EXPECT_EQ(here.answer(query), R"(["over"])");
  query.names = {"h.a"};
  EXPECT_EQ(here.answer(query), "9");
  query.names = {"raw"};
  EXPECT_EQ(here.answer(query), R"("%{k}")");
  query.override_values = here.yaml("{h: {a: 8}}");
  query.names = {"h.a"};
  EXPECT_EQ(here.answer(query), "1");
  // Interpolation sees them, too.
  query.override_values = here.yaml("{given: o}");
  query.names = {"uses"};
  EXPECT_EQ(here.answer(query), R"("o")");
  query.names = {"variable"};
  EXPECT_EQ(here.answer(query), R"("o")");
}

TEST(Forms, DefaultsInTheirOrder) {
  World here = lookup_world();
  Query query = World::query("none");
  query.default_value = Value::null();
  EXPECT_EQ(here.answer(query), "nil");
  std::vector<std::string> asked;
  query.block = [&asked](const std::vector<std::string>& names) {
    asked = names;
    return Value::integer(7);
  };
  EXPECT_EQ(here.answer(query), "7");
  EXPECT_EQ(asked, std::vector<std::string>{"none"});
  query.default_values = here.yaml("{none: hash}");
  EXPECT_EQ(here.answer(query), R"("hash")");
  EXPECT_EQ(here.result(query).name, "");
  // A null that is found stops everything.
  query.names = {"nothing"};
  EXPECT_EQ(here.answer(query), "nil");
  query.names = {"uses"};
  query.default_values = here.yaml("{given: d}");
  EXPECT_EQ(here.answer(query), R"("d")");
}

TEST(Forms, EveryOutcomeIsChecked) {
  World here = lookup_world();
  Query query = World::query("k");
  query.type = "Integer";
  EXPECT_EQ(here.answer(query), "hiera.type: Found value has wrong type, expects an Integer value, got String");
  query.override_values = here.yaml("{k: x}");
  EXPECT_EQ(
      here.answer(query),
      "hiera.type: Value found for key 'k' in override hash has wrong type, expects an Integer value, got String");
  query.override_values = {};
  query.names = {"none"};
  query.default_value = here.yaml("x");
  EXPECT_EQ(here.answer(query), "hiera.type: Default value has wrong type, expects an Integer value, got String");
  query.block = [](const std::vector<std::string>&) { return Value::boolean(true); };
  EXPECT_EQ(here.answer(query),
            "hiera.type: Value returned from default block has wrong type, expects an Integer value, got Boolean");
  query.default_values = here.yaml("{none: x}");
  EXPECT_EQ(here.answer(query),
            "hiera.type: Value found for key 'none' in default values hash has wrong type, expects an Integer value, "
            "got String");
  query.type = "Optional[String]";
  EXPECT_EQ(here.answer(query), R"("x")");
  query.type = "Frob";
  EXPECT_EQ(here.answer(query), "puppet.unknown-type: unknown type 'Frob' at column 1");
}

TEST(Forms, ErrorsNameWhatWasAskedFor) {
  World here(World::Files{{"hiera.yaml", "version: 5\n"},
                          {"data/common.yaml", "a: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n"}});
  try {
    (void)here.result(World::query("a"));
    FAIL();
  } catch (const LookupError& error) {
    EXPECT_EQ(error.name(), "a");
    EXPECT_EQ(error.code(), "hiera.recursion");
  }
}

TEST(Forms, KeysListsEveryRootKeyOnce) {
  World here(World::Files{{"/code/hiera.yaml", "version: 5\ndefaults: {datadir: g, data_hash: yaml_data}\n"},
                          {"/code/g/common.yaml", "z: 1\nk: 1\n"},
                          {"hiera.yaml", "version: 5\n"},
                          {"data/common.yaml", "k: 2\na.b: 3\nlookup_options: {}\n"},
                          {"modules/m/hiera.yaml", "version: 5\n"},
                          {"modules/m/data/common.yaml", "m::x: 1\nforeign: 1\n"}});
  EXPECT_EQ(here.view().keys(), (std::vector<std::string>{"m::x", "k", "a.b", "z"}));
}

TEST(Forms, LookupAllGivesEveryKey) {
  World here(
      World::Files{{"hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, path: a.yaml}\n  - {name: b, path: b.yaml}\n"},
                   {"data/a.yaml", "z: [1]\na.b: \"%{lookup('z')}\"\n"},
                   {"data/b.yaml", "z: [2]\nlookup_options: {z: {merge: unique}}\n"}},
      "{}", {.keeps_history = true});
  const Result all = here.view().lookup_all({});
  EXPECT_EQ(ruby::inspect(all.value.value), R"({"z"=>[1, 2], "a.b"=>"[1, 2]"})");
  EXPECT_FALSE(here.history().explain(all.value, {"z"}).empty());
  // The query's merge counts, its names do not.
  const Result first = here.view().lookup_all(World::query("none", here.yaml("first")));
  EXPECT_EQ(ruby::inspect(first.value.value), R"({"z"=>[1], "a.b"=>"[1, 2]"})");
}

TEST(Forms, LookupAllTellsWhatFailed) {
  World here(World::Files{
      {"hiera.yaml", "version: 5\n"},
      {"data/common.yaml", "good: 1\nbad: \"%{lookup('none')}\"\nlast: 2\nloop: \"%{lookup('loop')}\"\n"}});
  std::vector<std::string> failed;
  const Result all = here.view().lookup_all(
      {}, [&](const std::string& key, const LookupError& error) { failed.push_back(key + ": " + error.code()); });
  EXPECT_EQ(ruby::inspect(all.value.value), R"({"good"=>1, "bad"=>"", "last"=>2})");
  EXPECT_EQ(failed, std::vector<std::string>{"loop: hiera.recursion"});
  try {
    (void)here.view().lookup_all({});
    FAIL();
  } catch (const LookupError& error) {
    EXPECT_EQ(std::string_view(error.what()).substr(0, 25), "lookup of 'loop' failed: ");
  }
  // The sink may end it.
  EXPECT_THROW(
      (void)here.view().lookup_all({}, [](const std::string&, const LookupError& error) { throw LookupError(error); }),
      LookupError);
}

TEST(Forms, NearestKey) {
  World here(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "ntp::servers: 1\nntp::package: 2\n"}});
  EXPECT_EQ(nearest_key(here.settings, here.facts, "ntp::server", here.session), "ntp::servers");
  EXPECT_EQ(nearest_key(here.settings, here.facts, "ntp::pakcage.x.y", here.session), "ntp::package");
  EXPECT_EQ(nearest_key(here.settings, here.facts, "motd", here.session), std::nullopt);
  World broken(World::Files{{"hiera.yaml", "version: 5\nhierarchy: 1\n"}});
  EXPECT_EQ(nearest_key(broken.settings, broken.facts, "motd", broken.session), std::nullopt);
  EXPECT_TRUE(broken.session.diagnostics().warnings().empty());
  here.session.stop().cancel();
  STRATA_EXPECT_ERROR((void)nearest_key(here.settings, here.facts, "motd", here.session), "session.cancelled");
}

TEST(Forms, RenderWritesAsPuppetLookupPrints) {
  World here = lookup_world();
  const Value value = here.yaml("{a: [1, x, ~]}");
  EXPECT_EQ(render(value, RenderFormat::s), "{\"a\"=>[1, \"x\", nil]}\n");
  EXPECT_EQ(render(value, RenderFormat::json), "{\"a\":[1,\"x\",null]}\n");
  EXPECT_EQ(render(value, RenderFormat::yaml), "---\na:\n- 1\n- x\n-\n");
  EXPECT_EQ(render(here.yaml("text"), RenderFormat::s), "text\n");
}

TEST(Forms, AResultOutlivesWhatItWasMadeFrom) {
  World here(
      World::Files{{"hiera.yaml", "version: 5\n"},
                   {"data/common.yaml", "made: ['%{fact} and more text than fits']\nsame: \"%{alias('made')}\"\n"}},
      "fact: f");
  NodeView& view = here.view();
  (void)view.lookup(World::query("made"));
  const Result found = view.lookup(World::query("same"));  // Holds the node that the first lookup made.
  view.forget();
  (void)view.lookup(World::query("made"));
  EXPECT_EQ(ruby::inspect(found.value.value), R"(["f and more text than fits"])");
}

}  // namespace
}  // namespace strata::hiera
