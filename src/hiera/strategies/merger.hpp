// SPDX-License-Identifier: Apache-2.0
// The four merge behaviours, applied to the values found, highest first.
#pragma once

#include <memory>
#include <vector>

#include "hiera/strategies/strategies.hpp"
#include "strata/merge.hpp"

namespace strata::hiera {

/// Where documented behaviour is followed although Puppet differs. Rule: docs/hiera/lookup.md, "Compatibility".
struct Promised {
  /// `unique` fails for every hash, not only for hashes below the first value.
  bool unique_refuses_hashes = false;
  /// `deep` keeps all items of lists that only the stronger value has.
  bool independent_copies = false;
};

/// Folds values with one merge behaviour: the first value found goes through `convert`, each later one through `merge`.
/// A single candidate goes through `single` instead. Rule: docs/hiera/lookup.md, "Merging". Not for `first`, which
/// merges nothing: all three functions return the stronger value.
///
/// Results live in the arena or are shared with the inputs. Inputs never change. Not thread-safe.
class Merger {
 public:
  /// `strip`: matches a knockout prefix that is a pattern (is_pattern); if it is empty, such a prefix is an Error.
  /// `notices` may be null; describe() converts notices to warnings. All references must outlive the merger.
  Merger(MergeOptions options, const Sources& sources, Arena& arena, const Limits& limits, merge::Recorder& recorder,
         std::vector<merge::Notice>* notices = nullptr, merge::StripPrefix strip = {}, Promised promised = {});

  /// The value of the only candidate. unique: a list loses its duplicates but is not flattened.
  [[nodiscard]] merge::Traced single(const merge::Traced& value);
  /// The first value found. unique: a flat list.
  [[nodiscard]] merge::Traced convert(const merge::Traced& value);
  /// Merges the next weaker value into the stronger ones so far. Cost: as merge::merge; `hash` and `unique` inspect
  /// both values, but not their own last result. Errors: `merge.kind-mismatch` (unique: null, a nested hash, a value
  /// that is not data; hash: anything but a hash of data with text keys), `merge.unsortable`, `hiera.knockout-prefix`,
  /// `limit.depth`. Each names both places if there are two.
  [[nodiscard]] merge::Traced merge(const merge::Traced& stronger, const merge::Traced& weaker);

  [[nodiscard]] const MergeOptions& options() const noexcept { return options_; }

 private:
  void check_unique(const Value& value, const Value& other) const;
  void check_hash(const Value& value, const Value& other) const;
  [[nodiscard]] Error mismatch(const Value& where, const Value& other, std::string message) const;
  merge::Traced unite(const merge::Traced& stronger, const merge::Traced& weaker);
  [[nodiscard]] bool is_checked(const Value& value) const noexcept;
  merge::Traced run(const merge::Traced& old, const merge::Traced& incoming);

  MergeOptions options_;
  const Sources& sources_;
  Arena& arena_;
  const Limits& limits_;
  merge::Recorder& recorder_;
  std::vector<merge::Notice>* notices_;
  merge::StripPrefix strip_;
  Promised promised_;
  std::unique_ptr<const merge::Strategy> own_strategy_;  ///< If no ready strategy fits.
  const merge::Strategy* strategy_ = nullptr;            ///< Null for `first`.
  Value checked_;                                        ///< The last result of `merge`, which needs no check.
};

/// A warning about a result of `deep` that people do not expect. Codes `merge.surprise`, `hiera.null-merge`.
[[nodiscard]] Diagnostic describe(const Sources& sources, const merge::Notice& notice);

}  // namespace strata::hiera
