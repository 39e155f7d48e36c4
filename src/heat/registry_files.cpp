// SPDX-License-Identifier: Apache-2.0
#include "heat/registry_files.hpp"

#include <fmt/format.h>

#include "heat/file_references.hpp"
#include "heat/registry.hpp"
#include "heat/url.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"

namespace strata::heat {
namespace {

class RegistryFiles {
 public:
  RegistryFiles(AttachedFiles& files, Arena& arena, const Sources& sources)
      : files_(files), arena_(arena), sources_(sources) {}

  [[nodiscard]] Value resolve(const Value& registry, const std::string& base) const {
    const std::string own_base = base_of(registry, base);
    if (const Value* resources = registry.find("resources")) check_level(*resources, "resources");
    MappingBuilder out = MappingBuilder::copy_of(arena_, level(registry, own_base));
    const Value* resources = out.find("resources");
    if (resources == nullptr || resources->is_null()) return out.finish();
    MappingBuilder resolved = MappingBuilder::copy_of(arena_, *resources);
    const auto entries = resources->entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Value& resource = entries[i].value;
      check_level(resource, fmt::format("resources/{}", key_text(entries[i].key)));
      if (resource.is_mapping()) resolved.replace(i, level(resource, base_of(resource, own_base)));
    }
    out.insert("resources", resolved.finish());
    return out.finish();
  }

 private:
  void check_level(const Value& level, std::string_view path) const {
    if (level.is_mapping() || level.is_null()) return;
    throw Error("bundle.registry",
                fmt::format("'{}' in the resource registry is a mapping, not {}", path, describe(level.kind())))
        .at(sources_, level.origin())
        .hint("write resources: {NAME: {TYPE: PATH}}");
  }

  [[nodiscard]] std::string base_of(const Value& level, const std::string& base) const {
    const Value* given = level.find(kBaseUrl);
    if (given == nullptr || given->is_null()) return base;
    if (given->is_text()) return std::string(given->text());
    throw Error("bundle.base-url", fmt::format("base_url is a URL, not {}", describe(given->kind())))
        .at(sources_, given->origin());
  }

  /// One level of the registry with its paths resolved.
  [[nodiscard]] Value level(const Value& mapping, const std::string& base) const {
    MappingBuilder out = MappingBuilder::copy_of(arena_, mapping);
    const auto entries = mapping.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (is_file(entries[i])) out.replace(i, attached(entries[i], base));
    }
    return out.finish();
  }

  [[nodiscard]] bool is_file(const Entry& entry) const {
    const std::string key = key_text(entry.key);
    if (key == kBaseUrl || entry.value.is_mapping() || entry.value.is_null()) return false;
    if (entry.value.is_text()) return registry_names_file(entry);
    if ((key == "hooks" || key == "restricted_actions") && entry.value.is_sequence()) return false;
    throw Error("bundle.registry", fmt::format("the registry maps '{}' to {}", key, describe(entry.value.kind())))
        .at(sources_, entry.value.origin())
        .hint("a type is mapped to a type with '::', or to the path of a file");
  }

  [[nodiscard]] Value attached(const Entry& entry, const std::string& base) const {
    const std::string url = referenced_url(base, entry.value.text());
    if (parse_url(url).scheme.empty()) {
      throw Error("bundle.base-url", fmt::format("unknown url type: '{}'", url))
          .at(sources_, entry.value.origin())
          .hint("base_url must be a whole URL: file:///… or https://…");
    }
    files_.attach(url, entry.value.origin());
    return arena_.text(url).with_origin(entry.value.origin());
  }

  AttachedFiles& files_;
  Arena& arena_;
  const Sources& sources_;
};

}  // namespace

Value resolved_registry(const Value& registry, const std::string& base, AttachedFiles& files, Arena& arena,
                        const Sources& sources) {
  if (!registry.is_mapping()) return registry;
  return RegistryFiles(files, arena, sources).resolve(registry, base);
}

}  // namespace strata::heat
