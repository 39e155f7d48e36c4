// SPDX-License-Identifier: Apache-2.0
#include "lua_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pathname.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// What a script and a module may be called: nothing that leads elsewhere.
bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// The folders that hold `lib/strata`, in the order in which they are searched.
std::vector<std::string> folders(const detail::DirectoryState& directory, std::string_view module) {
  std::vector<std::string> out;
  if (!module.empty()) out.push_back(directory.module_folder(module));
  if (!directory.environment_folder.empty()) out.push_back(directory.environment_folder);
  for (const std::string& path : directory.module_path) {
    for (const std::string& name : directory.snapshot.tree().list(path)) {
      std::string folder = join_path(path, name);
      // One of that name may stand earlier on the module path and hide it.
      if (is_name(name) && directory.module_folder(name) == folder) out.push_back(std::move(folder));
    }
  }
  return out;
}

}  // namespace

std::optional<Snapshot::Text> find_script(const detail::DirectoryState& directory, std::string_view name,
                                          std::string_view module, const Stop* stop) {
  const auto read = [&](const std::string& folder, std::string_view script) {
    return directory.snapshot.text(join_path(folder, fmt::format("lib/strata/{}.lua", script)), stop);
  };
  const std::size_t colons = name.find("::");
  if (colons != std::string_view::npos) {
    const std::string_view script = name.substr(colons + 2);
    const std::string folder = directory.module_folder(name.substr(0, colons));
    return folder.empty() || !is_name(script) ? std::nullopt : read(folder, script);
  }
  if (!is_name(name)) return std::nullopt;
  for (const std::string& folder : folders(directory, module)) {
    if (auto script = read(folder, name)) return script;
  }
  return std::nullopt;
}

}  // namespace strata::hiera
