// SPDX-License-Identifier: Apache-2.0
// Each run has words of its own: those of the query, with the values of the run behind them. `--folder` rewrites
// relative paths, also those that are defaults of options, so that they lead into the folder of the run from the
// working folder. Two nodes need no words: the study picks them out of the nodes of each run. Tested by
// tests/cli/diff_runs_test.py.
#include "query_runs.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/paths.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

void check_is_twice(std::string_view option, const std::vector<std::string>& values) {
  if (values.empty() || values.size() == 2) return;
  throw UsageError(Usage::value, fmt::format("{} is given {}: it needs a value for the run before and one for the run "
                                             "after",
                                             option, values.size() == 1 ? "once" : "more than twice"));
}

}  // namespace

void QueryRuns::add_to(Arguments& command) {
  const auto add = [&command](const std::string& name, std::vector<std::string>& into, const std::string& type,
                              const std::string& about) {
    command.add_option(name, into, about)
        .type_name(type)
        .group("Two runs of the query (give each option twice)")
        .one_word();
  };
  add("--compat", compats_, "NAME", "the releases that the query follows, before and after");
  add("--environment", environments_, "NAME", "the environments of the query");
  add("--node", nodes_, "NODE", "two nodes of the query, compared with each other");
  add("--folder", folders_, "DIR", "the folders in which the query runs: its relative paths count from there");
}

bool QueryRuns::is_given() const {
  check_is_twice("--compat", compats_);
  check_is_twice("--environment", environments_);
  check_is_twice("--node", nodes_);
  check_is_twice("--folder", folders_);
  return !compats_.empty() || !environments_.empty() || !nodes_.empty() || !folders_.empty();
}

QuestionChoice QueryRuns::choice(Run run, std::vector<std::string> words, const std::string& fleet,
                                 const Limits& limits, const std::vector<std::string>& allowed) const {
  const std::size_t side = run == Run::before ? 0 : 1;
  const bool is_project = !words.empty() && words.front().starts_with('@');
  const workspace::VerbForm* form = words.empty() || is_project ? nullptr : verb_form(words.front());
  const auto add = [&](const std::string& name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    if (form != nullptr && workspace::gives_option(words, *form, name)) {
      throw UsageError(Usage::conflict, fmt::format("{} is given twice before the query and once in it", name),
                       fmt::format("remove {} from the query", name));
    }
    words.push_back(name);
    words.push_back(values[side]);
  };
  add("--compat", compats_);
  add("--environment", environments_);
  const std::string here = working_folder();
  const std::string folder = folders_.empty() ? here : absolute_path(here, folders_[side]);
  if (folder != here && host_tree()->kind(folder) != FileKind::folder)
    throw Error("host.missing", "the folder does not exist").in(folders_[side]);
  if (form != nullptr && folder != here) words = workspace::query_moved(words, *form, folder, here);
  return question_choice(words, fleet, limits, allowed, folder);
}

std::optional<std::pair<std::string, std::string>> QueryRuns::nodes() const {
  if (nodes_.empty()) return std::nullopt;
  return std::pair(nodes_[0], nodes_[1]);
}

}  // namespace strata::cli
