// The output of `--lists`.
#pragma once

#include <string>

#include "options.hpp"
#include "strata/merge.hpp"
#include "strata/origin.hpp"

namespace strata::cli {

/// How all lists of a result were merged: lines, or members of a JSON array without what stands around them. `node`: leads all paths; empty: nothing
/// does. `is_documents`: the result is a sequence of documents. Errors: `limit.output`.
[[nodiscard]] std::string list_rows(const SharedOptions& options, const Sources& sources, const merge::History& history, const merge::Traced& result,
                                    bool is_documents, const std::string& node = {});

/// What stands before, between and behind the rows of a JSON array.
inline constexpr std::string_view kRowsHead = "[\n";
inline constexpr std::string_view kRowsSeparator = ",\n";
inline constexpr std::string_view kRowsTail = "\n]\n";
inline constexpr std::string_view kNoRows = "[]\n";

}  // namespace strata::cli
