#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""States that `strata compose` reads and writes, through the real program: nothing is written where anything is wrong, and what is there is never
damaged.

usage: compose_test.py STRATA
"""
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
TEMPLATE = "heat_template_version: 2018-08-31\nparameters:\n  a: {type: string}\n  m: {type: json}\n  hidden: {type: string, hidden: true}\n"


class States(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.place("t.yaml", TEMPLATE)
        self.place("one.yaml", "parameter_merge_strategies: {m: deep_merge}\nparameters: {a: one, m: {k: [1]}}\n")
        self.run_strata("-t", "t.yaml", "-e", "one.yaml", "--save-state", "s.json")

    def place(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
            return file.read()

    def run_strata(self, *arguments, status=0):
        done = subprocess.run([STRATA, "compose", *arguments], cwd=self.folder.name, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        if status != 0:
            self.assertEqual(done.stdout, "")
        return done

    def files(self):
        return sorted(os.listdir(self.folder.name))

    def test_an_update_in_place(self):
        self.place("two.yaml", "parameters: {m: {k: [2]}}\n")
        result = self.run_strata("--existing", "s.json", "-e", "two.yaml", "--save-state", "s.json")
        self.assertEqual(json.loads(result.stdout)["parameters"], {"a": "one", "m": {"k": [1, 2]}})
        self.assertEqual(self.run_strata("--existing", "s.json").stdout, result.stdout)
        self.run_strata("-t", "t.yaml", "-e", "one.yaml", "-e", "two.yaml", "--save-state", "fresh.json")
        self.assertEqual(self.read("s.json"), self.read("fresh.json"))
        self.assertEqual(self.files(), ["fresh.json", "one.yaml", "s.json", "t.yaml", "two.yaml"])

    def test_nothing_is_written_where_something_is_wrong(self):
        before = self.read("s.json")
        for text in ("parms: {}\n", "parameters: {m: text}\n", "parameters: [\n", "resource_registry: {A: 3}\n", "parameters:\n"):
            self.place("bad.yaml", text)
            self.run_strata("--existing", "s.json", "-e", "bad.yaml", "--save-state", "s.json", status=1)
            self.assertEqual(self.read("s.json"), before, text)
        self.place("stray.yaml", "parameters: {stray: 1}\n")
        self.run_strata("--existing", "s.json", "-e", "stray.yaml", "--save-state", "s.json", "--strict", status=1)
        self.run_strata("--existing", "s.json", "-e", "gone.yaml", "--save-state", "s.json", status=1)
        self.assertEqual(self.read("s.json"), before)
        self.assertEqual(self.files(), ["bad.yaml", "one.yaml", "s.json", "stray.yaml", "t.yaml"])

    def test_a_state_that_was_cut_off(self):
        whole = self.read("s.json")
        for size in range(0, len(whole) - 2, 97):
            self.place("s.json", whole[:size])
            done = self.run_strata("--existing", "s.json", "--save-state", "s.json", status=1)
            self.assertIn("s.json", done.stderr)
            self.assertEqual(self.read("s.json"), whole[:size])

    def test_a_place_that_cannot_be_written(self):
        done = self.run_strata("-t", "t.yaml", "-e", "one.yaml", "--save-state", "no/such/folder/s.json", status=1)
        self.assertIn("[output.state]", done.stderr)
        os.mkdir(os.path.join(self.folder.name, "d"))
        self.run_strata("-t", "t.yaml", "-e", "one.yaml", "--save-state", "d", status=1)
        self.assertEqual(self.files(), ["d", "one.yaml", "s.json", "t.yaml"])

    def test_only_files_are_replaced(self):
        pipe = os.path.join(self.folder.name, "pipe")
        os.mkfifo(pipe)
        os.symlink("pipe", os.path.join(self.folder.name, "to-pipe"))
        os.symlink("nowhere", os.path.join(self.folder.name, "dangling"))
        for name in ("pipe", "to-pipe", "dangling"):
            done = self.run_strata("-e", "one.yaml", "--save-state", name, status=1)
            self.assertIn("[output.state]", done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        self.assertEqual(self.files(), ["dangling", "one.yaml", "pipe", "s.json", "t.yaml", "to-pipe"])

    def test_a_state_goes_to_standard_output(self):
        self.assertEqual(self.run_strata("-t", "t.yaml", "-e", "one.yaml", "--save-state", "-").stdout, self.read("s.json"))
        self.assertEqual(self.files(), ["one.yaml", "s.json", "t.yaml"])
        self.run_strata("-e", "one.yaml", "--save-state", "-", "--blame", status=2)

    def test_who_may_read_it(self):
        path = os.path.join(self.folder.name, "s.json")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        os.chmod(path, 0o640)
        os.symlink("s.json", os.path.join(self.folder.name, "link.json"))
        self.run_strata("--existing", "link.json", "--parameter", "a=x", "--save-state", "link.json")
        self.assertTrue(os.path.islink(os.path.join(self.folder.name, "link.json")))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)
        self.assertEqual(json.loads(self.read("s.json"))["parameters"], {"a": "x"})

    def test_hidden_values_are_in_no_message(self):
        self.place("secret.yaml", "parameters: {hidden: geheim}\n")
        self.run_strata("--existing", "s.json", "-e", "secret.yaml", "--save-state", "s.json")
        self.assertIn("geheim", self.read("s.json"))
        for arguments in (["--blame"], ["--explain"], ["--mask"], ["--explain", "--output", "yaml"]):
            done = self.run_strata("--existing", "s.json", *arguments)
            self.assertNotIn("geheim", done.stdout + done.stderr)
        self.place("s.json", self.read("s.json").replace('"environment_files": [', '"environment_files": [3, ', 1))
        self.assertNotIn("geheim", self.run_strata("--existing", "s.json", status=1).stderr)

    def test_hostile_sizes(self):
        self.place("deep.yaml", "parameters: {m: " + "[" * 100_000 + "}\n")
        self.run_strata("-e", "deep.yaml", status=1)
        self.place("long.yaml", "# " + "x" * 524_287 + "\n")
        self.assertIn("heat.template-size", self.run_strata("-e", "long.yaml", status=1).stderr)
        self.place("wide.yaml", "resource_registry:\n" + "".join(f"  A{i}: B\n  A{i}*:\n" for i in range(15_000)))
        self.run_strata("-e", "wide.yaml", "--quiet")
        self.place("names.yaml", "parameters:\n" + "".join(f"  p{i}: 1\n" for i in range(30_000)))
        self.run_strata("-e", "names.yaml", *["-e", "names.yaml"] * 20)
        self.place("bomb.yaml", "parameters:\n  a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"  a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)))
        self.assertIn("limit.aliases", self.run_strata("-e", "bomb.yaml", status=1).stderr)


if __name__ == "__main__":
    unittest.main()
