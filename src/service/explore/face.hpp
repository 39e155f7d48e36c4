// SPDX-License-Identifier: Apache-2.0
// The face of the explorer: its pages, and what they ask.
#pragma once

#include <memory>
#include <string>

#include "service/explore/session.hpp"
#include "service/explore/source.hpp"
#include "service/face.hpp"

namespace strata::service::explore {

/// `web_folder`: pages come from there. Empty: those of the program.
[[nodiscard]] std::unique_ptr<Face> make_explorer_face(Source& source, Gate gate, std::string web_folder = {});

}  // namespace strata::service::explore
