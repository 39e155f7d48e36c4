#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Lets the disk of a store get full while clients write: 507, reading goes on, and so does writing when there is room.

usage: full_disk.py STRATA [--rounds N]
"""
import argparse
import os
import resource
import tempfile
import time

from writing import HANGS, Service, Writer, begin, check, send


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with Service(given.strata, folder=folder) as service:
            begin(service.port)
            process = service.process.pid
            unlimited = resource.prlimit(process, resource.RLIMIT_FSIZE)
            writers = [Writer(f"b{i}", [service.port], 1) for i in range(4)]
            for writer in writers:
                writer.start()
            for _ in range(given.rounds):
                # No file of the store may grow: as if the disk were full.
                sizes = [os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if name.startswith("store.db")]
                resource.prlimit(process, resource.RLIMIT_FSIZE, (max(sizes), unlimited[1]))
                before = sum(writer.refused.get(507, 0) for writer in writers)
                end = time.monotonic() + HANGS
                while sum(writer.refused.get(507, 0) for writer in writers) < before + 8:
                    assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]
                    assert time.monotonic() < end, "nobody is told that the disk is full"
                    time.sleep(0.01)
                while send(service.port, "GET", "/readyz")[0] != 503:  # A writer may still find the rest of a file.
                    assert time.monotonic() < end, "a full store counts as ready"
                    time.sleep(0.01)
                status, body = send(service.port, "GET", "/api/v1.0/revisions")
                assert status == 200, f"reading does not go on: {status} {body}"
                resource.prlimit(process, resource.RLIMIT_FSIZE, unlimited)
                counts = [len(writer.answered) for writer in writers]
                while any(len(writer.answered) < count + 2 for writer, count in zip(writers, counts)):
                    assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]
                    assert time.monotonic() < end, "writing does not go on"
                    time.sleep(0.01)
            for writer in writers:
                writer.ends.set()
            for writer in writers:
                writer.join(HANGS)
            print(f"full_disk: {given.rounds} times full, {check(service.port, writers)} writes: nothing lost, nothing doubled")


main()
