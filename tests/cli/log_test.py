#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata log: the commits told are those where asking both sides differs, and few states are asked.

usage: log_test.py STRATA
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
with open(os.path.join(ROOT, "docs/schema/analysis.schema.json"), encoding="utf-8") as file:
    SCHEMA = jsonschema.Draft202012Validator(json.load(file))


class Log(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.clock = 1_700_000_000

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def git(self, *words):
        environment = dict(os.environ, GIT_AUTHOR_DATE=f"{self.clock} +0130", GIT_COMMITTER_DATE=f"{self.clock} +0130")
        command = ["git", "-c", "user.name=Ann", "-c", "user.email=e@example.com", *words]
        return subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True, env=environment).stdout.strip()

    def commit(self, message):
        if not os.path.isdir(os.path.join(self.folder, ".git")):
            self.git("init", "-q", "-b", "main")
        self.clock += 60
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def run_strata(self, *words, status=0):
        done = subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout

    def log(self, *words, status=0):
        told = json.loads(self.run_strata("log", "--output", "json", *words, status=status))
        SCHEMA.validate(told)
        return told

    def test_names_commit_author_and_date(self):
        self.write("a.yaml", "#cloud-config\nk: 1\n")
        self.commit("First")
        self.write("a.yaml", "#cloud-config\nk: 2\n")
        second = self.commit("Second: k\n\nmore")
        told = self.log("merge", "a.yaml")["commits"]
        self.assertEqual([one["subject"] for one in told], ["Second: k", "First"])
        self.assertEqual({key: told[0][key] for key in ("commit", "date", "author")},
                         {"commit": second, "date": "2023-11-14T23:45:20+01:30", "author": "Ann"})
        self.assertEqual(told[0]["changes"][0]["causes"], [1])
        self.assertEqual(told[1]["changes"][0]["kind"], "appeared")
        text = self.run_strata("log", "-n", "1", "merge", "a.yaml")
        self.assertEqual(text, f"{second[:12]} 2023-11-14T23:45:20+01:30 Ann: Second: k\n  ~ /k: 1 -> 2\n      was  a.yaml:2:4\n      now  a.yaml:2:4\n"
                               "      by   a.yaml:2\n1 of 1 commit\n")

    def test_the_working_tree_comes_first(self):
        self.write("a.yaml", "#cloud-config\nk: 1\n")
        self.commit("First")
        self.write("a.yaml", "#cloud-config\nk: 2\n")
        told = self.log("merge", "a.yaml")
        self.assertEqual([one["commit"] for one in told["commits"]][0], "working tree")
        self.assertEqual(len(self.log("--to", "HEAD", "merge", "a.yaml")["commits"]), 1)

    def test_paths(self):
        for number in range(4):
            self.write("a.yaml", f"#cloud-config\nk: {{l: {number // 2}, m: {number}}}\nn: 1\n")
            self.commit(f"c{number}")
        self.assertEqual([one["subject"] for one in self.log("--path", "/k/l", "merge", "a.yaml")["commits"]], ["c2", "c0"])
        self.assertEqual([one["subject"] for one in self.log("--path", "k/m", "-n", "2", "merge", "a.yaml")["commits"]], ["c3", "c2"])
        self.assertEqual([one["subject"] for one in self.log("--path", "/n", "--since", "HEAD~2", "merge", "a.yaml", status=1)["commits"]], [])

    def test_merges(self):
        self.write("a.yaml", "#cloud-config\nk: 1\n")
        self.write("b.yaml", "#cloud-config\nl: 1\n")
        self.commit("base")
        self.git("checkout", "-q", "-b", "side")
        self.write("a.yaml", "#cloud-config\nk: 2\n")
        self.commit("side")
        self.git("checkout", "-q", "main")
        self.write("b.yaml", "#cloud-config\nl: 2\n")
        self.commit("main")
        self.clock += 60
        self.git("merge", "-q", "--no-ff", "-m", "join", "side")
        words = ("merge", "a.yaml", "b.yaml")
        self.assertEqual([one["subject"] for one in self.log(*words)["commits"]], ["join", "main", "side", "base"])
        self.assertEqual(self.log("--all-parents", *words)["commits"][0]["subject"], "join")
        only_a = ("merge", "a.yaml")
        self.assertEqual([one["subject"] for one in self.log("--all-parents", *only_a)["commits"]], ["side", "base"])

    def test_shallow_clones(self):
        for number in range(4):
            self.write("a.yaml", f"#cloud-config\nk: {number}\n")
            self.commit(f"c{number}")
        self.git("clone", "-q", "--depth", "2", f"file://{self.folder}", "clone")
        self.folder = os.path.join(self.folder, "clone")
        subjects = lambda *words: [one["subject"] for one in self.log(*words, "merge", "a.yaml")["commits"]]
        self.assertEqual(subjects(), ["c3", "c2"])
        self.assertEqual(subjects("-n", "1"), ["c3"])
        self.assertEqual(subjects("--since", "HEAD~1"), ["c3"])
        done = subprocess.run([STRATA, "diff", "--to", "HEAD~1", "merge", "a.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("this clone is shallow and begins with 'HEAD~1'", done.stderr)
        self.folder = os.path.dirname(self.folder)

    def test_encodings(self):
        self.git("init", "-q", "-b", "main")
        parent = b""
        for number, encoding in enumerate((b"encoding ISO-8859-1\n", b"")):  # The second says nothing, and is not UTF-8.
            self.write("a.yaml", f"#cloud-config\nk: {number}\n")
            self.git("add", "-A")
            who = b"J\xf6rg <a@b> 170000000%d +0000\n" % number
            text = b"tree " + self.git("write-tree").encode() + b"\n" + parent + b"author " + who + b"committer " + who + encoding + b"\ncaf\xe9\n"
            made = subprocess.run(["git", "hash-object", "-t", "commit", "-w", "--stdin"], cwd=self.folder, input=text, check=True, capture_output=True).stdout
            parent = b"parent " + made
        self.git("update-ref", "HEAD", made.decode().strip())
        told = self.log("merge", "a.yaml")["commits"]
        self.assertEqual([(one["author"], one["subject"]) for one in told], [("J\ufffdrg", "caf\ufffd"), ("J\u00f6rg", "caf\u00e9")])
        text = self.run_strata("log", "merge", "a.yaml")
        self.assertIn("J\u00f6rg: caf\u00e9", text)
        self.assertIn("J\ufffdrg: caf\ufffd", text)

    def test_without_history(self):
        self.write("a.yaml", "#cloud-config\nk: 1\n")
        self.run_strata("log", "merge", "a.yaml", status=3)
        self.run_strata("log", status=2)

    def test_random_histories(self):
        """P21 and P22, with every commit asked for by itself."""
        chance = random.Random(7)
        self.write("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    paths: [\"node/%{cert}.yaml\", common.yaml]\n")
        self.write("nodes.json", json.dumps([{"name": name, "facts": {"cert": name}} for name in ("a", "b")]))
        files = ["data/node/a.yaml", "data/node/b.yaml", "data/node/c.yaml", "data/common.yaml", "README"]
        self.write("data/common.yaml", "k: 0\n")
        commits = [self.commit("first")]
        touching = 0
        for number in range(14):
            name = chance.choice(files)
            if name != "README" and chance.random() < 0.2 and os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
                touching += name != "data/node/c.yaml"
            else:
                text = f"{chance.choice('kl')}: {chance.randrange(3)}\n" if name != "README" else str(number)
                old = ""
                if os.path.exists(os.path.join(self.folder, name)):
                    with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                        old = file.read()
                self.write(name, text)
                touching += old != text and name not in ("README", "data/node/c.yaml")
            commits.append(self.commit(str(number)))
        question = ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all", "--output", "json")
        results = [json.loads(self.run_strata(*question, "--at", commit)) for commit in commits]
        differing = [commit for i, commit in enumerate(commits) if i == 0 or results[i] != results[i - 1]]
        told = self.log(*question[:-2])
        self.assertEqual([one["commit"] for one in told["commits"]], differing[::-1])
        self.assertEqual(told["examined"], len(commits))
        self.assertLessEqual(told["evaluated"], 2 * touching)
        self.assertGreater(touching, 3)

    def test_the_working_tree_is_no_commit(self):
        """What is not committed is told whatever --since leaves out, and does not count as a commit."""
        self.write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: common, path: common.yaml}\n")
        self.write("facts.json", "{}")
        for number in range(3):
            self.write("data/common.yaml", f"k: {number}\n")
            self.commit(str(number))
        self.write("data/common.yaml", "k: 9\n")
        question = ("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.json", "--all")
        for since, commits in (("HEAD", 0), ("HEAD~1", 1), ("HEAD~2", 2)):
            told = self.log("--since", since, *question)
            self.assertEqual([one["commit"] for one in told["commits"]][0], "working tree", since)
            self.assertEqual((len(told["commits"]), told["examined"]), (commits + 1, commits), since)
            text = self.run_strata("log", "--since", since, *question)
            self.assertTrue(text.startswith("working tree\n"), text)
            self.assertIn(f"\n{commits} of {commits} commit", text)


if __name__ == "__main__":
    unittest.main()
