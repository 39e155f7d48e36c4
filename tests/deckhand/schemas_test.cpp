// SPDX-License-Identifier: Apache-2.0
// Schemas: draft 4 in the words of Python's jsonschema, and which schema counts.
#include "deckhand/schemas.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deckhand/world.hpp"

namespace strata::deckhand {
namespace {

struct SchemaRow {
  const char* schema;
  const char* data;
  std::vector<std::string> failures;
};

// Each row was run in jsonschema 4.26: Draft4Validator(schema).iter_errors(data).
TEST(Schemas, TellWhatTheReferenceTells) {
  const SchemaRow rows[] = {
      {R"_({type: integer})_", R"_(x)_", {R"_(.type 'x' is not of type 'integer')_"}},
      {R"_({type: integer})_", R"_(1)_", {}},
      {R"_({type: integer})_", R"_(1.0)_", {R"_(.type 1.0 is not of type 'integer')_"}},
      {R"_({type: integer})_", R"_(true)_", {R"_(.type True is not of type 'integer')_"}},
      {R"_({type: integer})_", R"_(null)_", {R"_(.type None is not of type 'integer')_"}},
      {R"_({type: integer})_", R"_([1])_", {R"_(.type [1] is not of type 'integer')_"}},
      {R"_({type: [string, 'null']})_", R"_(x)_", {}},
      {R"_({type: [string, 'null']})_", R"_(null)_", {}},
      {R"_({type: [string, 'null']})_", R"_(5)_", {R"_(.type 5 is not of type 'string', 'null')_"}},
      {R"_({type: number})_", R"_(1)_", {}},
      {R"_({type: number})_", R"_(2.5)_", {}},
      {R"_({type: number})_", R"_(true)_", {R"_(.type True is not of type 'number')_"}},
      {R"_({enum: [1, a, [1], null]})_", R"_(1)_", {}},
      {R"_({enum: [1, a, [1], null]})_", R"_(1.0)_", {}},
      {R"_({enum: [1, a, [1], null]})_", R"_(true)_", {R"_(.enum True is not one of [1, 'a', [1], None])_"}},
      {R"_({enum: [1, a, [1], null]})_", R"_(a)_", {}},
      {R"_({enum: [1, a, [1], null]})_", R"_([1.0])_", {}},
      {R"_({enum: [1, a, [1], null]})_", R"_(null)_", {}},
      {R"_({enum: [1, a, [1], null]})_", R"_(b)_", {R"_(.enum 'b' is not one of [1, 'a', [1], None])_"}},
      {R"_({minimum: 3})_", R"_(3)_", {}},
      {R"_({minimum: 3})_", R"_(2)_", {R"_(.minimum 2 is less than the minimum of 3)_"}},
      {R"_({minimum: 3})_", R"_(2.5)_", {R"_(.minimum 2.5 is less than the minimum of 3)_"}},
      {R"_({minimum: 3})_", R"_(x)_", {}},
      {R"_({minimum: 3})_", R"_(true)_", {}},
      {R"_({exclusiveMinimum: true, minimum: 3})_",
       R"_(3)_",
       {R"_(.minimum 3 is less than or equal to the minimum of 3)_"}},
      {R"_({exclusiveMinimum: true, minimum: 3})_", R"_(4)_", {}},
      {R"_({exclusiveMaximum: true, maximum: 3})_",
       R"_(3)_",
       {R"_(.maximum 3 is greater than or equal to the maximum of 3)_"}},
      {R"_({exclusiveMaximum: true, maximum: 3})_", R"_(2.9)_", {}},
      {R"_({maximum: 3})_", R"_(3.5)_", {R"_(.maximum 3.5 is greater than the maximum of 3)_"}},
      {R"_({multipleOf: 3})_", R"_(9)_", {}},
      {R"_({multipleOf: 3})_", R"_(10)_", {R"_(.multipleOf 10 is not a multiple of 3)_"}},
      {R"_({multipleOf: 3})_", R"_(9.0)_", {}},
      {R"_({multipleOf: 0.1})_", R"_(0.5)_", {}},
      {R"_({multipleOf: 0.1})_", R"_(0.25)_", {R"_(.multipleOf 0.25 is not a multiple of 0.1)_"}},
      {R"_({multipleOf: 0.1})_", R"_(1)_", {}},
      {R"_({maxLength: 3, minLength: 2})_", R"_(é)_", {R"_(.minLength 'é' is too short)_"}},
      {R"_({maxLength: 3, minLength: 2})_", R"_(éé)_", {}},
      {R"_({maxLength: 3, minLength: 2})_", R"_(éééé)_", {R"_(.maxLength 'éééé' is too long)_"}},
      {R"_({minLength: 1})_", R"_('')_", {R"_(.minLength '' should be non-empty)_"}},
      {R"_({maxItems: 0})_", R"_([1])_", {R"_(.maxItems [1] is expected to be empty)_"}},
      {R"_({maxItems: 0})_", R"_([])_", {}},
      {R"_({minItems: 1})_", R"_([])_", {R"_(.minItems [] should be non-empty)_"}},
      {R"_({minItems: 3})_", R"_([1, 2])_", {R"_(.minItems [1, 2] is too short)_"}},
      {R"_({uniqueItems: true})_", R"_([1, 1.0])_", {R"_(.uniqueItems [1, 1.0] has non-unique elements)_"}},
      {R"_({uniqueItems: true})_", R"_([1, true])_", {}},
      {R"_({uniqueItems: true})_", R"_([[1], [1]])_", {R"_(.uniqueItems [[1], [1]] has non-unique elements)_"}},
      {R"_({uniqueItems: true})_",
       R"_([{a: 1, b: 2}, {b: 2, a: 1}])_",
       {R"_(.uniqueItems [{'a': 1, 'b': 2}, {'b': 2, 'a': 1}] has non-unique elements)_"}},
      {R"_({uniqueItems: true})_", R"_([a, b])_", {}},
      {R"_({pattern: b+})_", R"_(abbc)_", {}},
      {R"_({pattern: b+})_", R"_(ac)_", {R"_(.pattern 'ac' does not match 'b+')_"}},
      {R"_({pattern: b+})_", R"_(5)_", {}},
      {R"_({items: {type: integer}})_",
       R"_([1, x, 2, y])_",
       {R"_(.items.type 'x' is not of type 'integer')_", R"_(.items.type 'y' is not of type 'integer')_"}},
      {R"_({items: {type: integer}})_", R"_({a: 1})_", {}},
      {R"_({additionalItems: false, items: [{type: integer}, {type: string}]})_", R"_([1, a])_", {}},
      {R"_({additionalItems: false, items: [{type: integer}, {type: string}]})_",
       R"_([1, a, 3, 4])_",
       {R"_(.additionalItems Additional items are not allowed (3, 4 were unexpected))_"}},
      {R"_({additionalItems: false, items: [{type: integer}, {type: string}]})_",
       R"_([x])_",
       {R"_(.items.0.type 'x' is not of type 'integer')_"}},
      {R"_({additionalItems: {type: string}, items: [{}]})_",
       R"_([1, a, 2])_",
       {R"_(.additionalItems.type 2 is not of type 'string')_"}},
      {R"_({properties: {a: {type: integer}, b: {properties: {c: {type: string}}}}})_",
       R"_({a: x, b: {c: 1}})_",
       {R"_(.properties.a.type 'x' is not of type 'integer')_",
        R"_(.properties.b.properties.c.type 1 is not of type 'string')_"}},
      {R"_({properties: {a: {type: integer}, b: {properties: {c: {type: string}}}}})_", R"_({a: 1})_", {}},
      {R"_({additionalProperties: false, properties: {a: {}}})_", R"_({a: 1})_", {}},
      {R"_({additionalProperties: false, properties: {a: {}}})_",
       R"_({a: 1, z: 1})_",
       {R"_(.additionalProperties Additional properties are not allowed ('z' was unexpected))_"}},
      {R"_({additionalProperties: false, properties: {a: {}}})_",
       R"_({y: 2, z: 1})_",
       {R"_(.additionalProperties Additional properties are not allowed ('y', 'z' were unexpected))_"}},
      {R"_({additionalProperties: false, patternProperties: {^x: {type: integer}}})_", R"_({x1: 1})_", {}},
      {R"_({additionalProperties: false, patternProperties: {^x: {type: integer}}})_",
       R"_({x1: s})_",
       {R"_(.patternProperties.^x.type 's' is not of type 'integer')_"}},
      {R"_({additionalProperties: false, patternProperties: {^x: {type: integer}}})_",
       R"_({y: 1, z: 2})_",
       {R"_(.additionalProperties 'y', 'z' do not match any of the regexes: '^x')_"}},
      {R"_({additionalProperties: {type: integer}})_",
       R"_({a: x})_",
       {R"_(.additionalProperties.type 'x' is not of type 'integer')_"}},
      {R"_({required: [a, b]})_",
       R"_({})_",
       {R"_(.required 'a' is a required property)_", R"_(.required 'b' is a required property)_"}},
      {R"_({required: [a, b]})_", R"_({a: 1})_", {R"_(.required 'b' is a required property)_"}},
      {R"_({required: [a, b]})_", R"_(5)_", {}},
      {R"_({dependencies: {a: [b], c: {required: [d]}}})_",
       R"_({a: 1})_",
       {R"_(.dependencies 'b' is a dependency of 'a')_"}},
      {R"_({dependencies: {a: [b], c: {required: [d]}}})_",
       R"_({c: 1})_",
       {R"_(.dependencies.c.required 'd' is a required property)_"}},
      {R"_({dependencies: {a: [b], c: {required: [d]}}})_", R"_({a: 1, b: 2})_", {}},
      {R"_({allOf: [{type: integer}, {minimum: 5}]})_",
       R"_(3)_",
       {R"_(.allOf.1.minimum 3 is less than the minimum of 5)_"}},
      {R"_({allOf: [{type: integer}, {minimum: 5}]})_", R"_(x)_", {R"_(.allOf.0.type 'x' is not of type 'integer')_"}},
      {R"_({anyOf: [{type: integer}, {minLength: 3}]})_",
       R"_(ab)_",
       {R"_(.anyOf 'ab' is not valid under any of the given schemas)_"}},
      {R"_({anyOf: [{type: integer}, {minLength: 3}]})_", R"_(abc)_", {}},
      {R"_({oneOf: [{type: integer}, {minimum: 5}]})_",
       R"_(7)_",
       {R"_(.oneOf 7 is valid under each of {'minimum': 5}, {'type': 'integer'})_"}},
      {R"_({oneOf: [{type: integer}, {minimum: 5}]})_", R"_(3)_", {}},
      {R"_({oneOf: [{type: integer}, {minimum: 5}]})_",
       R"_(2.5)_",
       {R"_(.oneOf 2.5 is not valid under any of the given schemas)_"}},
      {R"_({oneOf: [{type: integer}, {minimum: 5}]})_", R"_(6.5)_", {}},
      {R"_({not: {type: integer}})_", R"_(5)_", {R"_(.not 5 should not be valid under {'type': 'integer'})_"}},
      {R"_({not: {type: integer}})_", R"_(x)_", {}},
      {R"_({definitions: {p/q: {type: integer}}, properties: {a: {$ref: '#/definitions/p~1q', type: string}}})_",
       R"_({a: 1})_",
       {}},
      {R"_({definitions: {p/q: {type: integer}}, properties: {a: {$ref: '#/definitions/p~1q', type: string}}})_",
       R"_({a: x})_",
       {R"_(.properties.a.type 'x' is not of type 'integer')_"}},
      {R"_({properties: {n: {$ref: '#'}}, required: [v]})_",
       R"_({n: {n: {}, v: 2}, v: 1})_",
       {R"_(.properties.n.properties.n.required 'v' is a required property)_"}},
      {R"_({const: 5, format: ipv4, if: {type: string}, propertyNames: {maxLength: 1}})_", R"_(x)_", {}},
      {R"_({const: 5, format: ipv4, if: {type: string}, propertyNames: {maxLength: 1}})_", R"_({long: 1})_", {}},
      {R"_({minProperties: 1})_", R"_({})_", {R"_(.minProperties {} should be non-empty)_"}},
      {R"_({maxProperties: 1})_",
       R"_({a: 1, b: 2})_",
       {R"_(.maxProperties {'a': 1, 'b': 2} has too many properties)_"}},
      {R"_({$ref: 'http://json-schema.org/draft-04/schema#'})_",
       R"_({type: nonsense})_",
       {R"_(.properties.type.anyOf 'nonsense' is not valid under any of the given schemas)_"}},
      {R"_({$ref: 'http://json-schema.org/draft-04/schema#'})_", R"_({type: string})_", {}},
      {R"_({$ref: 'http://json-schema.org/draft-04/schema#'})_", R"_({pattern: '('})_", {}},
      {R"_({$ref: 'http://json-schema.org/draft-04/schema#'})_",
       R"_({enum: [], minLength: -1})_",
       {R"_(.properties.minLength.allOf.0.minimum -1 is less than the minimum of 0)_",
        R"_(.properties.enum.minItems [] should be non-empty)_"}}};
  for (const SchemaRow& row : rows) {
    World world;
    const json_schema::Schema schema(world.yaml(row.schema), schema_rules(), world.sources, world.limits);
    std::vector<std::string> told;
    for (const json_schema::SchemaFailure& failure : schema.check(world.yaml(row.data)))
      told.push_back(failure.schema_path + " " + failure.message);
    EXPECT_EQ(told, row.failures) << row.schema << " on " << row.data;
  }
}

TEST(Schemas, TellThePlaceInTheData) {
  World world;
  const json_schema::Schema schema(
      world.yaml("{properties: {a: {items: {type: integer}}}, additionalProperties: false}"), schema_rules(),
      world.sources, world.limits);
  const auto failures = schema.check(world.yaml("a: [1, x]\nb: 2\n", "data.yaml"));
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0].path.pointer(), "/a/1");
  EXPECT_EQ(world.sources.place(failures[0].value.origin()).to_string(), "data.yaml:1:8");
  EXPECT_EQ(failures[1].path.pointer(), "");
  EXPECT_EQ(world.sources.place(failures[1].value.origin()).to_string(), "data.yaml:2:1")
      << "the first of the additional properties";
}

std::string wrong_schema(const std::string& text, const std::string& data = "{}") {
  World world;
  return error_of([&] {
    (void)json_schema::Schema(world.yaml(text), schema_rules(), world.sources, world.limits).check(world.yaml(data));
  });
}

TEST(Schemas, AreCheckedThemselves) {
  EXPECT_EQ(wrong_schema("{type: nonsense}"),
            "deckhand.schema: a schema is not a JSON Schema of draft 4 at /type: 'nonsense' is not valid under any of "
            "the given schemas");
  EXPECT_EQ(wrong_schema("[]"),
            "deckhand.schema: a schema is not a JSON Schema of draft 4: [] is not of type 'object'");
  EXPECT_EQ(wrong_schema("{properties: {a: {minLength: -1}}}").substr(0, 15), "deckhand.schema");
  EXPECT_EQ(
      wrong_schema("{exclusiveMinimum: true}"),
      "deckhand.schema: a schema is not a JSON Schema of draft 4: 'minimum' is a dependency of 'exclusiveMinimum'");
  EXPECT_EQ(wrong_schema("{properties: {a: {enum: [x, x]}}}"),
            "deckhand.schema: a schema is not a JSON Schema of draft 4 at /properties/a/enum: ['x', 'x'] has "
            "non-unique elements");
  EXPECT_EQ(wrong_schema("{enum: []}"),
            "deckhand.schema: a schema is not a JSON Schema of draft 4 at /enum: [] should be non-empty");
  EXPECT_EQ(wrong_schema("{properties: {a: {pattern: '('}}}"),
            "deckhand.schema: a schema is not a JSON Schema of draft 4 at /properties/a/pattern: '(' is not a 'regex'");
  // What the reference does not check before data reach it.
  EXPECT_EQ(wrong_schema("{patternProperties: {'(': {}}}"), "");
  EXPECT_EQ(wrong_schema("{patternProperties: {'(': {}}}", "{a: x}").substr(0, 12), "regex.syntax");
  EXPECT_EQ(wrong_schema("{properties: {a: {$ref: 5}}}"), "");
  EXPECT_EQ(wrong_schema("{properties: {a: {$ref: 5}}}", "{a: x}"),
            "deckhand.schema-reference: a '$ref' of a schema must be a text, not an integer");
  EXPECT_EQ(wrong_schema("{$ref: '#/definitions/x'}"),
            "deckhand.schema-reference: the reference '#/definitions/x' of a schema leads nowhere");
  EXPECT_EQ(wrong_schema("{$ref: 'http://example.com/x'}"),
            "deckhand.schema-reference: the reference 'http://example.com/x' of a schema leads out of it");
}

// Each row was run in jsonschema 4.26, with nothing to fetch: the schema of `a`, where 1 is not a string.
TEST(Schemas, FollowReferencesThroughIds) {
  const SchemaRow rows[] = {
      {R"_({definitions: {x: {id: '#x', type: string}}, properties: {a: {$ref: '#x'}}})_",
       R"_({a: 1})_",
       {".properties.a.type"}},
      {R"_({id: 'http://foo/bar#', definitions: {x: {type: string}}, properties: {a: {$ref: 'http://foo/bar#/definitions/x'}}})_",
       R"_({a: 1})_",
       {".properties.a.type"}},
      {R"_({id: 'http://foo/bar', definitions: {x: {id: 'baz', type: string}}, properties: {a: {$ref: baz}, b: {$ref: '#/definitions/x'}}})_",
       R"_({a: 1, b: 1})_",
       {".properties.a.type", ".properties.b.type"}},
      {R"_({id: 'http://foo/', properties: {a: {id: 'sub/', items: {id: '../y', $ref: 'z'}}}, definitions: {z: {id: '/sub/z', type: string}}})_",
       R"_({a: [1]})_",
       {".properties.a.items.type"}},
      // An `id` beside a reference names nothing, and one below a keyword that holds no schemas is not looked for.
      {R"_({definitions: {x: {id: 'http://foo/x', $ref: '#/definitions/y'}, y: {type: string}}, properties: {a: {$ref: 'http://foo/x'}}})_",
       R"_({a: 1})_",
       {"!leads out of it"}},
      {R"_({other: {x: {id: '#x', type: string}}, properties: {a: {$ref: '#x'}}})_", R"_({a: 1})_", {"!leads nowhere"}},
      // References are those of the nearest base, also of one that a JSON Pointer passes.
      {R"_({id: 'http://foo/', definitions: {x: {id: 'x/', definitions: {y: {$ref: '#/definitions/z'}, z: {type: string}}}, z: {type: 'null'}},
           properties: {a: {$ref: '#/definitions/x/definitions/y'}}})_",
       R"_({a: 1})_",
       {".properties.a.type"}},
      {R"_({definitions: {x: {id: 'http://foo/x', definitions: {y: {$ref: '#/definitions/z'}}}, z: {type: string}},
           properties: {a: {$ref: 'http://foo/x#/definitions/y'}}})_",
       R"_({a: 1})_",
       {"!leads nowhere"}},
      // Names belong to the address around them.
      {R"_({definitions: {x: {id: 'http://foo/x', definitions: {y: {id: '#y', type: string}}}}, properties: {a: {$ref: 'http://foo/x#y'}}})_",
       R"_({a: 1})_",
       {".properties.a.type"}},
      {R"_({definitions: {x: {id: 'http://foo/x', definitions: {y: {id: '#y', type: string}}}}, properties: {a: {$ref: '#y'}}})_",
       R"_({a: 1})_",
       {"!leads nowhere"}},
      // `not` overlooks the id of its schema.
      {R"_({definitions: {x: {type: integer}}, properties: {a: {not: {id: 'http://foo/', anyOf: [{$ref: '#/definitions/x'}]}}}})_",
       R"_({a: 1})_",
       {".properties.a.not"}},
      {R"_({id: 'urn:x:1', definitions: {x: {id: y, type: string}}, properties: {a: {$ref: y}}})_",
       R"_({a: 1})_",
       {".properties.a.type"}},
      {R"_({properties: {a: {id: 'http://json-schema.org/draft-04/other', $ref: '#/definitions/x'}, b: {id: 'http://json-schema.org/draft-04/x',
           items: {$ref: schema}}}, definitions: {x: {}}})_",
       R"_({a: 1, b: [{type: 5}]})_",
       {".properties.b.items.properties.type.anyOf"}}};
  for (const SchemaRow& row : rows) {
    World world;
    const json_schema::Schema schema(world.yaml(row.schema), schema_rules(), world.sources, world.limits);
    std::vector<std::string> told;
    const std::string error = error_of([&] {
      for (const json_schema::SchemaFailure& failure : schema.check(world.yaml(row.data)))
        told.push_back(failure.schema_path);
    });
    if (row.failures.front().front() == '!') {
      EXPECT_TRUE(error.starts_with("deckhand.schema-reference: ") && error.ends_with(row.failures.front().substr(1)))
          << row.schema << ": " << error;
    } else {
      EXPECT_EQ(told, row.failures) << row.schema << ": " << error;
    }
  }
}

TEST(Schemas, AddressesThatContainEachOtherAreBounded) {
  std::string nested = "{$ref: nowhere}";
  for (int i = 0; i < 150; ++i) nested = "{id: '" + std::string(10'000, 'a') + "/', not: " + nested + "}";
  EXPECT_EQ(wrong_schema("{allOf: [{$ref: x}, " + nested + "]}").substr(0, 11), "limit.input");
}

TEST(Schemas, EndWhateverTheyAsk) {
  EXPECT_EQ(wrong_schema("{$ref: '#'}"), "limit.depth: the references of a schema form a cycle");
  EXPECT_EQ(wrong_schema("{allOf: [{$ref: '#'}, {$ref: '#'}]}").substr(0, 11), "limit.depth");
  World world(true, {.steps = 10'000});
  const json_schema::Schema bomb(
      world.yaml("{definitions: {a: {anyOf: [{$ref: '#/definitions/b'}, {$ref: '#/definitions/b'}]},"
                 " b: {anyOf: [{$ref: '#/definitions/c'}, {$ref: '#/definitions/c'}]}, c: {items: {$ref: "
                 "'#/definitions/a'}, not: {}}},"
                 " $ref: '#/definitions/a'}"),
      schema_rules(), world.sources, world.limits);
  EXPECT_EQ(error_of([&] { (void)bomb.check(world.yaml("[[[[[[[[[[[[1]]]]]]]]]]]]")); }).substr(0, 11), "limit.steps");
}

std::vector<std::string> told(DataSchemas& schemas, std::string_view schema, const Value& data,
                              bool sensitive = false) {
  std::vector<std::string> out;
  for (const DataFinding& finding : schemas.check(schema, data, sensitive))
    out.push_back(finding.schema_path + " " + finding.message);
  return out;
}

TEST(DataSchemas, AreFoundByTheFullName) {
  World world;
  DataSchemas schemas(world.sources, world.limits);
  schemas.add("a/B/v1", world.yaml("{type: object}"));
  schemas.add("a/B/v1", world.yaml("{type: array}"));
  schemas.add("a/B/v7", world.yaml("{type: array}"));
  schemas.add("a/C/v1", world.yaml("{}"));
  schemas.add("a/D/v1", world.yaml("{type: nonsense}"));
  schemas.add("a/E", world.yaml("{type: nonsense}"));
  const Value text = world.yaml("x");
  EXPECT_EQ(told(schemas, "a/B/v1", text), Strings{".type 'x' is not of type 'object'"});
  EXPECT_EQ(told(schemas, "a/B/v7", text), Strings{".type 'x' is not of type 'array'"});
  for (const char* name : {"a/B/v2", "a/C/v1", "a/E", "x/Y/v1"})
    EXPECT_EQ(told(schemas, name, text), Strings{}) << name;
  EXPECT_THROW((void)told(schemas, "a/D/v1", text), Error);
}

TEST(DataSchemas, KnowControlDocumentsAndSecrets) {
  World world;
  DataSchemas schemas(world.sources, world.limits);
  const auto fits = [&](const std::string& kind, const std::string& data) {
    return told(schemas, "deckhand/" + kind + "/v1", world.yaml(data)).empty();
  };
  for (const char* kind : {"Certificate", "CertificateKey", "CertificateAuthority", "CertificateAuthorityKey",
                           "Passphrase", "PrivateKey", "PublicKey"}) {
    EXPECT_TRUE(fits(kind, "word")) << kind;
    EXPECT_FALSE(fits(kind, "5")) << kind;
  }
  EXPECT_TRUE(fits("LayeringPolicy", "{layerOrder: []}"));
  EXPECT_TRUE(fits("LayeringPolicy", "{layerOrder: [a, b]}"));
  for (const char* data : {"{}", "{layerOrder: [1]}", "{layerOrder: [], more: 1}", "null"})
    EXPECT_FALSE(fits("LayeringPolicy", data)) << data;
  EXPECT_TRUE(
      fits("ValidationPolicy", "{validations: [{name: a-validation, expiresAfter: 1w}, {name: b-verification}]}"));
  for (const char* data : {"{}", "{validations: [{name: a}]}", "{validations: [{name: a-validation, more: 1}]}",
                           "{validations: [{name: a-validation, expiresAfter: 5}]}"})
    EXPECT_FALSE(fits("ValidationPolicy", data)) << data;
  schemas.add("deckhand/Passphrase/v1", world.yaml("{type: integer}"));
  EXPECT_FALSE(fits("Passphrase", "5")) << "a schema of one's own does not replace Deckhand's";
}

TEST(DataSchemas, ShowNoValueOfASensitiveDocument) {
  World world;
  DataSchemas schemas(world.sources, world.limits);
  schemas.add("a/B/v1", world.yaml("{properties: {p: {type: integer}, q: {enum: [a]}}, required: [r]}"));
  const Value data = world.yaml("{p: hunter2, q: hunter3}");
  EXPECT_EQ(told(schemas, "a/B/v1", data, true), (Strings{".properties.p.type Sanitized to avoid exposing secret.",
                                                          ".properties.q.enum Sanitized to avoid exposing secret.",
                                                          ".required 'r' is a required property"}));
  EXPECT_EQ(told(schemas, "a/B/v1", data.with_secret()).at(0),
            ".properties.p.type Sanitized to avoid exposing secret.");
}

TEST(SchemaNames, HaveThreeParts) {
  for (const char* name : {"a/B/v1", "deckhand/DataSchema/v12"}) EXPECT_TRUE(is_schema_name(name)) << name;
  for (const char* name :
       {"", "a", "a/B", "a/B/v", "a/B/1", "a-b/C/v1", "a/B2/v1", "a//v1", "/a/v1", "a/B/v1/v2", "a/B/v1x"})
    EXPECT_FALSE(is_schema_name(name)) << name;
}

}  // namespace
}  // namespace strata::deckhand
