// SPDX-License-Identifier: Apache-2.0
// Warnings about a hierarchy that does not find the data that its author meant.
//
// Hiera treats a file that does not exist as one without data, because a hierarchy names files that only some nodes
// have. A name that is wrong for all nodes looks the same, and its data silently never apply. The warnings here
// separate the two. Each reports what no correct hierarchy contains:
//
// - warn_about_folders: a data folder that does not exist. If its name has variables, only where no other level of the
//   layer has one, or where no folder has a name that the variables could make.
// - warn_about_outside: a path that leads out of the folders that may be read. One warning covers a whole data folder.
// - warn_about_near_files: a path that does not exist, with a file beside it whose name differs by the extension or by
//   the case of letters, or a path that is a folder. A path with variables counts only if it has no extension or no
//   level has a file.
// - warn_about_maps: a folder of `--map` that no path is in.
// - warn_about_path: an expression that is not closed, or a variable that the node does not have.
// - warn_about_options: a member of `lookup_options` that has no effect.
//
// `warn_about` gives each warning once per view, or once per fleet. A warning that names a value from a secret variable
// shows the text of hiera.yaml instead. Cost: one lookup of each data folder per layer, and of each path that
// qualifies. Tested by tests/vectors/hiera/inputs.json, tests/cli/data_folders_test.py and tests/cli/reach_test.py.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glob.hpp"
#include "pathname.hpp"
#include "release.hpp"
#include "strata/kind_inside.hpp"
#include "strata/mapped_folder.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"
#include "view.hpp"

namespace strata::hiera::detail {
namespace {

/// Whether some location of a level is a path in its data folder.
bool looks_into_folder(const ResolvedEntry& resolved) {
  const auto is_path = [](const Location& location) { return !location.is_uri && !location.path.empty(); };
  if (std::ranges::any_of(resolved.locations, is_path)) {
    return std::ranges::any_of(resolved.locations, [&](const Location& location) {
      return is_path(location) && is_within(location.path, resolved.datadir);
    });
  }
  const HierarchyEntry& entry = *resolved.entry;
  constexpr std::size_t kTemplate = 2;
  const auto is_in_folder = [](const Value& path) { return path.is_text() && !path.text().starts_with('/'); };
  switch (entry.location_kind) {
    case LocationKind::paths:
    case LocationKind::globs:
      return std::ranges::any_of(entry.locations, is_in_folder);
    case LocationKind::mapped_paths:
      return is_in_folder(entry.locations[kTemplate]);
    default:
      return false;
  }
}

/// What is at a path; what cannot be looked at may be anything.
std::optional<FileKind> kind_at(const FileTree& tree, const std::string& path) {
  try {
    return tree.kind(path);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return std::nullopt;
  }
}

bool has_expressions(std::string_view text) { return text.find("%{") != std::string_view::npos; }

/// A pattern of glob_folders that matches all strings that the expressions of a string can make of it, except for those
/// with values that have a slash.
std::string pattern_of(std::string_view text) {
  constexpr std::string_view kSpecial = "*?[]{},\\";
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.starts_with("%{") ? text.find('}') : std::string_view::npos;
    if (end != std::string_view::npos) {
      out += '*';
      text.remove_prefix(end + 1);
      continue;
    }
    if (kSpecial.find(text.front()) != std::string_view::npos) out += '\\';
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

/// The folder around the first name with an expression. An absolute path with expressions.
std::string shared_folder(std::string_view text) {
  return std::string(text.substr(0, std::max<std::size_t>(text.rfind('/', text.find("%{")), 1)));
}

/// Whether there is a folder that a text with expressions can name. In doubt there is.
bool has_folder_like(const FileTree& tree, std::string_view text) {
  constexpr std::size_t kMostNames = 10'000;
  while (text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
  try {
    return !glob_folders(tree, pattern_of(text), kMostNames).empty();
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return !is_outside(tree, shared_folder(text));
  }
}

/// Whether a path with expressions can be one in a folder.
bool may_be_within(std::string_view text, const std::string& folder) {
  if (!text.starts_with('/')) return false;
  return is_within(text, folder) || (has_expressions(text) && is_within(folder, shared_folder(text)));
}

// Recursion: bounded by Limits::depth.
bool may_name(const Value& options, const std::string& folder) {
  if (options.is_text()) return may_be_within(options.text(), folder);
  if (options.is_sequence())
    return std::ranges::any_of(options.items(), [&](const Value& one) { return may_name(one, folder); });
  return options.is_mapping() &&
         std::ranges::any_of(options.entries(), [&](const Entry& one) { return may_name(one.value, folder); });
}

/// Whether a configuration can name something in a folder.
bool may_name(const Config& config, const std::string& folder) {
  const auto names = [&](const HierarchyEntry& entry) {
    return may_be_within(entry.datadir, folder) ||
           std::ranges::any_of(entry.locations,
                               [&](const Value& one) {
                                 return may_name(one, folder) ||
                                        may_be_within(join_path(entry.datadir, std::string(one.text())), folder);
                               }) ||
           (entry.options && may_name(entry.options, folder));
  };
  return std::ranges::any_of(config.hierarchy, names) ||
         (config.default_hierarchy && std::ranges::any_of(*config.default_hierarchy, names));
}

bool is_within_any(const std::vector<std::string>& paths, const MappedFolder& map) {
  return std::ranges::any_of(
      paths, [&](const std::string& path) { return is_within(path, map.to) || is_within(path, map.from); });
}

}  // namespace

void ViewState::warn_about_options(const Value& said) {
  if (!said.is_mapping()) return;
  static constexpr std::array<std::string_view, 2> kMembers{"merge", "convert_to"};
  const auto tell = [&](const Entry& at, std::string message, std::string hint) {
    const Place place = sources.place(at.key.origin());
    warn_about(fmt::format("options {}", place.to_string()), Error("hiera.lookup-options", std::move(message))
                                                                 .at(sources, at.key.origin())
                                                                 .hint(std::move(hint))
                                                                 .diagnostic());
  };
  for (const Entry& entry : said.entries()) {
    const std::string name = key_text(entry.key);
    if (!name.starts_with('^') && name.find_first_of("*+?[](){}|\\^$") != std::string::npos) {
      tell(entry, fmt::format("'{}' in lookup_options looks like a pattern, but is the name of a key", name),
           fmt::format("a pattern begins with '^': '^{}'", name));
    }
    if (!entry.value.is_mapping()) continue;
    for (const Entry& member : entry.value.entries()) {
      const std::string member_name = key_text(member.key);
      if (member.key.is_text() && std::ranges::find(kMembers, member_name) != kMembers.end()) continue;
      tell(member, fmt::format("'{}' in the lookup_options of '{}' has no effect", member_name, name),
           name_hint(kMembers, member_name, "the options are merge and convert_to"));
    }
  }
}

void ViewState::warn_about_path(const std::string& key, std::string_view text, Origin at) {
  if (key.empty()) {
    if (!is_news(fmt::format("open {}", text))) return;
    diagnostics.warn(Error("hiera.expression", fmt::format("'%{{' has no '}}' in '{}', so it is plain text", text))
                         .at(sources, at)
                         .diagnostic());
    return;
  }
  const bool has_facts = facts.trusted || (facts.values.is_mapping() && facts.values.size() > 0);
  if (!is_news(has_facts ? fmt::format("path {} {}", key, text) : "no facts")) return;
  if (!has_facts) {
    diagnostics.warn(
        Error("hiera.no-facts", fmt::format("the hierarchy needs the variable '{}', and the node has no facts", key))
            .at(sources, at)
            .hint("give them with --facts FILE, or in the input of --nodes")
            .diagnostic());
    return;
  }
  const std::string near = scope.nearest(key);
  std::string hint = "give the fact, or name another variable";
  if (directory.settings.server_facts == nullptr && (is_server_fact(key) || key.starts_with("server_facts."))) {
    hint = kServerFactsHint;
  } else if (!near.empty()) {
    hint = fmt::format("did you mean '{}'?", near);
  }
  diagnostics.warn(
      Error("hiera.path-variable",
            fmt::format("the node has no variable '{}', which '{}' names: it counts as an empty string", key, text))
          .at(sources, at)
          .hint(std::move(hint))
          .diagnostic());
}

/// Warns of each missing data folder, once. One whose name has variables may be missing for some nodes: the warning is
/// for layers without any data folder, and for names that no folder matches.
void ViewState::warn_about_folders(const Layer& layer) {
  std::vector<const ResolvedEntry*> missing;
  bool has_any = false;
  for (const auto* entries : {&layer.entries, &layer.default_entries}) {
    for (const ResolvedEntry& entry : *entries) {
      if (!looks_into_folder(entry)) continue;
      const auto kind = kind_at(session.tree(), entry.datadir);
      if (kind ? *kind == FileKind::folder : !is_outside(session.tree(), entry.datadir)) {
        has_any = true;
      } else {
        missing.push_back(&entry);
      }
    }
  }
  for (const ResolvedEntry* one : missing) {
    const HierarchyEntry& entry = *one->entry;
    const bool is_template = !entry.is_datadir_plain && has_expressions(entry.datadir);
    if (is_template && has_any && !is_outside(session.tree(), one->datadir)) {
      // One search is enough for a fleet.
      if (!is_news("folders " + entry.datadir) ||
          has_folder_like(session.tree(), mapped_path(directory.settings.maps, entry.datadir)))
        continue;
    }
    warn_about_folder(layer, *one, is_template);
  }
}

void ViewState::warn_about_folder(const Layer& layer, const ResolvedEntry& resolved, bool is_template) {
  const Settings& settings = directory.settings;
  const HierarchyEntry& entry = *resolved.entry;
  // As in hiera.yaml: other nodes have other folders, and another machine other names of them.
  const std::string written = is_template ? entry.datadir : absolute_path({}, entry.datadir);
  const std::string folder = is_template ? written : absolute_path({}, resolved.datadir);
  const bool is_mapped = mapped_path(settings.maps, written) != written;
  const bool is_away = is_outside(session.tree(), resolved.datadir);
  std::string shown = fmt::format("'{}'", shown_path(is_mapped ? written : folder, settings.working_folder));
  if (is_mapped) {
    shown += fmt::format(", mapped to '{}',", shown_path(mapped_path(settings.maps, written), settings.working_folder));
  }
  Error error("hiera.datadir",
              fmt::format("the folder {} {}: levels with this datadir have no data", shown,
                          is_away ? "is outside of the folders that may be read here" : "does not exist"));
  const Origin at = entry.datadir_at ? entry.datadir_at : entry.at;
  if (at) {
    error.at(sources, at);
  } else {
    error.in(layer.config->path);
  }
  const bool is_own = is_within(written, layer.config->folder);
  // The part of the name that all nodes share.
  const std::string from = is_template ? shared_folder(written) : written;
  if (is_own && !is_mapped) {
    error.hint(is_away ? "--allow-files DIR lets files name what is in another folder"
                       : "make the folder, or correct 'datadir'");
  } else {
    error.hint(fmt::format("{}name the folder that holds its files here: --map {}=DIR{}",
                           is_away ? "" : "correct 'datadir', or ", from,
                           is_away ? "; or allow to read this one: --allow-files DIR" : ""));
  }
  warn_about("datadir " + folder, error.diagnostic());
}

/// Warns of each path that leads out of what may be read, unless its whole data folder does. Nodes share the warning
/// about a path with variables.
void ViewState::warn_about_outside(const Layer& layer) {
  for (const auto* entries : {&layer.entries, &layer.default_entries}) {
    for (const ResolvedEntry& entry : *entries) {
      for (const Location& location : entry.locations) {
        if (!location.is_outside) continue;
        if (is_within(location.path, entry.datadir) && is_outside(session.tree(), entry.datadir)) continue;
        const bool is_template = location.is_secret || has_expressions(location.original);
        const std::string shown =
            is_template ? location.original : shown_path(location.path, directory.settings.working_folder);
        const Origin at = entry.entry->locations[location.item].origin();
        warn_about("outside " + (is_template ? sources.place(at).to_string() : location.path),
                   Error("tree.outside",
                         fmt::format("'{}' is outside of the folders that may be read here: it is not read", shown))
                       .at(sources, at)
                       .hint("name the folder that holds its files here: --map FROM=DIR; or allow to read this one: "
                             "--allow-files DIR")
                       .diagnostic());
      }
    }
  }
}

/// Warns of each `--map` whose folder no path of a hierarchy is in. The warning is for all nodes: a path with variables
/// is in the folder if some values of them would make it so.
void ViewState::warn_about_maps(const Layer& layer) {
  for (const MappedFolder& map : directory.settings.maps) {
    const std::string name = "map " + map.from;
    if (may_name(*layer.config, map.from) || is_within_any(directory.module_path, map) || !is_news(name)) continue;
    try {
      const Layer* other = environment();
      if ((other != nullptr && may_name(*other->config, map.from)) || may_be_in_module(map.from)) continue;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      continue;  // Lookups report what is wrong.
    }
    Error error("hiera.map",
                fmt::format("no path of the hierarchy begins with '{}': --map of it has no effect", map.from));
    error.hint("name a folder as 'datadir' or 'path' in hiera.yaml names it");
    if (!layer.config->path.empty()) error.in(shown_path(layer.config->path, directory.settings.working_folder));
    diagnostics.warn(error.diagnostic());
  }
}

/// Whether the hiera.yaml of a module has a path in its text.
bool ViewState::may_be_in_module(std::string_view path) {
  return std::ranges::any_of(directory.modules(), [&](const std::string& module) {
    const std::string file = join_path(directory.module_folder(module), "hiera.yaml");
    if (kind_inside(session.tree(), file) != FileKind::file) return false;
    return session.tree().read(file).value_or("").find(path) != std::string::npos;
  });
}

/// Warns of paths that nearly name a file.
void ViewState::warn_about_near_files(const Layer& layer) {
  const std::vector<ResolvedEntry>& entries = layer.entries;
  // Where files are not shared, whether they are there is not known before they are opened.
  const bool has_files =
      !directory.settings.share_files || std::ranges::any_of(entries, [](const ResolvedEntry& entry) {
        return std::ranges::any_of(entry.locations, &Location::exists);
      });
  for (const ResolvedEntry& entry : entries) {
    const LocationKind kind = entry.entry->location_kind;
    if (!opens_files(*entry.entry) || kind == LocationKind::globs || kind == LocationKind::none) continue;
    for (const Location& location : entry.locations) {
      if (location.is_uri || location.is_secret) continue;
      // The file of one node may be missing: the warning is for paths without an extension, and layers without files.
      const bool is_plain = !has_expressions(location.original);
      if (!is_plain && has_files && has_data_extension(location.path)) continue;
      warn_about_near_file(layer, entry, location, is_plain);
    }
  }
}

void ViewState::warn_about_near_file(const Layer& layer, const ResolvedEntry& entry, const Location& location,
                                     bool is_plain) {
  const FileTree& tree = is_plain ? session.tree() : files.tree();
  const auto kind = kind_at(tree, location.path);
  if (!kind || *kind == FileKind::file) return;
  std::string near = near_place(tree, location.path);
  if (near.empty() && is_plain) near = directory.sibling_of(location.path, tree);
  if (near.empty() || (near != location.path && names_path(layer, near))) return;
  const std::string& folder = directory.settings.working_folder;
  const bool is_folder = near == location.path;
  Error error("hiera.data-file",
              is_folder ? fmt::format("'{}' is a folder: the level has no data", location.original)
                        : fmt::format("the file '{}' does not exist: the level has no data, and '{}' is beside it",
                                      location.original, near.substr(near.rfind('/') + 1)));
  error.hint(is_folder ? "name a file in it, or use 'glob'" : "name this file in hiera.yaml, or rename it");
  const Origin at = entry.entry->locations[location.item].origin();
  if (at) {
    error.at(sources, at);
  } else {
    error.in(shown_path(near, folder));
  }
  Diagnostic told = error.diagnostic();
  if (at && !is_folder) {
    told.notes.push_back(excerpt_of_file(shown_path(near, folder)));
    told.notes.back().message = "this file is not part of the hierarchy";
  }
  warn_about("near " + location.path, told);
}

}  // namespace strata::hiera::detail
