#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata external: the protocol of external data sources, and that its texts are the results of the other commands.

usage: external_test.py STRATA
"""
import json
import os
import subprocess
import sys
import unittest

import check_site

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
check_site.SiteTest.strata = STRATA
PROJECTS = """projects:
  fleet: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}
  one: {verb: lookup, hiera-config: hiera.yaml, facts: facts.json}
  machine: {verb: merge, args: [a.yaml, b.yaml]}
  machines: {verb: merge, fleet: [{name: web, args: [a.yaml, b.yaml]}, {name: db, args: [a.yaml]}]}
  hiera: {verb: lookup, codedir: examples/hiera, nodes: examples/hiera/nodes}
  list: {verb: merge, args: [list.yaml]}
"""


class External(check_site.SiteTest):
    def setUp(self):
        super().setUp()
        self.write({
            ".strata.yaml": PROJECTS,
            "facts.json": '{"role": "web"}',
            "data/common.yaml": "port: 80\nname: text\nnone: null\nflag: true\nbig: 123456789012345678901234567890\nlist: [1, [a]]\nusers: {ann: {uid: 1}}\n"
                                "\"a::b/c\": x\nbroken: \"%{unknown('x')}\"\n",
            "data/role/web.yaml": "port: 8080\n",
            "a.yaml": "#cloud-config\ntimezone: Etc/UTC\npackages: [one, two]\n",
            "b.yaml": "#cloud-config\nhostname: web\n",
        })

    def ask(self, query, *words, status=0, folder="."):
        text = query if isinstance(query, str) else json.dumps(query)
        run = subprocess.run([STRATA, "external", *words], cwd=os.path.join(self.folder, folder), input=text, capture_output=True, text=True,
                             timeout=check_site.HANGS, check=False)
        self.assertEqual(run.returncode, status, f"{text}: {run.stdout}\n{run.stderr}")
        self.errors = run.stderr
        if status:
            self.assertEqual(run.stdout, "")
            self.assertIn("error: ", run.stderr)
            return run.stderr
        answer = json.loads(run.stdout)
        self.assertTrue(all(isinstance(value, str) for value in answer.values()), answer)
        return answer

    def strata(self, *words):
        return json.loads(subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, text=True, timeout=check_site.HANGS, check=True).stdout)

    def plain(self, texts, values):
        """Texts are the values; all else is JSON of the values."""
        self.assertEqual(list(texts), list(values))
        for name, value in values.items():
            self.assertEqual(texts[name] if isinstance(value, str) else json.loads(texts[name]), value)

    def test_a_key_of_a_node(self):
        self.assertEqual(self.ask({"project": "@fleet", "subject": "a", "key": "port"}), {"port": "8080"})
        self.assertEqual(self.ask({"project": "fleet", "subject": "b", "key": "name"}), {"name": "text"})
        for key, text in {"none": "null", "flag": "true", "big": "123456789012345678901234567890", "list": '[1, ["a"]]', "users.ann": '{"uid": 1}',
                          "a::b/c": "x"}.items():
            self.assertEqual(self.ask({"project": "fleet", "subject": "a", "key": key}), {key: text})
        self.assertEqual(self.ask({"project": "one", "key": "port"}), {"port": "8080"})
        # A file instead of standard input.
        self.write({"query.json": '{"project": "one", "key": "port"}'})
        self.assertEqual(self.ask("", "--query", "query.json"), {"port": "8080"})

    def test_everything_of_a_node(self):
        self.write({"data/common.yaml": "port: 80\nname: text\nlist: [1, {a: b}]\n"})
        wanted = self.strata("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all", "--output", "json")["a"]
        self.plain(self.ask({"project": "fleet", "subject": "a"}), wanted)

    def test_other_verbs(self):
        merged = self.strata("merge", "--output", "json", "a.yaml", "b.yaml")
        self.plain(self.ask({"project": "machine"}), merged)
        self.plain(self.ask({"project": "machines", "subject": "web"}), merged)
        self.assertEqual(self.ask({"project": "machine", "key": "timezone"}), {"timezone": "Etc/UTC"})
        self.assertEqual(self.ask({"project": "machine", "key": "/packages/1"}), {"/packages/1": "two"})
        self.assertIn("did you mean 'timezone'", self.ask({"project": "machine", "key": "timezon"}, status=1))
        self.ask({"project": "machine", "key": "/packages/2"}, status=1)
        self.ask({"project": "machine", "key": "/bad~escape"}, status=1)

    def test_every_example_with_a_fleet(self):
        options = self.copy_hiera()
        all_of = self.strata("lookup", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes", "--all", "--output", "json")
        # What is Sensitive is in clear text, too.
        self.write({"examples/hiera/environments/production/data/common.yaml": options})
        for name in list(all_of)[:3]:
            self.plain(self.ask({"project": "hiera", "subject": name}), all_of[name])

    def test_folders(self):
        query = {"project": "one", "key": "port"}
        os.mkdir(os.path.join(self.folder, "other"))
        self.assertEqual(self.ask({**query, "folder": ".."}, folder="data"), {"port": "8080"})
        self.assertEqual(self.ask({**query, "folder": self.folder}, folder="other"), {"port": "8080"})
        self.assertIn("cannot be entered", self.ask({**query, "folder": "missing"}, status=1))
        self.assertIn("cannot be entered", self.ask({**query, "folder": "hiera.yaml"}, status=1))

    def test_bad_queries(self):
        for text, told in (("", "json.syntax"), ("[]", "<stdin>:1:1: error: the query is a sequence"), ("{", "<stdin>:1"), ("nul", "json.syntax"),
                           ("{}", "names no 'project'"), ('{"project": ""}', "names no 'project'"), ('{"project": "@"}', "names no 'project'"),
                           ('{"project": 1}', "<stdin>:1:13: error: 'project' is an integer, not a text"), ('{"projct": "x"}', "did you mean 'project'"),
                           ('{"project": "one", "key": null}', "'key' is null"), ('{"project": "fleett"}', "did you mean 'fleet'"),
                           ('{"project": "fleet"}', "has several nodes: name one as 'subject'"), ('{"project": "one", "subject": "a"}', "has one result"),
                           ('{"project": "fleet", "subject": "c"}', "unknown node 'c'"), ('{"project": "fleet", "subject": "a", "key": "no"}', "'no'"),
                           ('{"project": "fleet", "subject": "a", "key": "broken"}', "unknown"), ('{"project": "list"}', "list.yaml"),
                           ('{"project": "--help"}', "unknown project"), ('{"project": "fleet", "subject": "a", "key": "--help"}', ""),
                           ("[" * 100000, "error")):
            self.assertIn(told, self.ask(text, status=1), text[:100])
        # A key that looks like an option is none.
        self.assertNotIn("Usage", self.errors)


if __name__ == "__main__":
    unittest.main()
