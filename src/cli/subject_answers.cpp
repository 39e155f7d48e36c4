// SPDX-License-Identifier: Apache-2.0
#include "subject_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "strata/builder.hpp"
#include "strata/near_names.hpp"
#include "strata/revealed.hpp"

namespace strata::cli {
namespace {

/// Where it belongs to a subject with a name, the message says so.
Diagnostic about(const std::string& subject, Diagnostic failure) {
  if (!subject.empty() && !failure.message.starts_with("node '"))
    failure.message = fmt::format("{}: {}", subject, failure.message);
  return failure;
}

/// All that failed, thrown at once.
void throw_failures(const std::string& subject, const analysis::Outcome& outcome) {
  std::vector<Diagnostic> failures;
  if (outcome.failure) failures.push_back(about(subject, *outcome.failure));
  for (const Diagnostic& further : outcome.further) failures.push_back(about(subject, further));
  for (const analysis::Item& item : outcome.items) {
    if (item.failure) failures.push_back(about(subject, *item.failure));
  }
  if (!failures.empty()) throw Errors(failures);
}

Value variables_of(Arena& arena, const std::string& subject, const analysis::Outcome& outcome) {
  throw_failures(subject, outcome);
  if (outcome.items.size() == 1 && outcome.items.front().name.empty()) {
    Value whole = outcome.items.front().value;
    if (!whole.is_mapping()) {
      throw Error("result.variables", fmt::format("{}the result is {}, not a mapping with names",
                                                  subject.empty() ? "" : subject + ": ", describe(whole.kind())));
    }
    return whole;
  }
  MappingBuilder out(arena);
  for (const analysis::Item& item : outcome.items) out.insert(item.name, item.value);
  return out.finish();
}

}  // namespace

void ask_subjects(AnalysisRun& run, const std::function<bool(const std::string& name)>& wants,
                  const std::function<bool(const SubjectAnswer&)>& take) {
  const analysis::State state = run.state_of({});
  run.question().tell_of(state);
  const auto asked = run.question().in(state, analysis::Question::History::no, analysis::Question::Telling::all);
  while (const auto subject = asked->next()) {
    if (!wants(subject->name())) continue;
    const analysis::Subject::Answer answer = subject->ask(std::nullopt);
    Arena arena;
    const Value variables = puppet::revealed(arena, variables_of(arena, subject->name(), answer.outcome));
    if (!take({.subject = *subject, .sources = *answer.outcome.sources, .variables = variables})) return;
  }
}

Error unknown_subject(const std::string& code, const AnalysisRun& run, const std::string& name,
                      const std::vector<std::string>& known) {
  const std::string_view subject = run.wording().subject;
  const std::vector<std::string_view> names(known.begin(), known.end());
  Error out(code, fmt::format("unknown {} '{}'", subject, name));
  out.hint(name_hint(names, name,
                     known.empty() ? fmt::format("the question has no {}s", subject)
                                   : fmt::format("there are {} {}s", known.size(), subject)));
  return out;
}

}  // namespace strata::cli
