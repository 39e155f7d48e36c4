#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills a service while clients write to it, again and again: nothing is lost, nothing half-done is seen.

usage: kill.py STRATA [--rounds N] [--seed N] [--store sqlite|postgres]
"""
import argparse
import random
import signal
import tempfile
import time

from postgres import Postgres
from writing import HANGS, NoAnswer, Service, Writer, begin, check, check_store, other_writers, send


def wait_until_ready(port):
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        try:
            if send(port, "GET", "/readyz")[0] == 200:
                return
        except NoAnswer:
            pass
        time.sleep(0.005)
    raise AssertionError("the service does not get ready")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    server = Postgres() if given.store == "postgres" else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            address = server.address if server else f"sqlite:{folder}/store.db"
            service = Service(given.strata, "--store", address, "--listen", "127.0.0.1:0", folder=folder)
            service.start()
            begin(service.port)
            # The port stays the same, so that the clients find what is started anew.
            service.words = ("--store", address, "--listen", f"127.0.0.1:{service.port}")
            writers = [Writer(f"b{i}", [service.port], given.seed) for i in range(5)] + other_writers([service.port], given.seed)
            for writer in writers:
                writer.start()
            slowest = 0
            for _ in range(given.rounds):
                time.sleep(chance.random() / 2)
                service.process.send_signal(signal.SIGKILL)
                service.process.wait(HANGS)
                started = time.monotonic()
                service.start()
                wait_until_ready(service.port)
                slowest = max(slowest, time.monotonic() - started)
            for writer in writers:
                writer.ends.set()
            for writer in writers:
                writer.join(HANGS)
            count = check(service.port, writers)
            assert service.stop() == 0
            check_store(given.strata, address)
            print(f"kill: {given.store}: {given.rounds} kills, {count} writes of {sum(writer.tries for writer in writers)} tries, "
                  f"ready again after {slowest:.2f} s at most: nothing lost, nothing doubled")
    finally:
        if server:
            server.close()


main()
