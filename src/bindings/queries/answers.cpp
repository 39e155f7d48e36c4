// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "puppet/characters.hpp"
#include "resource_names.hpp"
#include "service.hpp"
#include "strata/builder.hpp"

namespace strata::bindings::queries {

bool operator<(const Edge& left, const Edge& right) {
  const auto all = [](const Edge& edge) {
    return std::tie(edge.key, edge.from.type, edge.from.title, edge.from.certname, edge.from.parameter);
  };
  return all(left) < all(right);
}

Answers::Answers(QueryService* service, const Sources& sources, Arena& arena, std::string own_certname)
    : service_(service), sources_(sources), arena_(arena), own_certname_(std::move(own_certname)) {}

Value Answers::answer(const puppet::Query& query, puppet::Scope& scope, puppet::Evaluator& evaluator) {
  Query question;
  question.type = type_name(query.type);
  question.origin = query.origin;
  if (query.condition != nullptr) question.condition = evaluate(*query.condition, scope, evaluator);
  const Positions positions = [&question](const ResourceSet& set) { return set.of_type(puppet::lower(question.type)); };
  return select(question, question.type.empty() ? Positions() : positions, [&](const Resource& resource) {
    evaluator.charge(1);
    return !question.condition || matches(resource, *question.condition, evaluator);
  });
}

Value Answers::find(std::string_view type, std::string_view title, Origin at) {
  Query question;
  question.type = type_name(type);
  question.origin = at;
  Condition condition;
  condition.field = field_of("title");
  condition.operand = arena_.text(title).with_origin(at);
  condition.origin = at;
  question.condition = std::move(condition);
  // Titles of classes are names, whose letters are shown capitalised.
  const bool is_class = question.type == "Class";
  const Positions positions = [title](const ResourceSet& set) { return set.of_title(puppet::lower(title)); };
  return select(question, positions, [&](const Resource& resource) {
    return (is_class || resource.title == title) && puppet::same_letters(resource.type, question.type);
  });
}

Value Answers::select(const Query& query, const Positions& positions,
                      const std::function<bool(const Resource&)>& takes) {
  if (service_ == nullptr) {
    throw Error("query.no-service", "there is no query service to answer this")
        .at(sources_, query.origin)
        .hint("give resources with --inventory FILE, or name a service in strata.yaml");
  }
  const ResourceSet& set = service_->ask(query);
  if (std::ranges::find(asked_, &set) == asked_.end()) asked_.push_back(&set);
  SequenceBuilder out(arena_);
  const auto look_at = [&](const Resource& resource) {
    const bool is_own = !own_certname_.empty() && puppet::same_letters(resource.certname, own_certname_);
    if (is_own || !takes(resource)) return;
    out.append(resource.printed);
    if (!key_.empty()) edges_.push_back({.from = origin_of_resource(resource), .key = key_});
  };
  if (!positions) {
    for (const Resource& resource : set.all()) look_at(resource);
  } else if (const auto* these = positions(set)) {
    for (const std::size_t position : *these) look_at(set.all()[position]);
  }
  return out.finish().with_origin(query.origin);
}

std::optional<std::vector<std::string>> Answers::parameter_names(std::string_view type) const {
  return service_ == nullptr ? std::nullopt : service_->parameter_names(type_name(type));
}

std::optional<ResourceOrigin> Answers::origin_of(Origin origin) const {
  for (const ResourceSet* set : asked_) {
    if (auto found = set->origin_of(origin)) return found;
  }
  return std::nullopt;
}

Answers::Feeding::Feeding(Answers& answers, std::string key)
    : answers_(answers), before_(std::exchange(answers.key_, std::move(key))) {}

Answers::Feeding::~Feeding() { answers_.key_ = std::move(before_); }

std::vector<Edge> Answers::edges() const {
  std::vector<Edge> out = edges_;
  std::ranges::sort(out, [](const Edge& left, const Edge& right) { return left < right; });
  const auto same = [](const Edge& left, const Edge& right) { return !(left < right) && !(right < left); };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

}  // namespace strata::bindings::queries
