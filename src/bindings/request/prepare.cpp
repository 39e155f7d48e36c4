// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/prepare.hpp"

#include <fmt/format.h>

#include <array>

#include "bindings/request/boot.hpp"
#include "bindings/request/environments.hpp"
#include "bindings/request/evaluation.hpp"
#include "bindings/request/layers.hpp"
#include "bindings/request/paths.hpp"
#include "bindings/request/site.hpp"
#include "bindings/syntax/site.hpp"

namespace strata::bindings {
namespace {

class Preparing {
 public:
  Preparing(const RequestInputs& inputs, Request& request)
      : inputs_(inputs),
        request_(request),
        functions_(inputs.session.sources()),
        arena_(std::make_shared<Arena>()),
        evaluator_({.sources = inputs.session.sources(),
                    .arena = *arena_,
                    .limits = inputs.session.limits(),
                    .diagnostics = inputs.session.diagnostics(),
                    .strict = inputs.strict,
                    .functions = &functions_}) {}

  void run() {
    request_.arena = arena_;
    request_.facts = inputs_.facts.values;
    request_.certname = certname_of(inputs_.node, inputs_.facts);
    request_.has_enc = inputs_.enc != nullptr;
    request_.trusted = inputs_.facts.trusted;
    request_.owners.push_back(inputs_.facts.arena);
    request_.owners.insert(request_.owners.end(), inputs_.facts.owners.begin(), inputs_.facts.owners.end());
    request_.owners.push_back(inputs_.enc);
    if (inputs_.enc != nullptr) request_.enc_variables = inputs_.enc->variables;
    variables_ = std::make_shared<TopVariables>(inputs_.facts, agent_environment());
    for (const Entry& entry : request_.enc_variables) variables_->set(entry.key.text(), entry.value);
    request_.variables = variables_;
    const Phase phase{
        .session = inputs_.session,
        .confdir = normal(inputs_.confdir),
        .environments_file = inputs_.environments_file,
        .environment_root = inputs_.environment_root.empty() ? std::string() : normal(inputs_.environment_root),
        .node = inputs_.node,
        .enc = inputs_.enc,
        .variables = *variables_,
        .arena = *arena_,
        .evaluator = evaluator_};
    if (phase.session.tree().kind(phase.confdir) != FileKind::folder) {
      throw Error("bindings.confdir", "there is no such folder")
          .in(phase.confdir)
          .hint("say where the configuration is with --confdir DIR");
    }
    request_.environment = choose_environment(phase);
    evaluator_.refill();
    const Site site = read_manifest(phase);
    request_.categories = site.categories;
    const BootProviders boot(phase, request_.environment, inputs_.providers);
    request_.layers = load_layers(phase, site.layers, request_, boot.providers());
  }

 private:
  [[nodiscard]] Value agent_environment() const {
    if (inputs_.agent_environment) return arena_->text(*inputs_.agent_environment);
    const Value* fact = inputs_.facts.values.find("environment");
    return fact == nullptr ? Value::null() : *fact;
  }

  Site read_manifest(const Phase& phase) {
    const Environment& environment = request_.environment;
    // Read once a Snapshot; what the reading warns of, each request is told.
    struct ReadSite {
      SiteFile file;
      Diagnostics told;
    };
    std::shared_ptr<const ReadSite> read;
    if (!environment.manifest.empty()) {
      read = phase.session.read<ReadSite>(
          environment.manifest, "site.pp", [&](Sources& texts, SourceId source, const Limits& limits) {
            auto out = std::make_shared<ReadSite>();
            try {
              out->file = read_site(texts, source, limits, out->told);
            } catch (const Error&) {
              for (const Diagnostic& warning : out->told.warnings()) phase.session.diagnostics().warn(warning);
              throw;
            }
            return Reading<ReadSite>{.parsed = std::move(out), .bytes = syntax_bytes(texts.text(source))};
          });
    }
    if (read) {
      for (const Diagnostic& warning : read->told.warnings()) phase.session.diagnostics().warn(warning);
    }
    const SiteFile* file = read ? &read->file : nullptr;
    // What is there already cannot be assigned again. Variables of the site stay, in a scope of their own: bound
    // variables come before facts.
    puppet::Scope whole(nullptr, variables_.get());
    auto top = std::make_shared<puppet::Scope>(nullptr, variables_.get());
    const auto fix = [&](std::string_view name, std::string_view text) {
      const Value value = arena_->text(text);
      if (whole.assign(name, value, {})) (void)top->assign(name, value, {});
    };
    fix("environment", environment.name);
    // Of environments.pp and site.pp alone: in documents of bindings it is a name like others.
    (void)whole.assign("confdir", arena_->text(environment.confdir), {});
    fix("settings::confdir", environment.confdir);
    fix("settings::envdir", environment.envdir);
    fix("settings::environment", environment.name);
    fix("settings::modulepath", fmt::format("{}", fmt::join(environment.modulepath, ":")));
    fix("settings::manifest", environment.manifest);
    fix("settings::templatedir", environment.templatedir);
    fix("settings::bindingsdir", environment.bindingsdir);
    variables_->assign_to(whole);
    const std::size_t fixed = whole.size();
    Site site = evaluate_site(phase, file, environment, whole);
    for (std::size_t i = fixed; i < whole.size(); ++i) {
      const puppet::Scope::Slot& slot = whole.at(i);
      (void)top->assign(slot.name, slot.value, slot.assigned);
    }
    request_.scope = std::move(top);
    return site;
  }

  const RequestInputs& inputs_;
  Request& request_;
  NoInjection functions_;
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<TopVariables> variables_;
  puppet::Evaluator evaluator_;
};

}  // namespace

void prepare(const RequestInputs& inputs, Request& request) { Preparing(inputs, request).run(); }

}  // namespace strata::bindings
