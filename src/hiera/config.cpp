// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "config_checker.hpp"
#include "config_failures.hpp"
#include "layer.hpp"
#include "pathname.hpp"
#include "reference_words.hpp"
#include "strata/text.hpp"
#include "text/repeated_keys.hpp"

namespace strata::hiera {
namespace {

constexpr std::array<std::string_view, 4> kFunctionKeys{"data_hash", "lookup_key", "data_dig", "hiera3_backend"};
constexpr std::array<std::string_view, 7> kLocationKeys{"path", "paths", "glob",        "globs",
                                                        "uri",  "uris",  "mapped_paths"};
constexpr std::array<std::string_view, 3> kReplacedBackends{"yaml", "json", "hocon"};

/// The whole hierarchy where the file has none.
HierarchyEntry built_in(const Config& config) {
  HierarchyEntry entry;
  entry.name = "Common";
  entry.function = "yaml_data";
  entry.location_kind = LocationKind::paths;
  entry.locations.push_back(config.arena->text("common.yaml"));
  entry.datadir = join_path(config.folder, "data");
  return entry;
}

/// Errors that lookups in a hierarchy would report: functions that strata does not have, and names that occur twice.
void expect_failures(const Sources& sources, ConfigChecker& check, const std::vector<HierarchyEntry>& hierarchy) {
  std::map<std::string_view, Origin> names;
  for (const HierarchyEntry& entry : hierarchy) {
    if (entry.name.empty()) continue;
    const auto [first, is_new] = names.emplace(entry.name, entry.at);
    if (!is_new) check.expect_failure(defined_twice(sources, entry, first->second));
    if (!entry.function.empty() && !entry.function.starts_with("lua::") && !opens_files(entry))
      check.expect_failure(unknown_function(sources, entry));
  }
}

/// Reads version 5. Rule: docs/hiera/lookup.md, "hiera.yaml".
class Version5 {
 public:
  Version5(const ConfigContext& context, ConfigChecker& check, Config& config)
      : context_(context), check_(check), config_(config) {}

  void read(const Value& root) {
    check_.keys(root, "", {"version", "defaults", "hierarchy", "plan_hierarchy", "default_hierarchy"});
    const Value* const defaults = present(root, "defaults");
    if (defaults != nullptr && check_.mapping(*defaults, "defaults")) {
      read_defaults(*defaults);
    } else {
      defaults_.function_kind = "data_hash";
      defaults_.function = "yaml_data";
    }
    if (const Value* hierarchy = present(root, "hierarchy")) {
      config_.hierarchy = read_hierarchy(*hierarchy, "hierarchy");
    } else {
      HierarchyEntry entry = built_in(config_);
      if (defaults_.function_kind.empty()) no_function("hierarchy", entry.name, Origin());
      entry.kind = kind_of(defaults_.function_kind);
      entry.function = defaults_.function;
      entry.function_at = defaults_.function_at;
      entry.options = defaults_.options;
      entry.datadir = join_path(config_.folder, defaults_.datadir);
      entry.datadir_at = defaults_.datadir_at;
      config_.hierarchy.push_back(std::move(entry));
    }
    if (const Value* plans = root.find("plan_hierarchy")) (void)read_hierarchy(*plans, "plan_hierarchy");
    if (const Value* fallback = root.find("default_hierarchy")) {
      if (context_.layer != LayerKind::module) {
        check_.refuse("default_hierarchy", "'default_hierarchy' is only allowed in the module layer",
                      fallback->origin(), "default_hierarchy:");
      }
      config_.default_hierarchy = read_hierarchy(*fallback, "default_hierarchy");
    }
    expect_failures(context_.sources, check_, config_.hierarchy);
    if (config_.default_hierarchy) expect_failures(context_.sources, check_, *config_.default_hierarchy);
    check_.settle();
  }

 private:
  struct Defaults {
    std::string datadir = "data";
    Origin datadir_at;
    std::string function_kind;
    std::string function;
    Origin function_at;
    Value options;
  };

  /// A member that counts: null and false stand for the built-in default.
  static const Value* present(const Value& root, std::string_view name) {
    const Value* value = root.find(name);
    if (value == nullptr || value->is_null() || (value->kind() == Kind::boolean && !value->as_boolean()))
      return nullptr;
    return value;
  }

  static FunctionKind kind_of(std::string_view name) {
    if (name == "lookup_key") return FunctionKind::lookup_key;
    return name == "data_dig" ? FunctionKind::data_dig : FunctionKind::data_hash;
  }

  void read_defaults(const Value& defaults) {
    check_.keys(defaults, "defaults", {"data_hash", "lookup_key", "data_dig", "datadir", "options"});
    if (const Value* datadir = defaults.find("datadir")) {
      defaults_.datadir = check_.text(*datadir, "defaults.datadir");
      defaults_.datadir_at = datadir->origin();
    }
    for (const std::string_view key : kFunctionKeys) {
      const Value* function = defaults.find(key);
      if (function == nullptr) continue;
      if (!defaults_.function_kind.empty()) {
        check_.refuse("defaults",
                      "Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in defaults",
                      function->origin());
      }
      defaults_.function_kind = key;
      defaults_.function = check_.text(*function, fmt::format("defaults.{}", key));
      defaults_.function_at = function->origin();
    }
    if (const Value* options = defaults.find("options"))
      defaults_.options = check_.options(*options, "defaults.options", "defaults");
  }

  std::vector<HierarchyEntry> read_hierarchy(const Value& list, std::string_view name) {
    std::vector<HierarchyEntry> entries;
    if (!check_.sequence(list, name, 0)) return entries;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string path = fmt::format("{}[{}]", name, i);
      if (check_.mapping(list.items()[i], path)) entries.push_back(read_entry(list.items()[i], path));
    }
    return entries;
  }

  HierarchyEntry read_entry(const Value& value, const std::string& path) {
    check_.keys(value, path,
                {"name", "options", "data_hash", "lookup_key", "hiera3_backend", "data_dig", "path", "paths", "glob",
                 "globs", "uri", "uris", "mapped_paths", "datadir"});
    HierarchyEntry entry;
    entry.at = value.origin();
    const Value* name = value.find("name");
    if (name == nullptr) {
      check_.fail(path, "expects a value for key 'name'", value.origin());
    } else {
      entry.name = check_.text(*name, path + ".name");
      entry.at = name->origin();
    }
    read_function(value, path, entry);
    read_locations(value, path, entry);
    const Value* datadir = value.find("datadir");
    entry.datadir =
        join_path(config_.folder, datadir == nullptr ? defaults_.datadir : check_.text(*datadir, path + ".datadir"));
    entry.datadir_at = datadir != nullptr ? datadir->origin() : defaults_.datadir_at ? defaults_.datadir_at : entry.at;
    const Value* options = value.find("options");
    entry.options = options == nullptr
                        ? defaults_.options
                        : check_.options(*options, path + ".options", fmt::format("hierarchy '{}'", entry.name));
    return entry;
  }

  void read_function(const Value& value, const std::string& path, HierarchyEntry& entry) {
    std::string_view kind;
    for (const std::string_view key : kFunctionKeys) {
      const Value* function = value.find(key);
      if (function == nullptr) continue;
      if (!kind.empty()) {
        check_.refuse(
            path,
            fmt::format(
                "Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in hierarchy '{}'",
                entry.name),
            function->origin());
      }
      kind = key;
      entry.function = check_.text(*function, fmt::format("{}.{}", path, key));
      entry.function_at = function->origin();
    }
    if (kind.empty()) {
      if (defaults_.function_kind.empty()) no_function(path, entry.name, entry.at);
      kind = defaults_.function_kind;
      entry.function = defaults_.function;
      entry.function_at = defaults_.function_at;
    }
    if (kind == "hiera3_backend") refuse_backend(path, entry);
    entry.kind = kind_of(kind);
  }

  void no_function(const std::string& path, const std::string& name, Origin at) {
    check_.refuse(
        path,
        fmt::format("One of data_hash, lookup_key, data_dig, or hiera3_backend must be defined in hierarchy '{}'",
                    name),
        at);
  }

  void refuse_backend(const std::string& path, const HierarchyEntry& entry) {
    // The reference overlooks keys in quotes.
    constexpr std::string_view kKey = " hiera3_backend:";
    if (context_.layer != LayerKind::global)
      check_.refuse(path, "'hiera3_backend' is only allowed in the global layer", entry.function_at, kKey);
    if (std::ranges::find(kReplacedBackends, entry.function) != kReplacedBackends.end()) {
      check_.refuse(
          path,
          fmt::format(R"(Use "data_hash: {}_data" instead of "hiera3_backend: {}")", entry.function, entry.function),
          entry.function_at, kKey);
    }
    check_.refuse(
        path,
        fmt::format("hiera3_backend '{}' is not supported: back ends written in Ruby cannot be loaded", entry.function),
        entry.function_at);
  }

  void read_locations(const Value& value, const std::string& path, HierarchyEntry& entry) {
    for (const std::string_view key : kLocationKeys) {
      const Value* locations = value.find(key);
      if (locations == nullptr) continue;
      if (entry.location_kind != LocationKind::none) {
        check_.refuse(
            path,
            fmt::format(
                "Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy '{}'",
                entry.name),
            locations->origin());
      }
      using enum LocationKind;
      entry.location_kind = key == "mapped_paths"     ? mapped_paths
                            : key.starts_with("path") ? paths
                            : key.starts_with("glob") ? globs
                                                      : uris;
      const std::string where = fmt::format("{}.{}", path, key);
      if (key != "mapped_paths" && !key.ends_with('s')) {
        (void)check_.text(*locations, where);
        entry.locations.push_back(*locations);
        continue;
      }
      if (!check_.sequence(*locations, where, key == "mapped_paths" ? 3 : 1, key == "mapped_paths" ? 3 : SIZE_MAX))
        continue;
      for (std::size_t i = 0; i < locations->size(); ++i)
        (void)check_.text(locations->items()[i], fmt::format("{}[{}]", where, i));
      entry.locations.assign(locations->items().begin(), locations->items().end());
    }
  }

  const ConfigContext& context_;
  ConfigChecker& check_;
  Config& config_;
  Defaults defaults_;
};

/// The integer at the beginning of a text, as Ruby's to_i finds it; 0 where there is none.
std::int64_t leading_integer(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f\v"), text.size()));
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

int version_of(const Value& root, ConfigChecker& check) {
  const Value* version = root.find("version");
  if (version == nullptr || version->is_null() || (version->kind() == Kind::boolean && !version->as_boolean()))
    return 3;
  const bool is_integer = version->kind() == Kind::integer;
  const std::int64_t number = is_integer           ? version->as_integer()
                              : version->is_text() ? leading_integer(version->text())
                                                   : 5;
  if (number < 3 || number > 5) {
    check.refuse_version(fmt::format("This runtime does not support hiera.yaml version {}", number), version->origin());
  }
  if (!is_integer) {
    check.fail("version",
               fmt::format("entry 'version' expects an Integer[5, 5] value, got {}", describe(version->kind())),
               version->origin());
    check.settle();
  }
  return static_cast<int>(number);
}

}  // namespace

std::string_view to_string(LayerKind kind) noexcept {
  switch (kind) {
    case LayerKind::global:
      return "Global";
    case LayerKind::environment:
      return "Environment";
    case LayerKind::module:
      return "Module";
  }
  return "Global";
}

std::string_view to_string(FunctionKind kind) noexcept {
  switch (kind) {
    case FunctionKind::data_hash:
      return "data_hash";
    case FunctionKind::lookup_key:
      return "lookup_key";
    case FunctionKind::data_dig:
      return "data_dig";
  }
  return "data_hash";
}

namespace {

text::Document read_document(const ConfigContext& context, SourceId source, const std::shared_ptr<Arena>& arena) {
  try {
    return text::read_yaml(context.sources, source, text::psych(), context.limits, arena);
  } catch (const text::YamlError& error) {
    throw ConfigError(WordedError(error, in_yaml(error, true)));
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw ConfigError(error);
  }
}

/// Whether a configuration has no version, and is written as those of version 5 are.
bool looks_like_version5(const Value& root) {
  if (root.find("version") != nullptr) return false;
  const Value* hierarchy = root.find("hierarchy");
  return root.find("defaults") != nullptr || (hierarchy != nullptr && hierarchy->is_sequence() &&
                                              std::ranges::any_of(hierarchy->items(), &Value::is_mapping));
}

/// Reads versions 3 and 4; null where the layer then does not take part.
std::shared_ptr<const Config> read_older(const ConfigContext& context, ConfigChecker& check, const Value& root,
                                         Origin at, const std::shared_ptr<Config>& config, Diagnostics& diagnostics) {
  if (config->version == 3 && context.layer != LayerKind::global) {
    const std::string where = context.layer == LayerKind::environment ? "the environment root" : "module root";
    if (is_strict(context.settings.compat)) {
      check.refuse_version(fmt::format("hiera.yaml version 3 cannot be used in an {}",
                                       context.layer == LayerKind::environment ? "environment" : "module"),
                           at);
    }
    diagnostics.warn({.code = "hiera.version-ignored",
                      .message = fmt::format("hiera.yaml version 3 found at {} was ignored", where),
                      .where = {.place = context.sources.place(at), .line = {}, .message = {}},
                      .notes = {},
                      .hint = "convert it to version 5"});
    // Its shape counts all the same.
    read_older_version(context, check, root, *config);
    return nullptr;
  }
  diagnostics.warn({.code = "hiera.version-deprecated",
                    .message = fmt::format("hiera.yaml version {} is deprecated", config->version),
                    .where = {.place = context.sources.place(at), .line = {}, .message = {}},
                    .notes = {},
                    .hint = "convert it to version 5"});
  read_older_version(context, check, root, *config);
  // Its shape is looked at first.
  if (config->version == 4 && context.layer == LayerKind::global) {
    check.refuse_version("hiera.yaml version 4 cannot be used in the global layer", at);
  }
  return config;
}

}  // namespace

std::shared_ptr<const Config> no_config(const std::string& path) {
  auto config = std::make_shared<Config>();
  config->folder = parent_path(path);
  config->arena = std::make_shared<Arena>();
  return config;
}

std::shared_ptr<const Config> built_in_config(const std::string& path) {
  auto config = std::make_shared<Config>(*no_config(path));
  config->hierarchy.push_back(built_in(*config));
  return config;
}

std::shared_ptr<const Config> read_config(const ConfigContext& context, const std::string& path, SourceId source,
                                          Diagnostics& diagnostics) {
  auto config = std::make_shared<Config>();
  config->folder = parent_path(path);
  config->arena = std::make_shared<Arena>();
  ConfigChecker check(context.sources, path);
  config->path = path;
  const text::Document document = read_document(context, source, config->arena);
  for (const text::RepeatedKey& key : document.repeated_keys)
    diagnostics.warn(text::repeated_key_error(context.sources, key, "hiera.repeated-key").diagnostic());
  Value root = document.root;
  if (!root.is_mapping()) {
    diagnostics.warn(
        {.code = "hiera.config-empty",
         .message = "the file does not contain a mapping, so it counts as a version 3 configuration without content",
         .where = {.place = context.sources.place(context.sources.at(source, 0)), .line = {}, .message = {}},
         .notes = {},
         .hint = "write 'version: 5' into it"});
    root = config->arena->mapping();
  }
  config->version = version_of(root, check);
  const bool lacks_version = looks_like_version5(root);
  if (config->version == 5) {
    Version5(context, check, *config).read(root);
    return config;
  }
  const Origin at = context.sources.at(source, 0);
  try {
    return read_older(context, check, root, at, config, diagnostics);
  } catch (const ConfigError& error) {
    if (!lacks_version) throw;
    Error told = error;
    told.hint("the file has no version, so it counts as version 3: write 'version: 5' at its top");
    throw ConfigError(WordedError(std::move(told), error.words()));
  }
}

}  // namespace strata::hiera
