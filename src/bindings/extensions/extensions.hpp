// Finds and loads extensions: those that strata.yaml declares, and `<module>/lib/strata/*.lua`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/extensions/registry.hpp"
#include "bindings/request/configuration.hpp"
#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/limits.hpp"
#include "strata/session.hpp"

namespace strata::bindings::extensions {

/// The extensions of a configuration, shared by requests: texts are read once, and a plugin's process serves all of them. Thread-safe but for
/// `add…`, which come first.
class Extensions {
 public:
  /// `plugins`: starts processes; null where plugins are not allowed (then a declared one is the error `extension.unavailable`).
  /// `sources`, `limits` and `plugins` must outlive it.
  Extensions(Sources& sources, const Limits& limits, PluginStarter* plugins);
  ~Extensions();
  Extensions(const Extensions&) = delete;
  Extensions& operator=(const Extensions&) = delete;

  /// Errors: `extension.missing`.
  void add(const ExtensionDeclaration& declaration, const FileTree& tree);
  /// All `lib/strata/*.lua` of the modules of a module path, in its order, that call `strata.…` (data functions of Hiera, which return a function
  /// or a table and register nothing, are there as well and are left alone).
  void add_modules(const FileTree& tree, const std::vector<std::string>& modulepath);
  [[nodiscard]] bool empty() const noexcept;

  /// What a request uses: scripts run in sandboxes of its own. `session` must outlive it.
  /// Errors: `extension.failed`, `extension.name` (it does not register what was declared), `extension.duplicate`, `lua.*`.
  [[nodiscard]] std::unique_ptr<Registry> open(Session& session) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::bindings::extensions
