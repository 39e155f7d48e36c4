// SPDX-License-Identifier: Apache-2.0
#include "strata/traits.hpp"

#include <array>

#include "strata/cloudinit.hpp"

namespace strata::cloudinit {
namespace {

constexpr std::string_view kHeader = "#cloud-config";
constexpr std::array<std::string_view, 2> kSettings{"merge_how", "merge_type"};
constexpr std::array<std::string_view, 6> kFindings{"dead-part",      "deprecated",     "schema",
                                                    "unknown-member", "unknown-module", "wrong-type"};

/// Other types of parts begin with the header, too: `#cloud-config-archive`.
bool is_cloud_config(std::string_view contents) {
  if (contents.starts_with("\xEF\xBB\xBF")) contents.remove_prefix(3);
  return contents.starts_with(kHeader) && !contents.substr(kHeader.size()).starts_with('-');
}

bool is_yaml(std::string_view contents) { return contents.starts_with(kHeader); }

query::Traits make_traits() {
  return {.reader = "cloud-init",
          .has_statements = true,
          .settings = kSettings,
          .is_data_file = is_cloud_config,
          .empty_file = "#cloud-config\n{}\n",
          .widest_merge = "merge_how: list(append)+dict(recurse_list,recurse_dict)+str(append)",
          .has_plain_lists = true,
          .profile = &text::pyyaml(),
          .is_yaml = is_yaml,
          .findings = kFindings};
}

}  // namespace

const query::Traits& traits() {
  static const query::Traits traits = [] {
    query::Traits out = make_traits();
    out.known_members = known_keys();
    out.unknown_members = query::UnknownMembers::reported;
    return out;
  }();
  return traits;
}

const query::Traits& traits_of_network() {
  static const query::Traits traits = make_traits();
  return traits;
}

}  // namespace strata::cloudinit
