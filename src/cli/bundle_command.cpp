// SPDX-License-Identifier: Apache-2.0
// strata bundle: what a client of the orchestration service sends for a create.

#include "command.hpp"
#include "heat_inputs.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

class BundleCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("bundle", "Heat: build the body of a create request, with all its files");
    command_
        .add_option("-e,--environment", request_.environment_files,
                    "an environment file or URL; later ones override earlier ones")
        .type_name("FILE")
        .one_word();
    command_
        .add_option("--environment-directory", environment_folders_, "all *.yaml of a folder, overridden by every -e")
        .type_name("DIR")
        .one_word();
    command_.add_option("-t,--template", request_.template_file, "the template of the stack, a file or URL")
        .type_name("FILE");
    command_
        .add_option("--parameter", request_.parameters, "an explicit parameter; if given only once, it is split at ;")
        .type_name("K=V")
        .one_word();
    command_
        .add_option("--parameter-file", request_.parameter_files,
                    "a parameter whose value is the text of a file; the path is relative to the template")
        .type_name("K=PATH")
        .one_word();
    command_.add(heat::hook_options(), given_);
    command_.add_flag("--allow-network", options_.permissions.network, "allow fetching files over http and https");
    options_.add_to(command_, Output::json);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string place_of_files() const override {
    const std::string place = !request_.environment_files.empty() ? request_.environment_files.front()
                              : !environment_folders_.empty()     ? environment_folders_.front()
                                                                  : request_.template_file;
    return place.find("://") == std::string::npos ? place : std::string();
  }

  void prepare(Host& host) override {
    request_.hooks = hooks_of(given_);
    request_.folder = working_folder();
    request_.network = host.network();
  }

  Outcome run(Session& session) override {
    heat::BundleRequest request = request_;
    const auto named = environments_in(session.snapshot().tree_below(), environment_folders_);
    request.environment_files.insert(request.environment_files.begin(), named.begin(), named.end());
    const heat::Bundle bundle = heat::bundle(request, session);
    Outcome outcome;
    outcome.result = bundle.request;
    outcome.keepalive = bundle.memory;
    return outcome;
  }

 private:
  Arguments command_;
  SharedOptions options_;
  heat::BundleRequest request_;
  std::vector<std::string> environment_folders_;
  heat::QueryOptions given_;  ///< The hooks.
};

const Registration bundle_registration(
    {.name = "bundle",
     .place = 450,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<BundleCommand>(); },
     .examples = {"strata bundle -t examples/heat-bundle/stack.yaml -e examples/heat-bundle/env/base.yaml",
                  "strata bundle -e examples/heat-bundle/env/base.yaml --parameter 'count=3;flavor=m1.large'"},
     .page = "heat/bundle.md"});

}  // namespace

}  // namespace strata::cli
