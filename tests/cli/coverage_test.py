#!/usr/bin/env python3
"""strata coverage counts what --explain tells: for each place and fate the subjects that have it. Usage: coverage_test.py STRATA"""
import collections
import json
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STRATA = str(pathlib.Path(sys.argv.pop()).resolve())
FATES = ("won", "merged", "shadowed", "removed")


def run(*words):
    return subprocess.run([STRATA, *words], cwd=SOURCE, capture_output=True, text=True, timeout=60, check=True).stdout


class Coverage(unittest.TestCase):
    def check(self, question, is_fleet=False):
        words = question.split()
        subjects = collections.defaultdict(set)
        for path in json.loads(run(*words, "--explain", "--output", "json")):
            for one in path["history"]:
                if "line" in one:
                    subjects[one["file"], one["line"], one["column"], one["fate"]].add(path["path"].split("/")[1] if is_fleet else "")
        leaves = 0
        known = {(file["file"], leaf["line"], leaf["column"]) for file in json.loads(run("coverage", "--output", "json", *words))["files"] for leaf in file["leaves"]}
        # Lists and mappings that became one value count for all that is in them.
        whole = {file for file, line, column, fate in subjects if fate in ("won", "merged") and (file, line, column) not in known}
        for file in json.loads(run("coverage", "--output", "json", *words))["files"]:
            for leaf in file["leaves"]:
                leaves += 1
                for fate in FATES:
                    expected = len(subjects.get((file["file"], leaf["line"], leaf["column"], fate), ()))
                    if fate in ("won", "merged") and whole:
                        self.assertGreaterEqual(leaf[fate], expected, (file["file"], leaf, fate))
                    else:
                        self.assertEqual(leaf[fate], expected, (file["file"], leaf, fate))
        self.assertGreater(leaves, 5)

    def test_lookup(self):
        self.check("lookup --all --hiera-config examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json", True)
        self.check("lookup --all --codedir examples/hiera --nodes examples/hiera/nodes", True)

    def test_other_dialects(self):
        self.check("render examples/deckhand")
        self.check("merge examples/cloud-init/platform.yaml examples/cloud-init/web.yaml")
        self.check("compose -t examples/heat/overcloud.yaml --environment-directory examples/heat/environments")

    def test_secrets_stay_hidden(self):
        text = run("coverage", "render", "examples/deckhand")
        lines = [line.split(" | ", 1)[1] for line in text.splitlines() if " | data: " in line]
        self.assertIn("data: ******", lines)

    def test_lcov(self):
        lines = run("coverage", "--output", "lcov", "merge", "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml").splitlines()
        self.assertEqual(lines[0], "SF:examples/cloud-init/platform.yaml")
        self.assertEqual(lines[-1], "end_of_record")
        self.assertTrue(all(line.startswith(("SF:", "DA:")) or line == "end_of_record" for line in lines))


if __name__ == "__main__":
    unittest.main()
