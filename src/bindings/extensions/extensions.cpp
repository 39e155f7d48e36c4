// SPDX-License-Identifier: Apache-2.0
#include "extensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "bindings/request/paths.hpp"
#include "lua_code.hpp"
#include "plugin_code.hpp"
#include "strata/found_file.hpp"
#include "strata/refusal.hpp"

namespace strata::bindings::extensions {
namespace {

bool is_script_name(std::string_view name) { return name.ends_with(".lua") && !name.starts_with('.'); }

/// Error `extension.unavailable` where the request cannot continue without a plugin.
void leave_out(Session& session, const std::string& plugin, Origin declared) {
  const Refusal refusal{.kind = Refusal::Kind::program,
                        .what = fmt::format("the plugin {} is not started: what it registers is missing", plugin),
                        .where = excerpt_at(session.sources(), declared)};
  if (continues_without(session, refusal)) return;
  throw Error("extension.unavailable",
              fmt::format("the plugin {} cannot be used: starting processes is not allowed here", plugin))
      .at(session.sources(), declared)
      .hint(way_to_allow(session, Refusal::Kind::program));
}

}  // namespace

/// One file.
struct File {
  SourceId script{};                    ///< Of Lua.
  std::shared_ptr<Plugin> plugin = {};  ///< Null: it is Lua, or refused.
  bool is_refused = false;              ///< It is a plugin, and may not be started.
};

struct Extensions::State {
  Sources& sources;
  const Limits& limits;
  PluginStarter* starter;
  SourceId prelude{};
  std::shared_ptr<Turn> turn = std::make_shared<Turn>();  ///< Of plugins.
  std::vector<std::pair<std::string, File>> files;        ///< By path, in order.
  std::vector<ExtensionDeclaration> declarations;

  [[nodiscard]] bool has(const std::string& path) const {
    return std::ranges::any_of(files, [&](const auto& file) { return file.first == path; });
  }
  void add_script(const std::string& path, std::string bytes) {
    files.emplace_back(path, File{.script = sources.add(path, std::move(bytes))});
  }

  /// Each declaration names something that its file has registered.
  void check(const std::string& path, const Code& code) const {
    for (const ExtensionDeclaration& declaration : declarations) {
      const bool is_here = (declaration.lua.empty() ? declaration.plugin : declaration.lua) == path;
      if (!is_here || (declaration.kind.empty() && declaration.name.empty())) continue;
      const auto fits = [&](const Registration& what) {
        return (declaration.kind.empty() || what.kind == declaration.kind) &&
               (declaration.name.empty() || what.name == declaration.name);
      };
      if (std::ranges::any_of(code.registrations(), fits)) continue;
      std::string all;
      for (const Registration& what : code.registrations())
        all += fmt::format("{}{} '{}'", all.empty() ? "" : ", ", what.kind, what.name);
      throw Error("extension.name", fmt::format("{} does not register the {} '{}'", path,
                                                declaration.kind.empty() ? "extension" : declaration.kind,
                                                declaration.name.empty() ? "…" : declaration.name))
          .at(sources, declaration.origin)
          .hint(all.empty() ? "it registers nothing" : fmt::format("it registers {}", all));
    }
  }

  [[nodiscard]] Origin declared_at(const std::string& path) const {
    for (const ExtensionDeclaration& declaration : declarations) {
      if (declaration.lua == path || declaration.plugin == path) return declaration.origin;
    }
    return {};
  }
};

Extensions::Extensions(Sources& sources, const Limits& limits, PluginStarter* plugins)
    : state_(std::make_unique<State>(
          State{.sources = sources, .limits = limits, .starter = plugins, .files = {}, .declarations = {}})) {
  state_->prelude = sources.add(std::string(kPreludeName), std::string(prelude()));
}

Extensions::~Extensions() = default;

void Extensions::add(const ExtensionDeclaration& declaration, const FileTree& tree) {
  const bool is_plugin = declaration.lua.empty();
  const std::string& path = is_plugin ? declaration.plugin : declaration.lua;
  state_->declarations.push_back(declaration);
  if (state_->has(path)) return;
  if (is_plugin) {
    File file{.is_refused = state_->starter == nullptr};
    if (!file.is_refused) file.plugin = std::make_shared<Plugin>(path, *state_->starter, state_->limits, state_->turn);
    state_->files.emplace_back(path, std::move(file));
    return;
  }
  auto bytes = tree.read(path);
  if (!bytes)
    throw Error("extension.missing", fmt::format("the file {} does not exist", path))
        .at(state_->sources, declaration.origin);
  state_->add_script(path, std::move(*bytes));
}

void Extensions::add_modules(const FileTree& tree, const std::vector<std::string>& modulepath) {
  std::vector<std::string> seen;
  for (const std::string& folder : modulepath) {
    for (const std::string& module : tree.list(folder)) {
      // The first one of a name hides the others.
      if (module.starts_with('.') || std::ranges::find(seen, module) != seen.end()) continue;
      const std::string root = joined(folder, module);
      if (tree.kind(root) != FileKind::folder) continue;
      seen.push_back(module);
      const std::string scripts = joined(root, "lib/strata");
      for (const std::string& name : tree.list(scripts)) {
        const std::string path = joined(scripts, name);
        if (!is_script_name(name) || state_->has(path) || found_kind(tree, path) != FileKind::file) continue;
        auto bytes = tree.read(path);
        // Those that register nothing are data functions of Hiera.
        if (bytes && bytes->find("strata.") != std::string::npos) state_->add_script(path, std::move(*bytes));
      }
    }
  }
}

bool Extensions::empty() const noexcept { return state_->files.empty(); }

std::unique_ptr<Registry> Extensions::open(Session& session) const {
  Sources& sources = session.sources();
  auto registry = std::make_unique<Registry>();
  const auto shared = std::make_shared<Shared>(
      Shared{.sources = sources, .limits = session.limits(), .diagnostics = session.diagnostics()});
  registry->keep(shared);
  registry->context_slot(&shared->context);
  for (const auto& [path, file] : state_->files) {
    if (file.is_refused) {
      leave_out(session, path, state_->declared_at(path));
      continue;
    }
    std::shared_ptr<Code> code;
    try {
      code = file.plugin ? open_plugin(file.plugin, sources, session.limits().stop)
                         : run_script(sources, file.script, state_->prelude, session.limits());
    } catch (const Error& error) {
      if (const Origin at = state_->declared_at(path)) throw Error(error).note(sources, at, "it is declared here");
      throw;
    }
    state_->check(path, *code);
    register_code(*registry, code, shared);
    registry->keep(code);
  }
  return registry;
}

}  // namespace strata::bindings::extensions
