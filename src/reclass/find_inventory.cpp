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
    if (!is_inventory(folder)) {
      const std::string further = below(folder, has_file ? named_folder(folder) : std::string(kKapitanFolder));
      if (has_file || is_of_kapitan(further)) out.base = further;
    }
    if (has_file || is_file(std::string(kKapitanFile)) || is_of_kapitan(out.base)) out.compat = Compat::kapitan;
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

  /// The folder that `.kapitan` names: options by command, and for all of them.
  [[nodiscard]] std::string named_folder(const std::string& folder) {
    const std::string path = below(folder, kKapitanFile);
    auto text = tree_.read(path);
    if (!text) return std::string(kKapitanFolder);
    Sources& sources = session_.sources();
    const text::Document document =
        text::read_yaml(sources, sources.add(path, *std::move(text)), text::pyyaml(), session_.limits());
    const Value* found = nullptr;
    for (const std::string_view command : {"inventory", "compile", "global"}) {
      const Value* options = document.root.is_mapping() ? document.root.find(command) : nullptr;
      if (found == nullptr && options != nullptr && options->is_mapping()) found = options->find("inventory-path");
    }
    if (found == nullptr || found->is_null()) return std::string(kKapitanFolder);
    if (found->is_text() && !found->text().empty()) {
      std::string_view name = found->text();
      while (name.starts_with("./")) name.remove_prefix(2);
      while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
      return std::string(name);
    }
    throw Error("reclass.config", "'inventory-path' must be the name of a folder").at(sources, found->origin());
  }

  Session& session_;
  const FileTree& tree_;
};

}  // namespace

InventoryPlace find_inventory(const std::string& folder, Session& session) {
  return InventorySearch(session).run(folder);
}

}  // namespace strata::reclass
