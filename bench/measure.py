# SPDX-License-Identifier: Apache-2.0
"""Runs of programs, measured, and their results as JSON for bench/page.py."""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import typing


class Figures(typing.NamedTuple):
    wall: float  # seconds
    cpu: float  # seconds of processor time
    peak: float  # MiB


def run(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command[:3]} failed")
    return Figures(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def alternate(runs, *commands):
    """The figures of each command, a list of them, over runs that take turns."""
    rows = [[run(command) for command in commands] for _ in range(runs)]
    return [[row[i] for row in rows] for i in range(len(commands))]


def best(runs, *commands):
    """The least of each figure of each command, over runs that take turns."""
    return [Figures(*(min(values) for values in zip(*figures))) for figures in alternate(runs, *commands)]


def median(values):
    return sorted(values)[len(values) // 2]


class Results:
    """The rows of a benchmark for docs/performance.md. Removes `--json FILE` from the arguments of the program; `write` does nothing without it.

    command: what a reader runs to measure the same again.
    """

    def __init__(self, command):
        self.command = command
        self.rows = []
        self.path = None
        if "--json" in sys.argv:
            place = sys.argv.index("--json")
            if place + 1 == len(sys.argv):
                sys.exit("--json: expected a file")
            self.path = pathlib.Path(sys.argv[place + 1])
            del sys.argv[place : place + 2]

    def add(self, workload, measured, figure, unit, *, baseline="", threads="1", budget=None, at_least=None):
        """measured: what the figure is of, `wall time` say. unit: `x` for a ratio to the baseline, else what follows the number.

        A budget is an upper bound in the same unit, at_least a lower one.
        """
        about = {"workload": workload, "measured": measured, "figure": figure, "unit": unit}
        self.rows.append({**about, "baseline": baseline, "threads": threads, "budget": budget, "at_least": at_least})

    def write(self):
        if self.path is None:
            return
        about = {"date": datetime.date.today().isoformat(), "cpu": cpu(), "cores": os.cpu_count(), "load": round(os.getloadavg()[1], 1), "command": self.command}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps({**about, "rows": self.rows}, indent=1) + "\n", encoding="utf-8")


def cpu():
    """The model of the processor, as the kernel names it."""
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1].strip() if found else "unknown"
