#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/count.py counts the tests in sources, and refuses a page with other numbers.

usage: count_test.py ROOT
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(os.path.abspath(sys.argv.pop(1)), "tests")
PAGE = "/".join(("docs", "tests.md"))  # Not one literal: script/links.py looks for pages.


class Count(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-count-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.write(PAGE, "")
        self.write("script/faults", "run kill --rounds 1\nrun kill --rounds 2\nrun clock\n")
        self.write("tests/vectors/hiera/a.json", json.dumps([{"argv": ["lookup"]}, {"argv": ["lookup"]}, {"steps": []}]))
        self.write("tests/vectors/hiera/reference_bugs.json", json.dumps([{"argv": ["lookup"]}]))
        self.write("tests/text/a_test.cpp", "TEST(A, B) {}\nTEST_F(A, C) {}\n  // TEST(A, D)\nRC_GTEST_PROP(A, E, ()) {}\n")
        self.write("tests/differential/shared.py", '"""For others."""\n')
        self.write("tests/differential/mime.py", '"""Compares.\n\nusage: mime.py STRATA --seed N\n"""\n')
        self.write("fuzz/yaml_fuzz.cpp", "")
        self.write("fuzz/corpus/yaml/a", "")
        for name in ("count.py", "run_vectors.py"):
            shutil.copy(TESTS / name, self.root / "tests")

    def write(self, name, contents):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(contents, encoding="utf-8")

    def count(self, *arguments):
        return subprocess.run(["/usr/bin/python3", self.root / "tests/count.py", *arguments], capture_output=True, text=True, check=False)

    def test_counts(self):
        out = self.count().stdout
        for row in ("| Hiera 5 | 2 | 1 | 1 |", "| `text` | 2 | 1 |", "`script/faults` | 2 |", "There is 1 comparison:\n`mime`.", "runs 1 target", "from 1 seed:\n`yaml`."):
            self.assertIn(row, out)

    def test_the_page_is_checked(self):
        self.assertEqual(self.count("--check").returncode, 1)
        self.assertEqual(self.count("--page").returncode, 0)
        self.assertEqual(self.count("--check").returncode, 0)
        self.write("tests/text/b_test.cpp", "TEST(F, G) {}\n")
        done = self.count("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run tests/count.py --page", done.stderr)

    def test_wrong_arguments(self):
        self.assertEqual(self.count("--pages").returncode, 2)


if __name__ == "__main__":
    unittest.main()
