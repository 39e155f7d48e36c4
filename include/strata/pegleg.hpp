// SPDX-License-Identifier: Apache-2.0
// Sites of Pegleg: which files of which repositories belong to a site, and Pegleg's lint rules. Rules:
// docs/deckhand/pegleg.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/deckhand.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/session.hpp"

namespace strata::deckhand {

/// A site and the folders of its repositories.
struct PeglegSite {
  std::string name;
  std::string repository = ".";  ///< The one with `site/NAME/site-definition.yaml`.
  /// The folders of others, by their names in the definition. Of several with one name, the last counts.
  std::vector<std::pair<std::string, std::string>> extra_repositories = {};
};

/// A file of a site.
struct PeglegFile {
  std::string path;
  std::string below;  ///< The same from its repository: `site/lab/secrets/a.yaml`.
};

/// The files of a site in Pegleg's order: those of the site's repository, then of the others as the definition names
/// them; in each `global`, `type/TYPE` and `site/NAME`. Only names that end in `.yaml` and do not begin with a dot, and
/// none below a folder `tools`. In a folder its files come before its folders, each by name. Folders that do not exist,
/// and linked ones, have no files.
///
/// Warning: `deckhand.repository`, for a repository that the definition does not name. Errors: `deckhand.site` (no such
/// site; the hint names a similar one), `deckhand.site-definition` (it is not one), `deckhand.repository` (the
/// definition names a repository without a folder; nothing is fetched), `deckhand.input`, those of the tree and of
/// reading.
[[nodiscard]] std::vector<PeglegFile> pegleg_files(const PeglegSite& site, const FileTree& tree, Session& session);

/// A file and what is in it.
struct LintedFile {
  Stream stream;
  std::string below = {};  ///< As PeglegFile::below. Empty: it is of no site.
};

/// Something that Pegleg's `lint` reports.
struct LintFinding {
  std::string_view rule;  ///< `P001`.
  std::string file;
  Excerpt where;  ///< Without the line where documents may hold secrets.
  std::string message;
  std::string hint;
};

/// Looks for what Pegleg's rules refuse in files: P001 and P004 in all, P006, P008 and P009 in those of a site. Files
/// that cannot be parsed have no findings but P006: rendering reports them. `sources` receives their contents.
[[nodiscard]] std::vector<LintFinding> lint(std::vector<LintedFile> files, Sources& sources, const Limits& limits);

/// The same for the folders of sites in a repository: P010 and P011.
[[nodiscard]] std::vector<LintFinding> lint_sites(const std::string& repository, const FileTree& tree, Sources& sources,
                                                  const Limits& limits);

}  // namespace strata::deckhand
