// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "code.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "strata/builder.hpp"

namespace strata::bindings::extensions {
namespace {

std::string_view in_words(std::string_view kind) { return kind == "query_service" ? "query service" : kind; }

/// Failures of the code itself; everything else is what it asked for and did not get.
bool is_own(const Error& error) {
  if (error.ends_request()) return false;
  return error.category() == strata::Category::limit || error.category() == strata::Category::script;
}

Value text_list(Arena& arena, std::string_view first, std::span<const Value> rest) {
  SequenceBuilder out(arena, rest.size() + 1);
  out.append(arena.text(first));
  out.append(rest);
  return out.finish();
}

std::string_view sign(queries::Condition::Comparison comparison) {
  static constexpr std::array<std::string_view, 8> kSigns{"==", "!=", "<", ">", "<=", ">=", "=~", "!~"};
  return kSigns.at(static_cast<std::size_t>(comparison));
}

// Recursion: as deep as the condition, which its parser bounds.
Value describe_condition(Arena& arena, const queries::Condition& condition) {
  using Kind = queries::Condition::Kind;
  if (condition.kind == Kind::compare) {
    const Value name = arena.text(condition.field.name);
    const bool is_parameter = condition.field.kind == queries::Field::Kind::parameter;
    const bool is_title = condition.field.kind == queries::Field::Kind::title;
    const Value field = is_parameter ? text_list(arena, "parameter", std::span(&name, 1))
                        : is_title   ? arena.text("title")
                                     : name;
    const puppet::PatternObject* pattern = puppet::as_pattern(condition.operand);
    const std::array<Value, 2> sides{field, pattern == nullptr ? condition.operand : arena.text(pattern->pattern())};
    return text_list(arena, sign(condition.comparison), sides);
  }
  std::vector<Value> parts;
  for (const queries::Condition& part : condition.parts) parts.push_back(describe_condition(arena, part));
  return text_list(arena, condition.kind == Kind::and_ ? "and" : condition.kind == Kind::or_ ? "or" : "not", parts);
}

}  // namespace

Error failure(const Error& error, const Registration& what, const std::string& file, const Sources& sources,
              Origin at) {
  if (!is_own(error)) return error;
  const Diagnostic& told = error.diagnostic();
  const bool is_limit = error.category() == strata::Category::limit || error.code() == "extension.process" ||
                        error.code() == "extension.result";
  Diagnostic out = Error(is_limit ? error.code() : "extension.failed",
                         fmt::format("{} '{}' of {}: {}", in_words(what.kind), what.name, file, told.message))
                       .at(sources, at)
                       .diagnostic();
  const bool has_place = !told.where.place.file.empty();
  if (out.where.place.file.empty()) {
    out.where = told.where;
  } else if (has_place) {
    out.notes.push_back(told.where);
    out.notes.back().message = "it failed here";
  }
  out.notes.insert(out.notes.end(), told.notes.begin(), told.notes.end());
  out.hint = told.hint;
  return Error(std::move(out));
}

Value unwrapped(const Value& value) {
  const Instance* instance = as_instance(value);
  return instance == nullptr ? value : instance->value().with_origin(value.origin());
}

Value describe_query(Arena& arena, const queries::Query& query) {
  MappingBuilder out(arena);
  if (!query.type.empty()) out.insert("type", arena.text(query.type));
  if (query.condition) out.insert("where", describe_condition(arena, *query.condition));
  return out.finish();
}

}  // namespace strata::bindings::extensions
