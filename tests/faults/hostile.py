#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sends what is hostile to the commands (bombs, depth, cycles, patterns that run away) through every face of a service: each request ends with an error of the
input, in time; others are answered meanwhile, and the process lives within its memory.

usage: hostile.py STRATA [--rounds N]
"""
import argparse
import io
import json
import os
import tarfile
import tempfile
import threading
import time
import zipfile

from writing import HANGS, NoAnswer, Service, send

JSON = {"Content-Type": "application/json"}
YAML = {"Content-Type": "application/x-yaml"}
API = "/strata/v1"
MEMORY = 6 << 30  # Bytes: several requests at once, each of which may take 1 GiB.

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12))
DEEP = "[" * 200_000
DEEP_YAML = "".join(" " * i + "a:\n" for i in range(3000))
RUNAWAY = "(a+)+(b+)+(a|b|ab)*$"
LONG = "ab" * 20_000 + "!"


def site(files, **more):
    return {"files": files, **more}


def hiera(data, hierarchy="[{name: c, path: c.yaml}]"):
    return site({"hiera.yaml": f"version: 5\nhierarchy: {hierarchy}\n", "data/c.yaml": data}, options={"hiera-config": "hiera.yaml"})


def tar_of(name, size):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        one = tarfile.TarInfo(name)
        one.size = size
        tar.addfile(one, io.BytesIO(bytes(size)))
    return out.getvalue()


def zip_of(count):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for i in range(count):
            packed.writestr(f"{i}/data", b"\0" * (8 << 20))
    return out.getvalue()


def document(data, more=""):
    return ("---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site]}\n"
            f"---\nschema: example/Kind/v1\nmetadata: {{schema: metadata/Document/v1, name: a, layeringDefinition: {{layer: site}}{more}}}\ndata: {data}\n")


def stack(template="heat_template_version: 2018-08-31\n", **more):
    return {"stack_name": "s", "template": template, "environment": {}, **more}


def pattern(text):
    return {"heat_template_version": "2018-08-31", "parameters": {"p": {"type": "string", "constraints": [{"allowed_pattern": text}]}}}


SCHEMA = ("---\nschema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: example/Kind/v1}\n"
          f"data: {{$schema: 'http://json-schema.org/schema#', type: object, properties: {{t: {{type: string, pattern: '^{RUNAWAY}'}}}}}}\n")

# What, method, path, body, headers, and whether the answer may be a success: the work is bounded, and done.
INPUTS = [
    ("hiera: aliases", "POST", f"{API}/evaluate/hiera", hiera(BOMB), JSON, True),
    ("hiera: depth", "POST", f"{API}/evaluate/hiera", hiera(DEEP_YAML), JSON, False),
    ("hiera: a lookup of itself", "POST", f"{API}/evaluate/hiera", hiera("a: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n"), JSON, False),
    ("hiera: lookups that double", "POST", f"{API}/evaluate/hiera",
     hiera("k0: xxxxxxxxxxxxxxxx\n" + "".join(f"k{i}: \"%{{lookup('k{i - 1}')}}%{{lookup('k{i - 1}')}}\"\n" for i in range(1, 64))), JSON, False),
    ("hiera: a pattern of lookup_options", "POST", f"{API}/evaluate/hiera", hiera(f"{LONG}: 1\nlookup_options: {{'^{RUNAWAY}': {{merge: deep}}}}\n"), JSON, True),
    ("hiera: a script", "POST", f"{API}/evaluate/hiera",
     {**hiera("a: 1", "[{name: l, data_hash: 'lua::run', path: c.yaml}]"), "files": {**hiera("a: 1", "[{name: l, data_hash: 'lua::run', path: c.yaml}]")["files"],
                                                                                     "run.lua": "while true do end"}}, JSON, True),
    ("cloud-init: aliases", "POST", f"{API}/evaluate/cloud-init", site({"base.cfg": "{}\n", "a.yaml": "#cloud-config\n" + BOMB}, options={"base": "base.cfg", "args": ["a.yaml"]}), JSON, True),
    ("cloud-init: a template", "POST", f"{API}/evaluate/cloud-init",
     site({"base.cfg": "{}\n", "a.yaml": "## template: jinja\n#cloud-config\n{% for i in range(1000000000) %}x{% endfor %}\n", "data.json": "{}"},
          options={"base": "base.cfg", "args": ["a.yaml"], "instance-data": "data.json"}), JSON, True),
    ("cloud-init: parts in parts", "POST", f"{API}/evaluate/cloud-init",
     site({"base.cfg": "{}\n", "a.yaml": "".join(f'Content-Type: multipart/mixed; boundary="b{i}"\n\n--b{i}\n' for i in range(3000))}, options={"base": "base.cfg", "args": ["a.yaml"]}),
     JSON, True),
    ("inventory: references in a ring", "POST", f"{API}/evaluate/inventory", site({"nodes/a.yml": "parameters: {a: '${b}', b: '${a}'}\n"}, node="a"), JSON, False),
    ("inventory: classes in a ring", "POST", f"{API}/evaluate/inventory", site({"nodes/a.yml": "classes: [a]\n", "classes/a.yml": "classes: [b]\n", "classes/b.yml": "classes: [a]\n"}, node="a"),
     JSON, True),
    ("heat: aliases", "POST", f"{API}/evaluate/heat", site({"t.yaml": "heat_template_version: 2018-08-31\n" + BOMB, "e.yaml": BOMB}, options={"template": "t.yaml", "args": ["-e", "e.yaml"]}), JSON, False),
    ("deckhand: aliases", "POST", f"{API}/evaluate/deckhand", site({"a.yaml": document("{}") + "---\n" + BOMB}, options={"args": ["a.yaml"]}), JSON, False),
    ("deckhand: a ring of substitutions", "POST", f"{API}/evaluate/deckhand", site({"a.yaml": document(
        "{x: 1}", ", substitutions: [{src: {schema: example/Kind/v1, name: a, path: .x}, dest: {path: .x}}]")}, options={"args": ["a.yaml"]}), JSON, False),
    ("deckhand: a path that makes much", "POST", f"{API}/evaluate/deckhand", site({"a.yaml": document(
        "{x: 1}", ", substitutions: [{src: {schema: example/Kind/v1, name: a, path: .x}, dest: {path: '.y[999999999]'}}]")}, options={"args": ["a.yaml"]}), JSON, False),
    ("a body: depth", "POST", f"{API}/evaluate/hiera", DEEP, JSON, False),
    ("a body of YAML: aliases", "POST", f"{API}/evaluate/hiera", BOMB, YAML, False),
    ("buckets: aliases", "PUT", "/api/v1.0/buckets/b/documents", document("{}") + "---\n" + BOMB, YAML, False),
    ("buckets: depth", "PUT", "/api/v1.0/buckets/b/documents", "---\n" + DEEP, YAML, False),
    ("buckets: a pattern of a schema", "PUT", "/api/v1.0/buckets/b/documents", SCHEMA + document(json.dumps({"t": LONG})), YAML, True),
    ("stacks: a template with aliases", "POST", "/v1/default/stacks", stack("heat_template_version: 2018-08-31\n" + BOMB), JSON, False),
    ("stacks: an environment with aliases", "POST", "/v1/default/stacks", stack(environment=BOMB), JSON, False),
    ("stacks: depth", "POST", "/v1/default/stacks", '{"stack_name": "s", "template": ' + DEEP, JSON, False),
    ("stacks: a pattern", "POST", "/v1/default/stacks", stack(pattern(RUNAWAY), parameters={"p": LONG}), JSON, False),
    ("a search: a pattern", "GET", f"{API}/sites/up/search?q=re:{RUNAWAY.replace('+', '%2B').replace('|', '%7C')}", None, {}, True),
    ("an upload: zeros", "PUT", f"{API}/sites/up/tree", tar_of("zero", 1 << 30), {}, False),
    ("an upload: zeros in a zip", "PUT", f"{API}/sites/up/tree", zip_of(160), {}, False),
    ("an analysis of a bomb", "POST", f"{API}/sites/up/impact", {"changes": [{"path": "data/c.yaml", "text": BOMB}]}, JSON, True),
    ("a check of a bomb", "POST", f"{API}/sites/up/check", {"changes": [{"path": "data/c.yaml", "text": BOMB}]}, JSON, True),
    ("the explorer: a draft with a bomb", "POST", f"{API}/explore/projects/up/effects", {"changes": [{"path": "data/c.yaml", "text": BOMB}]}, JSON, True),
]


class Others(threading.Thread):
    """A client that asks for small things all the time."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.count, self.failure = port, 0, None
        self.ends = threading.Event()

    def run(self):
        try:
            while not self.ends.is_set():
                for path, wanted in (("/healthz", "ok\n"), (f"{API}/sites/up/nodes/default/values/small", None)):
                    status, body = send(self.port, "GET", path, seconds=HANGS)
                    # There may be too much to do for a moment, which is told.
                    if status == 503:
                        continue
                    assert status == 200 and (wanted is None or body == wanted), f"{path}: {status} {body}"
                    self.count += 1
        except Exception as failure:  # noqa: BLE001  told by the main thread
            self.failure = failure


def resident(process):
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        [line] = [line for line in file if line.startswith("VmHWM")]
    return int(line.split()[1]) << 10


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with Service(given.strata, folder=folder) as service:
            assert send(service.port, "PUT", f"{API}/sites/up", json.dumps({"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}), JSON)[0] == 201
            files = {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": f"small: 1\nlong: {LONG}\n"}
            assert send(service.port, "PUT", f"{API}/sites/up/tree", json.dumps({"files": files}), JSON)[0] == 201
            others = [Others(service.port) for _ in range(2)]
            for one in others:
                one.start()
            slowest = 0
            for _ in range(given.rounds):
                for what, method, path, body, headers, may_succeed in INPUTS:
                    before = sum(one.count for one in others)
                    began = time.monotonic()
                    sent = json.dumps(body) if isinstance(body, dict) else body
                    try:
                        status, text = send(service.port, method, path, sent, headers, seconds=HANGS)
                    except NoAnswer as error:
                        raise AssertionError(f"{what}: no answer: {error}") from error
                    slowest = max(slowest, time.monotonic() - began)
                    assert service.process.poll() is None, f"{what}: the process ended"
                    # An error that is told of the input, or of its limits; never one of the service.
                    assert status in (400, 404, 409, 413, 422, 504) or (may_succeed and status < 300), f"{what}: {status} {text[:500]}"
                    assert len(text) < 64 << 20, f"{what}: an answer of {len(text)} bytes"
                    end = time.monotonic() + HANGS
                    while sum(one.count for one in others) <= before:
                        assert all(one.failure is None for one in others), f"{what}: {[one.failure for one in others]}"
                        assert time.monotonic() < end, f"{what}: others are not answered"
                        time.sleep(0.01)
            for one in others:
                one.ends.set()
            for one in others:
                one.join(HANGS)
            assert all(one.failure is None for one in others), [one.failure for one in others]
            peak = resident(service.process.pid)
            assert peak < MEMORY, f"the process took {peak >> 20} MiB"
            assert send(service.port, "GET", "/readyz")[0] == 200
            print(f"hostile: {given.rounds * len(INPUTS)} inputs, the slowest {slowest:.1f} s, {sum(one.count for one in others)} others answered, "
                  f"{peak >> 20} MiB at most, {os.path.basename(given.strata)} lives")


main()
