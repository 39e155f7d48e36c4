// SPDX-License-Identifier: Apache-2.0
// How files meet: the first-file rule, strategies, and the sections besides parameters.
#include <gtest/gtest.h>

#include "compose_world.hpp"

namespace strata::heat {
namespace {

/// Files in order, and one section of the result; an error is its code and message.
struct Row {
  std::vector<std::string> files;
  std::string result;
  std::string section = "parameters";
};

Texts numbered(const std::vector<std::string>& texts) {
  Texts files;
  for (const std::string& text : texts) files.emplace_back("e" + std::to_string(files.size()) + ".yaml", text);
  return files;
}

class Combine : public ::testing::TestWithParam<Row> {};

TEST_P(Combine, gives_the_section_or_the_error) {
  const auto answer = ask({.files = numbered(GetParam().files)});
  EXPECT_EQ(answer->section(GetParam().section), GetParam().result);
}

INSTANTIATE_TEST_SUITE_P(
    FirstFile, Combine,
    ::testing::Values(
        Row{{"parameters: {a: one, stray: 1}"}, R"({"a": "one", "stray": 1})"},
        Row{{"parameters: {a: one}", "parameters: {b: two, stray: 1}"}, R"({"a": "one", "b": "two"})"},
        Row{{"parameters: {stray: 1}", "parameters: {stray: 2}"}, R"({"stray": 1})"},
        Row{{"", "parameters: {}", "parameters: {stray: 1, a: n}", "parameters: {stray: 2, n: 4}"},
            R"({"stray": 1, "a": "n", "n": 4})"},
        Row{{"parameters: {a: null}", "parameters: {stray: 1, n: 2}"}, R"({"a": null, "n": 2})"},
        Row{{"parameters: {a: one, n: 5}", "parameters: {a: null}"}, R"({"a": "one", "n": 5})"},
        Row{{"parameters: {b: 1, a: 2}", "parameters: {n: 3, a: 4, l: z}"}, R"({"b": 1, "a": 4, "n": 3, "l": "z"})"},
        Row{{"parameters: {1: x, m: {true: 1, null: 2, 2.5: 3}}"},
            R"({"1": "x", "m": {"true": 1, "null": 2, "2.5": 3}})"},
        Row{{"parameters: {m: {1: x, '1': y}}"}, R"({"m": {"1": "y"}})"},
        Row{{"parameters: {a: 2013-05-23, b: !!timestamp 2001-01-01}"}, R"({"a": "2013-05-23", "b": "2001-01-01"})"},
        Row{{"parameters: {a: 1}\nparameters: {b: 2}"}, R"({"b": 2})"}));

constexpr const char* kMerge = "parameter_merge_strategies: {default: merge}\nparameters: ";
constexpr const char* kDeep = "parameter_merge_strategies: {default: deep_merge}\nparameters: ";

Row merged(const std::string& first, const std::string& second, const std::string& result) {
  return {{kMerge + first, "parameters: " + second}, result};
}
Row deep(const std::string& first, const std::string& second, const std::string& result) {
  return {{kDeep + first, "parameters: " + second}, result};
}
std::string fails(const std::string& what) { return "heat.merge: parameter " + what + " (file e1.yaml)"; }

INSTANTIATE_TEST_SUITE_P(
    Merge, Combine,
    ::testing::Values(
        merged("{a: foo}", "{a: bar}", R"({"a": "foobar"})"),
        merged("{l: [1, 2]}", "{l: [2, 3]}", R"({"l": [1, 2, 2, 3]})"),
        merged("{l: '1,2'}", "{l: '3'}", R"({"l": "1,2,3"})"), merged("{l: ''}", "{l: [3]}", R"({"l": [3]})"),
        merged("{l: []}", "{l: 'a,b'}", R"({"l": "a,b"})"), merged("{l: [a]}", "{l: []}", R"({"l": ["a"]})"),
        merged("{l: a}", "{l: ''}", R"({"l": "a,"})"),
        merged("{l: [1]}", "{l: '2'}", fails("'l': cannot merge text onto a sequence at l")),
        merged("{l: '1'}", "{l: [2]}", fails("'l': cannot merge a sequence onto text at l")),
        merged("{l: [1]}", "{l: {k: 1}}",
               fails("'l': strategy 'merge' cannot take a mapping for a parameter of type comma_delimited_list")),
        merged("{m: {k: {x: 1}, j: 1}}", "{m: {k: {y: 2}, i: 3}}", R"({"m": {"k": {"y": 2}, "j": 1, "i": 3}})"),
        merged("{m: {x: 1, y: null}}", "{m: {x: null, z: {q: 1}}}", R"({"m": {"x": 1, "y": null, "z": {"q": 1}}})"),
        merged("{m: {x: 1}}", "{m: '{\"y\": 2}'}", R"({"m": {"x": 1, "y": 2}})"),
        merged("{m: '{\"x\": 1}'}", "{m: {y: 2}}", fails("'m': cannot merge a mapping onto text at m")),
        merged("{m: '{\"x\": 1}'}", "{m: {}}", R"({"m": "{\"x\": 1}"})"),
        merged("{m: text}", "{m: {x: null}}", R"({"m": "text"})"), merged("{m: {}}", "{m: [1, 2]}", R"({"m": [1, 2]})"),
        merged("{m: [1]}", "{m: [2]}", fails("'m': cannot merge a sequence onto a sequence at m")),
        merged("{m: {k: 1}}", "{m: ''}", fails("'m': cannot merge text onto a mapping at m")),
        merged("{n: '1'}", "{n: '2'}", R"({"n": "12"})"), merged("{n: [1]}", "{n: [2]}", R"({"n": [1, 2]})"),
        merged("{n: 1}", "{n: 2}",
               fails("'n': strategy 'merge' cannot take an integer for a parameter of type number")),
        merged("{f: 'true'}", "{f: 'false'}", fails("'f': invalid merge strategy 'merge' for a boolean")),
        merged("{a: 1}", "{a: x}", fails("'a': cannot merge text onto an integer at a")),
        merged("{a: x, n: '1'}", "{b: new, l: [1], m: {k: 1}}",
               R"({"a": "x", "n": "1", "b": "new", "l": [1], "m": {"k": 1}})")));

INSTANTIATE_TEST_SUITE_P(
    DeepMerge, Combine,
    ::testing::Values(
        deep("{m: {x: {a: 1}}}", "{m: {x: {b: 2}}}", R"({"m": {"x": {"a": 1, "b": 2}}})"),
        deep("{m: {x: s}}", "{m: {x: t}}", R"({"m": {"x": "st"}})"),
        deep("{m: {x: [1]}}", "{m: {x: [2], y: [3]}}", R"({"m": {"x": [1, 2], "y": [3]}})"),
        deep("{m: {a: [{n: 1}]}}", "{m: {a: [{n: 1}, {m: 2}]}}", R"({"m": {"a": [{"n": 1}, {"n": 1}, {"m": 2}]}})"),
        deep("{m: {x: 1}}", "{m: {x: t}}", fails("'m': cannot deep_merge text onto an integer at m.x")),
        deep("{m: {x: null}}", "{m: {x: t}}", fails("'m': cannot deep_merge text onto null at m.x")),
        deep("{m: {x: s}}", "{m: {x: 5}}", R"({"m": {"x": 5}})"),
        deep("{m: {k: {x: 1}}}", "{m: {k: 7}}", R"({"m": {"k": 7}})"),
        deep("{m: {k: {x: 1}}}", "{m: {k: {}}}", R"({"m": {"k": {"x": 1}}})"),
        deep("{m: {a: 0}}", "{m: {a: {x: 1}}}", R"({"m": {"a": {"x": 1}}})"),
        deep("{m: {a: 5}}", "{m: {a: {x: 1}}}", fails("'m': cannot deep_merge a mapping onto an integer at m.a")),
        deep("{m: {a: 5, b: {c: 1}}}", "{m: {a: {x: null}, b: {c: null, d: {e: null}}}}",
             R"({"m": {"a": 5, "b": {"c": 1, "d": {"e": null}}}})"),
        deep("{m: {a: s, i: 1}}", "{m: {a: [], i: 2}}", fails("'m': cannot deep_merge a sequence onto text at m.a")),
        deep("{m: {l: [{k: s}]}}", "{m: {l: {x: 1}}}",
             fails("'m': cannot deep_merge a mapping onto a sequence at m.l")),
        deep("{a: foo, l: [1]}", "{a: bar, l: [2]}", R"({"a": "foobar", "l": [1, 2]})")));

INSTANTIATE_TEST_SUITE_P(
    Strategies, Combine,
    ::testing::Values(
        Row{{"parameter_merge_strategies: {a: merge}\nparameters: {a: 1st}", "parameters: {a: 2nd}",
             "parameters: {a: 3rd}"},
            R"({"a": "1st2nd3rd"})"},
        Row{{"parameters: {a: one}", "parameter_merge_strategies: {default: merge}\nparameters: {a: two, b: three}",
             "parameters: {b: four}"},
            R"({"a": "two", "b": "threefour"})"},
        Row{{"parameter_merge_strategies: {default: merge}", "parameters: {a: one}", "parameters: {a: two}"},
            R"({"a": "two"})"},
        Row{{"parameter_merge_strategies: {default: merge}\nparameters: {a: null}", "parameters: {a: x}",
             "parameters: {a: y}"},
            R"({"a": "y"})"},
        Row{{"parameter_merge_strategies: {a: sum, default: merge}\nparameters: {a: one}", "parameters: {a: two}"},
            R"({"a": "onetwo"})"},
        Row{{"parameter_merge_strategies: {default: sum}\nparameters: {a: one}", "parameters: {a: two}"},
            "heat.strategy-conflict: conflicting merge strategy 'overwrite' for parameter 'a' in file 'e1.yaml'"},
        Row{{"parameters: {a: one}", "parameter_merge_strategies: {a: merge}\nparameter_defaults: {a: two}"},
            "heat.strategy-conflict: conflicting merge strategy 'merge' for parameter 'a' in file 'e1.yaml'"},
        Row{{"parameter_merge_strategies: {zz: merge}\nparameters: {zz: one}",
             "parameter_merge_strategies: {zz: overwrite}\nparameters: {zz: two}"},
            R"({"zz": "one"})"},
        Row{{"parameter_merge_strategies: [merge]\nparameters: {zz: one}"}, R"({"zz": "one"})"},
        Row{{"parameter_merge_strategies: [merge]\nparameters: {a: one}"},
            "heat.strategies: 'parameter_merge_strategies' must be a mapping, not a sequence"}));

INSTANTIATE_TEST_SUITE_P(
    OtherSections, Combine,
    ::testing::Values(
        Row{{"resource_registry: {'A::X': 'B::X', 'A::Y': y.yaml}",
             "resource_registry: {'A::Y': z.yaml, 'A::X': null, 'A::Z': 'C::Z'}"},
            R"({"resources": {}, "A::X": "B::X", "A::Y": "z.yaml", "A::Z": "C::Z"})",
            "resource_registry"},
        Row{{"resource_registry: {resources: {s1: {'A::X': 'B::X'}}}",
             "resource_registry: {resources: {s2: {hooks: pre-create}}}"},
            R"({"resources": {"s2": {"hooks": "pre-create"}}})",
            "resource_registry"},
        Row{{"resource_registry: {'A::X': B, 'A::Y': B, 'C::Z': B, 'A::*': null, 'A::W': B}"},
            R"({"resources": {}, "C::Z": "B", "A::W": "B"})",
            "resource_registry"},
        Row{{"resource_registry: {'my.yaml': [other], 'my.template': 'B::X'}"},
            R"({"resources": {}, "my.yaml": "my.yaml", "my.template": "my.template"})",
            "resource_registry"},
        Row{{"resource_registry: {resources: null}"}, "{}", "resource_registry"},
        Row{{"resource_registry: {x: {y: {}}, z: {'q*': null}}"}, R"({"resources": {}, "z": {}})", "resource_registry"},
        Row{{"resource_registry: {resources: {s: null, t: {'A::X': 'B::X', 'A::Y': null, u: {hooks: []}}}}"},
            R"({"resources": {"t": {"A::X": "B::X", "u": {"hooks": []}}}})",
            "resource_registry"},
        Row{{"resource_registry: {hooks: nope}"},
            "heat.hook: Invalid hook type \"nope\" for resource breakpoint, acceptable hook types are: (pre-create, "
            "pre-update, pre-delete, "
            "post-create, "
            "post-update, post-delete)"},
        Row{{"resource_registry: {resources: {s: {restricted_actions: [delete]}}}"},
            "heat.restricted-action: Invalid restricted_action type \"[\"delete\"]\" for resource, acceptable "
            "restricted_action types are: (update, "
            "replace)"},
        Row{{"resource_registry: {'A::X': 3}"},
            "heat.registry: 'A::X' must map to a type or a template, not to an integer"},
        Row{{"resource_registry: {3: 'B::X'}"},
            "heat.registry: the key 3 of the registry must be text, not an integer"},
        Row{{"resource_registry: [a]"}, "heat.registry: 'resource_registry' must be a mapping, not a sequence"},
        Row{{"event_sinks: [{type: zaqar-queue, target: q}]", "event_sinks: [{type: zaqar-queue, target: r}]"},
            "heat.section-twice: 'event_sinks' of an earlier file cannot be combined with that of e1.yaml"},
        Row{{"event_sinks: [{type: zaqar-queue, target: q}]", "event_sinks: []"},
            R"([{"type": "zaqar-queue", "target": "q"}])",
            "event_sinks"},
        Row{{"event_sinks: [{target: q}]"}, "heat.event-sink: event_sinks: the sink has no 'type'"},
        Row{{"event_sinks: [{type: pigeon, target: q}]"},
            "heat.event-sink: event_sinks: unknown type of sink 'pigeon'"},
        Row{{"event_sinks: [{type: zaqar-queue}]"},
            "heat.event-sink: event_sinks: a sink of type 'zaqar-queue' needs a 'target'"},
        Row{{"event_sinks: [{type: zaqar-queue, target: q, colour: red}]"},
            "heat.event-sink: event_sinks: a sink of type 'zaqar-queue' has no option 'colour'"},
        Row{{"encrypted_param_names: a", "encrypted_param_names: [b]"},
            "heat.section-twice: 'encrypted_param_names' of an earlier file cannot be combined with that of e1.yaml"},
        Row{{"encrypted_param_names: a"}, R"("a")", "encrypted_param_names"}));

INSTANTIATE_TEST_SUITE_P(
    Checks, Combine,
    ::testing::Values(
        Row{{"parametres: {a: 1}"}, "heat.section: environment has wrong section \"parametres\""},
        Row{{"1: {}"}, "heat.section: environment has wrong section \"1\""},
        Row{{"parameters:\nresource_registry: {}"}, "heat.empty-section: environment has empty section \"parameters\""},
        Row{{"- a"}, "heat.root: the environment is not a valid YAML mapping, but a sequence"},
        Row{{"false"}, "heat.root: the environment is not a valid YAML mapping, but a boolean"},
        Row{{"parameters: [a]"}, "heat.section-shape: 'parameters' must be a mapping, not a sequence"},
        Row{{"parameters: {a: one}", "parms: {}"}, "heat.section: environment has wrong section \"parms\""},
        Row{{"parameters: {m: {k: [.inf]}}"},
            "heat.not-finite: 'm' in 'parameters' is infinite or not a number, which an environment cannot store"},
        Row{{"parameters: {a: !!binary aGk=}"},
            "yaml.forbidden: the tag 'tag:yaml.org,2002:binary' asks for something that is not allowed here"},
        Row{{"parameters: []\nresource_registry: ''\nparameter_defaults: 0\nevent_sinks: {}"}, "{}"}));

TEST(CombineFiles, without_a_template_names_have_the_type_of_their_first_value) {
  const auto merged = [](const std::string& first, const std::string& second) {
    return ask({.files = numbered({"parameter_merge_strategies: {default: merge}\n" + first, second}),
                .root = std::nullopt})
        ->section("parameters");
  };
  EXPECT_EQ(merged("parameters: {p: [1], q: x}", "parameters: {p: [2], q: y, r: {k: 1}}"),
            R"({"p": [1, 2], "q": "xy", "r": {"k": 1}})");
  EXPECT_EQ(merged("parameters: {p: '1'}\nparameter_defaults: {p: {k: 1}}", "parameters: {p: '2'}"), R"({"p": "12"})");
  EXPECT_EQ(merged("parameter_defaults: {p: [1]}\nparameters: {p: x}", "parameters: {p: y}"), R"({"p": "xy"})");
}

TEST(CombineFiles, a_file_named_twice_is_merged_twice) {
  const auto answer = ask(
      {.files = {{"x", "parameter_merge_strategies: {l: merge}\nparameters: {l: [1]}"}, {"y", "parameters: {l: [2]}"}},
       .list = {{"x", "y", "x"}}});
  EXPECT_EQ(answer->section("parameters"), R"({"l": [1, 2, 1]})");
}

TEST(CombineFiles, a_file_without_a_text_is_an_error_that_names_it) {
  EXPECT_EQ(ask({.list = {{"gone.yaml"}}})->error,
            "heat.missing-file: the contents of this environment file are missing: 'gone.yaml'");
}

TEST(CombineFiles, nested_templates_declare_and_the_root_wins) {
  const std::string nested =
      "heat_template_version: 2018-08-31\nparameters:\n  np: {type: string}\n  a: {type: comma_delimited_list}\n";
  const auto answer =
      ask({.files = numbered({"parameter_merge_strategies: {default: merge}\nparameters: {a: one, np: x}",
                              "parameters: {a: two, np: y, zz: 3}"}),
           .attached = {{"nested.yaml", nested}}});
  EXPECT_EQ(answer->section("parameters"), R"({"a": "onetwo", "np": "xy"})");
}

TEST(CombineFiles, what_users_lose_is_warned_of) {
  const auto answer = ask({.files = numbered({"parameters: {a: 1, stray: 2, a: 3}\nresource_registry: {'A::*': 'B::*', "
                                              "'A::X': 'C::X', resources: {s: {hooks: pre-create}}}",
                                              "parameters: {zz: 1}\nresource_registry: {'A::X': null, resources: "
                                              "{}}\nparameter_merge_strategies: {a: sum}\n"
                                              "encrypted_param_names: [a]"})});
  ASSERT_EQ(answer->error, "");
  const std::vector<std::string> expected{"heat.repeated-key",       "heat.unknown-name", "heat.encrypted-names",
                                          "heat.strategy-word",      "heat.dropped-name", "heat.null-ignored",
                                          "heat.resources-replaced", "heat.wildcard"};
  EXPECT_EQ(answer->warnings(), expected);
}

}  // namespace
}  // namespace strata::heat
