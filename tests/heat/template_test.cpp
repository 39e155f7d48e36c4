// SPDX-License-Identifier: Apache-2.0
// Templates: which texts are some, and what they declare.
#include "heat/template.hpp"

#include <gtest/gtest.h>

#include "heat/request_world.hpp"

namespace strata::heat {
namespace {

struct TemplateCase {
  const char* text;
  const char* outcome;  ///< The names and types of its parameters, or the beginning of the error.
};

std::string declared(const Template& read) {
  std::string out;
  for (const ParameterSchema& schema : read.parameters.all()) {
    out += schema.name + ":" + std::string(to_string(schema.type)) +
           (schema.default_value ? "=" + flow(schema.default_value) : "") + (schema.hidden ? "*" : "") + " ";
  }
  return out;
}

class TemplateReading : public ::testing::TestWithParam<TemplateCase> {};

TEST_P(TemplateReading, gives_declarations_or_says_what_is_wrong) {
  RequestWorld world;
  const std::string got = outcome([&] { return declared(world.read(GetParam().text)); });
  const std::string expected = GetParam().outcome;
  EXPECT_EQ(got.substr(0, expected.empty() ? std::string::npos : expected.size()), expected) << got;
}

INSTANTIATE_TEST_SUITE_P(
    Versions, TemplateReading,
    ::testing::Values(
        TemplateCase{"heat_template_version: 2013-05-23", ""},
        TemplateCase{"heat_template_version: wallaby\nparameters: {a: {type: json}}", "a:json "},
        TemplateCase{R"({"heat_template_version": "rocky", "parameters": {"a": {"type": "number", "default": 1e3}}})",
                     "a:number=1000.0 "},
        TemplateCase{"heat_template_version: 1999-01-01",
                     "heat.template-version: the template version 'heat_template_version: 1999-01-01'"},
        TemplateCase{"heat_template_version: 5", "heat.template-version: the version of the template is not text"},
        TemplateCase{"{heat_template_version: pike, HeatTemplateFormatVersion: 2012-12-12}",
                     "heat.template-version: the template gives two"},
        TemplateCase{"parameters: {}", "heat.template: the template does not give its version"},
        TemplateCase{"", "heat.template: the template does not give its version"},
        TemplateCase{"[heat_template_version]", "heat.template: a template is a mapping, not a sequence"},
        TemplateCase{"heat_template_version: pike\nparameters: []", ""},
        TemplateCase{"heat_template_version: pike\nparameters: [1]",
                     "heat.template-parameters: the parameters of a template are a mapping"},
        TemplateCase{"heat_template_version: pike\nParameters: {a: {Type: String}}", ""}));

INSTANTIATE_TEST_SUITE_P(
    Spellings, TemplateReading,
    ::testing::Values(
        TemplateCase{"AWSTemplateFormatVersion: 2010-09-09\nParameters: {a: {Type: CommaDelimitedList, "
                     "Default: 'a,b', NoEcho: 'True'}, b: {Type: Boolean}}",
                     "a:comma_delimited_list=\"a,b\"* b:boolean "},
        TemplateCase{"HeatTemplateFormatVersion: 2012-12-12\nParameters: {a: {Type: string}}",
                     "heat.template-parameters: the parameter 'a' has the unknown type"},
        TemplateCase{"HeatTemplateFormatVersion: 2012-12-12\nParameters: {a: {Type: String, foo: 1}}",
                     "heat.template-parameters: the parameter 'a' has an unknown"},
        TemplateCase{"HeatTemplateFormatVersion: 2012-12-12\nParameters: {a: {Type: Number, MinValue: x}}",
                     "heat.template-parameters: the parameter 'a' has a bad"},
        TemplateCase{"heat_template_version: pike\nparameters: {5: {type: string, hidden: 'no'}}", "5:string* "},
        TemplateCase{"heat_template_version: pike\nparameters: {a: {type: string, tags: []}}",
                     "heat.template-parameters: the parameter 'a' has an unknown key 'tags'"},
        TemplateCase{"heat_template_version: queens\nparameters: {a: {type: string, tags: []}}", "a:string "},
        TemplateCase{"heat_template_version: queens\nparameters: {a: {type: string, tags: 5}}",
                     "heat.template-parameters: the tags of the parameter 'a'"}));

class Constraints : public ::testing::TestWithParam<TemplateCase> {};

TEST_P(Constraints, are_read_or_refused) {
  RequestWorld world;
  const std::string got = outcome([&] {
    world.read(declaring(std::string("{type: number, constraints: ") + GetParam().text + "}"));
    return std::string("fine");
  });
  EXPECT_NE(got.find(GetParam().outcome), std::string::npos) << got;
}

INSTANTIATE_TEST_SUITE_P(
    All, Constraints,
    ::testing::Values(TemplateCase{"null", "fine"}, TemplateCase{"[]", "fine"},
                      TemplateCase{"{range: {min: 1}}", "constraints are a list"},
                      TemplateCase{"[{}]", "it does not define a constraint"},
                      TemplateCase{"[5]", "a constraint is a mapping"}, TemplateCase{"[{foo: 1}]", "unknown key 'foo'"},
                      TemplateCase{"[{description: only}]", "it does not define a constraint"},
                      TemplateCase{"[{range: {}}]", "neither 'min' nor 'max'"},
                      TemplateCase{"[{range: {min: '1'}}]", "fine"},
                      TemplateCase{"[{range: {min: x}}]", "'min' is not a number"},
                      TemplateCase{"[{range: {min: 1, step: 2}}]", "unknown key 'step'"},
                      TemplateCase{"[{length: {min: 1.5}}]", "a length is a whole number"},
                      TemplateCase{"[{modulo: {step: 2}}]", "needs a 'step' and an 'offset'"},
                      TemplateCase{"[{modulo: {step: 0, offset: 0}}]", "cannot be 0"},
                      TemplateCase{"[{modulo: {step: 2, offset: 2}}]", "not smaller than the step"},
                      TemplateCase{"[{modulo: {step: -3, offset: 1}}]", "both positive"},
                      TemplateCase{"[{modulo: {step: 1.5, offset: 0}}]", "whole numbers"},
                      TemplateCase{"[{modulo: {step: 2.0, offset: 1.0}}]", "fine"},
                      TemplateCase{"[{allowed_values: abc}]", "a list"},
                      TemplateCase{"[{allowed_pattern: 5}]", "a pattern is text"},
                      TemplateCase{"[{allowed_pattern: '[a'}]", "cannot be used"},
                      TemplateCase{"[{custom_constraint: nova.flavor}]", "fine"}));

TEST(Schemata, come_from_attached_templates_and_the_root_over_them) {
  RequestWorld world;
  const Template& root = world.read(declaring("{type: number, default: 3}"));
  const SourceId nested =
      world.sources.add("n.yaml", "heat_template_version: pike\nparameters: {q: {type: json}, p: {type: string}}");
  const SourceId plain = world.sources.add("script.sh", "a: [unclosed");
  std::vector<std::shared_ptr<Arena>> arenas;
  const std::vector<AttachedText> attached{{"n.yaml", nested, nullptr}, {"script.sh", plain, nullptr}};
  const Schemata all = schemata_of(world.sources, &root, attached, world.limits, arenas);
  ASSERT_EQ(all.all().size(), 2U);
  EXPECT_EQ(all.all()[0].name, "q");
  EXPECT_EQ(all.find("p")->type, ParameterType::number);
  EXPECT_EQ(all.find("r"), nullptr);
}

TEST(Schemata, a_bad_attached_template_is_an_error) {
  RequestWorld world;
  const SourceId nested = world.sources.add("n.yaml", "heat_template_version: 1999-01-01");
  std::vector<std::shared_ptr<Arena>> arenas;
  const std::vector<AttachedText> attached{{"n.yaml", nested, nullptr}};
  EXPECT_EQ(outcome([&] {
              return std::to_string(schemata_of(world.sources, nullptr, attached, world.limits, arenas).all().size());
            }).substr(0, 21),
            "heat.template-version");
}

TEST(TemplateSize, counts_characters_and_holds_for_any_attached_text) {
  RequestWorld world;
  std::string characters;
  for (std::size_t i = 0; i < kMaxTemplateSize; ++i) characters += "é";
  check_template_size(world.sources, world.sources.add("fits.txt", characters));
  EXPECT_EQ(outcome([&] {
              check_template_size(world.sources, world.sources.add("large.txt", characters + "x"));
              return std::string();
            }),
            "heat.template-size: this text has 524289 characters, and no more than 524288 are allowed");
}

TEST(TemplateDefaults, of_hidden_parameters_are_secret) {
  RequestWorld world;
  EXPECT_TRUE(world.read(declaring("{type: string, hidden: true, default: s}"))
                  .parameters.find("p")
                  ->default_value.is_secret());
}

}  // namespace
}  // namespace strata::heat
