// SPDX-License-Identifier: Apache-2.0
// The nodes of a verb as the subjects of an analysis.
#pragma once

#include <memory>

#include "verb_running.hpp"

namespace strata::cli {

/// Each node has a Session of its own, which is dropped with the subject. Errors of the result: `fleet.duplicate-node`,
/// and those of the verb.
[[nodiscard]] std::unique_ptr<analysis::Asked> nodes_of(std::shared_ptr<Running> running,
                                                        analysis::Question::History history,
                                                        analysis::Question::Telling telling, Tell tell);

}  // namespace strata::cli
