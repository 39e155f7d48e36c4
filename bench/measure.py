# SPDX-License-Identifier: Apache-2.0
"""Runs of programs, measured."""
import os
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
