// SPDX-License-Identifier: Apache-2.0
// strata enc NODE: what a site says of a node, in the form that Puppet takes from an external node classifier.
#include "command.hpp"
#include "site_options.hpp"

namespace strata::cli {
namespace {

class EncOutputCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("enc", "ARM-8 bindings: classify a node, for Puppet's exec node terminus");
    command_.add_option("NODE", node_, "the node's name").required();
    command_.add(site::site_options(false), given_);
    options_.add_to(command_, Output::yaml);
    options_.add_permissions_to(command_);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string place_of_files() const override { return site_.confdir(); }
  [[nodiscard]] Permissions permissions() override { return {.programs = true, .network = true}; }

  void check_usage() override {
    if (!site::is_node_name(node_))
      throw UsageError(
          Usage::value,
          "enc: a NODE name consists of letters, digits, '.', '-' and '_', and does not begin with '.' or '-'");
  }

  void prepare(Host& host) override {
    site_.set_node(node_);
    site_.prepare(host);
  }

  void suggest(std::string_view kind, Host& host, Session& session, const AddSuggestion& add) override {
    site_.suggest(kind, host, session, add);
  }

  Outcome run(Session& session) override {
    const auto node =
        std::make_shared<site::Node>(site_.settings(options_.strict, options_.bounds), site_.node(), session);
    Outcome outcome{.result = node->enc(), .yaml_head = {}, .printed = {}, .keepalive = node};
    const bool is_plain = !options_.blame && !options_.explain && !options_.compares && options_.output == Output::yaml;
    if (is_plain) {
      outcome.printed = site::enc_text(outcome.result.value, options_.sort_keys);
    }
    return outcome;
  }

 private:
  Arguments command_;
  site::QueryOptions given_;
  SiteOptions site_{given_};
  SharedOptions options_;
  std::string node_;
};

const Registration enc_registration(
    {.name = "enc",
     .place = 530,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<EncOutputCommand>(); },
     .examples = {"strata enc --confdir examples/bindings web01.example.com",
                  "strata enc --confdir examples/bindings --output json web01.example.com"},
     .page = "bindings/inject.md"});

}  // namespace

}  // namespace strata::cli
