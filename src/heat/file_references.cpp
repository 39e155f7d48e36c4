// SPDX-License-Identifier: Apache-2.0
// Finds the values of a document that name files.
//
// In a template these are `get_file` anywhere, and a `type` that ends in `.yaml` or `.template`. The client opens the
// deepest values first, so that the walk enters all containers of a mapping before it looks at its own members. In a
// registry, any string without `::` names a file, at its top and in each of its `resources`; `base_url` moves the
// folder of its level. Cost: linear in the values. Tested by tests/heat/attachments_test.cpp.
#include "heat/file_references.hpp"

#include <utility>

#include "heat/environment_file.hpp"
#include "heat/registry.hpp"
#include "heat/url.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "value/charge.hpp"

namespace strata::heat {
namespace {

/// Collects the references of one document, and counts their memory.
class References {
 public:
  explicit References(const Stop* stop) : stop_(stop), check_(stop) {}

  // Recursion: bounded by Limits::depth, which the reader keeps.
  void add_template(const Value& value, const std::string& base) {
    check_.tick();
    if (value.is_sequence()) {
      for (const Value& item : value.items()) add_template(item, base);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) {
        if (entry.value.is_container()) add_template(entry.value, base);
      }
      for (const Entry& entry : value.entries()) {
        if (template_names_file(entry)) add(base, entry.value.text(), {}, entry.value.origin());
      }
    }
  }

  /// One level of a registry. `above`: the keys that lead to it.
  void add_level(const Value& level, const std::vector<std::string>& above, const std::string& base) {
    for (const Entry& entry : level.entries()) {
      check_.tick();
      if (!registry_names_file(entry)) continue;
      std::vector<std::string> tokens = above;
      tokens.push_back(key_text(entry.key));
      add(base, entry.value.text(), pointer_of(tokens), entry.key.origin());
    }
  }

  [[nodiscard]] std::vector<FileReference> take() { return std::move(all_); }

 private:
  void add(const std::string& base, std::string_view name, std::string pointer, Origin origin) {
    detail::charge(stop_, sizeof(FileReference) + base.size() + name.size() + pointer.size());
    all_.push_back({.base = base, .name = std::string(name), .pointer = std::move(pointer), .origin = origin});
  }

  const Stop* stop_;
  StopCheck check_;
  std::vector<FileReference> all_;
};

std::string base_of_level(const Value& level, const std::string& base) {
  const Value* given = level.find(kBaseUrl);
  return given != nullptr && given->is_text() ? std::string(given->text()) : base;
}

}  // namespace

std::string referenced_url(const std::string& base, std::string_view name) {
  return join_urls(base.ends_with('/') ? base : base + "/", std::string(name));
}

bool template_names_file(const Entry& entry) {
  if (!entry.key.is_text() || !entry.value.is_text()) return false;
  if (entry.key.text() == "get_file") return true;
  return entry.key.text() == "type" &&
         (entry.value.text().ends_with(".yaml") || entry.value.text().ends_with(".template"));
}

bool registry_names_file(const Entry& entry) {
  if (!entry.value.is_text() || entry.value.text().find("::") != std::string_view::npos) return false;
  const std::string key = key_text(entry.key);
  return key != kBaseUrl && key != "hooks" && key != "restricted_actions";
}

std::vector<FileReference> files_of_template(const Value& root, const std::string& base, const Stop* stop) {
  References all(stop);
  all.add_template(root, base);
  return all.take();
}

std::vector<FileReference> files_of_registry(const Value& registry, const std::string& base, const Stop* stop) {
  References all(stop);
  if (!registry.is_mapping()) return {};
  const std::string own = base_of_level(registry, base);
  std::vector<std::string> above{std::string(kResourceRegistry)};
  all.add_level(registry, above, own);
  const Value* resources = registry.find(kResources);
  if (resources == nullptr || !resources->is_mapping()) return all.take();
  above.emplace_back(kResources);
  for (const Entry& resource : resources->entries()) {
    if (!resource.value.is_mapping()) continue;
    above.push_back(key_text(resource.key));
    all.add_level(resource.value, above, base_of_level(resource.value, own));
    above.pop_back();
  }
  return all.take();
}

}  // namespace strata::heat
