// SPDX-License-Identifier: Apache-2.0
// Mergers: their names in cloud-config, and their tables for the kernel.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/cloudinit.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"

namespace strata::cloudinit {

/// The options of one merger, in any form that a document may use.
class MergerOptions {
 public:
  MergerOptions() = default;
  /// `settings`: a sequence, text (searched as a substring), mapping or set (its keys).
  explicit MergerOptions(const Value& settings) : settings_(settings) {}
  explicit MergerOptions(std::vector<std::string> words) : words_(std::move(words)) {}

  [[nodiscard]] bool has(std::string_view option) const;
  /// All options as words, for messages and custom mergers.
  [[nodiscard]] std::vector<std::string> words() const;
  /// The options are one text: it is searched, not compared.
  [[nodiscard]] bool is_text() const noexcept { return settings_.is_text(); }
  /// The options are a mapping: its values are ignored.
  [[nodiscard]] bool is_mapping() const noexcept { return settings_.is_mapping(); }

 private:
  Value settings_;
  std::vector<std::string> words_;
};

/// One merger of a strategy: `list(append)`.
struct Merger {
  std::string name;  ///< Without `m_`.
  MergerOptions options;
  Origin origin;
};

/// Reads the string form, `list(append)+dict(recurse_list)`. Error `merger.format`, naming the segment. Rule: section
/// "String format".
[[nodiscard]] std::vector<Merger> parse_mergers(std::string_view text, Origin origin);
/// Parses every form of `merge_how`. Errors: `merger.format`, `merger.settings`.
[[nodiscard]] std::vector<Merger> parse_mergers(const Value& value, Arena& arena);

/// A strategy that is ready for use.
struct BuiltStrategy {
  merge::Strategy strategy;
  std::vector<merge::Call> calls;
  std::string text;    ///< In the string form, for people.
  Origin option = {};  ///< Where it is chosen, by its key. Nowhere: it is a default.
  bool has_dict = false;
  std::vector<std::string> remarks;  ///< Warnings for the user: unknown options, options searched as text.
};

/// The kernel's tables for a list of mergers. The first merger of each type is used. Error `merger.unknown`, with the
/// known names.
[[nodiscard]] BuiltStrategy build_strategy(std::span<const Merger> mergers, std::span<const CustomMerger> custom);

/// The default between parts of one source: `dict(replace)+list()+str()`.
[[nodiscard]] const BuiltStrategy& default_part_strategy();
/// The default between base files, and between layers: `list()+dict()+str()`.
[[nodiscard]] const BuiltStrategy& default_layer_strategy();

}  // namespace strata::cloudinit
