#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a benchmark written in C++, shows its output, and takes its figures from that.

usage: native.py NAME PROGRAM [ARGUMENT...] [--json FILE]    NAME: bindings, merge, resident, text or value
"""
import json
import re
import subprocess
import sys
import tempfile
import typing

import measure

NUMBER = r"([\d.]+)"
SCAN = "libyaml's scan"
REPRESENTATIONS = {
    "arena": "nodes in an arena, handles of 16 bytes (chosen)",
    "counted": "nodes with atomic reference counts",
    "shared": "`shared_ptr` to vectors and maps",
}


class Line(typing.NamedTuple):
    """A figure in the output: the group of a pattern."""

    pattern: str
    workload: str
    measured: str
    unit: str
    baseline: str = ""
    budget: typing.Optional[float] = None
    at_least: typing.Optional[float] = None


LINES = {
    "bindings": [
        Line(rf"^injector of another node .* ms, {NUMBER} of the first", "the injector of another node", "wall time", "x", "the first injector", 0.2),
        Line(rf"^cold lookups +{NUMBER} thousand", "a key for the first time", "lookups", "thousand per second", at_least=300),
        Line(rf"^warm lookups +{NUMBER} thousand", "a key repeatedly", "lookups", "thousand per second", at_least=2000),
    ],
    "merge": [
        Line(rf"^  strata +[\d.]+ ms  {NUMBER} x nlohmann", "5 layers of 10,000 leaves", "wall time", "x", "`merge_patch` of nlohmann::json", 0.5),
        Line(rf"^  strata with history +[\d.]+ ms  {NUMBER} x without +\(at most 2\)", "the same with full history", "wall time", "x", "without history", 2),
        Line(rf"^  written out .* strata is {NUMBER} x it", "the same without history", "wall time", "x", "a merge written by hand for the same tables", 1.2),
        Line(rf"^  strata +[\d.]+ ms  {NUMBER} x copying", "Hiera's deep merge of 5 levels of 400 members", "wall time", "x", "a copy of the levels", 1.5),
        Line(rf"^  strata with history +[\d.]+ ms  {NUMBER} x without +\(at most 4\)", "the deep merge with full history", "wall time", "x", "without history", 4),
    ],
    "resident": [
        Line(rf"^Hiera, 1,000 nodes of 500 keys .* answer: {NUMBER} %", "Hiera, 1,000 nodes of 500 keys: an edit and its query", "wall time", "%", "the cold start"),
        Line(rf"^bindings, 200 modules of 100 keys .* answer: {NUMBER} %", "bindings, 200 modules of 100 keys: an edit and its query", "wall time", "%", "the cold start"),
        Line(rf"requests of five systems in turn +{NUMBER} us each", "a request, five systems in turn", "processor time", "µs"),
        Line(rf"^requests: memory of the first and last tenth .*\({NUMBER}\)", "the last tenth of the requests", "resident memory", "x", "the first tenth"),
    ],
    "value": [
        Line(rf"^{name} +[\d.]+ +{NUMBER} ", f"building {representation}", "wall time", "x", SCAN)
        for name, representation in REPRESENTATIONS.items()
    ]
    + [
        Line(rf"^{name} .* {NUMBER}$", f"merging 5 layers of 10,000 leaves: {representation}", "wall time", "ms")
        for name, representation in REPRESENTATIONS.items()
    ],
}
TEXT = {
    "scan_with_scanner": "YAML events with strata's scanner",
    "read_yaml/0": "YAML read into values",
    "read_yaml/1": "YAML read into values with libyaml alone",
    "read_json": "JSON read into values",
    "write_yaml": "values written as YAML",
    "write_json/-1": "values written as JSON on one line",
}


def printed(results, name, output):
    for line in LINES[name]:
        found = re.search(line.pattern, output, re.MULTILINE)
        if found is None:
            sys.exit(f"native: {name} printed no line for '{line.workload}'")
        results.add(line.workload, line.measured, float(found[1]), line.unit, baseline=line.baseline, budget=line.budget, at_least=line.at_least)


def text(results, benchmarks):
    """Ratios to the scan, per byte: the formats have different sizes."""
    rates = {one["name"]: one["bytes_per_second"] for one in benchmarks}
    scan = rates["scan_with_libyaml"]
    for name, workload in TEXT.items():
        results.add(workload, "processor time per byte", scan / rates[name], "x", baseline=SCAN)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in {*LINES, "text"}:
        sys.exit(__doc__)
    name = sys.argv[1]
    results = measure.Results(f"script/bench {name}")
    command = sys.argv[2:]
    if name == "text":
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            subprocess.run([*command, f"--benchmark_out={file.name}", "--benchmark_out_format=json"], check=True)
            text(results, json.load(file)["benchmarks"])
    else:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            lines = []
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line)
        if process.returncode != 0:
            sys.exit(process.returncode)
        printed(results, name, "".join(lines))
    results.write()


if __name__ == "__main__":
    main()
