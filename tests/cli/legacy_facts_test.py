#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata check lookup finds legacy facts, which agents of release 8 do not send, and --fix writes structured facts in their place.

usage: legacy_facts_test.py STRATA
"""
import json
import os
import re
import sys
import unittest

import check_site

if len(sys.argv) > 1:
    check_site.SiteTest.strata = os.path.abspath(sys.argv.pop(1))
ONE = "version: 5\nhierarchy:\n"
CODE = "check.legacy-fact"
BOTH = {"osfamily": "Debian", "os": {"family": "Debian"}, "memorysize_mb": 2048.0, "ipaddress_eth0": "192.0.2.1", "ipaddress_eth0_1": "192.0.2.2",
        "networking": {"interfaces": {"eth0": {"ip": "192.0.2.1"}, "eth0.1": {"ip": "192.0.2.2"}}}}


class LegacyFacts(check_site.SiteTest):
    def found(self, *words):
        return [(one["file"], one["line"], re.search("'(.*)'", one["message"])[1], one["hint"], one["fixable"])
                for one in self.report(*words)["findings"] if one["code"] == CODE]

    def place(self, hierarchy, data, facts):
        self.write({"hiera.yaml": ONE + hierarchy, "data/common.yaml": data, "nodes.json": json.dumps([{"name": "a", "facts": facts}])})

    def test_hierarchy_and_data(self):
        self.place("  - {name: os, path: 'os/%{::osfamily}.yaml'}\n  - {name: c, path: common.yaml}\n",
                   "a: '%{osfamily} %{facts.osfamily}'\nb: {'%{osfamily}': 1}\nc: '%{memorysize_mb}'\nd: '%{os.family} %{lookup(\"osfamily\")}'\n"
                   "osfamily: '%{osfamily.x}'\ne: '%{ipaddress_eth0}'\n", BOTH)
        write = "write '%{facts.os.family}' for 'osfamily'"
        self.assertEqual(sorted(self.found()), [
            ("data/common.yaml", 1, "osfamily", write, True),
            ("data/common.yaml", 2, "osfamily", write, False),
            ("data/common.yaml", 3, "memorysize_mb", "no structured fact has the value of 'memorysize_mb': use a fact of the site", False),
            ("data/common.yaml", 6, "ipaddress_eth0", "write '%{facts.networking.interfaces.eth0.ip}' for 'ipaddress_eth0'", True),
            ("hiera.yaml", 3, "osfamily", write, True)])

    def test_scope_and_one_node(self):
        self.place("  - {name: c, path: common.yaml}\n", "a: \"%{scope('osfamily')}\"\nb: '%{scope(\"::osfamily\")}'\n", BOTH)
        self.write({"facts.json": json.dumps(BOTH)})
        one_node = ("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.json", "--all")
        for question in ({}, {"question": one_node}):
            found = [one["line"] for one in self.report("--select", "legacy-fact", **question)["findings"]]
            self.assertEqual(found, [1, 2], question)

    def test_not_with_puppet7(self):
        self.place("  - {name: c, path: common.yaml}\n", "a: '%{osfamily}'\n", BOTH)
        question = (*check_site.QUESTION, "--compat", "puppet7")
        self.assertEqual([one for one in self.report(question=question)["findings"] if one["code"] == CODE], [])

    def test_a_missing_one_has_one_finding_per_text(self):
        self.place("  - {name: os, path: 'os/%{osfamily}.yaml'}\n  - {name: c, path: common.yaml}\n", "a: 1\n", {"os": {"family": "Debian"}})
        codes = [one["code"] for one in self.report()["findings"] if one["file"] == "hiera.yaml" and "osfamily" in one["message"]]
        self.assertEqual([code for code in codes if code != "check.unreachable-level"], [CODE])

    def test_fix(self):
        hierarchy = "  - {name: os, path: \"os/%{::osfamily}.yaml\"} # as is\n  - {name: c, path: common.yaml}\n"
        data = "a: \"%{osfamily} and %{scope('osfamily')} and %{ ::osfamily }\"  # kept\nb: '%{ipaddress_eth0} %{ipaddress_eth0_1}'\nc: '%{memorysize_mb}'\n"
        self.place(hierarchy, data, BOTH)
        self.write({"data/os/Debian.yaml": "d: 1\n"})
        self.check("--fix", status=1)
        self.assertEqual(self.read("hiera.yaml"), ONE + hierarchy.replace("::osfamily", "facts.os.family"))
        self.assertEqual(self.read("data/common.yaml"), "a: \"%{facts.os.family} and %{facts.os.family} and %{facts.os.family}\"  # kept\n"
                                                        "b: '%{facts.networking.interfaces.eth0.ip} %{ipaddress_eth0_1}'\nc: '%{memorysize_mb}'\n")

    def test_fix_changes_no_result(self):
        hierarchy, data = "  - {name: c, path: common.yaml}\n", "a: '%{osfamily}'\n"
        self.place(hierarchy, data, {"osfamily": "Debian"})
        self.check("--fix", status=1)
        self.assertEqual(self.read("data/common.yaml"), data)
        self.place(hierarchy, data, {"osfamily": "Debian", "os": {"family": "RedHat"}})
        self.check("--fix", status=1)
        self.assertEqual(self.read("data/common.yaml"), data)

    def test_fix_says_what_it_leaves(self):
        self.place("  - {name: os, path: '%{osfamily}.yaml'}\n  - {name: c, path: common.yaml}\n", "a: '%{fqdn}'\n",
                   {"os": {"family": "Debian"}, "networking": {"fqdn": "a.x"}})
        self.write({"data/Debian.yaml": "d: 1\n"})
        self.check("--fix", status=1)
        for text in ("%{facts.os.family}.yaml", "%{facts.networking.fqdn}"):
            self.assertIn(f"'{text}' changes results, so the old string stays [edit.changes-results]", self.errors)

    def test_a_data_folder(self):
        self.write({"hiera.yaml": "version: 5\ndefaults: {datadir: 'data/%{osfamily}', data_hash: yaml_data}\nhierarchy: [{name: c, path: '%{fqdn}.yaml'}]\n",
                    "nodes.json": json.dumps([{"name": "a", "facts": {"os": {"family": "Debian"}}}])})
        self.assertEqual([(line, name) for _, line, name, *_ in self.found()], [(2, "osfamily"), (3, "fqdn")])

    def test_every_name(self):
        names = {"fqdn": "networking.fqdn", "hostname": "networking.hostname", "id": "identity.user", "sshrsakey": "ssh.rsa.key", "sshfp_rsa": "",
                 "blockdevice_sda_size": "disks.sda.size_bytes", "processor0": "processors.models.0", "processors": None, "processorx": None,
                 "mtu_lo": "networking.interfaces.lo.mtu", "zone_a_id": "solaris_zones.zones.a.id", "lsbdistcodename": "os.distro.codename",
                 "role": None, "clientcert": None, "trusted": None, "environment": None, "sp_boot_mode": "system_profiler.boot_mode",
                 "uptime_days": "system_uptime.days", "xendomains": "", "ipaddress6": "networking.ip6", "ipaddress_": None}
        self.place("  - {name: c, path: common.yaml}\n", "".join(f"k{number}: '%{{{name}}}'\n" for number, name in enumerate(names)), {})
        got = {name: hint for _, _, name, hint, _ in self.found()}
        self.assertEqual(got, {name: f"write '%{{facts.{path}}}' for '{name}'" if path
                               else f"no structured fact has the value of '{name}': use a fact of the site" for name, path in names.items() if path is not None})


if __name__ == "__main__":
    unittest.main()
