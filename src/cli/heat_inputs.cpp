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

void HookInputs::add_to(Arguments& command) {
  command.add_option("--pre-create", pre_create_, "pause before a resource is created; in nested stacks OUTER/INNER")
      .type_name("NAME")
      .one_word();
  command.add_option("--pre-update", pre_update_, "pause before a resource is updated").type_name("NAME").one_word();
}

std::vector<heat::HookOption> HookInputs::hooks() const {
  std::vector<heat::HookOption> out;
  for (const std::string& resource : pre_create_) out.push_back({.hook = "pre-create", .resource = resource});
  for (const std::string& resource : pre_update_) out.push_back({.hook = "pre-update", .resource = resource});
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

void HeatInputs::add_to(Arguments& command) {
  command
      .add_option("-e,--environment", environment_files_,
                  "an environment file; later ones override earlier ones; - is standard input")
      .type_name("FILE")
      .one_word();
  command.add_option("--environment-directory", environment_folders_, "all *.yaml of a folder, overridden by every -e")
      .type_name("DIR")
      .one_word();
  command.add_option("--environment-body", environment_body_, "the environment of a request; ignored if there is an -e")
      .type_name("FILE");
  command.add_option("--parameter", parameters_, "an explicit parameter; if given only once, it is split at ;")
      .type_name("K=V")
      .one_word();
  command.add_option("-t,--template", template_, "the template of the stack").type_name("FILE");
  command.add_option("--file", files_, "attaches one more file; what it declares wins").type_name("FILE").one_word();
  command.add_option("--existing", existing_, "the state of the stack, for an update").type_name("STATE.json");
  command.add_option("--clear-parameter", cleared_parameters_, "remove a parameter from the state")
      .type_name("K")
      .one_word();
  command
      .add_option("--compat", compat_,
                  "promised: explicit parameters win, updates combine again; shipped: as the engine does")
      .type_name("RULES")
      .one_of({"promised", "shipped"});
}

bool HeatInputs::is_empty() const {
  return !has_environments() && environment_body_.empty() && parameters_.empty() && template_.empty() &&
         files_.empty() && existing_.empty();
}

std::string HeatInputs::place_of_files() const {
  for (const auto* names : {&environment_files_, &environment_folders_, &files_}) {
    const auto named = std::ranges::find_if(*names, [](const std::string& name) { return name != kStdin; });
    if (named != names->end()) return *named;
  }
  return template_.empty() ? environment_body_ : template_;
}

std::vector<std::string> HeatInputs::environments(const FileTree& tree) const {
  std::vector<std::string> out = environments_in(tree, environment_folders_);
  out.insert(out.end(), environment_files_.begin(), environment_files_.end());
  return out;
}

void HeatInputs::prepare(Host& host) {
  const auto is_stdin = [](const std::string& name) { return name == kStdin; };
  const auto count = [&](const std::vector<std::string>& names) { return std::ranges::count_if(names, is_stdin); };
  const auto times = count(environment_files_) + count(files_) + (is_stdin(template_) ? 1 : 0) +
                     (!has_environments() && is_stdin(environment_body_) ? 1 : 0);
  for (long i = 0; i < times; ++i) stdin_ = host.read(std::string(kStdin));
  if (!existing_.empty()) existing_text_ = host.read(existing_);
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
  request.cleared_parameters = cleared_parameters_;
  request.compat = compat_ == "shipped" ? heat::Compat::shipped : heat::Compat::promised;
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
  for (const std::string& name : files_) {
    if (!names.insert(name).second) continue;
    if (const auto source = take(name, "--file")) request.files.push_back({name, *source});
  }
  if (request.environment_files.empty() && !environment_body_.empty()) {
    request.environment_body = take(environment_body_, "--environment-body");
  }
  if (!template_.empty()) request.template_text = take(template_, "--template");
  if (!missing.empty()) throw Errors(missing);
  if (!existing_.empty()) request.existing = session.sources().add(shown_name(existing_), existing_text_);
  request.parameters = heat::explicit_parameters(parameters_, session);
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
