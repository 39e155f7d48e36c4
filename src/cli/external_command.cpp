// SPDX-License-Identifier: Apache-2.0
// strata external: the program of an external data source of Terraform and OpenTofu. Rules:
// docs/integrations/terraform.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "analysis_run.hpp"
#include "output.hpp"
#include "strata/builder.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/process_host.hpp"
#include "strata/text.hpp"
#include "subject_answers.hpp"

namespace strata::cli {
namespace {

constexpr const char* kExternalCode = "external.query";

/// What standard input asks for. Empty: not given.
struct ExternalQuery {
  std::string folder;
  std::string project;
  std::string subject;
  std::string key;
};

class ExternalCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("external", "answer an external data source of Terraform or OpenTofu");
    command_
        .add_option("--query", query_file_,
                    "the query, a JSON object {project, subject, key, folder}; - is standard input")
        .type_name("FILE")
        .capture_default_str();
    options_.add_permissions_to(command_);
    options_.add_common_to(command_);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& /*words*/) override {
    const ExternalQuery query = read_query();
    if (!query.folder.empty()) {
      std::error_code error;
      std::filesystem::current_path(query.folder, error);
      if (error)
        throw Error(kExternalCode, fmt::format("the folder '{}' cannot be entered: {}", query.folder, error.message()));
    }
    print(answer(query) + "\n");
    flush_output();
    return 0;
  }

 private:
  [[nodiscard]] std::string name_of_query() const { return query_file_ == "-" ? "<stdin>" : query_file_; }

  [[nodiscard]] ExternalQuery read_query() const {
    const auto host = process_host(options_.limits);
    Sources sources;
    const SourceId source = sources.add(name_of_query(), host->read(query_file_));
    const text::Document document = text::read_json(sources, source, options_.limits);
    if (!document.root.is_mapping()) {
      throw Error(kExternalCode, fmt::format("the query is {}, not an object of texts", describe(document.root.kind())))
          .at(sources, document.root.origin());
    }
    ExternalQuery out;
    const std::array<std::pair<std::string_view, std::string*>, 4> members{
        {{"folder", &out.folder}, {"project", &out.project}, {"subject", &out.subject}, {"key", &out.key}}};
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const auto& [name, into] : members) names.push_back(name);
    for (const Entry& entry : document.root.entries()) {
      const std::string name = key_text(entry.key);
      const auto known = std::ranges::find(members, name, [](const auto& member) { return member.first; });
      if (known == members.end()) {
        throw Error(kExternalCode, fmt::format("the query has an unknown member '{}'", name))
            .at(sources, entry.key.origin())
            .hint(name_hint(names, name, "it takes folder, project, subject and key"));
      }
      if (!entry.value.is_text()) {
        throw Error(kExternalCode, fmt::format("'{}' is {}, not a text", name, describe(entry.value.kind())))
            .at(sources, entry.value.origin());
      }
      *known->second = entry.value.text();
    }
    if (!out.project.starts_with('@')) out.project.insert(0, "@");
    if (out.project.size() == 1) {
      throw Error(kExternalCode, "the query names no 'project'")
          .in(name_of_query())
          .hint(R"({"project": "fleet"}; 'strata projects' lists the projects of a folder)");
    }
    return out;
  }

  [[nodiscard]] std::string answer(const ExternalQuery& query) const {
    const auto run_of = [this](std::vector<std::string> words) {
      return std::make_unique<AnalysisRun>(options_, std::move(words), std::string(), false, OnRefusal::fail);
    };
    auto run = run_of({query.project});
    // A lookup knows keys that only asking for them finds, and their dots.
    const bool asks_for_key = !query.key.empty() && run->question().traits().is_keyed;
    if (asks_for_key && query.key.starts_with('-'))
      throw Error(kExternalCode, fmt::format("the key '{}' looks like an option", query.key)).in(name_of_query());
    if (asks_for_key) run = run_of({query.project, query.key});
    const bool is_fleet = run->wording().is_fleet;
    if (is_fleet && query.subject.empty()) {
      throw Error(kExternalCode, fmt::format("the project {} has several {}s: name one as 'subject'", query.project,
                                             run->wording().subject))
          .in(name_of_query());
    }
    if (!is_fleet && !query.subject.empty()) {
      throw Error(kExternalCode, fmt::format("the project {} has one result: remove 'subject'", query.project))
          .in(name_of_query());
    }
    std::optional<std::string> out;
    std::vector<std::string> known;
    const auto wants = [&](const std::string& name) {
      known.push_back(name);
      return !is_fleet || name == query.subject;
    };
    ask_subjects(*run, wants, [&](const SubjectAnswer& answer) {
      Arena arena;
      out = texts(query.key.empty() || asks_for_key ? answer.variables : member(arena, answer.variables, query.key));
      return false;
    });
    if (!out) throw unknown_subject(kExternalCode, *run, query.subject, known);
    return *out;
  }

  /// The part of a result that a name or a JSON Pointer names, under that.
  [[nodiscard]] static Value member(Arena& arena, const Value& variables, const std::string& key) {
    Value found;
    if (key.starts_with('/')) {
      found = value_at(variables, parse_pointer(key));
    } else if (const Value* value = variables.find(key)) {
      found = *value;
    }
    if (!found) {
      std::vector<std::string> texts;
      for (const Entry& entry : variables.entries()) texts.push_back(key_text(entry.key));
      const std::vector<std::string_view> names(texts.begin(), texts.end());
      throw Error(kExternalCode, fmt::format("the result has no '{}'", key))
          .hint(name_hint(names, key, "a JSON Pointer leads into a value: /NAME/0"));
    }
    MappingBuilder out(arena);
    out.insert(key, found);
    return out.finish();
  }

  /// What is not a text in JSON becomes JSON.
  [[nodiscard]] static std::string texts(const Value& variables) {
    Arena arena;
    MappingBuilder out(arena);
    for (const Entry& entry : variables.entries()) {
      std::string text;
      if (entry.value.is_container() || entry.value.kind() == Kind::floating) {
        text::append_json(text, entry.value, {.indent = -1});
      } else {
        text = key_text(entry.value);
      }
      out.insert(key_text(entry.key), arena.text(text));
    }
    std::string json;
    text::append_json(json, out.finish(), {.indent = -1});
    return json;
  }

  Arguments command_;
  SharedOptions options_;
  std::string query_file_ = "-";
};

const Registration external_registration({.name = "external",
                                          .place = 860,
                                          .make = []() -> std::unique_ptr<Command> {
                                            return std::make_unique<ExternalCommand>();
                                          },
                                          .examples = {"strata external --query integrations/terraform/node.json",
                                                       "strata external --query integrations/terraform/machine.json"},
                                          .page = "integrations/terraform.md"});

}  // namespace

}  // namespace strata::cli
