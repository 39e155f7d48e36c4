#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Requests that are too large, or that become so when they are unpacked: each has its status, and memory stays bounded.

usage: oversized.py STRATA [--rounds N]
"""
import argparse
import gzip
import io
import json
import re
import socket
import zipfile

from writing import HANGS, Service, send

MIB = 1 << 20


def memory(process):
    """MiB that the process has had at most."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) // 1024


def raw(port, head, pieces=()):
    """The status for bytes of which the service may refuse the rest. 0: it closed without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANGS) as connection:
        try:
            connection.sendall(head)
            for piece in pieces:
                connection.sendall(piece)
        except OSError:
            pass  # It has said what it wants to.
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except OSError:
            pass
    statuses = re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer)
    assert len(statuses) <= 1, answer
    return int(statuses[0]) if statuses else 0


def bombs():
    zeros = gzip.compress(bytes(300 * MIB), 9)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as one:
        for i in range(20):
            one.writestr(f"f{i}", bytes(50 * MIB))
    deep = "[" * 500_000
    aliases = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(12))
    yaml = {"Content-Type": "application/x-yaml"}
    data = {"Content-Type": "application/json"}
    bucket = "/api/v1.0/buckets/b/documents"
    document = "schema: a/B/v1\nmetadata: {schema: metadata/Document/v1, name: n, layeringDefinition: {layer: site}}\ndata:\n"
    yield "gzip of 300 MiB", ("PUT", bucket, zeros, {**yaml, "Content-Encoding": "gzip"}), {413}
    yield "gzip for Heat", ("POST", "/v1/p/stacks", zeros, {**data, "Content-Encoding": "gzip"}), {400, 413}
    yield "tar.gz of 300 MiB", ("PUT", "/strata/v1/sites/s/tree", zeros, {"Content-Type": "application/gzip"}), {413, 422, 400}
    yield "zip of 1,000 MiB", ("PUT", "/strata/v1/sites/s/tree", archive.getvalue(), {"Content-Type": "application/zip"}), {413, 422}
    yield "nested JSON", ("POST", "/strata/v1/evaluate/hiera", deep, data), {400, 413, 422}
    yield "nested JSON for Heat", ("POST", "/v1/p/stacks", deep, data), {400}
    yield "nested YAML", ("PUT", bucket, document + "  a: " + deep, yaml), {400, 413}
    yield "aliases", ("PUT", bucket, document + "".join(f"  {line}\n" for line in aliases.splitlines()), yaml), {400, 413}
    yield "aliases of cloud-init", ("POST", "/strata/v1/evaluate/cloud-init", json.dumps({"files": {"a.yaml": "#cloud-config\n" + aliases}, "options": {"args": ["a.yaml"]}}), data), {400, 413, 422}
    yield "aliases of Hiera", ("POST", "/strata/v1/evaluate/hiera",
                               json.dumps({"files": {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": aliases}, "options": {"hiera-config": "hiera.yaml"}}), data), {200, 400, 413, 422}
    yield "an environment of aliases", ("POST", "/v1/p/stacks", json.dumps({"stack_name": "a", "template": {"heat_template_version": "2018-08-31"},
                                                                             "environment": "parameter_defaults:\n" + "".join(f"  {line}\n" for line in aliases.splitlines())}), data), {400}
    yield "a pattern that runs away", ("PUT", bucket, "---\nschema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: a/B/v1}\ndata: {type: string, pattern: '^(a+)+$'}\n---\n"
                                       "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: [site]}\n---\n"
                                       + document[:-1] + f" {'a' * 40}!\n", yaml), {200, 400}
    yield "rendering it", ("GET", "/api/v1.0/revisions/1/rendered-documents", None, {}), {200, 400, 404}
    yield "a search that runs away", ("GET", "/strata/v1/sites/s/search?q=re:%5E(a%2B)%2B%24", None, {}), {404, 422, 200}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    with Service(given.strata) as service:
        port, process = service.port, service.process.pid
        send(port, "PUT", "/strata/v1/sites/s", '{"dialect": "hiera"}', {"Content-Type": "application/json"})
        count = 0
        for _ in range(given.rounds):
            host = b"Host: a\r\n"
            for name, status, head, pieces in [
                ("a line", 414, b"GET /" + b"a" * 100_000, ()),
                ("a header", 431, b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * MIB, ()),
                ("a million headers", 431, b"GET / HTTP/1.1\r\n" + host, (b"X: y\r\n" * 1000 for _ in range(1000))),
                ("a body that says so", 413, b"PUT /api/v1.0/buckets/b/documents HTTP/1.1\r\n" + host + b"Content-Length: 9999999999\r\n\r\n", ()),
                ("chunks without end", 413, b"PUT /api/v1.0/buckets/b/documents HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n",
                 (b"10000\r\n" + b"x" * 65536 + b"\r\n" for _ in range(1000))),
                ("an extension of a chunk", 400, b"PUT /api/v1.0/buckets/b/documents HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n5;",
                 (b"x" * 65536 for _ in range(100))),
                ("trailers without end", 400, b"PUT /api/v1.0/buckets/b/documents HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n",
                 (b"X: " + b"y" * 65536 + b"\r\n" for _ in range(100))),
            ]:
                got = raw(port, head, pieces)
                # A client that goes on sending may lose the answer with its connection.
                assert got in (status, 0), f"{name}: {got}, not {status}"
                count += 1
            for name, request, statuses in bombs():
                method, path, body, headers = request
                got, text = send(port, method, path, body, headers, seconds=HANGS)
                assert got in statuses, f"{name}: {got} {text[:500]}"
                assert send(port, "GET", "/healthz")[0] == 200
                count += 1
            assert memory(process) < 2500, f"{memory(process)} MiB"
        print(f"oversized: {count} requests that are too large were refused, with {memory(process)} MiB of memory at most")


main()
