// SPDX-License-Identifier: Apache-2.0
// Effective values: precedence, types, constraints, and what is told of them.
#include "heat/parameters.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "heat/numbers.hpp"
#include "heat/request_world.hpp"
#include "strata/report.hpp"

namespace strata::heat {
namespace {

struct Values {
  const char* declaration;
  const char* given;  ///< `parameters`, or null for none.
  const char* outcome;
};

/// `value text` of the parameter p, or the error.
std::string effective(RequestWorld& world, const std::string& declaration, const std::string& parameters,
                      const std::string& defaults = "{}") {
  return outcome([&] {
    const Template& read = world.read(declaring(declaration));
    const merge::Traced all =
        effective_parameters(read.parameters, {world.yaml(parameters), {}}, {world.yaml(defaults), {}}, world.session);
    const Value row = *all.value.find("p");
    return flow(*row.find("value")) + " " + flow(*row.find("text"));
  });
}

class EffectiveValue : public ::testing::TestWithParam<Values> {};

TEST_P(EffectiveValue, is_that_of_the_engine) {
  RequestWorld world;
  EXPECT_EQ(effective(world, GetParam().declaration, GetParam().given), GetParam().outcome);
}

INSTANTIATE_TEST_SUITE_P(
    Types, EffectiveValue,
    ::testing::Values(
        Values{"{type: string}", "{p: 12}", R"("12" "12")"}, Values{"{type: string}", "{p: true}", R"("True" "True")"},
        Values{"{type: string}", "{p: 1.0e+20}", R"("1e+20" "1e+20")"},
        Values{"{type: string}", "{p: {k: [1, null]}}", R"("{\"k\": [1, null]}" "{\"k\": [1, null]}")"},
        Values{"{type: number}", "{p: '12'}", R"(12 "12")"}, Values{"{type: number}", "{p: '2.50'}", R"(2.5 "2.5")"},
        Values{"{type: number}", "{p: '1e3'}", R"(1000.0 "1000.0")"},
        Values{"{type: number}", "{p: ' 1_2 '}", R"(12 "12")"}, Values{"{type: number}", "{p: true}", R"(true "True")"},
        Values{"{type: boolean}", "{p: ' YES '}", R"(true "True")"},
        Values{"{type: boolean}", "{p: 0}", R"(false "False")"},
        Values{"{type: comma_delimited_list}", "{p: ''}", R"([] "")"},
        Values{"{type: comma_delimited_list}", "{p: ' a , b,'}", R"([" a ", " b", ""] " a , b,")"},
        Values{"{type: comma_delimited_list}", "{p: [1, true, null, x]}",
               R"(["1", "True", "None", "x"] "1,True,None,x")"},
        Values{"{type: json}", "{p: ''}", R"("" "\"\"")"},
        Values{"{type: json}", "{p: '[1, {\"z\": 2}]'}", R"([1, {"z": 2}] "[1, {\"z\": 2}]")"},
        Values{"{type: json}", "{p: 'null'}", R"(null "null")"},
        Values{"{type: json}", "{p: {k: é}}", R"({"k": "é"} "{\"k\": \"\\u00e9\"}")"}));

INSTANTIATE_TEST_SUITE_P(
    WrongTypes, EffectiveValue,
    ::testing::Values(
        Values{"{type: number}", "{p: seven}",
               "heat.parameter-value: parameter 'p' is invalid: could not convert string to float: 'seven'"},
        Values{"{type: number}", "{p: ''}",
               "heat.parameter-value: parameter 'p' is invalid: could not convert string to float: ''"},
        Values{"{type: number}", "{p: [1]}",
               "heat.parameter-value: parameter 'p' is invalid: value must be a number, not a sequence"},
        Values{"{type: boolean}", "{p: maybe}",
               "heat.parameter-value: parameter 'p' is invalid: unrecognized value 'maybe', acceptable values are: "
               "'0', '1', 'f', 'false', 'n', 'no', "
               "'off', 'on', 't', 'true', 'y', 'yes'"},
        Values{"{type: comma_delimited_list}", "{p: {k: 1}}",
               "heat.parameter-value: parameter 'p' is invalid: value must be a comma-delimited list string, not a "
               "mapping"}));

INSTANTIATE_TEST_SUITE_P(
    BrokenConstraints, EffectiveValue,
    ::testing::Values(
        Values{"{type: number, constraints: [{range: {min: 1, max: 9}}]}", "{p: 10}",
               "heat.parameter-value: parameter 'p' is invalid: 10 is out of range (min: 1, max: 9)"},
        Values{"{type: number, constraints: [{range: {min: 1.5}, description: no way}]}", "{p: 1}",
               "heat.parameter-value: parameter 'p' is invalid: no way"},
        Values{
            "{type: string, constraints: [{allowed_values: [small, large]}]}", "{p: medium}",
            R"(heat.parameter-value: parameter 'p' is invalid: "medium" is not an allowed value ["small", "large"])"},
        Values{"{type: string, constraints: [{length: {min: 2, max: 5}}]}", "{p: é}",
               "heat.parameter-value: parameter 'p' is invalid: length (1) is out of range (min: 2, max: 5)"},
        Values{"{type: string, constraints: [{length: {max: 1}}]}", "{p: 12}",
               "heat.parameter-value: parameter 'p' is invalid: an integer has no length"},
        Values{"{type: number, constraints: [{modulo: {step: 2, offset: 0}}]}", "{p: 3}",
               "heat.parameter-value: parameter 'p' is invalid: 3 is not a multiple of 2 with an offset of 0"},
        Values{"{type: number, constraints: [{modulo: {step: 2, offset: 0}}]}", "{p: -4}", R"(-4 "-4")"},
        Values{"{type: number, constraints: [{modulo: {step: 3, offset: 2}}]}", "{p: 123456789012345678901234567892}",
               R"(123456789012345678901234567892 "123456789012345678901234567892")"},
        Values{"{type: string, constraints: [{allowed_pattern: '[a-z]+'}]}", "{p: ABC}",
               R"(heat.parameter-value: parameter 'p' is invalid: "ABC" does not match pattern "[a-z]+")"},
        Values{"{type: string, constraints: [{allowed_pattern: 'a|ab'}]}", "{p: ab}",
               R"(heat.parameter-value: parameter 'p' is invalid: "ab" does not match pattern "a|ab")"},
        Values{"{type: string, constraints: [{allowed_values: [1, 2]}]}", "{p: '2'}", R"("2" "2")"},
        Values{"{type: comma_delimited_list, constraints: [{allowed_values: [1, b]}]}", "{p: '1,b'}",
               R"(heat.parameter-value: parameter 'p' is invalid: ["1", "b"] is not an allowed value [1, "b"])"},
        Values{"{type: boolean, constraints: [{allowed_values: [yes]}]}", "{p: 'off'}",
               R"(heat.parameter-value: parameter 'p' is invalid: "off" is not an allowed value [true])"},
        Values{"{type: string, constraints: [{custom_constraint: nova.flavor}]}", "{p: x}", R"("x" "x")"}));

INSTANTIATE_TEST_SUITE_P(
    Declarations, EffectiveValue,
    ::testing::Values(
        Values{"{type: number, constraints: [{length: {max: 9}}]}", "{p: 1}",
               "heat.parameter-schema: parameter 'p' is invalid: Length constraint invalid for number"},
        Values{"{type: number, default: 50, constraints: [{range: {max: 9}}]}", "{p: 1}",
               "heat.parameter-schema: parameter 'p' is invalid: invalid default 50 (50 is out of range (min: None, "
               "max: 9))"},
        Values{
            "{type: comma_delimited_list, default: '', constraints: [{allowed_values: [a]}]}", "{p: a}",
            R"(heat.parameter-schema: parameter 'p' is invalid: invalid default  ([""] is not an allowed value ["a"]))"},
        Values{"{type: number, default: x}", "{p: 1}", R"(1 "1")"},
        Values{"{type: comma_delimited_list, default: 5}", "{p: a}",
               "heat.parameter-schema: parameter 'p' is invalid: default must be a comma-delimited list string"},
        Values{"{type: string}", "{}", "heat.parameter-missing: the parameter (p) was not provided"},
        Values{"{type: string}", "{p: null}", "heat.parameter-missing: the parameter (p) was not provided"},
        Values{"{type: string}", "{p: x, pp: 1}",
               "heat.parameter-unknown: the parameter (pp) was not defined in template"}));

TEST(Precedence, goes_from_the_template_to_parameters) {
  RequestWorld world;
  const std::string declaration = "{type: string, default: template}";
  EXPECT_EQ(effective(world, declaration, "{}"), R"("template" "template")");
  EXPECT_EQ(effective(world, declaration, "{}", "{p: default, other: 1}"), R"("default" "default")");
  EXPECT_EQ(effective(world, declaration, "{p: value}", "{p: default}"), R"("value" "value")");
  EXPECT_EQ(effective(world, declaration, "{p: null}", "{p: default}"), R"("default" "default")");
  EXPECT_EQ(effective(world, declaration, "{p: ''}", "{p: null}"), R"("" "")");
  EXPECT_EQ(effective(world, "{type: string}", "{}", "{p: default}"), R"("default" "default")");
}

TEST(Undeclared, parameters_have_the_types_of_their_values) {
  RequestWorld world;
  const Schemata schemata =
      schemata_of_values(world.yaml("{a: {k: 1}, b: null, c: 1.5}"), world.yaml("{b: [1], c: text, d: true}"));
  std::string types;
  for (const ParameterSchema& schema : schemata.all())
    types += schema.name + ":" + std::string(to_string(schema.type)) + " ";
  EXPECT_EQ(types, "a:json c:number b:comma_delimited_list d:boolean ");
}

TEST(Hidden, values_are_plain_in_the_result_and_nowhere_else) {
  RequestWorld world;
  const Template& read = world.read(declaring("{type: string, hidden: true, default: first}"));
  const merge::Traced parameters = world.layer("{p: open}", "e.yaml");
  const merge::Traced all = effective_parameters(read.parameters, parameters, {world.yaml("{}"), {}}, world.session);
  EXPECT_EQ(flow(all.value), R"({"p": {"value": "open", "text": "******", "hidden": true}})");
  EXPECT_EQ(report::blame_text(world.sources, all.value, {}).find("open"), std::string::npos);
  const std::string explained = report::explain_text(world.sources, world.history(), world.history().explain(all));
  EXPECT_EQ(explained.find("open"), std::string::npos);
  EXPECT_EQ(explained.find("first"), std::string::npos);
}

TEST(Hidden, values_do_not_stand_in_errors) {
  for (const char* declaration :
       {"{type: number, hidden: true}", "{type: json, hidden: true}", "{type: boolean, hidden: true}",
        "{type: string, hidden: true, constraints: [{allowed_pattern: x}]}",
        "{type: string, hidden: true, constraints: [{allowed_values: [x]}]}",
        "{type: string, default: s3cret, hidden: true, constraints: [{allowed_values: [x]}]}"}) {
    RequestWorld world;
    const Template& read = world.read(declaring(declaration));
    try {
      static_cast<void>(effective_parameters(read.parameters, {world.yaml("{p: s3cret}"), {}}, {world.yaml("{}"), {}},
                                             world.session));
      ADD_FAILURE() << declaration;
    } catch (const Error& error) {
      EXPECT_EQ(format(error.diagnostic(), "error").find("s3cret"), std::string::npos)
          << format(error.diagnostic(), "error");
    }
  }
}

TEST(ParameterHistory, tells_of_the_template_the_defaults_and_the_files) {
  RequestWorld world;
  const Template& read = world.read(declaring("{type: number, default: 1}"));
  const merge::Traced defaults = world.layer("{p: 2}", "d.yaml");
  const merge::Traced parameters = world.layer("{p: '3'}", "e.yaml");
  const merge::Traced all = effective_parameters(read.parameters, parameters, defaults, world.session);
  const auto paths = world.history().explain(all, {"p", "value"});
  ASSERT_EQ(paths.size(), 1U);
  std::string told;
  for (const merge::Contribution& one : paths[0].contributions) {
    told += world.history().layer_name(one.layer) + " " + std::string(to_string(one.fate)) + "; ";
  }
  EXPECT_EQ(told, "t.yaml shadowed; d.yaml shadowed; e.yaml merged; ");
  EXPECT_EQ(report::blame_text(world.sources, all.value, {}),
            "         | p:\ne.yaml:1 |   value: 3\ne.yaml:1 |   text: '3'\nt.yaml:3 |   hidden: false\n");
}

TEST(ParameterErrors, name_the_place_and_the_declaration) {
  RequestWorld world;
  const Template& read = world.read(declaring("{type: number}"));
  try {
    static_cast<void>(
        effective_parameters(read.parameters, {world.yaml("{p: x}"), {}}, {world.yaml("{}"), {}}, world.session));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        format(error.diagnostic(), "error"),
        "e.yaml:1:5: error: parameter 'p' is invalid: could not convert string to float: 'x' [heat.parameter-value]\n"
        "    1 | {p: x}\n"
        "      |     ^\n"
        "t.yaml:3:3: note: the parameter is declared here\n"
        "    3 |   p: {type: number}\n"
        "      |   ^\n");
  }
}

TEST(HostileValues, end_in_time) {
  RequestWorld world;
  // A pattern that tries without end, and lists of which each item is looked for in many.
  EXPECT_EQ(effective(world, "{type: string, constraints: [{allowed_pattern: '(a*)*(b*)*(a*)*$'}]}",
                      "{p: " + std::string(5000, 'a') + "c}")
                .substr(0, 5),
            "limit");
  std::string many = "[";
  for (int i = 0; i < 40000; ++i) many += std::to_string(i) + ",";
  EXPECT_EQ(effective(world, "{type: comma_delimited_list, constraints: [{allowed_values: " + many + "]}]}",
                      "{p: " + many + "]}")
                .substr(0, 20),
            "heat.parameter-value");
}

RC_GTEST_PROP(Numbers, remainders_are_those_of_python, (std::int64_t number)) {
  const std::int64_t step =
      *rc::gen::suchThat(rc::gen::inRange<std::int64_t>(-50, 50), [](std::int64_t one) { return one != 0; });
  const std::int64_t rest = remainder(Value::integer(number), Value::integer(step)).as_integer();
  RC_ASSERT(rest == 0 || (rest < 0) == (step < 0));
  RC_ASSERT(std::abs(rest) < std::abs(step));
  RC_ASSERT((static_cast<__int128>(number) - rest) % step == 0);
}

RC_GTEST_PROP(Numbers, texts_of_integers_read_as_themselves, (std::int64_t number)) {
  Arena arena;
  const auto read = number_of(arena, " " + std::to_string(number) + "\n");
  RC_ASSERT(read && read->as_integer() == number);
}

TEST(Numbers, other_texts_are_none) {
  Arena arena;
  for (const char* text : {"", "-", "0x1", "1__0", "_1", "1_", "1e", "e1", ".", "1.2.3", "1 2", "+-1", "infinit"}) {
    EXPECT_FALSE(number_of(arena, text)) << text;
  }
  EXPECT_EQ(number_of(arena, std::string(4301, '1'))->kind(), Kind::floating);
}

}  // namespace
}  // namespace strata::heat
