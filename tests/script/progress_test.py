#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/progress.sh prints one line per phase, and after a failure the lines of the log that explain it.

usage: progress_test.py ROOT
"""
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
HANGS = 600  # Seconds: against hangs only, machines are loaded.

CTEST = """\
      Start  1: a.good
      Start  2: b.bad
 1/4 Test  #1: a.good ...................   Passed    0.01 sec
noise of a.good
 2/4 Test  #2: b.bad ....................***Failed    0.02 sec
expected 1, got 2
      Start  3: c.skipped
 3/4 Test  #3: c.skipped ................***Skipped   0.00 sec
nothing to see
      Start  4: d.hangs
"""
NINJA = """\
[1/3] Building CXX object a.o
[2/3] Building CXX object b.o
FAILED: b.o
/usr/bin/c++ {}
b.cpp:3:1: error: 'x' was not declared
    3 | x;
      | ^
ninja: build stopped: subcommand failed.
""".format("-I very/long " * 100)


class Progress(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-progress-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)

    def script(self, commands):
        return ["bash", "-c", f"set -euo pipefail; source {ROOT}/script/progress.sh\n{commands}"]

    def run_script(self, commands, status=0):
        run = subprocess.run(self.script(commands), cwd=self.root, capture_output=True, text=True, check=False, timeout=HANGS)
        self.assertEqual(run.returncode, status, run.stderr)
        return run

    def log(self, name):
        return (self.root / "build/log" / f"{name}.log").read_text(encoding="utf-8")

    def test_the_log_has_the_output_of_the_last_run(self):
        for text in ("one", "two"):
            run = self.run_script(f"run_phase test a running sh -c 'echo {text}; echo error >&2'")
            self.assertEqual(run.stderr, "")
            self.assertEqual(self.log("a"), f"{text}\nerror\n")

    def test_the_last_line_names_the_duration(self):
        self.assertRegex(self.run_script("run_phase test a running sleep 2.5").stdout, r"^(test: running \(\d+ s\)\n)*test: running took \d+ s\n$")
        self.assertEqual(self.run_script("duration 59; duration 125").stdout, "59 s\n2 min 5 s\n")

    def test_a_failure_keeps_its_status_and_prints_the_end_of_the_log(self):
        run = self.run_script("run_phase test a running sh -c 'seq 100; exit 7'; echo not reached", 7)
        self.assertNotIn("not reached", run.stdout)
        self.assertTrue(run.stderr.startswith("test: running failed after "), run.stderr)
        self.assertEqual(run.stderr.splitlines()[1:], [str(number) for number in range(71, 101)])
        self.assertIn("build/log/a.log", run.stderr)

    def explained(self, function, text):
        (self.root / "text").write_text(text, encoding="utf-8")
        run = self.run_script(f"explain={function} run_phase test a running sh -c 'cat text; exit 8'", 8)
        return run.stderr.splitlines()[1:]

    def test_failed_tests(self):
        lines = self.explained("ctest_failures", CTEST)
        self.assertEqual(lines[0].split()[3], "b.bad")
        self.assertEqual(lines[1:], ["expected 1, got 2", "not ended: d.hangs"])
        summary = "75% tests passed, 1 tests failed out of 4\n\nThe following tests FAILED:\n\t  2 - b.bad (Failed)\n"
        self.assertEqual("\n".join(self.explained("ctest_failures", CTEST + summary)[2:-1]) + "\n", summary)
        self.assertEqual(self.explained("ctest_failures", "No tests were found!!!\n"), ["No tests were found!!!"])

    def test_errors_of_a_compiler(self):
        self.assertEqual(self.explained("compile_errors", NINJA), NINJA.splitlines()[4:8])
        self.assertEqual(self.explained("compile_errors", "something else\n"), ["something else"])

    def test_steps_of_ninja_and_ctest(self):
        for name, text, steps in (("n", NINJA, "2 of 3"), ("c", CTEST, "3 of 4"), ("o", "no steps\n", "")):
            (self.root / name).write_text(text, encoding="utf-8")
            self.assertEqual(self.run_script(f"steps_done {name}").stdout.strip(), steps)

    def test_a_terminal_has_one_line_that_changes(self):
        main, terminal = pty.openpty()
        with open(main, "rb", closefd=True) as reader:
            commands = "run_phase test a running sh -c 'echo \"[1/2] a\"; sleep 2.5'"
            run = subprocess.run(self.script(commands), cwd=self.root, stdout=terminal, stderr=subprocess.STDOUT, check=False, timeout=HANGS)
            os.close(terminal)
            self.assertEqual(run.returncode, 0)
            printed = reader.read1(65536).decode()
        self.assertEqual(printed.count("\n"), 1)
        self.assertIn("\r\033[Ktest: running 1 of 2", printed)
        self.assertRegex(printed, r"\r\033\[Ktest: running took \d+ s\r\n$")

    def test_two_scripts_wait_for_each_other(self):
        first = subprocess.Popen(self.script("run_phase test a running sh -c 'touch started; sleep 1; echo first'"), cwd=self.root)
        self.addCleanup(first.wait)
        while not (self.root / "started").exists():
            time.sleep(0.01)
        run = self.run_script("run_phase test a running echo second; phase_lock=other run_phase test b running true")
        self.assertIn("test: waiting for another script in this clone\n", run.stdout)
        self.assertEqual((first.wait(), self.log("a")), (0, "second\n"))

    def test_a_timeout_prints_what_has_not_ended(self):
        (self.root / "text").write_text(CTEST, encoding="utf-8")
        script = subprocess.Popen(self.script("explain=ctest_failures run_phase test a running sh -c 'cat text; touch started; exec sleep 600'"),
                                  cwd=self.root, stderr=subprocess.PIPE, text=True, start_new_session=True)
        while not (self.root / "started").exists():
            time.sleep(0.01)
        os.killpg(script.pid, signal.SIGTERM)
        self.assertIn("not ended: d.hangs", script.communicate(timeout=HANGS)[1])
        self.assertEqual(script.returncode, 143)


if __name__ == "__main__":
    unittest.main()
