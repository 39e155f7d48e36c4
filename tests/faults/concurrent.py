#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Many clients write to one bucket, one stack and one tree at once: the writes have an order, and each loser of `If-Match` got 412.

usage: concurrent.py STRATA [--rounds N] [--store sqlite|postgres]    N: writes of each client
"""
import argparse
import json
import tempfile
import threading

import yaml

from postgres import Postgres
from writing import HANGS, Service, StackWriter, TreeWriter, begin, send

CLIENTS = 64


class Client(threading.Thread):
    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.failure, self.wins, self.losses = work, None, 0, 0

    def run(self):
        try:
            self.work(self)
        except Exception as failure:  # noqa: BLE001  told by the main thread
            self.failure = failure


def together(work, count=CLIENTS):
    clients = [Client(work) for _ in range(count)]
    for client in clients:
        client.start()
    for client in clients:
        client.join(HANGS * 5)
    for client in clients:
        if client.failure:
            raise client.failure
    return clients


def patient(port, *words, **more):
    """Asks until there is room: 64 clients are more than the service takes at once."""
    while (answer := send(port, *words, seconds=HANGS, **more))[0] in (429, 503):
        pass
    return answer


def buckets(port, rounds):
    """Writes without condition: each gets a number of its own, without gaps."""
    numbers, lock = [], threading.Lock()

    def work(_):
        for _ in range(rounds):
            with lock:
                number = len(numbers)
                numbers.append(None)
            text = ("---\nschema: example/Count/v1\nmetadata: {schema: metadata/Document/v1, name: one, storagePolicy: cleartext, "
                    f"layeringDefinition: {{layer: site}}}}\ndata: {{number: {number}}}\n")
            status, body = patient(port, "PUT", "/api/v1.0/buckets/one/documents", text, headers={"Content-Type": "application/x-yaml"})
            assert status == 200, body
            numbers[number] = yaml.safe_load(body)["status"]["revision"]

    together(work)
    assert sorted(numbers) == list(range(2, len(numbers) + 2)), f"revisions with gaps: {sorted(numbers)}"
    return len(numbers)


def counters(port, rounds, read, write):
    """Each client adds one to a number, if nobody was faster. In the end it is as many as there were winners."""
    def work(client):
        while client.wins < rounds:
            number, tag = read()
            status, body = write(number + 1, tag)
            if status == 412:
                client.losses += 1
            else:
                assert status in (200, 201, 202), f"{status} {body}"
                client.wins += 1

    clients = together(work, 16)
    wins, losses = (sum(getattr(client, name) for client in clients) for name in ("wins", "losses"))
    assert read()[0] == wins, f"{read()[0]} is there, and {wins} clients were told that they wrote"
    return wins, losses


def tagged(port, path):
    """The body and the entity tag of a resource."""
    import http.client
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)
    try:
        while True:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read().decode()
            if answer.status == 200:
                return body, answer.getheader("ETag")
            assert answer.status in (429, 503), f"{path}: {answer.status} {body}"
    finally:
        connection.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    given = parser.parse_args()
    server = Postgres() if given.store == "postgres" else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            with Service(given.strata, "--store", server.address if server else f"sqlite:{folder}/store.db", folder=folder) as service:
                port = service.port
                begin(port)
                count = buckets(port, given.rounds)

                tree = TreeWriter("tree", [port], 1)
                tree.make()
                assert tree.json("PATCH", "/strata/v1/sites/tree/tree", {"changes": [{"path": "number", "text": "0"}]})[0] == 200

                def read_tree():
                    # The tag first: a number that is newer than it loses, one that is older must not win.
                    _, tag = tagged(port, "/strata/v1/sites/tree")
                    return int(tagged(port, "/strata/v1/sites/tree/files/number")[0]), tag

                def write_tree(number, tag):
                    return patient(port, "PATCH", "/strata/v1/sites/tree/tree", json.dumps({"changes": [{"path": "number", "text": str(number)}]}),
                                   headers={"Content-Type": "application/json", "If-Match": tag})

                stack = StackWriter("stack", [port], 1)
                stack.make()

                def read_stack():
                    body, tag = tagged(port, stack.place)
                    return int(json.loads(body)["stack"]["parameters"]["n"]), tag

                def write_stack(number, tag):
                    return patient(port, "PATCH", stack.place, json.dumps({"parameters": {"n": number}}),
                                   headers={"Content-Type": "application/json", "If-Match": tag})

                trees = counters(port, given.rounds, read_tree, write_tree)
                stacks = counters(port, given.rounds, read_stack, write_stack)
        print(f"concurrent: {given.store}: {count} writes to one bucket; {trees[0]} to one tree and {stacks[0]} to one stack, "
              f"where {trees[1]} and {stacks[1]} were told that somebody was faster")
    finally:
        if server:
            server.close()


main()
