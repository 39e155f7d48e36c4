#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that send a byte a second, send nothing, read nothing, or vanish: others are answered, and descriptors come back.

usage: slow_clients.py STRATA [--rounds N]    N: hundreds of connections
"""
import argparse
import os
import socket
import struct
import time

from writing import HANGS, Service, send


def descriptors(process):
    return len(os.listdir(f"/proc/{process}/fd"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    count = 100 * given.rounds
    resource_limit = 4 * count + 200
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(resource_limit + 1000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    except ValueError:
        pass
    with Service(given.strata) as service:
        send(service.port, "GET", "/healthz")
        process = service.process.pid
        before = descriptors(process)
        slow = []
        for kind in range(count):
            connection = socket.create_connection(("127.0.0.1", service.port), timeout=HANGS)
            if kind % 4 == 1:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
            elif kind % 4 == 2:
                connection.sendall(b"POST /v1/p/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
            elif kind % 4 == 3:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" * 50)
            slow.append(connection)
        for _ in range(100):
            assert send(service.port, "GET", "/healthz")[0] == 200
        # Half of those that wait for a head vanish without a word.
        for connection in slow[::2]:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        end = time.monotonic() + HANGS
        for second in range(HANGS):
            assert send(service.port, "GET", "/healthz")[0] == 200
            for connection in slow[1::2]:
                try:
                    connection.sendall(b"X")
                except OSError:
                    pass
            if descriptors(process) <= before + 2:
                break
            time.sleep(1)
        assert descriptors(process) <= before + 2, f"{descriptors(process)} descriptors are open, {before} were"
        assert time.monotonic() < end
        for connection in slow[1::2]:
            connection.close()
        print(f"slow_clients: {count} of them: others were answered, and all were let go after {second} s")


main()
