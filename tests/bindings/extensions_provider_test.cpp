// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bindings/extensions/documents.hpp"
#include "extensions_world.hpp"

namespace strata::bindings::extensions {
namespace {

std::string written(const std::string& json) {
  World world;
  return document_text(world.value(json));
}

std::string binding_failure(const std::string& json) {
  try {
    return written("[" + json + "]");
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
}

TEST(ProvidedDocuments, EveryOperation) {
  EXPECT_EQ(written(R"JSON([
    {"op": "bind", "name": "x", "value": {"a": [1, -2.0, true, null, "q'$x\"\n"]}, "when": [["node", "kermit"]]},
    {"op": "bind", "type": "Integer", "name": "y", "abstract": true, "when": []},
    {"op": "bind", "type": "Type[Logger]", "expression": "inject('z')", "override": true, "optional": true, "singleton": false},
    {"op": "bind", "name": "p", "producer": "uuid", "producer_args": {"seed": 1}},
    {"op": "bind", "name": "c", "value": 1, "multibind": "all"},
    {"op": "multibind", "type": "Array[String]", "name": "users", "id": "all", "uniq": true, "combinator": "DeepMerge"},
    {"op": "contribution", "multibind": "all", "value": ["anna"]},
    {"op": "include", "names": ["ntp", "::dns"]},
    {"op": "exclude", "name": "ntp", "when": [["node", "a"], {"any": [["virtual", true], [["rack", 7], ["zone", "b"]]]}]},
    {"op": "variables", "value": {"a": 1}, "type": "Integer"},
    {"op": "parameters", "of": "class ntp", "value": {"x": 1}},
    {"op": "parameters", "of": "Web[one]", "from": "Sql[one]", "optional": true, "map": {"user": "name"}},
    {"op": "map", "of": "X", "from": "Z", "map": ["b", "c"]},
    {"op": "alias", "name": "a", "as": "b", "as_type": "Integer"},
    {"op": "renamed", "type": "Data", "name": "a", "as": "b"},
    {"op": "rebind", "name": "a", "when": {"any": [["node", "a"], ["node", "b"]]}},
    {"op": "dependency", "source": ["A[x]", "B[y]"], "target": "C[z]", "notify": true}
  ])JSON"),
            R"TEXT(bindings provided {
  when node "kermit" { bind "x" to {"a" => [1, -2.0, true, undef, "q'\$x\"\n", ], }  }
  bind abstract Integer, "y" 
  bind override Type[Logger] to optional (inject('z')
) { singleton => false, } 
  bind "p" to producer "uuid" { producer_args => {"seed" => 1, }, } 
  bind "c" to 1 in "all" 
  multibind Array[String], "users" as "all" { uniq => true, combinator => Type[DeepMerge], } 
  bind to ["anna", ] in "all" 
  include ["ntp", "::dns", ]
  when node "a" and (virtual true or (rack 7 and zone "b")) { exclude ["ntp", ] }
  bind variables Integer to {"a" => 1, }
  bind parameters class ntp to {"x" => 1, } 
  bind parameters Web[one] to optional Sql[one] { map => {"user" => "name", }, } 
  bind map X to Z { map => ["b", "c", ] }
  bind alias "a" as Integer, "b" 
  bind renamed Data, "a" as "b" 
  when node "a" or node "b" { rebind "a"  }
  bind dependency [A[x], B[y], ] ~> C[z]
}
)TEXT");
}

TEST(ProvidedDocuments, AnyTypeAndAnyNumberCanBeWritten) {
  Sources sources;
  Arena arena;
  const Limits limits;
  const SourceId json = sources.add("x.json", R"([{"document": "d", "bindings": [
    {"op": "bind", "type": "Struct[{x => Integer}]", "name": "s", "expression": "{ x => 1 } # no more"},
    {"op": "bind", "name": "least", "value": [-9223372036854775808, -9223372036854775807]}
  ]}])");
  const text::Document list = text::read_json(sources, json, limits);
  const auto documents = read_documents(list.root, sources, limits);
  ASSERT_EQ(documents.size(), 1U);
  EXPECT_EQ(documents[0]->statements.size(), 2U);
}

TEST(ProvidedDocuments, WhatIsWrong) {
  EXPECT_EQ(binding_failure("5"), "extension.result: a binding must be a mapping, not an integer");
  EXPECT_EQ(binding_failure("{}"), "extension.result: a binding has no 'op'");
  EXPECT_EQ(binding_failure(R"({"op": "bnd"})"), "extension.result: there is no op 'bnd'");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "nam": "x"})"), "extension.result: 'bind' has an unknown key 'nam'");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "name": 5})"),
            "extension.result: 'name' of a binding must be a text, not an integer");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "name": "x", "value": 1, "producer": "p"})"),
            "extension.result: a binding has one of 'value', 'expression' and 'producer'");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "type": "A } bind B", "value": 1})"),
            "extension.result: the type 'A } bind B' cannot be used in a binding: expected the end, found '}'");
  EXPECT_EQ(
      binding_failure(R"({"op": "bind", "type": "A in 'x'", "value": 1})"),
      "extension.result: the type 'A in 'x'' cannot be used in a binding: expected the end, found the keyword 'in'");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "type": "A # x", "value": 1})"),
            "extension.result: the type 'A # x' cannot be used in a binding");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "name": "x", "expression": "1) bind 'evil' to (2"})"),
            "extension.result: the expression '1) bind 'evil' to (2' cannot be used in a binding: expected the end, "
            "found ')'");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "name": "x", "expression": "1 +"})"),
            "extension.result: the expression '1 +' cannot be used in a binding: expected an expression, found the end "
            "of the text");
  EXPECT_EQ(binding_failure(R"({"op": "include"})"), "extension.result: 'include' needs 'name' or 'names'");
  EXPECT_EQ(binding_failure(R"({"op": "include", "name": "x", "when": [["Node", "x"]]})"),
            "extension.result: 'Node' cannot be a category");
  EXPECT_EQ(binding_failure(R"({"op": "include", "name": "x", "when": [["node", []]]})"),
            "extension.result: category 'node' has no value");
  EXPECT_EQ(binding_failure(R"({"op": "include", "name": "x", "when": {"all": []}})"),
            "extension.result: a condition is a list, or {any = {…}}");
  EXPECT_EQ(binding_failure(R"({"op": "bind", "name": "x", "value": 1e999})"),
            "extension.result: infinities and not-a-number cannot be bound");
}

constexpr const char* kProvider = R"LUA(
  strata.provider("my_ldap", function(ctx, uris)
    local bindings = { { op = "bind", name = "layer", value = uris.layer .. #uris.include .. #uris.exclude .. ctx.environment .. ctx.facts.rack } }
    for _, uri in ipairs(uris.include) do bindings[#bindings + 1] = { op = "include", name = uri:match("/(.*)"), when = {} } end
    return { { document = "my_ldap:people", bindings = bindings } }
  end)
  strata.provider("none", function() end)
  strata.provider("wrong", function() return { { document = "d", bindings = { { op = "bind", name = "x" } } } } end)
  strata.provider("early", function(ctx) return ctx.inject("x") end)
)LUA";

class Providers : public ::testing::Test {
 protected:
  std::vector<LayerItem> items(const std::string& scheme) {
    Request request;
    request.environment.name = "production";
    request.facts = world.context.facts();
    const LayerRequest layer{.layer = "people",
                             .include = {uri(scheme + ":/a"), uri(scheme + ":/b")},
                             .exclude = {uri(scheme + ":/c")},
                             .origin = world.context.origin,
                             .request = request};
    return world.registry().provider(scheme)->items(layer);
  }
  Uri uri(const std::string& text) { return parse_uri(world.sources, "people", text, world.context.origin); }
  World world{kProvider};
};

TEST_F(Providers, DocumentsAreRead) {
  const auto all = items("my_ldap");
  ASSERT_EQ(all.size(), 1U);
  const Document& document = *all[0].document;
  EXPECT_EQ(document.title, "my_ldap:people");
  ASSERT_EQ(document.statements.size(), 3U);
  EXPECT_EQ(puppet::as<puppet::Literal>(*document.statements[0].producer.expression).value.text(),
            "people21production7");
  EXPECT_EQ(document.statements[2].form, Form::include);
  EXPECT_EQ(world.sources.place(document.statements[1].origin).to_string(), "<my_ldap:people>:3:3");
  EXPECT_TRUE(items("none").empty());
}

TEST_F(Providers, FailuresAreThoseOfTheLayer) {
  const std::string wrong = failure([&] { return items("wrong").size(); });
  EXPECT_NE(wrong.find("[bindings.form]"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("<d>:2"), std::string::npos) << wrong;
  const std::string early = failure([&] { return items("early").size(); });
  EXPECT_NE(early.find("provider 'early' of /x/e0.lua: 'x' cannot be injected here"), std::string::npos) << early;
}

}  // namespace
}  // namespace strata::bindings::extensions
