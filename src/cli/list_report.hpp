// SPDX-License-Identifier: Apache-2.0
// The output of `--lists`.
#pragma once

#include <functional>
#include <string>

#include "options.hpp"
#include "strata/list_history.hpp"
#include "strata/merge.hpp"
#include "strata/origin.hpp"

namespace strata::cli {

/// What a report on lists is of.
struct ListQuestion {
  const Sources& sources;
  const merge::History& history;
  merge::Traced result;
  merge::ListReading reading = {};
  std::string node = {};  ///< Leads all paths. Empty: nothing does.
  /// What machine output calls a layer. Empty: by its name in the history.
  std::function<std::string(merge::LayerId)> layer_name = {};
};

/// How all lists of a result were merged: lines, or members of a JSON array without what stands around them. Errors:
/// `limit.output`.
[[nodiscard]] std::string list_rows(const SharedOptions& options, ListQuestion question);
/// The whole report. Errors: `limit.output`.
[[nodiscard]] std::string list_report(const SharedOptions& options, ListQuestion question);

/// What stands before, between and behind the rows of a JSON array.
inline constexpr std::string_view kRowsHead = "[\n";
inline constexpr std::string_view kRowsSeparator = ",\n";
inline constexpr std::string_view kRowsTail = "\n]\n";
inline constexpr std::string_view kNoRows = "[]\n";

}  // namespace strata::cli
