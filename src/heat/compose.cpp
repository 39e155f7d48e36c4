// SPDX-License-Identifier: Apache-2.0
// One create or update: templates, the list of files, the combination, and the state that comes of it.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "heat/checkpoint.hpp"
#include "heat/combination.hpp"
#include "heat/declarations.hpp"
#include "heat/documents.hpp"
#include "heat/environment.hpp"
#include "heat/environment_file.hpp"
#include "heat/hook_options.hpp"
#include "heat/merge_strategies.hpp"
#include "heat/registry.hpp"
#include "heat/state.hpp"
#include "heat/values.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/heat.hpp"
#include "strata/near_names.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata::heat {
namespace {

using merge::Slot;
using merge::Traced;

class Composer {
 public:
  Composer(const Request& request, Session& session)
      : request_(request), session_(session), documents_(session), arena_(documents_.arena()) {}

  Composition run() {
    if (request_.existing) state_ = read_state(documents_, *request_.existing);
    state_.compat = request_.compat;
    if (is_shipped()) {
      state_.environment_files = request_.environment_files;
    } else {
      import_environment();
      append_list();
    }
    for (const NamedText& file : request_.files)
      add_text(state_, {.name = file.name, .source = file.source, .text = {}, .read = file.read});
    warn_of_names();
    clear_parameters();
    if (!documents_.collect([this] { declare(); })) {
      for (const std::string& name : state_.environment_files) check_alone(name);
    }
    documents_.raise();
    warn_of_undeclared();
    hide_lines();
    Environment environment = is_shipped() ? compose_shipped() : compose_promised();
    if (request_.existing) environment.parameters = without_undeclared(environment.parameters);
    return finish(with_hooks(in_json_form(documents_, environment)));
  }

 private:
  [[nodiscard]] bool is_shipped() const { return request_.compat == Compat::shipped; }

  /// Names that are stored keep their places.
  void append_list() {
    stored_names_ = state_.environment_files.size();
    const TextSet stored(state_.environment_files.begin(), state_.environment_files.end());
    for (const std::string& name : request_.environment_files) {
      if (!stored.contains(name)) state_.environment_files.push_back(name);
    }
  }

  /// A state as a service shows it has only the result, which then becomes the base. Its empty sections count: the
  /// stack's own `encrypted_param_names` stay, even an empty list. Where strata wrote the state, empty sections are the
  /// result of no files.
  void import_environment() {
    const bool has_base = state_.base_environment && state_.base_environment.size() != 0;
    if (has_base || !state_.environment_files.empty() || !state_.environment || state_.environment.size() == 0) return;
    if (state_.has_list && is_empty(state_.environment)) return;
    state_.base_environment = state_.environment;
  }

  /// Whether all sections of an environment are empty.
  static bool is_empty(const Value& environment) {
    return std::ranges::all_of(environment.entries(), [](const Entry& section) {
      return !python::truth(section.value) || (section.key.text() == kResourceRegistry && section.value.is_mapping() &&
                                               std::ranges::all_of(section.value.entries(), [](const Entry& entry) {
                                                 return !python::truth(entry.value);
                                               }));
    });
  }

  void clear_parameters() {
    if (!request_.existing) return;
    Value& stored = is_shipped() ? state_.environment : state_.base_environment;
    for (const std::string& name : request_.cleared_parameters) {
      if (!is_shipped()) {
        for (const std::string& file : stored_list()) state_.cleared[name].insert(file);
        state_.parameters = without(state_.parameters, name);
      }
      const Value* parameters = stored ? stored.find(kParameters) : nullptr;
      if (parameters == nullptr || !parameters->is_mapping() || parameters->find(name) == nullptr) continue;
      MappingBuilder copy = MappingBuilder::copy_of(arena_, stored);
      copy.insert(kParameters, without(*parameters, name));
      stored = copy.finish();
    }
    TextViewSet sent;
    for (const NamedText& file : request_.files) sent.insert(file.name);
    for (auto& [name, files] : state_.cleared)
      std::erase_if(files, [&sent](const std::string& file) { return sent.contains(file); });
    std::erase_if(state_.cleared, [](const auto& note) { return note.second.empty(); });
    cleared_ = state_.cleared_by_file();
  }

  [[nodiscard]] std::span<const std::string> stored_list() const {
    return std::span(state_.environment_files).first(stored_names_);
  }

  Value without(const Value& mapping, std::string_view name) {
    if (!mapping || mapping.find(name) == nullptr) return mapping;
    MappingBuilder copy = MappingBuilder::copy_of(arena_, mapping);
    copy.erase(name);
    return copy.finish();
  }

  void declare() {
    auto declarations = std::make_shared<Declarations>();
    if (request_.template_text) {
      state_.template_value = arena_.text(session_.sources().text(*request_.template_text));
      declarations->root = read_template(session_.sources(), *request_.template_text, session_.limits());
    } else if (state_.template_value && state_.template_value.is_text()) {
      const SourceId source =
          session_.sources().add_decoded(*state_.source, "template", std::string(state_.template_value.text()));
      declarations->root = read_template(session_.sources(), source, session_.limits());
    } else if (state_.template_value) {
      declarations->root = template_of(session_.sources(), state_.template_value, documents_.shared_arena());
    }
    // An unchanged file is parsed only if it may be a template: most files are environments.
    std::vector<AttachedText> attached;
    TextViewSet sent;
    for (const NamedText& file : request_.files) sent.insert(file.name);
    for (StoredText& file : state_.files) {
      check_stop(session_.limits().stop);
      if (is_shipped() && !sent.contains(file.name)) continue;
      check_size(file);
      if (may_be_template(characters(session_.sources(), file)))
        attached.push_back({.name = file.name,
                            .source = source_of(documents_, state_, file),
                            .document = nullptr,
                            .read = file.read.get()});
    }
    const Template* root = declarations->root ? &*declarations->root : nullptr;
    // Of a template that the state holds, an earlier request told.
    std::vector<text::RepeatedKey> repeated_keys;
    if (request_.template_text) repeated_keys = declarations->root->repeated_keys;
    declarations->schemata =
        schemata_of(session_.sources(), root, attached, session_.limits(), declarations->arenas, &repeated_keys);
    warn_of_repeated_keys(session_, repeated_keys);
    learn_encrypted(declarations->schemata);
    declarations_ = std::move(declarations);
  }

  /// Collects the names in all `encrypted_param_names`: the list may be in a file behind the one with the value.
  void learn_encrypted(Schemata& schemata) {
    const auto learn = [&schemata](const Value& environment) {
      const Value* names = environment.is_mapping() ? environment.find(kEncryptedNames) : nullptr;
      if (names == nullptr || !names->is_sequence()) return;
      for (const Value& name : names->items()) {
        if (name.is_text()) schemata.encrypt(std::string(name.text()));
      }
    };
    for (const Value& environment : {state_.environment, state_.base_environment, request_.environment_value}) {
      if (environment) learn(environment);
    }
    const auto learn_from = [&](SourceId source, bool is_environment) {
      try {
        const text::Document document = text::read_yaml(session_.sources(), source, text::heat(), session_.limits());
        if (document.root) learn(document.root);
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        // The combination reports the error. The names in the list are unknown, so that no line is shown. Scripts
        // may have escapes, and need not be YAML.
        if (is_environment) schemata.encrypt({});
      }
    };
    const TextViewSet listed(state_.environment_files.begin(), state_.environment_files.end());
    for (StoredText& file : state_.files) {
      check_stop(session_.limits().stop);
      const std::string_view text = characters(session_.sources(), file);
      if (!may_have_section(text, kEncryptedNames)) continue;
      learn_from(source_of(documents_, state_, file),
                 listed.contains(file.name) || text.find(kEncryptedNames) != std::string_view::npos);
    }
    if (request_.environment_body &&
        may_have_section(session_.sources().text(*request_.environment_body), kEncryptedNames))
      learn_from(*request_.environment_body, true);
  }

  /// Warns of an explicit parameter without a name, and of names to clear that the state does not have.
  void warn_of_names() const {
    if (const Value* unnamed = request_.parameters ? request_.parameters.find("") : nullptr) {
      warn(session_, "heat.empty-name", "an explicit parameter has no name", unnamed->origin(),
           "write --parameter NAME=VALUE");
    }
    const Value* known = state_.environment ? state_.environment.find(kParameters) : nullptr;
    for (const std::string& name : request_.cleared_parameters) {
      if (known != nullptr && known->is_mapping() && known->find(name) != nullptr) continue;
      session_.diagnostics().warn("heat.nothing-cleared",
                                  fmt::format("there is no earlier value of '{}' to clear", name));
    }
  }

  /// Finds what is wrong with an environment file, whatever stands before it.
  void check_alone(const std::string& name) {
    check_stop(session_.limits().stop);
    documents_.collect([&] {
      const SourceId source = source_of(documents_, state_, text_of(name));
      if (declarations_) {
        hide_lines(source);
      } else {
        // Which lines hold what is hidden is not known without the templates, so that none is shown.
        session_.sources().mark_secret(source);
      }
      heat::check_alone(documents_, read_environment(documents_, source));
    });
  }

  /// Warns of explicit parameters that no template declares. An update tells of them when it drops them.
  void warn_of_undeclared() const {
    if (is_implicit() || request_.existing || !request_.parameters) return;
    std::vector<std::string_view> names;
    for (const ParameterSchema& schema : declarations_->schemata.all()) names.push_back(schema.name);
    std::size_t told = 0;
    for (const Entry& entry : request_.parameters.entries()) {
      const std::string_view name = entry.key.text();
      if (name.empty() || declarations_->schemata.find(name) != nullptr) continue;
      if (++told > Problems::kMost) return;
      warn(session_, "heat.unknown-name",
           fmt::format("no template declares '{}', which is given as an explicit parameter", name), entry.key.origin(),
           name_hint(names, name, "declare it in the template, or take it out"));
    }
  }

  void check_size(StoredText& file) {
    if (characters(session_.sources(), file).size() > kMaxTemplateSize)
      check_template_size(session_.sources(), source_of(documents_, state_, file));
  }

  /// Lines that hold what is hidden are not shown, and which do is not known before they are read.
  void hide_lines() {
    for (const StoredText& file : state_.files) {
      if (file.source) hide_lines(*file.source);
    }
    if (request_.environment_body) hide_lines(*request_.environment_body);
  }

  void hide_lines(SourceId source) {
    if (declarations_->hides_lines(session_.sources().text(source))) session_.sources().mark_secret(source);
  }

  [[nodiscard]] Value marked(const Value& parameters) const { return with_marked(arena_, *declarations_, parameters); }

  Value explicit_parameters(const Value& earlier) {
    const Value sent = request_.parameters ? request_.parameters : arena_.mapping();
    if (!earlier) return sent;
    merge::NullRecorder unrecorded(session_.sources());
    return merge::merge({earlier, {}}, {sent, {}}, merge::shallow_replace(), arena_, session_.limits(), unrecorded)
        .value;
  }

  Traced explicit_layer(const Value& parameters) {
    return {marked(parameters),
            parameters.size() == 0 ? Slot(merge::kNoLayer) : session_.recorder().add_layer("<parameter>")};
  }

  /// Adds the files of the list and reports all their errors together.
  void combine(Combination& combination, std::size_t done) {
    std::vector<SourceId> sent;
    for (std::size_t i = done; i < state_.environment_files.size(); ++i) {
      const StoredText* file = state_.find(state_.environment_files[i]);
      if (file != nullptr && file->source) sent.push_back(*file->source);
    }
    documents_.expect(sent);
    bool is_whole = true;
    for (std::size_t i = done; i < state_.environment_files.size(); ++i) {
      check_stop(session_.limits().stop);
      const std::string& name = state_.environment_files[i];
      // Behind a file that is missing from the combination, only what each file says by itself is certain.
      if (!is_whole) {
        check_alone(name);
        continue;
      }
      is_whole = documents_.collect([&] {
        StoredText& file = text_of(name);
        // The lines of texts that had a source are hidden already, if they must be.
        const bool is_new = !file.source;
        const SourceId source = source_of(documents_, state_, file);
        if (is_new) hide_lines(source);
        combination.add(file.name, source, cleared_of(file.name));
      });
    }
    documents_.raise();
  }

  /// Combines the list, from where the state has it already.
  void fold(Combination& combination) {
    const bool may_resume = request_.reuse && !session_.recorder().keeps() && state_.checkpoint;
    std::vector<FileDigest> files;
    std::string declared;
    if (may_resume || request_.keep_combination) {
      for (const std::string& name : state_.environment_files) {
        check_stop(session_.limits().stop);
        files.push_back(digest_of(session_.sources(), text_of(name), cleared_of(name)));
      }
      declared = digest_of(declarations_->schemata, is_implicit());
    }
    combine(combination, may_resume ? resume(documents_, combination, state_.checkpoint, declared, files) : 0);
    state_.checkpoint = request_.keep_combination ? make_checkpoint(arena_, combination, declared, files) : Value();
  }

  [[nodiscard]] const NameSet& cleared_of(const std::string& file) const {
    static const NameSet none;
    const auto found = cleared_.find(file);
    return found == cleared_.end() ? none : found->second;
  }

  StoredText& text_of(const std::string& name) {
    StoredText* file = state_.find(name);
    if (file != nullptr) return *file;
    throw Error("heat.missing-file", fmt::format("the contents of this environment file are missing: '{}'", name))
        .in(name);
  }

  [[nodiscard]] bool is_implicit() const { return !declarations_->root; }

  Environment compose_promised() {
    add_body();
    std::optional<Environment> base;
    if (state_.base_environment && state_.base_environment.size() != 0) base = base_environment();
    Combination combination(documents_, declarations_->schemata, is_implicit());
    fold(combination);
    const Sections sections = combination.finish();
    Environment environment =
        base ? environment_over(documents_, *base, sections) : environment_of(documents_, sections);
    if (!names_encrypted(state_.base_environment)) environment.encrypted_param_names = sections.encrypted_param_names;
    state_.parameters = explicit_parameters(state_.parameters);
    if (state_.parameters.size() != 0) {
      environment.parameters = merge::merge(environment.parameters, explicit_layer(state_.parameters),
                                            merge::shallow_replace(), arena_, session_.limits(), session_.recorder());
    }
    return environment;
  }

  static bool names_encrypted(const Value& environment) {
    return environment && environment.find(kEncryptedNames) != nullptr;
  }

  /// The body of a request without a list goes to what everything is laid over. That of an update names no encrypted
  /// parameters: the stack keeps its own.
  void add_body() {
    if (!request_.environment_body || !request_.environment_files.empty()) return;
    const Value body = body_environment();
    if (!state_.base_environment || state_.base_environment.size() == 0) {
      state_.base_environment = without(body, kStrategies);
      if (request_.existing) state_.base_environment = without(state_.base_environment, kEncryptedNames);
      body_ = request_.environment_body;
      return;
    }
    const bool is_named = names_encrypted(state_.base_environment);
    const Environment stored = environment_of(documents_, sections_of(documents_, state_.base_environment, {}));
    state_.base_environment =
        as_mapping(arena_, environment_over(documents_, stored, sections_of(documents_, body, {})));
    if (!is_named) state_.base_environment = without(state_.base_environment, kEncryptedNames);
  }

  Value body_environment() {
    if (!request_.environment_value) return read_environment(documents_, *request_.environment_body);
    check_sections(documents_, request_.environment_value);
    return request_.environment_value;
  }

  Environment base_environment() {
    const SourceId source = body_ ? *body_ : *state_.source;
    Sections sections = sections_of(documents_, state_.base_environment,
                                    session_.recorder().add_layer(session_.sources().file(source)));
    sections.parameters.value = marked(sections.parameters.value);
    sections.parameter_defaults.value = marked(sections.parameter_defaults.value);
    return environment_of(documents_, sections);
  }

  Environment compose_shipped() {
    std::optional<Environment> stored;
    if (state_.environment && state_.environment.size() != 0) {
      Sections sections = sections_of(documents_, state_.environment,
                                      session_.recorder().add_layer(session_.sources().file(*state_.source)));
      sections.parameters.value = marked(sections.parameters.value);
      sections.parameter_defaults.value = marked(sections.parameter_defaults.value);
      stored = environment_of(documents_, sections);
    }
    const Value sent = explicit_parameters({});
    Sections sections;
    if (request_.environment_files.empty()) {
      const Value body = request_.environment_body ? body_environment() : arena_.mapping();
      const Slot slot = request_.environment_body
                            ? session_.recorder().add_layer(session_.sources().file(*request_.environment_body))
                            : Slot(merge::kNoLayer);
      sections = sections_of(documents_, body, slot);
      sections.parameters.value = marked(sections.parameters.value);
      sections.parameter_defaults.value = marked(sections.parameter_defaults.value);
      sections.parameters = merge::merge(sections.parameters, explicit_layer(sent), merge::shallow_replace(), arena_,
                                         session_.limits(), session_.recorder());
    } else {
      Combination combination(documents_, declarations_->schemata, is_implicit());
      combination.start(explicit_layer(sent));
      combine(combination, 0);
      sections = combination.finish();
      warn_of_overridden(sent, sections.parameters.value);
    }
    return stored ? environment_over(documents_, *stored, sections) : environment_of(documents_, sections);
  }

  void warn_of_overridden(const Value& sent, const Value& combined) const {
    for (const Entry& entry : sent.entries()) {
      const Value* now = combined.find(entry.key);
      if (now == nullptr || equal(*now, entry.value)) continue;
      warn(session_, "heat.explicit-overridden",
           fmt::format("the explicit value of '{}' is not kept: an environment file changes it", entry.key.text()),
           now->origin(), "--compat promised lets explicit parameters win");
    }
  }

  /// An update keeps no parameter that the root template does not declare.
  Traced without_undeclared(const Traced& parameters) {
    if (is_implicit()) return parameters;
    const auto is_declared = [this](const Entry& entry) {
      return entry.key.is_text() && declarations_->root->parameters.find(entry.key.text()) != nullptr;
    };
    if (std::ranges::all_of(parameters.value.entries(), is_declared)) return parameters;
    MappingBuilder undeclared(arena_);
    for (const Entry& entry : parameters.value.entries()) {
      if (is_declared(entry)) continue;
      warn(session_, "heat.dropped-name",
           fmt::format("the template does not declare '{}': an update drops it", key_text(entry.key)),
           entry.key.origin());
      undeclared.insert(entry.key, Value::null());
    }
    return merge::merge(parameters, {undeclared.finish(), Slot(merge::kNoLayer)}, removal_strategy(), arena_,
                        session_.limits(), session_.recorder());
  }

  /// The hooks of this request: what the state keeps has none of them, except as the result that it shows.
  Environment with_hooks(Environment environment) {
    if (request_.hooks.empty()) return environment;
    if (is_shipped() && !request_.environment_files.empty()) {
      session_.diagnostics().warn(
          "bundle.hooks",
          "hooks given as options have no effect with environment files: the engine only combines the files",
          "--compat promised sets them in the result");
      return environment;
    }
    merge::Accumulator all(arena_, session_.limits(), session_.recorder());
    all.start(as_mapping(arena_, session_.recorder(), environment));
    add_hooks(all, request_.hooks, arena_, session_.sources(),
              [this](const std::string& option) { return session_.recorder().add_layer(option); });
    environment.resource_registry = *all.at(std::array<Path::Step, 1>{arena_.key(kResourceRegistry)});
    return environment;
  }

  Composition finish(const Environment& environment) {
    Composition result{.environment = environment,
                       .shown = session_.recorder().ruled(as_mapping(arena_, session_.recorder(), environment)),
                       .declarations = declarations_,
                       .state = {},
                       .sources = &session_.sources(),
                       .memory = session_.memory()};
    state_.environment = result.shown.value;
    result.state = std::make_shared<const State>(std::move(state_));
    return result;
  }

  const Request& request_;
  Session& session_;
  Documents documents_;
  Arena& arena_;
  State state_;
  std::shared_ptr<const Declarations> declarations_;
  std::map<std::string, NameSet, std::less<>> cleared_;  ///< By file.
  std::optional<SourceId> body_;  ///< What the base environment is, where it comes with this request.
  std::size_t stored_names_ = 0;  ///< Of the list: those that the state had.
};

}  // namespace

Composition compose(const Request& request, Session& session) {
  const merge::Following following(session.recorder(), [] {
    return merge::Rule{.text = std::string(to_string(MergeStrategy::overwrite)), .option = {}};
  });
  return Composer(request, session).run();
}

Traced masked_environment(const Composition& composition, Session& session) {
  Arena& arena = session.arena();
  const auto mask = [&](Traced section) {
    MappingBuilder masked = MappingBuilder::copy_of(arena, section.value);
    for (std::size_t i = 0; i < section.value.size(); ++i) {
      const Entry& entry = section.value.entries()[i];
      if (entry.key.is_text() && composition.declarations->is_hidden(entry.key.text()))
        masked.replace(i, arena.text(report::kMask).with_origin(entry.value.origin()).with_secret());
    }
    section.value = masked.finish();
    return section;
  };
  Environment environment = composition.environment;
  environment.parameters = mask(environment.parameters);
  environment.parameter_defaults = mask(environment.parameter_defaults);
  Traced shown = composition.shown;
  shown.value = as_mapping(arena, environment);
  return shown;
}

std::string state_text(const Composition& composition) { return write_state(*composition.sources, *composition.state); }

}  // namespace strata::heat
