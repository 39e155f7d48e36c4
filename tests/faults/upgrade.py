#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A newer release changes the tables of a store under clients that write through this one: as far as it allows, this release goes on, is started anew, and
comes back; further than that it refuses to start, and changes nothing.

usage: upgrade.py STRATA [--rounds N]
"""
import argparse
import hashlib
import os
import sqlite3
import subprocess
import tempfile
import time

from postgres import Postgres
from writing import HANGS, Service, Writer, begin, check, check_store

# What the migration of a next release may do: tables and columns that this one does not know.
EXPAND = ("ALTER TABLE revision ADD COLUMN next_release INTEGER", "CREATE TABLE next_release (id INTEGER PRIMARY KEY)")
FOLD = ("ALTER TABLE revision DROP COLUMN next_release", "DROP TABLE next_release")


class OnPostgres:
    def __init__(self):
        self.server = Postgres()
        self.address = self.server.address

    def run(self, *statements):
        self.server.sql("BEGIN; SELECT pg_advisory_xact_lock(1); " + "; ".join(statements) + "; COMMIT", "strata")

    def version(self):
        return int(self.server.sql("SELECT version FROM strata_schema", "strata"))

    def state(self):
        return self.server.sql("SELECT version, minimum_reader, written_by FROM strata_schema", "strata") + self.server.sql(
            "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public'", "strata")

    def close(self):
        self.server.close()


class OnSqlite:
    def __init__(self, folder):
        self.path = os.path.join(folder, "store.db")
        self.address = "sqlite:" + self.path

    def run(self, *statements):
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=HANGS)
        connection.execute("BEGIN EXCLUSIVE")
        for statement in statements:
            connection.execute(statement)
        connection.execute("COMMIT")
        connection.close()

    def version(self):
        connection = sqlite3.connect(self.path, timeout=HANGS)
        try:
            return connection.execute("SELECT version FROM strata_schema").fetchone()[0]
        finally:
            connection.close()

    def state(self):
        with open(self.path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def close(self):
        pass


def version(number, minimum):
    return f"UPDATE strata_schema SET version = {number}, minimum_reader = {minimum}, written_by = 'next'"


def write_on(writers, more=12):
    """Until the writers have written that many times more."""
    before, end = sum(len(writer.answered) for writer in writers), time.monotonic() + HANGS
    while sum(len(writer.answered) for writer in writers) < before + more:
        assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]
        assert time.monotonic() < end, "writing does not go on"
        time.sleep(0.01)


def refused(strata, store, folder):
    """This release does not start, says why, and leaves the store as it is."""
    before = store.state()
    run = subprocess.run([os.path.abspath(strata), "serve", "--check", "--store", store.address], cwd=folder, capture_output=True, text=True, timeout=HANGS, check=False)
    assert run.returncode == 1 and "[store.newer]" in run.stderr, run.stderr
    assert store.state() == before, "the store of a newer release was changed"


def rounds_of(strata, store, folder, replicas, given, under_load):
    for replica in replicas:
        replica.start()
    ports = [replica.port for replica in replicas]
    begin(ports[0])
    writers = [Writer(f"b{i}", ports, 1) for i in range(4)]
    for writer in writers:
        writer.start()
    known = store.version()  # The one that this release makes.
    for _ in range(given.rounds):
        write_on(writers)
        if not under_load:
            for replica in replicas:
                assert replica.stop() == 0
        # The next release expands: this one goes on beside it, and starts over it.
        store.run(*EXPAND, version(known + 1, known))
        for replica in replicas:
            if under_load:
                write_on(writers)
                replica.stop()
            replica.start()
        write_on(writers)
        # It contracts: this one must not start any more.
        for replica in replicas:
            assert replica.stop() == 0
        store.run(version(known + 2, known + 1))
        refused(strata, store, folder)
        # The way back is a store that this release may read.
        store.run(*FOLD, version(known, known))
        for replica in replicas:
            replica.start()
        write_on(writers)
    for writer in writers:
        writer.ends.set()
    for writer in writers:
        writer.join(HANGS)
    count = check(ports[0], writers)
    for replica in replicas:
        replica.stop()
    check_store(strata, store.address)
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    for kind in ("SQLite", "PostgreSQL"):
        with tempfile.TemporaryDirectory() as folder:
            store = OnSqlite(folder) if kind == "SQLite" else OnPostgres()
            replicas = []
            try:
                for i in range(1 if kind == "SQLite" else 2):
                    own = os.path.join(folder, str(i))
                    os.mkdir(own)
                    # A port of its own from the first start on.
                    with Service(given.strata, "--store", "sqlite:" + os.path.join(own, "port.db"), folder=own) as one:
                        port = one.port
                    replicas.append(Service(given.strata, "--store", store.address, "--listen", f"127.0.0.1:{port}", folder=own))
                count = rounds_of(given.strata, store, folder, replicas, given, kind == "PostgreSQL")
                print(f"upgrade: {kind}: {given.rounds} times to the next release and back, {count} writes: nothing lost, nothing doubled")
            finally:
                for replica in replicas:
                    if replica.process:
                        replica.stop()
                store.close()


main()
