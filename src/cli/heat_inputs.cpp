// SPDX-License-Identifier: Apache-2.0
#include "heat_inputs.hpp"
#include "strata/found_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "command_host.hpp"
#include "strata/paths.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

std::string shown_name(const std::string& name) { return name == kStdin ? "<stdin>" : name; }

}  // namespace

std::vector<heat::HookOption> hooks_of(const heat::QueryOptions& given) {
  std::vector<heat::HookOption> out;
  for (const std::string& resource : given.pre_create) out.push_back({.hook = "pre-create", .resource = resource});
  for (const std::string& resource : given.pre_update) out.push_back({.hook = "pre-update", .resource = resource});
  return out;
}

std::vector<std::string> environments_in(const FileTree& tree, const std::vector<std::string>& folders) {
  static constexpr std::array<std::string_view, 1> kEndings{".yaml"};
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    if (const FileKind kind = tree.kind(folder); kind != FileKind::folder) {
      const std::string_view why = kind == FileKind::none ? "does not exist" : "is a file";
      throw Error("heat.missing-file", fmt::format("the folder '{}' of --environment-directory {}", folder, why))
          .in(folder)
          .hint(kind == FileKind::none ? "" : "give a file with -e");
    }
    std::ranges::move(files_in(tree, folder, {.endings = kEndings, .hidden = false}), std::back_inserter(files));
  }
  return files;
}

bool HeatInputs::is_empty() const {
  return !has_environments() && given_.environment_body.empty() && given_.parameters.empty() &&
         given_.template_file.empty() && given_.files.empty() && given_.existing.empty();
}

std::string HeatInputs::place_of_files() const {
  for (const auto* names : {&given_.environments, &given_.environment_folders, &given_.files}) {
    const auto named = std::ranges::find_if(*names, [](const std::string& name) { return name != kStdin; });
    if (named != names->end()) return *named;
  }
  return given_.template_file.empty() ? given_.environment_body : given_.template_file;
}

std::vector<std::string> HeatInputs::environments(const FileTree& tree) const {
  std::vector<std::string> out = environments_in(tree, given_.environment_folders);
  out.insert(out.end(), given_.environments.begin(), given_.environments.end());
  return out;
}

void HeatInputs::prepare(Host& host) {
  const auto is_stdin = [](const std::string& name) { return name == kStdin; };
  const auto count = [&](const std::vector<std::string>& names) { return std::ranges::count_if(names, is_stdin); };
  const auto times = count(given_.environments) + count(given_.files) + (is_stdin(given_.template_file) ? 1 : 0) +
                     (!has_environments() && is_stdin(given_.environment_body) ? 1 : 0);
  for (long i = 0; i < times; ++i) stdin_ = host.read(std::string(kStdin));
  if (!given_.existing.empty()) existing_text_ = host.read(given_.existing);
}

bool HeatLayers::has(const heat::Request& request, Session& session, const std::string& path) {
  if (!others_) {
    others_.emplace();
    for (const std::string& name : heat::files_without_values(request, session.sources()))
      others_->insert(absolute_path(working_folder(), name));
  }
  return !others_->contains(path);
}

heat::Request HeatInputs::read(Session& session) const {
  heat::Request request;
  request.environment_files = environments(session.snapshot().tree_below());
  request.cleared_parameters = given_.cleared_parameters;
  request.compat = given_.compat == "shipped" ? heat::Compat::shipped : heat::Compat::promised;
  std::unordered_set<std::string_view> names;
  for (const std::string& name : request.environment_files) {
    if (!names.insert(name).second) continue;
    if (const auto source = find(session, name)) request.files.push_back({name, *source});
  }
  std::vector<Diagnostic> missing;
  const auto take = [&](const std::string& name, std::string_view what) -> std::optional<SourceId> {
    const auto source = find(session, name);
    if (!source) {
      missing.push_back(Error("heat.missing-file", fmt::format("the file '{}' of {} does not exist", name, what))
                            .in(name)
                            .diagnostic());
    }
    return source;
  };
  for (const std::string& name : given_.files) {
    if (!names.insert(name).second) continue;
    if (const auto source = take(name, "--file")) request.files.push_back({name, *source});
  }
  if (request.environment_files.empty() && !given_.environment_body.empty()) {
    request.environment_body = take(given_.environment_body, "--environment-body");
  }
  if (!given_.template_file.empty()) request.template_text = take(given_.template_file, "--template");
  if (!missing.empty()) throw Errors(missing);
  if (!given_.existing.empty()) request.existing = session.sources().add(shown_name(given_.existing), existing_text_);
  request.parameters = heat::explicit_parameters(given_.parameters, session);
  heat::attach_files(request, session, working_folder());
  return request;
}

std::optional<SourceId> HeatInputs::find(Session& session, const std::string& name) const {
  if (name == kStdin) return session.sources().add("<stdin>", stdin_);
  auto text = session.snapshot().tree_below().read(name);
  if (!text) return std::nullopt;
  return session.sources().add(name, std::move(*text));
}

}  // namespace strata::cli
