// strata enc NODE: what a site says of a node, in the form that Puppet takes from an external node classifier.
#include <algorithm>

#include "command.hpp"
#include "site_request.hpp"
#include "strata/text.hpp"

namespace strata::cli {
namespace {

/// A node's name goes into a path and to a program.
bool is_node_name(std::string_view name) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  };
  return !name.empty() && name.front() != '.' && name.front() != '-' && std::ranges::all_of(name, is_part);
}

struct Kept {
  Kept(const SiteOptions& options, const Run& run, bool strict) : site(options, run, strict) {}
  SiteRequest site;
  Arena arena;
};

class EncOutputCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("enc", "ARM-8 bindings: classes, parameters and environment of a node, for Puppet's node_terminus = exec");
    command_.add_option("NODE", node_, "the node's name").required();
    site_.add_to(command_, false);
    options_.add_to(command_, Output::yaml);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] bool allows_network() const override { return true; }

  void prepare(Host& host) override {
    if (!is_node_name(node_)) throw UsageError("enc: a NODE is named by letters, digits, '.', '-' and '_', and begins with none of '.' and '-'");
    site_.set_node(node_);
    site_.prepare(host);
  }

  Outcome run(const Run& run) override {
    auto kept = std::make_shared<Kept>(site_, run, options_.strict);
    kept->site.prepare(true);
    Outcome outcome{.result = whole(run, *kept), .yaml_head = {}, .printed = {}, .keepalive = kept};
    const bool is_plain = !options_.blame && !options_.explain && options_.against.empty() && options_.output == Output::yaml;
    if (is_plain) {
      outcome.printed = "---\n" + text::write_yaml(outcome.result.value, {.profile = &text::psych(), .sort_keys = options_.sort_keys, .indent = 2});
    }
    return outcome;
  }

 private:
  merge::Traced whole(const Run& run, Kept& kept) const {
    bindings::Injector& injector = kept.site.injector();
    Arena& arena = kept.arena;
    std::vector<merge::Traced> members;
    const Value classes = arena.mapping();
    const merge::Traced list = injector.classes();
    const bindings::ParameterNames declared = bindings::manifest_parameters(run.tree, run.sources, run.limits, kept.site.request().environment);
    for (const Value& name : list.value.items()) {
      // A name such as `ntp::servers` is a parameter where the class has one of it, as with the automatic lookup of Hiera. What Puppet does not know
      // would be an error there.
      const auto names = declared(std::string(name.text()));
      const auto is_parameter = [&](std::string_view parameter) { return names && std::ranges::find(*names, parameter) != names->end(); };
      members.push_back(injector.parameters("class " + std::string(name.text()), is_parameter));
      arena.insert(classes, name.text(), members.back().value);
    }
    const auto composed = [&](const Value& value, const std::vector<merge::Traced>& parts) {
      return run.history == nullptr ? merge::Traced{value, {}} : run.history->compose(value, parts);
    };
    const merge::Traced all_classes = composed(classes, members);
    const merge::Traced variables = injector.variables();
    const merge::Traced environment{arena.text(kept.site.request().environment.name), merge::Slot(merge::kNoLayer)};
    const Value out = arena.mapping();
    arena.insert(out, "classes", all_classes.value);
    arena.insert(out, "parameters", variables.value);
    arena.insert(out, "environment", environment.value);
    return composed(out, {all_classes, variables, environment});
  }

  Arguments command_;
  SiteOptions site_;
  SharedOptions options_;
  std::string node_;
};

}  // namespace

std::unique_ptr<Command> enc_command() { return std::make_unique<EncOutputCommand>(); }

}  // namespace strata::cli
