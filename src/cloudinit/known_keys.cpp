// SPDX-License-Identifier: Apache-2.0
// The top-level keys that cloud-init's modules and cloud-init itself read.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "strata/cloudinit.hpp"

namespace strata::cloudinit {
namespace {

/// The properties of cloud-init's schema for cloud-config, by bytes.
constexpr std::array<std::string_view, 99> kProperties{"allow_public_ssh_keys",
                                                       "ansible",
                                                       "apk_repos",
                                                       "apt",
                                                       "apt_pipelining",
                                                       "apt_reboot_if_required",
                                                       "apt_update",
                                                       "apt_upgrade",
                                                       "authkey_hash",
                                                       "autoinstall",
                                                       "bootcmd",
                                                       "byobu_by_default",
                                                       "ca-certs",
                                                       "ca_certs",
                                                       "chef",
                                                       "chpasswd",
                                                       "cloud_config_modules",
                                                       "cloud_final_modules",
                                                       "cloud_init_modules",
                                                       "create_hostname_file",
                                                       "device_aliases",
                                                       "disable_ec2_metadata",
                                                       "disable_root",
                                                       "disable_root_opts",
                                                       "disk_setup",
                                                       "drivers",
                                                       "fan",
                                                       "final_message",
                                                       "fqdn",
                                                       "fs_setup",
                                                       "groups",
                                                       "growpart",
                                                       "grub-dpkg",
                                                       "grub_dpkg",
                                                       "hostname",
                                                       "keyboard",
                                                       "landscape",
                                                       "launch-index",
                                                       "locale",
                                                       "locale_configfile",
                                                       "lxd",
                                                       "manage_etc_hosts",
                                                       "manage_resolv_conf",
                                                       "mcollective",
                                                       "merge_how",
                                                       "merge_type",
                                                       "migrate",
                                                       "mount_default_fields",
                                                       "mounts",
                                                       "no_ssh_fingerprints",
                                                       "ntp",
                                                       "output",
                                                       "package_reboot_if_required",
                                                       "package_update",
                                                       "package_upgrade",
                                                       "packages",
                                                       "password",
                                                       "phone_home",
                                                       "power_state",
                                                       "prefer_fqdn_over_hostname",
                                                       "preserve_hostname",
                                                       "puppet",
                                                       "random_seed",
                                                       "reporting",
                                                       "resize_rootfs",
                                                       "resolv_conf",
                                                       "rh_subscription",
                                                       "rpi",
                                                       "rsyslog",
                                                       "runcmd",
                                                       "salt_minion",
                                                       "snap",
                                                       "spacewalk",
                                                       "ssh",
                                                       "ssh_authorized_keys",
                                                       "ssh_deletekeys",
                                                       "ssh_fp_console_blacklist",
                                                       "ssh_genkeytypes",
                                                       "ssh_import_id",
                                                       "ssh_key_console_blacklist",
                                                       "ssh_keys",
                                                       "ssh_publish_hostkeys",
                                                       "ssh_pwauth",
                                                       "ssh_quiet_keygen",
                                                       "swap",
                                                       "system_info",
                                                       "timezone",
                                                       "ubuntu_advantage",
                                                       "ubuntu_pro",
                                                       "updates",
                                                       "user",
                                                       "users",
                                                       "vendor_data",
                                                       "version",
                                                       "wireguard",
                                                       "write_files",
                                                       "yum_repo_dir",
                                                       "yum_repos",
                                                       "zypper"};

}  // namespace

std::span<const std::string_view> known_keys() {
  struct Table {
    std::vector<std::string> spellings;
    std::vector<std::string_view> names;
  };
  static const Table table = [] {
    Table out;
    for (const std::string_view name : kProperties) {
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
