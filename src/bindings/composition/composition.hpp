// SPDX-License-Identifier: Apache-2.0
// Which binding of each key is effective on one node, and the errors among them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bindings/composition/paged.hpp"
#include "bindings/composition/plan.hpp"
#include "bindings/problems.hpp"
#include "strata/bindings.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

/// Higher is stronger: first the layer, then the precedence in it. 0: not in effect.
using Rank = std::uint64_t;

/// The effective candidate of a key.
struct Effective {
  const Candidate* winner = nullptr;  ///< Null: nothing in effect binds the key.
  bool is_tied = false;               ///< Another candidate has the same rank.
};

/// The candidates of all keys with the categories of one node. Load-time expressions are evaluated through `resolve`;
/// producers never run here.
class Composition {
 public:
  /// `resolve`: evaluates names, types and `when` values. Both must outlive this object. Errors are added to
  /// `problems`.
  Composition(std::shared_ptr<const Plan> plan, const Request& request, const Sources& sources, const Limits& limits,
              Resolve resolve, Problems& problems);

  /// A source of keys, with the position of its layer.
  struct Source {
    KeySource* source;
    std::uint32_t layer;
    std::uint32_t position;
  };

  // Keys.
  [[nodiscard]] std::uint32_t find(std::string_view type_part, std::string_view name) const noexcept;
  /// The number of a key, added if it is new. The texts are kept.
  std::uint32_t intern(std::string_view type_part, std::string_view name);
  [[nodiscard]] KeyText text(std::uint32_t key) const noexcept {
    return key < own_keys_.first() ? plan_->text(key) : own_keys_[key];
  }
  /// The last number plus one. Some numbers below it may be unused: they have no candidates.
  [[nodiscard]] std::uint32_t key_count() const noexcept { return own_keys_.end(); }
  /// Whether a number belongs to a key.
  [[nodiscard]] bool is_key(std::uint32_t key) const noexcept {
    return key >= own_keys_.first() || !plan_->of(key).empty();
  }
  /// Keys that may have a tie, or an effective candidate with flags, in ascending order.
  [[nodiscard]] const std::vector<std::uint32_t>& notable() const noexcept { return notable_; }
  [[nodiscard]] std::string readable(std::uint32_t key) const { return readable(text(key)); }
  [[nodiscard]] static std::string readable(const KeyText& key);

  // Candidates.
  [[nodiscard]] std::span<const Candidate> candidates(std::uint32_t key) const noexcept;
  [[nodiscard]] bool in_effect(std::uint32_t guard) const noexcept { return precedence_[guard] != 0; }
  [[nodiscard]] Rank rank(const Candidate& candidate) const noexcept { return rank(candidate.layer, candidate.guard); }
  [[nodiscard]] Rank rank(std::uint32_t layer, std::uint32_t guard) const noexcept {
    return precedence_[guard] == 0 ? 0 : (Rank{layers_ - layer} << 32U) + precedence_[guard];
  }
  /// The rank of a source's values: common, in its layer.
  [[nodiscard]] Rank rank_of_source(std::uint32_t layer) const noexcept {
    return (Rank{layers_ - layer} << 32U) + kCommonPrecedence;
  }
  /// The highest-ranked candidate in effect below a rank.
  [[nodiscard]] Effective below(std::uint32_t key, Rank limit) const noexcept;
  /// The effective candidate of a key, once the composition is settled.
  [[nodiscard]] const Effective& effective(std::uint32_t key) const {
    Settled& settled = effective_[key];
    if (!settled.is_known) settled = {below(key, UINT64_MAX), true};
    return settled.effective;
  }
  /// Makes another candidate effective: for a key whose optional producer produced nothing.
  void replace(std::uint32_t key, const Effective& effective) { effective_[key] = {effective, true}; }
  /// Adds a binding that only this node has: parameters of objects. `local` is a result of `new_local`.
  void add(std::uint32_t local, const Binding& binding);
  /// A Prepared of this node for further bindings of a document. Returns its number among all documents.
  std::uint32_t new_local(std::uint32_t like);
  [[nodiscard]] Prepared& local(std::uint32_t document) { return *locals_[document - plan_->documents.size()]; }

  /// Call it once all candidates are added. Winners are then found on demand.
  void settle();

  // Statements that bind no key, in the order of 11.2, in effect or not.
  [[nodiscard]] std::span<const Contributed> contributions(std::string_view id) const noexcept;
  [[nodiscard]] const std::vector<Placed>& classes() const noexcept {
    return local_documents_.empty() ? plan_->classes : classes_;
  }
  [[nodiscard]] const std::vector<Placed>& edges() const noexcept {
    return local_documents_.empty() ? plan_->edges : edges_;
  }
  /// Computed parameters of objects and hashes. All other open statements are candidates by now.
  [[nodiscard]] const std::vector<Placed>& computed() const noexcept { return computed_; }
  [[nodiscard]] const std::vector<Source>& key_sources() const noexcept { return key_sources_; }
  /// All ids with contributions.
  [[nodiscard]] std::vector<std::string_view> ids() const;

  // For messages and explanations.
  [[nodiscard]] const PlannedDocument& document(std::uint32_t number) const noexcept {
    return number < plan_->documents.size() ? *plan_->documents[number]
                                            : local_documents_[number - plan_->documents.size()];
  }
  [[nodiscard]] std::uint32_t document_count() const noexcept {
    return static_cast<std::uint32_t>(plan_->documents.size() + local_documents_.size());
  }
  /// Calls `use` with each document that has findings or needs extensions, in order.
  template <class Use>
  void for_each_with_findings(const Use& use) const {
    for (const std::uint32_t number : plan_->with_findings) use(*plan_->documents[number]);
    for (std::size_t i = 0; i < local_documents_.size(); ++i) use(local_documents_[i]);
  }
  /// Calls `use` with each document of several nodes that has `when` blocks.
  template <class Use>
  void for_each_conditional(const Use& use) const {
    for (const std::uint32_t number : plan_->conditional) use(*plan_->documents[number]);
  }
  [[nodiscard]] const std::string& layer_name(std::uint32_t layer) const noexcept {
    return request_.layers[layer].name;
  }
  /// The category path in effect, or the one that is asked for.
  [[nodiscard]] std::string category(const Statement& statement, std::uint32_t guard) const;
  /// Why a statement is not in effect: `category not in effect: node 'x' (is 'y')`.
  [[nodiscard]] std::string not_in_effect(const Statement& statement) const;
  [[nodiscard]] StatementReport told(const Statement& statement, std::uint32_t document, std::uint32_t guard) const;
  [[nodiscard]] StatementReport told(const Candidate& candidate) const {
    return told(*candidate.binding->statement, candidate.document, candidate.guard);
  }
  [[nodiscard]] Error conflict(std::uint32_t key, const Candidate& winner) const;
  [[nodiscard]] const CategoryTable& categories() const noexcept { return categories_; }
  [[nodiscard]] const Resolve& resolve() const noexcept { return resolve_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  /// The position of a candidate, for messages.
  [[nodiscard]] static Origin origin(const Candidate& candidate) noexcept;
  /// Whether any statement is an alias, or renames.
  [[nodiscard]] bool has_other_names() const noexcept { return plan_->has_other_names || !extras_.empty(); }

 private:
  static constexpr std::uint32_t kCommonPrecedence = 1;
  struct Settled {
    Effective effective{};
    bool is_known = false;
  };
  void place_locals(Problems& problems);
  void evaluate_guards(Problems& problems);
  void resolve_open(Problems& problems);
  void add_extra(std::uint32_t document, const Binding& binding, std::uint32_t guard);
  void sort_extras();

  std::shared_ptr<const Plan> plan_;
  const Request& request_;
  const Sources& sources_;
  const Limits& limits_;
  Resolve resolve_;
  CategoryTable categories_;
  std::uint32_t layers_;
  std::vector<Source> key_sources_;

  std::vector<std::uint32_t> precedence_;  ///< By guard: 0 not in effect, 1 common, higher is stronger.
  std::vector<CategorySet> sets_;          ///< By guard, if it is in effect.

  std::vector<std::shared_ptr<Prepared>> locals_;
  std::vector<PlannedDocument> local_documents_;
  KeyTable own_keys_;
  std::deque<std::string> texts_;
  std::unordered_map<std::uint32_t, std::vector<Candidate>>
      extras_;  ///< All candidates of keys that have some of this node only.
  std::deque<Binding> extra_bindings_;
  TextViewMap<std::vector<Contributed>> own_contributions_;
  std::vector<Placed> classes_;  ///< Including those of this node, if it has documents of its own.
  std::vector<Placed> edges_;
  std::vector<Placed> computed_;
  std::vector<std::uint32_t> notable_;
  mutable Paged<Settled> effective_;  ///< By key. Made on demand.
};

}  // namespace strata::bindings
