#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`--limit seconds=NUMBER`: whatever a request does, it ends.

usage: time_test.py STRATA
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

STRATA = ""
HANGS = 600  # Seconds: against hangs only, machines are loaded.
STEPS = ("--limit", "steps=1000000000000")
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}{% endfor %}{% endfor %}{% endfor %}"

FILES = {
    "user": "#cloud-config\na: 1\n",
    "endless": f"## template: jinja\n#cloud-config\n{ENDLESS}\n",
    "instance.json": "{}",
    "code/environments/production/hiera.yaml": "version: 5\nhierarchy:\n  - {name: script, lookup_key: lua::endless}\n",
    "code/environments/production/lib/strata/endless.lua": "return function(key, options, context)\n  while true do end\nend\n",
    "nodes.json": '[{"name": "n1", "facts": {}}, {"name": "n2", "facts": {}}]',
}


class Time(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in FILES.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def run_strata(self, *arguments, status):
        done = subprocess.run([STRATA, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=HANGS, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stderr)
        if status != 0:
            self.assertEqual(done.stdout, "")
        return done

    def test_a_template_ends(self):
        done = self.run_strata("merge", "--limit", "seconds=1", *STEPS, "--instance-data", "instance.json", "endless", status=1)
        self.assertIn("[limit.time]", done.stderr)
        self.assertIn("--limit seconds=", done.stderr)

    def test_a_script_ends(self):
        done = self.run_strata("lookup", "--codedir", "code", "--limit", "seconds=1", *STEPS, "key", status=1)
        self.assertIn("[limit.time]", done.stderr)

    def test_a_fleet_ends_as_a_whole(self):
        done = self.run_strata("lookup", "--codedir", "code", "--nodes", "nodes.json", "--limit", "seconds=1", *STEPS, "key", status=1)
        self.assertEqual(done.stderr.count("[limit.time]"), 1, done.stderr)

    def test_the_wait_for_a_pipe_ends(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        data = self.folder / "code/environments/production/data"
        data.mkdir()
        os.mkfifo(data / "pipe.yaml")
        (self.folder / "piped.yaml").write_text(f"version: 5\nhierarchy: [{{name: pipe, path: '{data}/pipe.yaml'}}]\n", encoding="utf-8")
        commands = [
            ("merge", "pipe"),
            ("lookup", "--codedir", "code", "--facts", "pipe", "key"),
            ("lookup", "--hiera-config", "piped.yaml", "key"),
        ]
        for path in (pipe, data / "pipe.yaml"):
            self.addCleanup(os.close, os.open(path, os.O_RDWR | os.O_CLOEXEC))
        for command in commands:  # Somebody has opened the pipe, and writes nothing.
            with self.subTest(command[-1]):
                done = self.run_strata(*command[:1], "--limit", "seconds=1", *command[1:], status=1)
                self.assertIn("[limit.time]", done.stderr)

    def test_the_wait_for_standard_input_ends(self):
        with subprocess.Popen([STRATA, "merge", "--limit", "seconds=1", "-"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as waiting:
            # Not `communicate`, which closes the pipe.
            self.assertEqual(waiting.wait(timeout=HANGS), 1)
            self.assertIn("[limit.time]", waiting.stderr.read())

    def test_no_time_at_all(self):
        done = self.run_strata("lookup", "--codedir", "code", "--limit", "seconds=0", "key", status=1)
        self.assertIn("[limit.time]", done.stderr)

    def test_enough_time_changes_nothing(self):
        for seconds in ("600", "9000000000", "18446744073709551615"):
            with self.subTest(seconds=seconds):
                self.assertEqual(self.run_strata("merge", "--limit", f"seconds={seconds}", "user", status=0).stdout, "#cloud-config\na: 1\n")

    def test_what_is_no_number_is_a_wrong_command_line(self):
        for text in ("seconds", "seconds=", "seconds=x", "seconds=-1", "seconds=1.5", "seconds=18446744073709551616", "minutes=1"):
            with self.subTest(text=text):
                self.assertIn(f"--limit {text}: expected", self.run_strata("merge", "--limit", text, "user", status=2).stderr)


if __name__ == "__main__":
    STRATA = sys.argv.pop(1)
    unittest.main()
