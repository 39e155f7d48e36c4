// SPDX-License-Identifier: Apache-2.0
// Checks a configuration against a JSON schema of cloud-init, as `cloud-init schema` does.
//
// The schema is a file: strata has none of its own. It is draft 4 with the additions of cloud-init: `deprecated` and
// `changed` with versions, bytes as strings, dates, keywords beside `$ref`, and violations of the branch that fits
// best. src/schema/ has these as rules. Messages are those of Python's jsonschema behind the dotted path of cloud-init.
// Each member that the schema does not allow is a problem of its own, at its key; cloud-init names them together.
// Tested by tests/cli/check_schema_test.py.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cloudinit/config_schema_table.hpp"
#include "schema/schema.hpp"
#include "strata/cloudinit.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {
namespace {

const json_schema::Rules& rules() {
  static const json_schema::Rules out{.invalid_code = "cloud-config.schema",
                                      .reference_code = "cloud-config.schema-reference",
                                      .reports_annotations = true,
                                      .picks_branch = true,
                                      .keeps_ref_siblings = true,
                                      .binary_is_string = true,
                                      .checks_dates = true,
                                      .splits_names = true};
  return out;
}

/// `users.0.name`
std::string dotted(const Path& path) {
  std::string out;
  for (const Path::Step& step : path.steps()) {
    if (!out.empty()) out += '.';
    const auto* index = std::get_if<std::size_t>(&step);
    if (index != nullptr) {
      out += std::to_string(*index);
    } else {
      const Value& key = std::get<Value>(step);
      out += key.is_secret() ? std::string("******") : key_text(key);
    }
  }
  return out;
}

/// The descriptions of schemas have line breaks, and some are long.
std::string one_line_of(std::string_view text) {
  constexpr std::size_t kMost = 600;
  std::string out;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  if (out.size() <= kMost) return out;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
  return out.substr(0, end) + "…";
}

/// The place of a value, or of the first thing in it that has one: results of merges are nowhere themselves.
Origin place_of(const Value& value) {
  const Value* at = &value;
  while (at != nullptr && !at->origin()) {
    if (at->is_mapping() && at->size() != 0) {
      const Entry& first = at->entries().front();
      if (first.key.origin()) return first.key.origin();
      at = &first.value;
    } else {
      at = at->is_sequence() && at->size() != 0 ? &at->items().front() : nullptr;
    }
  }
  return at == nullptr ? Origin() : at->origin();
}

std::string hint_of_type(const json_schema::SchemaFailure& failure) {
  const Value* type = failure.schema.is_mapping() ? failure.schema.find("type") : nullptr;
  if (failure.keyword != "type" || type == nullptr) return {};
  const auto takes = [type](std::string_view name) {
    const auto is_it = [name](const Value& one) { return one.is_text() && one.text() == name; };
    return type->is_sequence() ? std::ranges::any_of(type->items(), is_it) : is_it(*type);
  };
  const bool is_scalar = !failure.value.is_container() && !failure.value.is_null() && !failure.value.is_text();
  if (is_scalar && takes("string")) return "quote it";
  if (!failure.value.is_container() && takes("array")) return "write a list";
  return {};
}

SchemaProblem problem_of_name(const json_schema::SchemaFailure& failure) {
  const std::string name = key_text(failure.name);
  SchemaProblem out{.pointer = failure.path.pointer(),
                    .origin = failure.name.origin() ? failure.name.origin() : failure.value.origin(),
                    .is_name = true,
                    .message = {},
                    .hint = {}};
  append_token(out.pointer, name);
  const std::string path = failure.path.steps().empty() ? name : dotted(failure.path);
  out.message = fmt::format("{}: {}", path, failure.message);
  std::vector<std::string> known;
  if (const Value* properties = failure.schema.find("properties"); properties != nullptr && properties->is_mapping()) {
    for (const Entry& entry : properties->entries()) known.push_back(key_text(entry.key));
  }
  std::ranges::sort(known);
  const std::vector<std::string_view> names(known.begin(), known.end());
  out.hint = name_hint(names, name, "it has no effect");
  if (failure.path.steps().empty()) out.unknown_root = name;
  return out;
}

SchemaProblem problem_of(const json_schema::SchemaFailure& failure, const Value& config) {
  if (failure.name) return problem_of_name(failure);
  const bool is_violation = failure.kind == json_schema::SchemaFailure::Kind::violation;
  SchemaProblem out{.kind = is_violation ? SchemaProblem::Kind::violation : SchemaProblem::Kind::deprecation,
                    .pointer = failure.path.pointer(),
                    .origin = place_of(failure.value) ? place_of(failure.value) : place_of(config),
                    .message = one_line_of(failure.message),
                    .hint = hint_of_type(failure)};
  if (out.message.empty()) out.message = "deprecated";
  if (const std::string path = dotted(failure.path); !path.empty())
    out.message = fmt::format("{}: {}", path, out.message);
  return out;
}

}  // namespace

struct ConfigSchema::State {
  Sources sources;
  Limits limits;
  text::Document document;
  std::optional<json_schema::Schema> schema;
};

ConfigSchema::ConfigSchema(const std::string& name, std::string bytes, const Limits& limits)
    : state_(std::make_unique<State>()) {
  state_->limits = limits;
  const SourceId source = state_->sources.add(name, std::move(bytes));
  state_->document = text::read_json(state_->sources, source, state_->limits);
  state_->schema.emplace(state_->document.root, rules(), state_->sources, state_->limits);
  state_->limits.stop = nullptr;  // That of a request, which may end before the schema does.
}

ConfigSchema::ConfigSchema(ConfigSchema&&) noexcept = default;
ConfigSchema::~ConfigSchema() = default;

std::vector<SchemaProblem> ConfigSchema::check(const Value& config, const Stop* stop) const {
  state_->limits.stop = stop;
  std::vector<SchemaProblem> out;
  for (const json_schema::SchemaFailure& failure : state_->schema->check(config)) {
    SchemaProblem problem = problem_of(failure, config);
    if (problem.unknown_root.empty() || !is_read_outside_schema(problem.unknown_root))
      out.push_back(std::move(problem));
  }
  return out;
}

std::vector<std::string> installed_schemas(ConfigType type, const Value& config) {
  constexpr std::string_view kFolder = "/usr/lib/python3/dist-packages/cloudinit/config/";
  std::vector<std::string> out;
  if (type == ConfigType::cloud_config) {
    // Before 22.3 the file had another name.
    for (const std::string_view name : {"schemas/schema-cloud-config-v1.json", "cloud-init-schema.json"})
      out.push_back(fmt::format("{}{}", kFolder, name));
    return out;
  }
  const Value* inner = config.is_mapping() ? config.find("network") : nullptr;
  const Value* at = inner != nullptr ? inner : &config;
  const Value* version = at->is_mapping() ? at->find("version") : nullptr;
  const bool is_first = version != nullptr && version->kind() == Kind::integer && version->as_integer() == 1;
  out.push_back(fmt::format("{}schemas/schema-network-config-v{}.json", kFolder, is_first ? 1 : 2));
  return out;
}

}  // namespace strata::cloudinit
