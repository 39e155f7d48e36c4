// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/evaluation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "heat/declarations.hpp"
#include "heat/parameters.hpp"
#include "heat/state.hpp"
#include "heat/values.hpp"
#include "python/data.hpp"
#include "service/json.hpp"
#include "service/stacks/accepted.hpp"
#include "service/stacks/hidden.hpp"
#include "service/stacks/refusals.hpp"
#include "service/stacks/stored_values.hpp"
#include "service/stacks/template_structure.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "tree/sha256.hpp"

namespace strata::service::stacks {
namespace {

constexpr text::JsonStyle kOneLine{.sort_keys = false, .indent = -1};

/// A text of its own for a value of a body: the reference, too, reads it again.
SourceId value_source(Session& session, std::string_view name, const Value& value) {
  const SourceId source =
      session.sources().add(name, value.is_text() ? std::string(value.text()) : text::write_json(value, kOneLine));
  session.sources().mark_secret(source);
  return source;
}

/// What an update goes on from: the combined environment is not part of it, because it is always rebuilt.
SourceId existing_of(Session& session, const Value& state) {
  MappingBuilder out = MappingBuilder::copy_of(session.arena(), state);
  out.erase("environment");
  out.erase("shown");
  return value_source(session, kStateText, out.finish());
}

Value names(Arena& arena, const auto& all) {
  SequenceBuilder out(arena);
  for (const std::string& name : all) out.append(arena.text(name));
  return out.finish();
}

class StackEvaluation {
 public:
  using Names = std::set<std::string, std::less<>>;

  /// `earlier`: the stack before, or null. `goes_on`: its values are used.
  StackEvaluation(Session& session, const heat::Composition& composition, const Sent& sent, const Subject& subject,
                  const Kept* earlier, bool goes_on)
      : session_(session),
        arena_(session.arena()),
        composition_(composition),
        declarations_(*composition.declarations),
        root_(*declarations_.root),
        template_(json_form(root_.root)),
        values_(session, composition, sent.as_sent),
        subject_(subject),
        earlier_(earlier),
        masker_(declarations_, goes_on ? hidden_before() : Names(), session) {
    session.keep(root_.arena);
    for (const std::shared_ptr<Arena>& arena : declarations_.arenas) session.keep(arena);
    if (goes_on) read_accepted();
  }

  /// Error (Refused, 400) where a request redeclares a hidden parameter that keeps its stored value: whether the
  /// value fits would reveal it.
  void refuse_questions() const {
    for (const std::string& name : hidden_before()) {
      const std::optional<StoredValue> stored = stored_value(name);
      if (!stored || accepted_.has(name, stored->place, rules_now(name)) || values_.is_sent(name, *stored)) continue;
      refuse(400, "StackValidationFailed",
             fmt::format("Parameter '{}' is invalid: it is hidden, and the template has another type or other "
                         "constraints than its stored value was "
                         "checked against: send the value with the request",
                         name));
    }
  }

  Evaluated run() {
    if (earlier_ != nullptr && is_masked_alike(*earlier_))
      masker_.know(*earlier_->clear.find("files"), *earlier_->masked.find("files"), hidden_before());
    const heat::Environment& environment = composition_.environment;
    const Value rows =
        heat::effective_parameters(schemata(), environment.parameters, environment.parameter_defaults, session_).value;
    accept_values();
    const Value clear = state(shown(clear_texts(rows), outputs_of(arena_, root_.root, rows, subject_, true)));
    const Value parameters = *clear.find("parameters");
    const Value base = *clear.find("base_environment");
    const Value files = *clear.find("files");
    masker_.check(parameters, base, files);
    MappingBuilder masked = MappingBuilder::copy_of(arena_, clear);
    masked.insert("parameters", masker_.parameters(parameters));
    masked.insert("base_environment", masker_.environment(base));
    masked.insert("environment", masker_.environment(*clear.find("environment")));
    masked.insert("files", masker_.files(files));
    masked.insert("shown", shown(texts(rows), outputs_of(arena_, root_.root, rows, subject_, false)));
    return {.clear = clear, .masked = masked.finish()};
  }

  /// Names of parameters that must not change, and did.
  [[nodiscard]] std::vector<std::string> changed_immutable(const Value& before, const Value& after) const {
    std::vector<std::string> out;
    for (const heat::ParameterSchema& schema : root_.parameters.all()) {
      const Value* section = root_.root.find("parameters");
      const Value* declaration = section == nullptr || !section->is_mapping() ? nullptr : section->find(schema.name);
      const Value* immutable =
          declaration == nullptr || !declaration->is_mapping() ? nullptr : declaration->find("immutable");
      if (immutable == nullptr || !python::truth(*immutable)) continue;
      const Value* old_text = before.find(schema.name);
      const Value* new_text = after.find(schema.name);
      if (old_text != nullptr && new_text != nullptr && !equal(*old_text, *new_text)) out.push_back(schema.name);
    }
    return out;
  }

 private:
  /// What a template demands of the values of a parameter. Null: it does not declare it.
  [[nodiscard]] Value rules_of(const Value& of, std::string_view name) const {
    constexpr std::array<std::string_view, 11> kNeutral{
        "ConstraintDescription", "Default", "Description", "Label", "NoEcho", "default",
        "description",           "hidden",  "immutable",   "label", "tags"};
    for (const std::string_view section : {"parameters", "Parameters"}) {
      const Value* all = of && of.is_mapping() ? of.find(section) : nullptr;
      const Value* declaration = all == nullptr || !all->is_mapping() ? nullptr : all->find(name);
      if (declaration == nullptr) continue;
      if (!declaration->is_mapping()) return *declaration;
      MappingBuilder out = MappingBuilder::copy_of(arena_, *declaration);
      for (const std::string_view neutral : kNeutral) out.erase(neutral);
      return out.finish();
    }
    return Value::null();
  }

  [[nodiscard]] Value any_text() const { return json_object(arena_, {{"type", arena_.text("string")}}); }

  static std::string digest_of(const Value& rules) {
    return sha256_text(text::write_json(rules, {.sort_keys = true, .indent = -1}));
  }

  [[nodiscard]] std::string rules_now(std::string_view name) const { return digest_of(rules_of(template_, name)); }

  /// The value of a parameter that the template declares. No value: its default counts.
  [[nodiscard]] std::optional<StoredValue> stored_value(std::string_view name) const {
    return root_.parameters.find(name) == nullptr ? std::nullopt : values_.find(name);
  }

  /// What stored values have met so far. A value that no template declared fits each text: nothing is asked of it then.
  void read_accepted() {
    const Value* written = earlier_->masked.find("shown")->find("accepted");
    if (written != nullptr) accepted_ = AcceptedRules(*written);
    const Value* before = earlier_->clear.find("template");
    for (const std::string& name : hidden_before()) {
      const Value rules = before == nullptr ? Value::null() : rules_of(*before, name);
      accepted_.begin(name, digest_of(rules.is_null() ? any_text() : rules));
    }
    accepted_.forget([this](std::string_view name, const ValuePlace& place) { return values_.is_other(name, place); });
  }

  /// Notes the rules that the values have met.
  void accept_values() {
    for (const std::string& name : masker_.hidden()) {
      if (const std::optional<StoredValue> stored = stored_value(name))
        accepted_.add(name, stored->place, rules_now(name));
    }
  }

  [[nodiscard]] Value json_form(const Value& value) const {
    return value ? heat::json_form(arena_, value).value : arena_.mapping();
  }

  /// A value that was hidden when it was stored stays so, whatever a new template says: the right to update a stack
  /// does not include the right to read its secrets.
  [[nodiscard]] Names hidden_before() const {
    Names out;
    const Value* shown = earlier_ == nullptr ? nullptr : earlier_->masked.find("shown");
    const Value* hidden = shown == nullptr ? nullptr : shown->find("hidden");
    if (hidden == nullptr) return out;
    for (const Value& name : hidden->items()) out.emplace(name.text());
    return out;
  }

  /// The parameters of the template, with those hidden that the masker hides.
  [[nodiscard]] heat::Schemata schemata() const {
    const Names hidden = masker_.hidden();
    heat::Schemata out;
    for (heat::ParameterSchema schema : root_.parameters.all()) {
      schema.hidden = schema.hidden || hidden.contains(schema.name);
      out.add(std::move(schema));
    }
    return out;
  }

  /// Whether the same names were hidden before.
  [[nodiscard]] bool is_masked_alike(const Kept& earlier) const {
    const Value* rules = earlier.masked.find("shown")->find("rules");
    return rules != nullptr && rules->is_text() && rules->text() == masker_.rules();
  }

  /// The members of a state file, and `shown`.
  [[nodiscard]] Value state(const Value& shown) const {
    const heat::State& state = *composition_.state;
    MappingBuilder files(arena_, KeyEquality::exact, state.files.size());
    for (const heat::StoredText& file : state.files)
      files.insert(file.name, arena_.text(heat::characters(session_.sources(), file)));
    MappingBuilder cleared(arena_);
    for (const auto& [name, noted] : state.cleared) cleared.insert(name, names(arena_, noted));
    return json_object(arena_, {{"template", template_},
                                {"environment", json_form(state.environment)},
                                {"environment_files", names(arena_, state.environment_files)},
                                {"files", files.finish()},
                                {"parameters", json_form(state.parameters)},
                                {"base_environment", json_form(state.base_environment)},
                                {"cleared_parameters", cleared.finish()},
                                {"shown", shown}});
  }

  [[nodiscard]] Value shown(const Value& parameters, const Value& outputs) const {
    return json_object(arena_, {{"parameters", parameters},
                                {"outputs", json_form(outputs)},
                                {"rules", arena_.text(masker_.rules())},
                                {"accepted", accepted_.value(arena_)},
                                {"hidden", names(arena_, masker_.masked_names())}});
  }

  [[nodiscard]] Value texts(const Value& rows) const {
    MappingBuilder out = MappingBuilder::copy_of(
        arena_, pseudo_parameters(arena_, subject_, root_.root.find("heat_template_version") == nullptr));
    for (const Entry& row : rows.entries()) out.insert(row.key, *row.value.find("text"));
    return out.finish();
  }

  /// The texts of all parameters, of hidden ones too: they were checked already.
  [[nodiscard]] Value clear_texts(const Value& rows) const {
    if (masker_.hidden().empty()) return texts(rows);
    heat::Schemata open;
    for (heat::ParameterSchema schema : root_.parameters.all()) {
      schema.hidden = false;
      open.add(std::move(schema));
    }
    const heat::Environment& environment = composition_.environment;
    return texts(
        heat::effective_parameters(open, environment.parameters, environment.parameter_defaults, session_).value);
  }

  Session& session_;
  Arena& arena_;
  const heat::Composition& composition_;
  const heat::Declarations& declarations_;
  const heat::Template& root_;
  const Value template_;  ///< `root_` in the form of JSON.
  const StoredValues values_;
  const Subject& subject_;
  const Kept* earlier_;
  Masker masker_;
  AcceptedRules accepted_;
};

}  // namespace

heat::Composition compose(Session& session, const Sent& sent, const Kept* kept) {
  return in_heat([&] {
    heat::Request request;
    request.compat = sent.is_shipped ? heat::Compat::shipped : heat::Compat::promised;
    request.environment_files = sent.environment_files;
    if (sent.files) {
      for (const Entry& file : sent.files.entries()) {
        const std::string name(file.key.text());
        request.files.push_back({.name = name, .source = session.sources().add(name, std::string(file.value.text()))});
      }
    }
    const bool has_body = sent.environment && !(sent.environment.is_mapping() && sent.environment.size() == 0);
    if (has_body && sent.environment_files.empty()) {
      request.environment_body = value_source(session, kEnvironmentText, sent.environment);
      if (sent.environment.is_mapping()) request.environment_value = sent.environment;
    }
    if (sent.template_value) request.template_text = value_source(session, kTemplateText, sent.template_value);
    if (kept != nullptr) request.existing = existing_of(session, kept->clear);
    request.parameters = sent.parameters;
    request.cleared_parameters = sent.cleared_parameters;
    try {
      return heat::compose(request, session);
    } catch (const Error& error) {
      // The reference parses a text before it looks for a version.
      if (error.code() != "heat.template" || !sent.template_value || !sent.template_value.is_text()) throw;
      refuse_request("Template not in valid format: " + template_fault(error));
    }
  });
}

Evaluated evaluate(Session& session, const Sent& sent, Purpose purpose, const Kept* earlier, const Subject& subject) {
  const heat::Composition composition = compose(session, sent, purpose == Purpose::patch ? earlier : nullptr);
  return in_heat([&] {
    const bool goes_on = earlier != nullptr && (purpose == Purpose::patch || sent.has_kept_values);
    StackEvaluation evaluation(session, composition, sent, subject, earlier, goes_on);
    if (goes_on && !sent.sees_secrets) evaluation.refuse_questions();
    Evaluated out = evaluation.run();
    constexpr std::string_view kFailed = "StackValidationFailed";
    if (sent.template_value) check_structure(*composition.declarations->root, session.sources(), kFailed);
    if (sent.template_value) check_nested(composition, session, kFailed, true);
    if (earlier != nullptr) {
      const auto texts = [](const Value& state) { return *state.find("shown")->find("parameters"); };
      const std::vector<std::string> changed = evaluation.changed_immutable(texts(earlier->clear), texts(out.clear));
      if (!changed.empty())
        refuse(
            400, "ImmutableParameterModified",
            fmt::format("The following parameters are immutable and may not be updated: {}", fmt::join(changed, ", ")));
    }
    return out;
  });
}

}  // namespace strata::service::stacks
