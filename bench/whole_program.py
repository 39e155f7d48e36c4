#!/usr/bin/env python3
"""Times whole runs of strata against libyaml's bare event scan of the same bytes, alternating A B A B in one session.

usage: whole_program.py STRATA EVENT_SCAN [RUNS]

Prints a line a workload: the median of the paired ratios of wall time and of processor time, and peak memory beside its budget.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

WORKLOADS = [  # name, parts, users a part, budget of the ratio (None: only watched)
    ("medium: 100 parts of 100 users", 100, 100, 1.8),
    ("large: 1000 parts of 10 users", 1000, 10, 1.8),
    ("huge/4: 250 parts of 100 users", 250, 100, None),
    ("huge/2: 500 parts of 100 users", 500, 100, None),
    ("huge: 1000 parts of 100 users", 1000, 100, None),
]


ENVIRONMENTS = [  # name, files, whether they have merge strategies, budget
    ("heat: 1000 environment files", 1000, False, 1.5),
    ("heat: with merge strategies", 1000, True, 1.5),
    ("heat/4: with merge strategies", 250, True, None),
]


def run(command):
    """Wall seconds, processor seconds and peak KiB of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command[:3]} failed")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def median(values):
    return sorted(values)[len(values) // 2]


def compare(name, ours, baseline, size, runs):
    walls, cpus, peaks = [], [], []
    for _ in range(runs):
        a = run(ours)
        b = run(baseline)
        walls.append(a[0] / b[0])
        cpus.append(a[1] / b[1])
        peaks.append(a[2])
    budget = (6 * size / 1024 + 10 * 1024) / 1024
    print(f"{name:34} {size:10} {median(walls):12.2f} {median(cpus):11.2f} {median(peaks) / 1024:9.1f} {budget:7.1f}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    strata, scan = (os.path.abspath(path) for path in sys.argv[1:3])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    here = pathlib.Path(__file__).parent
    print(f"{'workload':34} {'bytes':>10} {'wall x scan':>12} {'cpu x scan':>11} {'peak MiB':>9} {'budget':>7}")
    with tempfile.TemporaryDirectory() as scratch:
        for name, parts, users, _ in WORKLOADS:
            folder = pathlib.Path(scratch, f"{parts}x{users}")
            subprocess.run([sys.executable, here / "workloads.py", "parts", str(parts), str(users), folder], check=True)
            files = sorted(str(path) for path in folder.iterdir())
            size = sum(os.path.getsize(path) for path in files)
            compare(name, [strata, "merge", "--output", "json", *files], [scan, *files], size, runs)
        for name, count, strategies, _ in ENVIRONMENTS:
            folder = pathlib.Path(scratch, f"environments{count}{strategies}")
            subprocess.run([sys.executable, here / "workloads.py", "environments", str(count), str(int(strategies)), folder], check=True)
            files = sorted(str(path) for path in folder.glob("e*.yaml"))
            size = sum(os.path.getsize(path) for path in files)
            listed = [word for file in files for word in ("-e", file)]
            compose = [strata, "compose", "-t", str(folder / "t.yaml")]
            compare(name, [*compose, *listed], [scan, *files], size, runs)
            if count == ENVIRONMENTS[0][1] and strategies:
                state = str(folder / "state.json")
                run([*compose, *listed[:-2], "--save-state", state])
                compare("heat: one more file to a state", [strata, "compose", "--existing", state, *listed[-2:]], [scan, *files], size, runs)


if __name__ == "__main__":
    main()
