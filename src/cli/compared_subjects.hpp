// The subjects of a comparison, each with a Session of its own.
#pragma once

#include <functional>
#include <memory>

#include "command.hpp"

namespace strata::cli {

/// Asks about the next subject: sets name, items or failure of an outcome, and the owner of the values besides `own`. False at the end. An Error is
/// the failure of the subject, unless its name is not known yet, or the request ends.
using AskNext = std::function<bool(Session& own, analysis::Outcome& out)>;

/// Each subject has a Session below `session`, and is dropped with its outcome. Warnings are told once; with `--strict` they are failures.
/// Error `fleet.duplicate-node`.
[[nodiscard]] std::unique_ptr<analysis::Subjects> compared_subjects(Session& session, const SharedOptions& options, AskNext ask);

}  // namespace strata::cli
