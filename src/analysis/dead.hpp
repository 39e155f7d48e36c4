// SPDX-License-Identifier: Apache-2.0
// Statements without which every result is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ledger.hpp"
#include "analysis/search_budget.hpp"

namespace strata::analysis {

/// A statement that was taken out, and what came of it.
struct Removal {
  std::uint32_t statement;
  bool is_dead = true;
  // For the first subject that reads the file. Empty: no value.
  Excerpt without = {};    ///< Where the same value is written that results have without it.
  Excerpt with = {};       ///< What is there with it, and stronger.
  bool has_value = false;  ///< Something is there with it.
  bool is_beaten = false;  ///< There is something stronger.
  bool is_lost = false;    ///< An item that its list lacks.
};

/// Those of the statements that a check looks at, in the order of the files; of nested ones only the outermost. Each
/// was taken out, and all subjects that read its file were asked. `wants_items`: of lists, too. Errors: those that end
/// a run. Statements for which `budget` does not suffice are left out.
[[nodiscard]] std::vector<Removal> dead_statements(const Question& question, const State& state, const Ledger& ledger,
                                                   const std::string& folder, const Limits& limits, bool wants_items,
                                                   SearchBudget& budget);

/// The numbers of files that state something, and with the text `nothing` instead give the same results. For a single
/// file that states something: none.
[[nodiscard]] std::vector<std::uint32_t> dead_files(const Question& question, const State& state, const Ledger& ledger,
                                                    const std::string& folder, const Limits& limits,
                                                    const std::string& nothing, SearchBudget& budget);

/// Whether any result changes if a file has another text. No value: `budget` does not suffice.
[[nodiscard]] std::optional<bool> changes_with(const Question& question, const State& state, const Ledger& ledger,
                                               const std::string& folder, const Limits& limits, std::uint32_t file,
                                               const std::string& text, SearchBudget& budget);

}  // namespace strata::analysis
