#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strata coverage counts what --explain tells: for each place and fate the subjects that have it. Usage: coverage_test.py STRATA"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
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
        # Lists and mappings that are secret as a whole count for all that is in them.
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

    @staticmethod
    def write(folder, files):
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def covered(self, files, *words):
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder, files)
            done = subprocess.run([STRATA, "coverage", *words], cwd=folder, capture_output=True, text=True, timeout=60, check=True)
        return done.stdout

    def test_names_in_secrets_stay_hidden(self):
        files = {"hiera.yaml": "version: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n",
                 "data/common.yaml": "lookup_options: {deep: {convert_to: Sensitive}}\ndeep:\n  sub:\n    hunterKEY: x\n    l: [{hunterNAME: y}]\nplain: {a: 1}\n"}
        words = ("lookup", "--hiera-config", "hiera.yaml", "--all")
        for form in ("text", "json", "lcov"):
            self.assertNotIn("hunter", self.covered(files, "--output", form, *words))
        leaves = json.loads(self.covered(files, "--output", "json", *words))["files"][0]["leaves"]
        self.assertEqual([leaf["path"] for leaf in leaves], ["/deep", "/deep", "/plain/a"])

    def test_a_subject_sees_a_value_once(self):
        """Also if the value has won at one place, and was merged at another one."""
        files = {"t.yaml": "heat_template_version: 2018-08-31\nparameters: {port: {type: number}}\nresources: {}\n", "a.yaml": "parameter_defaults:\n  port: 80\n"}
        words = ("parameters", "--template", "t.yaml", "-e", "a.yaml")
        leaf = json.loads(self.covered(files, "--output", "json", *words))["files"][0]["leaves"][0]
        self.assertEqual((leaf["won"], leaf["merged"]), (1, 1))
        self.assertIn("     1 |   port: 80\n", self.covered(files, *words))
        self.assertIn("DA:2,1\n", self.covered(files, "--output", "lcov", *words))

    CONVERTED = {
        "hiera.yaml": "version: 5\nhierarchy:\n  - {name: n, path: 'n/%{cert}.yaml'}\n  - {name: c, path: common.yaml}\n",
        "nodes.json": json.dumps([{"name": name, "facts": {"cert": name}} for name in "ab"]),
        "data/common.yaml": "lookup_options:\n  h: {convert_to: Sensitive}\n  l: {merge: unique, convert_to: Sensitive}\n  d: {merge: deep, convert_to: Sensitive}\n"
                            "  p: {convert_to: Array}\nh: {u: hunter1}\nl: [hunter2, hunter3]\nd: {a: {b: hunter4, c: hunter5}}\np: {x: 1}\n",
        "data/n/a.yaml": "h: {u: hunter1}\nl: [hunter2]\nd: {a: {b: hunter6}}\n"}

    def test_what_a_conversion_makes_is_made_of_its_parts(self):
        words = ("lookup", "--hiera-config", "hiera.yaml", "--all", "--nodes", "nodes.json")
        told = json.loads(self.covered(self.CONVERTED, "--output", "json", *words))["files"]
        fates = {(file["file"], leaf["line"], leaf["column"]): tuple(leaf[fate] for fate in FATES) for file in told for leaf in file["leaves"]}
        self.assertEqual(fates, {
            ("data/common.yaml", 6, 8): (0, 1, 1, 0),
            ("data/common.yaml", 7, 5): (0, 1, 1, 0), ("data/common.yaml", 7, 14): (0, 2, 0, 0),
            ("data/common.yaml", 8, 12): (0, 1, 1, 0), ("data/common.yaml", 8, 24): (0, 2, 0, 0),
            ("data/common.yaml", 9, 8): (0, 2, 0, 0),
            ("data/n/a.yaml", 1, 8): (0, 1, 0, 0), ("data/n/a.yaml", 2, 5): (0, 1, 0, 0), ("data/n/a.yaml", 3, 12): (0, 1, 0, 0)})
        for form in ("text", "json", "lcov"):
            out = self.covered(self.CONVERTED, "--output", form, *words)
            self.assertNotIn("hunter", out)
            self.assertNotIn("0!", out)

    def test_explanations_say_what_a_conversion_was_made_of(self):
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder, self.CONVERTED)
            words = ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all", "--explain", "--output", "json")
            out = subprocess.run([STRATA, *words], cwd=folder, capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertNotIn("hunter", out)
        told = {path["path"]: [(one["file"], one["fate"]) for one in path["history"]] for path in json.loads(out)}
        self.assertEqual(told["/a/h/u"], [("data/n/a.yaml", "merged"), ("data/common.yaml", "shadowed")])
        self.assertEqual(told["/a/l/1"], [("data/common.yaml", "merged")])
        self.assertEqual(told["/a/d/a/b"], [("data/n/a.yaml", "merged"), ("data/common.yaml", "shadowed")])
        self.assertEqual(told["/b/p/x"], [("data/common.yaml", "merged")])

    def test_lcov(self):
        lines = run("coverage", "--output", "lcov", "merge", "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml").splitlines()
        self.assertEqual(lines[0], "SF:examples/cloud-init/platform.yaml")
        self.assertEqual(lines[-1], "end_of_record")
        self.assertTrue(all(line.startswith(("SF:", "DA:")) or line == "end_of_record" for line in lines))


if __name__ == "__main__":
    unittest.main()
