// SPDX-License-Identifier: Apache-2.0
#include "bindings/composition/composition.hpp"

#include <algorithm>
#include <tuple>

#include "bindings/types/names.hpp"

namespace strata::bindings {

Composition::Composition(std::shared_ptr<const Plan> plan, const Request& request, const Sources& sources,
                         const Limits& limits, Resolve resolve, Problems& problems)
    : plan_(std::move(plan)),
      request_(request),
      sources_(sources),
      limits_(limits),
      resolve_(std::move(resolve)),
      categories_(request.categories),
      layers_(static_cast<std::uint32_t>(request.layers.size())),
      own_keys_(plan_->key_count()) {
  std::uint32_t position = 0;
  for (std::uint32_t layer = 0; layer < layers_; ++layer) {
    for (const LayerPart& part : request.layers[layer].parts) {
      if (part.source != nullptr) key_sources_.push_back({part.source.get(), layer, position});
      position += static_cast<std::uint32_t>(part.size());
    }
  }
  place_locals(problems);
  for_each_with_findings([&](const PlannedDocument& one) {
    for (const Diagnostic& error : one.prepared->errors) problems.add(error);
  });
  evaluate_guards(problems);
  resolve_open(problems);
}

/// Documents of this node alone.
void Composition::place_locals(Problems& problems) {
  std::uint32_t position = 0;
  std::uint32_t guards = plan_->guards;
  for (std::uint32_t layer = 0; layer < layers_; ++layer) {
    for (const LayerPart& part : request_.layers[layer].parts) {
      const std::uint32_t here = position;
      position += static_cast<std::uint32_t>(part.size());
      if (!part.is_of_node() || problems.is_full()) continue;
      const std::shared_ptr<const Document>& document = (*part.documents)[0];
      auto prepared = std::const_pointer_cast<Prepared>(prepare(*document, sources_, limits_));
      PlannedDocument& local = local_documents_.emplace_back();
      local.prepared = prepared;
      local.document = document;
      local.layer = layer;
      local.position = here;
      local.first_block = guards;
      guards += local.blocks();
      locals_.push_back(std::move(prepared));
    }
  }
}

void Composition::evaluate_guards(Problems& problems) {
  std::uint32_t guards = plan_->guards;
  for (const PlannedDocument& one : local_documents_) guards += one.blocks();
  sets_.resize(guards);
  std::vector<bool> effective(guards);
  effective[Guards::kCommon] = true;
  effective[Guards::kNode] = true;
  if (const CategoryTable::One* node = categories_.find("node")) sets_[Guards::kNode].add(node->number);
  const auto evaluate = [&](const PlannedDocument& one) {
    const Guards& own = one.prepared->guards;
    const auto alternatives = own.evaluate(categories_, resolve_, [&](std::uint32_t guard, const Error& error) {
      const When* when = own.when(guard);
      Error placed(error.diagnostic());
      if (placed.diagnostic().where.place.file.empty()) place_at(placed, sources_, when->origin);
      const auto& statements = one.document->statements;
      const auto first = std::find_if(statements.begin(), statements.end(),
                                      [when](const Statement& statement) { return statement.when == when; });
      problems.add(first == statements.end() ? placed : for_statement(sources_, placed, *first));
    });
    for (std::uint32_t i = Guards::kNode + 1; i < alternatives.size(); ++i) {
      if (alternatives[i].empty()) continue;
      effective[one.guard(i)] = true;
      sets_[one.guard(i)] = highest(alternatives[i]);
    }
  };
  for (const std::uint32_t number : plan_->conditional) evaluate(*plan_->documents[number]);
  for (const PlannedDocument& one : local_documents_) evaluate(one);
  // Sets as numbers that compare alike; the empty set, which is common, is the lowest.
  std::vector<const CategorySet*> order;
  const CategorySet common;
  order.push_back(&common);
  for (std::uint32_t i = 0; i < guards; ++i) {
    if (effective[i] && !sets_[i].empty()) order.push_back(&sets_[i]);
  }
  std::sort(order.begin(), order.end(),
            [](const CategorySet* left, const CategorySet* right) { return *left < *right; });
  order.erase(std::unique(order.begin(), order.end(),
                          [](const CategorySet* left, const CategorySet* right) { return *left == *right; }),
              order.end());
  precedence_.resize(guards);
  for (std::uint32_t i = 0; i < guards; ++i) {
    if (!effective[i]) continue;
    const auto at = std::lower_bound(order.begin(), order.end(), &sets_[i],
                                     [](const CategorySet* left, const CategorySet* right) { return *left < *right; });
    precedence_[i] = static_cast<std::uint32_t>(at - order.begin()) + kCommonPrecedence;
  }
}

std::uint32_t Composition::new_local(std::uint32_t like) {
  const PlannedDocument& original = document(like);
  auto prepared = std::make_shared<Prepared>();
  prepared->document = original.document.get();
  PlannedDocument local;
  local.prepared = prepared;
  local.document = original.document;
  local.layer = original.layer;
  local.position = original.position;
  local_documents_.push_back(std::move(local));
  locals_.push_back(std::move(prepared));
  return document_count() - 1;
}

/// What the prepared documents left open, and documents of this node.
void Composition::resolve_open(Problems& problems) {
  const auto order = [this](const auto& one) {
    return std::make_tuple(document(one.document).position, one.statement);
  };
  std::vector<Placed> open = plan_->open;
  const auto documents = static_cast<std::uint32_t>(local_documents_.size());
  if (documents != 0) {
    classes_ = plan_->classes;
    edges_ = plan_->edges;
  }
  for (std::uint32_t i = 0; i < documents; ++i) {
    const auto number = static_cast<std::uint32_t>(plan_->documents.size()) + i;
    const PlannedDocument one = local_documents_[i];
    for (const Binding& binding : one.prepared->bindings) add_extra(number, binding, one.guard(binding.guard));
    for (const ContributionStatement& each : one.prepared->contributions) {
      own_contributions_[each.id].push_back({&each, one.guard(each.guard), number, one.layer});
    }
    const auto place = [&](const std::vector<Prepared::Placed>& from, std::vector<Placed>& to) {
      for (const Prepared::Placed& each : from)
        to.push_back({each.statement, one.guard(each.guard), number, one.layer});
    };
    place(one.prepared->classes, classes_);
    place(one.prepared->edges, edges_);
    place(one.prepared->open, open);
  }
  std::unordered_map<std::uint32_t, std::uint32_t> mine;  // By document: that of this node.
  for (const Placed& each : open) {
    if (!in_effect(each.guard) || problems.is_full()) continue;
    if (!mine.contains(each.document)) mine.emplace(each.document, new_local(each.document));
    const std::uint32_t number = mine.at(each.document);
    Prepared& out = local(number);
    try {
      const std::size_t bindings = out.bindings.size();
      const std::size_t contributions = out.contributions.size();
      Preparer(out, sources_, limits_, resolve_).add(*each.statement, each.guard);
      if (out.bindings.size() == bindings && out.contributions.size() == contributions) {
        computed_.push_back({each.statement, each.guard, number, each.layer});
      }
    } catch (const Error& error) {
      problems.add(for_statement(sources_, error, *each.statement));
    }
  }
  for (const auto& one : mine) {
    const Prepared& prepared = local(one.second);
    for (const Diagnostic& error : prepared.errors) problems.add(error);
    for (const Binding& binding : prepared.bindings) add_extra(one.second, binding, binding.guard);
    for (const ContributionStatement& each : prepared.contributions) {
      own_contributions_[each.id].push_back({&each, each.guard, one.second, document(one.second).layer});
    }
  }
  for (auto& one : own_contributions_) {
    const std::span<const Contributed> shared = plan_->contributions_of(one.first);
    one.second.insert(one.second.end(), shared.begin(), shared.end());
    std::stable_sort(one.second.begin(), one.second.end(), [this](const Contributed& left, const Contributed& right) {
      return std::make_tuple(document(left.document).position, left.statement->statement) <
             std::make_tuple(document(right.document).position, right.statement->statement);
    });
  }
  if (!local_documents_.empty()) {
    const auto sort = [&order](std::vector<Placed>& all) {
      std::stable_sort(all.begin(), all.end(),
                       [&order](const Placed& left, const Placed& right) { return order(left) < order(right); });
    };
    sort(classes_);
    sort(edges_);
  }
}

void Composition::add_extra(std::uint32_t document, const Binding& binding, std::uint32_t guard) {
  const Prepared& prepared = *this->document(document).prepared;
  const std::uint32_t key = intern(prepared.type_texts[binding.type_part], binding.name);
  auto known = extras_.find(key);
  if (known == extras_.end()) {
    const auto shared = key < own_keys_.first() ? plan_->of(key) : std::span<const Candidate>();
    known = extras_.emplace(key, std::vector<Candidate>(shared.begin(), shared.end())).first;
  }
  known->second.emplace_back(binding, guard, document, this->document(document).layer);
}

void Composition::add(std::uint32_t local, const Binding& binding) {
  Binding& kept = extra_bindings_.emplace_back(binding);
  add_extra(local, kept, kept.guard);
}

std::uint32_t Composition::find(std::string_view type_part, std::string_view name) const noexcept {
  const std::uint32_t hash = key_hash(type_part, name);
  const std::uint32_t shared = plan_->find({type_part, name}, hash);
  return shared != KeyTable::kNone ? shared : own_keys_.find({type_part, name}, hash);
}

std::uint32_t Composition::intern(std::string_view type_part, std::string_view name) {
  const std::uint32_t known = find(type_part, name);
  if (known != KeyTable::kNone) return known;
  const std::string& type = texts_.emplace_back(type_part);
  const std::string& kept = texts_.emplace_back(name);
  return own_keys_.intern({type, kept}, key_hash(type_part, name));
}

std::string Composition::readable(const KeyText& key) { return readable_key(key.type, key.name); }

std::span<const Candidate> Composition::candidates(std::uint32_t key) const noexcept {
  if (!extras_.empty()) {
    const auto own = extras_.find(key);
    if (own != extras_.end()) return own->second;
  }
  return key < own_keys_.first() ? plan_->of(key) : std::span<const Candidate>();
}

Effective Composition::below(std::uint32_t key, Rank limit) const noexcept {
  Effective out;
  Rank best = 0;
  for (const Candidate& candidate : candidates(key)) {
    const Rank here = rank(candidate);
    if (here == 0 || here >= limit || here < best) continue;
    out.is_tied = here == best;
    if (here == best) continue;
    out.winner = &candidate;
    best = here;
  }
  return out;
}

void Composition::sort_extras() {
  for (auto& one : extras_) {
    std::stable_sort(one.second.begin(), one.second.end(), [this](const Candidate& left, const Candidate& right) {
      return std::make_tuple(document(left.document).position, left.binding->statement, left.binding->member) <
             std::make_tuple(document(right.document).position, right.binding->statement, right.binding->member);
    });
  }
}

void Composition::settle() {
  sort_extras();
  effective_.clear();
  notable_ = plan_->notable;
  if (extras_.empty()) return;
  for (const auto& one : extras_) notable_.push_back(one.first);
  std::sort(notable_.begin(), notable_.end());
  notable_.erase(std::unique(notable_.begin(), notable_.end()), notable_.end());
}

std::span<const Contributed> Composition::contributions(std::string_view id) const noexcept {
  const auto own = own_contributions_.find(id);
  if (own != own_contributions_.end()) return own->second;
  return plan_->contributions_of(id);
}

std::vector<std::string_view> Composition::ids() const {
  std::vector<std::string_view> out;
  for (const Contributed& each : *plan_->contributions) {
    if (out.empty() || out.back() != each.statement->id) out.push_back(each.statement->id);
  }
  for (const auto& one : own_contributions_) out.push_back(one.first);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace strata::bindings
