// What is wrong, dead or unused in the files of a question. Rules: docs/analysis/check.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/question.hpp"

namespace strata::analysis {

enum class Severity : std::uint8_t { error, warning, note };
[[nodiscard]] std::string_view to_string(Severity severity) noexcept;

/// One thing that a check tells.
struct Finding {
  Diagnostic what;  ///< `check.NAME`, or the code of a failure.
  Severity severity = Severity::warning;
  std::string pointer = {};                  ///< In the file. Empty: the file as a whole.
  std::optional<std::size_t> document = {};  ///< Of a file with several, from 0.
  bool is_fixable = false;
  std::string detail = {};  ///< What tells it from other findings at its place, for the fingerprint.
};

/// A kind of finding.
struct FindingCode {
  std::string_view name;  ///< Without `check.`
  Severity severity;
  bool needs_fleet;  ///< Of lookup and inject.
  std::string_view about;
};
/// All of them, by name.
[[nodiscard]] const std::vector<FindingCode>& finding_codes();

struct CheckSettings {
  std::set<std::string, std::less<>> codes = {};  ///< Looked for; names without `check.`
  std::string folder = "/";                       ///< The working folder: names of files below it are relative to it.
  Limits limits = {};
};

struct CheckReport {
  std::size_t subjects = 0;
  std::vector<Finding> findings = {};  ///< By file, line, column and code.
};

/// Looks at all subjects of a question. `question` must outlive the call. Errors: those that end a run.
[[nodiscard]] CheckReport check(const Question& question, const State& state, const CheckSettings& settings);

/// What stays the same of each finding, in their order, when lines that it is not about change: sixteen hexadecimal digits; equal ones get `-2`,
/// `-3`.
[[nodiscard]] std::vector<std::string> fingerprints(const CheckReport& report);
/// For people: each as the program's messages, and their numbers in the last line.
[[nodiscard]] std::string check_text(const CheckReport& report);
/// `strata-check/1`: `{format, subjects, findings: [{code, severity, file, path, line, column, message, notes, hint, fixable, fingerprint}],
/// suppressed, summary}`.
[[nodiscard]] Value check_data(Arena& arena, const CheckReport& report);

}  // namespace strata::analysis
