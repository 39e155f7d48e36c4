#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Takes PostgreSQL away for a while, and stops one of three replicas for another while, under clients that write: what is asked meanwhile is refused or
done by others, nothing is lost, nothing doubled.

usage: away.py STRATA [--away SECONDS] [--pause SECONDS] [--seed N]
"""
import argparse
import signal
import tempfile
import time

from postgres import Postgres
from writing import HANGS, NoAnswer, Service, Writer, begin, check, send


def wait_for(what, told, failed=lambda: None):
    """Waits; the seconds that it took."""
    began = time.monotonic()
    while not what():
        failed()
        assert time.monotonic() - began < HANGS, told
        time.sleep(0.02)
    return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--away", type=float, default=30)
    parser.add_argument("--pause", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    server = Postgres()
    folders = [tempfile.TemporaryDirectory() for _ in range(3)]
    replicas = []
    try:
        for folder in folders:
            replica = Service(given.strata, "--store", server.address, folder=folder.name)
            replica.start()
            replicas.append(replica)
        ports = [replica.port for replica in replicas]
        begin(ports[0])
        writers = [Writer(f"b{i}", ports, given.seed) for i in range(6)]
        for writer in writers:
            writer.start()

        def failed():
            assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]

        def answered():
            return sum(len(writer.answered) for writer in writers)

        wait_for(lambda: answered() > 12, "nothing is written", failed)

        # The database goes: no success, no other refusal than 503 or the end of the time of a request; the processes live.
        server.stop("fast")
        wait_for(lambda: all(send(port, "GET", "/readyz")[0] == 503 for port in ports), "replicas are ready without a database", failed)
        before, refused = answered(), [dict(writer.refused) for writer in writers]
        end = time.monotonic() + given.away
        while time.monotonic() < end:
            failed()
            for port in ports:
                assert send(port, "GET", "/healthz")[0] == 200
                status, body = send(port, "GET", "/api/v1.0/revisions", seconds=HANGS)
                assert status in (503, 504), f"reading without a database: {status} {body}"
            time.sleep(0.2)
        assert answered() == before, "a write was answered with success while there was no database"
        told = {status for writer, was in zip(writers, refused) for status, count in writer.refused.items() if count > was.get(status, 0)}
        assert told <= {0, 503, 504}, f"writes without a database were answered with {sorted(told)}"
        server.start()
        ready = wait_for(lambda: all(send(port, "GET", "/readyz")[0] == 200 for port in ports), "replicas are not ready again", failed)
        wait_for(lambda: answered() >= before + 12, "writing does not go on", failed)

        # One replica stands still: the others write, and it goes on when it may.
        standing = replicas[given.seed % 3]
        standing.process.send_signal(signal.SIGSTOP)
        before = answered()
        for writer in writers:
            writer.ports = [port for port in ports if port != standing.port]
        time.sleep(given.pause)
        wait_for(lambda: answered() >= before + 12, "the others do not write", failed)
        standing.process.send_signal(signal.SIGCONT)
        for writer in writers:
            writer.ports = [standing.port]
        before = answered()
        wait_for(lambda: answered() >= before + 12, "the replica that stood does not write", failed)
        for writer in writers:
            writer.ends.set()
        for writer in writers:
            writer.join(HANGS)
        count = check(ports[0], writers)
        print(f"away: no database for {given.away:g} s, ready {ready:.1f} s after it was back; a replica stood for {given.pause:g} s; {count} writes: nothing lost, nothing doubled")
    except NoAnswer as error:
        raise SystemExit(f"away: a replica does not answer: {error}") from error
    finally:
        for replica in replicas:
            if replica.process.poll() is None:
                replica.process.send_signal(signal.SIGCONT)
            replica.stop(signal.SIGKILL)
        server.close()
        for folder in folders:
            folder.cleanup()


main()
