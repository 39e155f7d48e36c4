#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Findings about results: items that lists hold twice or lose, keys that nobody reads, shapes that clash; of parts and environments.

Usage: check_results_test.py BINARY
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
APPEND = "merge_how: list(append)+dict(recurse_array)+str()\n"


class Results(unittest.TestCase):
    def findings(self, files, *words):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run([STRATA, "check", "--exit-zero", "--output", "json", *words], cwd=folder, capture_output=True, text=True, timeout=600,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return [(one["code"][6:], f"{one['file']}:{one.get('line')}:{one.get('column')}", one["path"], one["message"],
                     [f"{note['file']}:{note['line']}:{note['column']}" for note in one["notes"]]) for one in json.loads(done.stdout)["findings"] if one["code"].startswith("check.")]

    def test_doubled_items(self):
        files = {"a.yaml": f"#cloud-config\n{APPEND}packages: [curl, git, git]\nusers: [{{name: x}}]\n",
                 "b.yaml": f"#cloud-config\n{APPEND}packages: [git, vim]\nusers: [{{name: x}}, {{name: 'x'}}]\n"}
        self.assertEqual(self.findings(files, "--select", "doubled-item", "merge", "a.yaml", "b.yaml"), [
            ("doubled-item", "b.yaml:3:12", "/packages/0", "the list '/packages' holds this item twice", ["a.yaml:3:18"]),
            ("doubled-item", "b.yaml:4:9", "/users/0", "the list '/users' holds this item twice", ["a.yaml:4:9"])])
        # A list may repeat items on purpose.
        files = {"a.yaml": "#cloud-config\nruncmd: [reload, [make, x, x], reload]\ndisk_setup: {/dev/sdz: {layout: [50, 50]}}\n"}
        self.assertEqual(self.findings(files, "--select", "doubled-item", "merge", "a.yaml"), [])
        archive = "#cloud-config-archive\n" + "".join(f"- type: text/cloud-config\n  content: |\n    {APPEND}    runcmd: [reload, reload]\n" for _ in range(2))
        self.assertEqual(len(self.findings({"a.yaml": archive}, "--select", "doubled-item", "merge", "a.yaml")), 1)
        # An alias is the same item in the same place.
        files = {"a.yaml": "#cloud-config\npackages: [&p curl, *p]\n"}
        self.assertEqual(self.findings(files, "--select", "doubled-item", "merge", "a.yaml"), [])

    def test_lost_items(self):
        files = {"a.yaml": "#cloud-config\npackages: [curl, git]\n",
                 "b.yaml": "#cloud-config\nmerge_how: list(replace)+dict(recurse_list)+str()\npackages: [one, two, three, {four: 4, five: 5}]\n"}
        self.assertEqual(self.findings(files, "--select", "lost-items", "merge", "a.yaml", "b.yaml"),
                         [("lost-items", "b.yaml:3:22", "/packages/2", "the merge loses 2 items of '/packages'", [])])

    def test_unknown_modules(self):
        files = {"a.yaml": "#cloud-config\nhostname: a\npakages: [zsh]\nca_certs: {}\nca-certs: {}\nbyobu-by-default: system\nmine: 1\n"}
        self.assertEqual(self.findings(files, "--select", "unknown-module", "merge", "a.yaml"), [
            ("unknown-module", "a.yaml:3:1", "/pakages", "cloud-init knows no 'pakages'", []),
            ("unknown-module", "a.yaml:7:1", "/mine", "cloud-init knows no 'mine'", [])])
        files[".strata-check.yaml"] = "version: 1\nknown: {cloud-config: [mine]}\n"
        self.assertEqual([one[2] for one in self.findings(files, "--select", "unknown-module", "merge", "a.yaml")], ["/pakages"])

    def test_keys_of_images_are_known(self):
        names = ["vendor_data2", "system_info", "datasource", "datasource_list", "manual_cache_clean", "syslog_fix_perms", "def_log_file", "network",
                 "allow_userdata", "disable_vmware_customization", "warnings", "cloud_dir", "unverified_modules", "apt_sources", "log_cfgs", "launch-index"]
        files = {"a.yaml": "#cloud-config\n" + "".join(f"{name}: {{}}\n" for name in names)}
        self.assertEqual(self.findings(files, "--select", "unknown-module", "merge", "a.yaml"), [])

    def test_names_and_types_of_the_schema(self):
        files = {"a.yaml": """#cloud-config
users:
  - name: eve
    ssh-authorized-keys: [ssh-rsa A]
    ssh_autorized_keys: [ssh-rsa B]
    uid: 1001
  - default
write_files:
  - {path: /etc/y, contents: abc, permissions: 0644}
  - {path: /etc/z, content: !!binary aGk=, owner: {a: 1}}
chpasswd: {expired: false}
packages: vim
runcmd: [[ls, 1], {a: 1}]
growpart: {mode: off}
mine: {any: 1}
ca-certs: {trusted: [a]}
swap: {size: 2G}
"""}
        select = ("--select", "unknown-member,wrong-type", "merge", "a.yaml")
        self.assertEqual([one[:4] for one in self.findings(files, *select)], [
            ("unknown-member", "a.yaml:5:5", "/users/0/ssh_autorized_keys", "cloud-init knows no 'ssh_autorized_keys' in 'users/0'"),
            ("unknown-member", "a.yaml:9:20", "/write_files/0/contents", "cloud-init knows no 'contents' in 'write_files/0'"),
            ("wrong-type", "a.yaml:9:48", "/write_files/0/permissions", "expected a string under 'write_files/0/permissions', found an integer"),
            ("wrong-type", "a.yaml:10:51", "/write_files/1/owner", "expected a string under 'write_files/1/owner', found a mapping"),
            ("unknown-member", "a.yaml:11:12", "/chpasswd/expired", "cloud-init knows no 'expired' in 'chpasswd'"),
            ("wrong-type", "a.yaml:12:11", "/packages", "expected a list under 'packages', found a string"),
            ("wrong-type", "a.yaml:13:15", "/runcmd/0/1", "expected a string under 'runcmd/0/1', found an integer"),
            ("wrong-type", "a.yaml:13:19", "/runcmd/1", "expected null, a string or a list under 'runcmd/1', found a mapping")])
        # Places are those of the parts.
        files["b.yaml"] = f"#cloud-config\n{APPEND}packages: [zsh]\nwrite_files: [{{path: /a, permision: '0600'}}]\n"
        files["a.yaml"] = "#cloud-config\nwrite_files: [{path: /b}]\n"
        found = self.findings(files, *select, "b.yaml")
        self.assertEqual([one[:3] for one in found], [("unknown-member", "b.yaml:4:26", "/write_files/0/permision")])

    def test_shapes(self):
        files = {"a.yaml": "#cloud-config\nntp: {servers: [a], pools: x, port: 8}\nusers: [a]\n",
                 "b.yaml": "#cloud-config\nntp: {servers: a, pools: ~, port: '9'}\nusers: {a: 1}\n"}
        self.assertEqual(self.findings(files, "--select", "type-clash,scalar-type", "merge", "a.yaml", "b.yaml"), [
            ("type-clash", "b.yaml:2:7", "/ntp/servers", "'ntp/servers' is a scalar here, and a sequence in a weaker layer", ["a.yaml:2:7"]),
            ("scalar-type", "b.yaml:2:29", "/ntp/port", "'ntp/port' is a text here, and a number in a weaker layer", ["a.yaml:2:31"]),
            ("type-clash", "b.yaml:3:1", "/users", "'users' is a mapping here, and a sequence in a weaker layer", ["a.yaml:3:1"])])
        files = {"a.yaml": "parameters: {p: 1, l: [a]}\n", "b.yaml": "parameters: {p: '1', l: {a: 1}}\n"}
        self.assertEqual(self.findings(files, "--select", "type-clash,scalar-type", "compose", "-e", "a.yaml", "-e", "b.yaml"), [
            ("scalar-type", "b.yaml:1:14", "/parameters/p", "'parameters/p' is a text here, and a number in a weaker layer", ["a.yaml:1:14"]),
            ("type-clash", "b.yaml:1:22", "/parameters/l", "'parameters/l' is a mapping here, and a sequence in a weaker layer", ["a.yaml:1:20"])])

    def test_scalars(self):
        files = {"a.yaml": "#cloud-config\na: [yes, 'yes', True, 010, 0x1f, 1_000, 12:30, 0.5, -012, 0]\nb: {c: off}\n"}
        self.assertEqual([(one[2], one[3]) for one in self.findings(files, "--select", "surprising-scalar", "merge", "a.yaml")], [
            ("/a/0", "'a/0' reads as true"), ("/a/3", "'a/3' reads as 8"), ("/a/5", "'a/5' reads as 1000"), ("/a/6", "'a/6' reads as 750"),
            ("/a/8", "'a/8' reads as -10"), ("/b/c", "'b/c' reads as false")])


if __name__ == "__main__":
    unittest.main()
