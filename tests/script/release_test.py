#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`script/release --check` refuses each file that disagrees on version, home or maintainer, and `--home` rewrites all of them.

usage: release_test.py ROOT

Each test works in a copy of the files that script/metadata.py lists. No test builds packages.
"""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.path.abspath(sys.argv.pop(1)))
sys.dont_write_bytecode = True
SPEC = importlib.util.spec_from_file_location("metadata", ROOT / "script/metadata.py")
METADATA = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(METADATA)
FILES = {copy.file for copy in METADATA.COPIES} | {METADATA.CHANGELOG.file, "script/release", "script/metadata.py"}
HOME = "https://github.com/acme/strata"
MAINTAINER = "Ada <ada@acme.example>"


class Release(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-release-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for file in FILES:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.root / file)
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "All files")

    def git(self, *arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        return subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def release(self, *arguments):
        return subprocess.run(["script/release", *arguments], cwd=self.root, capture_output=True, text=True, check=False)

    def write(self, file, text):
        (self.root / file).write_text(text, encoding="utf-8")

    def read(self, file):
        return (self.root / file).read_text(encoding="utf-8")

    def version(self):
        part = dict(re.findall(r"kVersion(\w+) = (\d+);", self.read(METADATA.OWNER)))
        return f"{part['Major']}.{part['Minor']}.{part['Patch']}"

    def home(self):
        return re.search(METADATA.HOME, self.read(METADATA.OWNER))[1]

    def test_all_files_agree(self):
        run = self.release("--check")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.release("--check", self.version()).returncode, 0)

    def test_each_copy_is_checked(self):
        for copy in (*METADATA.COPIES, METADATA.CHANGELOG):
            with self.subTest(file=copy.file, pattern=copy.pattern):
                text = self.read(copy.file)
                for match in re.finditer(copy.pattern, text, re.MULTILINE):
                    self.write(copy.file, text[: match.start(1)] + "other" + text[match.end(1) :])
                    run = self.release("--check")
                    self.assertEqual(run.returncode, 1)
                    self.assertRegex(run.stderr, f"metadata: {re.escape(copy.file)}: expected the .*, found other")
                self.write(copy.file, text)

    def test_a_copy_that_is_gone(self):
        file = "integrations/ansible/galaxy.yml"
        self.write(file, self.read(file).replace("version: ", "edition: "))
        self.assertIn(f"{file}: expected the version {self.version()}, found missing", self.release("--check").stderr)
        (self.root / file).unlink()
        self.assertIn(f"{file}: expected the home {self.home()}, found missing", self.release("--check").stderr)

    def test_a_new_version_needs_all_copies(self):
        self.write(METADATA.OWNER, re.sub(r"(kVersionMinor = )\d+", r"\g<1>77", self.read(METADATA.OWNER)))
        refused = self.release("--check").stderr
        for copy in METADATA.COPIES:
            if copy.form in ("{version}", "{minor}"):
                self.assertIn(f"metadata: {copy.file}: ", refused)

    def test_another_version_on_the_command_line(self):
        run = self.release("--check", "99.0.0")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, f"metadata: {METADATA.OWNER}: expected the version 99.0.0, found {self.version()}\n")

    def test_unreleased_changes_pass_the_check_and_stop_a_release(self):
        self.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.0.1\n")
        self.assertEqual(self.release("--check").returncode, 0)
        run = self.release(self.version())
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"CHANGELOG.md: expected the version {self.version()}, found Unreleased", run.stderr)

    def test_a_release_stops_at_uncommitted_changes(self):
        self.write("CHANGELOG.md", f"# Changelog\n\n## {self.version()}\n")
        run = self.release(self.version())
        self.assertEqual(run.returncode, 1)
        self.assertIn("the work tree has changes", run.stderr)
        self.assertEqual(self.git("tag"), "")

    def test_a_release_warns_of_a_reserved_home(self):
        self.write("CHANGELOG.md", f"# Changelog\n\n## {self.version()}\n")
        self.write("new", "")  # Stops the release before it builds.
        self.assertEqual("warning: the home" in self.release(self.version()).stderr, bool(METADATA.RESERVED.match(self.home())))
        self.release("--home", HOME)
        self.assertNotIn("warning", self.release(self.version()).stderr)

    def test_home_rewrites_every_file(self):
        old = self.home()
        run = self.release("--home", HOME, MAINTAINER)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.home(), HOME)
        self.assertEqual(self.release("--check").returncode, 0)
        for file in FILES:
            self.assertNotIn(old, self.read(file), file)
        self.assertIn("uses: acme/strata@v", self.read("docs/ci.md"))
        for line in (f"Maintainer: {MAINTAINER}\n", f"Vcs-Git: {HOME}.git\n"):
            self.assertIn(line, self.read("debian/control"))
        self.assertIn(f" -- {MAINTAINER}  ", self.read("debian/changelog"))

    def test_home_and_back_changes_nothing(self):
        old = self.home(), re.search(METADATA.MAINTAINER, self.read("debian/control"), re.MULTILINE)[1]
        self.release("--home", HOME, MAINTAINER)
        self.assertNotEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.release("--home", *old).returncode, 0)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_an_unlisted_mention_of_the_home(self):
        for file, text in (("a.md", f"See {self.home()}/wiki.\n"), ("debian/control", self.read("debian/control") + f"X-Home: {self.home()}\n")):
            with self.subTest(file=file):
                self.write(file, text)
                self.git("add", "--all")
                for arguments in (("--check",), ("--home", HOME)):
                    run = self.release(*arguments)
                    self.assertEqual(run.returncode, 1)
                    self.assertIn(f"{file}: names the home {self.home()} at a place that COPIES of script/metadata.py does not list", run.stderr)
                self.git("reset", "--quiet", "--hard")

    def test_wrong_arguments(self):
        for arguments in ((), ("--check", "1.2"), ("--check", "1.2.3", "x"), ("1.2",), ("--home",), ("--home", "acme"), ("--home", HOME + "/"), ("--home", HOME, "Ada")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.release(*arguments).returncode, 2)
        self.assertEqual(self.git("status", "--porcelain"), "")


if __name__ == "__main__":
    unittest.main()
