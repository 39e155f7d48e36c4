#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sets the clock of a service by a day and a year, forth and back, while clients write: order, ids and time limits do not follow it.

usage: clock.py STRATA [--rounds N] [--seed N]    Needs libfaketime (package faketime).
"""
import argparse
import glob
import os
import random
import tempfile
import time

from writing import HANGS, Service, Writer, begin, check, other_writers, send


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not found:
        raise SystemExit("clock: there is no libfaketime: script/bootstrap installs it")
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        offset = os.path.join(folder, "offset")

        def set_clock(seconds):
            with open(offset + ".new", "w", encoding="ascii") as file:
                file.write(f"{seconds:+d}\n")
            os.rename(offset + ".new", offset)

        set_clock(0)
        environment = {**os.environ, "LD_PRELOAD": found[0], "FAKETIME_TIMESTAMP_FILE": offset, "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1",
                       "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        # The library sets the clocks of threads, too, which no system does: a jump within a request is no work of it.
        words = ["--limit", f"processor-seconds={1_000_000_000}"]
        with Service(given.strata, *words, folder=folder, environment=environment) as service:
            begin(service.port)
            writers = [Writer(f"b{i}", [service.port], given.seed) for i in range(4)] + other_writers([service.port], given.seed)
            for writer in writers:
                writer.start()
            day, year = 86_400, 31_536_000
            for jump in [seconds for _ in range(given.rounds) for seconds in chance.sample([day, -day, year, -year], 4)]:
                set_clock(jump)
                counts = [len(writer.answered) for writer in writers]
                end = time.monotonic() + HANGS
                # Answers go on, and no request is given up because the clock says that its time is over.
                while any(len(writer.answered) < count + 3 for writer, count in zip(writers, counts)):
                    assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]
                    assert time.monotonic() < end, f"writing does not go on after {jump} s"
                    time.sleep(0.01)
                assert send(service.port, "GET", "/readyz")[0] == 200
            for writer in writers:
                writer.ends.set()
            for writer in writers:
                writer.join(HANGS)
            late = {status: count for writer in writers for status, count in writer.refused.items() if status == 504}
            assert not late, f"requests were given up: {late}"
            set_clock(0)
            count = check(service.port, writers)
    print(f"clock: {4 * given.rounds} jumps by a day or a year, {count} writes: in order, none given up")


main()
