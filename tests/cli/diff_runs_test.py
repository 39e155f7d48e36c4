#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""diff and impact of two runs of a query: two releases, environments, nodes, folders.

usage: diff_runs_test.py STRATA
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HIERA = "version: 5\nhierarchy:\n- {name: roles, path: 'roles/%{role}.yaml'}\n- {name: common, path: common.yaml}\n"
NODES = [{"name": "web01", "facts": {"role": "web"}}, {"name": "db01", "facts": {"role": "db"}}]


class Runs(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def place(self, files):
        for name, content in files.items():
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")

    def run_strata(self, *words, status=1):
        done = subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def changes(self, *words, status=1):
        report = json.loads(self.run_strata("diff", "--output", "json", *words, status=status).stdout)
        self.assertEqual(report["edits"], [])
        return {(one["subject"], one["item"]): (one["before"] and one["before"]["value"], one["after"] and one["after"]["value"]) for one in report["changes"]}

    def test_nodes(self):
        self.place({"hiera.yaml": HIERA, "data/common.yaml": "a: 1\nb: 2\nr: '%{role}'\n", "data/roles/db.yaml": "a: 3\n", "nodes.json": NODES})
        query = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all"]
        found = self.changes("--node", "web01", "--node", "db01", *query)
        self.assertEqual(found, {("web01 -> db01", "a"): (1, 3), ("web01 -> db01", "r"): ("web", "db")})
        self.assertEqual(self.changes("--node", "web01", "--node", "web01", *query, status=0), {})
        text = self.run_strata("impact", "--node", "web01", "--node", "db01", *query).stdout
        self.assertIn("~ a: 1 -> 3", text)
        self.assertIn("web02", self.run_strata("diff", "--node", "web02", "--node", "db01", *query, status=3).stderr)
        self.assertIn("did you mean 'web01'?", self.run_strata("diff", "--node", "web1", "--node", "db01", *query, status=3).stderr)

    def test_environments(self):
        for name, value in (("production", 1), ("staging", 2)):
            self.place({f"environments/{name}/hiera.yaml": HIERA, f"environments/{name}/data/common.yaml": f"a: {value}\nsame: 5\n"})
        self.place({"nodes.json": NODES})
        query = ["lookup", "--codedir", ".", "--nodes", "nodes.json", "--all"]
        found = self.changes("--environment", "production", "--environment", "staging", *query)
        self.assertEqual(found, {("web01", "a"): (1, 2), ("db01", "a"): (1, 2)})
        self.assertEqual(self.changes("--environment", "staging", "--environment", "staging", *query, status=0), {})
        report = json.loads(self.run_strata("impact", "--output", "json", "--environment", "production", "--environment", "staging", *query).stdout)
        self.assertEqual(report["subjects"]["changed"], 2)
        told = self.run_strata("diff", "--environment", "a", "--environment", "b", *query, "--environment", "c", status=2).stderr
        self.assertIn("remove --environment from the query", told)

    def test_folders(self):
        for name, value in (("old", 1), ("new", 2)):
            self.place(
                {
                    f"{name}/hiera.yaml": HIERA,
                    f"{name}/data/common.yaml": f"a: {value}\nr: '%{{role}}'\n",
                    f"{name}/nodes.json": [{"name": "web01", "facts": {"role": name}}],
                    f"{name}/.strata.yaml": "projects:\n  site: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}\n",
                }
            )
        expected = {("web01", "a"): (1, 2), ("web01", "r"): ("old", "new")}
        query = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all"]
        self.assertEqual(self.changes("--folder", "old", "--folder", "new", *query), expected)
        self.assertEqual(self.changes("--folder", "old", "--folder", "new", "@site"), expected)
        self.assertEqual(self.changes("--folder", str(self.folder / "old"), "--folder", "old", *query, status=0), {})
        self.assertIn("gone", self.run_strata("diff", "--folder", "old", "--folder", "gone", *query, status=3).stderr)
        self.place({"old/a.yaml": "#cloud-config\npackages: [a]\n", "new/a.yaml": "#cloud-config\npackages: [b]\n"})
        self.assertIn('~ /packages/0: "a" -> "b"', self.run_strata("diff", "--folder", "old", "--folder", "new", "merge", "a.yaml").stdout)

    def test_nodes_come_and_go(self):
        self.place({"old/hiera.yaml": HIERA, "new/hiera.yaml": HIERA, "old/nodes.json": NODES, "new/nodes.json": NODES[:1]})
        for name in ("old", "new"):
            self.place({f"{name}/data/common.yaml": "a: 1\n"})
        text = self.run_strata("diff", "--folder", "old", "--folder", "new", "lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all").stdout
        self.assertIn("db01\n  - disappeared", text)

    def test_releases(self):
        self.place({"hiera.yaml": HIERA, "data/common.yaml": "a: 'x%{unknown}y'\nb: 1\n", "nodes.json": NODES[:1]})
        query = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all"]
        text = self.run_strata("diff", "--compat", "puppet7", "--compat", "puppet8", *query).stdout
        self.assertIn("a", text)
        self.assertNotIn("b:", text)

    def test_usage(self):
        query = ["lookup", "--hiera-config", "hiera.yaml", "a"]
        self.assertIn("--node is given once", self.run_strata("diff", "--node", "a", *query, status=2).stderr)
        self.assertIn("more than twice", self.run_strata("impact", "--folder", "a", "--folder", "b", "--folder", "c", *query, status=2).stderr)
        self.place({"hiera.yaml": HIERA})
        self.assertIn("not both", self.run_strata("diff", "--from", "HEAD", "--environment", "a", "--environment", "b", *query, status=2).stderr)
        told = self.run_strata("diff", "--node", "a", "--node", "b", *query, status=3).stderr
        self.assertIn("list of nodes", told)


if __name__ == "__main__":
    unittest.main()
