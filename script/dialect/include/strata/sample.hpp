// SPDX-License-Identifier: Apache-2.0
// Sample: merges layers of files into one result.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::sample {

/// One question.
struct Request {
  std::vector<std::string> files;  ///< Weakest first. A file that is named twice is merged twice.
};

/// The answer.
struct Result {
  merge::Traced merged;                ///< A mapping.
  std::shared_ptr<const void> memory;  ///< Keeps the value alive after the Session ends.
};

/// Merges the files of a request. A history has a layer for each.
/// Errors: `sample.missing`, `sample.root`, `limit.result`, those of the YAML reader. Cost: linear in the bytes of the
/// files. Rule: docs/sample/sample.md.
[[nodiscard]] Result resolve(const Request& request, Session& session);

}  // namespace strata::sample
