// Merge behaviours: how users write them, and the kernel's tables that they stand for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/strategy.hpp"

namespace strata::hiera {

enum class MergeKind : std::uint8_t {
  first,
  unique,
  hash,
  deep,
  unconstrained_deep,  ///< As deep; other options are passed over. Old data only.
  reverse_deep,        ///< As unconstrained_deep, with the priorities swapped. Old data only.
};
[[nodiscard]] std::string_view to_string(MergeKind kind) noexcept;
/// Whether values are merged by deep_merge's rules.
[[nodiscard]] constexpr bool is_deep(MergeKind kind) noexcept { return kind >= MergeKind::deep; }

/// A merge behaviour with its options. Rule: docs/hiera/lookup.md, "Merging".
struct MergeOptions {
  MergeKind kind = MergeKind::first;
  std::optional<std::string> knockout_prefix;
  bool sort_merged_arrays = false;
  bool merge_hash_arrays = false;
  friend bool operator==(const MergeOptions&, const MergeOptions&) = default;
};

/// Reads a merge behaviour: its name, or a mapping with `strategy` and, for deep, options. Null and false mean `first`.
/// Error `hiera.merge-options`, naming the member and its place: another type, an unknown key, no or an unknown strategy, an option of the old
/// deep_merge that strata does not know.
[[nodiscard]] MergeOptions parse_merge(const Sources& sources, const Value& value);

/// What a user should be warned of: internal names, a prefix that is a regular expression.
[[nodiscard]] std::vector<std::string> remarks(const MergeOptions& options);

/// Whether a knockout prefix means something else as a regular expression than as text, so that matching it needs a merge::StripPrefix.
[[nodiscard]] bool is_pattern(std::string_view prefix) noexcept;

/// The kernel's tables, for the weaker value as old and the stronger one as incoming. `independent_copies`: without deep_merge's loss of items in
/// lists that only the stronger value has. Not for `first`.
[[nodiscard]] merge::Strategy build_strategy(const MergeOptions& options, bool independent_copies = false);
/// The same tables, made once, for options that name a kind and nothing else; null for others.
[[nodiscard]] const merge::Strategy* ready_strategy(const MergeOptions& options);

}  // namespace strata::hiera
