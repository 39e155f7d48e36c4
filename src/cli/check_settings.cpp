// SPDX-License-Identifier: Apache-2.0
#include "check_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "options.hpp"
#include "strata/paths.hpp"
#include "strata/workspace.hpp"

namespace strata::cli {

/// The codes in lists like `a,check.b`. Throws UsageError for unknown ones.
std::vector<std::string> codes_in(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (std::string_view list : lists) {
    while (!list.empty()) {
      const std::string_view code = list.substr(0, list.find(','));
      list.remove_prefix(std::min(code.size() + 1, list.size()));
      const analysis::FindingCode* known = analysis::find_code(code);
      if (known == nullptr) {
        throw UsageError(Usage::value, fmt::format("unknown finding '{}'", analysis::code_name(code)),
                         analysis::code_hint(code, "strata check --help shows all"));
      }
      out.emplace_back(known->name);
    }
  }
  return out;
}

std::set<std::string, std::less<>> wanted_codes(std::vector<std::string> selected,
                                                const std::vector<std::string>& ignored,
                                                const analysis::CheckConfig& config) {
  if (selected.empty()) selected = config.select;
  std::set<std::string, std::less<>> out(selected.begin(), selected.end());
  if (selected.empty()) {
    for (const analysis::FindingCode& code : analysis::finding_codes()) out.emplace(code.name);
  }
  for (const std::string& code : ignored) out.erase(code);
  for (const std::string& code : config.ignore) out.erase(code);
  for (const std::string& code : config.off) out.erase(code);
  return out;
}

std::optional<Diagnostic> leave_out_fleet_codes(analysis::CheckSettings& settings, const query::Traits& traits) {
  std::vector<std::string_view> names;
  for (const analysis::FindingCode& code : analysis::finding_codes()) {
    const auto wanted = code.needs_fleet ? settings.codes.find(code.name) : settings.codes.end();
    if (wanted == settings.codes.end()) continue;
    settings.codes.erase(wanted);
    if (analysis::is_of(code.name, traits)) names.push_back(code.name);
  }
  if (names.empty()) return std::nullopt;
  constexpr std::size_t kShown = 3;
  const std::size_t more = names.size() - std::min(names.size(), kShown);
  std::string shown = fmt::format("{}", fmt::join(std::span(names).first(names.size() - more), ", "));
  if (more != 0) shown += fmt::format(" and {} more", more);
  return Error("analysis.no-fleet", fmt::format("findings that hold for a whole fleet are not looked for: {}", shown))
      .hint("name the nodes with --nodes or --fleet")
      .diagnostic();
}

analysis::CheckConfig check_configuration(const std::string& file, const std::string& folder, const FileTree& tree,
                                          const Limits& limits) {
  if (!file.empty()) {
    const auto named = host_tree({}, limits.input);
    return analysis::read_check_config(file, read_needed(*named, file, "check.config"), limits);
  }
  std::vector<std::string> folders{folder};
  if (std::string projects = project_folder(tree, folder); !projects.empty())
    folders.insert(folders.begin(), std::move(projects));
  for (const std::string& one : folders) {
    const std::string path = absolute_path(one, analysis::kCheckConfigName);
    if (tree.kind(path) == FileKind::none) continue;
    analysis::CheckConfig out =
        analysis::read_check_config(shown_path(path, folder), read_needed(tree, path, "check.config"), limits);
    out.folder = one;
    return out;
  }
  return {};
}

std::string project_folder(const FileTree& tree, const std::string& folder) {
  const std::string projects = workspace::nearest_configuration(tree, {.folder = folder});
  return projects.empty() ? projects : projects.substr(0, std::max<std::size_t>(projects.rfind('/'), 1));
}

std::string read_needed(const FileTree& tree, const std::string& path, const std::string& code) {
  auto text = tree.read(path);
  if (!text) throw Error(code, "there is no such file").in(path).hint("correct the name");
  return std::move(*text);
}

}  // namespace strata::cli
