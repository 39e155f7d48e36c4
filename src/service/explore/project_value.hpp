// SPDX-License-Identifier: Apache-2.0
// What is told of a project everywhere.
#pragma once

#include <string>

#include "service/explore/source.hpp"
#include "strata/builder.hpp"

namespace strata::service::explore {

/// Inserts the members of a project as `GET /projects` has them, but `error`. `view`: null, where it cannot be read:
/// only its name and verb.
void add_project(MappingBuilder& out, Arena& arena, const Call& call, Source& source, const std::string& name,
                 const View* view);

}  // namespace strata::service::explore
