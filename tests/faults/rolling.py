#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Starts three replicas anew, one after the other, under a load: no request fails that a client may not simply send again.

usage: rolling.py STRATA [--rounds N] [--seed N]

As behind a balancer, clients keep their connections, and take another replica where one does not let them in, closes a connection that is idle, or
answers 503. Whatever was sent and then cut off is a failure.
"""
import argparse
import http.client
import random
import socket
import tempfile
import threading
import time

from postgres import Postgres
from writing import HANGS, Service, Writer, begin, check


class KeptConnections(threading.Thread):
    """Reads and writes over connections that it keeps."""

    def __init__(self, ports, seed, work):
        super().__init__(daemon=True)
        self.ports, self.random, self.work = ports, random.Random(seed), work
        self.connections, self.failure, self.count, self.retries = {}, None, 0, 0
        self.ends = threading.Event()

    def run(self):
        try:
            while not self.ends.is_set():
                self.work(self)
                self.count += 1
        except Exception as failure:  # noqa: BLE001  told by the main thread
            self.failure = failure

    def ask(self, method, path, body=None, headers=None):
        end = time.monotonic() + HANGS
        while True:
            assert time.monotonic() < end, "no replica answers"
            port = self.random.choice(self.ports)
            connection = self.connections.pop(port, None)
            is_kept = connection is not None
            try:
                if not is_kept:
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)
                    connection.connect()
            except OSError:
                self.retries += 1
                time.sleep(0.01)
                continue
            try:
                connection.request(method, path, body=body, headers=headers or {})
                answer = connection.getresponse()
                text = answer.read().decode()
            except (ConnectionResetError, BrokenPipeError, http.client.RemoteDisconnected) as error:
                connection.close()
                # A connection that was idle may end at any time; a new one, and one that answers already, may not.
                assert is_kept, f"{method} {path} was cut off at a new connection: {error!r}"
                self.retries += 1
                continue
            except (http.client.HTTPException, socket.timeout, OSError) as error:
                raise AssertionError(f"{method} {path} was cut off: {error!r}") from error
            if answer.getheader("Connection", "") == "close":
                connection.close()
            else:
                self.connections[port] = connection
            if answer.status == 503:
                self.retries += 1
                continue
            assert answer.status == 200, f"{method} {path}: {answer.status} {text}"
            return text


class RollingWriter(Writer):
    """Writes as Writer does, over kept connections."""

    def __init__(self, name, ports, seed):
        super().__init__(name, ports, seed)
        self.kept = KeptConnections(ports, f"{seed} {name}", None)

    def attempt(self, number):
        headers = {"Content-Type": "application/x-yaml", "Idempotency-Key": f"{self.bucket} {number}"}
        return 200, self.kept.ask("PUT", f"/api/v1.0/buckets/{self.bucket}/documents", self.document(number), headers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    server = Postgres()
    folders = [tempfile.TemporaryDirectory() for _ in range(3)]
    replicas = []
    try:
        for folder in folders:
            replica = Service(given.strata, "--store", server.address, "--listen", "127.0.0.1:0", folder=folder.name)
            replica.start()
            replica.words = ("--store", server.address, "--listen", f"127.0.0.1:{replica.port}")
            replicas.append(replica)
        ports = [replica.port for replica in replicas]
        begin(ports[0])
        readers = [KeptConnections(ports, f"{given.seed} {i}", lambda one: one.ask("GET", "/api/v1.0/revisions/1/documents")) for i in range(4)]
        writers = [RollingWriter(f"b{i}", ports, given.seed) for i in range(4)]
        for one in readers + writers:
            one.start()
        for _ in range(given.rounds):
            for replica in replicas:
                counts = [one.count for one in readers] + [len(one.answered) for one in writers]
                time.sleep(0.3)
                assert replica.stop() == 0, "requests were cut off"
                replica.start()
                end = time.monotonic() + HANGS
                while any(now < before + 3 for now, before in zip([one.count for one in readers] + [len(one.answered) for one in writers], counts)):
                    assert all(one.failure is None for one in readers + writers), [one.failure for one in readers + writers]
                    assert time.monotonic() < end
                    time.sleep(0.01)
        for one in readers + writers:
            one.ends.set()
        for one in readers + writers:
            one.join(HANGS)
        assert all(one.failure is None for one in readers), [one.failure for one in readers]
        count = check(ports[0], writers)
        print(f"rolling: {3 * given.rounds} replicas started anew under {sum(one.count for one in readers)} reads and {count} writes: not one failed; "
              f"{sum(one.retries for one in readers) + sum(one.kept.retries for one in writers)} times another replica was taken")
    finally:
        for replica in replicas:
            replica.stop()
        server.close()
        for folder in folders:
            folder.cleanup()


main()
