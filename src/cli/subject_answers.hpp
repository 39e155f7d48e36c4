// SPDX-License-Identifier: Apache-2.0
// The results of a question for programs that want variables: names with values, subject by subject.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis_run.hpp"

namespace strata::cli {

/// The result of one subject.
struct SubjectAnswer {
  analysis::Subject& subject;
  const Sources& sources;  ///< Spells out the places of the values.
  /// A mapping: the items of the result by their names, or the members of a result that is not in items. Secrets are in
  /// clear text, and marked.
  Value variables;
};

/// Asks in the files as they are, with places but without histories. Subjects of which `wants` is false are skipped;
/// `take` receives the others, in the order of the question, and returns whether to go on. The values live during the
/// call. The warnings are told. Errors: those of a subject, all at once; `result.variables` if a result has no names.
void ask_subjects(AnalysisRun& run, const std::function<bool(const std::string& name)>& wants,
                  const std::function<bool(const SubjectAnswer&)>& take);

/// The error that no subject has a name. `known`: those that there are. `code`: of the error.
[[nodiscard]] Error unknown_subject(const std::string& code, const AnalysisRun& run, const std::string& name,
                                    const std::vector<std::string>& known);

}  // namespace strata::cli
