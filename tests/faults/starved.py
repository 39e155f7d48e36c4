#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Takes from a service what it needs: workers, descriptors, memory, somebody who reads its log. It refuses with 503 or 429 and lives on.

usage: starved.py STRATA [--rounds N]
"""
import argparse
import collections
import json
import multiprocessing.pool
import os
import resource
import socket
import subprocess
import tempfile
import threading
import time

from writing import HANGS, NoAnswer, Service, send

# Enough work to keep a worker busy for a while.
FILES = {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": "".join(f"k{i}: {{a: [1, 2, 3], b: '%{{facts.x}}'}}\n" for i in range(3000))}
BUSY = json.dumps({"files": FILES, "options": {"hiera-config": "hiera.yaml"}, "facts": {"x": 1}})
JSON = {"Content-Type": "application/json"}


def many(port, count, statuses):
    """Counts the answers to requests that come all at once."""
    counts, lock = {}, threading.Lock()

    def ask():
        try:
            status, _ = send(port, "POST", "/strata/v1/evaluate/hiera", BUSY, JSON, seconds=HANGS)
        except NoAnswer:
            status = 0
        with lock:
            counts[status] = counts.get(status, 0) + 1

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        status, _ = send(port, "GET", "/healthz", seconds=HANGS)
        assert status == 200, f"/healthz waits behind others: {status}"
        time.sleep(0.05)
    assert set(counts) <= set(statuses), counts
    return counts


def full_queue(strata):
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "strata.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write("limits: {queue: 4, per-principal: 1000}\nworkers: 1\n")
        with Service(strata, "--config", config) as service:
            counts = many(service.port, 60, (200, 503))
            assert counts.get(503) and counts.get(200), counts
            assert send(service.port, "POST", "/strata/v1/evaluate/hiera", BUSY, JSON)[0] == 200
        with open(config, "w", encoding="utf-8") as file:
            file.write("limits: {per-principal: 3}\nworkers: 1\n")
        with Service(strata, "--config", config) as service:
            counts = many(service.port, 60, (200, 429))
            assert counts.get(429) and counts.get(200), counts
        return counts


def slow_log(strata):
    """A pipe that nobody reads takes some lines; the others are dropped and counted, and nobody waits."""
    with tempfile.TemporaryDirectory() as folder:
        with socket.create_server(("127.0.0.1", 0)) as one:
            port = one.getsockname()[1]
        process = subprocess.Popen([os.path.abspath(strata), "serve", "--listen", f"127.0.0.1:{port}", "--store", f"sqlite:{folder}/store.db"], stderr=subprocess.PIPE)
        try:
            end = time.monotonic() + HANGS
            while True:
                try:
                    send(port, "GET", "/healthz")
                    break
                except NoAnswer:
                    assert process.poll() is None and time.monotonic() < end
                    time.sleep(0.02)
            # More lines than the pipe and the service's own memory for them take.
            head = b"GET /healthz?" + b"x" * 200 + b" HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + b"i" * 64 + b"\r\n\r\n"
            with socket.create_connection(("127.0.0.1", port), timeout=HANGS) as connection:
                for _ in range(300):
                    connection.sendall(head * 100)
                    answered = 0
                    while answered < 100:
                        piece = connection.recv(1 << 20)
                        assert piece, "the service closed the connection"
                        answered += piece.count(b"HTTP/1.1 200")
            dropped = 0
            while dropped == 0:
                text = send(port, "GET", "/metrics")[1]
                dropped = int(float(next(line for line in text.splitlines() if line.startswith("strata_log_lines_dropped_total")).split()[1]))
                assert time.monotonic() < end, "no line was dropped"
                time.sleep(0.1)
            process.terminate()
            process.stderr.close()
            assert process.wait(HANGS) == 0
            return dropped
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def no_descriptors(strata):
    """More clients than descriptors: those who are in are answered, the others wait, and come in when there is room."""
    with Service(strata, environment=None) as service:
        process, most = service.process.pid, 300
        used = len(os.listdir(f"/proc/{process}/fd"))
        resource.prlimit(process, resource.RLIMIT_NOFILE, (used + 20, resource.prlimit(process, resource.RLIMIT_NOFILE)[1]))
        connections = [socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) for _ in range(most // 4)]
        connections[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connections[0].recv(100).startswith(b"HTTP/1.1 200"), "who is in is not answered"
        for connection in connections:
            connection.close()
        end = time.monotonic() + HANGS
        while True:
            try:
                assert send(service.port, "GET", "/healthz", seconds=10)[0] == 200
                return most // 4
            except NoAnswer:
                assert time.monotonic() < end, "nobody is let in any more"


def no_memory(strata):
    """An evaluation that finds no memory is refused; the process lives, however little is left, and with whatever else it does then."""
    huge = json.dumps({"files": {"hiera.yaml": FILES["hiera.yaml"], "data/c.yaml": "k: [" + "a, " * 4_000_000 + "a]\n"}, "options": {"hiera-config": "hiera.yaml"}, "facts": {}})
    outcomes = collections.Counter()
    with Service(strata) as service:
        process = service.process.pid

        def limit(left):
            with open(f"/proc/{process}/statm", encoding="ascii") as file:
                used = int(file.read().split()[0]) * resource.getpagesize()
            resource.prlimit(process, resource.RLIMIT_AS, (resource.RLIM_INFINITY if left is None else used + left, resource.RLIM_INFINITY))

        def ask(what):
            try:
                return send(service.port, *what, seconds=HANGS)[0]
            except (NoAnswer, OSError):
                return "no answer"

        limit(200 << 20)
        status = ask(("POST", "/strata/v1/evaluate/hiera", huge, JSON))
        assert status in (413, 422, 503), status
        kinds = [("POST", "/strata/v1/evaluate/hiera", huge, JSON), ("POST", "/strata/v1/evaluate/hiera", BUSY, JSON), ("GET", "/metrics"), ("GET", "/strata/v1/sites"), ("GET", "/nowhere")]
        for left in (64 << 20, 8 << 20, 1 << 20, 0):
            limit(left)
            with multiprocessing.pool.ThreadPool(8) as clients:
                outcomes.update(clients.map(ask, kinds * 6))
            time.sleep(1.5)  # What the process does from time to time, too.
            if service.process.poll() is not None:
                with open(service.log_path, encoding="utf-8", errors="replace") as log:
                    raise AssertionError(f"{left} bytes left: {service.process.poll()} {outcomes}, after: {log.read()[-2000:]}")
        limit(None)
        end = time.monotonic() + HANGS
        while ask(("POST", "/strata/v1/evaluate/hiera", BUSY, JSON)) != 200:
            assert time.monotonic() < end, "nobody is answered when there is memory again"
            time.sleep(0.1)
        assert outcomes[503] > 0, outcomes
        return status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    for _ in range(given.rounds):
        counts, dropped, waiting, status = full_queue(given.strata), slow_log(given.strata), no_descriptors(given.strata), no_memory(given.strata)
    print(f"starved: full queues {counts}; {dropped} lines of the log dropped; {waiting} clients without descriptors; {status} without memory")


main()
