// SPDX-License-Identifier: Apache-2.0
#include "sites.hpp"

#include <fmt/format.h>

#include <charconv>

#include "store/encoding.hpp"
#include "store/secret_blobs.hpp"
#include "strata/error.hpp"

namespace strata::store {
namespace {

Site site_of(const Row& row) {
  return {.name = row.text(0),
          .dialect = row.text(1),
          .kind = row.text(2),
          .source = row.maybe_text(3),
          .ref = row.maybe_text(4),
          .options = unpacked(row.bytes(6), row.integer(7)),
          .generation = row.integer(5)};
}

Node node_of(const Row& row, const Keyring& keys, const Project& project) {
  return {.name = row.text(0),
          .facts = secret_text(row, 3, keys, project),
          .generation = row.integer(1),
          .seen_at = row.integer(2)};
}

/// A statement for nodes, up to the conditions besides project and site.
std::string select_nodes() {
  return fmt::format(
      "SELECT n.name, n.generation, n.seen_at, {} FROM node n LEFT JOIN blob b ON b.hash = n.facts {} WHERE n.project "
      "= $1 AND n.site = $2",
      kSecretColumns, kSecretTables);
}

Error bad_manifest() {
  return Error("store.damaged", "the list of a tree's files cannot be read").hint("strata store check");
}

/// Blanks, control characters and `%` of a path. Other bytes stay, so that lists of files compress well and can be
/// read.
std::string encoded(std::string_view path) {
  std::string out;
  for (const char byte : path) {
    const auto value = static_cast<unsigned char>(byte);
    if (value <= ' ' || value == '%' || value == 0x7F) {
      out += '%' + hex(std::string_view(&byte, 1));
    } else {
      out += byte;
    }
  }
  return out;
}

std::string decoded(std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (path[at] != '%') {
      out += path[at];
      continue;
    }
    const auto byte = at + 3 <= path.size() ? from_hex(path.substr(at + 1, 2)) : std::nullopt;
    if (!byte) throw bad_manifest();
    out += *byte;
    at += 2;
  }
  return out;
}

}  // namespace

void put_site(Transaction& transaction, const Project& project, const Site& site) {
  const BlobId options = put_blob(transaction, site.options);
  transaction.send(
      R"(INSERT INTO site (project, name, dialect, kind, source, ref, options, generation) VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
         ON CONFLICT (project, name) DO UPDATE SET dialect = $3, kind = $4, source = $5, ref = $6, options = $7)",
      {project.id, site.name, site.dialect, site.kind, site.source, site.ref, Bytes{options}});
}

std::optional<Site> find_site(Transaction& transaction, const Project& project, std::string_view name) {
  const Rows rows = transaction.run(
      R"(SELECT s.name, s.dialect, s.kind, s.source, s.ref, s.generation, b.bytes, b.size FROM site s LEFT JOIN blob b ON b.hash = s.options
         WHERE s.project = $1 AND s.name = $2)",
      {project.id, name});
  return rows.empty() ? std::nullopt : std::optional(site_of(rows.front()));
}

std::vector<Site> sites(Transaction& transaction, const Project& project) {
  std::vector<Site> found;
  const Rows rows = transaction.run(
      R"(SELECT s.name, s.dialect, s.kind, s.source, s.ref, s.generation, b.bytes, b.size FROM site s LEFT JOIN blob b ON b.hash = s.options
         WHERE s.project = $1 ORDER BY s.name)",
      {project.id});
  for (const Row row : rows) found.push_back(site_of(row));
  return found;
}

bool remove_site(Transaction& transaction, const Project& project, std::string_view name) {
  transaction.send("DELETE FROM node WHERE project = $1 AND site = $2", {project.id, name});
  transaction.send("DELETE FROM site_tree WHERE project = $1 AND site = $2", {project.id, name});
  return transaction.run("DELETE FROM site WHERE project = $1 AND name = $2", {project.id, name}).changed() != 0;
}

bool add_tree(Transaction& transaction, const Project& project, std::string_view site, SiteTree& tree) {
  const Rows done = transaction.run(
      "UPDATE site SET generation = generation + 1 WHERE project = $1 AND name = $2 AND generation = $3",
      {project.id, site, tree.generation});
  if (done.changed() == 0) return false;
  ++tree.generation;
  tree.created_at = now();
  const BlobId manifest = put_blob(transaction, manifest_text(tree.files));
  transaction.send(
      "INSERT INTO site_tree (project, site, generation, manifest, author, message, created_at) VALUES ($1, $2, $3, "
      "$4, $5, $6, $7)",
      {project.id, site, tree.generation, Bytes{manifest}, tree.author, tree.message, tree.created_at});
  transaction.send("DELETE FROM site_tree WHERE project = $1 AND site = $2 AND generation <= $3",
                   {project.id, site, tree.generation - kKeptTrees});
  return true;
}

std::optional<SiteTree> find_tree(Transaction& transaction, const Project& project, std::string_view site,
                                  std::int64_t generation) {
  const Rows rows = transaction.run(
      R"(SELECT t.author, t.message, t.created_at, b.bytes, b.size FROM site_tree t LEFT JOIN blob b ON b.hash = t.manifest
         WHERE t.project = $1 AND t.site = $2 AND t.generation = $3)",
      {project.id, site, generation});
  if (rows.empty()) return std::nullopt;
  const Row row = rows.front();
  return SiteTree{.generation = generation,
                  .files = read_manifest(unpacked(row.bytes(3), row.integer(4))),
                  .author = row.text(0),
                  .message = row.text(1),
                  .created_at = row.integer(2)};
}

std::string manifest_text(const std::vector<TreeFile>& files) {
  std::string out;
  for (const TreeFile& file : files) out += fmt::format("{:o} {} {}\n", file.mode, hex(file.text), encoded(file.path));
  return out;
}

std::vector<TreeFile> read_manifest(std::string_view text) {
  std::vector<TreeFile> files;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t first = line.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
    if (end == std::string_view::npos || second == std::string_view::npos) throw bad_manifest();
    TreeFile file;
    const auto [stop, problem] = std::from_chars(line.data(), line.data() + first, file.mode, 8);
    const auto id = from_hex(line.substr(first + 1, second - first - 1));
    if (problem != std::errc() || stop != line.data() + first || !id || id->size() != 32) throw bad_manifest();
    file.text = *id;
    file.path = decoded(line.substr(second + 1));
    files.push_back(std::move(file));
    text.remove_prefix(end + 1);
  }
  return files;
}

void put_node(Transaction& transaction, const Keyring& keys, const Project& project, std::string_view site,
              Node& node) {
  const BlobId facts = put_secret_blob(transaction, keys, project, node.facts);
  node.seen_at = now();
  const Rows rows = transaction.run(
      R"(INSERT INTO node (project, site, name, facts, generation, seen_at) VALUES ($1, $2, $3, $4, $6, $5)
         ON CONFLICT (project, site, name) DO UPDATE SET facts = $4, seen_at = $5,
           generation = CASE WHEN node.facts = $4 THEN node.generation ELSE $6 END
         RETURNING generation)",
      {project.id, site, node.name, Bytes{facts}, node.seen_at, project.last_change + 1});
  node.generation = rows.front().integer(0);
}

std::optional<Node> find_node(Transaction& transaction, const Keyring& keys, const Project& project,
                              std::string_view site, std::string_view name) {
  const Rows rows = transaction.run(select_nodes() + " AND n.name = $3", {project.id, site, name});
  return rows.empty() ? std::nullopt : std::optional(node_of(rows.front(), keys, project));
}

std::optional<std::int64_t> node_generation(Transaction& transaction, const Project& project, std::string_view site,
                                            std::string_view name) {
  const Rows rows = transaction.run("SELECT generation FROM node WHERE project = $1 AND site = $2 AND name = $3",
                                    {project.id, site, name});
  return rows.empty() ? std::nullopt : std::optional(rows.front().integer(0));
}

bool remove_node(Transaction& transaction, const Project& project, std::string_view site, std::string_view name) {
  return transaction.run("DELETE FROM node WHERE project = $1 AND site = $2 AND name = $3", {project.id, site, name})
             .changed() != 0;
}

std::vector<Node> nodes(Transaction& transaction, const Keyring& keys, const Project& project, std::string_view site) {
  std::vector<Node> found;
  for (const Row row : transaction.run(select_nodes() + " ORDER BY n.name", {project.id, site}))
    found.push_back(node_of(row, keys, project));
  return found;
}

std::vector<std::string> node_names(Transaction& transaction, const Project& project, std::string_view site) {
  std::vector<std::string> found;
  for (const Row row :
       transaction.run("SELECT name FROM node WHERE project = $1 AND site = $2 ORDER BY name", {project.id, site})) {
    found.push_back(row.text(0));
  }
  return found;
}

}  // namespace strata::store
