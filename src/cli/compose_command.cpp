// SPDX-License-Identifier: Apache-2.0
// strata compose: Heat's environment files to the combined environment.
#include <fmt/format.h>

#include <optional>

#include "command.hpp"
#include "heat_inputs.hpp"
#include "output_file.hpp"
#include "strata/heat.hpp"
#include "strata/kind_inside.hpp"
#include "strata/paths.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

class ComposeCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("compose", "Heat: combine environment files into one environment");
    command_.add(heat::query_options(), given_);
    options_.add_to(command_, Output::json);
    options_.add_source_map_to(command_);
    options_.add_lists_to(command_);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }

  [[nodiscard]] bool has_editable_files() const override { return true; }
  [[nodiscard]] std::vector<std::string> named_files(Session& session) const override {
    return inputs_.environments(session.snapshot().tree_below());
  }
  [[nodiscard]] bool states_values(Session& session, const std::string& path) override {
    return layers_.has(request_, session, path);
  }
  [[nodiscard]] std::string place_of_files() const override { return inputs_.place_of_files(); }
  [[nodiscard]] std::string_view subject() const override { return "stack"; }
  [[nodiscard]] const query::Traits& traits() const override { return heat::traits(); }

  void check_usage() override {
    if (inputs_.is_empty())
      throw UsageError(
          Usage::missing,
          "compose: give at least one -e FILE, --environment-directory, --environment-body, --parameter, --template or "
          "--existing");
    if (!given_.save_state.empty() && options_.compares)
      throw UsageError(Usage::conflict, "compose: --save-state does not go with --against");
    if (given_.save_state == kStdout && (options_.reports() || options_.maps()))
      throw UsageError(
          Usage::conflict,
          "compose: --save-state - prints the state: it does not go with --blame, --explain, --lists and --source-map");
  }

  void prepare(Host& host) override { inputs_.prepare(host); }

  Outcome run(Session& session) override {
    request_ = inputs_.read(session);
    layers_.reset();
    heat::Request& request = request_;
    // A reused result has no places, and its warnings were printed before.
    request.reuse = !options_.blame && !options_.lists && !options_.maps() && !options_.strict && !options_.compares;
    request.keep_combination = !given_.save_state.empty();
    request.hooks = hooks_of(given_);
    composition_ = heat::compose(request, session);
    const heat::Composition& composition = *composition_;
    Outcome outcome{.result = given_.mask && !options_.compares ? heat::masked_environment(composition, session)
                                                                : composition.shown,
                    .yaml_head = {},
                    .printed = {},
                    .keepalive = composition.memory};
    if (given_.save_state == kStdout) {
      outcome.printed = heat::state_text(composition);
    } else if (!given_.save_state.empty()) {
      outcome.commit = [this, composition = composition_] {
        write_whole_file(given_.save_state, heat::state_text(*composition), kStateFile);
      };
    }
    return outcome;
  }

  [[nodiscard]] std::vector<analysis::Use> uses(Session& session) override {
    std::vector<analysis::Use> out;
    if (!composition_) return out;
    heat::Usage usage = heat::usage_of(request_, *composition_, session);
    parameter_names_ = std::move(usage.parameter_names);
    for (heat::Definition& one : usage.definitions) {
      Excerpt where = excerpt_at(session.sources(), one.origin);
      const std::string path = absolute_path(working_folder(), where.place.file);
      if (kind_inside(session.tree(), path) != FileKind::file) continue;
      // The files of a stored template are stored with it.
      const bool is_stored = !where.place.part.empty();
      if (is_stored && one.section == heat::Definition::Section::template_file) continue;
      out.push_back(use_of(one, usage.unread));
      out.back().place = {
          .file = {.path = path, .form = form_of(path)}, .pointer = std::move(one.pointer), .where = std::move(where)};
    }
    return out;
  }
  [[nodiscard]] std::vector<std::string> names(const std::string& kind) const override {
    return kind == kParameterNames ? parameter_names_ : std::vector<std::string>();
  }

 private:
  static constexpr std::string_view kParameterNames = "declared parameters";

  /// Without its place. `unread`: as in heat::Usage.
  static analysis::Use use_of(const heat::Definition& one, std::size_t unread) {
    using Section = heat::Definition::Section;
    if (one.section == Section::template_file) {
      return {.code = "missing-file",
              .place = {},
              .message = one.is_outside
                             ? fmt::format("the file '{}' is outside of the folders that may be read here", one.name)
                             : fmt::format("the file '{}' does not exist", one.name),
              .hint = !one.correction.empty() ? fmt::format("did you mean '{}'?", one.correction)
                      : one.is_outside        ? "--allow-files DIR lets files name what is in another folder"
                                              : "correct the name, or add the file"};
    }
    const bool is_default = one.section == Section::parameter_defaults;
    analysis::Use use{.code = is_default ? "undeclared-parameter" : "unused-registry",
                      .place = {},
                      .is_used = one.is_used,
                      .message = fmt::format("no template {} '{}'", is_default ? "declares" : "uses", one.name),
                      .hint = "remove it"};
    if (unread > 0) {
      use.is_note = true;
      use.message += unread == 1 ? " (1 file that is named could not be read)"
                                 : fmt::format(" ({} files that are named could not be read)", unread);
      use.hint = is_default ? "correct the name, or add the files that are missing" : "add the files that are missing";
    }
    if (is_default) use.names.push_back({.kind = std::string(kParameterNames), .text = one.name});
    return use;
  }

  static constexpr std::string_view kStdout = "-";

  Arguments command_;
  SharedOptions options_;
  heat::QueryOptions given_;
  HeatInputs inputs_{given_};
  // Of the last run:
  heat::Request request_;
  HeatLayers layers_;
  std::optional<heat::Composition> composition_;
  std::vector<std::string> parameter_names_;
};

const Registration compose_registration(
    {.name = "compose",
     .place = 400,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<ComposeCommand>(); },
     .examples =
         {"strata compose -t examples/heat/overcloud.yaml -e examples/heat/environments/40-tls.yaml -e "
          "examples/heat/environments/99-user.yaml",
          "strata compose -t examples/heat/overcloud.yaml --environment-directory examples/heat/environments --blame"},
     .page = "heat/compose.md",
     .is_question = true,
     .dialect = "Heat",
     .fidelity = "behaves as Heat 19.0.0 to 27.0.0, its client as python-heatclient 3.1.0"});

}  // namespace

}  // namespace strata::cli
