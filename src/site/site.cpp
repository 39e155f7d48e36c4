#include "strata/site.hpp"

#include <fmt/format.h>

#include <utility>

#include "bindings/queries/inventory.hpp"
#include "site/node.hpp"
#include "value/lock_while_running.hpp"

namespace strata::site {

detail::SiteState::SiteState(const Settings& settings, Snapshot& snapshot)
    : snapshot_(snapshot), texts_(snapshot.engine().locations(), snapshot.settings().folder), inventory_text_(settings.inventory) {}

detail::SiteState& detail::SiteState::of(const Settings& settings, Snapshot& snapshot) {
  std::string inventory;
  if (settings.inventory) {
    const ContentId id = content_id(settings.inventory->text);
    inventory = fmt::format("{}\n{:016x}{:016x}", settings.inventory->name, id.high, id.low);
  }
  const std::string name =
      fmt::format("{}\n{}\n{}\n{}\n{}", settings.confdir, settings.environments_file, settings.environment_root, settings.strict, inventory);
  return snapshot.part<SiteState>(name, [&] { return std::make_shared<SiteState>(settings, snapshot); });
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

/// Extensions with their texts: what cannot be opened leaves none behind.
struct detail::SiteState::ModuleExtensions {
  ModuleExtensions(Snapshot& snapshot, PluginStarter* plugins)
      : texts(snapshot.engine().locations(), snapshot.settings().folder), extensions(texts, snapshot.settings().limits, plugins) {}
  Sources texts;
  bindings::extensions::Extensions extensions;
};

const bindings::extensions::Extensions& detail::SiteState::extensions(const bindings::Configuration& configuration,
                                                                      const bindings::Environment& environment, const Stop* stop) {
  const auto lock = strata::detail::lock_while_running(mutex_, stop);
  auto& known = extensions_[environment.modulepath];
  if (known == nullptr) {
    Host* host = snapshot_.settings().host;
    auto made = std::make_shared<ModuleExtensions>(snapshot_, host == nullptr ? nullptr : host->plugins());
    for (const bindings::ExtensionDeclaration& declaration : configuration.extensions) made->extensions.add(declaration, snapshot_.tree());
    made->extensions.add_modules(snapshot_.tree(), environment.modulepath);
    known = std::move(made);
  }
  return known->extensions;
}

bindings::Findings check(const Settings& settings, const NodeInputs& inputs, Session& session) {
  // What is told is among the findings, and nowhere else.
  Session own = Session::beside(session);
  detail::NodeState node(settings, own);
  bindings::Findings findings;
  try {
    node.prepare(inputs);
    findings = bindings::check(node.site.preparations(), node.request, node.services(), own);
  } catch (const Errors& errors) {
    if (errors.ends_request()) throw;
    findings.errors = errors.all();
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    findings.errors.push_back(error.diagnostic());
  }
  // What the steps before found is told as well, and where they came to.
  if (!node.request->environment.confdir.empty()) findings.environment = node.request->environment.name;
  findings.manifest = node.request->environment.manifest;
  const std::vector<Diagnostic>& warnings = own.diagnostics().warnings();
  findings.warnings.insert(findings.warnings.begin(), warnings.begin(), warnings.end());
  return findings;
}

}  // namespace strata::site
