// SPDX-License-Identifier: Apache-2.0
// Which leaves of the files reach results. Rules: docs/analysis/coverage.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "strata/question.hpp"

namespace strata::analysis {

struct CoverageSettings {
  std::vector<std::string> only = {};  ///< Names of items with `*` and `?`: leaves of others are left out. Empty: all.
  std::string folder = "/";            ///< The working folder: names of files below it are relative to it.
  Limits limits = {};
};

/// A scalar or an empty container of a file, and in how many subjects its value had a fate. A subject counts once for
/// each.
struct CoveredLeaf {
  std::string path;  ///< A JSON Pointer in the file.
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::size_t won = 0, merged = 0, shadowed = 0, removed = 0;
  std::size_t seen_by = 0;  ///< Subjects in which it has won or was merged. One can see it in both ways.

  [[nodiscard]] std::size_t seen() const noexcept { return seen_by; }
};

struct CoveredFile {
  std::string file;
  std::string text;         ///< Secrets are `******`.
  std::size_t read_by = 0;  ///< Number of subjects.
  std::vector<CoveredLeaf> leaves = {};
};

struct CoverageReport {
  std::size_t subjects = 0;
  std::vector<CoveredFile> files =
      {};  ///< By name. Also those that nobody reads, of folders that are meant to be read.
  /// Lines, from 1, that texts do not show as they are, by absolute paths without links.
  std::map<std::string, std::set<std::size_t>> secret_lines = {};
};

/// Asks all subjects once, with histories. Subjects that fail show nothing. Errors: those that end a run.
[[nodiscard]] CoverageReport coverage(const Question& question, const State& state, const CoverageSettings& settings);

/// The lines of each file, each led by the largest number of subjects that see one of its leaves.
[[nodiscard]] std::string coverage_text(const CoverageReport& report, const Wording& wording);
/// `strata-coverage/1`: `{format, subjects, files: [{file, read_by, leaves: [{path, line, column, won, merged,
/// shadowed, removed}]}]}`.
[[nodiscard]] Value coverage_data(Arena& arena, const CoverageReport& report);
/// As lcov's tools and editors read it: `SF`, `DA` and `end_of_record`.
[[nodiscard]] std::string coverage_lcov(const CoverageReport& report);

}  // namespace strata::analysis
