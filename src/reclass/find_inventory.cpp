// SPDX-License-Identifier: Apache-2.0
// Finds an inventory, and whose rules count, by what folders hold.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "strata/error.hpp"
#include "strata/found_file.hpp"
#include "strata/kind_inside.hpp"
#include "strata/reclass.hpp"
#include "strata/text.hpp"

namespace strata::reclass {
namespace {

constexpr std::string_view kKapitanFile = ".kapitan";
constexpr std::string_view kKapitanFolder = "inventory";  ///< Where Kapitan looks by default.

std::string below(const std::string& folder, std::string_view name) {
  return folder.empty() || name.starts_with('/') ? std::string(name) : path_in(folder, name);
}

class InventorySearch {
 public:
  explicit InventorySearch(Session& session) : session_(session), tree_(session.tree()) {}

  InventoryPlace run(const std::string& folder) {
    InventoryPlace out{.base = folder};
    const bool has_file = is_file(below(folder, kKapitanFile));
    const bool has_file_here = has_file || is_file(std::string(kKapitanFile));
    if (has_file_here) read_options(has_file ? below(folder, kKapitanFile) : std::string(kKapitanFile));
    if (!is_inventory(folder)) {
      const std::string further = below(folder, has_file ? named_folder() : std::string(kKapitanFolder));
      if (has_file || is_of_kapitan(further)) out.base = further;
    }
    if (has_file_here || is_of_kapitan(out.base)) out.compat = Compat::kapitan;
    out.composes_node_names = is_on("compose-target-name") || is_on("compose-node-name");
    return out;
  }

 private:
  [[nodiscard]] bool has_folder(const std::string& folder, std::string_view name) const {
    return kind_inside(tree_, below(folder, name)) == FileKind::folder;
  }
  [[nodiscard]] bool is_file(const std::string& path) const { return kind_inside(tree_, path) == FileKind::file; }
  [[nodiscard]] bool is_inventory(const std::string& folder) const {
    return is_file(below(folder, kConfigName)) ||
           std::ranges::any_of(std::array<std::string_view, 3>{"nodes", "targets", "classes"},
                               [&](std::string_view name) { return has_folder(folder, name); });
  }
  [[nodiscard]] bool is_of_kapitan(const std::string& folder) const {
    return has_folder(folder, "targets") && has_folder(folder, "classes") && !has_folder(folder, "nodes");
  }

  void read_options(const std::string& path) {
    auto text = tree_.read(path);
    if (!text) return;
    Sources& sources = session_.sources();
    options_ = text::read_yaml(sources, sources.add(path, *std::move(text)), text::pyyaml(), session_.limits());
    const Value* backend = option("inventory-backend");
    if (backend == nullptr || !backend->is_text() || backend->text().starts_with("reclass")) return;
    session_.diagnostics().warn(
        Error("reclass.setting",
              fmt::format("the inventory back end '{}' has other rules than reclass, which strata follows",
                          text::shown_key(backend->text())))
            .at(sources, backend->origin())
            .diagnostic());
  }

  /// An option of `.kapitan`: of a command, or else of all. Null: it is not given.
  [[nodiscard]] const Value* option(std::string_view name) const {
    const Value& root = options_.root;
    for (const std::string_view command : {"inventory", "compile", "global"}) {
      const Value* options = root && root.is_mapping() ? root.find(command) : nullptr;
      const Value* found = options != nullptr && options->is_mapping() ? options->find(name) : nullptr;
      if (found != nullptr && !found->is_null()) return found;
    }
    return nullptr;
  }

  [[nodiscard]] bool is_on(std::string_view name) const {
    const Value* found = option(name);
    if (found == nullptr) return false;
    if (found->kind() == Kind::boolean) return found->as_boolean();
    throw Error("reclass.config", fmt::format("'{}' must be true or false", name))
        .at(session_.sources(), found->origin());
  }

  /// The folder that `.kapitan` names.
  [[nodiscard]] std::string named_folder() const {
    const Value* found = option("inventory-path");
    if (found == nullptr) return std::string(kKapitanFolder);
    if (found->is_text() && !found->text().empty()) {
      std::string_view name = found->text();
      while (name.starts_with("./")) name.remove_prefix(2);
      while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
      return std::string(name);
    }
    throw Error("reclass.config", "'inventory-path' must be the name of a folder")
        .at(session_.sources(), found->origin());
  }

  Session& session_;
  const FileTree& tree_;
  text::Document options_;  ///< Of `.kapitan`. Without a root: there is none.
};

}  // namespace

InventoryPlace find_inventory(const std::string& folder, Session& session) {
  return InventorySearch(session).run(folder);
}

}  // namespace strata::reclass
