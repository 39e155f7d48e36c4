// SPDX-License-Identifier: Apache-2.0
// reclass-config.yml. Rule: docs/reclass/inventory.md, "Settings".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "class_mappings.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/reclass.hpp"
#include "strata/text.hpp"
#include "text/regex/regex.hpp"
#include "text/repeated_keys.hpp"
#include "value/fields.hpp"

namespace strata::reclass {
namespace {

/// A setting that strata does not have, and the value for which it does what reclass does.
struct FixedSetting {
  std::string_view name;
  std::string_view value;  ///< As JSON. Empty: any value, because results do not depend on it.
};
constexpr std::array<FixedSetting, 12> kFixed{{{"storage_type", R"("yaml_fs")"},
                                               {"delimiter", R"(":")"},
                                               {"dict_key_override_prefix", R"("~")"},
                                               {"dict_key_constant_prefix", R"("=")"},
                                               {"escape_character", R"("\\")"},
                                               {"export_sentinels", R"(["$[", "]"])"},
                                               {"reference_sentinels", R"(["${", "}"])"},
                                               {"scalar_parameters", "false"},
                                               {"ignore_overwritten_missing_references", "true"},
                                               {"output", ""},
                                               {"pretty_print", ""},
                                               {"no_refs", ""}}};

constexpr std::array<std::string_view, 20> kSettings{"inventory_base_uri",
                                                     "nodes_uri",
                                                     "classes_uri",
                                                     "compose_node_name",
                                                     "class_mappings",
                                                     "class_mappings_match_path",
                                                     "ignore_class_notfound",
                                                     "ignore_class_notfound_regexp",
                                                     "default_environment",
                                                     "ignore_class_notfound_warning",
                                                     "automatic_parameters",
                                                     "allow_none_override",
                                                     "allow_scalar_over_dict",
                                                     "allow_scalar_over_list",
                                                     "allow_dict_over_scalar",
                                                     "allow_list_over_scalar",
                                                     "strict_constant_parameters",
                                                     "group_errors",
                                                     "inventory_ignore_failed_node",
                                                     "inventory_ignore_failed_render"};

class ConfigReader {
 public:
  ConfigReader(Settings& settings, Session& session, const Value& root)
      : settings_(settings), session_(session), root_(root), fields_(root, kConfigName, errors_) {}

  void read(const ConfigPlace& place) {
    check_names();
    const std::string named = path_of("inventory_base_uri", place.base, {}, place.home);
    const bool is_base_fixed = place.is_base_fixed || settings_.compat == Compat::kapitan;
    if (is_base_fixed && fields_.find("inventory_base_uri") != nullptr && !named.empty() && named != place.base)
      warn_of_base(place.base);
    const std::string& folder = is_base_fixed ? place.base : named;
    settings_.nodes =
        path_of("nodes_uri", settings_.compat == Compat::kapitan ? "targets" : "nodes", folder, place.home);
    settings_.classes = path_of("classes_uri", "classes", folder, place.home);
    set("compose_node_name", settings_.composes_node_names);
    set("class_mappings_match_path", settings_.matches_paths);
    set("automatic_parameters", settings_.adds_automatic_parameters);
    set("ignore_class_notfound_warning", settings_.warns_of_missing_classes);
    set("allow_none_override", settings_.replacing.null_over_any);
    set("allow_scalar_over_dict", settings_.replacing.scalar_over_mapping);
    set("allow_scalar_over_list", settings_.replacing.scalar_over_list);
    set("allow_dict_over_scalar", settings_.replacing.mapping_over_scalar);
    set("allow_list_over_scalar", settings_.replacing.list_over_scalar);
    set("inventory_ignore_failed_node", settings_.ignores_failed_nodes);
    set("group_errors", settings_.groups_errors);
    bool is_strict = !settings_.replacing.constants_stay;
    set("strict_constant_parameters", is_strict);
    settings_.replacing.constants_stay = !is_strict;
    if (const Value* name = fields_.word("default_environment")) settings_.default_environment = name->text();
    bool ignores_missing = false;
    set("ignore_class_notfound", ignores_missing);
    if (ignores_missing) settings_.optional_classes = optional_classes();
    if (const Value* mappings = fields_.texts("class_mappings", "a list of strings")) {
      for (const Value& mapping : mappings->items())
        settings_.class_mappings.push_back(parse_class_mapping(session_.sources(), mapping));
    }
  }

 private:
  [[nodiscard]] Error error(std::string message, const Value& at) const {
    return Error("reclass.config", std::move(message)).at(session_.sources(), at.origin());
  }

  void warn_of_base(const std::string& base) const {
    session_.diagnostics().warn(
        Error("reclass.setting", fmt::format("the setting 'inventory_base_uri' has no effect: the inventory is in '{}'",
                                             base.empty() ? "." : base))
            .at(session_.sources(), fields_.find("inventory_base_uri")->origin())
            .hint(settings_.compat == Compat::kapitan ? "Kapitan does not read it" : "-b wins over it")
            .diagnostic());
  }

  void check_names() const {
    for (const Entry& entry : root_.entries()) {
      const std::string name = key_text(entry.key);
      if (std::ranges::find(kSettings, name) != kSettings.end()) continue;
      const auto* const fixed = std::ranges::find(kFixed, name, &FixedSetting::name);
      const bool is_of_other = settings_.compat == Compat::kapitan && name == "scalar_parameters";
      if (fixed == kFixed.end() || is_of_other) {
        session_.diagnostics().warn(
            Error("reclass.setting", fmt::format("unknown setting '{}': it has no effect", text::shown_key(name)))
                .at(session_.sources(), entry.key.origin())
                .hint(name_hint(kSettings, name))
                .diagnostic());
        continue;
      }
      std::string value;
      text::append_json(value, entry.value, {.indent = -1});
      if (fixed->value.empty() || value == fixed->value || entry.value.is_null()) continue;
      throw error(fmt::format("the setting '{}' is supported with the value {} only", name, fixed->value), entry.value)
          .hint("results would differ from those of reclass");
    }
  }

  void set(std::string_view name, bool& out) const {
    const Value* value = fields_.find(name);
    if (value == nullptr) return;
    if (value->kind() != Kind::boolean) fields_.refuse_kind(name, "true or false", *value);
    out = value->as_boolean();
  }

  /// A folder. `above`: what it is relative to.
  [[nodiscard]] std::string path_of(std::string_view name, const std::string& otherwise, const std::string& above,
                                    const std::string& home) const {
    const Value* value = fields_.word(name);
    std::string path = value == nullptr ? otherwise : std::string(value->text());
    if (path.starts_with('/')) return path;
    if (path == "~" || path.starts_with("~/")) {
      if (home.empty()) throw error(fmt::format("'{}' names the home folder, which is not known here", path), *value);
      return home + path.substr(1);
    }
    while (path.starts_with("./")) path.erase(0, 2);
    if (path == ".") path.clear();
    if (above.empty() || path.empty()) return path.empty() ? above : path;
    return fmt::format("{}/{}", above, path);
  }

  [[nodiscard]] std::shared_ptr<const text::Regex> optional_classes() const {
    const Value* value = fields_.find("ignore_class_notfound_regexp");
    std::string pattern = ".*";
    if (value != nullptr) {
      if (!value->is_text()) value = fields_.texts("ignore_class_notfound_regexp", "a pattern, or a list of patterns");
      pattern.clear();
      if (value->is_text()) pattern = value->text();
      for (std::size_t i = 0; value->is_sequence() && i < value->size(); ++i)
        pattern += (i == 0 ? "" : "|") + std::string(value->items()[i].text());
    }
    try {
      return std::make_shared<const text::Regex>(pattern, text::Regex::Syntax::python);
    } catch (const Error& wrong) {
      if (wrong.ends_request() || value == nullptr) throw;
      throw error(fmt::format("'{}' is not a pattern: {}", pattern, wrong.what()), *value);
    }
  }

  Settings& settings_;
  Session& session_;
  const Value& root_;
  FieldErrors errors_{.code = "reclass.config", .sources = &session_.sources()};
  Fields fields_;
};

}  // namespace

Compat compat_named(std::string_view name) {
  for (const Compat one : {Compat::reclass, Compat::kapitan}) {
    if (to_string(one) == name) return one;
  }
  throw Error("reclass.config", fmt::format("unknown rules '{}'", name)).hint("known rules are reclass and kapitan");
}

std::string_view to_string(Compat compat) noexcept { return compat == Compat::kapitan ? "kapitan" : "reclass"; }

Settings default_settings(Compat compat, const std::string& base) {
  Settings out;
  out.compat = compat;
  const bool is_kapitan = compat == Compat::kapitan;
  const auto below = [&base](const char* name) { return base.empty() ? std::string(name) : base + "/" + name; };
  out.nodes = below(is_kapitan ? "targets" : "nodes");
  out.classes = below("classes");
  out.replacing.null_over_any = is_kapitan;
  return out;
}

void read_config(Settings& settings, Session& session, SourceId source, const ConfigPlace& place) {
  const text::Document document = text::read_yaml(session.sources(), source, text::pyyaml(), session.limits());
  text::warn_of_repeated_keys(session.diagnostics(), session.sources(), document, "reclass.repeated-key");
  const Value root = !document.root || document.root.is_null() ? document.arena->mapping() : document.root;
  if (!root.is_mapping()) {
    throw Error("reclass.config", wrong_kind(kConfigName, "a mapping", root)).at(session.sources(), root.origin());
  }
  ConfigReader(settings, session, root).read(place);
}

}  // namespace strata::reclass
