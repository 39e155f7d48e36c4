// SPDX-License-Identifier: Apache-2.0
// Null values with which modules of released versions of cloud-init end with an exception.
//
// A key without a value is easily left behind, and a module that takes it for a list or a mapping fails: what it would
// have done is missing on the machine, and the rest of the boot goes on. The table was found by running the modules of
// each release with null at the places of its schema; docs/cloud-init/fidelity.md describes it. Cost: one look at each
// place of the table, and at the items of its lists. Tested by tests/cli/check_schema_test.py.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "strata/cloudinit.hpp"
#include "strata/path.hpp"

namespace strata::cloudinit {
namespace {

/// The oldest and the newest release that were run, with each feature release between them.
constexpr std::string_view kOldest = "22.4.2";
constexpr std::string_view kNewest = "26.2";

struct NullCrash {
  std::string_view place;   ///< Keys, and `*` for each item.
  std::string_view module;  ///< Its name in lists of modules.
  std::string_view error;   ///< The exception.
  std::string_view first = kOldest;
  std::string_view last = kNewest;
};

constexpr std::array kNullCrashes{
    NullCrash{.place = "ansible", .module = "ansible", .error = "AttributeError"},
    NullCrash{.place = "bootcmd", .module = "bootcmd", .error = "TypeError"},
    NullCrash{.place = "ca-certs", .module = "ca_certs", .error = "TypeError"},
    NullCrash{.place = "ca_certs", .module = "ca_certs", .error = "TypeError"},
    NullCrash{.place = "chef", .module = "chef", .error = "TypeError"},
    NullCrash{.place = "chpasswd", .module = "set_passwords", .error = "TypeError"},
    NullCrash{.place = "chpasswd/list/*", .module = "set_passwords", .error = "AttributeError"},
    NullCrash{.place = "chpasswd/users/*", .module = "set_passwords", .error = "AttributeError"},
    NullCrash{.place = "fqdn", .module = "set_hostname", .error = "AttributeError", .last = "24.4"},
    NullCrash{.place = "groups", .module = "users_groups", .error = "TypeError"},
    NullCrash{.place = "groups/*", .module = "users_groups", .error = "TypeError"},
    NullCrash{.place = "hostname", .module = "set_hostname", .error = "AttributeError"},
    NullCrash{.place = "keyboard", .module = "keyboard", .error = "TypeError"},
    NullCrash{.place = "landscape/client", .module = "landscape", .error = "AttributeError", .first = "23.3"},
    NullCrash{.place = "mcollective", .module = "mcollective", .error = "TypeError"},
    NullCrash{.place = "mcollective/conf", .module = "mcollective", .error = "AttributeError"},
    NullCrash{.place = "mounts", .module = "mounts", .error = "TypeError"},
    NullCrash{.place = "mounts/*", .module = "mounts", .error = "TypeError", .last = "24.2"},
    NullCrash{.place = "phone_home", .module = "phone_home", .error = "TypeError"},
    NullCrash{.place = "phone_home/url", .module = "phone_home", .error = "AttributeError"},
    NullCrash{.place = "puppet", .module = "puppet", .error = "TypeError"},
    NullCrash{.place = "random_seed", .module = "seed_random", .error = "AttributeError"},
    NullCrash{.place = "rh_subscription", .module = "rh_subscription", .error = "AttributeError"},
    NullCrash{.place = "rsyslog", .module = "rsyslog", .error = "TypeError"},
    NullCrash{.place = "runcmd", .module = "runcmd", .error = "TypeError"},
    NullCrash{.place = "salt_minion", .module = "salt_minion", .error = "TypeError"},
    NullCrash{.place = "snap/assertions/*", .module = "snap", .error = "TypeError"},
    NullCrash{.place = "snap/commands/*", .module = "snap", .error = "TypeError"},
    NullCrash{.place = "spacewalk", .module = "spacewalk", .error = "AttributeError"},
    NullCrash{.place = "ssh", .module = "keys_to_console", .error = "AttributeError"},
    NullCrash{.place = "ssh_keys", .module = "ssh", .error = "AttributeError"},
    NullCrash{.place = "ssh_publish_hostkeys", .module = "ssh", .error = "TypeError"},
    NullCrash{.place = "updates", .module = "install_hotplug", .error = "TypeError"},
    NullCrash{.place = "updates/network", .module = "install_hotplug", .error = "TypeError"},
    NullCrash{.place = "user/groups", .module = "users_groups", .error = "TypeError"},
    NullCrash{.place = "users/*", .module = "users_groups", .error = "TypeError"},
    NullCrash{.place = "vendor_data", .module = "scripts_vendor", .error = "TypeError"},
    NullCrash{.place = "write_files", .module = "write_files", .error = "TypeError"},
    NullCrash{.place = "write_files/*", .module = "write_files", .error = "TypeError"},
    NullCrash{.place = "zypper/repos/*", .module = "zypper_add_repo", .error = "TypeError"},
};

class NullFinder {
 public:
  explicit NullFinder(std::vector<SchemaProblem>& out) : out_(out) {}

  /// Recursion: by the steps of a place.
  void look(const Value& value, std::string_view rest, const NullCrash& crash) {
    if (rest.empty()) {
      if (value.is_null()) add(value, crash);
      return;
    }
    const std::string_view step = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(step.size() + 1, rest.size()));
    if (step == "*") {
      for (std::size_t i = 0; value.is_sequence() && i < value.size(); ++i)
        below(std::to_string(i), value.items()[i], rest, crash);
    } else if (value.is_mapping()) {
      if (const Value* member = value.find(step)) below(std::string(step), *member, rest, crash);
    }
  }

 private:
  void below(std::string token, const Value& value, std::string_view rest, const NullCrash& crash) {
    path_.push_back(std::move(token));
    look(value, rest, crash);
    path_.pop_back();
  }

  void add(const Value& value, const NullCrash& crash) {
    const std::string versions =
        crash.first == crash.last ? std::string(crash.first) : fmt::format("{} to {}", crash.first, crash.last);
    out_.push_back({.kind = SchemaProblem::Kind::crash,
                    .pointer = pointer_of(path_),
                    .origin = value.origin(),
                    .message = fmt::format("{}: null, with which the module {} of cloud-init {} ends with {}",
                                           fmt::join(path_, "."), crash.module, versions, crash.error),
                    .hint = "give it a value, or remove it"});
  }

  std::vector<SchemaProblem>& out_;
  std::vector<std::string> path_;
};

}  // namespace

std::vector<SchemaProblem> crash_problems(const Value& config) {
  std::vector<SchemaProblem> out;
  for (const NullCrash& crash : kNullCrashes) NullFinder(out).look(config, crash.place, crash);
  return out;
}

}  // namespace strata::cloudinit
