// SPDX-License-Identifier: Apache-2.0
// The face for those who operate the service: health and metrics. It answers for paths of no face, too.
#pragma once

#include <memory>

#include "service/face.hpp"

namespace strata::service {

class Health;
class Metrics;

/// What is given must outlive the face. `echoes`: as Settings::echoes.
[[nodiscard]] std::unique_ptr<Face> make_operation_face(const Health& health, const Metrics& metrics, bool echoes);

}  // namespace strata::service
