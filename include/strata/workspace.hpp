// SPDX-License-Identifier: Apache-2.0
// Projects: questions of analyses with names, out of the file `.strata.yaml` or found by what a folder holds. Rules:
// docs/analysis/projects.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::workspace {

/// The name of the file that says which projects there are.
inline constexpr std::string_view kFileName = ".strata.yaml";

/// By what a project was found. All but the first look at what a folder holds.
enum class Rule : std::uint8_t {
  file,                ///< `.strata.yaml` names it.
  code_directory,      ///< `environments/*/hiera.yaml`, or `hiera.yaml` beside `environments/`: lookup.
  control_repository,  ///< `hiera.yaml` with a version beside what an environment holds: lookup.
  bindings_site,       ///< `environments.pp`, or `strata.yaml` beside `bindings/`: inject.
  site_definitions,    ///< `site/*/site-definition.yaml`: render, a subject for each site.
  layering_policy,     ///< A document with the schema of a layering policy: render.
  inventory,           ///< `targets/` or `nodes/` beside `classes/`, or `reclass-config.yml`: inventory.
  base_configuration,  ///< `cloud.cfg` beside `cloud.cfg.d/`: merge.
  cloud_config,        ///< Files that begin with `#cloud-config`: merge, a subject for each file.
};
/// A name for programs: `control-repository`.
[[nodiscard]] std::string_view to_string(Rule rule) noexcept;
/// The rule for people: `hiera.yaml beside environments/`.
[[nodiscard]] std::string_view description(Rule rule) noexcept;

/// A subject of a fleet: the question with these words at its end.
struct Member {
  std::string name;
  std::vector<std::string> words;
};
/// Reads a list of `{name, args}`. Errors, with the code `code` at their places in `sources`: another shape, a missing
/// name, a name that is there twice. `otherwise`: the place of a list that is not there.
[[nodiscard]] std::vector<Member> read_members(const Value& list, const Sources& sources, Origin otherwise,
                                               const std::string& code);

/// An option of the verb, as a project gives it.
struct Setting {
  enum class Kind : std::uint8_t { flag, value, list };
  std::string name;  ///< Without dashes.
  Kind kind = Kind::value;
  bool is_on = true;                     ///< Of a flag.
  std::vector<std::string> values = {};  ///< One for `value`, any number for `list`.
  Origin at = {};                        ///< Of the value.
};

/// A question with a name. Paths in it count from `folder`.
struct Project {
  std::string name;  ///< Unique among the projects that were found together.
  std::string verb;
  std::vector<Setting> settings = {};
  std::vector<std::string> args = {};               ///< Words for the end of the question.
  std::string fleet_file = {};                      ///< Of `fleet`. Empty: there is none.
  std::optional<std::vector<Member>> members = {};  ///< Of `fleet`, if that is the list itself.
  std::string folder = {};                          ///< Absolute.
  Rule rule = Rule::file;
  // Of a project in `.strata.yaml`.
  Value entry = {};                             ///< The mapping. Absent for other projects.
  Origin at = {};                               ///< The place of the name.
  std::shared_ptr<const Sources> sources = {};  ///< Spells out the places. Null for other projects.
  std::shared_ptr<const void> memory = {};      ///< Owns `entry`.

  [[nodiscard]] const Setting* find(std::string_view setting) const noexcept;
};

/// The projects of a folder.
struct Found {
  std::string file;  ///< The path of the `.strata.yaml` that counts for the whole folder. Empty: there is none, and
                     ///< folders were looked through.
  std::vector<Project> projects;

  /// The project of a name. Error `workspace.project` with similar names.
  [[nodiscard]] const Project& named(std::string_view name) const;
};

struct Search {
  std::string folder;  ///< Absolute: where to look.
  /// Absolute: the highest folder whose `.strata.yaml` counts. Empty: the nearest one from `folder` on that holds
  /// `.git`; else `folder`.
  std::string root = {};
  std::string working_folder = {};  ///< Absolute: places show names below it as relative. Empty: as absolute.
  /// Which folders are left out, besides `.git` and `node_modules`, by absolute path. Null: none.
  std::function<bool(std::string_view path)> is_left_out = {};
  Limits limits = {};
};

/// The projects of the nearest `.strata.yaml` from a folder upwards; without one, those that the folder and the folders
/// below it hold, down to four levels. The first rule that fits takes a folder with all that is below it; a
/// `.strata.yaml` comes before all rules. Works over any tree: the host, a revision, an upload. Errors:
/// `workspace.key`, `workspace.value`, those of the YAML reader; `workspace.large` for more than 10,000 folders or 256
/// MiB of files to look into.
[[nodiscard]] Found find_projects(const FileTree& tree, const Search& search);

/// The nearest `.strata.yaml` from `search.folder` upwards, as an absolute path. Empty: there is none.
[[nodiscard]] std::string nearest_configuration(const FileTree& tree, const Search& search);

// The nodes that a question is about, if it does not say so itself

/// A node of which only that is known what the name of a data file says.
struct AssumedNode {
  struct Variable {
    std::vector<std::string> path;  ///< `trusted`, `certname`; without `facts` for facts.
    std::string value;
  };
  std::string name;
  std::vector<Variable> variables;
};
/// A list for `--nodes`: JSON.
[[nodiscard]] std::string node_list(const std::vector<AssumedNode>& nodes);

/// The nodes that the paths of the hierarchies could mean: for each data file, the variables that give its name.
/// `environment/%{role}.yaml` and the file `environment/web.yaml` are a node with `role: web`. Only for lookup. Sorted
/// by name; names are unique. A hierarchy that cannot be read means none. Error `workspace.large` for more than
/// 100,000.
[[nodiscard]] std::vector<AssumedNode> assumed_nodes(const Project& project, const FileTree& tree,
                                                     const Limits& limits);

/// Where an agent of Puppet leaves the facts of nodes.
inline constexpr std::string_view kFactsCache = "/var/lib/puppet/yaml/facts";

/// The first of `nodes/`, `facts/`, `spec/facts/` of the project and kFactsCache that holds facts
/// files, absolute. Empty: none does. Folders whose files the hierarchies name are data.
[[nodiscard]] std::string facts_folder(const Project& project, const FileTree& tree, const Limits& limits);

// From a project to the words of its question

/// What is to be known about an option of a verb.
struct VerbOption {
  enum class Path : std::uint8_t { no, yes, after_equals };  ///< `after_equals`: `NAME=FILE`.
  std::vector<std::string> names;                            ///< With dashes.
  bool takes_value = false;
  bool is_repeated = false;  ///< Takes a value each time it is given.
  Path path = Path::no;
  std::string default_path = {};  ///< What a path is without the option. Empty: nothing.
  bool reads_here = false;        ///< With it and without an argument, the working folder is read.
};
/// What code that reads the words of a verb needs to know about it.
struct VerbForm {
  std::string name;
  std::vector<VerbOption> options;
  bool args_are_paths = false;  ///< Whether words other than options are paths.
};

/// A question of a project as words.
struct Question {
  std::vector<std::string> words;                   ///< The verb and its words.
  std::string fleet_file = {};                      ///< Empty: none.
  std::optional<std::vector<Member>> members = {};  ///< Its words are right from the working folder.
};

/// The form of a project's verb among `forms`. Error `workspace.value` with similar names.
[[nodiscard]] const VerbForm& form_of(const Project& project, std::span<const VerbForm> forms);

/// The words of a project, right from the working folder `folder`: relative where they lie below it, else absolute.
/// `more`: words of the user, which count from that folder, follow; an option in them replaces that of the project.
/// `nodes`: a value for `--nodes`, if there shall be one. Errors: `workspace.key` for settings that the verb does not
/// have, `workspace.value` for those of another shape.
[[nodiscard]] Question question_of(const Project& project, const VerbForm& form, const std::string& folder,
                                   const std::vector<std::string>& more = {}, const std::string& nodes = {});
/// Whether a question needs a list of nodes: lookup or inject without a fleet, where neither the project nor `more`
/// has options that name nodes or facts.
[[nodiscard]] bool lacks_nodes(const Project& project, const VerbForm& form, const std::vector<std::string>& more = {});

/// Whether words give an option (`--NAME`), with or without a value.
[[nodiscard]] bool gives_option(const std::vector<std::string>& words, const VerbForm& form, std::string_view option);
/// What words give a verb, each in its order: the words other than options, and the values of an option (`--NAME`).
[[nodiscard]] std::vector<std::string> arguments_of(const std::vector<std::string>& words, const VerbForm& form);
[[nodiscard]] std::vector<std::string> values_of(const std::vector<std::string>& words, const VerbForm& form,
                                                 std::string_view option);

/// A path that words give a verb.
struct NamedPath {
  std::string option;  ///< The first name of the option, with dashes. Empty: an argument.
  std::string path;    ///< As it is written; of `NAME=FILE` the file.
};
/// All of them, in their order.
[[nodiscard]] std::vector<NamedPath> paths_in(const std::vector<std::string>& words, const VerbForm& form);

/// Words of a verb whose relative paths count from `from`, written so that they count from `to`. Both are absolute.
[[nodiscard]] std::vector<std::string> moved_words(const std::vector<std::string>& words, const VerbForm& form,
                                                   const std::string& from, const std::string& to);
/// The same for a whole query, whose first word is the verb: relative paths that are defaults of its options are
/// written out, too.
[[nodiscard]] std::vector<std::string> query_moved(const std::vector<std::string>& words, const VerbForm& form,
                                                   const std::string& from, const std::string& to);
/// A path in the same way. `-` and URLs stay as they are.
[[nodiscard]] std::string moved_path(const std::string& path, const std::string& from, const std::string& to);

/// A line for a shell: words with anything but harmless characters are quoted. Without line breaks.
[[nodiscard]] std::string command_line(const std::vector<std::string>& words);

}  // namespace strata::workspace
