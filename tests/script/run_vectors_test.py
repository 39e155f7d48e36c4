#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/run_vectors.py refuses what it must refuse.

usage: run_vectors_test.py ROOT
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN_VECTORS = os.path.join(os.path.abspath(sys.argv.pop(1)), "tests/run_vectors.py")


class Runner(unittest.TestCase):
    def verdict(self, script, expect):
        """What the runner says of a program that is a shell script."""
        with tempfile.TemporaryDirectory(prefix="strata-runner-") as folder:
            program, cases = pathlib.Path(folder, "program"), pathlib.Path(folder, "cases.json")
            program.write_text("#!/bin/sh\n" + script + "\n", encoding="utf-8")
            program.chmod(0o755)
            cases.write_text(json.dumps([{"name": "one", "about": "", "argv": ["merge"], "expect": expect}]), encoding="utf-8")
            done = subprocess.run([RUN_VECTORS, program, cases], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0 if done.stdout == "1 passed, 0 failed\n" else 1, done.stderr)
            return done.stdout

    def test_failures(self):
        self.assertIn("1 passed", self.verdict("exit 1", {"exit": "nonzero"}))
        self.assertIn("succeeded", self.verdict("exit 0", {"exit": "nonzero"}))
        self.assertIn("exit status 2", self.verdict("exit 2", {"exit": 1}))

    def test_bugs_and_crashes(self):
        for expected in ("nonzero", 70):
            self.assertIn("found a bug in itself", self.verdict("exit 70", {"exit": expected}))
        for expected in ("nonzero", -9):
            self.assertIn("died of signal 9", self.verdict("kill -9 $$", {"exit": expected}))

    def test_places(self):
        told = "printf 'a.yaml:3:1: error: two\\nlines [yaml.syntax]\\n   3 | error: [no.code]x\\nb: error: gone [part.missing]\\n' >&2; exit 1"
        first = {"code": "yaml.syntax", "file": "a.yaml", "line": 3, "column": 1}
        second = {"code": "part.missing", "file": "b"}
        self.assertIn("1 passed", self.verdict(told, {"exit": "nonzero", "error_at": [first, second]}))
        for wrong in (first, [second, first], [{**first, "line": 4}, second], [{**first, "code": "yaml.other"}, second], []):
            self.assertIn("the errors are others", self.verdict(told, {"exit": "nonzero", "error_at": wrong}))
        self.assertIn("1 passed", self.verdict("echo 'error: it is not there [hiera.not-found]' >&2; exit 1", {"exit": 1, "error_at": {"code": "hiera.not-found"}}))


if __name__ == "__main__":
    unittest.main()
