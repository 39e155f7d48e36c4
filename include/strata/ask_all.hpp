// SPDX-License-Identifier: Apache-2.0
// One question about many subjects, on several threads.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "strata/session.hpp"

namespace strata {

/// The answer for one subject: a node of a fleet, for instance.
struct Answer {
  std::string name;
  std::string text = {};                   ///< Empty if there is a failure.
  std::optional<Diagnostic> failure = {};  ///< Why there is no text.
  std::vector<Diagnostic> warnings = {};   ///< Subjects that read the same files repeat them.
};

/// Gives the text for a name: the result, written. Called by several threads, with a Session for each name, which ends
/// before the text is used.
using Ask = std::function<std::string(const std::string& name, Session& session)>;

/// Asks about each name, on the threads of the Engine's executor, in sessions below `whole`. `sink` receives the
/// answers in the order of the names, in the calling thread. Memory does not grow with the number of names. What is
/// wrong with a subject is its failure. Errors: those that end the request.
void ask_all(Session& whole, std::span<const std::string> names, const Ask& ask,
             const std::function<void(Answer&& answer)>& sink);

}  // namespace strata
