// SPDX-License-Identifier: Apache-2.0
// Compares a cloud-config with cloud-init's schema: names of members, and types of values.
//
// The table allows everything that one of its schemas allows, so each problem is one for all of them. Cost:
// linear in the config. Test: check_results_test.py.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cloudinit/config_schema_table.hpp"
#include "strata/cloudinit.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"

namespace strata::cloudinit {
namespace {

using Types = std::uint8_t;

constexpr Types bit(SchemaType type) { return static_cast<Types>(1U << static_cast<unsigned>(type)); }

constexpr std::array<std::pair<SchemaType, std::string_view>, 7> kTypeNames{{{SchemaType::null, "null"},
                                                                             {SchemaType::boolean, "a boolean"},
                                                                             {SchemaType::integer, "an integer"},
                                                                             {SchemaType::number, "a number"},
                                                                             {SchemaType::string, "a string"},
                                                                             {SchemaType::array, "a list"},
                                                                             {SchemaType::object, "a mapping"}}};

/// The types that a value counts as. 0: nothing is known about it. cloud-init takes bytes for strings, and dates are
/// mostly meant as strings.
Types types_of(const Value& value) {
  switch (value.kind()) {
    case Kind::null:
      return bit(SchemaType::null);
    case Kind::boolean:
      return bit(SchemaType::boolean);
    case Kind::integer:
    case Kind::big_integer:
      return bit(SchemaType::integer);
    case Kind::floating:
      return bit(SchemaType::number);
    case Kind::text:
    case Kind::binary:
    case Kind::date:
    case Kind::timestamp:
      return bit(SchemaType::string);
    case Kind::sequence:
      return bit(SchemaType::array);
    case Kind::mapping:
      return bit(SchemaType::object);
    case Kind::absent:
    case Kind::set:
    case Kind::object:
      return 0;
  }
  return 0;
}

/// `a string or a list`
std::string names_of(Types types) {
  // Every integer is a number.
  if ((types & bit(SchemaType::number)) != 0) types = static_cast<Types>(types & ~bit(SchemaType::integer));
  std::vector<std::string_view> names;
  for (const auto& [type, name] : kTypeNames) {
    if ((types & bit(type)) != 0) names.push_back(name);
  }
  if (names.size() < 2) return names.empty() ? "nothing" : std::string(names.front());
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string hint_for(Types wanted, const Value& value) {
  const bool is_scalar = !value.is_container() && !value.is_null();
  if (is_scalar && (wanted & bit(SchemaType::string)) != 0) return "quote it";
  if (is_scalar && (wanted & bit(SchemaType::array)) != 0) return "write a list";
  return "cloud-init refuses or ignores it: correct the value";
}

class SchemaReader {
 public:
  std::vector<SchemaProblem> read(const Value& config) {
    const SchemaNode& root = root_of_schema();
    if (!config.is_mapping()) return {};
    for (const Entry& entry : config.entries()) {
      const std::string name = key_text(entry.key);
      const SchemaNode* node = find(root, name);
      if (node == nullptr) node = find(root, exchanged(name));
      if (node != nullptr) below(name, entry.value, *node);
    }
    return std::move(out_);
  }

 private:
  static std::string exchanged(std::string name) {
    for (char& c : name) c = c == '-' ? '_' : c == '_' ? '-' : c;
    return name;
  }

  static const SchemaNode* find(const SchemaNode& node, std::string_view name) {
    const auto members = members_of(node);
    const auto found = std::ranges::lower_bound(members, name, {}, &SchemaMember::name);
    return found != members.end() && found->name == name ? node_of_schema(found->node) : nullptr;
  }

  void below(const std::string& token, const Value& value, const SchemaNode& node) {
    path_.push_back(token);
    look_at(value, node);
    path_.pop_back();
  }

  // Recursion: bounded by Limits::depth.
  void look_at(const Value& value, const SchemaNode& node) {
    const Types types = types_of(value);
    if (types == 0) return;
    if ((types & node.types) == 0) return add_type(value, node.types);
    if (value.is_sequence()) {
      const SchemaNode* items = node_of_schema(node.items);
      for (std::size_t i = 0; items != nullptr && i < value.size(); ++i)
        below(std::to_string(i), value.items()[i], *items);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) look_at_member(entry, node);
    }
  }

  void look_at_member(const Entry& entry, const SchemaNode& node) {
    const std::string name = key_text(entry.key);
    if (const SchemaNode* member = find(node, name)) return below(name, entry.value, *member);
    if (const SchemaNode* other = node_of_schema(node.other)) return below(name, entry.value, *other);
    if (!node.is_closed) return;
    std::vector<std::string_view> names;
    for (const SchemaMember& one : members_of(node)) names.push_back(one.name);
    std::string pointer = pointer_of(path_);
    append_token(pointer, name);
    out_.push_back({.kind = SchemaProblem::Kind::unknown_name,
                    .pointer = std::move(pointer),
                    .origin = entry.key.origin(),
                    .is_name = true,
                    .message = fmt::format("cloud-init knows no '{}' in '{}'", name, fmt::join(path_, "/")),
                    .hint = name_hint(names, name, "it has no effect")});
  }

  void add_type(const Value& value, Types wanted) {
    out_.push_back({.kind = SchemaProblem::Kind::wrong_type,
                    .pointer = pointer_of(path_),
                    .origin = value.origin(),
                    .message = fmt::format("expected {} under '{}', found {}", names_of(wanted), fmt::join(path_, "/"),
                                           names_of(types_of(value))),
                    .hint = hint_for(wanted, value)});
  }

  std::vector<std::string> path_;
  std::vector<SchemaProblem> out_;
};

/// Keys that cloud-init reads and its schema lacks: settings of the image, and keys of older versions.
constexpr std::array<std::string_view, 32> kOutsideSchema{"add_apt_repo_match",
                                                          "allow_userdata",
                                                          "apt_conf",
                                                          "apt_custom_sources_list",
                                                          "apt_ftp_proxy",
                                                          "apt_http_proxy",
                                                          "apt_https_proxy",
                                                          "apt_mirror",
                                                          "apt_mirror_search",
                                                          "apt_mirror_search_dns",
                                                          "apt_preserve_sources_list",
                                                          "apt_proxy",
                                                          "apt_sources",
                                                          "cloud_dir",
                                                          "datasource",
                                                          "datasource_list",
                                                          "datasource_pkg_list",
                                                          "debconf_selections",
                                                          "def_log_file",
                                                          "di_report",
                                                          "disable_network_activation",
                                                          "disable_vmware_customization",
                                                          "log_basic",
                                                          "log_cfgs",
                                                          "logcfg",
                                                          "manual_cache_clean",
                                                          "network",
                                                          "ssh_svcname",
                                                          "syslog_fix_perms",
                                                          "unverified_modules",
                                                          "vendor_data2",
                                                          "warnings"};

}  // namespace

bool is_read_outside_schema(std::string_view name) {
  return std::ranges::find(kOutsideSchema, name) != kOutsideSchema.end();
}

std::vector<SchemaProblem> schema_problems(const Value& config) { return SchemaReader().read(config); }

std::span<const std::string_view> known_keys() {
  struct Table {
    std::vector<std::string> spellings;
    std::vector<std::string_view> names;
  };
  static const Table table = [] {
    Table out;
    std::vector<std::string_view> names(kOutsideSchema.begin(), kOutsideSchema.end());
    for (const SchemaMember& one : members_of(root_of_schema())) names.push_back(one.name);
    for (const std::string_view name : names) {
      for (const auto& [from, to] : {std::pair('-', '_'), std::pair('_', '-'), std::pair('-', '-')}) {
        std::string spelling(name);
        std::ranges::replace(spelling, from, to);
        out.spellings.push_back(std::move(spelling));
      }
    }
    std::ranges::sort(out.spellings);
    out.spellings.erase(std::unique(out.spellings.begin(), out.spellings.end()), out.spellings.end());
    out.names.assign(out.spellings.begin(), out.spellings.end());
    return out;
  }();
  return table.names;
}

}  // namespace strata::cloudinit
