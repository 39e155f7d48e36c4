#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata token`: what is shown, what is stored, and what is refused.

usage: token_test.py STRATA
"""
import base64
import datetime
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Tokens(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def token(self, *words, status=0):
        done = subprocess.run([STRATA, "token", *words, "--store", "sqlite:a.db"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS,
                              check=False)
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        self.errors = done.stderr
        return done.stdout

    def listed(self):
        return json.loads(self.token("list", "--output", "json"))["tokens"]

    def test_the_secret_is_shown_once(self):
        shown = self.token("create", "--project", "p", "--role", "reader", "--role", "secret-reader").rstrip("\n")
        parts = re.fullmatch(r"strata_([0-9a-f]{10})_([A-Za-z0-9_-]{43})", shown)
        self.assertTrue(parts, shown)
        self.assertEqual(len(base64.urlsafe_b64decode(parts[2] + "=")), 32)
        with sqlite3.connect(os.path.join(self.folder, "a.db")) as database:
            rows = database.execute("SELECT id, hash, project, roles, node FROM token").fetchall()
        database.close()
        self.assertEqual(rows, [(parts[1], hashlib.sha256(parts[2].encode()).digest(), "p", "reader,secret-reader", None)])
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), "rb") as file:
                self.assertNotIn(parts[2].encode(), file.read(), name)
        self.assertNotIn(parts[2], self.token("list"))

    def test_roles_that_only_a_policy_knows(self):
        self.token("create", "--role", "reeder", status=2)
        self.assertIn("unknown role 'reeder': did you mean 'reader'?", self.errors)
        self.assertEqual(os.listdir(self.folder), [])
        self.token("create", "--for-file", "--role", "operator", status=2)
        self.assertIn("--policy-role", self.errors)
        self.assertIn('roles: ["admin", "operator"]', self.token("create", "--for-file", "--policy-role", "operator", "--role", "admin"))
        self.assertEqual(self.errors, "")
        for words in (("--role", "secret-reader"), ("--node", "web01")):
            self.token("create", *words)
            self.assertEqual(self.errors, "")

    def test_lists(self):
        self.token("create", "--role", "reader", "--id", "b", "--days", "30")
        self.token("create", "--role", "admin", "--id", "a", "--project", "p", "--days", "0")
        self.token("create", "--node", "web01.example.com", "--id", "c")
        today = datetime.datetime.now(datetime.timezone.utc).date()
        self.assertIn([one["expires"] for one in self.listed()],
                      [[None, str(day + datetime.timedelta(30)), str(day + datetime.timedelta(90))] for day in (today, today - datetime.timedelta(1))])
        self.assertEqual([(one["id"], one["project"], one["roles"], one.get("node"), one["last_used"], one["expired"]) for one in self.listed()],
                         [("a", "p", ["admin"], None, None, False), ("b", "default", ["reader"], None, None, False),
                          ("c", "default", ["node"], "web01.example.com", None, False)])
        self.assertEqual(self.token("list", "--project", "p"), "a: admin of p, never used\n")
        with sqlite3.connect(os.path.join(self.folder, "a.db")) as database:
            database.execute("UPDATE token SET expires_at = 86400000000, last_used_day = 20000 WHERE id = 'a'")
        database.close()
        self.assertEqual(self.token("list", "--project", "p"), "a: admin of p, expired 1970-01-02, used 2024-10-04\n")

    def test_revoked(self):
        self.token("create", "--role", "reader", "--id", "a")
        self.token("create", "--role", "reader", "--id", "a", status=1)
        self.assertIn("[token.exists]", self.errors)
        self.token("revoke", "a")
        self.assertEqual(self.token("list"), "")
        self.token("revoke", "a", status=1)
        self.assertIn("[token.unknown]", self.errors)
        self.token("create", "--role", "reader", "--id", "a")

    def test_for_a_file(self):
        token, entry = self.token("create", "--for-file", "--id", "ci", "--role", "reader", "--policy-role", "x", "--project", 'a"b', "--days", "1").splitlines()
        digest = hashlib.sha256(token.removeprefix("strata_ci_").encode()).hexdigest()
        end = datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(2)
        self.assertIn(entry, [f'"ci": {{sha256: "{digest}", project: "a\\"b", roles: ["reader", "x"], expires: "{day}"}}'
                              for day in (end, end - datetime.timedelta(1))])
        self.assertEqual(self.token("create", "--for-file", "--id", "n", "--node", "web01", "--days", "0").splitlines()[1].split(", ", 1)[1],
                         'project: "default", roles: ["node"], node: "web01"}')
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_is_refused(self):
        for words in ([], ["--policy-role", ""], ["--policy-role", "a,b"], ["--role", "node"], ["--role", "reader", "--node", "n"], ["--role", "reader", "--id", "a_b"],
                      ["--role", "reader", "--id", "A"], ["--role", "reader", "--id", "a" * 33], ["--role", "reader", "--project", ""],
                      ["--node", "../n"], ["--policy-role", "-a"]):
            self.token("create", *[f"{word}={value}" for word, value in zip(words[::2], words[1::2])], status=1)
            self.assertIn("[token.value]", self.errors, words)
        self.token("create", "--role", "reader", "--days", "-1", status=2)
        self.token("create", "--role", "reader", "--days", "40000", status=2)
        self.token("revoke", status=2)
        self.assertEqual(self.token("list"), "")


if __name__ == "__main__":
    unittest.main()
