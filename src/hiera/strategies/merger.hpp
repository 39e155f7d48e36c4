// The four merge behaviours, applied to found values from the highest to the lowest.
#pragma once

#include <memory>
#include <vector>

#include "hiera/strategies/strategies.hpp"
#include "strata/merge.hpp"

namespace strata::hiera {

/// Where a promise of Puppet's documentation is kept though Puppet breaks it. Rule: docs/hiera/lookup.md, "Compatibility".
struct Promised {
  bool unique_refuses_hashes = false;  ///< `unique` fails for every hash, not only for those below the first value.
  bool independent_copies = false;     ///< `deep` loses no items of lists that only the stronger value has.
};

/// Folds values under one merge behaviour: the first found value goes through `convert`, each later one through `merge`. Where there is only one
/// candidate its value goes through `single` instead. Rule: docs/hiera/lookup.md, "Merging". Not for `first`, which merges nothing: all three give
/// the stronger value back.
///
/// What it makes lives in the arena, or is shared with its inputs. Inputs never change. Not thread-safe.
class Merger {
 public:
  /// `strip`: matches a knockout prefix that is a pattern (is_pattern); empty: such a prefix is an Error. `notices` may be null;
  /// describe() makes warnings of notices. All references must outlive the merger.
  Merger(MergeOptions options, const Sources& sources, Arena& arena, const Limits& limits, merge::Recorder& recorder,
         std::vector<merge::Notice>* notices = nullptr, merge::StripPrefix strip = {}, Promised promised = {});

  /// The value of the only candidate. unique: a list loses duplicates, without being flattened.
  [[nodiscard]] merge::Traced single(const merge::Traced& value);
  /// The first value that was found. unique: a flat list.
  [[nodiscard]] merge::Traced convert(const merge::Traced& value);
  /// The stronger values so far with the next weaker one. Cost: as merge::merge; `hash` and `unique` look through both values,
  /// but not through what they gave last.
  /// Errors: `merge.kind-mismatch` (unique: null, a hash below, what is not data; hash: what is not a hash of data with text keys),
  /// `merge.unsortable`, `hiera.knockout-prefix`, `limit.depth`; each names both places where there are two.
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
  std::unique_ptr<const merge::Strategy> own_strategy_;  ///< Where no ready one serves.
  const merge::Strategy* strategy_ = nullptr;            ///< Null for `first`.
  Value checked_;                                        ///< What `merge` gave last: it needs no looking through.
};

/// A warning for something that `deep` does and people do not expect; code `merge.surprise`.
[[nodiscard]] Diagnostic describe(const Sources& sources, const merge::Notice& notice);

}  // namespace strata::hiera
