// SPDX-License-Identifier: Apache-2.0
// Draft 4 with the additions of cloud-init. Draft 4 alone: tests/deckhand/schemas_test.cpp.
#include "schema/schema.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "strata/text.hpp"
#include "support/sessions.hpp"

namespace strata::json_schema {
namespace {

const Rules kAnnotated{.invalid_code = "t.schema",
                       .reference_code = "t.reference",
                       .reports_annotations = true,
                       .picks_branch = true,
                       .keeps_ref_siblings = true,
                       .binary_is_string = true,
                       .checks_dates = true};

/// Values read from YAML, with their owner.
class Texts {
 public:
  explicit Texts(const Limits& limits = {}) : session_(testing::test_session({}, {.limits = limits})) {}

  Value yaml(const std::string& text) {
    documents_.push_back(
        text::read_yaml(session_.sources(), session_.sources().add("f", text), text::pyyaml(), session_.limits()));
    return documents_.back().root;
  }
  Schema schema(const std::string& text, const Rules& rules = kAnnotated) {
    return Schema(yaml(text), rules, session_.sources(), session_.limits());
  }

 private:
  Session session_;
  std::vector<text::Document> documents_;
};

/// `a.0: message`, and `D ` before deprecations and changes.
std::string shown(const SchemaFailure& failure) {
  std::string path;
  for (const Path::Step& step : failure.path.steps()) {
    const auto* index = std::get_if<std::size_t>(&step);
    path += (path.empty() ? "" : ".") + (index != nullptr ? std::to_string(*index) : key_text(std::get<Value>(step)));
  }
  return (failure.kind == SchemaFailure::Kind::violation ? "" : "D ") + path + ": " + failure.message;
}

std::vector<std::string> failures(const std::string& schema, const std::string& data, const Rules& rules = kAnnotated) {
  Texts texts;
  const Schema checked = texts.schema(schema, rules);
  std::vector<std::string> out;
  for (const SchemaFailure& failure : checked.check(texts.yaml(data))) out.push_back(shown(failure));
  return out;
}

std::string error_of(const std::string& schema, const std::string& data, const Limits& limits = {}) {
  try {
    Texts texts(limits);
    (void)texts.schema(schema).check(texts.yaml(data));
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

struct Row {
  const char* schema;
  const char* data;
  std::vector<std::string> failures;
};

// Each row was run in the validator of cloud-init 26.2 with jsonschema 4.26.
TEST(Schema, TellsWhatCloudInitTells) {
  const Row rows[] = {
      {R"_({type: string})_", R"_(!!binary aGk=)_", {}},
      {R"_({properties: {d: {format: date}}})_", R"_({d: '2032-02-29'})_", {}},
      {R"_({properties: {d: {format: date}}})_", R"_({d: '2031-02-29'})_", {R"_(d: '2031-02-29' is not a 'date')_"}},
      {R"_({properties: {d: {format: date}}})_", R"_({d: soon})_", {R"_(d: 'soon' is not a 'date')_"}},
      {R"_({$defs: {a: {type: string}}, properties: {x: {$ref: '#/$defs/a', minLength: 3}}})_",
       R"_({x: ab})_",
       {R"_(x: 'ab' is too short)_"}},
      {R"_({$defs: {a: {type: string}}, properties: {x: {$ref: '#/$defs/a', minLength: 3}}})_",
       R"_({x: 5})_",
       {R"_(x: 5 is not of type 'string')_"}},
      {R"_({properties: {a: {type: string, deprecated: true, deprecated_version: '22.3', deprecated_description: Use b.}}})_",
       R"_({a: x})_",
       {R"_(D a: Deprecated in version 22.3. Use b.)_"}},
      {R"_({properties: {a: {description: A thing., type: string, deprecated: true, deprecated_version: '22.3'}}})_",
       R"_({a: 1})_",
       {R"_(a: 1 is not of type 'string')_", R"_(D a: A thing. Deprecated in version 22.3.)_"}},
      {R"_({properties: {a: {changed: true, changed_version: '23.4', changed_description: Was c.}}})_",
       R"_({a: 1})_",
       {R"_(D a: Changed in version 23.4. Was c.)_"}},
      {R"_({properties: {a: {deprecated: false}}})_", R"_({a: 1})_", {}},
      {R"_({oneOf: [{type: string}, {type: array, items: {type: string}}]})_",
       R"_([a, 1])_",
       {R"_(1: 1 is not of type 'string')_"}},
      {R"_({oneOf: [{type: string}, {type: array, items: {type: string}}]})_",
       R"_(5)_",
       {R"_(: 5 is not of type 'string')_", R"_(: 5 is not of type 'array')_"}},
      {R"_({oneOf: [{type: string}, {type: array, items: {type: string}}]})_",
       R"_([[a], {b: 1}])_",
       {R"_(0: ['a'] is not of type 'string')_", R"_(1: {'b': 1} is not of type 'string')_"}},
      {R"_({oneOf: [{type: string}, {minLength: 1}]})_",
       R"_(abc)_",
       {R"_(: 'abc' is valid under each of {'minLength': 1}, {'type': 'string'})_"}},
      {R"_({oneOf: [{type: string, deprecated: true, deprecated_version: '23.1'}, {type: array}]})_",
       R"_(abc)_",
       {R"_(D : Deprecated in version 23.1.)_"}},
      {R"_({oneOf: [{type: array}, {type: string, deprecated: true, deprecated_version: '23.1'}]})_",
       R"_(abc)_",
       {R"_(D : Deprecated in version 23.1.)_"}},
      {R"_({oneOf: [{properties: {a: {type: string}}, additionalProperties: false}, {properties: {b: {properties: {c: {type: integer}}}}, required: [b]}]})_",
       R"_({b: {c: x}})_",
       {R"_(b.c: 'x' is not of type 'integer')_"}},
      {R"_({oneOf: [{required: [type], properties: {type: {enum: [a]}, n: {type: string}}}, {required: [type], properties: {type: {enum: [b]}, n: {type: integer}}}]})_",
       R"_({type: b, n: x})_",
       {R"_(type: 'b' is not one of ['a'])_"}},
      {R"_({oneOf: [{required: [type], properties: {type: {enum: [a]}, n: {type: string}}}, {required: [type], properties: {type: {enum: [b]}, n: {type: integer}}}]})_",
       R"_({type: c, n: 1})_",
       {R"_(type: 'c' is not one of ['a'])_", R"_(type: 'c' is not one of ['b'])_"}},
      {R"_({anyOf: [{type: string}, {type: array, items: {type: string}}]})_",
       R"_([a, 1])_",
       {R"_(: ['a', 1] is not of type 'string')_", R"_(: ['a', 1] is not valid under any of the given schemas)_"}},
      {R"_({anyOf: [{type: string}, {type: integer}]})_",
       R"_([a, 1])_",
       {R"_(: ['a', 1] is not of type 'string')_", R"_(: ['a', 1] is not valid under any of the given schemas)_"}},
      {R"_({anyOf: [{type: string}, {type: object, properties: {x: {type: integer}}}]})_",
       R"_({x: a})_",
       {R"_(: {'x': 'a'} is not of type 'string')_", R"_(: {'x': 'a'} is not valid under any of the given schemas)_"}},
      {R"_({anyOf: [{properties: {x: {anyOf: [{type: string}, {type: array, items: {type: string}}]}}, required: [x]}, {type: string}]})_",
       R"_({x: [1]})_",
       {R"_(: {'x': [1]} is not of type 'string')_", R"_(: {'x': [1]} is not valid under any of the given schemas)_"}},
      {R"_({anyOf: [{type: string, deprecated: true, deprecated_version: '23.1', deprecated_description: Use a list.}, {type: array}]})_",
       R"_(abc)_",
       {R"_(D : Deprecated in version 23.1. Use a list.)_"}},
      {R"_({$defs: {anyOf_type_bond: {properties: {type: {enum: [bond]}, name: {type: string}}, required: [name]}, anyOf_type_vlan: {properties: {type: {enum: [vlan]}, id: {type: integer}}, required: [id]}}, anyOf: [{$ref: '#/$defs/anyOf_type_bond'}, {$ref: '#/$defs/anyOf_type_vlan'}]})_",
       R"_({type: vlan, id: x})_",
       {R"_(id: 'x' is not of type 'integer')_",
        R"_(: {'type': 'vlan', 'id': 'x'} is not valid under any of the given schemas)_"}},
      {R"_({$defs: {anyOf_type_bond: {properties: {type: {enum: [bond]}, name: {type: string}}, required: [name]}, anyOf_type_vlan: {properties: {type: {enum: [vlan]}, id: {type: integer}}, required: [id]}}, anyOf: [{$ref: '#/$defs/anyOf_type_bond'}, {$ref: '#/$defs/anyOf_type_vlan'}]})_",
       R"_({type: vlans})_",
       {R"_(: 'name' is a required property)_",
        R"_(: {'type': 'vlans'} is not valid under any of the given schemas)_"}},
      {R"_({items: {anyOf: [{oneOf: [{type: string}, {type: integer}]}, {type: array, items: {type: 'null'}}]}})_",
       R"_([a, [1], true])_",
       {R"_(1: [1] is not of type 'string')_", R"_(1: [1] is not valid under any of the given schemas)_",
        R"_(2: True is not of type 'string')_", R"_(2: True is not valid under any of the given schemas)_"}},
      {R"_({properties: {a: {type: string}}, additionalProperties: false})_",
       R"_({b: 1, a: x, c: 2})_",
       {R"_(: Additional properties are not allowed ('b', 'c' were unexpected))_"}},
      {R"_({patternProperties: {'^x': {}}, additionalProperties: false})_",
       R"_({b: 1, xa: x, c: 2})_",
       {R"_(: 'b', 'c' do not match any of the regexes: '^x')_"}},
      {R"_({not: {type: string, deprecated: true, deprecated_version: '1'}})_", R"_(5)_", {}},
  };
  for (const Row& row : rows) EXPECT_EQ(failures(row.schema, row.data), row.failures) << row.schema << ' ' << row.data;
}

TEST(Schema, ByDraft4TheAdditionsDoNotCount) {
  const Rules plain{.invalid_code = "t.schema", .reference_code = "t.reference"};
  EXPECT_EQ(failures("{properties: {a: {deprecated: true, format: date}}}", "{a: x}", plain),
            std::vector<std::string>());
  EXPECT_EQ(failures("{$defs: {a: {}}, $ref: '#/$defs/a', type: string}", "5", plain), std::vector<std::string>());
  EXPECT_EQ(failures("{type: string}", "!!binary aGk=", plain).size(), 1U);
  EXPECT_EQ(failures("{oneOf: [{type: string}, {items: {type: string}}]}", "[1]", plain),
            (std::vector<std::string>{": [1] is not valid under any of the given schemas"}));
}

TEST(Schema, TellsNamesOneByOne) {
  Rules rules = kAnnotated;
  rules.splits_names = true;
  Texts texts;
  const Schema schema = texts.schema("{properties: {a: {}}, additionalProperties: false}", rules);
  const auto found = schema.check(texts.yaml("b: 1\na: x\nc: 2\n"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(shown(found[0]), ": Additional properties are not allowed ('b' was unexpected)");
  EXPECT_EQ(key_text(found[1].name), "c");
  EXPECT_TRUE(found[1].schema.find("properties") != nullptr);
}

TEST(Schema, KeepsTheVersionOfADeprecation) {
  Texts texts;
  const Schema schema = texts.schema("{deprecated: true, deprecated_version: '22.3', description: A b.}");
  const auto found = schema.check(texts.yaml("x"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].version, "22.3");
  EXPECT_EQ(found[0].kind, SchemaFailure::Kind::deprecation);
}

TEST(Schema, EndsWhateverItAsks) {
  EXPECT_EQ(error_of("{$ref: '#'}", "1"), "limit.depth");
  EXPECT_EQ(error_of("{anyOf: [{$ref: '#'}, {$ref: '#'}]}", "1"), "limit.depth");
  EXPECT_EQ(error_of("{oneOf: [{not: {$ref: '#'}}]}", "1"), "limit.depth");
  EXPECT_EQ(error_of("{$ref: '#/$defs/none'}", "1"), "t.reference");
  EXPECT_EQ(error_of("{type: nonsense}", "1"), "t.schema");
  EXPECT_EQ(error_of("[]", "1"), "t.schema");
  EXPECT_EQ(error_of("{patternProperties: {'(': {}}}", "{a: 1}"), "regex.syntax");
  // Each level doubles the work.
  const std::string bomb =
      "{$defs: {a: {oneOf: [{$ref: '#/$defs/b'}, {$ref: '#/$defs/b'}]}, b: {anyOf: [{$ref: '#/$defs/c'}, {$ref: "
      "'#/$defs/c'}]}, c: {items: {$ref: '#/$defs/a'}, not: {}}}, $ref: '#/$defs/a'}";
  EXPECT_EQ(error_of(bomb, "[[[[[[[[[[[[1]]]]]]]]]]]]", {.steps = 10'000}), "limit.steps");
  EXPECT_EQ(error_of(
                "{anyOf: [{items: {type: string}}]}", "[" +
                                                          [] {
                                                            std::string items;
                                                            for (int i = 0; i < 100'001; ++i) items += "1,";
                                                            return items;
                                                          }() +
                                                          "1]"),
            "limit.steps");
}

}  // namespace
}  // namespace strata::json_schema
