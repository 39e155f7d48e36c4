#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times whole runs of strata against libyaml's bare event scan of the files that they must read, taking turns in one session.

usage: whole_program.py STRATA EVENT_SCAN [RUNS] [NAME...] [--json FILE]    only the workloads whose names begin with one of these

Prints one line per workload: the median of the paired ratios of wall time and of processor time with one thread beside its budget, that of wall time
with a thread for each core, and peak memory beside its own budget.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

import measure


class Workload(typing.NamedTuple):
    name: str
    make: typing.Callable  # folder -> arguments of strata, files that must be read
    budget: typing.Optional[float]  # of the ratio; None: only watched
    memory: typing.Optional[float] = None  # budget of peak memory, in sizes of the input; the program itself may take 10 MiB


def generate(folder, *arguments):
    """In a process of its own: a program's peak memory is never shown as less than that of the process which started it."""
    script = pathlib.Path(__file__).parent / "workloads.py"
    subprocess.run([sys.executable, script, *map(str, arguments), folder], check=True)


def merge(parts, users):
    def make(folder):
        generate(folder, "parts", parts, users)
        files = sorted(str(path) for path in folder.iterdir())
        return ["merge", "--output", "json", *files], files

    return make


def lookup(keys):
    def make(folder):
        generate(folder, "hierarchy", keys, 100)
        data = folder / "code/environments/production/data"
        files = [str(data / name) for name in ("nodes/n0.yaml", "roles/web.yaml", "sites/pdx.yaml", "os/Debian.yaml", "common.yaml")]
        return ["lookup", "hash_0005", "--merge", "deep", "--codedir", str(folder / "code"), "--facts", str(folder / "facts.yaml"), "--output", "json"], files

    return make


def render(documents):
    def make(folder):
        generate(folder, "site", documents)
        file = str(folder / "site.yaml")
        return ["render", file], [file]

    return make


def compose(files, strategies):
    def make(folder):
        generate(folder, "environments", files, int(strategies))
        names = sorted(str(path) for path in folder.glob("e*.yaml"))
        return ["compose", "-t", str(folder / "t.yaml"), *(word for name in names for word in ("-e", name))], names

    return make


def compose_one_more(files):
    """The last of the files to a saved state of the others."""

    def make(folder):
        arguments, names = compose(files, True)(folder)
        state = str(folder / "state.json")
        measure.run([os.path.abspath(sys.argv[1]), *arguments[:-2], "--save-state", state])
        return ["compose", "--existing", state, *arguments[-2:]], names

    return make


def inject(modules, keys, megabytes):
    """One key. Beside the scan of as much YAML, since bindings are not YAML."""

    def make(folder):
        generate(folder / "project", "bindings", modules, keys)
        generate(folder, "records", megabytes)
        confdir = folder / "project"
        return ["inject", "--confdir", str(confdir), "--facts", str(confdir / "facts.yaml"), "m001::key_003"], [str(folder / "records.yaml")]

    return make


def inventory(nodes, classes, *options):
    def make(folder):
        generate(folder, "classes", nodes, classes, 100)
        files = sorted(str(path) for path in folder.rglob("*.yml"))
        return ["inventory", "--all", *options, "--nodes-dir", str(folder / "nodes"), "--classes-dir", str(folder / "classes")], files

    return make


WORKLOADS = [
    Workload("merge, 100 parts of 100 users", merge(100, 100), 0.50, 6),
    Workload("merge, 1000 parts of 10 users", merge(1000, 10), None, 6),
    Workload("merge, 250 parts of 100 users", merge(250, 100), None, 6),
    Workload("merge, 500 parts of 100 users", merge(500, 100), None, 6),
    Workload("merge, 1000 parts of 100 users", merge(1000, 100), None, 6),
    Workload("lookup, one deep of 1000 keys", lookup(1000), 0.65),
    Workload("lookup, one deep of 5000 keys", lookup(5000), 0.65),
    Workload("render, 1000 documents", render(1000), None, 8),
    Workload("render, 10000 documents", render(10000), 0.95, 8),
    Workload("compose, 1000 files", compose(1000, False), 0.40, 6),
    Workload("compose, 1000 with strategies", compose(1000, True), None, 6),
    Workload("compose, 250 with strategies", compose(250, True), None, 6),
    Workload("compose, one more file to a state", compose_one_more(1000), None, None),
    Workload("inventory, 1000 nodes, checked", inventory(1000, 100, "--check"), None),
    Workload("inventory, 1000 nodes", inventory(1000, 100, "--output", "json"), None),
    Workload("inject, 100 modules of 100 keys", inject(100, 100, 1), None, 14),
    Workload("inject, 250 modules of 200 keys", inject(250, 200, 4), 3, 14),
]


def main():
    results = measure.Results("script/bench program")
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    strata, scan = (os.path.abspath(path) for path in sys.argv[1:3])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    names = tuple(sys.argv[4:]) or ("",)
    print(f"{'workload':34} {'bytes':>10} {'cpu s':>7} {'wall x scan':>12} {'cpu x scan':>11} {'budget':>7} {'all cores':>10} {'peak MiB':>9} {'budget':>7}")
    for workload in WORKLOADS:
        if not workload.name.startswith(names):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            arguments, files = workload.make(pathlib.Path(scratch))
            size = sum(os.path.getsize(path) for path in files)
            ours, threads, scans = measure.alternate(runs, [strata, *arguments, "--threads", "1"], [strata, *arguments], [scan, *files])
        wall = measure.median([a.wall / b.wall for a, b in zip(ours, scans)])
        cpu = measure.median([a.cpu / b.cpu for a, b in zip(ours, scans)])
        cores = measure.median([a.wall / b.wall for a, b in zip(threads, scans)])
        seconds = measure.median([figures.cpu for figures in ours])
        peak = measure.median([figures.peak for figures in ours])
        most = "-" if workload.memory is None else f"{workload.memory * size / 2**20 + 10:.1f}"
        print(f"{workload.name:34} {size:10} {seconds:7.3f} {wall:12.2f} {cpu:11.2f} {workload.budget or '-':>7} {cores:10.2f} {peak:9.1f} {most:>7}", flush=True)
        name = f"`strata {workload.name.replace(',', '`,', 1)} ({size / 1e6:.1f} MB)"
        name = re.sub(r"\d{4,}", lambda found: f"{int(found[0]):,}", name)
        results.add(name, "wall time", wall, "x", baseline="libyaml's scan", budget=workload.budget)
        results.add(name, "processor time", cpu, "x", baseline="libyaml's scan")
        results.add(name, "wall time", cores, "x", baseline="libyaml's scan", threads="all")
        results.add(name, "peak memory", peak, "MiB", budget=None if workload.memory is None else float(most))
    results.write()


if __name__ == "__main__":
    main()
