// SPDX-License-Identifier: Apache-2.0
// Sites and their files.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "service/face.hpp"
#include "service/sites/sites.hpp"
#include "strata/value.hpp"

namespace strata::service::api {

/// Reads `files`: an object of texts by path. Errors: `request.body`, `request.path`.
[[nodiscard]] sites::Files read_files(const Value& list);
/// Reads `changes`: a list of `{path, text | base64 | delete: true}`. No text deletes. Errors: `request.body`,
/// `request.path`.
[[nodiscard]] sites::Changes read_changes(const Value& list);

[[nodiscard]] Response list_projects(const Call& call);
[[nodiscard]] Response list_sites(const Call& call, sites::Sites& sites);
[[nodiscard]] Response show_site(const Call& call, sites::Sites& sites);
[[nodiscard]] Response put_site(const Call& call, sites::Sites& sites);
[[nodiscard]] Response refresh_site(const Call& call, sites::Sites& sites);
[[nodiscard]] Response put_tree(const Call& call, sites::Sites& sites);
[[nodiscard]] Response patch_tree(const Call& call, sites::Sites& sites);
[[nodiscard]] Response list_files(const Call& call, sites::Sites& sites);
[[nodiscard]] Response show_file(const Call& call, sites::Sites& sites);
[[nodiscard]] Response list_layers(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
