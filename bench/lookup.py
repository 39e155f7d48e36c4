#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Warm lookups in the library, as ratios to Puppet's own in-process rates measured beside it, where Puppet is installed.

usage: lookup.py LOOKUP_BENCH FOLDER [ROUNDS] [--json FILE]    FOLDER: a code directory that `workloads.py hierarchy` made
"""
import json
import pathlib
import subprocess
import sys

import measure

BUDGETS = {"first_found": 40, "unique": 100, "hash_of_500": 300, "deep_of_500": 300, "interpolated": 40}


def ours(program, folder):
    """Lookups per second of processor time; of real time where threads share the work."""
    done = subprocess.run([program, folder, "--benchmark_format=json"], capture_output=True, text=True, check=True)
    return {one["name"]: one["items_per_second"] for one in json.loads(done.stdout)["benchmarks"]}


def theirs(folder):
    script = pathlib.Path(__file__).parent / "lookup_reference.rb"
    done = subprocess.run(["/usr/bin/ruby", script, folder], capture_output=True, text=True, check=False)
    return {name: float(rate) for name, rate in (line.split() for line in done.stdout.splitlines())} if done.returncode == 0 else {}


def main():
    results = measure.Results("script/bench lookup")
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1:3]
    rounds = [(ours(program, folder), theirs(folder)) for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 3)]
    if not rounds[0][1]:
        print("lookup: the reference is not installed (script/bootstrap --differential): rates only")
    print(f"{'lookup':40} {'a second':>12} {'x reference':>12} {'budget':>7}")
    for name in rounds[0][0]:
        rate = measure.median([mine[name] for mine, _ in rounds])
        if name in rounds[0][1]:
            ratio = measure.median([mine[name] / reference[name] for mine, reference in rounds])
            print(f"{name:40} {rate:12.0f} {ratio:12.0f} {BUDGETS[name]:7}")
            results.add(f"`{name}`", "lookups per second", ratio, "x", baseline="Puppet's lookup", at_least=BUDGETS[name])
        else:
            print(f"{name:40} {rate:12.0f}")
            results.add(f"`{name}`", "lookups", rate, "per second", threads="")
    results.write()


if __name__ == "__main__":
    main()
