#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times `strata impact` of edits of one file, beside one full evaluation of the fleet, in runs that alternate.

usage: impact.py STRATA INVENTORY [RUNS [IMPACT_RESIDENT]] [--json FILE]    INVENTORY as workloads.py inventory makes it

Prints a line for each edit: the ratio of the medians of wall time and of processor time to `lookup --nodes --all --output jsonl`, and peak memory.
The budget of the first one is 1.3. IMPACT_RESIDENT evaluates the same edits in one process that keeps the fleet: their budgets are 50 ms for the weakest layer,
5 ms for one node's file, and a twentieth of the full evaluation.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import measure

BUDGET = 1.3
WEAKEST = "a line of the weakest layer"


def first_number(path):
    """A key of a file whose value is a number, and that number."""
    for line in path.read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r"(\w+): (\d+)", line)
        if found:
            return found[1], int(found[2])
    sys.exit(f"{path} has no number")


def main():
    results = measure.Results("script/bench fleet")
    strata, inventory = sys.argv[1], pathlib.Path(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    baseline = "the evaluation of the fleet"
    query = ["lookup", "--hiera-config", str(inventory / "hiera.yaml"), "--nodes", str(inventory / "nodes.json"), "--all"]
    edits = {}
    for name, file in ((WEAKEST, "common.yaml"), ("a line of a role", "role/role0.yaml"), ("a line of one node's file", "node/node0.yaml")):
        path = inventory / "data" / file
        key, number = first_number(path)
        edits[name] = ["--set", f"{path}:/{key}={number + 1}"]
    with tempfile.TemporaryDirectory() as scratch:
        text = (inventory / "hiera.yaml").read_text(encoding="utf-8").replace('"os/%{os}.yaml"', '"dc/none.yaml"')
        pathlib.Path(scratch, "hiera.yaml").write_text(text, encoding="utf-8")
        edits["one level fewer in hiera.yaml"] = ["--edit", f"{inventory / 'hiera.yaml'}={scratch}/hiera.yaml"]
        commands = [[strata, *query, "--output", "jsonl"]]
        commands += [[strata, "impact", "--exit-zero", "--output", "json", *edit, *query] for edit in edits.values()]
        full, *all_figures = measure.alternate(runs, *commands)
    median = measure.median
    for name, figures in zip(edits, all_figures):
        wall = median([figure.wall for figure in figures]) / median([figure.wall for figure in full])
        cpu = median([figure.cpu for figure in figures]) / median([figure.cpu for figure in full])
        print(f"{name:30} wall {wall:5.2f}  processor {cpu:5.2f}  peak {max(figure.peak for figure in figures):6.1f} MiB")
        workload = f"`strata impact` of {name}, 1,000 nodes"
        results.add(workload, "wall time", wall, "x", baseline=baseline, threads="all", budget=BUDGET if name == WEAKEST else None)
        results.add(workload, "peak memory", max(figure.peak for figure in figures), "MiB", threads="all")
    full_wall = median([figure.wall for figure in full])
    print(f"{'the full evaluation':30} wall {median([f.wall for f in full]) * 1000:5.0f} ms               peak {max(f.peak for f in full):6.1f} MiB")
    if len(sys.argv) > 4:
        lines = subprocess.run([sys.argv[4], inventory, str(3 * runs)], check=True, capture_output=True, text=True).stdout.splitlines()
        for line in lines:
            milliseconds = float(re.search(r"([0-9.]+) ms", line)[1])
            print(f"in a process that keeps the fleet: {line}: {milliseconds / 1000 / full_wall:.3f} of the full evaluation")
            results.add(f"the same in a process that keeps the fleet: {re.split(r':|  +', line)[0].strip()}", "wall time", milliseconds, "ms", threads="all")
    results.write()


if __name__ == "__main__":
    main()
