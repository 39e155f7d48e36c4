#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A replica of the service is cut off from PostgreSQL without a word in the middle of what it sends: of a write with many rows, and of one with a large row.
The server holds the locks of that write, and waits for the rest. Other replicas write to the same project nevertheless.

usage: standing.py STRATA
"""
import argparse
import base64
import os
import random
import tempfile
import threading
import time

from postgres import Postgres
from proxy import Proxy
from writing import HANGS, NoAnswer, Service, Writer, begin, check, check_store, send

PATIENCE = 240  # Seconds: without an end of what stands still, nobody writes before the connection ends by itself, after hours.


def document(number, size):
    text = base64.b64encode(random.Random(number).randbytes(size)).decode()  # It does not get smaller.
    return f"---\nschema: example/Large/v1\nmetadata: {{schema: metadata/Document/v1, name: d{number}, storagePolicy: cleartext, layeringDefinition: {{layer: site}}}}\ndata: {{text: {text}}}\n"


class Silence:
    """After some bytes to the server nothing goes through any more, and nothing is closed."""

    def __init__(self):
        self.left, self.proxy = None, None

    def __call__(self, data, is_answer):
        if self.left is not None and not is_answer:
            self.left -= len(data)
            if self.left <= 0:
                self.left = None
                self.proxy.silent.set()
        return "pass"


def cut_off(strata, server, body, after):
    """How long another replica was kept from writing."""
    [path] = [os.path.join(server.folder, name) for name in os.listdir(server.folder) if name.startswith(".s.PGSQL.") and not name.endswith(".lock")]
    silence = Silence()
    proxy = silence.proxy = Proxy(path, silence)
    far = f"postgresql://strata@127.0.0.1:{proxy.port}/strata?sslmode=disable&gssencmode=disable"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        lost, near = Service(strata, "--store", far, folder=folder), Service(strata, "--store", server.address, folder=other)
        lost.start()
        near.start()
        try:
            begin(near.port)
            silence.left = after

            def put():
                try:
                    send(lost.port, "PUT", "/api/v1.0/buckets/large/documents", body, {"Content-Type": "application/x-yaml"}, seconds=HANGS)
                except NoAnswer:
                    pass

            threading.Thread(target=put, daemon=True).start()
            end = time.monotonic() + HANGS
            while not proxy.silent.is_set():
                assert time.monotonic() < end, "the replica sent less than was expected"
                time.sleep(0.01)
            while server.sql("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'ClientRead' AND backend_xid IS NOT NULL", "strata").strip() == "0":
                assert time.monotonic() < end, "no write stands still"
            writer = Writer("small", [near.port], 1)
            began = time.monotonic()
            while len(writer.answered) < 3:
                assert time.monotonic() < began + PATIENCE, f"nobody can write while a replica stands still; the answers were {writer.refused}"
                number = len(writer.answered) + 1
                try:
                    status, text = writer.attempt(number)
                except NoAnswer:
                    continue
                if 200 <= status < 300:
                    writer.note(number, text)
                else:
                    writer.refused[status] = writer.refused.get(status, 0) + 1
            took = time.monotonic() - began
            writer.ends.set()
            assert check(near.port, [writer]) == 3
            return took
        finally:
            lost.stop(9)
            near.stop()
            proxy.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    given = parser.parse_args()
    took = []
    for body, after in (("".join(document(number, 3000) for number in range(200)), 300_000), (document(0, 4_000_000), 2_000_000)):
        server = Postgres()
        try:
            took.append(cut_off(given.strata, server, body, after))
            check_store(given.strata, server.address)
        finally:
            server.close()
    print(f"standing: others were kept from writing for {took[0]:.0f} s by a write of many rows, and for {took[1]:.0f} s by one of a large row")


main()
