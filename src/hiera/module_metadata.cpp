// SPDX-License-Identifier: Apache-2.0
#include "module_metadata.hpp"

#include <fmt/format.h>

#include <array>

#include "pathname.hpp"
#include "strata/file_tree.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::hiera {
namespace {

constexpr std::string_view kHint = "the module's data are not searched: complete its metadata.json, or remove the file";

Error problem(std::string message) { return {"hiera.module-metadata", std::move(message)}; }

Error problem_of_provider(std::string_view name) {
  return {"hiera.data-provider", fmt::format(R"("data_provider": "{}")", name)};
}

ModuleMetadata refused(const Sources& sources, std::string message, Origin at) {
  return {.is_module = false,
          .warning = problem(std::move(message)).at(sources, at).hint(std::string(kHint)).diagnostic()};
}

ModuleMetadata read_metadata(Sources& sources, SourceId source, const Limits& limits, std::string_view name,
                             Compat compat) {
  static constexpr std::array<std::string_view, 5> kNeeded{"source", "author", "version", "license", "dependencies"};
  if (sources.text(source).empty()) return {};  // The reference reads no bytes as {}.
  text::Document document;
  try {
    document = text::read_json(sources, source, limits, 0, text::kRubyJson);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    Diagnostic told = error.diagnostic();
    told.code = "hiera.module-metadata";
    told.message = fmt::format("{} has an invalid and unparsable metadata.json file: {}", name, told.message);
    // Puppet 7 goes on as if the file were not there.
    const bool is_module = !is_strict(compat);
    if (!is_module) told.hint = kHint;
    return {.is_module = is_module, .warning = std::move(told)};
  }
  const Value& root = document.root;
  const Origin begin = sources.at(source, 0);
  if (!root.is_mapping()) {
    const bool is_empty = (root.is_sequence() && root.size() == 0) || (root.is_text() && root.text().empty());
    if (is_empty) return {};
    return refused(sources, wrong_kind(fmt::format("the metadata.json of module {}", name), "a mapping", root), begin);
  }
  if (root.size() == 0) return {};
  for (const std::string_view member : kNeeded) {
    const Value* value = root.find(member);
    if (value == nullptr || value->is_null())
      return refused(sources, fmt::format("No {} module metadata provided for {}", member, name), begin);
    if (member == "dependencies" && !value->is_sequence()) {
      return refused(
          sources,
          fmt::format("The value for the key dependencies in the file metadata.json of the module {} must be an array",
                      name),
          value->origin());
    }
  }
  const Value* provider = root.find("data_provider");
  if (provider == nullptr || !provider->is_text()) return {};
  const Error told = problem_of_provider(provider->text()).at(sources, provider->origin());
  return {.data_provider = DataProvider{.name = std::string(provider->text()), .told = told.diagnostic()}};
}

}  // namespace

std::shared_ptr<const ModuleMetadata> read_module_metadata(Session& session, const std::string& folder,
                                                           std::string_view name, Compat compat) {
  static const auto none = std::make_shared<const ModuleMetadata>();
  const std::string path = join_path(folder, "metadata.json");
  if (session.tree().kind(path) != FileKind::file) return none;
  const std::string form = fmt::format("metadata.json {}", static_cast<int>(compat));
  const auto found =
      session.read<ModuleMetadata>(path, form, [&](Sources& texts, SourceId source, const Limits& limits) {
        return Reading<ModuleMetadata>{
            .parsed = std::make_shared<const ModuleMetadata>(read_metadata(texts, source, limits, name, compat))};
      });
  return found ? found : none;
}

}  // namespace strata::hiera
