// SPDX-License-Identifier: Apache-2.0
// hiera.yaml versions 3 and 4, read into the shape of version 5. Rule: docs/hiera/lookup.md, "Older versions".
#include <fmt/format.h>

#include <algorithm>

#include "config_checker.hpp"
#include "pathname.hpp"
#include "strata/builder.hpp"

namespace strata::hiera {
namespace {

/// A string, or a sequence of them. Without items that are not strings, which `check` records.
std::vector<Value> texts(ConfigChecker& check, const Value& value, std::string_view path) {
  std::vector<Value> out;
  const auto add = [&](const Value& item, std::string_view place) {
    if (!check.text(item, place).empty()) out.push_back(item);
  };
  if (!value.is_sequence()) {
    add(value, path);
  } else {
    for (std::size_t i = 0; i < value.size(); ++i) add(value.items()[i], fmt::format("{}[{}]", path, i));
  }
  return out;
}

const Value* present(const Value& root, std::string_view name) {
  const Value* value = root.find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

/// The function that stands for a back end's name; empty where there is none.
std::string_view function_of(std::string_view backend) {
  if (backend == "yaml") return "yaml_data";
  if (backend == "json") return "json_data";
  if (backend == "hocon") return "hocon_data";
  return {};
}

class Version3 {
 public:
  Version3(const ConfigContext& context, ConfigChecker& check, const Value& root, Config& config)
      : context_(context), check_(check), root_(root), config_(config) {}

  void read() {
    if (const Value* backends = present(root_, "backends")) {
      backends_ = texts(check_, *backends, "backends");
    } else {
      backends_.push_back(config_.arena->text("yaml"));
    }
    if (const Value* hierarchy = present(root_, "hierarchy")) {
      hierarchy_ = texts(check_, *hierarchy, "hierarchy");
    } else {
      hierarchy_ = {config_.arena->text("nodes/%{::trusted.certname}"), config_.arena->text("common")};
    }
    check_keys();
    for (const Value& backend : backends_) add(backend);
  }

 private:
  void check_keys() const {
    for (const Entry& entry : root_.entries()) {
      const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
      if (name == "merge_behavior") {
        if (entry.value.is_null()) continue;
        const std::string behavior = check_.text(entry.value, name);
        if (!behavior.empty() && behavior != "native" && behavior != "deep" && behavior != "deeper") {
          check_.fail(name, fmt::format("expects native, deep or deeper, got '{}'", behavior), entry.value.origin());
        }
      } else if (name == "deep_merge_options") {
        if (!entry.value.is_null()) (void)check_.mapping(entry.value, name);
      } else if (name == "logger") {
        (void)check_.text(entry.value, name);
      } else if (std::ranges::any_of(backends_, [&](const Value& backend) { return backend.text() == name; })) {
        (void)check_.mapping(entry.value, name);
      } else if (name != "version" && name != "backends" && name != "hierarchy") {
        check_.fail("", fmt::format("the top: unrecognized key '{}'", entry.key.is_text() ? name : "not a text"),
                    entry.key.origin());
      }
    }
  }

  void add(const Value& backend) {
    const std::string name(backend.text());
    HierarchyEntry entry;
    entry.name = name;
    entry.at = entry.function_at = backend.origin();
    entry.function = function_of(name);
    if (name == "eyaml") {
      entry.function = "eyaml_lookup_key";
      entry.kind = FunctionKind::lookup_key;
    }
    // A file that is ignored asks for no back end.
    if (entry.function.empty() && context_.layer == LayerKind::global) {
      check_.fail("backends",
                  fmt::format("backend '{}' is not supported: back ends written in Ruby cannot be loaded", name),
                  backend.origin());
    }
    entry.location_kind = LocationKind::paths;
    entry.locations = hierarchy_;
    entry.extension = name == "hocon" ? ".conf" : "." + name;
    entry.datadir = join_path(context_.settings.codedir, "environments/%{::environment}/hieradata");
    entry.datadir_at = entry.extension_at = entry.at;
    const Value* own = root_.find(name);
    if (own != nullptr && own->is_mapping()) take_own(*own, entry);
    config_.hierarchy.push_back(std::move(entry));
  }

  /// What a back end's own mapping says.
  void take_own(const Value& own, HierarchyEntry& entry) const {
    if (const Value* datadir = present(own, "datadir")) {
      entry.datadir = join_path(context_.settings.working_folder, check_.text(*datadir, entry.name + ".datadir"));
      entry.datadir_at = datadir->origin();
    }
    if (const Value* extension = present(own, "extension")) {
      entry.extension = "." + check_.text(*extension, entry.name + ".extension");
      entry.extension_at = extension->origin();
    }
    if (entry.kind != FunctionKind::lookup_key) return;
    MappingBuilder options = MappingBuilder::copy_of(*config_.arena, own);
    options.erase("datadir");
    options.erase("extension");
    entry.options = options.finish();
  }

  const ConfigContext& context_;
  ConfigChecker& check_;
  const Value& root_;
  Config& config_;
  std::vector<Value> backends_;
  std::vector<Value> hierarchy_;
};

void read_version4(ConfigChecker& check, const Value& root, Config& config) {
  check.keys(root, "", {"version", "datadir", "hierarchy"});
  const Value* folder = present(root, "datadir");
  const std::string datadir = folder == nullptr ? "data" : check.text(*folder, "datadir");
  Arena& arena = *config.arena;
  Value list;
  if (const Value* hierarchy = present(root, "hierarchy")) {
    list = *hierarchy;
  } else {
    MappingBuilder common(arena);
    common.insert("name", arena.text("common"));
    common.insert("backend", arena.text("yaml"));
    list = arena.sequence(std::array{common.finish()});
  }
  if (!check.sequence(list, "hierarchy", 0)) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value& item = list.items()[i];
    const std::string path = fmt::format("hierarchy[{}]", i);
    if (!check.mapping(item, path)) continue;
    check.keys(item, path, {"backend", "name", "datadir", "path", "paths"});
    for (const std::string_view required : {"backend", "name"}) {
      if (item.find(required) == nullptr)
        check.fail(path, fmt::format("expects a value for key '{}'", required), item.origin());
    }
    if (item.find("name") == nullptr || item.find("backend") == nullptr) continue;
    HierarchyEntry entry;
    entry.name = check.text(*item.find("name"), path + ".name");
    entry.at = item.find("name")->origin();
    const Value& backend = *item.find("backend");
    const std::string backend_name = check.text(backend, path + ".backend");
    entry.function = function_of(backend_name);
    entry.function_at = backend.origin();
    if (entry.function.empty()) entry.unknown_backend = backend_name;
    entry.extension = backend_name == "hocon" ? ".conf" : "." + backend_name;
    const Value* own_folder = item.find("datadir");
    entry.datadir =
        join_path(config.folder, own_folder == nullptr ? datadir : check.text(*own_folder, path + ".datadir"));
    if (own_folder != nullptr || folder != nullptr)
      entry.datadir_at = (own_folder == nullptr ? folder : own_folder)->origin();
    entry.is_datadir_plain = true;
    entry.extension_at = entry.at;
    entry.location_kind = LocationKind::paths;
    if (const Value* paths = item.find("paths")) {
      if (check.sequence(*paths, path + ".paths", 0)) entry.locations = texts(check, *paths, path + ".paths");
    } else if (const Value* one = item.find("path")) {
      (void)check.text(*one, path + ".path");
      entry.locations.push_back(*one);
    } else {
      entry.locations.push_back(*item.find("name"));
    }
    config.hierarchy.push_back(std::move(entry));
  }
}

}  // namespace

void read_older_version(const ConfigContext& context, ConfigChecker& check, const Value& root, Config& config) {
  if (config.version == 3) {
    Version3(context, check, root, config).read();
  } else {
    read_version4(check, root, config);
  }
  check.settle();
}

}  // namespace strata::hiera
