#include "bindings/composition/plan.hpp"

#include <algorithm>

#include "value/lock_while_running.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kMostPlans = 32;

}  // namespace

std::uint32_t Candidate::flags_of(const Binding& binding) noexcept {
  const Statement& statement = *binding.statement;
  const Form form = statement.form;
  std::uint32_t flags = binding.is_abstract ? kAbstract : 0;
  if (binding.is_override) flags |= kOverride;
  if (form == Form::alias || form == Form::renamed || form == Form::rebind) flags |= kOtherName;
  if (form == Form::multibind) flags |= kMultibind;
  if (statement.producer.is_optional && binding.member == Binding::kWhole) flags |= kOptional;
  if (statement.producer.kind == Producer::Kind::named && binding.member == Binding::kWhole) flags |= kNamed;
  return flags;
}

std::shared_ptr<const Plan> make_plan(std::vector<PlannedDocument> documents) {
  auto plan = std::make_shared<Plan>();
  std::size_t bindings = 0;
  for (PlannedDocument& one : documents) {
    one.first_guard = plan->guards;
    plan->guards += static_cast<std::uint32_t>(one.prepared->guards.size());
    bindings += one.prepared->bindings.size();
  }
  plan->documents = std::move(documents);
  plan->keys.reserve(bindings);
  std::vector<std::uint32_t> keys;
  keys.reserve(bindings);
  std::vector<std::uint32_t> counts;
  counts.reserve(bindings);
  for (std::uint32_t d = 0; d < plan->documents.size(); ++d) {
    const PlannedDocument& one = plan->documents[d];
    const Prepared& prepared = *one.prepared;
    plan->has_other_names = plan->has_other_names || !prepared.sources.empty();
    for (const Binding& binding : prepared.bindings) {
      const std::uint32_t key = plan->keys.intern({prepared.type_texts[binding.type_part], binding.name}, binding.hash);
      if (key == counts.size()) counts.push_back(0);
      ++counts[key];
      keys.push_back(key);
    }
    for (const ContributionStatement& contribution : prepared.contributions) {
      plan->contributions[contribution.id].push_back({&contribution, one.first_guard + contribution.guard, d, one.layer});
    }
    const auto place = [&](const std::vector<Prepared::Placed>& from, std::vector<Placed>& to) {
      for (const Prepared::Placed& each : from) to.push_back({each.statement, one.first_guard + each.guard, d, one.layer});
    };
    place(prepared.classes, plan->classes);
    place(prepared.edges, plan->edges);
    place(prepared.open, plan->open);
  }
  plan->first.resize(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) plan->first[i + 1] = plan->first[i] + counts[i];
  plan->candidates.resize(bindings);
  std::vector<std::uint32_t> next(plan->first.begin(), plan->first.end() - 1);
  std::size_t at = 0;
  for (std::uint32_t d = 0; d < plan->documents.size(); ++d) {
    const PlannedDocument& one = plan->documents[d];
    for (const Binding& binding : one.prepared->bindings) {
      plan->candidates[next[keys[at++]]++] = Candidate(binding, one.first_guard + binding.guard, d, one.layer);
    }
  }
  return plan;
}

std::shared_ptr<const Prepared> PlanCache::prepared(const std::shared_ptr<const Document>& document, const Sources& sources, const Limits& limits) {
  KnownDocument& known = documents_[document.get()];
  if (known.prepared == nullptr || known.document.lock() != document) known = {document, prepare(*document, sources, limits)};
  return known.prepared;
}

std::shared_ptr<const Plan> PlanCache::plan(const Request& request, const Sources& sources, const Limits& limits) {
  const auto lock = detail::lock_while_running(mutex_, limits.stop);
  std::vector<Position> list;
  std::vector<PlannedDocument> documents;
  std::uint32_t position = 0;
  for (std::uint32_t layer = 0; layer < request.layers.size(); ++layer) {
    for (const LayerItem& item : request.layers[layer].items) {
      ++position;
      if (item.document == nullptr || item.document->in_node_category) continue;
      list.push_back({item.document.get(), layer, position});
      documents.push_back({prepared(item.document, sources, limits), item.document, layer, position, 0});
    }
  }
  const auto known = std::find_if(plans_.begin(), plans_.end(), [&list](const KnownPlan& one) { return one.documents == list; });
  if (known != plans_.end()) {
    std::rotate(plans_.begin(), known, known + 1);
    return plans_.front().plan;
  }
  if (documents_.size() > next_sweep_) {
    plans_.clear();  // They keep documents.
    std::erase_if(documents_, [](const auto& one) { return one.second.document.expired(); });
    next_sweep_ = std::max<std::size_t>(1024, documents_.size() * 2);
  }
  if (plans_.size() == kMostPlans) plans_.pop_back();
  plans_.insert(plans_.begin(), {std::move(list), make_plan(std::move(documents))});
  return plans_.front().plan;
}

}  // namespace strata::bindings
