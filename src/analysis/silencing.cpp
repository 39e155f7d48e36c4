// SPDX-License-Identifier: Apache-2.0
// What silences findings, in its order: comments, the configuration, a baseline.
#include "strata/silencing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <utility>

#include "analysis/allow.hpp"
#include "analysis/glob.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kBareAllow = "bare-allow";
constexpr std::string_view kIdleAllow = "idle-allow";

std::string_view code_of(const Finding& finding) { return code_name(finding.what.code); }

/// The comments of the files of one report.
class Comments {
 public:
  Comments(CheckReport& report, const State& state, const CheckSettings& settings, const CheckConfig& config)
      : report_(report), state_(state), settings_(settings), config_(config) {}

  void apply() {
    for (const ConfigurationFile& file : report_.files)
      read(shown_path(file.path, settings_.folder), file.path, file.form);
    for (const Finding& one : report_.findings) {
      const std::string& name = one.what.where.place.file;
      if (!name.empty() && !files_.contains(name))
        read(name, absolute_path(settings_.folder, name), form_by_name(name));
    }
    for (Finding& one : report_.findings) silence(one);
    tell_bare();
    tell_idle();
  }

 private:
  struct File {
    std::unique_ptr<Allows> allows;    ///< Null: it cannot be read, or has none.
    std::vector<bool> has_silenced{};  ///< By comment.
  };

  void read(const std::string& name, const std::string& path, const edit::Form& form) {
    File& file = files_[name];
    try {
      const auto text = state_.files->read(path);
      if (!text) return;
      auto allows = std::make_unique<Allows>(name, *text, form, settings_.limits);
      if (allows->all().empty()) return;
      file.has_silenced.resize(allows->all().size());
      file.allows = std::move(allows);
    } catch (const Error& error) {
      // A reader that needs the file reports what is wrong with it.
      if (error.ends_request()) throw;
    }
  }

  void silence(Finding& finding) {
    const Place& place = finding.what.where.place;
    const auto found = files_.find(place.file);
    if (found == files_.end()) return;
    std::optional<LinePlace> at;
    if (place.line && place.part.empty()) at = {.line = *place.line, .column = place.column.value_or(1)};
    File& file = found->second;
    if (const auto number = silence(finding, file, at, nullptr)) file.has_silenced[*number] = true;
  }

  /// The number of the comment that silences a finding. `own`: the comment that the finding is about, which says
  /// nothing of itself.
  static std::optional<std::size_t> silence(Finding& finding, const File& file, const std::optional<LinePlace>& at,
                                            const Allow* own) {
    if (!file.allows) return std::nullopt;
    for (const std::size_t number : file.allows->allowing(code_of(finding), at)) {
      const Allow& allow = file.allows->all()[number];
      if (&allow == own) continue;
      finding.silence = {.by = Silence::By::comment, .reason = allow.reason};
      return number;
    }
    return std::nullopt;
  }

  void tell_bare() {
    if (!settings_.codes.contains(kBareAllow)) return;
    each([this](File& file, std::size_t number) {
      const Allow& allow = file.allows->all()[number];
      if (!allow.reason.empty()) return;
      Finding& told = add(kBareAllow, allow, "allow needs a reason", "# strata: allow CODE because …");
      if (const auto silencing = silence(told, file, allow.target, nullptr)) file.has_silenced[*silencing] = true;
    });
  }

  void tell_idle() {
    if (!settings_.codes.contains(kIdleAllow)) return;
    const auto is_failure = [](const Finding& one) {
      return !one.what.code.starts_with(kCheckPrefix) && one.severity == Severity::error;
    };
    has_failures_ = std::ranges::any_of(report_.findings, is_failure);
    each([this](File& file, std::size_t number) {
      const Allow& allow = file.allows->all()[number];
      if (file.has_silenced[number] || allow.reason.empty() ||
          !std::ranges::all_of(allow.codes, [this](const auto& code) { return is_looked_for(code); }))
        return;
      silence(add(kIdleAllow, allow, "nothing to allow here", "remove the comment"), file, allow.target, &allow);
    });
  }

  /// Codes of evaluations always are. An unknown code never is. `all` is, if nothing is left out that such a question
  /// can have.
  [[nodiscard]] bool is_looked_for(const std::string& code) const {
    // As long as something fails, not all that may be dead is looked at.
    constexpr std::array<std::string_view, 5> kDead{kAllCodes, "dead-item", "dead-override", "idle-knockout",
                                                    "never-visible"};
    if (has_failures_ && std::ranges::find(kDead, code) != kDead.end()) return false;
    if (code == kAllCodes) return settings_.codes.size() == finding_codes().size();
    return report_.looked_for.contains(code) || code.find('.') != std::string::npos;
  }

  template <class Visit>
  void each(const Visit& visit) {
    for (auto& [name, file] : files_) {
      for (std::size_t i = 0; file.allows && i < file.allows->all().size(); ++i) visit(file, i);
    }
  }

  Finding& add(std::string_view code, const Allow& allow, std::string message, std::string hint) {
    Diagnostic what{.code = fmt::format("{}{}", kCheckPrefix, code),
                    .message = std::move(message),
                    .where = allow.where,
                    .notes = {},
                    .hint = std::move(hint)};
    report_.findings.push_back(
        {.what = std::move(what), .severity = severity_of(code), .pointer = allow.pointer, .document = allow.document});
    return report_.findings.back();
  }

  [[nodiscard]] Severity severity_of(std::string_view code) const {
    const auto set = config_.severity.find(code);
    return set != config_.severity.end() ? set->second : find_code(code)->severity;
  }

  CheckReport& report_;
  const State& state_;
  const CheckSettings& settings_;
  const CheckConfig& config_;
  bool has_failures_ = false;
  std::map<std::string, File> files_;  ///< By name as it is shown.
};

bool allows(const CheckConfig::Allowed& allowed, const Finding& finding, const std::string& file) {
  return (allowed.code == kAllCodes || allowed.code == code_of(finding)) &&
         (allowed.file.empty() || glob_matches(allowed.file, file)) &&
         (allowed.path.empty() || glob_matches(allowed.path, finding.pointer));
}

void apply_config(const CheckConfig& config, CheckReport& report, const std::string& folder) {
  for (Finding& one : report.findings) {
    if (one.silence || config.allow.empty()) continue;
    std::string file = one.what.where.place.file;
    // Where the configuration is that of another folder, its globs are, too.
    if (!file.empty() && !config.folder.empty()) file = shown_path(absolute_path(folder, file), config.folder);
    const auto found =
        std::ranges::find_if(config.allow, [&](const auto& allowed) { return allows(allowed, one, file); });
    if (found != config.allow.end()) one.silence = {.by = Silence::By::config, .reason = found->reason};
  }
}

void apply_baseline(const Baseline& baseline, CheckReport& report) {
  const std::vector<std::string> prints = fingerprints(report);
  for (std::size_t i = 0; i < prints.size(); ++i) {
    if (!report.findings[i].silence && baseline.contains(prints[i]))
      report.findings[i].silence = {.by = Silence::By::baseline};
  }
}

}  // namespace

std::string_view to_string(Silence::By by) noexcept {
  switch (by) {
    case Silence::By::comment:
      return "comment";
    case Silence::By::config:
      return "config";
    case Silence::By::baseline:
      return "baseline";
  }
  return "comment";
}

void silence(CheckReport& report, const State& state, const CheckSettings& settings, const CheckConfig& config,
             const Baseline& baseline) {
  for (Finding& one : report.findings) {
    const auto set = config.severity.find(code_of(one));
    if (set != config.severity.end() && one.what.code.starts_with(kCheckPrefix)) one.severity = set->second;
  }
  Comments(report, state, settings, config).apply();
  sort_findings(report);
  apply_config(config, report, settings.folder);
  apply_baseline(baseline, report);
}

}  // namespace strata::analysis
