// SPDX-License-Identifier: Apache-2.0
// Two tables hold the legacy facts: facts with one name, and families whose names hold the name of a device, an
// interface, a zone or a key between a prefix and a suffix. Both follow the core facts that OpenFact 5 hides. No
// structured fact has the value of an entry without a path: it has another unit, or is a list or a mapping. Cost: a
// binary search, then one pass over the families. Tested by tests/cli/legacy_facts_test.py.
#include "legacy_facts.hpp"

#include <algorithm>
#include <array>

namespace strata::analysis {
namespace {

struct NamedFact {
  std::string_view name;
  std::string_view path;  ///< Empty: no structured fact has the value.
};

/// By name.
constexpr std::array kNamedFacts{
    NamedFact{"architecture", "os.architecture"},
    NamedFact{"augeasversion", "augeas.version"},
    NamedFact{"bios_release_date", "dmi.bios.release_date"},
    NamedFact{"bios_vendor", "dmi.bios.vendor"},
    NamedFact{"bios_version", "dmi.bios.version"},
    NamedFact{"blockdevices", ""},
    NamedFact{"boardassettag", "dmi.board.asset_tag"},
    NamedFact{"boardmanufacturer", "dmi.board.manufacturer"},
    NamedFact{"boardproductname", "dmi.board.product"},
    NamedFact{"boardserialnumber", "dmi.board.serial_number"},
    NamedFact{"chassisassettag", "dmi.chassis.asset_tag"},
    NamedFact{"chassistype", "dmi.chassis.type"},
    NamedFact{"dhcp_servers", ""},
    NamedFact{"domain", "networking.domain"},
    NamedFact{"fqdn", "networking.fqdn"},
    NamedFact{"gid", "identity.group"},
    NamedFact{"hardwareisa", "processors.isa"},
    NamedFact{"hardwaremodel", "os.hardware"},
    NamedFact{"hostname", "networking.hostname"},
    NamedFact{"id", "identity.user"},
    NamedFact{"interfaces", ""},
    NamedFact{"ipaddress", "networking.ip"},
    NamedFact{"ipaddress6", "networking.ip6"},
    NamedFact{"lsbdistcodename", "os.distro.codename"},
    NamedFact{"lsbdistdescription", "os.distro.description"},
    NamedFact{"lsbdistid", "os.distro.id"},
    NamedFact{"lsbdistrelease", "os.distro.release.full"},
    NamedFact{"lsbmajdistrelease", "os.distro.release.major"},
    NamedFact{"lsbminordistrelease", "os.distro.release.minor"},
    NamedFact{"lsbrelease", "os.distro.specification"},
    NamedFact{"macaddress", "networking.mac"},
    NamedFact{"macosx_buildversion", "os.macosx.build"},
    NamedFact{"macosx_productname", "os.macosx.product"},
    NamedFact{"macosx_productversion", "os.macosx.version.full"},
    NamedFact{"macosx_productversion_major", "os.macosx.version.major"},
    NamedFact{"macosx_productversion_minor", "os.macosx.version.minor"},
    NamedFact{"macosx_productversion_patch", "os.macosx.version.patch"},
    NamedFact{"manufacturer", "dmi.manufacturer"},
    NamedFact{"memoryfree", "memory.system.available"},
    NamedFact{"memoryfree_mb", ""},
    NamedFact{"memorysize", "memory.system.total"},
    NamedFact{"memorysize_mb", ""},
    NamedFact{"netmask", "networking.netmask"},
    NamedFact{"netmask6", "networking.netmask6"},
    NamedFact{"network", "networking.network"},
    NamedFact{"network6", "networking.network6"},
    NamedFact{"operatingsystem", "os.name"},
    NamedFact{"operatingsystemmajrelease", "os.release.major"},
    NamedFact{"operatingsystemrelease", "os.release.full"},
    NamedFact{"osfamily", "os.family"},
    NamedFact{"physicalprocessorcount", "processors.physicalcount"},
    NamedFact{"processorcount", "processors.count"},
    NamedFact{"productname", "dmi.product.name"},
    NamedFact{"rubyplatform", "ruby.platform"},
    NamedFact{"rubysitedir", "ruby.sitedir"},
    NamedFact{"rubyversion", "ruby.version"},
    NamedFact{"scope6", "networking.scope6"},
    NamedFact{"selinux", "os.selinux.enabled"},
    NamedFact{"selinux_config_mode", "os.selinux.config_mode"},
    NamedFact{"selinux_config_policy", "os.selinux.config_policy"},
    NamedFact{"selinux_current_mode", "os.selinux.current_mode"},
    NamedFact{"selinux_enforced", "os.selinux.enforced"},
    NamedFact{"selinux_policyversion", "os.selinux.policy_version"},
    NamedFact{"serialnumber", "dmi.product.serial_number"},
    NamedFact{"swapencrypted", "memory.swap.encrypted"},
    NamedFact{"swapfree", "memory.swap.available"},
    NamedFact{"swapfree_mb", ""},
    NamedFact{"swapsize", "memory.swap.total"},
    NamedFact{"swapsize_mb", ""},
    NamedFact{"system32", "os.windows.system32"},
    NamedFact{"uptime", "system_uptime.uptime"},
    NamedFact{"uptime_days", "system_uptime.days"},
    NamedFact{"uptime_hours", "system_uptime.hours"},
    NamedFact{"uptime_seconds", "system_uptime.seconds"},
    NamedFact{"uuid", "dmi.product.uuid"},
    NamedFact{"windows_edition_id", "os.windows.edition_id"},
    NamedFact{"windows_installation_type", "os.windows.installation_type"},
    NamedFact{"windows_product_name", "os.windows.product_name"},
    NamedFact{"windows_release_id", "os.windows.release_id"},
    NamedFact{"xendomains", ""},
    NamedFact{"zonename", "solaris_zones.current"},
    NamedFact{"zones", ""},
};

static_assert(std::ranges::is_sorted(kNamedFacts, {}, &NamedFact::name));

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kAlphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kWord = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view kZoneName = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.";

/// Facts whose names have a part of their own between `prefix` and `suffix`.
struct FactFamily {
  std::string_view prefix;
  std::string_view suffix;
  std::string_view before;           ///< The path up to that part. Empty: no structured fact has the value.
  std::string_view after;            ///< The path from there.
  std::string_view letters = kWord;  ///< That the part may have; any character where it is empty.
};

/// The first that fits applies.
constexpr std::array kFactFamilies{
    FactFamily{"blockdevice_", "_model", "disks.", ".model", kAlphanumeric},
    FactFamily{"blockdevice_", "_size", "disks.", ".size_bytes", kAlphanumeric},
    FactFamily{"blockdevice_", "_vendor", "disks.", ".vendor", kAlphanumeric},
    FactFamily{"ipaddress6_", "", "networking.interfaces.", ".ip6", {}},
    FactFamily{"ipaddress_", "", "networking.interfaces.", ".ip", {}},
    FactFamily{"ldom_", "", "", "", {}},
    FactFamily{"macaddress_", "", "networking.interfaces.", ".mac", {}},
    FactFamily{"mtu_", "", "networking.interfaces.", ".mtu", {}},
    FactFamily{"netmask6_", "", "networking.interfaces.", ".netmask6", {}},
    FactFamily{"netmask_", "", "networking.interfaces.", ".netmask", {}},
    FactFamily{"network6_", "", "networking.interfaces.", ".network6", {}},
    FactFamily{"network_", "", "networking.interfaces.", ".network", {}},
    FactFamily{"processor", "", "processors.models.", "", kDigits},
    FactFamily{"scope6_", "", "networking.interfaces.", ".scope6", {}},
    FactFamily{"sp_", "", "system_profiler.", ""},
    FactFamily{"sshfp_", "", "", ""},
    FactFamily{"ssh", "key", "ssh.", ".key"},
    FactFamily{"zone_", "_brand", "solaris_zones.zones.", ".brand", kZoneName},
    FactFamily{"zone_", "_id", "solaris_zones.zones.", ".id", kZoneName},
    FactFamily{"zone_", "_iptype", "solaris_zones.zones.", ".ip_type", kZoneName},
    FactFamily{"zone_", "_name", "solaris_zones.zones.", ".name", kZoneName},
    FactFamily{"zone_", "_path", "solaris_zones.zones.", ".path", kZoneName},
    FactFamily{"zone_", "_status", "solaris_zones.zones.", ".status", kZoneName},
    FactFamily{"zone_", "_uuid", "solaris_zones.zones.", ".uuid", kZoneName},
};

std::string_view without_spaces(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// `osfamily` of `scope('osfamily')` and `scope("osfamily")`; any other expression as it is.
std::string_view without_scope(std::string_view expression) {
  constexpr std::string_view kCall = "scope(";
  if (!expression.starts_with(kCall) || !expression.ends_with(')')) return expression;
  std::string_view argument = expression.substr(kCall.size());
  argument.remove_suffix(1);
  argument = without_spaces(argument);
  const bool is_quoted = argument.size() >= 2 && (argument.front() == '\'' || argument.front() == '"') &&
                         argument.front() == argument.back();
  return is_quoted ? argument.substr(1, argument.size() - 2) : expression;
}

/// The part of a name between prefix and suffix of a family. Empty: the name is not of the family.
std::string_view part_of(std::string_view name, const FactFamily& family) {
  if (name.size() <= family.prefix.size() + family.suffix.size()) return {};
  if (!name.starts_with(family.prefix) || !name.ends_with(family.suffix)) return {};
  name.remove_prefix(family.prefix.size());
  name.remove_suffix(family.suffix.size());
  const bool fits = family.letters.empty() || name.find_first_not_of(family.letters) == std::string_view::npos;
  return fits ? name : std::string_view();
}

}  // namespace

std::optional<LegacyFact> legacy_fact_of(std::string_view variable) {
  constexpr std::string_view kFacts = "facts.";
  if (variable.starts_with("::")) variable.remove_prefix(2);
  if (variable.starts_with(kFacts)) variable.remove_prefix(kFacts.size());
  if (variable.find('.') != std::string_view::npos) return std::nullopt;
  const auto found = std::ranges::lower_bound(kNamedFacts, variable, {}, &NamedFact::name);
  if (found != kNamedFacts.end() && found->name == variable)
    return LegacyFact{.name = std::string(variable), .path = std::string(found->path)};
  for (const FactFamily& family : kFactFamilies) {
    const std::string_view part = part_of(variable, family);
    if (part.empty()) continue;
    LegacyFact out{.name = std::string(variable), .path = {}};
    if (family.before.empty()) return out;
    out.path = std::string(family.before).append(part).append(family.after);
    // The names of these facts have `_` for some other characters of an interface.
    out.is_exact = !family.before.starts_with("networking.") || part.find('_') == std::string_view::npos;
    return out;
  }
  return std::nullopt;
}

std::string with_structured_facts(std::string_view text) {
  std::string out;
  std::size_t from = 0;
  while (true) {
    const std::size_t begin = text.find("%{", from);
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) return out.append(text.substr(from));
    const auto fact = legacy_fact_of(without_scope(without_spaces(text.substr(begin + 2, end - begin - 2))));
    out.append(text.substr(from, begin - from));
    if (fact && fact->is_exact && !fact->path.empty()) {
      out.append("%{facts.").append(fact->path).append("}");
    } else {
      out.append(text.substr(begin, end + 1 - begin));
    }
    from = end + 1;
  }
}

}  // namespace strata::analysis
