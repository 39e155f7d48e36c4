// SPDX-License-Identifier: Apache-2.0
#include "heat/parameters.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "heat/constraints.hpp"
#include "heat/parameter_value.hpp"
#include "heat/traced_member.hpp"
#include "strata/builder.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "strata/strategy.hpp"
#include "strata/traced.hpp"
#include "value/problems.hpp"

namespace strata::heat {
namespace {

class EffectiveParameters {
 public:
  EffectiveParameters(const merge::Traced& parameters, const merge::Traced& parameter_defaults, Session& session)
      : parameters_(parameters),
        defaults_(parameter_defaults),
        arena_(session.arena()),
        sources_(session.sources()),
        limits_(session.limits()),
        recorder_(session.recorder()) {}

  [[nodiscard]] merge::Traced all(const Schemata& schemata) {
    Problems problems;
    check_names(schemata, problems);
    add_template_layer(schemata);
    merge::TracedMapping rows(merge::Builder(arena_, recorder_), KeyEquality::exact, schemata.all().size());
    for (const ParameterSchema& schema : schemata.all()) {
      check_stop(limits_.stop);
      try {
        rows.insert(arena_.key(schema.name).with_origin(schema.origin), one(schema));
      } catch (const Error& error) {
        if (error.gives_up()) throw;
        problems.add(error);
      }
    }
    if (problems.all().size() == 1) throw Error(problems.all().front());
    problems.raise();
    return rows.finish();
  }

 private:
  void check_names(const Schemata& schemata, Problems& problems) const {
    if (!parameters_.value.is_mapping()) return;
    for (const Entry& entry : parameters_.value.entries()) {
      if (problems.is_full()) return;
      const std::string name = key_text(entry.key);
      if (schemata.find(name) != nullptr) continue;
      std::vector<std::string_view> names;
      for (const ParameterSchema& schema : schemata.all()) names.push_back(schema.name);
      problems.add(Error("heat.parameter-unknown",
                         fmt::format("the parameter ({}) was not defined in template", in_message(name)))
                       .at(sources_, entry.key.origin() ? entry.key.origin() : entry.value.origin())
                       .hint(name_hint(names, name, "declare it in the template, or take it out")));
    }
  }

  /// The template's layer is added last, but what it gives meets the others first.
  void add_template_layer(const Schemata& schemata) {
    if (!recorder_.keeps()) return;
    std::string file = "template";
    for (const ParameterSchema& schema : schemata.all()) {
      if (schema.origin) file = sources_.place(schema.origin).file;
    }
    const merge::LayerId others = recorder_.layers();
    layer_ = recorder_.add_layer(file);
    recorder_.meet_now(0, others);
  }

  [[nodiscard]] merge::Traced one(const ParameterSchema& schema) {
    check_schema(schema);
    const merge::Traced given = chosen(schema);
    if (!given.value) {
      throw Error("heat.parameter-missing", fmt::format("the parameter ({}) was not provided", schema.name))
          .at(sources_, schema.origin)
          .hint(fmt::format("give it a default, or a value in an environment or by --parameter {}=…", schema.name));
    }
    // Messages must not show an encrypted value; the result does.
    const bool is_encrypted = given.value.is_secret() && !schema.hidden;
    const Parsed parsed = is_encrypted ? checked(hidden(schema), given.value) : checked(schema, given.value);
    const bool is_secret = schema.hidden || is_encrypted;
    const merge::Traced value = became(given, is_secret ? parsed.value.with_secret() : parsed.value);
    const Value text =
        arena_.text(shown(schema, parsed.value)).with_origin(given.value.origin()).with_secret(is_encrypted);
    return row(schema, value, recorder_.derive(text, std::array{value}));
  }

  static ParameterSchema hidden(ParameterSchema schema) {
    schema.hidden = true;
    return schema;
  }

  /// The strongest value that was given; absent where there is none.
  [[nodiscard]] merge::Traced chosen(const ParameterSchema& schema) const {
    merge::Traced result{schema.default_value, layer_};
    for (const merge::Traced* section : {&defaults_, &parameters_}) {
      merge::Traced given = member(*section, schema.name);
      if (!given.value || given.value.is_null()) continue;
      if (schema.hidden) given.value = given.value.with_secret();
      result = result.value ? merge::merge(result, given, merge::replace_all(), arena_, limits_, recorder_) : given;
    }
    return result;
  }

  /// `value` was made of `given`, or is the same.
  [[nodiscard]] merge::Traced became(const merge::Traced& given, const Value& value) const {
    if (!recorder_.keeps() || identical(given.value, value)) return {value, given.slot};
    return recorder_.derive(value, std::array{given});
  }

  [[nodiscard]] merge::Traced row(const ParameterSchema& schema, const merge::Traced& value,
                                  const merge::Traced& text) const {
    merge::TracedMapping mapping(merge::Builder(arena_, recorder_));
    mapping.insert("value", value);
    mapping.insert("text", text);
    mapping.insert("hidden", {Value::boolean(schema.hidden).with_origin(schema.origin), layer_});
    return mapping.finish();
  }

  void check_schema(const ParameterSchema& schema) const {
    for (const Constraint& constraint : schema.constraints) {
      if (fits(constraint.kind, schema.type)) continue;
      fail("heat.parameter-schema", schema, schema.origin,
           fmt::format("{} constraint invalid for {}", to_string(constraint.kind), schema.type_name));
    }
    if (!schema.default_value) return;
    Value value = schema.default_value;
    if (schema.type == ParameterType::comma_delimited_list) {
      const Parsed list = parse_list(value, arena_);
      if (!list.problem.empty())
        fail("heat.parameter-schema", schema, value.origin(), "default must be a comma-delimited list string");
      value = list.value;
      // Split without a look: an empty default counts as one empty item here.
      if (schema.default_value.is_text() && schema.default_value.text().empty())
        value = arena_.sequence(std::array{schema.default_value});
    }
    if (const auto why = broken(schema, value)) {
      const std::string shown =
          schema.hidden ? std::string(report::kMask) : in_message(shown_plain(schema.default_value));
      fail("heat.parameter-schema", schema, schema.default_value.origin(),
           fmt::format("invalid default {} ({})", shown, *why));
    }
  }

  [[nodiscard]] Parsed checked(const ParameterSchema& schema, const Value& given) const {
    Parsed parsed = parse(schema, given, arena_, sources_, limits_);
    if (!parsed.problem.empty()) fail("heat.parameter-value", schema, given.origin(), parsed.problem);
    const bool is_compared_parsed =
        schema.type == ParameterType::comma_delimited_list || schema.type == ParameterType::json;
    if (const auto why = broken(schema, is_compared_parsed ? parsed.value : given))
      fail("heat.parameter-value", schema, given.origin(), *why);
    return parsed;
  }

  [[nodiscard]] std::optional<std::string> broken(const ParameterSchema& schema, const Value& value) const {
    for (const Constraint& constraint : schema.constraints) {
      if (auto why = why_broken(constraint, schema, value, arena_)) return why;
    }
    return std::nullopt;
  }

  [[noreturn]] void fail(const char* code, const ParameterSchema& schema, Origin origin,
                         std::string_view problem) const {
    const std::string message = fmt::format("parameter '{}' is invalid: {}", schema.name, problem);
    const bool is_elsewhere = schema.origin && schema.origin != origin;
    const Error error =
        is_elsewhere
            ? Error(code, message).at(sources_, origin).note(sources_, schema.origin, "the parameter is declared here")
            : Error(code, message).at(sources_, origin);
    if (!schema.hidden) throw Error(error);
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.where.line.clear();  // It holds the value, or its default.
    for (Excerpt& note : diagnostic.notes) note.line.clear();
    throw Error(std::move(diagnostic));
  }

  const merge::Traced& parameters_;
  const merge::Traced& defaults_;
  Arena& arena_;
  Sources& sources_;
  const Limits& limits_;
  merge::Recorder& recorder_;
  merge::Slot layer_{merge::kNoLayer};
};

}  // namespace

merge::Traced effective_parameters(const Schemata& schemata, const merge::Traced& parameters,
                                   const merge::Traced& parameter_defaults, Session& session) {
  return EffectiveParameters(parameters, parameter_defaults, session).all(schemata);
}

Schemata schemata_of_values(const Value& parameters, const Value& parameter_defaults) {
  Schemata schemata;
  for (const Value* section : {&parameters, &parameter_defaults}) {
    if (!section->is_mapping()) continue;
    for (const Entry& entry : section->entries()) {
      const std::string name = key_text(entry.key);
      if (entry.value.is_null() || schemata.find(name) != nullptr) continue;
      ParameterSchema schema;
      schema.name = name;
      schema.type = implied_type(entry.value);
      schema.type_name = to_string(schema.type);
      schema.hidden = entry.value.is_secret();
      schemata.add(std::move(schema));
    }
  }
  return schemata;
}

}  // namespace strata::heat
