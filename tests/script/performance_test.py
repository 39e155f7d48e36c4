#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/page.py writes the page of performance from results, and bench/native.py finds the figures in the output of the C++ benchmarks.

usage: performance_test.py ROOT
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(os.path.abspath(sys.argv.pop(1)))
sys.path.insert(0, str(ROOT / "bench"))
import measure  # pylint: disable=wrong-import-position,import-error
import native  # pylint: disable=wrong-import-position,import-error

OUTPUT = {
    "bindings": """documents parsed                 61.0 ms
first injector                  101.0 ms
injector of another node        12.00 ms, 0.119 of the first one (budget 0.2)
cold lookups                     1300 thousand a second (budget 300)
warm lookups                     7500 thousand a second (budget 2000)
""",
    "merge": """fold of 5 layers of 10,000 leaves, medians of 100 rounds
  nlohmann merge_patch    10.000 ms
  strata                   1.400 ms  0.14 x nlohmann    (at most 0.5)
  strata with history      2.100 ms  1.51 x without     (at most 2)
  written out              1.300 ms  strata is 1.07 x it (at most 1.2: the null recorder costs nothing)

Hiera's deep merge of 5 levels of 400 members, medians of 200 rounds
  copying the levels       0.100 ms
  strata                   0.120 ms  1.20 x copying     (at most 1.5)
  strata with history      0.240 ms  2.00 x without     (at most 4)

""",
    "value": """               parse ms   x event scan     merge ms
scan only         100.0           1.00             
arena             111.0           1.11         1.00
counted           261.0           2.61         2.90
shared            193.0           1.93         5.10
""",
}


class Native(unittest.TestCase):
    def figures(self, name, output):
        results = measure.Results("script/bench")
        native.printed(results, name, output)
        return [row["figure"] for row in results.rows]

    def test_printed_figures(self):
        self.assertEqual(self.figures("bindings", OUTPUT["bindings"]), [0.119, 1300, 7500])
        self.assertEqual(self.figures("merge", OUTPUT["merge"]), [0.14, 1.51, 1.07, 1.2, 2.0])
        self.assertEqual(self.figures("value", OUTPUT["value"]), [1.11, 2.61, 1.93, 1.0, 2.9, 5.1])

    def test_a_line_that_is_missing(self):
        with self.assertRaisesRegex(SystemExit, "bindings printed no line for 'a key repeatedly'"):
            self.figures("bindings", OUTPUT["bindings"].replace("warm", "hot"))

    def test_the_benchmarks_still_print_the_words_of_the_patterns(self):
        for name, lines in native.LINES.items():
            source = (ROOT / f"bench/{name}_bench.cpp").read_text(encoding="utf-8")
            for line in lines:
                for word in re.findall(r"[A-Za-z]{4,}", line.pattern):
                    self.assertIn(word, source, f"{name}: {line.workload}")

    def test_text_is_compared_per_byte(self):
        results = measure.Results("script/bench text")
        rates = {"scan_with_libyaml": 50, **{name: 100 for name in native.TEXT}}
        native.text(results, [{"name": name, "bytes_per_second": rate} for name, rate in rates.items()])
        self.assertEqual({row["figure"] for row in results.rows}, {0.5})


class Results(unittest.TestCase):
    def test_json(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "new/a.json")
            with unittest.mock.patch.object(sys, "argv", ["a.py", "PROGRAM", "--json", str(file), "3"]):
                results = measure.Results("script/bench a")
                self.assertEqual(sys.argv, ["a.py", "PROGRAM", "3"])
            results.add("a workload", "wall time", 0.5, "x", baseline="another", budget=1)
            results.write()
            written = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual(written["command"], "script/bench a")
        self.assertRegex(written["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual(written["rows"][0]["budget"], 1)


class Page(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-performance-")
        self.addCleanup(scratch.cleanup)
        self.results = pathlib.Path(scratch.name, "results")
        self.results.mkdir()
        self.page = pathlib.Path(scratch.name, "performance.md")

    def write(self, name, *rows):
        about = {"date": "2026-01-02", "cpu": "A processor", "cores": 2, "load": 0.1, "command": f"script/bench {name}"}
        full = [{"workload": "w", "measured": "wall time", "unit": "x", "baseline": "b", "threads": "1", "budget": None, "at_least": None, **row} for row in rows]
        (self.results / f"{name}.json").write_text(json.dumps({**about, "rows": full}), encoding="utf-8")

    def make(self):
        done = subprocess.run([sys.executable, ROOT / "bench/page.py", self.results, self.page], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.page.read_text(encoding="utf-8")

    def test_a_table(self):
        memory = {"figure": 20.41, "unit": "MiB", "baseline": "", "measured": "peak memory"}
        self.write("program", {"figure": 0.4182, "budget": 0.5}, {"figure": 0.5, "threads": "all"}, memory, {"workload": "v", "figure": 149.2, "at_least": 50})
        page = self.make()
        self.assertIn("Measured 2026-01-02 on A processor, 2 cores, load average 0.1: `script/bench program`.", page)
        self.assertIn("| workload | measured | figure | baseline | threads | wall time, all threads | peak memory |\n|---|---|---|---|---|---|---|\n", page)
        self.assertIn("| w | wall time | 0.42 × (≤ 0.5) | b | 1 | 0.50 × | 20.4 MiB |\n| v | wall time | 149 × (≥ 50) | b | 1 |  |  |\n", page)
        self.assertIn("Not measured yet: `script/bench build`.", page)

    def test_a_section_without_new_results_is_kept(self):
        self.write("program", {"figure": 1})
        self.make()
        (self.results / "program.json").unlink()
        self.write("build", {"figure": 1234, "unit": "s"})
        page = self.make()
        self.assertIn("| w | wall time | 1.00 × |", page)
        self.assertIn("| w | wall time | 1,234 s |", page)
        self.assertEqual(page, self.make())

    def test_no_results(self):
        done = subprocess.run([sys.executable, ROOT / "bench/page.py", self.results, self.page], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, self.page.exists()), (1, False))


if __name__ == "__main__":
    unittest.main()
