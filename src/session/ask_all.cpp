// SPDX-License-Identifier: Apache-2.0
#include "strata/ask_all.hpp"
#include "strata/stop_scope.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "value/in_order.hpp"

namespace strata {
namespace {

constexpr std::size_t kNamesAtOnce = 16;  ///< That one thread takes.

Answer answer_of(Session& whole, const std::string& name, const Ask& ask) {
  Session session(whole, false);
  const StopScope work(&session.stop());
  Answer out{.name = name};
  try {
    out.text = ask(name, session);
  } catch (const Error& error) {
    if (error.ends_request() && !session.is_spent_alone(whole)) throw;
    out.failure = error.diagnostic();
  }
  out.warnings = session.diagnostics().warnings();
  return out;
}

}  // namespace

void ask_all(Session& whole, std::span<const std::string> names, const Ask& ask,
             const std::function<void(Answer&& answer)>& sink) {
  using Names = std::span<const std::string>;
  using Answers = std::vector<Answer>;
  const auto next = [&names]() -> std::optional<Names> {
    if (names.empty()) return std::nullopt;
    const Names some = names.first(std::min(kNamesAtOnce, names.size()));
    names = names.subspan(some.size());
    return some;
  };
  const auto work = [&](const Names& some) {
    Answers out;
    for (const std::string& name : some) out.push_back(answer_of(whole, name, ask));
    return out;
  };
  detail::InOrder<Names, Answers> all(whole.snapshot().engine().settings().executor, whole.limits().depth, next, work);
  while (auto answers = all.next()) {
    for (Answer& one : *answers) sink(std::move(one));
  }
}

}  // namespace strata
