// SPDX-License-Identifier: Apache-2.0
// strata parameters, hooks, restricted-actions, resolve-type: questions about the environment that compose makes of the
// same inputs.

#include <array>
#include <span>
#include <string_view>

#include "command.hpp"
#include "heat_inputs.hpp"
#include "strata/heat.hpp"
#include "strata/traced.hpp"

namespace strata::cli {
namespace {

/// A question about the environment.
class HeatQuery : public Verb {
 public:
  HeatQuery(const char* name, const char* about) : name_(name), about_(about) {}

  void add_to(Arguments& program) final {
    command_ = program.add_subcommand(name_, about_);
    add_options(command_);
    command_.add(heat::input_options(), given_);
    options_.add_to(command_, Output::json);
  }
  [[nodiscard]] bool is_chosen() const final { return command_.is_given(); }
  SharedOptions& options() final { return options_; }

  [[nodiscard]] std::string place_of_files() const final { return inputs_.place_of_files(); }
  [[nodiscard]] std::string_view subject() const final { return "stack"; }
  [[nodiscard]] const query::Traits& traits() const override { return heat::traits(); }

  [[nodiscard]] bool states_values(Session& session, const std::string& path) final {
    return layers_.has(request_, session, path);
  }

  void prepare(Host& host) override { inputs_.prepare(host); }

  Outcome run(Session& session) final {
    request_ = inputs_.read(session);
    layers_.reset();
    const heat::Answer answer = this->answer(request_, session);
    Outcome outcome;
    outcome.result = answer.value;
    outcome.keepalive = answer.memory;
    return outcome;
  }

 protected:
  virtual void add_options(Arguments& /*command*/) {}
  virtual heat::Answer answer(const heat::Request& request, Session& session) = 0;

 private:
  const char* name_;
  const char* about_;
  Arguments command_;
  heat::QueryOptions given_;
  HeatInputs inputs_{given_};
  SharedOptions options_;
  // Of the last run:
  heat::Request request_;
  HeatLayers layers_;
};

class ParametersCommand final : public HeatQuery {
 public:
  ParametersCommand()
      : HeatQuery("parameters", "Heat: print the values that a stack uses, checked against its template") {}

 protected:
  [[nodiscard]] const query::Traits& traits() const override { return heat::traits_of_parameters(); }
  void add_options(Arguments& command) override { options().add_source_map_to(command); }
  heat::Answer answer(const heat::Request& request, Session& session) override {
    return heat::effective_parameters(request, session);
  }
};

enum class ResourceRule { hooks, restricted_actions };

class ResourceRuleCommand final : public HeatQuery {
 public:
  ResourceRuleCommand(ResourceRule rule, const char* name, const char* about) : HeatQuery(name, about), rule_(rule) {}

 protected:
  void add_options(Arguments& command) override {
    command.add_option("--resource", resource_, "the resource; in nested stacks OUTER/INNER")
        .type_name("PATH")
        .required();
  }
  heat::Answer answer(const heat::Request& request, Session& session) override {
    const heat::ResourceRequest about{.stack = request, .resource = resource_};
    return rule_ == ResourceRule::hooks ? heat::hooks(about, session) : heat::restricted_actions(about, session);
  }

 private:
  ResourceRule rule_;
  std::string resource_;
};

class ResolveTypeCommand final : public HeatQuery {
 public:
  ResolveTypeCommand()
      : HeatQuery("resolve-type", "Heat: find the plugin or template that implements a resource type") {}

  void prepare(Host& host) override {
    HeatQuery::prepare(host);
    for (const std::string& file : types_) built_in_.add_lines(host.read(file));
  }

 protected:
  void add_options(Arguments& command) override {
    command.add_option("TYPE", type_, "the type of the resource").required();
    command.add_option("--name", name_, "the resource; its own mappings come first").type_name("NAME");
    command.add_option("--types", types_, "more built-in types besides OS::, AWS:: and DOCKER::, one per line")
        .type_name("FILE")
        .one_word();
  }
  heat::Answer answer(const heat::Request& request, Session& session) override {
    const merge::Builder make(session.arena(), session.recorder());
    const heat::ResolvedType resolved =
        heat::resolve_type({.stack = request, .type = type_, .resource = name_, .built_in = built_in_}, session);
    const Value kind = make.arena().text(heat::to_string(resolved.kind)).with_origin(resolved.value.value.origin());
    merge::TracedMapping result(make);
    result.insert("kind", make.derive(kind, resolved.value));
    result.insert("value", resolved.value);
    return {.value = result.finish(), .memory = resolved.memory};
  }

 private:
  std::string type_;
  std::string name_;
  std::vector<std::string> types_;
  heat::BuiltInTypes built_in_;
};

const Registration parameters_registration(
    {.name = "parameters",
     .place = 410,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<ParametersCommand>(); },
     .examples = {"strata parameters -t examples/heat-bundle/stack.yaml -e examples/heat-bundle/env/base.yaml -e "
                  "examples/heat-bundle/env/site.yaml",
                  "strata parameters -t examples/heat-bundle/stack.yaml -e examples/heat-bundle/env/base.yaml "
                  "--parameter count=3 --blame"},
     .page = "heat/parameters.md",
     .is_question = true});

const Registration hooks_registration(
    {.name = "hooks",
     .place = 420,
     .make = []() -> std::unique_ptr<Command> {
       return std::make_unique<ResourceRuleCommand>(ResourceRule::hooks, "hooks",
                                                    "Heat: list the hooks that pause work on a resource");
     },
     .examples = {"strata hooks --resource web1 -e examples/heat-bundle/env/base.yaml",
                  "strata hooks --resource web1 -e examples/heat-bundle/env/base.yaml --explain"},
     .page = "heat/resource-lookups.md"});

const Registration restricted_actions_registration(
    {.name = "restricted-actions",
     .place = 430,
     .make = []() -> std::unique_ptr<Command> {
       return std::make_unique<ResourceRuleCommand>(ResourceRule::restricted_actions, "restricted-actions",
                                                    "Heat: list the actions that are restricted for a resource");
     },
     .examples = {"strata restricted-actions --resource db -e examples/heat-bundle/env/base.yaml",
                  "strata restricted-actions --resource db -e examples/heat-bundle/env/base.yaml --blame"},
     .page = "heat/resource-lookups.md"});

const Registration resolve_type_registration(
    {.name = "resolve-type",
     .place = 440,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<ResolveTypeCommand>(); },
     .examples = {"strata resolve-type My::Server -e examples/heat-bundle/env/base.yaml",
                  "strata resolve-type My::Server -e examples/heat-bundle/env/base.yaml --name db"},
     .page = "heat/resource-lookups.md"});

}  // namespace

}  // namespace strata::cli
