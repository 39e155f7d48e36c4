// SPDX-License-Identifier: Apache-2.0
// The folders and files that a command line opens for reading. Rules: SECURITY.md, "A repository is not a trusted
// host".
//
// Files of configuration name other files, and a stranger may have written them. A command therefore reads only below
// the folders that the user has named. A named file of configuration opens its git repository, or else the working
// folder if the file is below it, or else its own folder. Three rules keep that narrow: a home folder and the root are
// never opened because something lies in them; folders of the system open nothing; inputs (facts, lists of nodes) open
// only themselves. A named file that lies in an opened folder counts as a file of the project, so that a link in a
// repository cannot lead out of it.
//
// The same bounds decide what messages quote: an error may hold a line of a file that another program had read.
// Tested by tests/cli/reach_test.py and tests/cli/explore_reach_test.py.
#include "command_bounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "command.hpp"
#include "project_question.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"
#include "terminal.hpp"
#include "tree_from.hpp"

namespace strata::cli {
namespace {

/// Options that name data about a run: facts, lists of targets, states. They may lie beside files that are not
/// configuration, so that they open no folder.
constexpr std::array<std::string_view, 15> kInputs{"--allow-files", "--enc",        "--existing",      "--facts",
                                                   "--fleet",       "--inventory",  "--instance-data", "--nodes",
                                                   "--query",       "--save-state", "--schema",        "--server-facts",
                                                   "--source-map",  "--trusted",    "--types"};

std::string folder_above(const std::string& path) { return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)); }

/// Where an absolute path leads.
std::string real_name(const std::string& path) { return detail::real_path(*host_tree(), path); }

bool is_folder(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// Whether a folder holds more than the work of one project: the root, or the home of the user.
bool is_too_wide(const std::string& folder) {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  return folder == "/" || (home != nullptr && *home == '/' && folder == real_name(home));
}

/// Folders of the system that hold no configuration: pipes of the shell, and what is known of processes.
bool is_of_system(std::string_view folder) {
  return std::ranges::any_of(std::array<std::string_view, 3>{"/dev", "/proc", "/sys"},
                             [folder](std::string_view one) { return is_within(folder, one); });
}

/// A name of the command line as a path. Empty: it is none.
std::string path_named(std::string path) {
  constexpr std::string_view kFileScheme = "file://";
  if (path.starts_with(kFileScheme)) path.erase(0, kFileScheme.size());
  if (path == "-" || path.find('\0') != std::string::npos || path.find("://") != std::string::npos) return {};
  return path;
}

/// The folder above the first name of a path that is a pattern.
std::string before_pattern(const std::string& path) {
  const std::size_t pattern = path.find_first_of("*?[{");
  if (pattern == std::string::npos || access(path.c_str(), F_OK) == 0) return path;
  const std::size_t slash = path.rfind('/', pattern);
  return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

}  // namespace

void NamedByUser::add_folder(const std::string& path) { folders_.push_back(absolute_path(folder_, path)); }

void NamedByUser::add_project(const std::string& folder) { add_root(absolute_path(folder_, folder), true); }

void NamedByUser::add_root(const std::string& folder, bool with_repository) {
  const std::string real = real_name(folder);
  if (is_of_system(real)) return;
  const std::string repository = with_repository ? repository_around(real) : std::string();
  const std::string here = real_name(folder_);
  if (!repository.empty() && !is_too_wide(repository)) {
    folders_.push_back(repository);
  } else if (!with_repository || here == "/" || !is_within(real, here)) {
    folders_.push_back(real);
  } else if (!is_too_wide(here) || real == here) {
    folders_.push_back(here);
  } else {
    // The project is the folder of the user's home that holds it.
    folders_.push_back(real.substr(0, real.find('/', here.size() + 1)));
  }
}

void NamedByUser::add_file(const std::string& path) {
  const std::string whole = absolute_path(folder_, before_pattern(path));
  if (is_folder(whole)) return add_root(whole, true);
  add_root(folder_above(whole), true);
  add_input(path);
}

void NamedByUser::add_input(const std::string& path) {
  const std::string pattern = before_pattern(path);
  const std::string whole = absolute_path(folder_, pattern);
  if (pattern != path || is_folder(whole)) return add_root(whole, false);
  files_.push_back(whole);
}

void NamedByUser::add_arguments(const std::vector<std::string>& words, const workspace::VerbForm& form) {
  for (const workspace::NamedPath& one : workspace::paths_in(words, form)) {
    const std::string path = path_named(one.path);
    if (path.empty()) continue;
    std::ranges::find(kInputs, one.option) == kInputs.end() ? add_file(path) : add_input(path);
  }
  for (const workspace::VerbOption& option : form.options) {
    const bool is_given = std::ranges::any_of(
        option.names, [&](const std::string& name) { return !workspace::values_of(words, form, name).empty(); });
    if (!option.default_path.empty() && !is_given) add_file(option.default_path);
    if (option.reads_here && is_given && workspace::arguments_of(words, form).empty()) add_file(".");
  }
}

std::shared_ptr<const FileBounds> NamedByUser::bounds() const {
  NamedByUser all = *this;
  if (all.folders_.empty()) all.add_root(folder_, true);
  // A file in a folder that is read is one of the project's: its name allows no target outside.
  const FileBounds folders(all.folders_, {});
  std::erase_if(all.files_, [&](const std::string& file) { return folders.contains(real_name(folder_above(file))); });
  return std::make_shared<const FileBounds>(all.folders_, std::move(all.files_));
}

NamedByUser named_around(const std::string& around, const std::vector<std::string>& allowed) {
  NamedByUser out(working_folder());
  out.add_project(around);
  // Where an agent of Puppet leaves facts, which are those of a project without a list of nodes.
  out.add_folder(std::string(workspace::kFactsCache));
  for (const std::string& one : allowed) out.add_folder(one);
  return out;
}

std::shared_ptr<const FileBounds> bounds_of_command(const std::vector<std::string>& words,
                                                    const std::vector<std::string>& allowed, const std::string& fleet) {
  NamedByUser named(working_folder());
  for (const std::string& one : allowed) named.add_folder(one);
  if (!fleet.empty() && fleet != "-") named.add_file(fleet);
  for (const Registration::Entry* entry : Registration::all()) {
    const auto size = static_cast<std::ptrdiff_t>(entry->name.find(' ') == std::string_view::npos ? 1 : 2);
    if (std::ssize(words) < size ||
        entry->name != fmt::format("{}", fmt::join(std::span(words).first(static_cast<std::size_t>(size)), " ")))
      continue;
    named.add_arguments({words.begin() + size, words.end()}, verb_form_of(*entry));
  }
  return named.bounds();
}

namespace {

/// Whether an excerpt is of a file that the bounds do not hold.
bool is_out_of_bounds(const Excerpt& one, const FileBounds& bounds, const std::string& folder) {
  const std::string& file = one.place.file;
  if (file.empty() || file.starts_with('<')) return false;
  const std::string path = path_named(file);
  return !path.empty() && !bounds.allows(path, folder);
}

void hide(Excerpt& one) {
  one.line.clear();
  one.place.part.clear();
  if (!one.message.empty()) one.message = "this place is outside of what the command line names";
}

/// Hides what one diagnostic quotes, without its causes.
void hide_outside(Diagnostic& one, const FileBounds& bounds, const std::string& folder) {
  bool is_any = is_out_of_bounds(one.where, bounds, folder);
  if (is_any) hide(one.where);
  for (Excerpt& note : one.notes) {
    if (!is_out_of_bounds(note, bounds, folder)) continue;
    hide(note);
    is_any = true;
  }
  // Errors of the tree are about the file, and quote nothing of it.
  if (!is_any || one.code.starts_with("tree.")) return;
  one.message = "the message quotes a file outside of what the command line names, so it is not shown";
  one.hint = "--allow-files DIR with the folder of that file shows it";
}

}  // namespace

Diagnostic without_outside(Diagnostic diagnostic, const FileBounds& bounds, const std::string& folder) {
  hide_outside(diagnostic, bounds, folder);
  for (std::shared_ptr<const Diagnostic>* at = &diagnostic.cause; *at != nullptr;) {
    const auto own = std::make_shared<Diagnostic>(**at);
    hide_outside(*own, bounds, folder);
    *at = own;
    at = &own->cause;
  }
  return diagnostic;
}

}  // namespace strata::cli
