#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sends random changes of requests: no crash, no hang, no second answer for what was refused, no answer that blames the service.

usage: malformed.py STRATA [--rounds N] [--seed N]    N: hundreds of requests
"""
import argparse
import random
import re
import socket

from writing import HANGS, Service, send

REQUESTS = [
    b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /strata/v1/sites?limit=3&page=313a61 HTTP/1.1\r\nHost: a:80\r\nAccept: application/yaml\r\nAccept-Encoding: gzip\r\n\r\n",
    b"PUT /api/v1.0/buckets/b/documents HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-yaml\r\nContent-Length: 5\r\n\r\na: 1\n",
    b"POST /v1/p/stacks HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"POST /v1/p/validate?show_nested=True HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}",
    b"GET http://a/cloud-init/n/strata_x_y/meta-data HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer strata_x_y\r\n\r\n",
    b"PATCH /strata/v1/sites/s/tree HTTP/1.1\r\nHost: a\r\nContent-Type: application/yaml\r\nIf-Match: \"1\"\r\nContent-Length: 12\r\n\r\nchanges: []\n",
    b"GET /hiera/s/n/a%2Fb?var.a=b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    b"GET /strata/v1/sites/s/watch?node=*&key=a HTTP/1.1\r\nHost: a\r\nLast-Event-ID: default:1\r\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n\r\n",
    b"PUT /strata/v1/sites/s/tree HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 72\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n1\r\n--x--",
    b"OPTIONS * HTTP/1.1\r\nHost: a\r\nForwarded: for=\"[::1]:1\";proto=https\r\n\r\n",
]
PIECES = [b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b"%", b"%00", b"%2e%2e/", b"/", b"?", b"#", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n",
          b"Host: b\r\n", b"-1", b"9" * 30, b"\xff\xfe", b"\xc3\xa9", b"\"", b",", b";", b"HTTP/1.1", b"Connection: close\r\n", b"0\r\n\r\n", b"FFFFFFFF\r\n", b"a" * 300]


def changed(chance, request):
    out = bytearray(request)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(out) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            out[at:at] = chance.choice(PIECES)
        elif kind == 1:
            del out[at:at + chance.randint(1, 8)]
        elif kind == 2 and at < len(out):
            out[at] = chance.randrange(256)
        elif kind == 3:
            other = chance.choice(REQUESTS)
            out[at:] = other[chance.randrange(len(other)):]
        else:
            out[at:at] = out[chance.randrange(len(out) + 1):][:chance.randint(1, 40)]
    return bytes(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    with Service(given.strata) as service:
        send(service.port, "PUT", "/strata/v1/sites/s", '{"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}', {"Content-Type": "application/json"})
        send(service.port, "PUT", "/strata/v1/sites/s/tree", '{"files": {"hiera.yaml": "version: 5\\n"}}', {"Content-Type": "application/json"})
        seen = {}
        for number in range(100 * given.rounds):
            data = b"".join(changed(chance, chance.choice(REQUESTS)) for _ in range(chance.randint(1, 3)))
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as connection:
                try:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                answer = b""
                try:
                    while piece := connection.recv(65536):
                        answer += piece
                        if b"text/event-stream" in answer:
                            break  # Goes on for ever, and is right to.
                except OSError:
                    pass
            statuses = [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d) [A-Z]", answer)]
            for status in statuses:
                seen[status] = seen.get(status, 0) + 1
                assert status < 500 or status in (501, 505), f"{data}\n{answer}"
            # What was refused because it is malformed is the last that was answered.
            refused = [i for i, head in enumerate(answer.split(b"HTTP/1.1 ")[1:]) if b"Connection: close" in head.split(b"\r\n\r\n")[0]]
            assert not refused or refused[0] == len(statuses) - 1, f"{data}\n{answer}"
            if number % 50 == 0:
                assert send(service.port, "GET", "/healthz")[0] == 200
        assert service.process.poll() is None
        print(f"malformed: {100 * given.rounds} changed requests: {dict(sorted(seen.items()))}")


main()
