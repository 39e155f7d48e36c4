#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Data folders that do not exist, paths that nearly name a file, and folders of a server: warnings of lookup, findings of check, --map.

usage: data_folders_test.py STRATA
"""
import json
import os
import re
import sys
import subprocess
import unittest

import check_site

if len(sys.argv) > 1:
    check_site.SiteTest.strata = os.path.abspath(sys.argv.pop(1))
ONE = "version: 5\nhierarchy:\n"
CONFIG = ("--hiera-config", "hiera.yaml")
FLEET = ("lookup", *CONFIG, "--nodes", "nodes.json")


class Folders(check_site.SiteTest):
    def lookup(self, *words, status=0, folder="."):
        run = subprocess.run([self.strata, "lookup", *words], cwd=os.path.join(self.folder, folder), capture_output=True, text=True,
                             timeout=check_site.HANGS, check=False)
        if status is not None:
            self.assertEqual(run.returncode, status, run.stderr)
        self.errors = run.stderr
        return run.stdout

    def all_keys(self, *words, **named):
        return json.loads(self.lookup(*words, "--all", "--output", "json", **named))

    def warned(self, code):
        return re.findall(r"(?m)^(\S+): warning: (.*) \[" + re.escape(code) + r"\]$", self.errors)

    def found(self, *words, question=FLEET):
        return [(one["code"], one["file"], one.get("line"), one["hint"]) for one in self.report(*words, question=question)["findings"]]


class Missing(Folders):
    def test_each_folder_once(self):
        self.write({"hiera.yaml": ONE + "  - {name: a, path: a.yaml, datadir: away}\n  - {name: b, path: b.yaml, datadir: away/}\n"
                                        "  - {name: c, path: c.yaml}\n  - {name: d, glob: '*.yaml', datadir: /nowhere/data}\n"})
        self.assertEqual(self.all_keys(*CONFIG), {})
        self.assertEqual(self.warned("hiera.datadir"), [
            ("hiera.yaml:3:38", "the folder 'away' does not exist: levels with this datadir have no data"),
            ("hiera.yaml:5:12", "the folder 'data' does not exist: levels with this datadir have no data"),
            ("hiera.yaml:6:40", "the folder '/nowhere/data' does not exist: levels with this datadir have no data")])
        self.assertIn("--map /nowhere/data=DIR", self.errors)
        self.lookup(*CONFIG, "--nodes", "nodes.json", "--all")
        self.assertEqual(len(self.warned("hiera.datadir")), 3)
        self.assertEqual([one[:3] for one in self.found() if one[0] == "hiera.datadir"], [("hiera.datadir", "hiera.yaml", line) for line in (3, 5, 6)])
        self.check(status=1, question=FLEET)

    def test_folders_of_nodes(self):
        hiera = ONE + "  - {name: node, path: a.yaml, datadir: 'nodes/%{role}'}\n  - {name: c, path: c.yaml}\n"
        self.write({"hiera.yaml": hiera, "data/c.yaml": "k: 1\n", "nodes/db/a.yaml": "k: 2\n"})
        self.lookup(*CONFIG, "--compat", "puppet7", "k")
        self.assertEqual(self.warned("hiera.datadir"), [])
        # Where nothing is there, the whole hierarchy has no data.
        self.write({"hiera.yaml": hiera.rsplit("  - ", 1)[0]})
        self.lookup(*CONFIG, "--nodes", "nodes.json", "--all")
        self.assertEqual(self.warned("hiera.datadir"), [("hiera.yaml:3:41", "the folder 'nodes/%{role}' does not exist: levels with this datadir have no data")])

    def test_folders_that_no_node_can_have(self):
        for datadir, shown in (("nodes/%{role}", "nodes/%{role}"), ("/srv/nowhere/%{role}/data", "/srv/nowhere/%{role}/data"), ("%{role}-[x]/data", "%{role}-[x]/data")):
            with self.subTest(datadir):
                self.write({"hiera.yaml": ONE + f"  - {{name: node, path: a.yaml, datadir: '{datadir}'}}\n  - {{name: c, path: c.yaml}}\n", "data/c.yaml": "k: 1\n",
                            "nodes.json": json.dumps([{"name": name, "facts": {"role": name}} for name in ("a", "b", "c")])})
                warning = ("hiera.yaml:3:41", f"the folder '{shown}' does not exist: levels with this datadir have no data")
                self.lookup(*CONFIG, "--nodes", "nodes.json", "k")
                self.assertEqual(self.warned("hiera.datadir"), [warning])
                self.assertEqual([one["message"] for one in self.report(question=FLEET)["findings"] if one["code"] == "hiera.datadir"],
                                 [warning[1].split(" does")[0] + (" is outside of the folders that may be read here" if datadir.startswith("/") else " does not exist")
                                  + ": levels with this datadir have no data"])

    def test_what_is_there(self):
        self.write({"hiera.yaml": ONE + "  - {name: a, path: a.yaml, datadir: here/}\n  - {name: b, path: %s/other/b.yaml, datadir: away}\n" % self.folder,
                    "here/a.yaml": "k: 1\n", "other/b.yaml": "l: 2\n"})
        self.assertEqual(self.all_keys(*CONFIG), {"k": 1, "l": 2})
        self.assertEqual(self.errors, "")


class Near(Folders):
    def test_a_path_without_its_ending(self):
        self.write({"hiera.yaml": ONE + "  - name: common\n    path: common\n", "data/common.yaml": "k: 1\n"})
        self.lookup(*CONFIG, "k", status=1)
        self.assertEqual(self.warned("hiera.data-file"), [
            ("hiera.yaml:4:11", "the file 'common' does not exist: the level has no data, and 'common.yaml' is beside it")])
        self.assertIn("data/common.yaml: note: this file is not part of the hierarchy", self.errors)
        found = self.found()
        self.assertIn(("hiera.data-file", "hiera.yaml", 4), [one[:3] for one in found])
        self.assertIn(("check.unreachable-level", "hiera.yaml", 4, "correct the path: it leads beside what is there"), found)
        self.assertIn(("check.unused-file", "data/common.yaml", None, "a path of the hierarchy leads beside it: correct the path"), found)
        self.assertFalse([one for one in found if "remove" in one[3]])

    def test_a_path_of_a_node(self):
        self.write({"hiera.yaml": ONE + "  - {name: role, path: 'role/%{role}'}\n  - {name: common, path: common.yaml}\n",
                    "data/role/web.yml": "k: 1\n", "data/common.yaml": "k: 2\n"})
        self.lookup(*CONFIG, "--nodes", "nodes.json", "k")
        self.assertEqual(len(self.warned("hiera.data-file")), 1)
        # A file of one node need not be there.
        self.write({"hiera.yaml": ONE + "  - {name: role, path: 'role/%{role}.yaml'}\n  - {name: common, path: common.yaml}\n"})
        self.lookup(*CONFIG, "--nodes", "nodes.json", "k")
        self.assertEqual(self.errors, "")

    def test_the_other_ending(self):
        self.write({"hiera.yaml": ONE + "  - {name: a, path: a.yml}\n  - {name: b, path: b.yaml}\n", "data/a.yaml": "k: 1\n", "data/b.yaml": "k: 2\n"})
        self.lookup(*CONFIG, "k")
        self.assertEqual([one[0] for one in self.warned("hiera.data-file")], ["hiera.yaml:3:21"])
        # Both are levels.
        self.write({"hiera.yaml": ONE + "  - {name: a, paths: [a.yml, a.yaml]}\n"})
        self.lookup(*CONFIG, "k")
        self.assertEqual(self.errors, "")

    def test_letters_in_another_case_and_another_kind_of_file(self):
        self.write({"hiera.yaml": ONE + "  - {name: a, path: common.yaml}\n  - {name: b, path: b.yaml}\n  - {name: c, path: c.json, data_hash: json_data}\n",
                    "data/Common.yaml": "k: 1\n", "data/b.json": "{}\n", "data/c.json": "{}\n"})
        self.lookup(*CONFIG, "k", status=1)
        self.assertEqual([re.search("'([^']*)' is beside it", message)[1] for _, message in self.warned("hiera.data-file")], ["Common.yaml", "b.json"])
        found = self.found()
        self.assertEqual([one[1:] for one in found if one[0] == "check.unused-file"],
                         [(f"data/{name}", None, "a path of the hierarchy leads beside it: correct the path") for name in ("Common.yaml", "b.json")])

    def test_a_folder(self):
        self.write({"hiera.yaml": ONE + "  - {name: c, path: common}\n  - {name: d, path: d.yaml}\n", "data/common/a.yaml": "k: 1\n", "data/d.yaml": "l: 1\n"})
        self.lookup(*CONFIG, "k", status=1)
        self.assertEqual(self.warned("hiera.data-file"), [("hiera.yaml:3:21", "'common' is a folder: the level has no data")])
        self.assertIn("hiera.yaml:3:21: error: the file 'data/common' cannot be read: it is a folder [tree.unreadable]", self.errors)
        self.write({"hiera.yaml": ONE + "  - name: c\n    paths:\n      - d.yaml\n      - '%{role}'\n", "data/web/a.yaml": "k: 1\n"})
        found = [(one["file"], one["line"], one["message"]) for one in self.report(question=FLEET)["findings"] if one["code"] == "tree.unreadable"]
        self.assertEqual(found, [("hiera.yaml", 6, "the file 'data/web' cannot be read: it is a folder")])


class Maps(Folders):
    def setUp(self):
        super().setUp()
        self.write({"site/hiera.yaml": ONE + "  - {name: r10k, path: common.yaml, datadir: /etc/puppetlabs/code/hieradata}\n"
                                             "  - {name: file, path: /srv/extra/more.yaml}\n  - {name: all, glob: /srv/globbed/*.yaml}\n",
                    "site/hieradata/common.yaml": "k: 1\n", "site/extra/more.yaml": "l: 2\n", "site/globbed/one.yaml": "m: 3\n"})

    MAPS = ("--map", "/etc/puppetlabs/code=.", "--map", "/srv/=./")

    def test_paths_in_files(self):
        self.assertEqual(self.all_keys(*CONFIG, *self.MAPS, folder="site"), {"k": 1, "l": 2, "m": 3})
        self.assertEqual(self.errors, "")
        blame = self.lookup(*CONFIG, *self.MAPS, "--blame", "k", folder="site")
        self.assertIn("hieradata/common.yaml:1", blame)
        # The longest name counts.
        self.assertEqual(self.all_keys(*CONFIG, "--map", "/etc/puppetlabs/code/hieradata=hieradata", "--map", "/etc=/nowhere", folder="site"), {"k": 1})

    def test_projects(self):
        self.write({"site/.strata.yaml": "projects: {site: {verb: lookup, hiera-config: hiera.yaml, nodes: ../nodes.json, map: [/etc/puppetlabs/code=., /srv=.]}}\n",
                    "elsewhere/x": ""})
        run = subprocess.run([self.strata, "check", "--allow-files", "..", "--output", "json", "@site"], cwd=os.path.join(self.folder, "site"), capture_output=True, text=True,
                             timeout=check_site.HANGS, check=False)
        findings = [(one["code"], one["file"]) for one in json.loads(run.stdout)["findings"]]
        self.assertEqual([one for one in findings if one[0] in ("hiera.datadir", "check.unused-file", "check.unreachable-level")], [])
        run = subprocess.run([self.strata, "diff", "--allow-files", "..", "--set", "hieradata/common.yaml:/k=9", "@site"], cwd=os.path.join(self.folder, "site"), capture_output=True,
                             text=True, timeout=check_site.HANGS, check=False)
        self.assertIn("k: 1 -> 9", run.stdout)

    def test_assumed_nodes(self):
        self.write({"site/hiera.yaml": ONE + "  - {name: node, path: 'node/%{role}.yaml', datadir: '/etc/code/%{environment}/data'}\n",
                    "site/production/data/node/web.yaml": "k: 1\n",
                    "site/.strata.yaml": "projects: {site: {verb: lookup, hiera-config: hiera.yaml, map: /etc/code=.}}\n"})
        run = subprocess.run([self.strata, "projects", "--assumed=site"], cwd=os.path.join(self.folder, "site"), capture_output=True, text=True,
                             timeout=check_site.HANGS, check=True)
        self.assertIn("web", run.stdout)

    def test_modules_and_keys(self):
        self.write({"env/hiera.yaml": ONE + "  - {name: c, path: c.yaml}\n", "env/data/c.yaml": "{}\n", "env/environment.conf": "modulepath = /srv/modules\n",
                    "env/vendored/ntp/hiera.yaml": ONE + "  - {name: c, path: c.yaml}\n", "env/vendored/ntp/data/c.yaml": "ntp::a: 1\n",
                    "env/vendored/ntp/metadata.json": '{"name": "x-ntp", "version": "1.0.0", "author": "x", "license": "x", "source": "x", "dependencies": []}'})
        root = ("--environment-root", "env")
        self.lookup(*root, "ntp::a", status=1)
        self.assertEqual(self.lookup(*root, "--map", "/srv/modules=env/vendored", "ntp::a"), "--- 1\n")

    def test_a_missing_target(self):
        self.write({"site/hiera.yaml": ONE + "  - {name: r10k, path: common.yaml, datadir: /etc/puppetlabs/code/hieradata}\n"})
        self.lookup(*CONFIG, "--map", "/etc/puppetlabs=away", "k", status=1, folder="site")
        self.assertEqual(self.warned("hiera.datadir"), [
            ("hiera.yaml:3:46", "the folder '/etc/puppetlabs/code/hieradata', mapped to 'away/code/hieradata', does not exist: levels with this datadir have no data")])
        hint = re.search(r"--map (\S+)=DIR", self.errors)[1]
        self.assertEqual(hint, "/etc/puppetlabs/code/hieradata")
        self.assertEqual(self.all_keys(*CONFIG, "--map", "/etc/puppetlabs=away", "--map", f"{hint}=hieradata", folder="site"), {"k": 1})
        self.write({"site/hiera.yaml": ONE + "  - {name: r10k, path: common.yaml, datadir: '/etc/puppetlabs/%{role}/data'}\n"})
        self.lookup(*CONFIG, "--map", "/etc/puppetlabs=away", "--nodes", "../nodes.json", "k", folder="site", status=None)
        self.assertEqual(self.warned("hiera.datadir"), [
            ("hiera.yaml:3:46", "the folder '/etc/puppetlabs/%{role}/data', mapped to 'away/%{role}/data', does not exist: levels with this datadir have no data")])
        self.assertIn("--map /etc/puppetlabs=DIR", self.errors)

    def test_a_map_without_effect(self):
        self.all_keys(*CONFIG, *self.MAPS, "--map", "/etc/puppet/code=.", folder="site")
        self.assertEqual(self.warned("hiera.map"), [("hiera.yaml", "no path of the hierarchy begins with '/etc/puppet/code': --map of it has no effect")])
        self.lookup(*CONFIG, "--nodes", "../nodes.json", *self.MAPS, "--map", "/etc/puppet/code=.", "--all", folder="site")
        self.assertEqual(len(self.warned("hiera.map")), 1)
        # A path with variables may be in the folder.
        self.write({"site/hiera.yaml": ONE + "  - {name: node, path: '/srv/%{role}/a.yaml'}\n  - {name: all, path: common.yaml, datadir: hieradata}\n"})
        self.all_keys(*CONFIG, "--map", "/srv/db=db", folder="site")
        self.assertEqual(self.warned("hiera.map"), [])

    def test_wrong_words(self):
        for word in ("hieradata", "/a", "/a=", "=b", "a=b"):
            self.lookup(*CONFIG, "--map", word, "k", status=1, folder="site")
            self.assertIn("is not FROM=DIR", self.errors, word)
        self.lookup(*CONFIG, "--map", "/a=b", "--map", "/a/=c", "k", status=1, folder="site")
        self.assertIn("'/a' stands for two folders", self.errors)


if __name__ == "__main__":
    unittest.main()
