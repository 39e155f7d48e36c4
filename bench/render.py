#!/usr/bin/env python3
"""Times whole runs of `strata render` against libyaml's bare event scan of the same bytes, alternating A B A B in one session.

usage: render.py STRATA EVENT_SCAN [RUNS]

Prints a line a site: the median of the paired ratios of wall time and of processor time, and peak memory beside its budget (eight times the input).
Then how much longer ten times the documents take.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from whole_program import median, run

SITES = [1000, 10000]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    strata, scan = (os.path.abspath(path) for path in sys.argv[1:3])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    here = pathlib.Path(__file__).parent
    seconds = []
    print(f"{'documents':>10} {'bytes':>10} {'wall x scan':>12} {'cpu x scan':>11} {'budget':>7} {'peak MiB':>9} {'budget':>7}")
    with tempfile.TemporaryDirectory() as scratch:
        for count in SITES:
            subprocess.run([sys.executable, here / "workloads.py", "site", str(count), f"{scratch}/{count}"], check=True)
            file = f"{scratch}/{count}/site.yaml"
            size = os.path.getsize(file)
            pairs = [(run([strata, "render", file]), run([scan, file])) for _ in range(runs)]
            seconds.append(median([a[1] for a, _ in pairs]))
            walls, cpus = ([a[i] / b[i] for a, b in pairs] for i in (0, 1))
            peak = median([a[2] for a, _ in pairs]) / 1024
            print(f"{count:10} {size:10} {median(walls):12.2f} {median(cpus):11.2f} {2.5:7} {peak:9.1f} {8 * size / 1024 / 1024:7.1f}")
    print(f"{SITES[-1]} documents take {seconds[-1] / seconds[0]:.1f} x as long as {SITES[0]}, of 12 x")


if __name__ == "__main__":
    main()
