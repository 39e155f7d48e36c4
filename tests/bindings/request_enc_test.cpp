// SPDX-License-Identifier: Apache-2.0
// What an ENC gives, and facts.
#include <gtest/gtest.h>

#include "puppet/language/word_characters.hpp"
#include "request_world.hpp"

namespace strata::bindings {
namespace {

std::string enc_error(const std::string& text) {
  RequestWorld world(Files{});
  try {
    (void)world.enc(text);
  } catch (const Error& error) {
    return error.code() + ": " + error.diagnostic().message;
  }
  return "none " + world.warnings();
}

TEST(EncResult, IsRead) {
  RequestWorld world(Files{});
  world.enc("classes: {'::Ntp': {a: 1}, web::Server: }\nparameters: {v: [1], '::w': 2}\nenvironment: e\n");
  ASSERT_EQ(world.classified->classes.size(), 2U);
  EXPECT_EQ(world.classified->classes[0].name, "ntp");
  EXPECT_EQ(world.classified->classes[1].name, "web::server");
  EXPECT_FALSE(world.classified->classes[1].parameters);
  ASSERT_EQ(world.classified->variables.size(), 2U);
  EXPECT_EQ(world.classified->variables[1].key.text(), "w");
  EXPECT_EQ(world.classified->environment.text(), "e");
}

TEST(EncResult, MayBeEmpty) {
  EXPECT_EQ(enc_error(""), "none ");
  EXPECT_EQ(enc_error("---\n"), "none ");
  EXPECT_EQ(enc_error("classes:\nparameters:\nenvironment:\n"), "none ");
}

TEST(EncResult, WhatIsWrong) {
  EXPECT_EQ(enc_error("[a]"), "enc.shape: the output of an ENC must be a mapping, not a sequence");
  EXPECT_EQ(enc_error("classes: x"),
            "enc.shape: 'classes' of the output of an ENC must be a list of names or a mapping from names to "
            "parameters, not text");
  EXPECT_EQ(enc_error("classes: [1]"),
            "enc.shape: 'classes' of the output of an ENC must be a list of names or a mapping from names to "
            "parameters; this item is an integer");
  EXPECT_EQ(enc_error("classes: {ntp: [1]}"),
            "enc.shape: the parameters of class 'ntp' of an ENC must be a mapping from names to values");
  EXPECT_EQ(enc_error("classes: ['a/b']"),
            "enc.class: an ENC outputs the class 'a/b', which is not a valid class name");
  EXPECT_EQ(enc_error("parameters: [a]"),
            "enc.shape: 'parameters' of the output of an ENC must be a mapping from names to values, not a sequence");
  EXPECT_EQ(enc_error("environment: 1"),
            "enc.shape: 'environment' of the output of an ENC must be a text that is not empty, not an integer");
  EXPECT_EQ(enc_error("clases: [a]"),
            "none enc.key: an ENC outputs classes, parameters and environment; 'clases' is ignored\n");
  EXPECT_EQ(enc_error("parameters: {a-b: 1}"), "none enc.variable: invalid variable name 'a-b': it is ignored\n");
}

TEST(EncDocument, HasTheWantedParts) {
  RequestWorld world(Files{});
  world.enc("classes: {ntp: {a: 1, b: null}, web: {c: null}}\nparameters: {v: 1}\n");
  const auto forms = [&](EncPart parts) {
    std::string out;
    const auto made = enc_document(*world.classified, parts);
    for (const Statement& statement : made->statements) {
      out += statement.form == Form::include      ? "include "
             : statement.form == Form::parameters ? "parameters "
                                                  : "variables ";
    }
    return out;
  };
  EXPECT_EQ(forms(EncPart::all), "include parameters include variables ");
  EXPECT_EQ(forms(EncPart::classes), "include include ");
  EXPECT_EQ(forms(EncPart::all - EncPart::classes), "parameters variables ");
  const auto document = enc_document(*world.classified, EncPart::parameters);
  EXPECT_TRUE(document->in_node_category);
  EXPECT_EQ(puppet::as<puppet::Hash>(*document->statements[0].producer.expression).entries.size(), 1U)
      << "null is not set";
}

TEST(Facts, NamesOfVariables) {
  for (const char* name : {"a", "a1", "_x", "a::b", "a::_b", "aB"})
    EXPECT_TRUE(puppet::is_qualified_name(name)) << name;
  for (const char* name : {"", "A", "1a", "a-b", "a.b", "a::", "::", "_a::b", "a::B", "a b"})
    EXPECT_FALSE(puppet::is_qualified_name(name)) << name;
}

TEST(Facts, TheEncWinsOverThem) {
  RequestWorld world(Files{{"site.pp", "$a = \"${x} ${facts['x']}\"\n"}});
  const Request& request = world.facts("x: fact").enc("parameters: {x: enc}").make();
  EXPECT_EQ(request.scope->find("a")->text(), "enc fact");
}

TEST(Facts, AsPuppetKeepsThem) {
  RequestWorld world(Files{});
  EXPECT_EQ(world
                .facts("--- !ruby/object:Puppet::Node::Facts\nname: k\nvalues:\n  a: 1\nexpiration: 2030-01-01 "
                       "00:00:00.5 +00:00\n")
                .known.values.find("a")
                ->as_integer(),
            1);
  EXPECT_EQ(world.facts("").known.values.size(), 0U);
  EXPECT_THROW((void)world.facts("[1]"), Error);
  EXPECT_THROW((void)world.facts("--- !ruby/object:Puppet::Node::Facts\nname: k\n"), Error);
}

TEST(Modules, HeadersAndFiles) {
  RequestWorld world(Files{{"modules/ntp/manifests/init.pp", "class ntp ($a, Integer $b = 1) { }"},
                           {"modules/ntp/manifests/server/pool.pp", "define ntp::server::pool ($x) { }"},
                           {"modules/ntp/files/a/b.txt", "text"},
                           {"secret", "no"}});
  const Environment& environment = world.make().environment;
  const ParameterNames names = manifest_parameters(world.session, environment);
  EXPECT_EQ(names("Ntp"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(names("Ntp::Server::Pool"), (std::vector<std::string>{"x"}));
  EXPECT_EQ(names("Class[ntp]"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(names("Nope"), std::nullopt);
  EXPECT_EQ(names("../../x"), std::nullopt);
  const auto file = module_files(world.session.tree(), environment);
  EXPECT_EQ(file("ntp/a/b.txt"), "text");
  EXPECT_EQ(file("ntp/../../../secret"), std::nullopt);
  EXPECT_EQ(file("../secret"), std::nullopt);
  EXPECT_EQ(file("ntp"), std::nullopt);
}

}  // namespace
}  // namespace strata::bindings
