#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/dialect_names.py finds names of dialects in code that works with any dialect.

usage: dialect_names_test.py ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
SCRIPT = os.path.join(ROOT, "script/dialect_names.py")


class DialectNames(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-dialects-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()

    def found(self, line, file="src/analysis/a.cpp"):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"int a;\n{line}\n", encoding="utf-8")
        run = subprocess.run([sys.executable, SCRIPT, self.root], capture_output=True, text=True, check=False)
        path.unlink()
        self.assertEqual(run.returncode, 1 if run.stdout else 0, run.stderr)
        return run.stdout.splitlines()

    def test_the_sources_name_none(self):
        run = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (0, ""))

    def test_names_modules_and_syntaxes(self):
        for line in ('if (verb == "lookup") return;', '#include "hiera/key.hpp"', '#include "strata/heat.hpp"', 'text.find("%{")', 'text.find("a ${b}")',
                     'text.starts_with("#cloud-config")'):
            self.assertEqual(len(self.found(line)), 1, line)
            self.assertTrue(self.found(line)[0].startswith("src/analysis/a.cpp:2: "), line)

    def test_comments_longer_words_and_other_modules(self):
        for line in ('// as "lookup" does', 'call("look")', 'merge::History history;', 'fmt::format("%{:02X}", c)'):
            self.assertEqual(self.found(line), [], line)
        self.assertEqual(self.found('if (verb == "lookup") return;', "src/cli/a.cpp"), [])

    def test_an_exception_that_is_not_needed_any_more(self):
        self.assertEqual(len(self.found("int b;", "src/analysis/manifest.cpp")), 1)
        self.assertEqual(self.found('call("lookup");', "src/analysis/manifest.cpp"), [])


if __name__ == "__main__":
    unittest.main()
