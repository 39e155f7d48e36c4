// SPDX-License-Identifier: Apache-2.0
#include "inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "strata/found_file.hpp"

namespace strata::reclass {
namespace {

constexpr std::array<std::string_view, 2> kEndings{".yml", ".yaml"};
constexpr std::array<std::string_view, 2> kSkipped{"CVS", "SCCS"};

constexpr std::string_view kWhere =
    "name the folder of the inventory with -b, or the folders with --nodes-dir and --classes-dir";

/// The name of a node, of its path below the folder of nodes.
std::string node_name(std::string_view path) {
  return std::string(stem_of(path.substr(path.rfind('/') + 1), kEndings));
}

/// With composed names, `a/b.yml` is `a.b`; folders at the top whose names begin with `_` do not count.
std::string composed_node_name(std::string_view path) {
  if (path.starts_with('_') && path.find('/') != std::string_view::npos) return node_name(path);
  std::string name(stem_of(path, kEndings));
  std::ranges::replace(name, '/', '.');
  return name;
}

/// `a/b.yml` is `a.b`, `a/init.yml` is `a`.
std::string class_name(std::string_view path) {
  std::string name(stem_of(path, kEndings));
  constexpr std::string_view kIndex = "/init";
  if (name.ends_with(kIndex)) name.resize(name.size() - kIndex.size());
  std::ranges::replace(name, '/', '.');
  return name;
}

}  // namespace

Inventory::Inventory(const Settings& settings, const FileTree& tree)
    : nodes(tree, {.path = settings.nodes,
                   .endings = kEndings,
                   .skipped = kSkipped,
                   .name_of = settings.composes_node_names ? composed_node_name : node_name,
                   .dialect = "reclass",
                   .kind = "node",
                   .kinds = "nodes",
                   .where = kWhere,
                   .otherwise = "--all gives all nodes"}),
      classes(tree, {.path = settings.classes,
                     .endings = kEndings,
                     .skipped = kSkipped,
                     .name_of = class_name,
                     .dialect = "reclass",
                     .kind = "class",
                     .kinds = "classes",
                     .where = kWhere,
                     .otherwise = "the class a.b is the file a/b.yml, or a/b/init.yml, of the folder of classes"}) {}

const Inventory& Inventory::of(const Settings& settings, Session& session) {
  const char* const form = settings.composes_node_names ? "composed" : "";
  return session.snapshot().part<Inventory>(fmt::format("{}\n{}\n{}", settings.nodes, settings.classes, form),
                                            [&] { return std::make_shared<Inventory>(settings, session.tree()); });
}

std::vector<std::string> node_names(const Settings& settings, Session& session) {
  return Inventory::of(settings, session).nodes.names();
}

}  // namespace strata::reclass
