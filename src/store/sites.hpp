// SPDX-License-Identifier: Apache-2.0
// Sites: trees of files, their generations, and the nodes whose facts are stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/blobs.hpp"
#include "store/keys.hpp"
#include "store/projects.hpp"

namespace strata::store {

struct Site {
  std::string name = {};
  std::string dialect = {};
  std::string kind = {};                   ///< `path`, `git`, `upload`
  std::optional<std::string> source = {};  ///< A folder or a repository.
  std::optional<std::string> ref = {};
  std::string options = {};  ///< JSON.
  std::int64_t generation = 0;
  friend bool operator==(const Site&, const Site&) = default;
};
/// Adds a site to a locked project, or replaces what it has, but for its generation.
void put_site(Transaction& transaction, const Project& project, const Site& site);
[[nodiscard]] std::optional<Site> find_site(Transaction& transaction, const Project& project, std::string_view name);
/// The sites, by name.
[[nodiscard]] std::vector<Site> sites(Transaction& transaction, const Project& project);
/// Removes a site with its trees and nodes. False if there is none.
[[nodiscard]] bool remove_site(Transaction& transaction, const Project& project, std::string_view name);

/// A file of a tree.
struct TreeFile {
  std::string path = {};
  std::int64_t mode = 0;  ///< Permissions.
  BlobId text = {};
  friend bool operator==(const TreeFile&, const TreeFile&) = default;
};
/// The files of one generation of a site.
struct SiteTree {
  std::int64_t generation = 0;
  std::vector<TreeFile> files = {};  ///< By path.
  std::string author = {};
  std::string message = {};
  std::int64_t created_at = 0;
  friend bool operator==(const SiteTree&, const SiteTree&) = default;
};
inline constexpr std::int64_t kKeptTrees = 50;
/// Stores the next generation of a site of a locked project; number and time are set. The last `kKeptTrees` are kept.
/// The texts must be there (put_secret_blobs). False if there is no such site, or if its generation is not
/// `tree.generation`: nothing is changed.
[[nodiscard]] bool add_tree(Transaction& transaction, const Project& project, std::string_view site, SiteTree& tree);
[[nodiscard]] std::optional<SiteTree> find_tree(Transaction& transaction, const Project& project, std::string_view site,
                                                std::int64_t generation);

/// The files of a tree as the text of a blob: a line `MODE HASH PATH` a file, the path in percent encoding.
[[nodiscard]] std::string manifest_text(const std::vector<TreeFile>& files);
/// Error `store.damaged`.
[[nodiscard]] std::vector<TreeFile> read_manifest(std::string_view text);

struct Node {
  std::string name = {};
  std::string facts = {};  ///< JSON.
  std::int64_t generation = 0;
  std::int64_t seen_at = 0;
  friend bool operator==(const Node&, const Node&) = default;
};
/// Adds a node to a site of a locked project, or replaces its facts. Its time is set, and its generation: if the facts
/// are others, the number of the project's next change, so that no other node of the name ever has it. Facts are stored
/// as put_secret_blobs does.
void put_node(Transaction& transaction, const Keyring& keys, const Project& project, std::string_view site, Node& node);
/// Errors: those of `open`.
[[nodiscard]] std::optional<Node> find_node(Transaction& transaction, const Keyring& keys, const Project& project,
                                            std::string_view site, std::string_view name);
/// The generation of a node. No value: there is none.
[[nodiscard]] std::optional<std::int64_t> node_generation(Transaction& transaction, const Project& project,
                                                          std::string_view site, std::string_view name);
/// False if there is none.
[[nodiscard]] bool remove_node(Transaction& transaction, const Project& project, std::string_view site,
                               std::string_view name);
/// The nodes of a site, by name. Errors: those of `open`.
[[nodiscard]] std::vector<Node> nodes(Transaction& transaction, const Keyring& keys, const Project& project,
                                      std::string_view site);
/// Their names, in order.
[[nodiscard]] std::vector<std::string> node_names(Transaction& transaction, const Project& project,
                                                  std::string_view site);

}  // namespace strata::store
