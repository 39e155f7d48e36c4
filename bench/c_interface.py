#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A warm lookup through the C interface and through Python, beside the C++ call.

usage: c_interface.py C_BENCH LIBSTRATA FOLDER [--json FILE]

Wanted: through C at most 2 times the C++ call; through Python at most 5 microseconds more than through C. Python is left out where the module is not
installed (PYTHONPATH names it; python/check.py builds it).
"""
import json
import os
import statistics
import subprocess
import sys
import time

import measure

CALLS = 20_000
KEYS = [f"key_{number:04}" for number in range(64)]


def python_call(folder):
    """Nanoseconds of processor time per lookup, as C_BENCH prints them; None without the module."""
    try:
        import strata_layers as strata  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    project = strata.open(words=["lookup", "--all", "--codedir", f"{folder}/code", "--facts", f"{folder}/facts.yaml"])
    names = [KEYS[number % len(KEYS)] for number in range(CALLS)]
    for key in KEYS:
        project.get("", key)
    begin = time.process_time_ns()
    for key in names:
        project.get("", key).value  # pylint: disable=expression-not-assigned
    return (time.process_time_ns() - begin) / CALLS


def main():
    results = measure.Results("script/bench c")
    _, bench, _, folder = sys.argv
    rounds = []
    python = []
    for _ in range(7):
        rounds.append(json.loads(subprocess.run([bench, folder, "5"], check=True, capture_output=True, text=True).stdout))
        if (time_of_one := python_call(folder)) is not None:
            python.append(time_of_one)
    median = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
    ratios = {way: statistics.median(one[f"c_{way}"] / one[f"cpp_{way}"] for one in rounds) for way in ("again", "first")}
    results.add("a repeated lookup through C", "wall time", ratios["again"], "x", baseline="the C++ call", budget=2)
    results.add("a lookup through C with no cached result", "wall time", ratios["first"], "x", baseline="the C++ call")
    print(f"a repeated lookup: C++ {median['cpp_again']:.0f} ns, C {median['c_again']:.0f} ns: {ratios['again']:.2f} (wanted 2)")
    print(f"a lookup with no cached result: C++ {median['cpp_first']:.0f} ns, C {median['c_first']:.0f} ns: {ratios['first']:.2f}")
    if python:
        more = statistics.median(one - of_c["c_again"] for one, of_c in zip(python, rounds))
        print(f"through Python: {statistics.median(python) / 1000:.2f} us: {more / 1000:.2f} us more than C (wanted 5)")
        results.add("a repeated lookup through Python, more than through C", "processor time", more / 1000, "µs", budget=5)
    else:
        print("through Python: the module is not installed", file=sys.stderr)
    results.write()


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    if os.path.dirname(os.path.abspath(sys.argv[2])) not in os.environ.get("LD_LIBRARY_PATH", ""):
        os.environ["LD_LIBRARY_PATH"] = os.path.dirname(os.path.abspath(sys.argv[2]))
        os.execv(sys.executable, [sys.executable, *sys.argv])
    main()
