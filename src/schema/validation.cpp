// SPDX-License-Identifier: Apache-2.0
// Walks data and schema side by side: each keyword of a schema is a member function, found by its name in a table.
//
// Work and depth are counted, because references may form cycles and a small schema can cause much work. Violations
// are collected as they are found; branches.cpp decides which violations of `anyOf` and `oneOf` are reported. Tested by
// tests/schema/schema_test.cpp and tests/deckhand/schemas_test.cpp.
#include "schema/validation.hpp"
#include "strata/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "value/seeded_hash.hpp"

namespace strata::json_schema::detail {

std::vector<SchemaFailure> Validation::run(const Value& data) {
  check(schema_.root, data, false);
  return reported();
}

const TextViewMap<Validation::Keyword>& Validation::keywords() {
  static const TextViewMap<Keyword> table{
      {"additionalItems", &Validation::additional_items},
      {"additionalProperties", &Validation::additional_properties},
      {"allOf", &Validation::all_of},
      {"anyOf", &Validation::any_of},
      {"changed", &Validation::changed},
      {"dependencies", &Validation::dependencies},
      {"deprecated", &Validation::deprecated},
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
  const std::string_view outer_keyword = keyword_;
  const Value outer_schema = at_;
  const auto apply = [&](const Entry& entry, std::string_view name, Keyword keyword) {
    keyword_ = name;
    at_ = schema;
    (this->*keyword)(entry.value, data, schema);
  };
  const Value* to = schema.find("$ref");
  for (const Entry& entry : schema.entries()) {
    if (is_decided()) break;
    if (!entry.key.is_text()) continue;
    // The path of the schema does not name references, as in jsonschema; by draft 4, nothing else counts beside one.
    if (to != nullptr && entry.key.text() == "$ref") {
      apply(entry, "$ref", &Validation::reference);
      continue;
    }
    if (to != nullptr && !schema_.rules.keeps_ref_siblings) continue;
    const auto known = keywords().find(entry.key.text());
    if (known == keywords().end()) continue;
    schema_path_.emplace_back(known->first);
    apply(entry, known->first, known->second);
    schema_path_.pop_back();
  }
  keyword_ = outer_keyword;
  at_ = outer_schema;
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

std::shared_ptr<Found> Validation::add(const Value& data, bool shows_value) {
  if (probing_) return nullptr;
  // Branches keep what they find until one of them is chosen.
  constexpr std::size_t kMost = 100'000;
  if (schema_.rules.picks_branch && ++found_count_ > kMost)
    throw Error("limit.steps", fmt::format("data violate a schema in more than {} places", kMost))
        .hint("check fewer data at once");
  auto found = std::make_shared<Found>();
  found->failure.value = data;
  found->failure.shows_value = shows_value;
  found->failure.keyword = keyword_;
  found->failure.schema = at_;
  found->path = path_;
  for (const std::string& step : schema_path_) found->failure.schema_path += "." + step;
  report(found);
  return found;
}

void Validation::report(const std::shared_ptr<Found>& found) {
  found->from = from_;
  found_.push_back(found);
}

void Validation::fail(const Value& data, bool shows_value, std::function<std::string()> message, const Error* cause) {
  failed_ = true;
  const std::shared_ptr<Found> found = add(data, shows_value);
  if (found == nullptr) return;
  found->message = std::move(message);
  if (cause != nullptr) found->failure.cause = *cause;
}

void Validation::fail_for_names(const Value& data, Names names, std::function<std::string(const Names&)> message) {
  failed_ = true;
  const std::shared_ptr<Found> found = add(data, false);
  if (found == nullptr) return;
  found->names = std::move(names);
  found->message_for = std::move(message);
}

void Validation::annotate(SchemaFailure::Kind kind, std::string_view keyword, const Value& data, const Value& schema) {
  if (!schema_.rules.reports_annotations) return;
  const std::shared_ptr<Found> found = add(data, false);
  if (found == nullptr) return;
  const auto text = [&schema](const std::string& name) {
    const Value* value = schema.find(name);
    return value != nullptr && value->is_text() ? std::string(value->text()) : std::string();
  };
  const std::string word(keyword);
  found->failure.kind = kind;
  found->failure.version = text(word + "_version");
  std::string about = text("description");
  // Older schemas have a description alone.
  const auto add_sentence = [&about](const std::string& sentence) {
    if (!about.empty() && !sentence.empty()) about += ' ';
    about += sentence;
  };
  if (!found->failure.version.empty())
    add_sentence(fmt::format("{} in version {}.", kind == SchemaFailure::Kind::deprecation ? "Deprecated" : "Changed",
                             found->failure.version));
  add_sentence(text(word + "_description"));
  found->message = [about] { return about; };
}

std::vector<SchemaFailure> Validation::reported() const {
  std::vector<SchemaFailure> out;
  for (const std::shared_ptr<Found>& one : found_) {
    SchemaFailure failure = one->failure;
    for (const Path::Step& step : one->path)
      std::visit([&failure](const auto& into) { failure.path.push(into); }, step);
    if (!one->message_for) {
      failure.message = one->message();
      out.push_back(std::move(failure));
    } else if (!schema_.rules.splits_names) {
      failure.message = one->message_for(one->names);
      out.push_back(std::move(failure));
    } else {
      for (const Value& name : one->names) {
        failure.message = one->message_for({name});
        failure.name = name;
        out.push_back(failure);
      }
    }
  }
  return out;
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
    Error error(rules.reference_code, message);
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

}  // namespace strata::json_schema::detail
