// SPDX-License-Identifier: Apache-2.0
#include "deckhand/schema/validation.hpp"
#include "strata/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "value/seeded_hash.hpp"

namespace strata::deckhand::detail {

std::vector<SchemaFailure> Validation::run(const Value& data) {
  check(schema_.root, data, false);
  return std::move(failures_);
}

const TextViewMap<Validation::Keyword>& Validation::keywords() {
  static const TextViewMap<Keyword> table{
      {"additionalItems", &Validation::additional_items},
      {"additionalProperties", &Validation::additional_properties},
      {"allOf", &Validation::all_of},
      {"anyOf", &Validation::any_of},
      {"dependencies", &Validation::dependencies},
      {"enum", &Validation::enumeration},
      {"format", &Validation::format},
      {"items", &Validation::items},
      {"maxItems", &Validation::max_items},
      {"maxLength", &Validation::max_length},
      {"maxProperties", &Validation::max_properties},
      {"maximum", &Validation::maximum},
      {"minItems", &Validation::min_items},
      {"minLength", &Validation::min_length},
      {"minProperties", &Validation::min_properties},
      {"minimum", &Validation::minimum},
      {"multipleOf", &Validation::multiple_of},
      {"not", &Validation::negation},
      {"oneOf", &Validation::one_of},
      {"pattern", &Validation::pattern},
      {"patternProperties", &Validation::pattern_properties},
      {"properties", &Validation::properties},
      {"required", &Validation::required},
      {"type", &Validation::type},
      {"uniqueItems", &Validation::unique_items},
  };
  return table;
}

// Recursion: bounded here; only references can lead deeper than data or schema are.
void Validation::check(const Value& schema, const Value& data, bool enters) {
  constexpr std::size_t kReferences = 500;
  const Limits& limits = schema_.limits;
  stop_.tick();
  if (++steps_ > limits.steps)
    throw Error("limit.steps", fmt::format("checking data against a schema takes more than {} steps", limits.steps))
        .hint("raise --limit steps=NUMBER");
  if (depth_ >= limits.depth + kReferences)
    throw Error("limit.depth", "the references of a schema form a cycle")
        .hint("a schema may refer to itself only below a key or an index");
  if (!schema.is_mapping()) return;
  check_stack(limits);
  ++depth_;
  const References::Base outer = base_;
  if (enters) base_ = schema_.references.enter(base_, schema);
  if (const Value* to = schema.find("$ref")) {
    // Nothing else counts beside a reference, which is no part of the path in the reference's words.
    reference(*to, data, schema);
  } else {
    for (const Entry& entry : schema.entries()) {
      const auto known = entry.key.is_text() ? keywords().find(entry.key.text()) : keywords().end();
      if (known == keywords().end()) continue;
      schema_path_.emplace_back(known->first);
      (this->*known->second)(entry.value, data, schema);
      schema_path_.pop_back();
      if (is_decided()) break;
    }
  }
  base_ = outer;
  --depth_;
}

void Validation::descend(const Value& schema, const Value& data, const Path::Step* into, std::string_view by) {
  if (is_decided()) return;
  if (into != nullptr) path_.push_back(*into);
  if (!by.empty()) schema_path_.emplace_back(by);
  check(schema, data);
  if (!by.empty()) schema_path_.pop_back();
  if (into != nullptr) path_.pop_back();
}

bool Validation::fits(const Value& schema, const Value& data, bool enters) {
  const bool was_probing = std::exchange(probing_, true);
  const bool had_failed = std::exchange(failed_, false);
  check(schema, data, enters);
  probing_ = was_probing;
  return !std::exchange(failed_, had_failed);
}

void Validation::fail(const Value& data, bool shows_value, const std::function<std::string()>& message,
                      const Error* cause) {
  failed_ = true;
  if (probing_) return;
  SchemaFailure failure{.message = message(), .schema_path = {}, .path = {}, .value = data, .shows_value = shows_value};
  if (cause != nullptr) failure.cause = *cause;
  for (const std::string& step : schema_path_) failure.schema_path += "." + step;
  for (const Path::Step& step : path_) std::visit([&failure](const auto& one) { failure.path.push(one); }, step);
  failures_.push_back(std::move(failure));
}

const text::Regex& Compiled::pattern(const Value& text) {
  const std::string pattern(text.text());
  const auto known = patterns.find(pattern);
  if (known != patterns.end()) return known->second;
  try {
    return patterns.try_emplace(pattern, pattern, text::Regex::Syntax::python).first->second;
  } catch (const Error& error) {
    if (sources == nullptr || error.ends_request()) throw;
    throw Error(error.code(), error.what()).at(*sources, text.origin());
  }
}

References::Target Compiled::reference(const Value& text, References::Base base) {
  const auto fail = [&](const std::string& message) {
    Error error("deckhand.schema-reference", message);
    if (sources == nullptr) return error;
    return std::move(error)
        .at(*sources, text.origin())
        .hint("references lead into the same schema: '#/definitions/NAME'");
  };
  if (!text.is_text()) throw fail(fmt::format("a '$ref' of a schema must be a text, not {}", describe(text.kind())));
  References::Target target = references.lookup(base, text.text());
  if (!target.problem.empty())
    throw fail(fmt::format("the reference '{}' of a schema {}", text.text(), target.problem));
  return target;
}

}  // namespace strata::deckhand::detail
