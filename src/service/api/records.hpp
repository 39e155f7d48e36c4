// SPDX-License-Identifier: Apache-2.0
// What is kept about requests: changes, the audit, tokens; and the whole store as a file.
#pragma once

#include "service/face.hpp"

namespace strata::service::api {

/// Of the call's project, `?after=NUMBER`, in their order.
[[nodiscard]] Response list_changes(const Call& call);
/// Of the call's project, or of all with `?all=1`.
[[nodiscard]] Response list_audit(const Call& call);
[[nodiscard]] Response list_tokens(const Call& call);
/// `{"roles", "project"?, "node"?, "days"?, "id"?}`: the token itself is told once. Errors: `token.value`,
/// `token.exists`.
[[nodiscard]] Response create_token(const Call& call);
/// Error `token.unknown`.
[[nodiscard]] Response delete_token(const Call& call);
[[nodiscard]] Response export_store(const Call& call);

}  // namespace strata::service::api
