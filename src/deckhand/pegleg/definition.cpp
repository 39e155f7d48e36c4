// SPDX-License-Identifier: Apache-2.0
#include "deckhand/pegleg/definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "strata/found_file.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::deckhand {
namespace {

constexpr std::string_view kSiteDefinition = "pegleg/SiteDefinition/v1";
constexpr std::string_view kOwnRepository = "site";

/// Reads the members of one definition.
class DefinitionReader {
 public:
  explicit DefinitionReader(std::vector<DefinitionProblem>& problems) : problems_(problems) {}

  SiteDefinition read(const Value& root) {
    SiteDefinition out;
    if (!root.is_mapping()) {
      add(root, fmt::format("a site definition must be a mapping, not {}", root ? describe(root.kind()) : "nothing"));
      return out;
    }
    const Value schema = member(root, "schema", Kind::text);
    if (schema && schema.text() != kSiteDefinition) add(schema, fmt::format("its schema must be {}", kSiteDefinition));
    if (const Value metadata = member(root, "metadata", Kind::mapping); metadata) check_metadata(metadata);
    const Value data = member(root, "data", Kind::mapping);
    if (!data) return out;
    if (const Value type = member(data, "site_type", Kind::text); type) {
      out.type = type.text();
      if (!is_folder_name(out.type)) add(type, "'site_type' must be the name of a folder in 'type'");
    }
    if (data.find("repositories") != nullptr) {
      if (const Value all = member(data, "repositories", Kind::mapping); all) read_repositories(all, out);
    }
    return out;
  }

  static bool is_folder_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
           name.find('\0') == std::string_view::npos;
  }

 private:
  void add(const Value& at, std::string message, std::string hint = {}) {
    problems_.push_back({.origin = at.origin(), .message = std::move(message), .hint = std::move(hint)});
  }

  Value member(const Value& of, std::string_view name, Kind kind) {
    const Value* found = of.find(name);
    if (found == nullptr) {
      add(of, fmt::format("'{}' is missing", name));
      return {};
    }
    if (found->kind() == kind) return *found;
    add(*found, fmt::format("'{}' must be {}, not {}", name, describe(kind), describe(found->kind())));
    return {};
  }

  void check_metadata(const Value& metadata) {
    const Value schema = member(metadata, "schema", Kind::text);
    if (schema && schema.text() != "metadata/Document/v1") add(schema, "'schema' must be metadata/Document/v1");
    (void)member(metadata, "name", Kind::text);
    const Value layering = member(metadata, "layeringDefinition", Kind::mapping);
    if (!layering) return;
    const Value layer = member(layering, "layer", Kind::text);
    if (layer && layer.text() != "site") add(layer, fmt::format("'layer' must be site, not '{}'", layer.text()));
  }

  void read_repositories(const Value& all, SiteDefinition& out) {
    for (const Entry& entry : all.entries()) {
      const std::string name(entry.key.text());
      if (!entry.value.is_mapping()) {
        add(entry.value, fmt::format("the repository '{}' must be a mapping with 'url' and 'revision'", name));
        continue;
      }
      (void)member(entry.value, "url", Kind::text);
      // A number is a revision, too.
      const Value* revision = entry.value.find("revision");
      if (revision == nullptr || revision->is_container()) (void)member(entry.value, "revision", Kind::text);
      if (name != kOwnRepository) out.repositories.push_back(name);
    }
  }

  std::vector<DefinitionProblem>& problems_;
};

}  // namespace

SiteDefinition read_definition(Sources& sources, SourceId source, const Limits& limits,
                               std::vector<DefinitionProblem>& problems) {
  const std::vector<text::Document> documents = text::read_yaml_stream(sources, source, text::pyyaml_json(), limits);
  if (documents.size() != 1) {
    problems.push_back({.origin = sources.at(source, 0),
                        .message = fmt::format("the file must have one document, not {}", documents.size()),
                        .hint = "move other documents to other files"});
    if (documents.empty()) return {};
  }
  return DefinitionReader(problems).read(documents.front().root);
}

std::string path_in_repository(const std::string& repository, std::string_view below) {
  return repository == "." ? std::string(below) : path_in(repository, below);
}

std::string definition_path(const std::string& repository, std::string_view site) {
  return path_in_repository(repository, fmt::format("site/{}/site-definition.yaml", site));
}

std::vector<std::string> site_folders(const std::string& repository, const FileTree& tree) {
  const std::string sites = path_in_repository(repository, "site");
  if (tree.kind(sites) != FileKind::folder) return {};
  return folders_in(tree, std::array{sites}, [](std::string_view name) { return !name.starts_with('.'); });
}

}  // namespace strata::deckhand
