// SPDX-License-Identifier: Apache-2.0
// Which findings of a check are told, and how bad they are: comments, `.strata-check.yaml`, baselines. Rules:
// docs/analysis/check.md.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "strata/check.hpp"

namespace strata::analysis {

/// The name of the file that configures checks.
inline constexpr std::string_view kCheckConfigName = ".strata-check.yaml";

/// What `.strata-check.yaml` says.
struct CheckConfig {
  /// Findings that are not told.
  struct Allowed {
    std::string code;  ///< Without `check.`. `all`: every one.
    std::string file;  ///< A glob. Empty: any.
    std::string path;  ///< A glob of JSON Pointers. Empty: any.
    std::string reason;
  };
  std::string folder = {};  ///< Absolute: globs of files count from it. Empty: from the working folder.
  std::map<std::string, Severity, std::less<>> severity = {};
  std::set<std::string, std::less<>> off = {};  ///< Codes that are not looked for.
  std::vector<Allowed> allow = {};
  std::vector<std::string> consumers = {};
  std::vector<std::string> known_keys = {};  ///< Of cloud-config.
  std::vector<std::string> select = {};      ///< Empty: all codes.
  std::vector<std::string> ignore = {};
};
/// Reads a configuration. `name`: of the file, in places. Errors: `check.config`, those of the YAML reader.
[[nodiscard]] CheckConfig read_check_config(const std::string& name, std::string text, const Limits& limits = {});

/// The fingerprints of findings that are not told.
using Baseline = std::set<std::string, std::less<>>;
/// Reads a baseline. Errors: `check.baseline`.
[[nodiscard]] Baseline read_baseline(const std::string& name, std::string text, const Limits& limits = {});
/// The baseline of a run: what is told, and what an older baseline silences. By fingerprint, one finding a line.
[[nodiscard]] std::string baseline_text(const CheckReport& report);

/// Gives findings the severities of a configuration, adds those about comments (`bare-allow`, `idle-allow`), and marks
/// what comments, the configuration and a baseline silence, in this order.
void silence(CheckReport& report, const State& state, const CheckSettings& settings, const CheckConfig& config,
             const Baseline& baseline);

}  // namespace strata::analysis
