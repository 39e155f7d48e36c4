// What a client of the orchestration service sends for a create: paths resolved to URLs, and all files gathered.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heat/attached_files.hpp"
#include "strata/error.hpp"
#include "strata/heat.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"

namespace strata::heat {

struct BundleRequest {
  std::vector<std::string> environment_files;  ///< Paths or URLs, weakest first.
  std::string template_file;                   ///< A path or URL; empty: none.
  std::vector<std::string> parameters;         ///< Words `K=V`.
  std::vector<std::string> parameter_files;    ///< Words `K=PATH`, PATH relative to the template.
  std::vector<HookOption> hooks;
  std::string folder;  ///< The absolute path that other paths are relative to.
};

/// A request, with everything that keeps it alive.
struct Bundle {
  merge::Traced request;  ///< A mapping: `parameters`, `template`, `files`, `environment`, `environment_files`.
  std::vector<std::shared_ptr<Arena>> arenas;
};

/// The strategy by which the client merges environments: mappings everywhere, all else replaced; null does not replace a mapping; a mapping over
/// text, a number or a list cannot be.
[[nodiscard]] const merge::Strategy& client_merge();

/// Makes the body of a create request. `environment` is the client's own merge of all files, which the service ignores where there is a list of them;
/// hooks go there only (warning `bundle.hooks`). Warning `bundle.size` where the service refuses requests as large by default.
/// Errors: `bundle.*`, `heat.root`, `heat.section`, `heat.parameter-word`, `merge.kind-mismatch`, those of the readers; `limit.includes`,
/// `limit.include-depth`. A history gets a layer an environment file. Cost: linear in the bytes of all files.
/// Rule: docs/bundle.md.
[[nodiscard]] Bundle bundle(const BundleRequest& request, const Origins& origins, Sources& sources, Diagnostics& diagnostics, const Limits& limits,
                            merge::Recorder& recorder);

}  // namespace strata::heat
