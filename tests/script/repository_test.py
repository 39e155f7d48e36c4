#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/repository.py refuses files that do not belong into the repository, and commit subjects that do not follow the rule.

usage: repository_test.py ROOT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.abspath(sys.argv.pop(1)), "script/repository.py")


class Repository(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-repository-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.git("init", "--quiet")
        self.commit("A subject from before the rule that is longer than seventy-two characters")
        (self.root / "script").mkdir()
        shutil.copy(SCRIPT, self.root / "script")
        self.commit("The script itself")

    def git(self, *arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)

    def commit(self, subject):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", subject)

    def write(self, name, contents):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)

    def check(self, what):
        run = subprocess.run([sys.executable, "script/repository.py", what], cwd=self.root, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1 if run.stdout else 0, run.stderr)
        return run.stdout

    def test_text_and_expected_binary_files_pass(self):
        self.write("a.md", b"text\n")
        self.write("docs/images/a.png", b"\x89PNG\0\1")
        self.write("fuzz/corpus/yaml/a", b"\0\1")
        self.commit("docs: add a picture")
        self.assertEqual(self.check("files"), "")

    def test_sources_name_their_license(self):
        self.write("src/a.cpp", b"int a;\n")
        self.write("script/b", b"#!/bin/sh\n")
        self.write("script/c", b"#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
        self.write("tests/vectors/d.py", b"a = 1\n")
        self.assertEqual([line.split(":")[0] for line in self.check("files").splitlines()], ["script/b", "src/a.cpp"])

    def test_databases_and_logs_are_refused(self):
        for name in ("w.db", "w.db.lock", "docs/build.log", "a.sqlite"):
            self.write(name, b"")
        out = self.check("files")
        for name in ("w.db", "w.db.lock", "docs/build.log", "a.sqlite"):
            self.assertIn(f"{name}: a database, log or build output", out)

    def test_binary_files_elsewhere_are_refused_before_they_are_committed(self):
        self.write("tests/a", b"\0\1\2")
        self.assertIn("tests/a: a binary file outside", self.check("files"))

    def test_subjects_from_before_the_rule_pass(self):
        self.commit("serve: reject limits of 0")
        self.commit("fixup! serve: reject limits of 0")
        self.assertEqual(self.check("subjects"), "")

    def test_subjects_without_an_area_are_refused(self):
        self.commit("Limits that answer nobody are errors")
        self.assertIn("is not 'area: what changes': Limits", self.check("subjects"))

    def test_long_subjects_are_refused(self):
        self.commit("serve: " + "x" * 66)
        self.assertIn("73 characters, more than 72", self.check("subjects"))

    def test_wrong_arguments(self):
        self.assertEqual(subprocess.run([sys.executable, SCRIPT], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
