#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata inventory over inventories of reclass and of Kapitan: where it finds them, which settings it reads, and what analyses see of that.

usage: inventory_test.py STRATA
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
KAPITAN = {"inventory/targets/eu/api.yml": "classes: [base]\nparameters: {port: 1}\n", "inventory/targets/eu/web.yml": "classes: [base]\n",
           "inventory/classes/base.yml": "parameters:\n  path: ${_reclass_:name:path}\n  list: [1]\n"}


class Inventory(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()

    def write(self, files):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@example.com", *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self):
        if not (self.folder / ".git").exists():
            self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "state")

    def run_strata(self, *words, status=0, folder="."):
        done = subprocess.run([STRATA, *words], cwd=self.folder / folder, capture_output=True, text=True, timeout=HANGS, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def nodes(self, *words, folder="."):
        return json.loads(self.run_strata("inventory", "--all", "--output", "json", *words, folder=folder).stdout)


class Places(Inventory):
    def test_an_inventory_of_kapitan_is_found(self):
        self.write(KAPITAN)
        for words, folder in ([[], "."], [["-b", "inventory"], "."], [["--inventory-base-uri", "./inventory/"], "."], [[], "inventory"],
                              [["--nodes-dir", "inventory/targets", "--classes-dir", "inventory/classes"], "."]):
            nodes = self.nodes(*words, folder=folder)
            self.assertEqual(sorted(nodes), ["api", "web"], words)
            self.assertEqual(nodes["api"]["parameters"]["path"], "api")
        self.assertEqual(sorted(self.nodes("-b", str(self.folder / "inventory"))), ["api", "web"])
        # reclass has other folders, and no such parameter.
        self.assertIn("the folder of nodes is missing", self.run_strata("inventory", "--all", "-b", "inventory", "--compat", "reclass", status=1).stderr)

    def test_the_file_of_kapitan_composes_names_of_folders(self):
        self.write({".kapitan": "global: {inventory-path: i, compose-target-name: true}\n", "i/targets/eu/prod/api.yml": "parameters: {n: '${_reclass_:name:path}'}\n",
                    "i/classes/c.yml": "{}\n"})
        self.assertEqual(self.nodes()["eu.prod.api"]["parameters"]["n"], "eu/prod/api")
        self.write({"i/reclass-config.yml": "compose_node_name: false\n"})
        self.assertEqual(self.nodes()["api"]["parameters"]["n"], "api")

    def test_the_file_of_kapitan_names_the_folder(self):
        self.write({name.replace("inventory/", "i/", 1): text for name, text in KAPITAN.items()})
        self.write({".kapitan": "compile:\n  inventory-path: ./i\n", "i/reclass-config.yml": "compose_node_name: true\n"})
        self.assertEqual(self.nodes()["eu.api"]["parameters"]["path"], "eu/api")

    def test_the_settings_of_the_inventory_count(self):
        self.write({"nodes/a.yml": "classes: [gone]\n", "classes/b.yml": "", "other/nodes/b.yml": "classes: [c]\nparameters: {m: null}\n",
                    "other/classes/c.yml": "parameters: {m: {x: 1}}\n", "other/reclass-config.yml": "allow_none_override: true\n"})
        self.assertIsNone(self.nodes("-b", "other")["b"]["parameters"]["m"])
        self.assertIsNone(self.nodes("--nodes-dir", "other/nodes", "--classes-dir", "other/classes")["b"]["parameters"]["m"])
        # Those of the working folder otherwise, unless the inventory has its own.
        self.write({"reclass-config.yml": "ignore_class_notfound: true\n"})
        self.assertEqual(sorted(self.nodes()), ["a"])
        done = self.run_strata("inventory", "--all", "--nodes-dir", "other/nodes")
        self.assertIn("other/reclass-config.yml: warning: the settings beside the nodes are not read, but those of 'reclass-config.yml'", done.stderr)
        self.assertIn("-b other", done.stderr)
        self.assertEqual(self.nodes("-b", "other")["b"]["classes"], ["c"])

    def test_settings_without_support_are_errors_with_a_place(self):
        self.write({**KAPITAN, "inventory/reclass-config.yml": "compose_node_name: true\nreference_sentinels: ['<<', '>>']\n"})
        told = self.run_strata("inventory", "--all", status=1).stderr
        self.assertIn("inventory/reclass-config.yml:2:22: error: the setting 'reference_sentinels' is supported", told)

    def test_lists(self):
        self.write({**KAPITAN, "inventory/targets/eu/api.yml": "classes: [base]\nparameters: {list: [2]}\n"})
        rows = json.loads(self.run_strata("inventory", "api", "--lists", "--output", "json").stdout)
        self.assertIn("/parameters/list", [row["path"] for row in rows])
        self.assertIn("list", self.run_strata("inventory", "--all", "--lists").stdout)


class Analyses(Inventory):
    def impact(self, *words, status=1):
        return json.loads(self.run_strata("impact", "--output", "json", *words, status=status).stdout)

    def test_settings_are_files_that_nodes_read(self):
        self.write({**KAPITAN, "inventory/reclass-config.yml": "default_environment: lab\n"})
        self.commit()
        self.write({"inventory/reclass-config.yml": "default_environment: prod\n"})
        told = self.run_strata("diff", "--from", "HEAD", "inventory", "--all", status=1).stdout
        self.assertIn("prod", told)
        self.assertIn("2 of 2 nodes", self.run_strata("impact", "--from", "HEAD", "inventory", "--all", status=1).stdout)
        self.assertEqual({node["environment"] for node in self.nodes("--at", "HEAD").values()}, {"lab"})

    def test_an_export_of_one_node_changes_another(self):
        self.write({**KAPITAN, "inventory/targets/eu/api.yml": "exports: {port: 1}\n",
                    "inventory/targets/eu/web.yml": "parameters: {ports: '$[ exports:port ]'}\n"})
        self.commit()
        self.write({"inventory/targets/eu/api.yml": "exports: {port: 2}\n"})
        told = self.run_strata("impact", "--from", "HEAD", "inventory", "--all", status=1).stdout
        self.assertIn("1 of 2 nodes", told)
        self.assertIn("web", told)

    def test_projects(self):
        self.write({**KAPITAN, "salt/nodes/a.yml": "", "salt/classes/b.yml": "", "other/nodes/a.pp": "", "other/classes/b.pp": "",
                    "settings/reclass-config.yml": "", "settings/nodes/a.yml": "", "settings/classes/a.yml": ""})
        found = json.loads(self.run_strata("projects", "--output", "json").stdout)["projects"]
        self.assertEqual([(one["name"], one["rule"], one["questions"][0]["question"]) for one in found],
                         [("inventory", "inventory", "strata inventory -b inventory --all"), ("salt", "inventory", "strata inventory -b salt --all"),
                          ("settings", "inventory", "strata inventory -b settings --all")])
        hosts = json.loads(self.run_strata("ansible-inventory", "--list", "inventory", "--all", "-b", "inventory").stdout)
        self.assertEqual(hosts["_meta"]["hostvars"]["api"]["_reclass_"]["name"]["path"], "api")

    def test_check(self):
        self.write({**KAPITAN, "inventory/classes/unused.yml": "parameters: {x: 1}\n", "inventory/reclass-config.yml": "compose_node_name: true\n"})
        told = self.run_strata("check", "inventory", "--all", status=1).stdout
        self.assertIn("inventory/classes/unused.yml", told)
        self.assertNotIn("reclass-config.yml", told)
        self.run_strata("coverage", "inventory", "--all")


if __name__ == "__main__":
    unittest.main()
