// Steps 1 to 7 of a request, up to where its documents are loaded.
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

/// What a request is made from. All references must outlive the making; the session the request too.
struct RequestInputs {
  Session& session;
  std::string confdir;                 ///< Absolute.
  std::string environments_file = {};  ///< Absolute; empty: environments.pp in the confdir. For tests of such a file.
  std::string environment_root = {};   ///< Absolute: the envdir of whichever environment is chosen; empty: what environments.pp says.
  Facts facts;
  std::optional<std::string> agent_environment;  ///< None: that of the facts.
  std::shared_ptr<const Enc> enc;                ///< Null: none was given.
  std::string node;                              ///< Its certname, and its name where facts do not say it; may be empty.
  SchemeProviders providers;                     ///< Of schemes beside confdir:, module: and enc:.
  bool strict = false;
};

/// Fills `request` step by step: after an Error, what was found before it is there (environment and manifest, where `layers` is empty).
/// Errors: `environment.*`, `category.*`, `layer.*`, `enc.*`, `bindings.*`, `puppet.*`, `limit.*`; those of one step are thrown together (Errors).
void prepare(const RequestInputs& inputs, Request& request);

/// The parameters of classes and defined types, read from the headers in the manifests of an environment's modules. Each manifest is read once
/// a Snapshot. `session` must outlive it.
[[nodiscard]] ParameterNames manifest_parameters(Session& session, const Environment& environment);
/// `MODULE/PATH` in `MODULE/files` of the modules.
[[nodiscard]] std::function<std::optional<std::string>(std::string_view)> module_files(const FileTree& tree, const Environment& environment);

}  // namespace strata::bindings
