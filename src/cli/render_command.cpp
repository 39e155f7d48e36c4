// SPDX-License-Identifier: Apache-2.0
// strata render: Deckhand documents to rendered documents.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "command_host.hpp"
#include "deckhand/query_options.hpp"
#include "hiera_settings.hpp"
#include "strata/deckhand.hpp"
#include "strata/paths.hpp"
#include "strata/pegleg.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

class RenderCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("render", "Deckhand: render layered documents");
    command_.add(deckhand::query_options(), given_);
    options_.sort_keys = true;
    options_.add_to(command_, Output::yaml);
    options_.add_source_map_to(command_);
    options_.add_lists_to(command_);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }

  [[nodiscard]] std::string place_of_files() const override {
    const auto named = std::ranges::find_if(given_.inputs, [](const std::string& name) { return name != kStdin; });
    return named == given_.inputs.end() ? std::string() : *named;
  }

  void check_usage() override {
    if (given_.pegleg_site.empty() && given_.inputs.empty())
      throw UsageError(Usage::missing, "render: give at least one FILE, folder or -", "or --pegleg-site NAME");
    if (given_.pegleg_site.empty() && !given_.repositories.empty())
      throw UsageError(Usage::conflict, "render: --extra-repository names repositories of --pegleg-site");
    if (!given_.pegleg_site.empty() &&
        (given_.inputs.size() > 1 || (given_.inputs.size() == 1 && given_.inputs.front() == kStdin))) {
      throw UsageError(Usage::conflict, "render: with --pegleg-site, FILE is one folder: the repository of the site",
                       "name other repositories with -e NAME=DIR");
    }
    if (given_.check && (options_.reports() || options_.compares || options_.maps())) {
      throw UsageError(
          Usage::conflict,
          "render: --check shows no result: it cannot be used with --blame, --explain, --lists, --against and "
          "--source-map");
    }
  }

  void prepare(Host& host) override {
    filters_ = {.schemas = given_.schemas, .layers = given_.layers, .names = given_.names, .labels = {}};
    for (const std::string& label : given_.labels) {
      const std::size_t equals = label.find('=');
      if (equals == std::string::npos || equals == 0)
        throw UsageError(Usage::value, fmt::format("--label: '{}' is not KEY=VALUE", label));
      filters_.labels.emplace_back(label.substr(0, equals), label.substr(equals + 1));
    }
    pegleg_site_ = {.name = given_.pegleg_site,
                    .repository = given_.inputs.empty() ? "." : without_slash(given_.inputs.front())};
    for (const std::string& repository : given_.repositories) {
      const std::size_t equals = repository.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == repository.size())
        throw UsageError(Usage::value, fmt::format("--extra-repository: '{}' is not NAME=DIR", repository));
      pegleg_site_.extra_repositories.emplace_back(repository.substr(0, equals),
                                                   without_slash(repository.substr(equals + 1)));
    }
    pegleg_ = {.passphrase = host_variable("PEGLEG_PASSPHRASE").value_or(""),
               .salt = host_variable("PEGLEG_SALT").value_or("")};
    const auto times = std::ranges::count(given_.inputs, kStdin);
    for (long i = 0; i < times; ++i) stdin_ = host.read(std::string(kStdin));
  }

  Outcome run(Session& session) override {
    deckhand::Request request{
        .streams = streams(session),
        .documents = {},
        .filters = filters_,
        .cleartext_secrets = given_.cleartext_secrets,
        .require_storage_policy = options_.strict,
        .compat = given_.compat == "shipped" ? deckhand::Compat::shipped : deckhand::Compat::promised,
        .pegleg = pegleg_,
        .allows_missing_sources = given_.allows_missing_sources};
    const deckhand::Result result = deckhand::render(std::move(request), session);
    helpers_ = result.helpers;
    Outcome outcome{.result = result.documents, .yaml_head = {}, .printed = {}, .keepalive = result.memory};
    outcome.is_documents = true;
    for (const deckhand::Identity& identity : result.identities)
      outcome.document_names.push_back(identity.schema + '/' + identity.name);
    if (given_.check) outcome.printed = "";
    return outcome;
  }

  [[nodiscard]] std::string_view subject() const override { return "site"; }
  [[nodiscard]] const query::Traits& traits() const override { return deckhand::traits(); }
  [[nodiscard]] std::vector<analysis::Item> items(const Outcome& outcome) const override {
    std::vector<analysis::Item> out;
    for (std::size_t i = 0; i < outcome.document_names.size(); ++i) {
      out.push_back({.name = outcome.document_names[i],
                     .value = outcome.result.value.items()[i],
                     .failure = {},
                     .slot = merge::Recorder::member(outcome.result, i).slot});
    }
    return out;
  }
  [[nodiscard]] std::vector<analysis::Use> uses(Session& session) override {
    std::vector<analysis::Use> out;
    for (const deckhand::Helper& helper : helpers_) {
      Excerpt where = excerpt_at(session.sources(), helper.origin);
      const std::string path = absolute_path(working_folder(), where.place.file);
      analysis::Use use{.code = helper.is_abstract ? "childless-abstract" : "unused-source",
                        .place = {.file = {.path = path, .form = form_of(path)}, .where = std::move(where)},
                        .is_used = helper.is_used,
                        .message = helper.is_abstract ? "nothing builds on this abstract document"
                                                      : "no substitution reads this document",
                        .note = {},
                        .hint = helper.is_abstract ? "remove it, or correct the labels" : "remove it"};
      out.push_back(std::move(use));
    }
    for (deckhand::LintFinding& found : lint_findings(session)) {
      const std::string path = absolute_path(working_folder(), found.file);
      out.push_back({.code = found.rule,
                     .place = {.file = {.path = path, .form = form_of(path)}, .where = std::move(found.where)},
                     .message = std::move(found.message),
                     .note = {},
                     .hint = std::move(found.hint)});
    }
    return out;
  }

 private:
  static std::string without_slash(std::string folder) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    return folder;
  }

  /// What is read, with the place in its repository if it is of a site of Pegleg.
  std::vector<deckhand::LintedFile> read_files(Session& session) {
    const FileTree& tree = session.snapshot().tree_below();
    std::vector<deckhand::LintedFile> out;
    if (given_.pegleg_site.empty()) {
      for (deckhand::Stream& stream : deckhand::gather(given_.inputs, tree, stdin_)) out.push_back({std::move(stream)});
      return out;
    }
    for (deckhand::PeglegFile& file : deckhand::pegleg_files(pegleg_site_, tree, session)) {
      auto text = tree.read(file.path);
      if (!text) throw Error("deckhand.input", "there is no such file").in(file.path);
      out.push_back({{.name = std::move(file.path), .text = std::move(*text)}, std::move(file.below)});
    }
    return out;
  }

  std::vector<deckhand::Stream> streams(Session& session) {
    std::vector<deckhand::Stream> out;
    for (deckhand::LintedFile& file : read_files(session)) out.push_back(std::move(file.stream));
    return out;
  }

  /// What Pegleg's rules refuse, also where rendering fails.
  std::vector<deckhand::LintFinding> lint_findings(Session& session) {
    // A Session of its own: what reading warns of is known already, and the contents are needed for the places alone.
    Session own(session, false);
    std::vector<deckhand::LintFinding> out;
    try {
      out = deckhand::lint(read_files(own), own.sources(), own.limits());
    } catch (const Error& error) {
      if (error.ends_request()) throw;  // Rendering reports others.
    }
    if (given_.pegleg_site.empty()) return out;
    for (deckhand::LintFinding& found :
         deckhand::lint_sites(pegleg_site_.repository, own.snapshot().tree_below(), own.sources(), own.limits()))
      out.push_back(std::move(found));
    return out;
  }

  Arguments command_;
  SharedOptions options_;
  deckhand::QueryOptions given_;
  deckhand::Filters filters_;
  std::optional<std::string> stdin_;
  deckhand::PeglegSite pegleg_site_;
  deckhand::PeglegCredentials pegleg_;
  std::vector<deckhand::Helper> helpers_;  ///< Of the last run.
};

const Registration render_registration(
    {.name = "render",
     .place = 300,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<RenderCommand>(); },
     .examples = {"strata render examples/deckhand/site",
                  "strata render --schema example/Service --name web --blame examples/deckhand/site"},
     .page = "deckhand/render.md",
     .is_question = true,
     .dialect = "Deckhand",
     .fidelity = "behaves as the engine at commit 08728d3 (June 2026)"});

}  // namespace

}  // namespace strata::cli
