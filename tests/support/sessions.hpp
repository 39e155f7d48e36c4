// SPDX-License-Identifier: Apache-2.0
// A request over files in memory.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "strata/session.hpp"

namespace strata::testing {

/// A Session over a Snapshot of `files`, with an Engine of its own. What is read once has the limits of the request.
[[nodiscard]] inline Session test_session(std::map<std::string, std::string> files = {},
                                          const SessionSettings& settings = {}) {
  return Session(Snapshot::make(Engine::make(), memory_tree(std::move(files)), {.limits = settings.limits}), settings);
}

}  // namespace strata::testing
