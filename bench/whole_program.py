#!/usr/bin/env python3
"""Times whole runs of strata against libyaml's bare event scan of the files that they must read, taking turns in one session.

usage: whole_program.py STRATA EVENT_SCAN [RUNS] [NAME...]    only the workloads whose names begin with one of these

Prints a line a workload: the median of the paired ratios of wall time and of processor time beside its budget, and peak memory beside its own.
"""
import os
import pathlib
import sys
import tempfile
import typing

import measure
import workloads


class Workload(typing.NamedTuple):
    name: str
    make: typing.Callable  # folder -> arguments of strata, files that must be read
    budget: typing.Optional[float]  # of the ratio; None: only watched
    memory: typing.Optional[float] = None  # budget of peak memory, in sizes of the input; the program itself may take 10 MiB


def merge(parts, users):
    def make(folder):
        workloads.parts(parts, users, folder)
        files = sorted(str(path) for path in folder.iterdir())
        return ["merge", "--output", "json", *files], files

    return make


def lookup(keys):
    def make(folder):
        workloads.hierarchy(keys, 100, folder)
        data = folder / "code/environments/production/data"
        files = [str(data / name) for name in ("nodes/n0.yaml", "roles/web.yaml", "sites/pdx.yaml", "os/Debian.yaml", "common.yaml")]
        return ["lookup", "hash_0005", "--merge", "deep", "--codedir", str(folder / "code"), "--facts", str(folder / "facts.yaml"), "--output", "json"], files

    return make


WORKLOADS = [
    Workload("merge, 100 parts of 100 users", merge(100, 100), 1.8, 6),
    Workload("merge, 1000 parts of 10 users", merge(1000, 10), 1.8, 6),
    Workload("merge, 250 parts of 100 users", merge(250, 100), None, 6),
    Workload("merge, 500 parts of 100 users", merge(500, 100), None, 6),
    Workload("merge, 1000 parts of 100 users", merge(1000, 100), None, 6),
    Workload("lookup, one deep of 1000 keys", lookup(1000), 2),
    Workload("lookup, one deep of 5000 keys", lookup(5000), 2),
]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    strata, scan = (os.path.abspath(path) for path in sys.argv[1:3])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    names = tuple(sys.argv[4:]) or ("",)
    print(f"{'workload':34} {'bytes':>10} {'wall x scan':>12} {'cpu x scan':>11} {'budget':>7} {'peak MiB':>9} {'budget':>7}")
    for workload in WORKLOADS:
        if not workload.name.startswith(names):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            arguments, files = workload.make(pathlib.Path(scratch))
            size = sum(os.path.getsize(path) for path in files)
            ours, scans = measure.alternate(runs, [strata, *arguments], [scan, *files])
        wall = measure.median([a.wall / b.wall for a, b in zip(ours, scans)])
        cpu = measure.median([a.cpu / b.cpu for a, b in zip(ours, scans)])
        peak = measure.median([figures.peak for figures in ours])
        most = "-" if workload.memory is None else f"{workload.memory * size / 2**20 + 10:.1f}"
        print(f"{workload.name:34} {size:10} {wall:12.2f} {cpu:11.2f} {workload.budget or '-':>7} {peak:9.1f} {most:>7}", flush=True)


if __name__ == "__main__":
    main()
