#include "lua_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lua_context.hpp"
#include "pathname.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// What a script and a module may be called: nothing that leads elsewhere.
bool is_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

std::optional<SourceId> LuaScripts::find(std::string_view name, std::string_view module) {
  const std::lock_guard lock(mutex_);
  const std::string question = fmt::format("{}\n{}", module, name);
  const auto known = found_.find(question);
  if (known != found_.end()) return known->second;
  return found_.emplace(question, search(name, module)).first->second;
}

SourceId LuaScripts::context() {
  const std::lock_guard lock(mutex_);
  if (!context_) context_ = directory_.sources.add(std::string(kContextName), std::string(context_script()));
  return *context_;
}

/// The folders that hold `lib/strata`, in the order in which they are searched.
std::vector<std::string> LuaScripts::folders(std::string_view module) const {
  std::vector<std::string> out;
  if (!module.empty()) out.push_back(directory_.module_folder(module));
  if (!directory_.environment_folder.empty()) out.push_back(directory_.environment_folder);
  for (const std::string& path : directory_.module_path) {
    for (const std::string& name : directory_.tree->list(path)) {
      std::string folder = join_path(path, name);
      // One of that name may stand earlier on the module path and hide it.
      if (is_name(name) && directory_.module_folder(name) == folder) out.push_back(std::move(folder));
    }
  }
  return out;
}

std::optional<SourceId> LuaScripts::search(std::string_view name, std::string_view module) {
  const auto file = [](const std::string& folder, std::string_view script) { return join_path(folder, fmt::format("lib/strata/{}.lua", script)); };
  const std::size_t colons = name.find("::");
  if (colons != std::string_view::npos) {
    const std::string_view script = name.substr(colons + 2);
    const std::string folder = directory_.module_folder(name.substr(0, colons));
    return folder.empty() || !is_name(script) ? std::nullopt : read(file(folder, script));
  }
  if (!is_name(name)) return std::nullopt;
  for (const std::string& folder : folders(module)) {
    if (const auto source = read(file(folder, name))) return source;
  }
  return std::nullopt;
}

std::optional<SourceId> LuaScripts::read(const std::string& path) {
  const auto known = read_.find(path);
  if (known != read_.end()) return known->second;
  auto bytes = directory_.tree->read(path);
  std::optional<SourceId> source;
  if (bytes) source = directory_.sources.add(path, std::move(*bytes));
  read_.emplace(path, source);
  return source;
}

}  // namespace strata::hiera
