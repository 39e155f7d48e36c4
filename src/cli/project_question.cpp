// SPDX-License-Identifier: Apache-2.0
#include "project_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "command_form.hpp"
#include "strata/git_ignore.hpp"
#include "strata/paths.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"

namespace strata::cli {
namespace {

using workspace::VerbForm;
using workspace::VerbOption;

VerbOption::Path path_of(std::string_view value_name) {
  constexpr std::array<std::string_view, 4> kPaths{"FILE", "DIR", "FILE|DIR", "STATE.json"};
  if (value_name == "NAME=FILE.lua" || value_name == "FROM=DIR" || value_name == "NAME=DIR")
    return VerbOption::Path::after_equals;
  return std::ranges::find(kPaths, value_name) == kPaths.end() ? VerbOption::Path::no : VerbOption::Path::yes;
}

/// Those of all verbs, made once.
const std::vector<VerbForm>& verb_forms() {
  static const std::vector<VerbForm> all = [] {
    std::vector<VerbForm> out;
    for (const Registration::Entry* entry : Registration::all()) {
      if (entry->is_question) out.push_back(verb_form_of(*entry));
    }
    return out;
  }();
  return all;
}

}  // namespace

workspace::VerbForm verb_form_of(const Registration::Entry& entry) {
  VerbForm out{.name = std::string(entry.name), .options = {}, .args_are_paths = false};
  for (OptionShape& shape : CommandForm(entry).arguments().options()) {
    if (shape.is_positional) {
      out.args_are_paths = out.args_are_paths || shape.names.front() == "PART" || shape.names.front() == "FILE";
      continue;
    }
    if (std::ranges::any_of(shape.names, is_misplaced)) continue;
    const VerbOption::Path path = path_of(shape.value_name);
    const bool reads_here = shape.value_name == "SITE";
    out.options.push_back({.names = std::move(shape.names),
                           .takes_value = shape.takes_value,
                           .is_repeated = shape.is_repeated,
                           .path = path,
                           .default_path = path == VerbOption::Path::yes ? shape.default_value : std::string(),
                           .reads_here = reads_here});
  }
  return out;
}

const workspace::VerbForm* verb_form(std::string_view verb) {
  const auto& all = verb_forms();
  const auto found = std::ranges::find(all, verb, &VerbForm::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<workspace::Member> members_of(const FleetChoice& fleet, Host& host, const Limits& limits) {
  if (fleet.members) return *fleet.members;
  Sources sources;
  const SourceId source = sources.add(fleet.file == "-" ? "<stdin>" : fleet.file, host.read(fleet.file));
  const text::Document document = text::read_yaml(sources, source, text::core12(), limits);
  auto members = workspace::read_members(document.root, sources, sources.at(source, 0), "analysis.fleet");
  if (fleet.moved) {
    for (workspace::Member& member : members) member.words = fleet.moved(member.words);
  }
  return members;
}

workspace::Found projects_in(const std::string& folder, const Limits& limits) {
  return projects_in(folder, limits, named_around(folder, {}));
}

workspace::Found projects_in(const std::string& folder, const Limits& limits, const NamedByUser& named) {
  const std::string path = absolute_path(working_folder(), folder);
  const auto is_ignored = ignored_by_git(path);
  const auto is_left_out = [&is_ignored](std::string_view below) {
    std::error_code error;
    // Where a link leads, the folder is found as itself.
    return std::filesystem::is_symlink(below, error) || (is_ignored && is_ignored(below));
  };
  return workspace::find_projects(
      *bounded_tree(named.bounds(), {}, limits.input),
      {.folder = path, .root = {}, .working_folder = working_folder(), .is_left_out = is_left_out, .limits = limits});
}

QuestionChoice question_choice(const workspace::Project& project, const std::vector<std::string>& more,
                               const Limits& limits, NamedByUser named) {
  named.add_arguments(more, workspace::form_of(project, verb_forms()));
  const std::shared_ptr<const FileBounds> bounds = named.bounds();
  QuestionChoice out = question_choice(project, more, limits, *bounded_tree(bounds, {}, limits.input));
  out.bounds = bounds;
  return out;
}

QuestionChoice question_choice(const workspace::Project& project, const std::vector<std::string>& more,
                               const Limits& limits, const FileTree& files) {
  const VerbForm& form = workspace::form_of(project, verb_forms());
  const std::string folder = working_folder();
  QuestionChoice out;
  // Its file may be a stranger's.
  out.typed = {.programs = workspace::gives_option(more, form, "--allow-programs"),
               .network = workspace::gives_option(more, form, "--allow-network")};
  if (project.sources) out.file = project.sources->place(project.at).file;
  std::string nodes;
  if (workspace::lacks_nodes(project, form, more)) {
    nodes = workspace::facts_folder(project, files, limits);
    if (!nodes.empty()) nodes = workspace::moved_path(nodes.substr(1), "/", folder);
    if (nodes.empty() && !workspace::assumed_nodes(project, files, limits).empty()) {
      nodes = kAssumedNodes;
      out.assumed = std::make_shared<const workspace::Project>(project);
    }
  }
  workspace::Question question = workspace::question_of(project, form, folder, more, nodes);
  out.words = std::move(question.words);
  out.fleet.members = std::move(question.members);
  if (!question.fleet_file.empty()) {
    out.fleet.file = std::move(question.fleet_file);
    out.fleet.moved = [form, from = project.folder, folder](const std::vector<std::string>& words) {
      return workspace::moved_words(words, form, from, folder);
    };
  }
  return out;
}

QuestionChoice question_choice(const std::vector<std::string>& words, const std::string& fleet, const Limits& limits,
                               const std::vector<std::string>& allowed, const std::string& folder) {
  if (words.empty() || !words.front().starts_with('@')) {
    QuestionChoice out{.words = words, .fleet = {.file = fleet}};
    out.bounds = bounds_of_command(words, allowed, fleet);
    return out;
  }
  NamedByUser named = named_around(folder, allowed);
  if (!fleet.empty() && fleet != "-") named.add_file(fleet);
  const workspace::Found found = projects_in(folder, limits, named);
  QuestionChoice out =
      question_choice(found.named(words.front().substr(1)), {words.begin() + 1, words.end()}, limits, std::move(named));
  if (fleet.empty()) return out;
  if (out.fleet.is_given())
    throw UsageError(Usage::conflict, fmt::format("the project {} has a fleet itself: remove --fleet", words.front()));
  out.fleet.file = fleet;
  return out;
}

}  // namespace strata::cli
