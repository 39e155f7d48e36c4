#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata lookup --nodes` end to end.

usage: fleet_test.py STRATA
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

STRATA = ""
HANGS = 600  # Seconds: against hangs only, machines are loaded.

FILES = {
    "code/environments/production/hiera.yaml": 'version: 5\nhierarchy:\n  - {name: node, path: "nodes/%{node}.yaml"}\n  - {name: common, path: common.yaml}\n',
    "code/environments/production/data/common.yaml": "a: 1\nlist: [x]\nwho: 'I am %{node}'\n",
    "code/environments/production/data/nodes/n1.yaml": "a: 2\nlist: [y]\nb: {c: 3}\n",
    "nodes.json": '[{"name": "n2", "facts": {"node": "n2"}},\n {"name": "n1", "facts": {"node": "n1"}}]\n',
    "nodes.yaml": "- name: n2\n  facts: {node: n2}\n- name: n1\n  facts: {node: n1}\n",
    "facts/n1.yaml": "node: n1\n",
    "facts/n2.json": '{"node": "n2"}',
}
N1 = {"a": 2, "list": ["x", "y"], "b": {"c": 3}, "who": "I am n1"}
N2 = {"a": 1, "list": ["x"], "who": "I am n2"}


class Fleet(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_strata(self, *arguments, status=0, stdin=None):
        done = subprocess.run([STRATA, "lookup", "--codedir", "code", *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=HANGS, input=stdin)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def all(self, nodes):
        return self.run_strata("--nodes", nodes, "--all", "--merge", "deep", "--output", "json").stdout

    def test_lists_and_folders(self):
        for nodes, order in (("nodes.json", ["n2", "n1"]), ("nodes.yaml", ["n2", "n1"]), ("facts", ["n1", "n2"])):
            with self.subTest(nodes=nodes):
                text = self.all(nodes)
                value = json.loads(text)
                self.assertEqual(value, {"n1": N1, "n2": N2})
                self.assertEqual(list(value), order)
                self.assertEqual(text, json.dumps(value, indent=2) + "\n")
        done = self.run_strata("--nodes", "-", "a", "--output", "json", stdin=FILES["nodes.json"])
        self.assertEqual(json.loads(done.stdout), {"n2": 1, "n1": 2})

    def test_forms_agree(self):
        want = {"n2": N2, "n1": N1}
        arguments = ("--nodes", "nodes.json", "--all", "--merge", "deep")
        lines = self.run_strata(*arguments, "--output", "jsonl").stdout.splitlines()
        self.assertEqual([json.loads(line) for line in lines], [{"n2": N2}, {"n1": N1}])
        self.assertEqual(lines[0], json.dumps({"n2": N2}))
        self.assertEqual(json.loads(self.run_strata(*arguments, "--render-as", "json").stdout), want)
        plain = self.run_strata(*arguments).stdout
        self.assertTrue(plain.startswith("---\nn2:\n  a: 1\n"), plain)
        self.assertEqual(plain, self.run_strata(*arguments, "--render-as", "yaml").stdout)
        self.assertEqual(self.run_strata(*arguments, "--output", "yaml").stdout.count("n1:\n"), 1)
        self.assertIn('{"n2"=>{"a"=>1, "list"=>["x"]', self.run_strata(*arguments, "--render-as", "s").stdout)
        self.assertEqual(list(json.loads(self.run_strata(*arguments, "--output", "json", "--sort-keys").stdout)), ["n1", "n2"])

    def test_explanations_have_a_limit(self):
        for form in ("yaml", "json"):
            whole = self.run_strata("--nodes", "nodes.json", "--all", "--explain", "--output", form).stdout
            arguments = ("--nodes", "nodes.json", "--all", "--explain", "--output", form, "--limit")
            self.assertEqual(self.run_strata(*arguments, f"output={len(whole.encode())}").stdout, whole)
            done = self.run_strata(*arguments, "output=100", status=1)
            self.assertEqual(done.stdout, "")
            self.assertIn("limit.output", done.stderr)
            self.assertIn("--limit output=BYTES", done.stderr)
        # More paths than one message lists.
        self.write("code/environments/production/data/common.yaml", "".join(f"k{i}: {i}\n" for i in range(700)))
        told = json.loads(self.run_strata("--nodes", "nodes.json", "--all", "--explain", "--output", "json").stdout)
        self.assertEqual([row["path"] for row in told if row["path"].startswith("/n2/")], [f"/n2/k{i}" for i in range(700)])

    def test_mistakes_are_told_once(self):
        self.write("code/environments/production/data/common.yaml", "lookup_options: {a: {merg: deep}}\na: 1\na: 2\nb: \"%{lookup('no')}\"\n")
        self.write("many.json", json.dumps([{"name": f"m{i}", "facts": {"x": i}} for i in range(200)]))
        told = set()
        for arguments in (["--all"], ["b"], ["--all", "--threads", "1"], ["--all", "--blame"]):
            done = self.run_strata("--nodes", "many.json", "--output", "json", *arguments)
            for code in ("hiera.lookup-options", "hiera.unknown-key", "hiera.repeated-key", "hiera.path-variable"):
                if code == "hiera.lookup-options" and arguments == ["b"]:
                    continue
                self.assertEqual(done.stderr.count(f"[{code}]"), 1, (arguments, code, done.stderr))

    def test_threads_change_nothing(self):
        self.write("many.json", json.dumps([{"name": f"m{i}", "facts": {"node": f"n{i % 5}"}} for i in range(300)]))
        for form in ("json", "jsonl", "yaml"):
            texts = {self.run_strata("--nodes", "many.json", "--all", "--output", form, "--threads", str(n)).stdout for n in (1, 2, 7)}
            self.assertEqual(len(texts), 1, form)

    def test_failures(self):
        done = self.run_strata("--nodes", "nodes.json", "b", "--output", "json", status=1)
        self.assertEqual(json.loads(done.stdout), {"n1": {"c": 3}})
        self.assertIn("node 'n2', lookup of 'b' failed", done.stderr)
        self.assertEqual(json.loads(self.run_strata("--nodes", "nodes.json", "b", "--default", "x", "--output", "json").stdout), {"n2": "x", "n1": {"c": 3}})
        self.write("facts/bad.json", "{")
        done = self.run_strata("--nodes", "facts", "a", "--output", "json", status=1)
        self.assertEqual(json.loads(done.stdout), {"n1": 2, "n2": 1})
        self.assertIn("facts/bad.json:1:", done.stderr)
        self.write("twice.json", '[{"name": "n"}, {"name": "n"}]')
        done = self.run_strata("--nodes", "twice.json", "a", "--output", "json", status=1)
        self.assertIn("twice.json:1:17: error: the node 'n' is in the list twice [fleet.duplicate-node]", done.stderr)
        self.assertEqual(done.stdout, "")
        self.write("twice.yaml", '- name: n\n- name: m\n- {facts: {}, name: n}\n')
        for more in ((), ("--blame",)):
            done = self.run_strata("--nodes", "twice.yaml", "a", "--output", "json", *more, status=1)
            self.assertIn("twice.yaml:3:21: error: the node 'n' is in the list twice [fleet.duplicate-node]", done.stderr)
        self.write("nameless.yaml", '- {name: ""}\n')
        self.assertIn("the name of a node must not be empty", self.run_strata("--nodes", "nameless.yaml", "a", "--output", "json", status=1).stderr)
        for text, code in (("[{}]", "fleet.node"), ("[1", "fleet.list"), ("{}", "fleet.list")):
            self.write("wrong.json", text)
            done = self.run_strata("--nodes", "wrong.json", "a", "--output", "json", status=1)
            self.assertIn(code, done.stderr)
            self.assertEqual(done.stdout, "")
        self.run_strata("--nodes", "none", "a", status=1)

    def test_warnings_are_told_once(self):
        self.write("code/environments/production/data/common.yaml", "a: '%{nobody}'\n")
        done = self.run_strata("--compat", "puppet7", "--nodes", "nodes.json", "a", "--output", "json")
        self.assertEqual(done.stderr.count("hiera.unknown-variable"), 1, done.stderr)
        done = self.run_strata("--compat", "puppet7", "--nodes", "nodes.json", "a", "--blame")
        self.assertEqual(done.stderr.count("hiera.unknown-variable"), 1, done.stderr)
        done = self.run_strata("--compat", "puppet7", "--nodes", "nodes.json", "a", "--output", "json", "--strict", status=1)
        self.assertEqual(done.stdout, "")

    def test_reports_of_a_fleet(self):
        blame = self.run_strata("--nodes", "nodes.json", "--all", "--blame").stdout
        self.assertIn("nodes/n1.yaml:1", blame)
        history = json.loads(self.run_strata("--nodes", "nodes.json", "a", "--explain", "--output", "json").stdout)
        self.assertIn("/n1", json.dumps(history))
        self.run_strata("--nodes", "nodes.json", "a", "--explain=/n1")

    def test_revisions(self):
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.folder, check=True, capture_output=True)
        git("init", "-q")
        git("add", ".")
        git("commit", "-qm", "one")
        self.write("code/environments/production/data/common.yaml", "a: 7\n")
        here = ("--nodes", "nodes.json", "a", "--output", "json")
        self.assertEqual(json.loads(self.run_strata(*here).stdout), {"n2": 7, "n1": 2})
        self.assertEqual(json.loads(self.run_strata(*here, "--at", "HEAD").stdout), {"n2": 1, "n1": 2})
        done = self.run_strata(*here, "--against", "HEAD", status=1)
        self.assertEqual([one["subjects"] for one in json.loads(done.stdout)["effects"]], [["n2"]])

    def test_usage(self):
        for arguments in (["--nodes", "nodes.json", "--facts", "facts/n1.yaml", "a"], ["--nodes", "nodes.json", "--explain-options"], ["a", "--output", "jsonl"],
                          ["--nodes", "nodes.json", "a", "--output", "jsonl", "--blame"], ["--nodes", "nodes.json"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_strata(*arguments, status=1).stdout, "")


if __name__ == "__main__":
    STRATA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
