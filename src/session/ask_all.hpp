// One question about many subjects, on several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "strata/session.hpp"
#include "value/in_order.hpp"

namespace strata {

/// The answer for one subject.
template <class Result>
struct Answer {
  std::string name;
  std::optional<Result> result = {};
  std::optional<Diagnostic> failure = {};  ///< Why there is no result.
  std::vector<Diagnostic> warnings = {};
};

namespace detail {
inline constexpr std::size_t kNamesAtOnce = 16;  ///< That one thread takes.
}

/// Asks about each name, on the threads of the Engine's executor. `ask(name, session)` gives a Result; it is called by several threads, with a
/// Session below `whole` for each name, which ends before the result is used. `sink` receives the answers in the order of the names, in the calling
/// thread. What is wrong with a subject is its failure. Errors: those that end the request.
template <class Result, class Ask, class Sink>
void ask_all(Session& whole, std::span<const std::string> names, const Ask& ask, const Sink& sink) {
  using Names = std::span<const std::string>;
  using Answers = std::vector<Answer<Result>>;
  const auto answer = [&](const std::string& name) {
    Session session(whole, false);
    Answer<Result> out{.name = name};
    try {
      out.result = ask(name, session);
    } catch (const Error& error) {
      if (error.ends_request() && !session.is_spent_alone(whole)) throw;
      out.failure = error.diagnostic();
    }
    out.warnings = session.diagnostics().warnings();
    return out;
  };
  const auto next = [&names]() -> std::optional<Names> {
    if (names.empty()) return std::nullopt;
    const Names some = names.first(std::min(detail::kNamesAtOnce, names.size()));
    names = names.subspan(some.size());
    return some;
  };
  const auto work = [&answer](const Names& some) {
    Answers out;
    for (const std::string& name : some) out.push_back(answer(name));
    return out;
  };
  detail::InOrder<Names, Answers> all(whole.snapshot().engine().settings().executor, whole.limits().depth, next, work);
  while (auto answers = all.next()) {
    for (Answer<Result>& one : *answers) sink(std::move(one));
  }
}

}  // namespace strata
