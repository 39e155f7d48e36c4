// SPDX-License-Identifier: Apache-2.0
// Projects as questions of the service.
#pragma once

#include "strata/service.hpp"

namespace strata::cli {

/// As service::QuestionMaker. Paths count from `/`: call use_working_folder first.
[[nodiscard]] service::SiteQuestion site_question(const workspace::Project& project,
                                                  const service::QuestionGround& ground);

}  // namespace strata::cli
