// SPDX-License-Identifier: Apache-2.0
#include "deckhand/schemas.hpp"

#include <algorithm>

#include "strata/text.hpp"
#include "value/ascii.hpp"

namespace strata::deckhand {
namespace {

using strata::detail::is_digit;
using strata::detail::is_letter;

/// What Deckhand itself asks of control documents and secrets. Versions are those that it knows.
constexpr std::string_view kOwn = R"({
"deckhand/LayeringPolicy/v1": {
  "type": "object", "properties": {"layerOrder": {"type": "array", "items": {"type": "string"}}},
  "additionalProperties": false, "required": ["layerOrder"]},
"deckhand/ValidationPolicy/v1": {
  "type": "object",
  "properties": {"validations": {"type": "array", "items": {
    "type": "object",
    "properties": {"name": {"type": "string", "pattern": "^.*-(validation|verification)$"}, "expiresAfter": {"type": "string"}},
    "additionalProperties": false, "required": ["name"]}}},
  "additionalProperties": false, "required": ["validations"]},
"deckhand/DataSchema/v1": {},
"deckhand/Certificate/v1": {"type": "string"},
"deckhand/CertificateKey/v1": {"type": "string"},
"deckhand/CertificateAuthority/v1": {"type": "string"},
"deckhand/CertificateAuthorityKey/v1": {"type": "string"},
"deckhand/Passphrase/v1": {"type": "string"},
"deckhand/PrivateKey/v1": {"type": "string"},
"deckhand/PublicKey/v1": {"type": "string"}
})";

const Value& own_schemas() {
  static const text::Document document = [] {
    Sources sources;
    return text::read_json(sources, sources.add("<deckhand>", std::string(kOwn)), Limits());
  }();
  return document.root;
}

}  // namespace

const json_schema::Rules& schema_rules() {
  static const json_schema::Rules rules{.invalid_code = "deckhand.schema",
                                        .reference_code = "deckhand.schema-reference"};
  return rules;
}

bool is_schema_name(std::string_view text) noexcept {
  const std::size_t first = text.find('/');
  const std::size_t second = first == std::string_view::npos ? first : text.find('/', first + 1);
  if (second == std::string_view::npos) return false;
  const std::string_view space = text.substr(0, first);
  const std::string_view kind = text.substr(first + 1, second - first - 1);
  const std::string_view version = text.substr(second + 1);
  return !space.empty() && std::ranges::all_of(space, is_letter) && !kind.empty() &&
         std::ranges::all_of(kind, is_letter) && version.size() > 1 && version.front() == 'v' &&
         std::ranges::all_of(version.substr(1), is_digit);
}

bool is_secret_type(std::string_view schema) {
  const Value* own = own_schemas().find(schema);
  const Value* type = own == nullptr ? nullptr : own->find("type");
  return type != nullptr && type->text() == "string";
}

void DataSchemas::add(std::string_view name, const Value& data) {
  if (!is_schema_name(name) || (data.is_mapping() && data.size() == 0)) return;
  given_.try_emplace(std::string(name), Held{.data = data, .schema = {}});
}

std::optional<Error> DataSchemas::problem_of_unused(std::string_view name) {
  const auto given = given_.find(name);
  if (given == given_.end() || given->second.schema) return std::nullopt;
  try {
    given->second.schema.emplace(given->second.data, schema_rules(), sources_, limits_);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return error;
  }
  return std::nullopt;
}

std::vector<DataFinding> DataSchemas::check(std::string_view schema, const Value& data, bool sensitive) {
  std::vector<DataFinding> findings;
  if (schema.starts_with("deckhand/")) {
    auto own = own_.find(schema);
    if (own == own_.end()) {
      if (const Value* found = own_schemas().find(schema))
        own = own_.try_emplace(std::string(schema), Held{.data = found->with_origin({}), .schema = {}}).first;
    }
    if (own != own_.end()) {
      check_against(own->second, true, data, sensitive, findings);
      return findings;
    }
  }
  if (const auto given = given_.find(schema); given != given_.end())
    check_against(given->second, false, data, sensitive, findings);
  return findings;
}

void DataSchemas::check_against(Held& held, bool is_own, const Value& data, bool sensitive,
                                std::vector<DataFinding>& findings) {
  if (!held.schema) held.schema.emplace(held.data, schema_rules(), sources_, limits_);
  for (json_schema::SchemaFailure& failure : held.schema->check(data)) {
    const bool hide = failure.shows_value && (sensitive || json_schema::holds_secret(failure.value));
    findings.push_back({.message = hide ? std::string(kSanitized) : std::move(failure.message),
                        .schema_path = std::move(failure.schema_path),
                        .path = std::move(failure.path),
                        .origin = failure.value.origin() ? failure.value.origin() : data.origin(),
                        .schema = is_own ? Origin() : held.data.origin()});
  }
}

}  // namespace strata::deckhand
