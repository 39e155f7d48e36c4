#include "inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "strata/found_file.hpp"
#include "strata/near_names.hpp"

namespace strata::reclass {
namespace {

constexpr std::array<std::string_view, 2> kEndings{".yml", ".yaml"};
constexpr std::array<std::string_view, 2> kSkipped{"CVS", "SCCS"};

/// The name of a class, of its path below the folder of classes: `a/b.yml` is `a.b`, `a/init.yml` is `a`.
std::string class_name(std::string_view path) {
  std::string name(stem_of(path, kEndings));
  constexpr std::string_view kIndex = "/init";
  if (name.ends_with(kIndex)) name.resize(name.size() - kIndex.size());
  std::ranges::replace(name, '/', '.');
  return name;
}

std::string node_name(std::string_view path) { return std::string(stem_of(path.substr(path.rfind('/') + 1), kEndings)); }

Inventory::Files files_of(const FileTree& tree, const std::string& folder, std::string_view what, std::string (*name_of)(std::string_view)) {
  if (tree.kind(folder) != FileKind::folder) {
    throw Error("reclass.folder", fmt::format("there is no folder of {}", what)).in(folder).hint("name it with --nodes-dir and --classes-dir");
  }
  Inventory::Files out;
  for (std::string& path : files_in(tree, folder, {.endings = kEndings, .below = true, .skipped = kSkipped, .code = "reclass.folder"})) {
    const std::string_view below = std::string_view(path).substr(path_in(folder, "").size());
    const auto [same, is_new] = out.try_emplace(name_of(below), Inventory::File{.path = path});
    if (is_new) continue;
    throw Error("reclass.duplicate", fmt::format("two files of {} have the name '{}'", what, same->first))
        .in(path)
        .hint(fmt::format("the other one is {}", same->second.path));
  }
  return out;
}

Error unknown(std::string code, const Inventory::Files& files, std::string_view what, std::string_view name, std::string_view otherwise) {
  std::vector<std::string_view> names;
  for (const auto& file : files) names.emplace_back(file.first);
  return Error(std::move(code), fmt::format("there is no {} '{}'", what, name)).hint(name_hint(names, name, std::string(otherwise)));
}

std::shared_ptr<const Entity> read(const std::string& path, Session& session, bool is_shared) {
  std::shared_ptr<const Entity> entity;
  if (is_shared) {
    entity = session.read<Entity>(path, "reclass", Entity::read);
  } else if (auto text = session.snapshot().tree_below().read(path)) {
    entity = Entity::read(session.sources(), session.sources().add(path, std::move(*text)), session.limits()).parsed;
    session.keep(entity);
  }
  if (!entity) throw Error("reclass.folder", "the file is gone").in(path);
  return entity;
}

}  // namespace

Inventory::Inventory(const Settings& settings, const FileTree& tree)
    : nodes_(files_of(tree, settings.nodes, "nodes", node_name)), classes_(files_of(tree, settings.classes, "classes", class_name)) {}

const Inventory& Inventory::of(const Settings& settings, Session& session) {
  return session.snapshot().part<Inventory>(fmt::format("{}\n{}", settings.nodes, settings.classes),
                                            [&] { return std::make_shared<Inventory>(settings, session.tree()); });
}

std::shared_ptr<const Entity> Inventory::node(const std::string& name, bool is_shared, Session& session) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) throw unknown("reclass.node", nodes_, "node", name, "--all gives all nodes");
  return read(found->second.path, session, is_shared);
}

std::shared_ptr<const Entity> Inventory::class_of(std::string_view name, Origin place, Session& session) const {
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    throw unknown("reclass.class", classes_, "class", name, "the class a.b is the file a/b.yml, or a/b/init.yml, of the folder of classes")
        .at(session.sources(), place);
  }
  const auto& [path, known] = found->second;
  {
    // Nodes ask for few classes again and again.
    const std::lock_guard lock(mutex_);
    if (known != nullptr) {
      session.keep(known);
      return known;
    }
  }
  auto entity = read(path, session, true);
  const std::lock_guard lock(mutex_);
  return known = std::move(entity);
}

std::vector<std::string> node_names(const Settings& settings, Session& session) {
  std::vector<std::string> names;
  for (const auto& node : Inventory::of(settings, session).nodes()) names.push_back(node.first);
  return names;
}

}  // namespace strata::reclass
