"""Clients that write to a service while it is disturbed, and the comparison of what they were told with what is there.

Nothing lost: every write that was answered with success is there, whole, once; none that was refused is. A write without an answer is repeated with
its Idempotency-Key until it has one.
"""
import http.client
import os
import random
import socket
import sys
import threading
import time

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from serving import HANGS, Service  # noqa: E402,F401  (for those who import this)

POLICY = """---
schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [site]}
"""


class NoAnswer(Exception):
    """The connection broke, or the service was not there."""


def send(port, method, target, body=None, headers=None, seconds=30):
    """Status and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request(method, target, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException, socket.timeout) as error:
        raise NoAnswer(str(error)) from error
    finally:
        connection.close()


class Writer(threading.Thread):
    """Writes the numbers 1, 2, … into a bucket of its own, one after the other. `ports`: of the replicas, any of which takes a write."""

    def __init__(self, name, ports, seed):
        super().__init__(daemon=True)
        self.bucket, self.ports = name, ports
        self.random = random.Random(f"{seed} {name}")
        self.answered = {}  # number -> revision
        self.refused = {}  # status -> how often
        self.tries = 0
        self.ends = threading.Event()
        self.failure = None

    def document(self, number):
        text = f"---\nschema: example/Count/v1\nmetadata: {{schema: metadata/Document/v1, name: {self.bucket}, storagePolicy: cleartext, layeringDefinition: {{layer: site}}}}\n"
        # Large enough to be more than one page of the database.
        return text + f"data: {{number: {number}, text: {'x' * (number * 37 % 9000)}}}\n"

    def run(self):
        try:
            number = 0
            while not self.ends.is_set():
                number += 1
                self.write(number)
        except Exception as failure:  # noqa: BLE001  told by the main thread
            self.failure = failure

    def write(self, number):
        headers = {"Content-Type": "application/x-yaml", "Idempotency-Key": f"{self.bucket} {number}"}
        end = time.monotonic() + HANGS
        while True:
            self.tries += 1
            try:
                status, body = send(self.random.choice(self.ports), "PUT", f"/api/v1.0/buckets/{self.bucket}/documents", self.document(number), headers)
            except NoAnswer:
                status = 0
            if status == 200:
                self.answered[number] = yaml.safe_load(body)["status"]["revision"]
                return
            self.refused[status] = self.refused.get(status, 0) + 1
            if status not in (0, 409, 429, 502, 503, 504, 507):
                raise AssertionError(f"{self.bucket} {number}: {status} {body}")
            if time.monotonic() > end:
                raise AssertionError(f"{self.bucket} {number}: no success for {HANGS} s, the last answer was {status}")
            time.sleep(0.02)


def check(port, writers):
    """Compares. Returns how many writes there were."""
    for writer in writers:
        if writer.failure:
            raise writer.failure
    status, body = send(port, "GET", "/api/v1.0/revisions", seconds=HANGS)
    assert status == 200, body
    listed = yaml.safe_load(body)
    numbers = [one["id"] for one in listed["results"]]
    assert numbers == list(range(1, len(numbers) + 1)), "the revisions have gaps"
    told = {}
    for writer in writers:
        assert sorted(writer.answered) == list(range(1, len(writer.answered) + 1))
        order = [writer.answered[number] for number in sorted(writer.answered)]
        assert order == sorted(order), f"{writer.bucket}: revisions in another order than the writes: {order}"
        for number, revision in writer.answered.items():
            assert revision not in told, f"revision {revision} was told twice: {told[revision]} and {writer.bucket} {number}"
            told[revision] = (writer.bucket, number)
    # Only the first revision, of the policy, is of nobody here.
    missing = set(told) - set(numbers)
    assert not missing, f"answered with success, and not there: {sorted(missing)}"
    doubled = set(numbers) - set(told) - {1}
    assert not doubled, f"there, and nobody's: {sorted(doubled)}"
    for revision, (bucket, number) in sorted(told.items()):
        status, body = send(port, "GET", f"/api/v1.0/revisions/{revision}/documents?status.bucket={bucket}", seconds=HANGS)
        assert status == 200, body
        [document] = list(yaml.safe_load_all(body))
        assert document["data"]["number"] == number, f"revision {revision} of {bucket} holds {document['data']['number']}, not {number}"
        assert len(document["data"]["text"] or "") == number * 37 % 9000, f"revision {revision} of {bucket} is not whole"
    return len(told)


def begin(port):
    status, body = send(port, "PUT", "/api/v1.0/buckets/policy/documents", POLICY, {"Content-Type": "application/x-yaml"})
    assert status == 200, body
