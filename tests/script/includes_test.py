#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/includes.py refuses includes against the order of the floors, and finds what a change affects.

usage: includes_test.py ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

INCLUDES = os.path.join(os.path.abspath(sys.argv.pop(1)), "script/includes.py")


class Includes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-includes-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for floor, level in (("value", 10), ("heat", 90), ("hiera", 90), ("cli", 120)):
            self.write(f"src/{floor}/CMakeLists.txt", f"find_package(fmt)\nstrata_level({level})\n")
        self.write("include/strata/value.hpp", "")
        self.write("src/value/names.hpp", "")
        self.write("src/heat/state.hpp", '#include "value/names.hpp"\n#include "strata/value.hpp"\n')
        self.write("src/heat/state.cpp", '#include "state.hpp"\n')
        self.write("src/hiera/key.cpp", "")
        self.write("src/cli/main.cpp", '#include "strata/value.hpp"\n#include "options.hpp"\n')
        self.write("src/cli/options.hpp", "")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_script(self, *words):
        return subprocess.run([INCLUDES, *words], cwd=self.root, capture_output=True, text=True, check=False)

    def refused(self, file, include):
        self.write(file, f'\n#include "{include}"\n')
        done = self.run_script("check")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stdout.startswith(f'{file}:2: #include "{include}": '), done.stdout)
        return done.stdout

    def test_what_is_in_order_passes(self):
        done = self.run_script("check")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_floor_above(self):
        self.assertIn("the floor 'heat' is above 'value'", self.refused("src/value/names.cpp", "heat/state.hpp"))

    def test_a_floor_beside(self):
        self.assertIn("the floors 'hiera' and 'heat' do not know each other", self.refused("src/hiera/key.cpp", "heat/state.hpp"))

    def test_a_way_around(self):
        self.assertIn("is above 'value'", self.refused("src/value/names.cpp", "../heat/state.hpp"))

    def test_a_reserved_header(self):
        self.write("src/value/growable.hpp", "")
        self.write("src/value/arena.cpp", '#include "growable.hpp"\n')
        self.assertIn("only src/value/, ", self.refused("src/heat/state.hpp", "value/growable.hpp"))

    def test_the_program_is_a_client(self):
        self.assertIn("src/cli includes public headers", self.refused("src/cli/main.cpp", "value/names.hpp"))

    def test_public_headers(self):
        self.assertIn("public headers include public headers only", self.refused("include/strata/value.hpp", "value/names.hpp"))

    def test_what_is_not_there(self):
        self.assertIn("there is no such file", self.refused("src/hiera/key.cpp", "hiera/gone.hpp"))

    def test_a_floor_without_a_place(self):
        self.write("src/new/new.hpp", "")
        self.assertIn("src/new/CMakeLists.txt has no line strata_level", self.refused("src/hiera/key.cpp", "new/new.hpp"))

    def test_exceptions(self):
        self.write("src/cli/main.cpp", '#include "value/names.hpp"\n')
        self.write("script/includes_allowed.txt", "src/cli/*.cpp value/*.hpp it is not public yet\n")
        self.assertEqual(self.run_script("check").returncode, 0)
        self.write("src/cli/main.cpp", "")
        done = self.run_script("check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("delete the line", done.stdout)

    def test_affected(self):
        environment = {**os.environ, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a"}
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
            subprocess.run(["git", *words], cwd=self.root, check=True, env=environment)

        def affected():
            done = self.run_script("affected", "HEAD")
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.split()

        self.assertEqual(affected(), [])
        self.write("src/value/names.hpp", "int names();\n")
        self.assertEqual(affected(), ["src/heat/state.cpp"])
        self.write("src/hiera/key.cpp", "int key;\n")
        self.assertEqual(sorted(affected()), ["src/heat/state.cpp", "src/hiera/key.cpp"])
        self.write("CMakePresets.json", "{}\n")
        self.assertEqual(len(affected()), 2)
        self.write(".clang-tidy", "Checks: '*'\n")
        self.assertEqual(sorted(affected()), ["src/cli/main.cpp", "src/heat/state.cpp", "src/hiera/key.cpp"])


if __name__ == "__main__":
    unittest.main()
