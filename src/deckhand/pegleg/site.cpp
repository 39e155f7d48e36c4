// SPDX-License-Identifier: Apache-2.0
// The files of a site. Pegleg walks `global`, `type/TYPE` and `site/NAME` of each repository with Python's `os.walk`,
// whose order in a folder is that of the file system. Here names are sorted. What `os.walk` and Pegleg do otherwise is
// kept: files come before folders, linked folders are not entered, files in a hidden folder are skipped but its folders
// are entered, and nothing in or below a folder `tools` counts. Tested by tests/deckhand/pegleg_test.cpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "deckhand/pegleg/definition.hpp"
#include "strata/found_file.hpp"
#include "strata/links.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/pegleg.hpp"
#include "strata/stop_scope.hpp"
#include "value/charge.hpp"

namespace strata::deckhand {
namespace {

/// The files of one repository after the other.
class SiteWalk {
 public:
  SiteWalk(const FileTree& tree, std::string working_folder)
      : tree_(tree), working_folder_(std::move(working_folder)) {}

  /// `top`: a folder from the repository, which need not exist.
  void add(const std::string& repository, const std::string& top) {
    const std::string path = path_in_repository(repository, top);
    if (tree_.kind(path) != FileKind::folder) return;
    visit({.path = path, .below = top, .real = strata::detail::real_path(tree_, absolute_path(working_folder_, path))},
          0);
  }

  std::vector<PeglegFile> take() { return std::move(files_); }

 private:
  struct Folder {
    std::string path;
    std::string below;  ///< From the repository.
    std::string real;   ///< Absolute, without links.
  };

  // Recursion: bounded by kDeepest.
  void visit(const Folder& folder, std::size_t depth) {
    constexpr std::size_t kDeepest = 32;
    constexpr std::size_t kMostFolders = 100'000;
    if (depth > kDeepest || ++folders_ > kMostFolders)
      throw Error("deckhand.input", "there are too many folders in it").in(folder.path).hint("remove folders");
    const std::string name = folder.below.substr(folder.below.rfind('/') + 1);
    if (name == "tools") return;
    std::vector<std::string> folders;
    for (const auto& [entry, known] : tree_.entries(folder.path)) {
      const bool is_meant = entry.ends_with(".yaml") && !entry.starts_with('.') && !name.starts_with('.');
      const std::string path = path_in(folder.path, entry);
      const FileKind kind = known ? *known : is_meant ? found_kind(tree_, path) : tree_.kind(path);
      if (kind == FileKind::folder) {
        folders.push_back(entry);
      } else if (is_meant) {
        strata::detail::charge(StopScope::stop(), sizeof(PeglegFile) + 2 * path.size());
        files_.push_back({.path = path, .below = path_in(folder.below, entry)});
      }
    }
    for (const std::string& entry : folders) {
      Folder inner{.path = path_in(folder.path, entry),
                   .below = path_in(folder.below, entry),
                   .real = path_in(folder.real, entry)};
      if (!strata::detail::link_in(tree_, inner.real)) visit(inner, depth + 1);
    }
  }

  const FileTree& tree_;
  std::string working_folder_;
  std::vector<PeglegFile> files_;
  std::size_t folders_ = 0;
};

Error unknown_site(const PeglegSite& site, const FileTree& tree) {
  std::vector<std::string> names = site_folders(site.repository, tree);
  std::erase_if(names, [&](const std::string& name) {
    return tree.kind(definition_path(site.repository, name)) != FileKind::file;
  });
  Error error("deckhand.site", fmt::format("the site '{}' has no site-definition.yaml", site.name));
  error.in(definition_path(site.repository, site.name));
  if (names.empty()) {
    return error.hint("name the folder of the site's repository: strata render --pegleg-site NAME DIR");
  }
  constexpr std::size_t kShown = 10;
  const std::string all = fmt::format("{}{}", fmt::join(std::span(names).first(std::min(kShown, names.size())), ", "),
                                      names.size() > kShown ? ", …" : "");
  return error.hint(
      name_hint(std::vector<std::string_view>(names.begin(), names.end()), site.name, fmt::format("sites: {}", all)));
}

SiteDefinition definition_of(const PeglegSite& site, const FileTree& tree, Session& session) {
  const bool is_name =
      !site.name.empty() && site.name != "." && site.name != ".." && site.name.find('/') == std::string::npos;
  const std::string path = is_name ? definition_path(site.repository, site.name) : std::string();
  auto text = is_name && tree.kind(path) != FileKind::none ? tree.read(path) : std::nullopt;
  if (!text) throw unknown_site(site, tree);
  Sources& sources = session.sources();
  const SourceId source = sources.add(path, std::move(*text));
  std::vector<DefinitionProblem> problems;
  SiteDefinition out = read_definition(sources, source, session.limits(), problems);
  if (problems.empty()) return out;
  std::vector<Diagnostic> all;
  for (DefinitionProblem& one : problems) {
    all.push_back({.code = "deckhand.site-definition",
                   .message = std::move(one.message),
                   .where = one.origin ? excerpt_at(sources, one.origin) : excerpt_of_file(path),
                   .notes = {},
                   .hint = std::move(one.hint)});
  }
  throw Errors(all);
}

}  // namespace

std::vector<PeglegFile> pegleg_files(const PeglegSite& site, const FileTree& tree, Session& session) {
  const SiteDefinition definition = definition_of(site, tree, session);
  const auto has_name = [](std::string_view name) { return [name](const auto& one) { return one.first == name; }; };
  std::vector<std::pair<std::string, std::string>> given;  // The last of a name counts, at the place of the first.
  for (const auto& [name, folder] : site.extra_repositories) {
    const auto known = std::ranges::find_if(given, has_name(name));
    if (known == given.end()) {
      given.emplace_back(name, folder);
    } else {
      known->second = folder;
    }
  }
  std::vector<std::string> names = definition.repositories;
  if (std::erase_if(given, has_name("site")) != 0) {
    session.diagnostics().warn(
        Error("deckhand.repository", "the repository 'site' is that of the site, which -e does not name")
            .hint("give its folder as the argument: strata render --pegleg-site NAME DIR")
            .diagnostic());
  }
  if (names.empty()) {
    // Pegleg takes them all where the definition names none.
    for (const auto& [name, folder] : given) names.push_back(name);
  }
  std::vector<std::string> repositories{site.repository};
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(given, has_name(name));
    if (found == given.end()) {
      throw Error("deckhand.repository",
                  fmt::format("the site '{}' needs the repository '{}', which is not here", site.name, name))
          .in(definition_path(site.repository, site.name))
          .hint(fmt::format("clone it, and name its folder: -e {}=DIR; strata fetches nothing", name));
    }
    if (tree.kind(found->second) != FileKind::folder) {
      throw Error("deckhand.repository", fmt::format("the repository '{}' is not a folder", name))
          .in(found->second)
          .hint("name the folder of a clone that has the wanted revision checked out");
    }
    repositories.push_back(found->second);
  }
  for (const auto& [name, folder] : given) {
    if (std::ranges::find(names, name) != names.end()) continue;
    session.diagnostics().warn(
        Error("deckhand.repository",
              fmt::format("the site '{}' does not name the repository '{}', which is not read", site.name, name))
            .in(definition_path(site.repository, site.name))
            .hint(name_hint(std::vector<std::string_view>(names.begin(), names.end()), name))
            .diagnostic());
  }
  SiteWalk walk(tree, session.snapshot().settings().folder);
  for (const std::string& repository : repositories) {
    walk.add(repository, "global");
    walk.add(repository, "type/" + definition.type);
    walk.add(repository, "site/" + site.name);
  }
  return walk.take();
}

}  // namespace strata::deckhand
