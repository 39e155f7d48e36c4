#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strata lookup --nodes`: against a plain script, and as the fleet grows.

usage: fleet.py STRATA INVENTORY [RUNS] [--json FILE]    INVENTORY: a folder that `workloads.py inventory` made

Prints, of runs that alternate, the best of each:
  the inventory, every key of every node, as a ratio to bench/inventory_baseline.py (budget 0.6), with all cores and with one thread
  time and peak memory of 1,000, 10,000 and 100,000 nodes with one hierarchy, as JSON lines; without and with a data file per node
"""
import json
import os
import pathlib
import sys
import tempfile

import measure


BUDGET = 0.6


def inventory(results, strata, folder, runs):
    lookup = [strata, "lookup", "--hiera-config", f"{folder}/hiera.yaml", "--nodes", f"{folder}/nodes.json", "--all", "--merge", "deep", "--output", "json"]
    baseline = [sys.executable, str(pathlib.Path(__file__).parent / "inventory_baseline.py"), folder]
    all_cores, one_thread, python = measure.best(runs, lookup, [*lookup, "--threads", "1"], baseline)
    print(f"{'inventory':30} {'wall s':>8} {'cpu s':>8} {'MiB':>7} {'wall x':>7} {'cpu x':>7}")
    for name, (wall, cpu, peak) in (("strata", all_cores), ("strata, one thread", one_thread), ("a Python script", python)):
        print(f"{name:30} {wall:8.3f} {cpu:8.3f} {peak:7.1f} {wall / python[0]:7.2f} {cpu / python[1]:7.2f}")
    for figures, threads, budget in ((all_cores, "all", BUDGET), (one_thread, "1", None)):
        name = "`strata lookup --nodes`, each key of 1,000 nodes"
        results.add(name, "wall time", figures.wall / python.wall, "x", baseline="a Python script", threads=threads, budget=budget)


def fleet(folder, count, with_files):
    """A fleet of `count` nodes with one hierarchy; the shared data is the same for every count."""
    data = folder / "data"
    for kind in ("role", "node"):
        (data / kind).mkdir(parents=True, exist_ok=True)
    (folder / "hiera.yaml").write_text('version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n'
                                       '  - {name: node, path: "node/%{node}.yaml"}\n  - {name: role, path: "role/%{role}.yaml"}\n'
                                       '  - {name: common, path: common.yaml}\n')
    (data / "common.yaml").write_text("".join(f"key{i}: [common, {i}]\n" for i in range(50)) + 'motd: "this is %{node}"\n')
    for role in range(20):
        (data / "role" / f"r{role}.yaml").write_text("".join(f"key{i}: [role{role}]\n" for i in range(0, 50, 5)))
    # Piece by piece: a program's peak memory is never shown as less than that of the process which started it.
    with open(folder / "nodes.json", "w", encoding="utf-8") as out:
        for i in range(count):
            name = f"node{i:06d}"
            out.write(("[" if i == 0 else ", ") + json.dumps({"name": name, "facts": {"node": name, "role": f"r{i % 20}"}}))
            if with_files:
                (data / "node" / f"{name}.yaml").write_text(f"key1: [{name}]\n")
        out.write("]")


def growth(results, strata, runs):
    print(f"{'JSON lines of every key':30} {'wall s':>8} {'cpu s':>8} {'MiB':>7} {'us a node':>10}")
    for with_files in (False, True):
        for count in (1_000, 10_000, 100_000):
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                fleet(folder, count, with_files)
                command = [strata, "lookup", "--hiera-config", str(folder / "hiera.yaml"), "--nodes", str(folder / "nodes.json"), "--all", "--merge", "unique",
                           "--output", "jsonl"]
                wall, cpu, peak = measure.best(runs, command)[0]
            print(f"{f'{count} nodes' + (', a file each' if with_files else ''):30} {wall:8.3f} {cpu:8.3f} {peak:7.1f} {cpu / count * 1e6:10.1f}")
            name = f"`strata lookup --nodes`, 51 keys of {count:,} nodes" + (", a data file per node" if with_files else "")
            results.add(name, "processor time per node", cpu / count * 1e6, "µs", threads="all")
            results.add(name, "peak memory", peak, "MiB", threads="all")


def main():
    results = measure.Results("script/bench fleet")
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    strata = os.path.abspath(sys.argv[1])
    inventory(results, strata, os.path.abspath(sys.argv[2]), runs)
    growth(results, strata, max(1, runs // 2))
    results.write()


if __name__ == "__main__":
    main()
