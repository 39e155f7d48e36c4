// SPDX-License-Identifier: Apache-2.0
// Steps 1 to 7 of a request, up to loading its documents.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bindings/request.hpp"
#include "bindings/request/documents.hpp"
#include "bindings/request/enc.hpp"
#include "bindings/request/facts.hpp"

namespace strata::bindings {

/// The inputs of a request. All references must outlive its making; the session must outlive the request.
struct RequestInputs {
  Session& session;
  std::string confdir;                 ///< Absolute.
  std::string environments_file = {};  ///< Absolute; empty: environments.pp in the confdir. For testing such a file.
  /// Absolute: the envdir of any environment. Empty: from environments.pp.
  std::string environment_root = {};
  Facts facts;
  std::optional<std::string> agent_environment;  ///< No value: the environment in the facts.
  std::shared_ptr<const Enc> enc;                ///< Null: none was given.
  std::string node;           ///< Its certname, and its name if the facts do not contain one. May be empty.
  SchemeProviders providers;  ///< For schemes besides confdir:, module: and enc:.
  bool strict = false;
};

/// Fills `request` step by step. After an Error it has the results of earlier steps (environment and manifest, if
/// `layers` is empty). Errors: `environment.*`, `category.*`, `layer.*`, `enc.*`, `bindings.*`, `puppet.*`, `limit.*`.
/// Errors of one step are thrown together (Errors).
void prepare(const RequestInputs& inputs, Request& request);

/// The parameters of classes and defined types, from the headers in the manifests of an environment's modules. Each
/// manifest is read once per Snapshot. `session` must outlive it.
[[nodiscard]] ParameterNames manifest_parameters(Session& session, const Environment& environment);
/// The file `MODULE/PATH`, in the folder `files` of a module.
[[nodiscard]] std::function<std::optional<std::string>(std::string_view)> module_files(const FileTree& tree,
                                                                                       const Environment& environment);

}  // namespace strata::bindings
