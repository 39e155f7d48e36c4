// SPDX-License-Identifier: Apache-2.0
// Merge behaviours: their notation, and their tables for the kernel.
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
  unconstrained_deep,  ///< As deep, but other options are ignored. For old data only.
  reverse_deep,        ///< As unconstrained_deep, with reversed priorities. For old data only.
};
[[nodiscard]] std::string_view to_string(MergeKind kind) noexcept;
/// Whether values are merged by the rules of deep_merge.
[[nodiscard]] constexpr bool is_deep(MergeKind kind) noexcept { return kind >= MergeKind::deep; }

/// A merge behaviour with its options. Rule: docs/hiera/lookup.md, "Merging".
struct MergeOptions {
  MergeKind kind = MergeKind::first;
  std::optional<std::string> knockout_prefix;
  bool sort_merged_arrays = false;
  bool merge_hash_arrays = false;
  friend bool operator==(const MergeOptions&, const MergeOptions&) = default;
};

/// Parses a merge behaviour: its name, or a mapping with `strategy` and, for deep, options. Null and false mean
/// `first`. Error `hiera.merge-options`, with the member and its place: a wrong type, an unknown key, no strategy or an
/// unknown one, an option of the old deep_merge that strata does not support.
[[nodiscard]] MergeOptions parse_merge(const Sources& sources, const Value& value);

/// Warnings for the user: internal names, a prefix that is a regular expression.
[[nodiscard]] std::vector<std::string> remarks(const MergeOptions& options);

/// Whether a knockout prefix has another meaning as a regular expression than as text. Matching it then needs a
/// merge::StripPrefix.
[[nodiscard]] bool is_pattern(std::string_view prefix) noexcept;

/// The kernel's tables, with the weaker value as old and the stronger one as incoming. `independent_copies`: lists that
/// only the stronger value has keep all items, unlike in deep_merge. Not for `first`.
[[nodiscard]] merge::Strategy build_strategy(const MergeOptions& options, bool independent_copies = false);
/// The same tables, made once, for options that are only a kind. Null for others.
[[nodiscard]] const merge::Strategy* ready_strategy(const MergeOptions& options);

}  // namespace strata::hiera
