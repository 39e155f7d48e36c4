#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts the connection to PostgreSQL while a transaction is committed, before or after the server has done it: each write is there once.

usage: commit_cut.py STRATA [--rounds N] [--seed N]    N: cuts
"""
import argparse
import os
import random
import tempfile
import threading
import time

from postgres import Postgres
from proxy import Proxy
from writing import HANGS, Service, Writer, begin, check, check_store


class Cutter:
    """Drops a COMMIT on its way to the server, or what the server says of it."""

    def __init__(self, seed):
        self.random, self.lock = random.Random(seed), threading.Lock()
        self.is_on, self.cuts = False, {"before": 0, "after": 0}

    def __call__(self, data, is_answer):
        word = b"COMMIT\0"  # Of a statement that is parsed, and of the tag of one that is done.
        if not self.is_on or word not in data:
            return "pass"
        with self.lock:
            if self.random.random() > 0.1:
                return "pass"
            self.cuts["after" if is_answer else "before"] += 1
        return "cut"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    server = Postgres()
    cutter = Cutter(given.seed)
    [path] = [os.path.join(server.folder, name) for name in os.listdir(server.folder) if name.startswith(".s.PGSQL.") and not name.endswith(".lock")]
    proxy = Proxy(path, cutter)
    try:
        with tempfile.TemporaryDirectory() as folder:
            address = f"postgresql://strata@127.0.0.1:{proxy.port}/strata?sslmode=disable&gssencmode=disable"
            with Service(given.strata, "--store", address, folder=folder) as service:
                begin(service.port)
                writers = [Writer(f"b{i}", [service.port], given.seed) for i in range(6)]
                for writer in writers:
                    writer.start()
                cutter.is_on = True
                end = time.monotonic() + HANGS
                while sum(cutter.cuts.values()) < given.rounds:
                    assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]
                    assert time.monotonic() < end, f"only {cutter.cuts}"
                    time.sleep(0.02)
                cutter.is_on = False
                for writer in writers:
                    writer.ends.set()
                for writer in writers:
                    writer.join(HANGS)
                count = check(service.port, writers)
            check_store(given.strata, server.address)
        print(f"commit_cut: {cutter.cuts['before']} connections cut before a commit and {cutter.cuts['after']} after it, {count} writes: nothing lost, nothing doubled")
    finally:
        proxy.close()
        server.close()


main()
