#include "compared_subjects.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_set>
#include <utility>

namespace strata::cli {
namespace {

class ComparedSubjects final : public analysis::Subjects {
 public:
  ComparedSubjects(Session& session, const SharedOptions& options, AskNext ask) : session_(session), options_(options), ask_(std::move(ask)) {}

  std::optional<analysis::Outcome> next() override {
    session_.stop().check();
    Session own(session_, false);
    analysis::Outcome out{.subject = {}, .items = {}, .failure = {}, .sources = &own.sources()};
    try {
      if (!ask_(own, out)) return std::nullopt;
      for (const Diagnostic& warning : own.diagnostics().warnings()) {
        // What many subjects share is told once.
        if (told_.insert(format(warning, "")).second) session_.diagnostics().warn(warning);
      }
      if (!out.failure) out.failure = strict_failure(own.diagnostics(), options_);
    } catch (const Error& error) {
      if (out.subject.empty() || (!analysis::is_failure(error) && !own.is_spent_alone(session_))) throw;
      out.failure = error.diagnostic();
    }
    if (out.failure) out.items.clear();
    if (!names_.insert(out.subject).second) throw Error("fleet.duplicate-node", fmt::format("the node '{}' is in the list twice", out.subject));
    using Memory = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
    out.memory = std::make_shared<Memory>(std::move(out.memory), own.memory());
    return out;
  }

 private:
  Session& session_;
  const SharedOptions& options_;
  AskNext ask_;
  std::unordered_set<std::string> names_;
  std::unordered_set<std::string> told_;
};

}  // namespace

std::unique_ptr<analysis::Subjects> compared_subjects(Session& session, const SharedOptions& options, AskNext ask) {
  return std::make_unique<ComparedSubjects>(session, options, std::move(ask));
}

}  // namespace strata::cli
