// SPDX-License-Identifier: Apache-2.0
// What is said of candidates: conflicts, and where they stand.
#include <fmt/format.h>

#include "bindings/composition/composition.hpp"
#include "bindings/composition/constants.hpp"
#include "puppet/quote.hpp"

namespace strata::bindings {

Origin Composition::origin(const Candidate& candidate) noexcept {
  const Binding& binding = *candidate.binding;
  const Statement& statement = *binding.statement;
  if (binding.member < Binding::kReady) {
    const Origin key = member_of(statement, binding.member).key.origin();
    if (key) return key;
  }
  return statement.origin;
}

std::string Composition::category(const Statement& statement, std::uint32_t guard) const {
  return in_effect(guard) ? categories_.path(sets_[guard]) : condition_text(statement.when);
}

std::string Composition::not_in_effect(const Statement& statement) const {
  std::string reason;
  bool several = false;
  std::string wanted;
  for_each_predicate(statement.when, [&](const Predicate& predicate) {
    const CategoryTable::One* one = categories_.find(predicate.category);
    std::string value;
    try {
      const Value* constant = scalar_constant(*predicate.value);
      value = folded_value(constant != nullptr ? *constant : resolve_(*predicate.value));
    } catch (const Error&) {
      value.clear();
    }
    if (one != nullptr && !one->folded.empty() && one->folded == value) return;
    several = !wanted.empty();
    if (several) return;
    wanted = fmt::format("{} {}", predicate.category, shown_value(*predicate.value));
    if (one == nullptr) {
      reason = fmt::format("{} (no such category)", wanted);
    } else if (one->folded.empty()) {
      reason = fmt::format("{} (has no value)", wanted);
    } else {
      reason = fmt::format("{} (is {})", wanted, puppet::quote(*one->category->value));
    }
  });
  if (several) reason += " …";
  return fmt::format("category not in effect: {}", reason.empty() ? condition_text(statement.when) : reason);
}

StatementReport Composition::told(const Statement& statement, std::uint32_t document, std::uint32_t guard) const {
  const PlannedDocument& one = this->document(document);
  StatementReport out;
  out.layer = layer_name(one.layer);
  out.document = one.document->title.empty() ? one.document->name : one.document->title;
  out.category = category(statement, guard);
  out.statement = form_name(statement);
  out.origin = statement.origin;
  return out;
}

Error Composition::conflict(std::uint32_t key, const Candidate& winner) const {
  const auto described = [this](const Candidate& candidate) {
    const StatementReport told = this->told(candidate);
    std::string out = fmt::format("{} ({})", told.document, told.category);
    const std::string asked = condition_text(candidate.binding->statement->when);
    if (asked.find(" or ") != std::string::npos) out += fmt::format(", of 'when {}'", asked);
    return out;
  };
  const Candidate* other = nullptr;
  std::size_t more = 0;
  for (const Candidate& candidate : candidates(key)) {
    if (&candidate == &winner || rank(candidate) != rank(winner)) continue;
    if (other == nullptr) {
      other = &candidate;
    } else {
      ++more;
    }
  }
  if (other == nullptr) other = &winner;
  std::string message = fmt::format("{} is bound twice in layer '{}' with the same precedence: by {} and by {}",
                                    readable(key), layer_name(winner.layer), described(winner), described(*other));
  if (more != 0) message += fmt::format(", and {} more", more);
  return Error("bindings.conflict", std::move(message))
      .at(sources_, origin(winner))
      .note(sources_, origin(*other), fmt::format("also bound here, by {}", described(*other)))
      .hint(
          "bind it in a higher layer, put one of them under a more specific category, or exclude one of the documents "
          "from the layer");
}

}  // namespace strata::bindings
