#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Restarts PostgreSQL under clients that write through several replicas, and kills and stops replicas: nothing lost, nothing doubled.

usage: database.py STRATA [--rounds N] [--seed N]
"""
import argparse
import random
import signal
import tempfile
import time

from postgres import Postgres
from writing import HANGS, NoAnswer, Service, Writer, begin, check, send


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    server = Postgres()
    folders = [tempfile.TemporaryDirectory() for _ in range(3)]
    replicas = []
    try:
        for folder in folders:
            replica = Service(given.strata, "--store", server.address, "--listen", "127.0.0.1:0", folder=folder.name)
            replica.start()
            replica.words = ("--store", server.address, "--listen", f"127.0.0.1:{replica.port}")
            replicas.append(replica)
        begin(replicas[0].port)
        ports = [replica.port for replica in replicas]
        writers = [Writer(f"b{i}", ports, given.seed) for i in range(6)]
        for writer in writers:
            writer.start()
        for _ in range(given.rounds):
            for fault in chance.sample(["fast", "immediate", "kill", "pause"], 4):
                time.sleep(chance.random())
                if fault == "kill":
                    replica = chance.choice(replicas)
                    replica.process.send_signal(signal.SIGKILL)
                    replica.process.wait(HANGS)
                    time.sleep(chance.random())
                    replica.start()
                elif fault == "pause":
                    replica = chance.choice(replicas)
                    replica.process.send_signal(signal.SIGSTOP)
                    time.sleep(1 + chance.random())
                    replica.process.send_signal(signal.SIGCONT)
                else:
                    server.stop(fault)
                    time.sleep(chance.random())
                    server.start()
                answered = sum(len(writer.answered) for writer in writers)
                end = time.monotonic() + HANGS
                while sum(len(writer.answered) for writer in writers) < answered + 6:
                    assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]
                    assert time.monotonic() < end, f"writing does not go on after '{fault}'"
                    time.sleep(0.01)
        for writer in writers:
            writer.ends.set()
        for writer in writers:
            writer.join(HANGS)
        count = check(ports[0], writers)
        for port in ports:
            assert send(port, "GET", "/readyz")[0] == 200
        print(f"database: {given.rounds} rounds of restarts, kills and pauses over 3 replicas, {count} writes: nothing lost, nothing doubled")
    except NoAnswer as error:
        raise SystemExit(f"database: a replica does not answer: {error}") from error
    finally:
        for replica in replicas:
            replica.process.send_signal(signal.SIGCONT)
            replica.stop(signal.SIGKILL)
        server.close()
        for folder in folders:
            folder.cleanup()


main()
