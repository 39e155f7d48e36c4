#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of --source-map FILE beside the plain command, in runs that alternate.

usage: source_map.py STRATA [RUNS] [NAME...] [--json FILE]    only the workloads whose names begin with one of these

Prints one line per workload: the median of the paired ratios of processor time, with one thread, beside its budget, and the bytes of the result and of the map.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import measure
import whole_program

BUDGET = 1.3


def lookup(keys, *output):
    """All keys of one node."""

    def make(folder):
        whole_program.generate(folder, "hierarchy", keys, 100)
        return ["lookup", "--all", "--codedir", str(folder / "code"), "--facts", str(folder / "facts.yaml"), *output]

    return make


def one_file(kind, *output):
    """All that one data file holds: a large result of short values, for which nothing is merged."""

    def make(folder):
        (folder / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: common, path: common.yaml, datadir: .}]\n")
        if kind == "records":
            whole_program.generate(folder, "records", 5)
            (folder / "records.yaml").rename(folder / "common.yaml")
        else:
            lines = (f"group{i // 100:04d}:\n" * (i % 100 == 0) + f"  key{i:06d}: {i * 7 % 1000}\n" for i in range(200_000))
            (folder / "common.yaml").write_text("".join(lines))
        return ["lookup", "--all", "--hiera-config", str(folder / "hiera.yaml"), *output]

    return make


def of_workload(workload, *output):
    def make(folder):
        arguments, _ = workload(folder)
        return [*arguments, *output]

    return make


WORKLOADS = {
    "lookup, 1000 keys, as Puppet": lookup(1000),
    "lookup, 1000 keys, YAML": lookup(1000, "--output", "yaml"),
    "lookup, 1000 keys, JSON": lookup(1000, "--output", "json"),
    "lookup, 5000 keys, YAML": lookup(5000, "--output", "yaml"),
    "lookup, 5000 keys, JSON": lookup(5000, "--output", "json"),
    "lookup, 5 MB of records, YAML": one_file("records", "--output", "yaml"),
    "lookup, 5 MB of records, JSON": one_file("records", "--output", "json"),
    "lookup, 200000 numbers, as Puppet": one_file("numbers"),
    "lookup, 200000 numbers, YAML": one_file("numbers", "--output", "yaml"),
    "lookup, 200000 numbers, JSON": one_file("numbers", "--output", "json"),
    "merge, 1000 parts of 10 users, JSON": of_workload(whole_program.merge(1000, 10)),
    "render, 10000 documents, YAML": of_workload(whole_program.render(10000)),
    "compose, 1000 files, JSON": of_workload(whole_program.compose(1000, False)),
}


def main():
    results = measure.Results("script/bench program")
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    strata = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 11
    names = tuple(sys.argv[3:]) or ("",)
    print(f"{'workload':38} {'plain s':>8} {'cpu x plain':>12} {'budget':>7} {'result':>10} {'map':>10}")
    for name, make in WORKLOADS.items():
        if not name.startswith(names):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            command = [strata, *make(folder), "--threads", "1"]
            # The map is for the result in a file, which people keep beside it.
            target = folder / "out.map"
            plain, mapped = measure.alternate(runs, command, [*command, "--source-map", str(target)])
            size = len(subprocess.run(command, check=True, capture_output=True).stdout)
            ratio = measure.median([b.cpu / a.cpu for a, b in zip(plain, mapped)])
            print(f"{name:38} {measure.median([a.cpu for a in plain]):8.3f} {ratio:12.2f} {BUDGET:7} {size:10} {target.stat().st_size:10}", flush=True)
            map_size = target.stat().st_size
        title = re.sub(r"\d{4,}", lambda found: f"{int(found[0]):,}", f"`strata {name.replace(',', '`,', 1)}")
        results.add(title, "processor time", ratio, "x", baseline="the same without a source map", budget=BUDGET)
        results.add(title, "size of the map", map_size / size, "x", baseline="the result")
    results.write()


if __name__ == "__main__":
    main()
