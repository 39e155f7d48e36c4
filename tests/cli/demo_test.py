#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The demos of examples/ end well, and print commands that can be pasted: run in the root of the repository, each prints what the demo shows below it.

usage: demo_test.py STRATA
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

STRATA = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEMS = re.search(r"examples=\((fleet [^)]*)\)", (ROOT / "script/demo").read_text(encoding="utf-8")).group(1).split()
SCREEN = 24  # Lines, with the two that script/demo prints above a demo.
HANGS = 600  # Seconds: against hangs only, machines are loaded.


def run(*command):
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "STRATA": STRATA}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=HANGS, check=False)


class Demo(unittest.TestCase):
    def printed(self, name):
        demo = run("bash", f"examples/{name}/demo.sh")
        self.assertEqual(demo.returncode, 0, demo.stdout)
        return demo.stdout

    def test_the_fleet_comes_first_and_each_system_has_a_demo(self):
        self.assertEqual(SYSTEMS, ["fleet", "cloud-init", "hiera", "deckhand", "heat", "bindings", "reclass"])

    def test_pasted_commands_print_the_same(self):
        for name in SYSTEMS + ["extensions-lua"]:
            with self.subTest(name):
                shown = self.printed(name)
                self.assertNotIn("…", shown)
                blocks = re.split(r"^\$ ", shown, flags=re.MULTILINE)[1:]
                self.assertGreater(len(blocks), 1)
                for block in blocks:
                    command, output = re.fullmatch(r"((?:.*\\\n)*.*\n)((?:.*\n)*)", block).groups()
                    self.assertEqual(run("bash", "-c", command).stdout.rstrip("\n"), output.rstrip("\n"), command)

    def test_a_demo_fits_on_a_screen(self):
        for name in SYSTEMS:
            with self.subTest(name):
                self.assertLessEqual(len(self.printed(name).splitlines()), SCREEN - 2)

    def test_a_demo_says_what_it_shows(self):
        for name in SYSTEMS:
            third = (ROOT / f"examples/{name}/demo.sh").read_text(encoding="utf-8").splitlines()[2]
            self.assertRegex(third, r"^# [A-Z].*\.$", name)


if __name__ == "__main__":
    unittest.main()
