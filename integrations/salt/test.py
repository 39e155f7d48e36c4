# SPDX-License-Identifier: Apache-2.0
"""ext_pillar as a function, with stubs for what Salt puts into a module. It is not run in Salt, which Debian does not have."""
import importlib.util
import json
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import FLEET, STRATA, FolderTest  # noqa: E402


def module(grains):
    """The module as Salt loads it."""
    spec = importlib.util.spec_from_file_location("strata_pillar", HERE / "strata_pillar.py")
    out = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(out)
    setattr(out, "__grains__", grains)
    return out


# Grains as Salt's own modules make them, of an ordinary minion.
CORE_GRAINS = {
    "id": "new.ams.example.com", "master": "salt", "host": "new", "nodename": "new", "domain": "ams.example.com", "fqdn": "new.ams.example.com",
    "localhost": "new", "fqdns": ["new.ams.example.com"], "machine_id": "5e2b", "server_id": 1797241226, "uuid": "4c4c4544-0042",
    "os": "Debian", "os_family": "Debian", "osfullname": "Debian GNU/Linux", "osfinger": "Debian-12", "osmajorrelease": 12, "osrelease": "12",
    "osrelease_info": (12, 5), "oscodename": "bookworm", "init": "systemd", "systemd": {"version": "252", "features": "+PAM +AUDIT -APPARMOR"},
    "kernel": "Linux", "kernelparams": [["BOOT_IMAGE", "/vmlinuz"], ["quiet", None]], "kernelversion": "#1 SMP", "cpuarch": "x86_64", "num_cpus": 4,
    "num_gpus": 0, "gpus": [{"vendor": "unknown", "model": "Virtio GPU"}], "mem_total": 7953, "swap_total": 0, "cpu_flags": ["fpu", "vme"],
    "hwaddr_interfaces": {"eth0": "52:54:00:12:34:56"}, "ip_interfaces": {"lo": ["127.0.0.1", "::1"], "eth0": ["10.0.0.5"]},
    "ip4_interfaces": {"lo": ["127.0.0.1"], "eth0": ["10.0.0.5"]}, "ip6_interfaces": {"lo": ["::1"], "eth0": []}, "ipv4": ["10.0.0.5", "127.0.0.1"],
    "dns": {"nameservers": ["10.0.0.1"], "search": [], "options": []}, "locale_info": {"defaultlanguage": None, "detectedencoding": "utf-8"},
    "selinux": {"enabled": False, "enforced": "Disabled"}, "virtual": "kvm", "efi": False, "ps": "ps -efHww", "pid": 1234, "pythonversion": [3, 11, 2, "final", 0],
    "lsb_distrib_codename": "bookworm", "disks": ["vda"], "ssds": [], "iscsi_iqn": [], "zmqversion": "4.3.4", "transactional": False, "cwd": "/",
    "role": "db",
}


class Pillar(FolderTest):
    def setUp(self):
        super().setUp()
        self.write(FLEET, "site")

    def pillar(self, minion, known, /, **more):
        loaded = module(known)
        self.assertEqual(loaded.__virtual__(), "strata_pillar")
        return loaded.ext_pillar(minion, {"other": 1}, **{"folder": str(self.folder / "site"), "program": STRATA, **more})

    def test_grains_are_facts(self):
        wanted = json.loads(self.strata("site", "lookup", "--all", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--output", "json"))
        self.assertEqual(self.pillar("new", {"role": "web", "version": object()}), wanted["web01"])
        self.assertEqual(self.pillar("new", {"role": "db"}), wanted["db01"])
        self.assertEqual(self.pillar("new", {}), {"port": 80, "servers": ["one", "two"], "motd": "hello"})
        self.assertEqual(self.pillar("new", {"role": "db"}, under="strata"), {"strata": wanted["db01"]})

    def test_the_name_of_the_minion(self):
        self.write({"hiera.yaml": "version: 5\nhierarchy: [{name: node, path: \"node/%{trusted.certname}.yaml\"}]\n", "data/node/new.yaml": "a: 1\n"}, "site")
        self.assertEqual(self.pillar("new", {}), {"a": 1})
        self.assertEqual(self.pillar("other", {}), {})

    def test_grains_of_an_ordinary_minion(self):
        wanted = json.loads(self.strata("site", "lookup", "--all", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--output", "json"))["db01"]
        self.assertEqual(self.pillar("new.ams.example.com", CORE_GRAINS), wanted)
        self.facts("hostname", "domain", "fqdn", "clientcert", "facts.osmajorrelease", "facts.systemd.version", "facts.ip4_interfaces.eth0.0")
        self.assertEqual(self.pillar("new.ams.example.com", CORE_GRAINS),
                         {"told": ["new", "ams.example.com", "new.ams.example.com", "new.ams.example.com", "12", "252", "10.0.0.5"]})
        # Who the minion is, it does not say itself.
        self.assertEqual(self.pillar("new", {"clientcert": "other", "fqdn": None}), {"told": ["", "", "", "new", "", "", ""]})

    def test_grains_that_are_no_facts(self):
        wanted = self.pillar("new", {"role": "db"})
        for name in ("name", "title", "module_name", "facts", "trusted", "server_facts", "1", "007", 1, 0):
            with self.subTest(name):
                self.assertEqual(self.pillar("new", {"role": "db", name: "x"}), wanted)
        self.facts("facts.nan", "facts.numbers.0", "facts.numbers.1", "facts.bytes", "facts.half", "facts.map.None", "facts.map.name",
                   "facts.set.0")
        grains = {"nan": float("nan"), "numbers": (float("inf"), float("-inf")), "bytes": b"a\xff", "half": "\ud800", "set": {4},
                  "map": {1: "one", None: "none", "name": "inside", (1, 2): "two", "object": object()}}
        self.assertEqual(self.pillar("new", grains),
                         {"told": ["NaN", "Infinity", "-Infinity", "a\ufffd", "?", "none", "inside", "4"]})

    def facts(self, *names):
        """The site has the values of these variables, and nothing else."""
        self.write({"hiera.yaml": "version: 5\nhierarchy: [{name: told, path: told.yaml}]\n",
                    "data/told.yaml": json.dumps({"told": [f"%{{{name}}}" for name in names]})}, "site")

    def test_subjects_of_the_project(self):
        self.assertEqual(self.pillar("web01", {"role": "db"}, grains=False)["workers"], 4)
        self.assertEqual(self.pillar("stranger", {}, grains=False), {})
        self.write({".strata.yaml": "projects: {fleet: {verb: merge, fleet: [{name: a, args: [a.yaml]}]}}\n", "a.yaml": "#cloud-config\nx: 1\n"}, "site")
        self.assertEqual(self.pillar("a", {}, grains=False), {"x": 1})

    def test_places(self):
        self.assertEqual(self.pillar("new", {"role": "web"}, origins=True)["strata_origins"]["/workers"], "data/role/web.yaml:1")

    def test_what_fails(self):
        self.write({"data/common.yaml": "a: [\n"}, "site")
        with self.assertRaisesRegex(RuntimeError, r"data/common\.yaml:2:1: error: "):
            self.pillar("new", {})
        with self.assertRaisesRegex(RuntimeError, "unknown project"):
            self.pillar("new", {}, project="@other")
        with self.assertRaisesRegex(RuntimeError, "cannot be started"):
            self.pillar("new", {}, program="no-such-program")
        self.assertNotEqual(os.getcwd(), str(self.folder / "site"))


class Readme(testing.PageTest):
    page = HERE / "README.md"


if __name__ == "__main__":
    unittest.main()
