#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills, stops and cuts off replicas under a watcher, who goes on at another one with `Last-Event-ID`: it hears of the last value, and of none twice in a row.

usage: watchers.py STRATA [--rounds N] [--seed N]
"""
import argparse
import json
import random
import signal
import socket
import tempfile
import threading
import time

from postgres import Postgres
from proxy import Proxy
from writing import HANGS, NoAnswer, Service, send

WATCH = "/strata/v1/sites/site/watch?node=default&key=number&value=1"
JSON = {"Content-Type": "application/json"}
import os  # noqa: E402


class Watcher(threading.Thread):
    def __init__(self, ports, seed):
        super().__init__(daemon=True)
        self.ports, self.random = ports, random.Random(seed)
        self.values, self.last, self.resumes, self.failure = [], None, 0, None
        self.ends = threading.Event()

    def run(self):
        try:
            while not self.ends.is_set():
                self.listen(self.random.choice(self.ports))
        except Exception as failure:  # noqa: BLE001  told by the main thread
            self.failure = failure

    def listen(self, port):
        """Follows one connection to its end."""
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
                head = f"GET {WATCH} HTTP/1.0\r\n" + (f"Last-Event-ID: {self.last}\r\n" if self.last else "") + "\r\n"
                connection.sendall(head.encode())
                connection.settimeout(20)  # A comment comes every 15 s.
                text = b""
                while not self.ends.is_set():
                    piece = connection.recv(65536)
                    if not piece:
                        break
                    text += piece
                    if b"\r\n\r\n" in text and text.startswith(b"HTTP/"):
                        first, text = text.split(b"\r\n\r\n", 1)
                        if b" 200 " not in first.split(b"\r\n")[0]:
                            break
                        self.resumes += 1
                    if text.startswith(b"HTTP/"):
                        continue
                    *events, text = text.split(b"\n\n")
                    for event in events:
                        self.take(event.decode())
        except OSError:
            pass
        time.sleep(0.05)

    def take(self, event):
        fields = dict(line.split(": ", 1) for line in event.splitlines() if ": " in line and not line.startswith(":"))
        if fields.get("event") not in ("snapshot", "changed"):
            return
        value = json.loads(fields["data"])["value"]
        assert fields["event"] == "snapshot" or not self.values or value != self.values[-1], f"{value} was told twice in a row"
        self.values.append(value)
        self.last = fields["id"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    server = Postgres()
    [path] = [os.path.join(server.folder, name) for name in os.listdir(server.folder) if name.startswith(".s.PGSQL.") and not name.endswith(".lock")]
    folders = [tempfile.TemporaryDirectory() for _ in range(3)]
    replicas, proxies = [], []
    try:
        for folder in folders:
            proxies.append(Proxy(path))
            address = f"postgresql://strata@127.0.0.1:{proxies[-1].port}/strata?sslmode=disable&gssencmode=disable"
            replica = Service(given.strata, "--store", address, "--listen", "127.0.0.1:0", folder=folder.name)
            replica.start()
            replica.words = ("--store", address, "--listen", f"127.0.0.1:{replica.port}")
            replicas.append(replica)
        ports = [replica.port for replica in replicas]

        def patiently(method, target, body):
            """Until some replica does it; the same answer for the same key."""
            key = {"Idempotency-Key": f"{method} {target} {body}"[:200]}
            end = time.monotonic() + HANGS
            status, text = None, "no answer"
            while time.monotonic() < end:
                try:
                    status, text = send(chance.choice(ports), method, target, json.dumps(body), {**JSON, **key}, seconds=5)
                except NoAnswer:
                    continue
                if status < 300:
                    return
                assert status in (409, 503, 504), text
                time.sleep(0.05)
            raise AssertionError(f"{method} {target} is not done: {status} {text}")

        patiently("PUT", "/strata/v1/sites/site", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}})
        patiently("PUT", "/strata/v1/sites/site/tree", {"files": {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": "number: 0\n"}})
        watchers = [Watcher(ports, f"{given.seed} {i}") for i in range(4)]
        for watcher in watchers:
            watcher.start()
        number = 0
        for _ in range(given.rounds):
            for fault in chance.sample(["kill", "pause", "partition"], 3):
                which = chance.randrange(3)
                for _ in range(5):
                    number += 1
                    patiently("PATCH", "/strata/v1/sites/site/tree", {"changes": [{"path": "data/c.yaml", "text": f"number: {number}\n"}]})
                if fault == "kill":
                    replicas[which].stop(signal.SIGKILL)
                elif fault == "pause":
                    replicas[which].process.send_signal(signal.SIGSTOP)
                else:
                    proxies[which].silent.set()
                for _ in range(5):
                    number += 1
                    patiently("PATCH", "/strata/v1/sites/site/tree", {"changes": [{"path": "data/c.yaml", "text": f"number: {number}\n"}]})
                if fault == "kill":
                    replicas[which].start()
                elif fault == "pause":
                    replicas[which].process.send_signal(signal.SIGCONT)
                else:
                    proxies[which].silent.clear()
        end = time.monotonic() + HANGS
        while any(not watcher.values or watcher.values[-1] != number for watcher in watchers):
            assert all(watcher.failure is None for watcher in watchers), [watcher.failure for watcher in watchers]
            assert time.monotonic() < end, f"{[watcher.values[-3:] for watcher in watchers]}, and {number} was written"
            time.sleep(0.05)
        for watcher in watchers:
            watcher.ends.set()
            order = [value for i, value in enumerate(watcher.values) if i == 0 or value != watcher.values[i - 1]]
            assert order == sorted(order), f"a watcher was told what was before: {watcher.values}"
        print(f"watchers: {3 * given.rounds} faults, {number} writes, {sum(watcher.resumes for watcher in watchers)} times gone on elsewhere: all heard of the last value, in order")
    finally:
        for replica in replicas:
            replica.process.send_signal(signal.SIGCONT) if replica.process.poll() is None else None
            replica.stop(signal.SIGKILL)
        for proxy in proxies:
            proxy.close()
        server.close()
        for folder in folders:
            folder.cleanup()


main()
