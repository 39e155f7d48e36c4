# SPDX-License-Identifier: Apache-2.0
"""Clients that write to a service while it is disturbed, and the comparison of what they were told with what is there.

Nothing lost: every write that was answered with success is there, whole, once; none that was refused is. A write without an answer is repeated with
its Idempotency-Key until it has one.
"""
import http.client
import json
import os
import random
import socket
import subprocess
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

    def attempt(self, number):
        """Status and body of one attempt to write a number."""
        headers = {"Content-Type": "application/x-yaml", "Idempotency-Key": f"{self.bucket} {number}"}
        return send(self.random.choice(self.ports), "PUT", f"/api/v1.0/buckets/{self.bucket}/documents", self.document(number), headers)

    def note(self, number, body):
        self.answered[number] = yaml.safe_load(body)["status"]["revision"]

    def write(self, number):
        end = time.monotonic() + HANGS
        while True:
            self.tries += 1
            try:
                status, body = self.attempt(number)
            except NoAnswer:
                status, body = 0, ""
            if 200 <= status < 300:
                self.note(number, body)
                return
            self.refused[status] = self.refused.get(status, 0) + 1
            if status not in (0, 409, 429, 502, 503, 504, 507):
                raise AssertionError(f"{self.bucket} {number}: {status} {body}")
            if time.monotonic() > end:
                raise AssertionError(f"{self.bucket} {number}: no success for {HANGS} s, the last answer was {status}")
            time.sleep(0.02)


class JsonWriter(Writer):
    """A writer of something else than buckets: `make` it once, write the numbers, and `compare` in the end."""

    def json(self, method, path, body, headers=None):
        return send(self.random.choice(self.ports), method, path, json.dumps(body), {"Content-Type": "application/json", **(headers or {})})

    def note(self, number, body):
        self.answered[number] = number


class TreeWriter(JsonWriter):
    """Writes the numbers into a file of an upload: each makes a generation."""

    def make(self):
        site = f"/strata/v1/sites/{self.bucket}"
        assert self.json("PUT", site, {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}})[0] == 201
        assert self.json("PUT", site + "/tree", {"files": {"hiera.yaml": "version: 5\n"}})[0] == 201

    def attempt(self, number):
        return self.json("PATCH", f"/strata/v1/sites/{self.bucket}/tree", {"changes": [{"path": "number", "text": str(number)}]},
                         {"Idempotency-Key": f"{self.bucket} {number}"})

    def compare(self, port):
        status, body = send(port, "GET", f"/strata/v1/sites/{self.bucket}")
        assert status == 200, body
        assert json.loads(body)["generation"] == len(self.answered) + 1, f"{self.bucket}: {body}, and {len(self.answered)} writes were answered"
        if self.answered:
            assert send(port, "GET", f"/strata/v1/sites/{self.bucket}/files/number") == (200, str(max(self.answered)))


class StackWriter(JsonWriter):
    """Writes the numbers as a parameter of a stack."""

    TEMPLATE = {"heat_template_version": "2018-08-31", "parameters": {"n": {"type": "number", "default": 0}}}

    def make(self):
        status, body = self.json("POST", "/v1/default/stacks", {"stack_name": self.bucket, "template": self.TEMPLATE})
        assert status == 201, body
        self.place = f"/v1/default/stacks/{self.bucket}/{json.loads(body)['stack']['id']}"

    def attempt(self, number):
        return self.json("PATCH", self.place, {"parameters": {"n": number}}, {"Idempotency-Key": f"{self.bucket} {number}"})

    def compare(self, port):
        status, body = send(port, "GET", self.place)
        assert status == 200, body
        shown = json.loads(body)["stack"]["parameters"]["n"]
        assert shown == str(max(self.answered, default=0)), f"{self.bucket} has {shown}, and {max(self.answered, default=0)} was answered"
        status, body = send(port, "GET", self.place + "/events?limit=1000")
        assert status == 200, body
        done = [one for one in json.loads(body)["events"] if one["resource_status"].endswith("_COMPLETE")]
        # The last hundred events are kept, two for each write; the first is that of the creation.
        assert len(done) == min(len(self.answered) + 1, 50), f"{self.bucket}: {len(done)} events, and {len(self.answered)} writes were answered"


class TagWriter(JsonWriter):
    """Writes the numbers as the data of a tag of the first revision."""

    def make(self):
        pass

    def attempt(self, number):
        return send(self.random.choice(self.ports), "POST", f"/api/v1.0/revisions/1/tags/{self.bucket}", f"{{number: {number}}}",
                    {"Content-Type": "application/x-yaml", "Idempotency-Key": f"{self.bucket} {number}"})

    def compare(self, port):
        status, body = send(port, "GET", f"/api/v1.0/revisions/1/tags/{self.bucket}")
        if not self.answered:
            assert status == 404, body
            return
        assert status == 200 and yaml.safe_load(body) == {self.bucket: {"number": max(self.answered)}}, f"{self.bucket}: {body}, not {max(self.answered)}"


def other_writers(ports, seed):
    """One of each kind, made at the first of the ports."""
    writers = [TreeWriter("tree", ports, seed), StackWriter("stack", ports, seed), TagWriter("tag", ports, seed)]
    for writer in writers:
        writer.make()
    return writers


def check(port, writers):
    """Compares. Returns how many writes there were."""
    for writer in writers:
        if writer.failure:
            raise writer.failure
    others = [writer for writer in writers if isinstance(writer, JsonWriter)]
    for writer in others:
        assert sorted(writer.answered) == list(range(1, len(writer.answered) + 1))
        writer.compare(port)
    writers = [writer for writer in writers if writer not in others]
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
    return len(told) + sum(len(writer.answered) for writer in others)


def check_store(strata, address):
    """`strata store check` of a store that nobody uses."""
    run = subprocess.run([os.path.abspath(strata), "store", "check", "--store", address], capture_output=True, text=True, timeout=HANGS, check=False)
    assert run.returncode == 0, f"the store is not sound: {run.stdout}{run.stderr}"


def begin(port):
    status, body = send(port, "PUT", "/api/v1.0/buckets/policy/documents", POLICY, {"Content-Type": "application/x-yaml"})
    assert status == 200, body
