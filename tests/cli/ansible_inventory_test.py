#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata ansible-inventory: what executable inventories print, equal to the results of the commands.

usage: ansible_inventory_test.py STRATA
"""
import json
import os
import subprocess
import sys
import unittest

import check_site

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
check_site.SiteTest.strata = STRATA
FLEET = ("lookup", "--all", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json")


def revealed(value):
    """Without the marks for texts in which no expressions are."""
    if isinstance(value, dict):
        return revealed(value["__ansible_unsafe"]) if set(value) == {"__ansible_unsafe"} else {key: revealed(member) for key, member in value.items()}
    return [revealed(item) for item in value] if isinstance(value, list) else value


class Inventory(check_site.SiteTest):
    def setUp(self):
        super().setUp()
        nodes = [{"name": "a", "facts": {"role": "web", "os": {"family": "Debian"}}}, {"name": "b", "facts": {"role": "web-2.x"}}, {"name": "c"}]
        self.write({"nodes.json": json.dumps(nodes), "data/common.yaml": "port: 80\nlist: [1, {a: b}]\nempty: {}\n", "data/role/web.yaml": "port: 8080\n",
                    "a.yaml": "#cloud-config\ntimezone: Etc/UTC\n", "fleet.json": '[{"name": "web", "args": ["a.yaml"]}]'})

    def run_strata(self, *words, status=0, stdin=None):
        run = subprocess.run([STRATA, *words], cwd=self.folder, input=stdin, capture_output=True, text=True, timeout=check_site.HANGS, check=False)
        self.assertEqual(run.returncode, status, f"{words}: {run.stdout}\n{run.stderr}")
        self.errors = run.stderr
        return run.stdout

    def inventory(self, *words, status=0, **named):
        text = self.run_strata("ansible-inventory", *words, status=status, **named)
        if status:
            self.assertEqual(text, "")
            return self.errors
        return json.loads(text)

    def test_lists(self):
        found = self.inventory("--list", *FLEET)
        self.assertEqual(set(found), {"_meta", "all"})
        self.assertEqual(found["_meta"]["hostvars"], json.loads(self.run_strata(*FLEET, "--output", "json")))
        self.assertEqual(found["all"], {"hosts": ["a", "b", "c"]})

    def test_data_that_look_like_marks_of_ansible(self):
        for mark in ("__ansible_unsafe", "__ansible_vault"):
            for text in (f"m:\n  n: [{{{mark}: x}}]\n", f"{mark}: x\n"):
                self.write({"data/role/web.yaml": text})
                told = self.inventory("--list", *FLEET, status=1)
                self.assertRegex(told, rf"data/role/web\.yaml:\d+:\d+: error: a variable has the key '{mark}'.*\[ansible.mark\]")

    def test_groups(self):
        found = self.inventory("--list", "--group-by", "role", "--group-by", "os.family", *FLEET)
        self.assertEqual({name: group["hosts"] for name, group in found.items() if name != "_meta"},
                         {"all": ["a", "b", "c"], "role_web": ["a"], "role_web_2_x": ["b"], "os_family_Debian": ["a"]})
        self.inventory("--list", "--group-by", "rol", *FLEET)
        self.assertIn("warning: no node has the fact 'rol'", self.errors)
        self.inventory("--list", "--strict", "--group-by", "rol", *FLEET, status=1)

    def test_hosts(self):
        all_of = self.inventory("--list", *FLEET)["_meta"]["hostvars"]
        for name, variables in all_of.items():
            self.assertEqual(self.inventory("--host", name, *FLEET), variables)
        self.assertIn("unknown node 'x'", self.inventory("--host", "x", *FLEET, status=1))

    def test_origins(self):
        found = self.inventory("--list", "--origins", *FLEET)["_meta"]["hostvars"]
        self.assertEqual(found["a"]["strata_origins"], {"/port": "data/role/web.yaml:1", "/list/0": "data/common.yaml:2", "/list/1/a": "data/common.yaml:2",
                                                        "/empty": "data/common.yaml:3"})
        self.assertEqual(self.inventory("--host", "a", "--origins", *FLEET), found["a"])

    def test_secrets(self):
        options = self.copy_hiera()
        words = ("lookup", "--all", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes")
        plain = json.loads(self.run_strata(*words, "--output", "json"))
        # What is Sensitive is in clear text, too.
        self.write({"examples/hiera/environments/production/data/common.yaml": options})
        found = self.inventory("--list", *words)["_meta"]["hostvars"]
        self.assertEqual(revealed(found), plain)
        masked = json.loads(self.run_strata(*words, "--output", "json", "--mask"))
        self.assertNotEqual(plain, masked)

        def compare(marked, hidden, path):
            """Exactly what the program masks is marked."""
            if isinstance(hidden, dict) and set(hidden) == set(marked):
                for key, member in hidden.items():
                    compare(marked[key], member, f"{path}/{key}")
            elif isinstance(hidden, list):
                for number, item in enumerate(hidden):
                    compare(marked[number], item, f"{path}/{number}")
            else:
                self.assertEqual(isinstance(marked, dict) and set(marked) == {"__ansible_unsafe"}, hidden == "******", path)

        for name, variables in masked.items():
            compare(found[name], variables, name)

    def test_other_verbs_and_projects(self):
        found = self.inventory("--list", "--fleet", "fleet.json", "merge")
        self.assertEqual(found["_meta"]["hostvars"], {"web": {"timezone": "Etc/UTC"}})
        self.write({".strata.yaml": "projects: {fleet: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n"})
        self.assertEqual(self.inventory("--list", "@fleet"), self.inventory("--list", *FLEET))
        # Nodes that no list has.
        nodes = json.dumps([{"name": "new", "facts": {"role": "web"}}])
        self.assertEqual(self.inventory("--host", "new", "@fleet", "--nodes", "-", stdin=nodes)["port"], 8080)
        self.assertEqual(self.inventory("--list", "@fleet", "--nodes", "-", stdin="[]"), {"_meta": {"hostvars": {}}, "all": {"hosts": []}})

    def test_what_fails(self):
        for words in ((), ("--list", "--host", "a"), ("--list",)):
            self.inventory(*words, *(FLEET if words != ("--list",) else ()), status=2)
        self.inventory("--list", "lookup", "--all", "--hiera-config", "hiera.yaml", "--facts", "nodes.json", status=2)
        self.write({"data/common.yaml": "bad: \"%{unknown('x')}\"\nworse: \"%{unknown('y')}\"\n"})
        told = self.inventory("--list", *FLEET, status=1)
        self.assertEqual(told.count("error:"), 2, told)
        self.write({"data/common.yaml": "a: [\n"})
        self.assertIn("data/common.yaml:", self.inventory("--list", *FLEET, status=1))
        self.inventory("--list", *FLEET[:-1], "missing.json", status=1)
        self.write({"data/common.yaml": "a: .inf\n"})
        self.assertIn("[json.not-finite]", self.inventory("--list", *FLEET, status=1))


if __name__ == "__main__":
    unittest.main()
