// SPDX-License-Identifier: Apache-2.0
#include "strata/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "bindings/queries/inventory.hpp"
#include "bindings/site/node.hpp"
#include "session/snapshot_state.hpp"
#include "strata/paths.hpp"
#include "value/lock_while_running.hpp"

namespace strata::site {

detail::SiteState::SiteState(const Settings& settings, Snapshot& snapshot, std::string name)
    : snapshot_(snapshot),
      name_(std::move(name)),
      texts_(snapshot.engine().locations(), snapshot.settings().folder),
      inventory_text_(settings.inventory) {}

detail::SiteState& detail::SiteState::of(const Settings& settings, Snapshot& snapshot) {
  std::string inventory;
  if (settings.inventory) {
    const ContentId id = content_id(settings.inventory->text);
    inventory = fmt::format("{}\n{:016x}{:016x}", settings.inventory->name, id.high, id.low);
  }
  const std::string name = fmt::format("{}\n{}\n{}\n{}\n{}", settings.confdir, settings.environments_file,
                                       settings.environment_root, settings.strict, inventory);
  return snapshot.part<SiteState>(name, [&] { return std::make_shared<SiteState>(settings, snapshot, name); });
}

bindings::QueryService* detail::SiteState::inventory(const Stop* stop) {
  const auto lock = strata::detail::lock_while_running(mutex_, stop);
  if (!inventory_ && inventory_text_) {
    if (!inventory_source_) inventory_source_ = texts_.add(inventory_text_->name, inventory_text_->text);
    Limits limits = snapshot_.settings().limits;
    limits.stop = stop;
    inventory_ = bindings::queries::read_inventory(texts_, *inventory_source_, limits);
  }
  return inventory_.get();
}

/// Extensions with their contents. An extension that cannot be opened leaves no contents behind.
struct detail::SiteState::ModuleExtensions {
  ModuleExtensions(Snapshot& snapshot, PluginStarter* plugins, std::vector<bindings::ExtensionDeclaration> declared)
      : limits(snapshot.settings().limits),
        texts(snapshot.engine().locations(), snapshot.settings().folder),
        extensions(texts, limits, plugins),
        declarations(std::move(declared)) {}

  /// Whether they are those of `declared` after some files have changed. Processes are those of one Snapshot: their
  /// programs may have been replaced.
  [[nodiscard]] bool hold(const std::vector<bindings::ExtensionDeclaration>& declared,
                          std::span<const std::string> changed) const {
    const auto is_read = [this](const std::string& path) {
      const auto names = [&path](const bindings::ExtensionDeclaration& each) {
        return absolute_path("/", each.lua) == path;
      };
      return path.ends_with(".lua") || std::ranges::any_of(declarations, names);
    };
    const auto is_process = [](const bindings::ExtensionDeclaration& each) { return each.lua.empty(); };
    return declarations == declared && std::ranges::none_of(declarations, is_process) &&
           std::ranges::none_of(changed, is_read);
  }

  Limits limits;
  Sources texts;
  bindings::extensions::Extensions extensions;
  std::vector<bindings::ExtensionDeclaration> declarations;
};

const bindings::extensions::Extensions& detail::SiteState::extensions(const bindings::Configuration& configuration,
                                                                      const bindings::Environment& environment,
                                                                      const Stop* stop) {
  const auto lock = strata::detail::lock_while_running(mutex_, stop);
  auto& known = extensions_[environment.modulepath];
  if (known == nullptr) {
    // Those of an earlier Snapshot, where no script has changed.
    const std::string name = fmt::format("{}\n{}", name_, fmt::join(environment.modulepath, "\n"));
    known = strata::detail::inherited_part<ModuleExtensions>(
        snapshot_, name, [&](const std::shared_ptr<ModuleExtensions>& before, std::span<const std::string> changed) {
          if (before && before->hold(configuration.extensions, changed)) return before;
          Host* host = snapshot_.settings().host;
          auto made = std::make_shared<ModuleExtensions>(snapshot_, host == nullptr ? nullptr : host->plugins(),
                                                         configuration.extensions);
          for (const bindings::ExtensionDeclaration& declaration : configuration.extensions)
            made->extensions.add(declaration, snapshot_.tree());
          made->extensions.add_modules(snapshot_.tree(), environment.modulepath);
          return made;
        });
  }
  return known->extensions;
}

bindings::Findings check(const Settings& settings, const NodeInputs& inputs, Session& session) {
  // All diagnostics go into the findings, and nowhere else.
  Session own = Session::beside(session);
  detail::NodeState node(settings, own);
  bindings::Findings findings;
  try {
    node.prepare(inputs);
    findings = bindings::check(node.site.preparations(), node.request, node.services(), own);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    findings.errors = error.all();
  }
  // The findings name the environment and the manifest as well, and include the warnings of earlier steps.
  if (!node.request->environment.confdir.empty()) findings.environment = node.request->environment.name;
  findings.manifest = node.request->environment.manifest;
  const std::vector<Diagnostic>& warnings = own.diagnostics().warnings();
  findings.warnings.insert(findings.warnings.begin(), warnings.begin(), warnings.end());
  return findings;
}

}  // namespace strata::site
