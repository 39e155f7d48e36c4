#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/images/concepts.svg is what script/concepts-picture draws, and `--check` refuses a picture that is not.

usage: concepts_picture_test.py ROOT
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
PICTURE = "docs/images/concepts.svg"


class ConceptsPicture(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-concepts-picture-")
        self.addCleanup(scratch.cleanup)
        self.copy = pathlib.Path(scratch.name)
        shutil.copytree(ROOT / "examples/fleet", self.copy / "examples/fleet")
        (self.copy / PICTURE).parent.mkdir(parents=True)
        shutil.copy(ROOT / PICTURE, self.copy / PICTURE)

    def run_script(self, *options):
        return subprocess.run([sys.executable, ROOT / "script/concepts-picture", *options, self.copy], capture_output=True, text=True, check=False)

    def test_the_committed_picture_is_current(self):
        checked = self.run_script("--check")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_the_picture_follows_the_example(self):
        file = self.copy / "examples/fleet/data/node/web02.yaml"
        file.write_text("# A new first line.\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
        checked = self.run_script("--check")
        self.assertEqual(checked.returncode, 1)
        self.assertIn("is not what script/concepts-picture draws", checked.stderr)
        self.assertEqual(self.run_script().returncode, 0)
        self.assertIn(">origin: data/node/web02.yaml:3<", (self.copy / PICTURE).read_text(encoding="utf-8"))
        self.assertEqual(self.run_script("--check").returncode, 0)


if __name__ == "__main__":
    unittest.main()
