// SPDX-License-Identifier: Apache-2.0
// What is wrong, dead or unused in the files of a question. Rules: docs/analysis/check.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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

/// Why a finding is not told.
struct Silence {
  enum class By : std::uint8_t { comment, config, baseline };
  By by = By::comment;
  std::string reason = {};  ///< As it is written. Empty for a baseline.
};
[[nodiscard]] std::string_view to_string(Silence::By by) noexcept;

/// How a finding can be fixed in its file: what its pointer leads to is removed or replaced.
struct Removable {
  ConfigurationFile file;
  std::size_t readers = 0;                      ///< Targets that read the file.
  std::optional<std::string> replacement = {};  ///< The new string. No value: the statement is removed.
};

/// One thing that a check tells.
struct Finding {
  Diagnostic what;  ///< `check.NAME`, or the code of an error or a warning of an evaluation.
  Severity severity = Severity::warning;
  std::string pointer = {};                  ///< In the file. Empty: the file as a whole.
  std::optional<std::size_t> document = {};  ///< Of a file with several, from 0.
  std::optional<Removable> removable = {};
  std::string detail = {};  ///< What tells it from other findings at its place, for the fingerprint.
  std::optional<Silence> silence = {};
};

/// A kind of finding.
struct FindingCode {
  std::string_view name;  ///< Without `check.`
  Severity severity;
  bool needs_fleet;  ///< Of lookup and inject.
  std::string_view about;
  /// Which dialects can have it.
  enum class Scope : std::uint8_t {
    statements,   ///< Those whose files have statements.
    merged,       ///< Of these, those that merge members.
    plain_lists,  ///< Those whose lists should not hold an item twice.
    free_names,   ///< Those whose users choose names.
    listed,       ///< Those that list it: Traits::findings.
    all,
  };
  Scope scope = Scope::statements;
};
/// All of them, by name.
[[nodiscard]] const std::vector<FindingCode>& finding_codes();
/// The kind of a finding that a code names, with or without `check.`. Null: it is another code.
[[nodiscard]] const FindingCode* find_code(std::string_view code);
/// Whether a check of a dialect can have findings of a code, without `check.`
[[nodiscard]] bool is_of(std::string_view code, const query::Traits& traits);
/// The hint for a code that names none.
[[nodiscard]] std::string code_hint(std::string_view code, std::string otherwise);
/// What stands before the name in the code of a finding.
inline constexpr std::string_view kCheckPrefix = "check.";
/// A code without it.
[[nodiscard]] constexpr std::string_view code_name(std::string_view code) noexcept {
  return code.starts_with(kCheckPrefix) ? code.substr(kCheckPrefix.size()) : code;
}

struct CheckSettings {
  std::set<std::string, std::less<>> codes = {};  ///< Looked for; names without `check.`
  std::string folder = "/";                       ///< The working folder: names of files below it are relative to it.
  std::string root = {};                          ///< As CheckReport::root.
  Limits limits = {};
  std::vector<std::string> code =
      {};  ///< Folders with code that uses the results, besides those that are known. Absolute.
  std::vector<std::string> consumers = {};  ///< Patterns, with `*` and `?`: root keys that something uses.
  std::vector<std::string> known_keys =
      {};  ///< Top-level keys of cloud-config that are known besides those of cloud-init.
  std::shared_ptr<const FileTree> machine = {};  ///< As MisfitContext::machine.
  bool reports_warnings = true;  ///< Warnings of evaluations are findings. False for a selection of codes.
};

struct CheckReport {
  std::string folder = "/";  ///< As CheckSettings::folder.
  /// The folder from which fingerprints, baselines and SARIF name the files below it, so that they are the same in
  /// every working folder. Empty: it is the working folder.
  std::string root = {};
  std::size_t subjects = 0;
  std::vector<ConfigurationFile> files = {};  ///< Those that were read.
  std::vector<Finding> findings = {};         ///< By file, line, column and code.
  std::vector<Diagnostic> remarks = {};       ///< Messages beside the findings: checks that were left out.
  /// Of CheckSettings::codes, those that such a question can have: the others say nothing if there are none. Names
  /// without `check.`
  std::set<std::string, std::less<>> looked_for = {};
  /// By file, as an absolute path without symbolic links: the numbers of lines that show secrets, from 1.
  std::map<std::string, std::set<std::size_t>> secret_lines = {};
};

/// Looks at all subjects of a question. `question` must outlive the call. Errors: those that end a run.
[[nodiscard]] CheckReport check(const Question& question, const State& state, const CheckSettings& settings);

/// Sorts findings by file, line, column and code; those without a file come last.
void sort_findings(CheckReport& report);

/// What stays the same of each finding, in their order, when lines that it is not about change: sixteen hexadecimal
/// digits; equal ones get `-2`,
/// `-3`.
[[nodiscard]] std::vector<std::string> fingerprints(const CheckReport& report);

// Reports. Silenced findings are only counted, unless it says otherwise.

/// For people: each as the program's messages, and their numbers in the last line. `shows_silenced`: those, too, with
/// why.
[[nodiscard]] std::string check_text(const CheckReport& report, bool shows_silenced = false);
/// `strata-check/1`: `{format, subjects, findings: [{code, severity, file, path, line, column, message, notes, hint,
/// fixable, fingerprint}], suppressed, summary}`. `shows_silenced`: those, too, with `silenced_by` and `reason`.
[[nodiscard]] Value check_data(Arena& arena, const CheckReport& report, bool shows_silenced = false);
/// SARIF 2.1.0 for code scanning: at most 25,000 findings, errors first. Silenced ones are in it, with `suppressions`.
[[nodiscard]] Value check_sarif(Arena& arena, const CheckReport& report);
/// Workflow commands of GitHub, a line for each finding, errors first; and the last line of `check_text`.
[[nodiscard]] std::string check_annotations(const CheckReport& report);
/// JUnit's XML: a suite for each code of CheckReport::looked_for and of findings, a failure for each finding.
/// `shows_silenced`: those are tests that were skipped.
[[nodiscard]] std::string check_junit(const CheckReport& report, bool shows_silenced = false);

// Fixes

struct FixSettings {
  std::set<std::string, std::less<>> codes = {};  ///< Whose findings are taken out; names without `check.`
  std::string folder = "/";                       ///< As CheckSettings.
  Limits limits = {};
};

/// A file without what was taken out.
struct FixedFile {
  std::string path;  ///< Absolute.
  std::string before;
  std::string after;
};

struct FixReport {
  std::size_t found = 0;              ///< Findings.
  std::size_t fixed = 0;              ///< Statements that were taken out.
  std::vector<FixedFile> files = {};  ///< By path.
  std::vector<Diagnostic> kept = {};  ///< Why statements could not be taken out of their texts.
  CheckReport first = {};             ///< Before.
  CheckReport left = {};              ///< After.
};

/// A check of a state, with what is silenced.
using Look = std::function<CheckReport(const State& state)>;

/// Takes findings out of the files, one after the other, as long as all outcomes stay those of `state`, and until
/// nothing more can be taken. Writes nothing. Errors: those that end the run; `edit.unsafe`.
[[nodiscard]] FixReport fix(const Question& question, const State& state, const FixSettings& settings,
                            const Look& look);

}  // namespace strata::analysis
