// SPDX-License-Identifier: Apache-2.0
#include "bindings/composition/plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "value/lock_while_running.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kMostPlans = 32;
/// How many documents of a list remember the plan, and how many plans each.
constexpr std::size_t kRemembering = 8;
constexpr std::size_t kRemembered = 4;

bool by_id(const Contributed& left, const Contributed& right) noexcept {
  if (left.statement->id != right.statement->id) return left.statement->id < right.statement->id;
  return left.document < right.document;
}

/// Puts a plan together. What is made of all documents is made anew; what is made of keys may come from another plan.
class Planner {
 public:
  explicit Planner(std::vector<PlannedDocument> documents) {
    plan_->guards = Guards::kNode + 1;
    std::vector<std::shared_ptr<const PlannedDocument>> placed;
    placed.reserve(documents.size());
    for (PlannedDocument& one : documents) {
      one.first_block = plan_->guards;
      plan_->guards += one.blocks();
      placed.push_back(place(std::move(one), static_cast<std::uint32_t>(placed.size())));
    }
    plan_->documents = PlannedDocuments(std::move(placed));
    number_keys();
    plan_->index =
        KeyIndex(plan_->documents, [this](std::span<const KeyIndex::Entry> entries) { add_repeated(entries); });
    sort_all_repeated();
    const auto contributions = std::make_shared<std::vector<Contributed>>();
    for (std::uint32_t d = 0; d < plan_->documents.size(); ++d) add_contributions(d, *contributions);
    std::stable_sort(contributions->begin(), contributions->end(), by_id);
    plan_->contributions = contributions;
    gather();
  }

  /// Takes the documents out of `replaced`.
  Planner(const Plan& before, std::span<std::pair<std::uint32_t, PlannedDocument>> replaced) {
    plan_->guards = before.guards;
    std::vector<std::uint32_t> numbers;
    std::vector<std::pair<std::size_t, std::shared_ptr<const PlannedDocument>>> placed;
    std::vector<std::uint32_t> rekeyed;  // Those of them that have other keys: most edits change values alone.
    for (auto& [number, one] : replaced) {
      const PlannedDocument& was = *before.documents[number];
      if (!KeyIndex::have_same_keys(*was.prepared, *one.prepared)) rekeyed.push_back(number);
      one.first_block = was.first_block;
      if (one.blocks() > was.blocks()) {
        one.first_block = plan_->guards;
        plan_->guards += one.blocks();
      }
      placed.emplace_back(number, place(std::move(one), number));
      numbers.push_back(number);
    }
    plan_->documents = before.documents.with(std::move(placed));
    if (rekeyed.empty()) {
      plan_->first_key = before.first_key;
    } else {
      number_keys();
    }
    plan_->index = KeyIndex(before.index, before.documents, plan_->documents, rekeyed);
    replace_repeated(before, numbers, rekeyed);
    replace_contributions(before, numbers);
    gather();
  }

  [[nodiscard]] std::shared_ptr<const Plan> take(std::vector<PlannedList> lists) {
    plan_->lists = std::move(lists);
    return std::move(plan_);
  }

 private:
  static bool is_in(const std::vector<std::uint32_t>& numbers, std::uint32_t number) noexcept {
    return std::binary_search(numbers.begin(), numbers.end(), number);
  }

  static std::shared_ptr<const PlannedDocument> place(PlannedDocument one, std::uint32_t number) {
    const Prepared& prepared = *one.prepared;
    one.candidates.reserve(prepared.bindings.size());
    for (const Binding& binding : prepared.bindings) {
      const Candidate& made = one.candidates.emplace_back(binding, one.guard(binding.guard), number, one.layer);
      if (made.flags != 0) one.flagged.push_back(static_cast<std::uint32_t>(one.candidates.size() - 1));
    }
    one.has_others =
        !prepared.classes.empty() || !prepared.edges.empty() || !prepared.open.empty() || !prepared.sources.empty();
    one.is_conditional = one.blocks() != 0;
    one.has_findings = !prepared.errors.empty() || !prepared.repeated.empty() || !prepared.needed.empty();
    return std::make_shared<const PlannedDocument>(std::move(one));
  }

  void number_keys() {
    plan_->first_key.reserve(plan_->documents.size() + 1);
    plan_->first_key.push_back(0);
    for (std::size_t d = 0; d < plan_->documents.size(); ++d) {
      plan_->first_key.push_back(plan_->first_key.back() +
                                 static_cast<std::uint32_t>(plan_->documents[d]->candidates.size()));
    }
  }

  void add_contributions(std::uint32_t number, std::vector<Contributed>& to) const {
    const PlannedDocument& one = *plan_->documents[number];
    for (const ContributionStatement& each : one.prepared->contributions)
      to.push_back({&each, one.guard(each.guard), number, one.layer});
  }

  /// Whether candidates of a key can be in effect at one rank, or want to be looked at for another reason.
  [[nodiscard]] bool is_notable(std::span<const Candidate> candidates) const {
    constexpr std::size_t kMost = 16;
    const auto has_flags = [](const Candidate& one) { return one.flags != 0; };
    if (candidates.size() > kMost || std::any_of(candidates.begin(), candidates.end(), has_flags)) return true;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (candidates[j].layer == candidates[i].layer && !exclude_each_other(candidates[j], candidates[i]))
          return true;
      }
    }
    return false;
  }
  /// Whether two candidates of a layer never have the same rank, by what their blocks ask for as they are written.
  [[nodiscard]] bool exclude_each_other(const Candidate& left, const Candidate& right) const {
    if (left.guard == Guards::kCommon || right.guard == Guards::kCommon) {
      const Candidate& other = left.guard == Guards::kCommon ? right : left;
      return other.guard != Guards::kCommon && condition(other).has_value();
    }
    const auto one = condition(left);
    const auto two = condition(right);
    return one && two && *one != *two;
  }
  [[nodiscard]] std::optional<Guards::Condition> condition(const Candidate& candidate) const {
    const PlannedDocument& document = *plan_->documents[candidate.document];
    return document.prepared->guards.condition(document.own_guard(candidate.guard));
  }

  void add_repeated(std::span<const KeyIndex::Entry> entries) {
    const auto first = static_cast<std::uint32_t>(plan_->repeated_candidates.size());
    for (const KeyIndex::Entry& entry : entries) {
      plan_->repeated_candidates.push_back(plan_->documents[entry.binding.document]->candidates[entry.binding.binding]);
    }
    const bool notable = is_notable(std::span(plan_->repeated_candidates).subspan(first));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      plan_->repeated.push_back({.binding = entries[i].binding,
                                 .first = first,
                                 .count = static_cast<std::uint32_t>(entries.size()),
                                 .is_key = i == 0,
                                 .is_notable = notable});
    }
  }

  /// Without comparing them: every binding has a number.
  void sort_all_repeated() {
    constexpr std::uint32_t kNone = UINT32_MAX;
    if (plan_->repeated.empty()) return;
    std::vector<std::uint32_t> places(plan_->key_count(), kNone);
    for (std::uint32_t i = 0; i < plan_->repeated.size(); ++i) {
      const BindingNumber& binding = plan_->repeated[i].binding;
      places[plan_->first_key[binding.document] + binding.binding] = i;
    }
    std::vector<Plan::Repeated> sorted;
    sorted.reserve(plan_->repeated.size());
    for (const std::uint32_t place : places) {
      if (place != kNone) sorted.push_back(plan_->repeated[place]);
    }
    plan_->repeated = std::move(sorted);
  }

  /// What stands before `sorted` is in order already.
  void sort_repeated(std::size_t sorted) {
    const auto less = [](const Plan::Repeated& left, const Plan::Repeated& right) {
      return left.binding < right.binding;
    };
    const auto middle = plan_->repeated.begin() + static_cast<std::ptrdiff_t>(sorted);
    std::sort(middle, plan_->repeated.end(), less);
    std::inplace_merge(plan_->repeated.begin(), middle, plan_->repeated.end(), less);
  }

  void replace_repeated(const Plan& before, const std::vector<std::uint32_t>& numbers,
                        const std::vector<std::uint32_t>& rekeyed) {
    std::vector<BindingNumber> firsts;  // Of the keys that replaced documents have, or had, with others.
    const auto look_up = [&](const KeyText& key, std::uint32_t hash) {
      const auto entries = plan_->index.find(plan_->documents, key, hash);
      if (entries.size() > 1) firsts.push_back(entries.front().binding);
    };
    const auto sort = [](std::vector<BindingNumber>& all) {
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    };
    const auto entries_at = [this](const BindingNumber& first) {
      const Prepared& prepared = *plan_->documents[first.document]->prepared;
      const Binding& binding = prepared.bindings[first.binding];
      return plan_->index.find(plan_->documents, key_text(prepared, binding), binding.hash);
    };
    for (const std::uint32_t number : rekeyed) {
      const Prepared& prepared = *plan_->documents[number]->prepared;
      for (const Binding& binding : prepared.bindings) look_up(key_text(prepared, binding), binding.hash);
    }
    sort(firsts);
    std::vector<BindingNumber> joined;  // All bindings of those keys.
    for (const BindingNumber& first : firsts) {
      for (const KeyIndex::Entry& entry : entries_at(first)) joined.push_back(entry.binding);
    }
    sort(joined);
    constexpr std::uint32_t kDropped = UINT32_MAX;
    std::vector<std::uint32_t> moved(before.repeated_candidates.size(),
                                     kDropped);  // By where the candidates of a key began.
    plan_->repeated.reserve(before.repeated.size());
    plan_->repeated_candidates.reserve(before.repeated_candidates.size());
    for (const Plan::Repeated& each : before.repeated) {
      if (each.is_key) {
        const auto candidates = std::span(before.repeated_candidates).subspan(each.first, each.count);
        if (std::any_of(candidates.begin(), candidates.end(),
                        [&](const Candidate& one) { return is_in(numbers, one.document); })) {
          const Binding& binding = *candidates.front().binding;
          look_up(key_text(*before.documents[each.binding.document]->prepared, binding), binding.hash);
          continue;
        }
        if (std::binary_search(joined.begin(), joined.end(), each.binding)) continue;
        moved[each.first] = static_cast<std::uint32_t>(plan_->repeated_candidates.size());
        plan_->repeated_candidates.insert(plan_->repeated_candidates.end(), candidates.begin(), candidates.end());
      }
      if (moved[each.first] == kDropped) continue;
      plan_->repeated.push_back(each);
      plan_->repeated.back().first = moved[each.first];
    }
    sort(firsts);
    const std::size_t sorted = plan_->repeated.size();
    for (const BindingNumber& first : firsts) add_repeated(entries_at(first));
    sort_repeated(sorted);
  }

  void replace_contributions(const Plan& before, const std::vector<std::uint32_t>& numbers) {
    const bool concerned = std::any_of(numbers.begin(), numbers.end(), [&](std::uint32_t number) {
      return !before.documents[number]->prepared->contributions.empty() ||
             !plan_->documents[number]->prepared->contributions.empty();
    });
    if (!concerned) {
      plan_->contributions = before.contributions;
      return;
    }
    std::vector<Contributed> kept;
    std::copy_if(before.contributions->begin(), before.contributions->end(), std::back_inserter(kept),
                 [&](const Contributed& each) { return !is_in(numbers, each.document); });
    std::vector<Contributed> added;
    for (const std::uint32_t number : numbers) add_contributions(number, added);
    std::stable_sort(added.begin(), added.end(), by_id);
    auto all = std::make_shared<std::vector<Contributed>>();
    all->reserve(kept.size() + added.size());
    std::merge(kept.begin(), kept.end(), added.begin(), added.end(), std::back_inserter(*all), by_id);
    plan_->contributions = std::move(all);
  }

  void gather() {
    auto repeated = plan_->repeated.begin();
    plan_->first_repeated.reserve(plan_->documents.size() + 1);
    for (std::uint32_t d = 0; d < plan_->documents.size(); ++d) {
      plan_->first_repeated.push_back(static_cast<std::uint32_t>(repeated - plan_->repeated.begin()));
      const PlannedDocument& one = *plan_->documents[d];
      auto flagged = one.flagged.begin();
      const std::uint32_t first_key = plan_->first_key[d];
      // Both are sorted. What is flagged and repeated is notable with its key.
      for (; repeated != plan_->repeated.end() && repeated->binding.document == d; ++repeated) {
        for (; flagged != one.flagged.end() && *flagged < repeated->binding.binding; ++flagged)
          plan_->notable.push_back(first_key + *flagged);
        if (flagged != one.flagged.end() && *flagged == repeated->binding.binding) ++flagged;
        if (repeated->is_key && repeated->is_notable) plan_->notable.push_back(first_key + repeated->binding.binding);
      }
      for (; flagged != one.flagged.end(); ++flagged) plan_->notable.push_back(first_key + *flagged);
      if (one.is_conditional) plan_->conditional.push_back(d);
      if (one.has_findings) plan_->with_findings.push_back(d);
      if (!one.has_others) continue;
      plan_->has_other_names = plan_->has_other_names || !one.prepared->sources.empty();
      const auto place = [&](const std::vector<Prepared::Placed>& from, std::vector<Placed>& to) {
        for (const Prepared::Placed& each : from) to.push_back({each.statement, one.guard(each.guard), d, one.layer});
      };
      place(one.prepared->classes, plan_->classes);
      place(one.prepared->edges, plan_->edges);
      place(one.prepared->open, plan_->open);
    }
    plan_->first_repeated.push_back(static_cast<std::uint32_t>(plan_->repeated.size()));
  }

  std::shared_ptr<Plan> plan_ = std::make_shared<Plan>();
};

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

BindingNumber Plan::binding_number(std::uint32_t key) const noexcept {
  const auto next = std::upper_bound(first_key.begin(), first_key.end(), key);
  return {static_cast<std::uint32_t>(next - first_key.begin() - 1), key - *(next - 1)};
}

const Plan::Repeated* Plan::find_repeated(BindingNumber binding) const noexcept {
  const Repeated* const end = repeated.data() + first_repeated[binding.document + 1];
  const Repeated* const found =
      std::lower_bound(repeated.data() + first_repeated[binding.document], end, binding.binding,
                       [](const Repeated& one, std::uint32_t wanted) { return one.binding.binding < wanted; });
  return found != end && found->binding.binding == binding.binding ? found : nullptr;
}

std::uint32_t Plan::find(const KeyText& key, std::uint32_t hash) const noexcept {
  const auto entries = index.find(documents, key, hash);
  if (entries.empty()) return KeyTable::kNone;
  const BindingNumber& first = entries.front().binding;
  return first_key[first.document] + first.binding;
}

KeyText Plan::text(std::uint32_t key) const noexcept {
  const BindingNumber number = binding_number(key);
  const Prepared& prepared = *documents[number.document]->prepared;
  return key_text(prepared, prepared.bindings[number.binding]);
}

std::span<const Candidate> Plan::of(std::uint32_t key) const noexcept {
  const BindingNumber number = binding_number(key);
  if (const Repeated* all = find_repeated(number)) {
    return all->is_key ? std::span(repeated_candidates).subspan(all->first, all->count) : std::span<const Candidate>();
  }
  return std::span(documents[number.document]->candidates).subspan(number.binding, 1);
}

std::span<const Contributed> Plan::contributions_of(std::string_view id) const noexcept {
  const auto first =
      std::lower_bound(contributions->begin(), contributions->end(), id,
                       [](const Contributed& each, std::string_view wanted) { return each.statement->id < wanted; });
  const auto last =
      std::upper_bound(first, contributions->end(), id,
                       [](std::string_view wanted, const Contributed& each) { return wanted < each.statement->id; });
  return {first, last};
}

std::shared_ptr<const Plan> make_plan(std::vector<PlannedDocument> documents, std::vector<PlannedList> lists) {
  return Planner(std::move(documents)).take(std::move(lists));
}

std::shared_ptr<const Plan> make_plan(const Plan& before,
                                      std::vector<std::pair<std::uint32_t, PlannedDocument>> replaced,
                                      std::vector<PlannedList> lists) {
  return Planner(before, replaced).take(std::move(lists));
}

namespace {

std::shared_ptr<const Prepared> prepared(const Document& document, const Sources& sources, const Limits& limits) {
  CompositionMemory& memory = *document.memory;
  const auto lock = detail::lock_while_running(memory.mutex, limits.stop);
  if (!memory.prepared) memory.prepared = prepare(document, sources, limits);
  return memory.prepared;
}

std::vector<std::shared_ptr<const Plan>> plans_with(const Document& document, const Stop* stop) {
  CompositionMemory& memory = *document.memory;
  const auto lock = detail::lock_while_running(memory.mutex, stop);
  std::vector<std::shared_ptr<const Plan>> out;
  for (const auto& known : memory.plans) {
    if (auto plan = known.lock()) out.push_back(std::move(plan));
  }
  return out;
}

void remember(const Document& document, const std::shared_ptr<const Plan>& plan, const Stop* stop) {
  CompositionMemory& memory = *document.memory;
  const auto lock = detail::lock_while_running(memory.mutex, stop);
  std::erase_if(memory.plans, [](const auto& known) { return known.expired(); });
  if (memory.plans.size() >= kRemembered) memory.plans.pop_back();
  memory.plans.insert(memory.plans.begin(), plan);
}

/// Those that remember the plan.
std::vector<const Document*> first_documents(const std::vector<PlannedList>& lists) {
  std::vector<const Document*> out;
  for (const PlannedList& list : lists) {
    for (std::size_t i = 0; i < list.documents->size() && out.size() < kRemembering; ++i)
      out.push_back((*list.documents)[i].get());
  }
  return out;
}

}  // namespace

std::optional<std::vector<PlanCache::Position>> PlanCache::differences(const Plan& plan, const Lists& lists,
                                                                       std::size_t most) {
  if (plan.lists.size() != lists.size()) return std::nullopt;
  std::vector<Position> out;
  std::size_t first = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const PlannedList& before = plan.lists[i];
    const PlannedList& now = lists[i];
    if (before.layer != now.layer || before.position != now.position ||
        before.documents->size() != now.documents->size())
      return std::nullopt;
    const bool few = before.documents == now.documents ||
                     now.documents->for_each_difference(*before.documents, [&](std::size_t place) {
                       out.push_back({static_cast<std::uint32_t>(first + place), i, place});
                       return out.size() <= most;
                     });
    if (!few) return std::nullopt;
    first += now.documents->size();
  }
  return out;
}

std::shared_ptr<const Plan> PlanCache::make(const Lists& lists, const Sources& sources, const Limits& limits) {
  const auto planned = [&](std::size_t list, std::size_t place) {
    PlannedDocument one;
    one.document = (*lists[list].documents)[place];
    one.prepared = prepared(*one.document, sources, limits);
    one.layer = lists[list].layer;
    one.position = lists[list].position + static_cast<std::uint32_t>(place);
    return one;
  };
  std::size_t size = 0;
  for (const PlannedList& list : lists) size += list.documents->size();
  for (const Document* document : first_documents(lists)) {
    for (const auto& before : plans_with(*document, limits.stop)) {
      const auto changed = differences(*before, lists, 1 + size / 8);
      if (!changed) continue;
      if (changed->empty()) return before;
      std::vector<std::pair<std::uint32_t, PlannedDocument>> replaced;
      replaced.reserve(changed->size());
      for (const Position& each : *changed) replaced.emplace_back(each.number, planned(each.list, each.place));
      auto plan = make_plan(*before, std::move(replaced), lists);
      // Numbers of guards that are not used any more, and parts that became too large or too small, are got rid of now
      // and then.
      std::size_t blocks = 0;
      for (const std::uint32_t number : plan->conditional) blocks += plan->documents[number]->blocks();
      if (plan->guards > 2 * blocks + 64 || !plan->index.suits(plan->key_count())) break;
      return plan;
    }
  }
  std::vector<PlannedDocument> documents;
  documents.reserve(size);
  for (std::size_t list = 0; list < lists.size(); ++list) {
    for (std::size_t place = 0; place < lists[list].documents->size(); ++place)
      documents.push_back(planned(list, place));
  }
  return make_plan(std::move(documents), lists);
}

std::shared_ptr<const Plan> PlanCache::plan(const Request& request, const Sources& sources, const Limits& limits) {
  const auto lock = detail::lock_while_running(mutex_, limits.stop);
  Lists lists;
  std::uint32_t position = 0;
  for (std::uint32_t layer = 0; layer < request.layers.size(); ++layer) {
    for (const LayerPart& part : request.layers[layer].parts) {
      if (part.documents != nullptr && !part.is_of_node()) lists.push_back({part.documents, layer, position});
      position += static_cast<std::uint32_t>(part.size());
    }
  }
  const auto known = std::find_if(plans_.begin(), plans_.end(),
                                  [&lists](const auto& plan) { return differences(*plan, lists, 0).has_value(); });
  if (known != plans_.end()) {
    std::rotate(plans_.begin(), known, known + 1);
    return plans_.front();
  }
  auto plan = make(lists, sources, limits);
  for (const Document* document : first_documents(lists)) remember(*document, plan, limits.stop);
  if (plans_.size() == kMostPlans) plans_.pop_back();
  plans_.insert(plans_.begin(), std::move(plan));
  return plans_.front();
}

}  // namespace strata::bindings
