// SPDX-License-Identifier: Apache-2.0
// Finds and loads extensions: those in strata.yaml, and `<module>/lib/strata/*.lua`.
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

/// The extensions of a configuration, shared by requests: texts are read once, and one process of a plugin serves all
/// requests. Thread-safe, except for `add…`, which must be called first.
class Extensions {
 public:
  /// `plugins`: starts processes; null if plugins are not allowed (a declared one is then left out, or is an error of
  /// `open`). `sources`, `limits` and `plugins` must outlive it.
  Extensions(Sources& sources, const Limits& limits, PluginStarter* plugins);
  ~Extensions();
  Extensions(const Extensions&) = delete;
  Extensions& operator=(const Extensions&) = delete;

  /// Errors: `extension.missing`.
  void add(const ExtensionDeclaration& declaration, const FileTree& tree);
  /// All `lib/strata/*.lua` of the modules of a module path, in its order, that call `strata.…`. Hiera's data functions
  /// are in the same folders; they return a function or a table, register nothing, and are skipped.
  void add_modules(const FileTree& tree, const std::vector<std::string>& modulepath);
  [[nodiscard]] bool empty() const noexcept;

  /// The extensions for a request, with sandboxes of its own for scripts. `session` must outlive it.
  /// Errors: `extension.unavailable` (plugins are not allowed), `extension.failed`, `extension.name` (a declared name
  /// is not registered), `extension.duplicate`, `lua.*`.
  [[nodiscard]] std::unique_ptr<Registry> open(Session& session) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::bindings::extensions
