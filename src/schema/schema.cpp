// SPDX-License-Identifier: Apache-2.0
#include "schema/schema.hpp"

#include <fmt/format.h>

#include <utility>

#include "schema/validation.hpp"
#include "strata/text.hpp"

namespace strata::json_schema {
namespace {

/// The meta-schema, whole: its identity is what references in it start from.
constexpr std::string_view kDraft4Schema = R"({
"id": "http://json-schema.org/draft-04/schema#",
"$schema": "http://json-schema.org/draft-04/schema#",
"description": "Core schema meta-schema",
"definitions": {
  "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
  "positiveInteger": {"type": "integer", "minimum": 0},
  "positiveIntegerDefault0": {"allOf": [{"$ref": "#/definitions/positiveInteger"}, {"default": 0}]},
  "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
  "stringArray": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true}
},
"type": "object",
"properties": {
  "id": {"type": "string"}, "$schema": {"type": "string"}, "title": {"type": "string"}, "description": {"type": "string"}, "default": {},
  "multipleOf": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
  "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "boolean", "default": false},
  "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "boolean", "default": false},
  "maxLength": {"$ref": "#/definitions/positiveInteger"}, "minLength": {"$ref": "#/definitions/positiveIntegerDefault0"},
  "pattern": {"type": "string", "format": "regex"},
  "additionalItems": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}], "default": {}},
  "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}], "default": {}},
  "maxItems": {"$ref": "#/definitions/positiveInteger"}, "minItems": {"$ref": "#/definitions/positiveIntegerDefault0"},
  "uniqueItems": {"type": "boolean", "default": false},
  "maxProperties": {"$ref": "#/definitions/positiveInteger"}, "minProperties": {"$ref": "#/definitions/positiveIntegerDefault0"},
  "required": {"$ref": "#/definitions/stringArray"},
  "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}], "default": {}},
  "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
  "properties": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
  "patternProperties": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
  "dependencies": {"type": "object", "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}},
  "enum": {"type": "array", "minItems": 1, "uniqueItems": true},
  "type": {"anyOf": [{"$ref": "#/definitions/simpleTypes"},
                     {"type": "array", "items": {"$ref": "#/definitions/simpleTypes"}, "minItems": 1, "uniqueItems": true}]},
  "format": {"type": "string"},
  "allOf": {"$ref": "#/definitions/schemaArray"}, "anyOf": {"$ref": "#/definitions/schemaArray"}, "oneOf": {"$ref": "#/definitions/schemaArray"},
  "not": {"$ref": "#"}
},
"dependencies": {"exclusiveMaximum": ["maximum"], "exclusiveMinimum": ["minimum"]},
"default": {}
})";

}  // namespace

struct Schema::State {
  detail::Compiled compiled;
};

Schema::Schema(const Value& schema, Rules rules, const Sources& sources, const Limits& limits)
    : state_(std::make_unique<State>(
          State{.compiled = {.root = schema, .rules = std::move(rules), .sources = &sources, .limits = limits}})) {
  detail::Compiled meta{.root = draft4(), .limits = limits, .checks_formats = true};
  const std::vector<SchemaFailure> failures = detail::Validation(meta).run(schema);
  if (failures.empty()) return;
  const SchemaFailure& first = failures.front();
  const std::string pointer = first.path.pointer();
  Error error(state_->compiled.rules.invalid_code, fmt::format("a schema is not a JSON Schema of draft 4{}: {}",
                                                               pointer.empty() ? "" : " at " + pointer, first.message));
  if (first.cause) error.because(*first.cause);
  throw std::move(error).at(sources, first.value.origin());
}

Schema::Schema(Schema&&) noexcept = default;
Schema::~Schema() = default;

std::vector<SchemaFailure> Schema::check(const Value& data) const {
  return detail::Validation(state_->compiled).run(data);
}

const Value& draft4() {
  static const text::Document document = [] {
    Sources sources;
    return text::read_json(sources, sources.add("<draft 4>", std::string(kDraft4Schema)), Limits());
  }();
  return document.root;
}

}  // namespace strata::json_schema
