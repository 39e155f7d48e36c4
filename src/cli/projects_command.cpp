// SPDX-License-Identifier: Apache-2.0
// strata projects: which questions a folder has names for, and what they are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "command.hpp"
#include "command_bounds.hpp"
#include "command_host.hpp"
#include "output.hpp"
#include "project_question.hpp"
#include "strata/builder.hpp"
#include "strata/paths.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"

namespace strata::cli {
namespace {

/// A question of a project, as a command line.
struct ShownQuestion {
  std::string subject;  ///< Empty: the question has no fleet with words of their own.
  std::string line;
};

/// A project as it is shown.
struct Shown {
  const workspace::Project& project;
  std::string subject;  ///< What its subjects are called.
  bool has_members = false;
  std::vector<ShownQuestion> questions = {};
  std::optional<std::vector<workspace::AssumedNode>> assumed = {};
};

class ProjectsCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ =
        program.add_subcommand("projects", "list the projects of a folder: named queries, for @NAME in analyses");
    command_.add_option("DIR", folder_, "the folder; without it, the working folder");
    command_
        .add_option("--assumed", assumed_, "only print the nodes that are assumed for a project: a list for --nodes")
        .type_name("NAME");
    command_.add_option("--output", output_, "the form of the list")
        .type_name("FORMAT")
        .one_of({"text", "json"})
        .capture_default_str();
    options_.add_common_to(command_);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& /*words*/) override {
    const Limits& limits = options_.limits;
    if (host_tree()->kind(folder_) != FileKind::folder)
      throw Error("workspace.folder", "there is no such folder").in(folder_);
    const NamedByUser named = named_around(folder_, options_.allowed_folders);
    files_ = bounded_tree(named.bounds(), {}, limits.input);
    const workspace::Found found = projects_in(folder_, limits, named);
    if (!assumed_.empty()) {
      print(workspace::node_list(workspace::assumed_nodes(found.named(assumed_), *files_, limits)));
      flush_output();
      return 0;
    }
    std::vector<Shown> projects;
    for (const workspace::Project& project : found.projects) projects.push_back(shown(project, named));
    if (output_ == "json") {
      Arena arena;
      print(text::write_json(data(arena, found, projects)));
    } else {
      print(text(found, projects));
    }
    flush_output();
    return 0;
  }

 private:
  /// Arguments without permissions. A user who copies the command line must not grant what the repository asks for.
  [[nodiscard]] static std::vector<std::string> without_permissions(const std::vector<std::string>& words) {
    constexpr std::string_view kFolder = "--allow-files";
    constexpr std::array<std::string_view, 2> kFlags{"--allow-network", "--allow-programs"};
    std::vector<std::string> out;
    bool is_folder = false;  // The value of --allow-files.
    for (const std::string& word : words) {
      const bool is_permission = is_folder || word == kFolder || word.starts_with("--allow-files=") ||
                                 std::ranges::find(kFlags, word) != kFlags.end();
      is_folder = !is_folder && word == kFolder;
      if (!is_permission) out.push_back(word);
    }
    return out;
  }

  [[nodiscard]] Shown shown(const workspace::Project& project, const NamedByUser& named) {
    const Limits& limits = options_.limits;
    QuestionChoice choice = question_choice(project, {}, limits, named);
    Shown out{.project = project, .subject = subject_of(project, choice)};
    std::vector<std::string> words{"strata"};
    std::ranges::copy(without_permissions(choice.words), std::back_inserter(words));
    // Standard input is for the analysis.
    if (choice.fleet.is_given() && choice.fleet.file != "-") {
      out.has_members = true;
      const auto host = command_host(limits, {}, choice.bounds);
      for (const workspace::Member& member : members_of(choice.fleet, *host, limits)) {
        std::vector<std::string> all = words;
        std::ranges::copy(without_permissions(member.words), std::back_inserter(all));
        out.questions.push_back({.subject = member.name, .line = workspace::command_line(all)});
      }
      return out;
    }
    std::string line;
    if (choice.assumed) {
      out.assumed = workspace::assumed_nodes(project, *files_, limits);
      std::ranges::replace(words, std::string(kAssumedNodes), std::string("-"));
      std::vector<std::string> lister{"strata", "projects"};
      if (folder_ != ".") lister.push_back(folder_);
      lister.push_back("--assumed=" + project.name);
      line = workspace::command_line(lister) + " | ";
    }
    out.questions.push_back({.subject = {}, .line = line + workspace::command_line(words)});
    return out;
  }

  /// What the subjects of a question are called. Its words are tried.
  [[nodiscard]] std::string subject_of(const workspace::Project& project, const QuestionChoice& choice) const {
    const auto refused = [&](const std::string& why) {
      Error error("workspace.value", fmt::format("the words of the project '{}' cannot be used{}", project.name, why));
      if (project.sources) error.at(*project.sources, project.at);
      return error;
    };
    try {
      return std::string(ParsedVerb(choice.words, options_)->subject());
    } catch (const HelpRequested& request) {
      throw refused(fmt::format(": {}", request.what()));
    } catch (const UsageError& error) {
      throw refused(fmt::format(": {}", error.what()));
    }
  }

  [[nodiscard]] static std::string rule_text(const workspace::Project& project) {
    if (project.sources) return project.sources->place(project.at).to_string();
    return std::string(workspace::description(project.rule));
  }

  /// The folder of a project, from the working folder on.
  [[nodiscard]] static std::string folder_of(const workspace::Project& project) {
    return workspace::moved_path(project.folder.substr(1), "/", working_folder());
  }

  [[nodiscard]] std::string text(const workspace::Found& found, const std::vector<Shown>& projects) const {
    if (projects.empty()) {
      return found.file.empty() ? fmt::format("no projects in {}: name them in {}\n",
                                              workspace::command_line({folder_}), workspace::kFileName)
                                : fmt::format("no projects: {} names none\n", workspace::command_line({found.file}));
    }
    std::string out;
    for (const Shown& one : projects) {
      out += fmt::format("{}: {}", workspace::command_line({one.project.name}), one.project.verb);
      const auto count = [&](std::size_t number, std::string_view what) {
        out += fmt::format(", {} {}{}", number, what, number == 1 ? "" : "s");
      };
      if (one.has_members) count(one.questions.size(), one.subject);
      if (one.assumed) count(one.assumed->size(), "assumed node");
      out += fmt::format(" ({})\n", rule_text(one.project));
      for (const ShownQuestion& question : one.questions) {
        out += question.subject.empty() ? "  " : fmt::format("  {}: ", workspace::command_line({question.subject}));
        out += question.line + "\n";
      }
    }
    return out;
  }

  static Value data(Arena& arena, const workspace::Found& found, const std::vector<Shown>& projects) {
    SequenceBuilder list(arena);
    for (const Shown& one : projects) {
      const workspace::Project& project = one.project;
      MappingBuilder item(arena);
      item.insert("name", arena.text(project.name));
      item.insert("verb", arena.text(project.verb));
      item.insert("folder", arena.text(folder_of(project)));
      item.insert("rule", arena.text(workspace::to_string(project.rule)));
      if (project.sources) {
        const Place place = project.sources->place(project.at);
        item.insert("file", arena.text(place.file));
        if (place.line) item.insert("line", Value::integer(static_cast<std::int64_t>(*place.line)));
        if (place.column) item.insert("column", Value::integer(static_cast<std::int64_t>(*place.column)));
      }
      item.insert("subject", arena.text(one.subject));
      SequenceBuilder questions(arena);
      for (const ShownQuestion& question : one.questions) {
        MappingBuilder asked(arena);
        if (one.has_members) asked.insert("subject", arena.text(question.subject));
        asked.insert("question", arena.text(question.line));
        questions.append(asked.finish());
      }
      item.insert("questions", questions.finish());
      if (one.assumed) {
        SequenceBuilder names(arena);
        for (const workspace::AssumedNode& node : *one.assumed) names.append(arena.text(node.name));
        item.insert("assumed", names.finish());
      }
      list.append(item.finish());
    }
    MappingBuilder out(arena);
    out.insert("format", arena.text("strata-projects/1"));
    if (!found.file.empty())
      out.insert("file", arena.text(workspace::moved_path(found.file.substr(1), "/", working_folder())));
    out.insert("projects", list.finish());
    return out.finish();
  }

  Arguments command_;
  SharedOptions options_;
  std::string folder_ = ".";
  std::string assumed_;
  std::unique_ptr<FileTree> files_;  ///< That projects may read.
  std::string output_ = "text";
};

const Registration projects_registration(
    {.name = "projects",
     .place = 770,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<ProjectsCommand>(); },
     .examples = {"strata projects examples", "strata projects examples/cloud-init --output json"},
     .page = "analysis/projects.md"});

}  // namespace

}  // namespace strata::cli
