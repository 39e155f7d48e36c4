#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve` and HTTP/1.1: what is refused, what connections do, how the service ends.

usage: serve_http_test.py STRATA
"""
import gzip
import json
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"

# What a server must not answer as if it were right: name, bytes, status.
MALFORMED = [
    ("no host", b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    ("two hosts", b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("an empty host", b"GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("a port that is none", b"GET /healthz HTTP/1.1\r\nHost: localhost:abc\r\n\r\n", 400),
    ("a port beyond all", b"GET /healthz HTTP/1.1\r\nHost: localhost:123456\r\n\r\n", 400),
    ("two ports", b"GET /healthz HTTP/1.1\r\nHost: a:1:2\r\n\r\n", 400),
    ("a port without a host", b"GET /healthz HTTP/1.1\r\nHost: :80\r\n\r\n", 400),
    ("an address without its end", b"GET /healthz HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
    ("a path to the parent as a project", b"GET /p/../healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("the same in digits", b"GET /p/%2e%2E/healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("a host that is none", b"GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    ("another transfer encoding", b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ("two transfer encodings", b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("chunked twice", b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
    ("a list of lengths", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello", 400),
    ("two lengths", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400),
    ("equal lengths", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
    ("a length with a sign", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello", 400),
    ("a negative length", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
    ("a hexadecimal length", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello", 400),
    ("an empty length", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
    ("a length beyond all", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", 400),
    ("length and encoding", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("encoding in 1.0", b"POST /healthz HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("a folded header", b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400),
    ("a blank before the colon", b"GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    ("a blank before a name", b"GET /healthz HTTP/1.1\r\n Host: a\r\n\r\n", 400),
    ("a header without colon", b"GET /healthz HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n", 400),
    ("a header without name", b"GET /healthz HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400),
    ("a zero byte in a value", b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
    ("a zero byte in the target", b"GET /he\0althz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("a bare carriage return", b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400),
    ("a bare line feed", b"GET /healthz HTTP/1.1\nHost: a\r\n\r\n", 400),
    ("another host in the target", b"GET http://b/healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("a target that is an authority", b"GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("an unknown method", b"BREW /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    ("CONNECT", b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    ("TRACE", b"TRACE /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    ("another version", b"GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("no version", b"GET /healthz\r\n\r\n", 400),
    ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    ("another expectation", b"GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
    ("a chunk that is none", b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n", 400),
    ("a chunk beyond all", b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", 400),
    ("a chunk without end", b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n", 400),
    ("line feeds alone", b"GET /healthz HTTP/1.1\nHost: a\n\n", 400),
    ("chunks with line feeds alone", b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n", 400),
    ("a long first line", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414),
    ("a first line without end", b"G" * 30000, 414),
    ("many headers", b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 101 + b"\r\n", 431),
    ("long headers", b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 17000 + b"\r\n\r\n", 431),
    ("headers without end", b"GET /healthz HTTP/1.1\r\n" + b"X: yyyyyyyyyyyyyyyyyyyy\r\n" * 2000, 431),
    ("a body that is too large", b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", 413),
    ("broken percent encoding", b"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("a path that is not UTF-8", b"GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("a zero byte in the path", b"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("words for a time", b"GET /healthz HTTP/1.1\r\nHost: a\r\nStrata-Timeout: abc\r\n\r\n", 400),
    ("no time", b"GET /healthz HTTP/1.1\r\nHost: a\r\nStrata-Timeout: 0\r\n\r\n", 400),
    ("a negative time", b"GET /healthz HTTP/1.1\r\nHost: a\r\nStrata-Timeout: -1\r\n\r\n", 400),
    ("a part of a second", b"GET /healthz HTTP/1.1\r\nHost: a\r\nStrata-Timeout: 0.5\r\n\r\n", 400),
    ("an empty time", b"GET /healthz HTTP/1.1\r\nHost: a\r\nStrata-Timeout:\r\n\r\n", 400),
    ("a query that is not UTF-8", b"GET /healthz?a=%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
]


def statuses(answer):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer)]


class Http(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(STRATA)
        cls.service.start()

    @classmethod
    def tearDownClass(cls):
        status = cls.service.stop()
        cls.service.temporary.cleanup()
        assert status == 0, status

    def test_refuses_what_is_malformed_once_and_closes(self):
        for name, data, status in MALFORMED:
            # A second request behind it must not be answered: where it begins is not known.
            follower = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
            with self.subTest(name):
                answer = self.service.raw(data + (follower if data.endswith(b"\r\n\r\n") else b""))
                self.assertEqual(statuses(answer), [status], answer)
                self.assertIn(b"Connection: close", answer)
                head, body = answer.split(b"\r\n\r\n", 1)
                self.assertIn(b"application/problem+json", head)
                self.assertEqual(json.loads(body)["status"], status)
        self.assertEqual(self.service.request("GET", "/healthz")[0], 200)

    def test_each_face_refuses_in_its_own_form(self):
        import yaml
        for path in ("/api/v1.0/revisions/1/tags/%ff", "/api/v1.0/revisions?tag=%ff", "/api/v1.0/buckets/%00/documents", "/p/x/api/v1.0/revisions/%zz"):
            status, headers, text = self.service.request("GET", path)
            self.assertEqual((status, headers["content-type"]), (400, "application/x-yaml"), text)
            body = yaml.safe_load(text)
            self.assertEqual((body["code"], body["details"]["errorType"], body["apiVersion"]), ("400 Bad Request", "HTTPBadRequest", "v1.0"))
            self.assertEqual(headers["x-deckhand-req"], "req-" + headers["strata-request-id"])
        for path in ("/v1/p1/stacks/%ff", "/v1/p1/stacks?limit=%ff", "/v1/%00/stacks"):
            status, headers, text = self.service.request("GET", path)
            self.assertEqual((status, headers["content-type"]), (400, "application/json"), text)
            self.assertEqual(json.loads(text)["error"]["type"], "HTTPBadRequest")
        status, headers, text = self.service.request("GET", "/cloud-init/%ff/meta-data")
        self.assertEqual((status, headers["content-type"], text.count("\n")), (400, "text/plain; charset=utf-8", 1), text)
        status, headers, text = self.service.request("GET", "/strata/v1/sites/%ff", headers={"X-Request-Id": "mine"})
        self.assertEqual((status, headers["strata-request-id"], json.loads(text)["code"]), (400, "mine", "request.path"))
        # What is wrong with the head is told so, too.
        answer = self.service.raw(b"GET /api/v1.0/revisions HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n")
        self.assertIn(b"Content-Type: application/x-yaml", answer)

    def test_methods_of_a_path(self):
        for path, methods in (("/healthz", "GET, HEAD, OPTIONS"), ("/strata/v1/sites/a/tree", "PUT, PATCH, OPTIONS"), ("/strata/v1/sites/a", "GET, HEAD, PUT, OPTIONS")):
            for method, status in (("OPTIONS", 204), ("DELETE", 405)):
                answer = self.service.request(method, path)
                self.assertEqual(answer[0], status, (path, answer))
                self.assertEqual(sorted(answer[1]["allow"].split(", ")), sorted(methods.split(", ")), path)

    def test_hosts_as_they_are_written(self):
        for host in (b"a", b"a.example:80", b"127.0.0.1:", b"[::1]", b"[::1]:8787", b"A_b-c~d.example"):
            self.assertEqual(statuses(self.service.raw(b"GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: " + host + b"\r\n\r\n")), [200], host)

    def test_options_of_the_whole_server(self):
        answer = self.service.raw(b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nGET * HTTP/1.1\r\nHost: a\r\n\r\n")
        self.assertEqual(statuses(answer), [204, 400])
        self.assertIn(b"Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n", answer)

    def test_times_that_clients_wait(self):
        for time in ("1", "5", "30", "86400", "99999999999999999999999"):
            self.assertEqual(self.service.request("GET", "/strata/v1/sites", headers={"Strata-Timeout": time})[0], 200, time)

    def test_listeners_know_their_faces(self):
        for words, hint in (("faces=foo", "deckhand, explorer, heat"), ("faces=strata+heet", "heat"), ("faces=", "deckhand"), ("faces=heat+", "deckhand"),
                            ("faces=Heat", "heat")):
            run = subprocess.run([STRATA, "serve", "--check", "--listen", f"127.0.0.1:0,{words}", "--store", "sqlite:" + self.service.folder + "/other.db"],
                                 capture_output=True, text=True, timeout=HANGS)
            self.assertEqual(run.returncode, 1, run)
            self.assertIn("unknown face", run.stderr)
            self.assertIn(hint, run.stderr)
        # Each face can be named, and is the only one then.
        places = {"deckhand": "/versions", "explorer": "/explore/", "heat": "/v1/p/stacks", "nodes": "/enc/s/n", "operation": "/healthz", "strata": "/strata/v1/sites"}
        for face, own in places.items():
            with Service(STRATA, "--listen", f"127.0.0.1:0,faces={face}") as service:
                for name, path in places.items():
                    status, _, text = service.request("GET", path)
                    self.assertEqual(status == 200 or "unknown site" in text, name == face, (face, path, text))

    def test_answers_that_the_client_has(self):
        service = self.service
        service.request("PUT", "/strata/v1/sites/etags", '{"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}', {"Content-Type": "application/json"})
        files = {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": "a: 1\n"}
        self.assertEqual(service.request("PUT", "/strata/v1/sites/etags/tree", json.dumps({"files": files}), {"Content-Type": "application/json"})[0], 201)
        service.request("PUT", "/api/v1.0/buckets/b/documents",
                        "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: [site]}\n", {"Content-Type": "application/x-yaml"})
        for path in ("/strata/v1/sites/etags", "/strata/v1/sites/etags/nodes/default/values/a", "/strata/v1/sites/etags/files/data/c.yaml", "/api/v1.0/revisions/1/documents",
                     "/api/v1.0/revisions/1/rendered-documents"):
            tag = service.request("GET", path)[1]["etag"]
            for lines, status in ([tag], 304), (["W/" + tag], 304), (["*"], 304), ([f'"x", {tag}'], 304), (['"x"', tag], 304), (['"x"', '"y",W/' + tag, '"z"'], 304), \
                    ([tag[:-1] + '-gzip"'], 304), (['"x"', '"y"'], 200), (["W/" + tag[:-2] + '"'], 200), ([tag[:-1] + 'x"'], 200):
                head = "".join(f"If-None-Match: {line}\r\n" for line in lines)
                answer = service.raw(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{head}\r\n".encode())
                self.assertEqual(statuses(answer), [status], (path, lines))

    def test_answers_pipelined_requests_in_order(self):
        one = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
        other = b"GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
        self.assertEqual(statuses(self.service.raw((one + other) * 30)), [200, 404] * 30)

    def test_reads_a_request_in_single_bytes(self):
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=HANGS) as connection:
            for byte in b"POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n":
                connection.sendall(bytes([byte]))
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        self.assertEqual(statuses(answer), [404])

    def test_keeps_connections_as_versions_say(self):
        closed = self.service.raw(b"GET /healthz HTTP/1.0\r\n\r\n", ends=False)
        self.assertEqual(statuses(closed), [200])
        closed = self.service.raw(b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n", ends=False)
        self.assertEqual(statuses(closed), [200, 200])
        closed = self.service.raw(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", ends=False)
        self.assertEqual(statuses(closed), [200, 200])

    def test_head_options_and_other_methods(self):
        status, headers, body = self.service.request("HEAD", "/healthz")
        self.assertEqual((status, headers["content-length"], body), (200, "3", ""))
        status, headers, _ = self.service.request("OPTIONS", "/healthz")
        self.assertEqual((status, headers["allow"]), (204, "GET, HEAD, OPTIONS"))
        status, headers, body = self.service.request("DELETE", "/healthz")
        self.assertEqual((status, headers["allow"], json.loads(body)["code"]), (405, "GET, HEAD, OPTIONS", "request.method"))

    def test_absolute_targets_are_their_paths(self):
        self.assertEqual(statuses(self.service.raw(b"GET http://a:1/healthz HTTP/1.1\r\nHost: a:1\r\n\r\n")), [200])
        self.assertEqual(statuses(self.service.raw(b"GET * HTTP/1.1\r\nHost: a\r\n\r\n")), [400])

    def test_asks_for_a_body_that_it_would_take(self):
        # Nothing takes a body there, so that the final status comes at once.
        answer = self.service.raw(b"POST /nothing HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n", ends=False)
        self.assertEqual(statuses(answer), [404])

    def test_answers_carry_ids_and_rules_for_browsers(self):
        _, headers, _ = self.service.request("GET", "/healthz")
        self.assertRegex(headers["strata-request-id"], r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        self.assertEqual(headers["x-content-type-options"], "nosniff")
        _, headers, _ = self.service.request("GET", "/healthz", headers={"X-Request-Id": "mine-1"})
        self.assertEqual(headers["strata-request-id"], "mine-1")
        _, headers, _ = self.service.request("GET", "/healthz", headers={"X-Request-Id": 'no"t mine'})
        self.assertNotIn('"', headers["strata-request-id"])

    def test_compresses_for_who_wants_it(self):
        for _ in range(3):
            self.service.request("GET", "/nothing")
        connection_headers = {"Accept-Encoding": "gzip"}
        import http.client
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=HANGS)
        connection.request("GET", "/metrics", headers=connection_headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.getheader("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.assertIn(b"strata_http_requests_total", body)
        connection.close()

    def test_who_wants_packed_answers(self):
        for wish, is_packed in (("gzip", True), ("GZIP", True), ("*", True), ("br, gzip;q=0.1", True), ("gzip;q=0", False), ("gzip; q=0", False), ("gzip;q=0.0", False),
                                ("gzip;q=0, *", False), ("xgzip", False), ("identity", False), ("", False)):
            answer = self.service.raw(f"GET /openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: {wish}\r\n\r\n".encode())
            self.assertEqual(b"Content-Encoding: gzip" in answer.split(b"\r\n\r\n")[0], is_packed, wish)

    def test_counts_by_route_not_by_path(self):
        for name in ("a", "b"):
            self.service.request("GET", "/made-up/" + name)
        self.service.raw(b"MADEUP / HTTP/1.1\r\nHost: a\r\n\r\n")
        text = self.service.request("GET", "/metrics")[2]
        self.assertNotIn("made-up", text)
        self.assertNotIn("MADEUP", text)
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"\\\n]*",?)+\})? [0-9.eE+-]+)$')


class Limits(unittest.TestCase):
    """What the configuration says of clients and proxies."""

    def serve(self, folder, text, *words):
        config = os.path.join(folder, "strata.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(text)
        return Service(STRATA, "--config", config, *words)

    def logged(self, service, request_id):
        while True:
            found = [line for line in service.log() if line.get("request_id") == request_id]
            if found:
                return found[-1]

    def test_bodies_that_are_slow_stop_nobody(self):
        known = {"X-Identity-Status": "Confirmed", "X-Roles": "admin", "X-User-Id": "u", "X-Project-Id": "default", "Content-Type": "application/x-yaml"}
        head = "PUT /strata/v1/sites/x/tree HTTP/1.1\r\nHost: a\r\nContent-Type: application/gzip\r\nContent-Length: 268435456\r\n"
        lines = "".join(f"{name}: {value}\r\n" for name, value in known.items() if name.startswith("X-"))
        with Service(STRATA, "--auth", "headers", "--body-memory", "1") as service:
            def put():
                status, _, text = service.request("PUT", "/api/v1.0/buckets/b/documents", "", known)
                self.assertEqual(status, 200, text)
            # Who is refused anyway is refused before the body comes.
            self.assertIn(b" 401 ", service.raw(head.encode() + b"\r\na", ends=False))
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as announced, \
                 socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as sent:
                announced.sendall((head + lines + "\r\na").encode())
                put()
                # What came of it takes all the room; small bodies need none.
                sent.sendall((head + lines + "\r\n").encode() + bytes(1 << 20))
                put()

    def test_proxies_say_who_asks(self):
        def told(service, headers):
            status, answer, _ = service.request("GET", "/strata/v1/sites?limit=1", headers=headers)
            self.assertEqual(status, 200)
            return self.logged(service, answer["strata-request-id"])["address"]

        forwarded = {"X-Forwarded-For": "203.0.113.9, 192.0.2.7"}
        with Service(STRATA) as service:
            self.assertEqual(told(service, forwarded), "127.0.0.1")
        with Service(STRATA, "--trusted-proxy", "127.0.0.0/8", "--trusted-proxy", "2001:db8::/32") as service:
            self.assertEqual(told(service, {}), "127.0.0.1")
            # What stands further left is what clients say themselves.
            self.assertEqual(told(service, forwarded), "192.0.2.7")
            self.assertEqual(told(service, {"X-Forwarded-For": "203.0.113.9, 192.0.2.7, 127.0.0.2"}), "192.0.2.7")
            self.assertEqual(told(service, {"Forwarded": 'for=203.0.113.9, for="[2001:db9::1]:4711";proto=https;host=strata.example.org'}), "2001:db9::1")
            self.assertEqual(told(service, {"Forwarded": "for=192.0.2.7, for=unknown"}), "127.0.0.1")
            self.assertEqual(told(service, {"Forwarded": "for=192.0.2.8", "X-Forwarded-For": "192.0.2.9"}), "192.0.2.8")
            for i in range(3):
                service.request("PUT", f"/strata/v1/sites/s{i}", '{"dialect": "hiera"}', {"Content-Type": "application/json"})
            for headers, begin in [({"X-Forwarded-Proto": "https", "X-Forwarded-Host": "strata.example.org"}, "<https://strata.example.org/strata/v1/sites?"),
                                   ({"X-Forwarded-Host": "a/b"}, "<http://127.0.0.1"), ({"X-Forwarded-Proto": "ftp"}, "<http://127.0.0.1")]:
                link = service.request("GET", "/strata/v1/sites?limit=1", headers=headers)[1]["link"]
                self.assertTrue(link.startswith(begin), link)
        with tempfile.TemporaryDirectory() as folder:
            for wrong in ("example.org", "10.0.0.0/33", "10.0.0.0/", "::1/129"):
                run = subprocess.run([STRATA, "serve", "--check", "--store", f"sqlite:{folder}/a.db", "--trusted-proxy", wrong], capture_output=True, timeout=HANGS, check=False)
                self.assertEqual(run.returncode, 1, wrong)
                self.assertIn(b"[service.config]", run.stderr)

    def test_rates(self):
        with tempfile.TemporaryDirectory() as folder, self.serve(folder, "limits: {rate: 2}\n") as service:
            answers = [service.request("GET", "/strata/v1/sites") for _ in range(60)]
            refused = [(json.loads(text)["code"], int(headers["retry-after"])) for status, headers, text in answers if status == 429]
            self.assertEqual(answers[0][0], 200)
            self.assertEqual(set(refused), {("service.too-many", 1)})
            self.assertEqual(service.request("GET", "/healthz")[0], 200)
            rejected = 'strata_http_rejected_total{reason="rate"}'
            self.assertIn(rejected, service.metrics(until=lambda values: rejected in values))

    def test_streams_are_counted(self):
        with tempfile.TemporaryDirectory() as folder, self.serve(folder, "limits: {streams: 2}\n") as service:
            site = json.dumps({"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}})
            service.request("PUT", "/strata/v1/sites/s", site, {"Content-Type": "application/json"})
            service.request("PUT", "/strata/v1/sites/s/tree", json.dumps({"files": {"hiera.yaml": "version: 5\n"}}), {"Content-Type": "application/json"})
            head = b"GET /strata/v1/sites/s/watch?node=default HTTP/1.1\r\nHost: a\r\n\r\n"
            watchers = []
            for status in (b"200", b"200", b"503"):
                connection = socket.create_connection(("127.0.0.1", service.port), timeout=HANGS)
                connection.sendall(head)
                self.assertEqual(connection.recv(12), b"HTTP/1.1 " + status)
                watchers.append(connection)
            watchers[0].close()
            while service.raw(head.replace(b"/watch?node=default", b"/snapshot").replace(b"Host: a", b"Host: a\r\nConnection: close"))[:12] != b"HTTP/1.1 200":
                pass
            for connection in watchers:
                connection.close()

    def test_limits_of_the_configuration(self):
        text = "limits: {request_line: 100, headers: 200, fields: 3, head: 1s, body: 1KiB}\n"
        with tempfile.TemporaryDirectory() as folder, self.serve(folder, text) as service:
            for data, status in [(b"GET /" + b"a" * 100 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414), (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 200 + b"\r\n\r\n", 431),
                                 (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 3 + b"\r\n", 431), (b"POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 1025\r\n\r\n", 413)]:
                self.assertEqual(statuses(service.raw(data)), [status])
            # A head that does not end.
            self.assertEqual(statuses(service.raw(b"GET / HTTP/1.1\r\nHost: a\r\n", ends=False)), [408])

    def test_work_may_take_longer_than_a_head(self):
        with tempfile.TemporaryDirectory() as folder, self.serve(folder, "limits: {head: 1s, idle: 1s}\n") as service:
            site = json.dumps({"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}})
            service.request("PUT", "/strata/v1/sites/s", site, {"Content-Type": "application/json"})
            files = {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": "a: 1\n"}
            service.request("PUT", "/strata/v1/sites/s/tree", json.dumps({"files": files}), {"Content-Type": "application/json"})
            path = "/strata/v1/sites/s/nodes/default/values/a"
            tag = service.request("GET", path)[1]["etag"]
            self.assertEqual(service.request("GET", path, headers={"If-None-Match": tag, "Prefer": "wait=4"})[0], 304)

    def test_unpacked_bodies_have_the_limit_of_their_face(self):
        with Service(STRATA) as service:
            body = gzip.compress(b" " * (2 << 20))
            headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
            status, _, text = service.request("POST", "/v1/p/stacks", body, headers)
            self.assertEqual(status // 100, 4, text)
            self.assertIn("1048576", text)

    def test_the_log_of_a_request(self):
        with Service(STRATA) as service:
            trace = {"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "X-Request-Id": "r1"}
            service.request("GET", "/strata/v1/sites/no?secret=hush", headers=trace)
            line = self.logged(service, "r1")
            self.assertEqual((line["path"], line["error"], line["status"], line["trace_id"]), ("/strata/v1/sites/no", "site.unknown", 404, "4bf92f3577b34da6a3ce929d0e0e4736"))
            self.assertRegex(line["span_id"], "^[0-9a-f]{16}$")
            self.assertNotEqual(line["span_id"], "00f067aa0ba902b7")
            self.assertNotIn("hush", json.dumps(line))
            for i, wrong in enumerate(("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", "00-" + "0" * 32 + "-00f067aa0ba902b7-01", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                                       "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", "x" * 200, "")):
                service.request("GET", "/healthz", headers={"traceparent": wrong, "X-Request-Id": f"w{i}"})
                self.assertEqual(self.logged(service, f"w{i}")["trace_id"], "")
            service.request("GET", "/cloud-init/n/strata_a_b/meta-data", headers={"X-Request-Id": "r2"})
            self.assertEqual(self.logged(service, "r2")["path"], "/cloud-init/n/*/meta-data")
            timing = service.request("GET", "/strata/v1/sites")[1]["server-timing"]
            self.assertRegex(timing, r"^parse;dur=[0-9.]+, store;dur=[0-9.]+, evaluate;dur=[0-9.]+$")

    def test_metrics_of_all_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "hiera.yaml"), "w", encoding="utf-8") as file:
                file.write("version: 5\nhierarchy: [{name: c, path: c.yaml}]\n")
            with open(os.path.join(folder, ".strata.yaml"), "w", encoding="utf-8") as file:
                file.write("projects: {s: {verb: lookup, hiera-config: hiera.yaml}}\n")
            os.mkdir(os.path.join(folder, "data"))
            with open(os.path.join(folder, "data", "c.yaml"), "w", encoding="utf-8") as file:
                file.write("a: 1\n")
            with Service(STRATA, "--site", f"one=hiera:{folder}") as service:
                for _ in range(3):
                    self.assertEqual(service.request("GET", "/strata/v1/sites/one/nodes/default/values/a")[0], 200)
                service.request("GET", "/api/v1.0/revisions")
                asked = 'strata_auth_total{method="none",outcome="success"}'
                values = service.metrics(until=lambda values: values.get(asked) == "4")
                self.assertEqual(values['strata_evaluations_total{dialect="hiera",outcome="success"}'], "1")
                self.assertEqual(values["strata_cache_hits"], "2")
                self.assertGreater(float(values['strata_cache_bytes{kind="answers"}']), 0)
                self.assertEqual(values['strata_site_generation{site="one"}'], "1")
                self.assertEqual(values[asked], "4")
                self.assertGreater(float(values['strata_store_transactions_total{kind="read"}']), 0)
                self.assertEqual(values['strata_store_seconds_bucket{kind="read",le="+Inf"}'], values['strata_store_seconds_count{kind="read"}'])
                for name in ("strata_snapshot_seconds_count", "strata_store_errors_total", "strata_store_retries_total", "strata_store_pool_in_use", "strata_watchers",
                             "process_cpu_seconds_total", "process_open_fds", "process_max_fds", "process_start_time_seconds", "process_resident_memory_bytes"):
                    self.assertIn(name, values)


class Lifetime(unittest.TestCase):
    def test_answers_what_is_in_flight_when_it_ends(self):
        for with_signal in (signal.SIGTERM, signal.SIGINT):
            with Service(STRATA) as service:
                idle = socket.create_connection(("127.0.0.1", service.port), timeout=HANGS)
                half = socket.create_connection(("127.0.0.1", service.port), timeout=HANGS)
                half.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
                service.request("GET", "/healthz")  # The others are accepted before this one is answered, or are refused.
                service.process.send_signal(with_signal)
                self.assertEqual(idle.recv(10), b"")
                half.sendall(b"\r\n")
                answer = b""
                while piece := half.recv(65536):
                    answer += piece
                self.assertEqual(statuses(answer), [200], answer)
                self.assertIn(b"Connection: close", answer)
                idle.close()
                half.close()
                self.assertEqual(service.process.wait(HANGS), 0)

    def test_a_unix_socket_is_a_listener(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "socket")
            for _ in range(2):  # The second takes the place of the socket that the first left.
                with Service(STRATA, "--listen", "unix:" + path, folder=folder):
                    with socket.socket(socket.AF_UNIX) as connection:
                        connection.connect(path)
                        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                        self.assertEqual(statuses(connection.recv(65536)), [200])
                        run = subprocess.run([STRATA, "serve", "--listen", "unix:" + path, "--store", f"sqlite:{folder}/other.db"], capture_output=True,
                                             timeout=HANGS, check=False)
                        self.assertEqual(run.returncode, 1)
                        self.assertIn(b"[service.listen]", run.stderr)

    def test_modes_of_unix_sockets(self):
        with tempfile.TemporaryDirectory() as folder:
            for more, wanted in ((",mode=0660", 0o660), (",mode=666,faces=operation", 0o666), ("", 0o700)):
                path = os.path.join(folder, f"socket{wanted}")
                before = os.umask(0o077)  # As the unit has it.
                try:
                    with Service(STRATA, "--listen", f"unix:{path}{more}", folder=folder):
                        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), wanted)
                finally:
                    os.umask(before)
            for wrong in ("unix:s,mode=", "unix:s,mode=66", "unix:s,mode=0888", "unix:s,mode=4660", "unix:s,mode=0x1ff", "127.0.0.1:0,mode=0660"):
                run = subprocess.run([STRATA, "serve", "--listen", wrong, "--store", f"sqlite:{folder}/other.db"], cwd=folder, capture_output=True,
                                     timeout=HANGS, check=False)
                self.assertEqual(run.returncode, 1, wrong)
                self.assertIn(b"[service.listen]", run.stderr)

    def test_sockets_of_systemd_and_its_notices(self):
        with tempfile.TemporaryDirectory() as folder:
            notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            notices.bind(os.path.join(folder, "notify"))
            notices.settimeout(HANGS)
            listening = socket.create_server(("127.0.0.1", 0))
            # A shell stands between, for the process id of the service is that of what it is started as.
            script = 'exec 3<&$FD; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"'
            environment = {**os.environ, "NOTIFY_SOCKET": os.path.join(folder, "notify"), "FD": str(listening.fileno()), "WATCHDOG_USEC": "10000000"}
            process = subprocess.Popen(["bash", "-c", script, "sh", STRATA, "serve", "--store", f"sqlite:{folder}/a.db"],
                                       pass_fds=[listening.fileno()], env=environment, stderr=subprocess.PIPE)
            self.assertEqual(notices.recv(100), b"READY=1")
            self.assertIn(f'"address":"127.0.0.1:{listening.getsockname()[1]}"', process.stderr.readline().decode())
            threading.Thread(target=process.stderr.read, daemon=True).start()
            with socket.create_connection(listening.getsockname(), timeout=HANGS) as connection:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                self.assertEqual(statuses(connection.recv(65536)), [200])
            process.send_signal(signal.SIGHUP)
            heard = [notices.recv(100)]
            while b"READY=1" not in heard:
                heard.append(notices.recv(100))
            self.assertRegex(heard[-2], rb"^RELOADING=1\nMONOTONIC_USEC=\d+$")
            while notices.recv(100) != b"WATCHDOG=1":
                self.assertIsNone(process.poll())
            process.terminate()
            while (last := notices.recv(100)) == b"WATCHDOG=1":
                pass
            self.assertEqual(last, b"STOPPING=1")
            self.assertEqual(process.wait(HANGS), 0)
            listening.close()
            notices.close()

    def test_the_watchdog_of_another_process(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(os.path.join(folder, "notify"))
            notices.settimeout(3)
            watched = {**os.environ, "NOTIFY_SOCKET": os.path.join(folder, "notify"), "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": str(os.getpid())}
            with Service(STRATA, folder=folder, environment=watched):
                self.assertEqual(notices.recv(100), b"READY=1")
                self.assertRaises(TimeoutError, notices.recv, 100)

    def test_sockets_of_systemd_that_nobody_serves(self):
        with tempfile.TemporaryDirectory() as folder:
            sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
            ports = [one.getsockname()[1] for one in sockets]
            script = 'exec 3<&$A 4<&$B 5<&$C; export LISTEN_PID=$$ LISTEN_FDS=3; exec "$@"'
            environment = {**os.environ, **{name: str(one.fileno()) for name, one in zip("ABC", sockets)}}
            with open(f"{folder}/log", "wb") as log:
                process = subprocess.Popen(["bash", "-c", script, "sh", STRATA, "serve", "--listen", "fd:4", "--listen", "127.0.0.1:0", "--store", f"sqlite:{folder}/a.db"],
                                           pass_fds=[one.fileno() for one in sockets], env=environment, stderr=log, close_fds=True)
            for one in sockets:
                one.close()
            try:
                closed = []
                while len(closed) < 2:
                    self.assertIsNone(process.poll())
                    with open(f"{folder}/log", encoding="utf-8") as log:
                        lines = [json.loads(line) for line in log if line.endswith("\n")]
                    closed = [line["address"] for line in lines if line["event"] == "socket-closed"]
                self.assertEqual(closed, [f"127.0.0.1:{ports[0]}", f"127.0.0.1:{ports[2]}"])
            finally:
                process.terminate()
                self.assertEqual(process.wait(HANGS), 0)

    def test_reload_keeps_a_policy_that_was_right(self):
        with tempfile.TemporaryDirectory() as folder:
            policy = os.path.join(folder, "policy.yaml")
            with open(policy, "w", encoding="utf-8") as file:
                file.write('"strata:evaluate": "role:operator"\n')
            with Service(STRATA, "--policy", policy, folder=folder) as service:
                with open(policy, "w", encoding="utf-8") as file:
                    file.write('"strata:evaluate": "role:"x and"\n')
                service.process.send_signal(signal.SIGHUP)
                while not any(line["event"] == "reload.failed" for line in service.log()):
                    self.assertIsNone(service.process.poll())
                self.assertEqual(service.request("GET", "/healthz")[0], 200)

    def test_files_that_change_are_read_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            policy = os.path.join(folder, "policy.yaml")
            with open(policy, "w", encoding="utf-8") as file:
                file.write('"strata:site.read": "@"\n')
            with Service(STRATA, "--policy", policy, folder=folder) as service:
                self.assertEqual(service.request("GET", "/strata/v1/sites")[0], 200)
                os.symlink("other", os.path.join(folder, "link"))
                with open(os.path.join(folder, "other"), "w", encoding="utf-8") as file:
                    file.write('"strata:site.read": "!"\n')
                os.rename(os.path.join(folder, "link"), policy)  # As a mounted secret is swapped.
                while service.request("GET", "/strata/v1/sites")[0] != 403:
                    self.assertIsNone(service.process.poll())
                with open(policy, "w", encoding="utf-8") as file:
                    file.write('"strata:site.read": "role:"x and"\n')
                while not any(line["event"] == "reload.failed" for line in service.log()):
                    self.assertIsNone(service.process.poll())
                self.assertEqual(service.request("GET", "/strata/v1/sites")[0], 403)

    def test_a_store_belongs_to_one_process(self):
        with Service(STRATA) as service:
            run = subprocess.run([STRATA, "serve", "--listen", "127.0.0.1:0", "--store", f"sqlite:{service.folder}/store.db"], capture_output=True, timeout=HANGS, check=False)
            self.assertEqual(run.returncode, 1)
            self.assertIn(b"[store.in-use]", run.stderr)

    def test_a_connection_that_says_nothing_is_closed_soon(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/strata.yaml", "w", encoding="utf-8") as file:
                file.write("limits: {head: 1s, idle: 24h}\n")
            with Service(STRATA, "--config", f"{folder}/strata.yaml", folder=folder) as service:
                with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as silent, socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as asked:
                    asked.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                    self.assertEqual(statuses(asked.recv(65536)), [200])
                    self.assertEqual(silent.recv(100), b"")
                    asked.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")  # It has rested longer.
                    self.assertEqual(statuses(asked.recv(65536)), [200])

    def test_an_address_belongs_to_one_process(self):
        with Service(STRATA, "--io", "3") as service:
            place = f"127.0.0.1:{service.port}"
            for _ in range(3):
                run = subprocess.run([STRATA, "serve", "--listen", place, "--store", f"sqlite:{service.folder}/other.db"], capture_output=True, text=True, timeout=HANGS, check=False)
                self.assertEqual(run.returncode, 1)
                self.assertIn("[service.listen]", run.stderr)
                self.assertIn("another process listens there", run.stderr)
            run = subprocess.run([STRATA, "serve", "--listen", "127.0.0.1:0", "--listen", place, "--store", f"sqlite:{service.folder}/other.db"], capture_output=True, timeout=HANGS, check=False)
            self.assertEqual(run.returncode, 1)
            self.assertEqual(service.request("GET", "/healthz")[0], 200)
        # Whoever follows gets it at once, also while connections of before end.
        with Service(STRATA, "--listen", place, "--io", "3") as service:
            self.assertEqual(service.port, int(place.rsplit(":", 1)[1]))
            for _ in range(50):
                self.assertEqual(service.request("GET", "/healthz")[0], 200)

    def test_a_look_disturbs_nobody(self):
        with Service(STRATA) as service:
            wrong, is_over = [], threading.Event()

            def ask():
                while not is_over.is_set():
                    try:
                        if service.request("GET", "/healthz")[0] != 200:
                            wrong.append("status")
                    except OSError as error:
                        wrong.append(repr(error))

            threads = [threading.Thread(target=ask) for _ in range(2)]
            for thread in threads:
                thread.start()
            before = sorted(os.listdir(service.folder))
            for _ in range(5):
                run = subprocess.run([STRATA, "serve", "--check", "--drain-delay", "100000", "--listen", f"127.0.0.1:{service.port}", "--store", f"sqlite:{service.folder}/store.db"],
                                     capture_output=True, text=True, timeout=HANGS, check=False)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn(f"listen: 127.0.0.1:{service.port}: another process listens there now\n", run.stdout)
                self.assertIn("store.db: another process uses it now\n", run.stdout)
            is_over.set()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [])
            self.assertEqual(sorted(os.listdir(service.folder)), before)

    def test_a_look_changes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            def look(name, *words, status=0):
                run = subprocess.run([STRATA, "serve", "--check", "--listen", "127.0.0.1:0", "--store", f"sqlite:{folder}/{name}", *words], capture_output=True, text=True,
                                     timeout=HANGS, check=False)
                self.assertEqual(run.returncode, status, run.stderr)
                return run.stdout + run.stderr

            self.assertIn("new.db: would be made\n", look("new.db"))
            self.assertEqual(os.listdir(folder), [])
            self.assertIn("[store.unavailable]", look("none/new.db", status=1))
            subprocess.run([STRATA, "store", "migrate", "--store", f"sqlite:{folder}/a#b?c%.db"], check=True, capture_output=True, timeout=HANGS)
            database = sqlite3.connect(f"{folder}/a#b?c%.db")
            self.assertIn("c%.db\n", look("a#b?c%.db").split("listen")[0])
            database.execute("UPDATE strata_schema SET version = 2")
            database.commit()
            database.close()
            before = {name: os.stat(f"{folder}/{name}").st_mtime_ns for name in os.listdir(folder)}
            self.assertIn(f"would be migrated from version 2 to 3, after a copy to {folder}/a#b?c%.db.v2.bak", look("a#b?c%.db"))
            self.assertEqual({name: os.stat(f"{folder}/{name}").st_mtime_ns for name in os.listdir(folder)}, before)
            socket_path = f"{folder}/socket"
            self.assertIn(f"listen: unix:{socket_path}\n", look("new.db", "--listen", f"unix:{socket_path}"))
            self.assertFalse(os.path.exists(socket_path))
            self.assertIn("[service.listen]", look("new.db", "--listen", f"unix:{folder}/none/socket", status=1))
            self.assertIn("[service.listen]", look("new.db", "--listen", "192.0.2.1:8787", "--auth", "tokens", status=1))
            with open(f"{folder}/foreign.db", "wb") as file:
                file.write(b"no database" * 100)
            self.assertIn("[store.damaged]", look("foreign.db", status=1))

    def test_everybody_is_let_in_on_this_machine_only(self):
        with tempfile.TemporaryDirectory() as folder:
            for way in ("none", "headers"):
                run = subprocess.run([STRATA, "serve", "--check", "--listen", "0.0.0.0:0", "--auth", way, "--store", f"sqlite:{folder}/a.db"],
                                     capture_output=True, timeout=HANGS, check=False)
                self.assertEqual(run.returncode, 1)
                self.assertIn(b"[service.auth]", run.stderr)
            run = subprocess.run([STRATA, "serve", "--check", "--listen", "0.0.0.0:0", "--auth", "none-on-purpose", "--store", f"sqlite:{folder}/a.db"],
                                 capture_output=True, timeout=HANGS, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_configuration_has_near_names(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "strata.yaml")
            for text, code, word in (("listne: a\n", b"[service.config]", b"listen"), ("io: many\n", b"[service.config]", b"io"),
                                     ("listen: nowhere\n", b"[service.listen]", b"port"), ("- a\n", b"[service.config]", b"mapping"),
                                     ("limits: {request: 0}\n", b"[service.config]", b"request"),
                                     *((f"limits: {{{name}: 0}}\n", b"[service.config]", name.encode())
                                       for name in ("per-principal", "fields", "headers", "request-line", "connections", "per-address", "queue")),
                                     ("per-principal: 0\n", b"[service.config]", b"per-principal"), ("limits: {headers: 0KiB}\n", b"[service.config]", b"headers"),
                                     ("limits: {per-address: 1, per_address: 2}\n", b"[service.config]", b"'per-address' and 'per_address'"),
                                     ("drain-delay: 1\ndrain_delay: 1\n", b"[service.config]", b"'drain-delay' and 'drain_delay'"),
                                     ("sites: {a: {dialect: hiera, path: /, keep-last-good: true, keep_last_good: true}}\n", b"[service.config]", b"same member"), ("limits: {idle: 0s}\n", b"[service.config]", b"idle"),
                                     ("sites: {a/b: {dialect: hiera, path: /}}\n", b"[service.config]", b"name of a site"),
                                     ("site: [a/b=hiera:/]\n", b"[service.config]", b"name of a site")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                run = subprocess.run([STRATA, "serve", "--check", "--config", path, "--store", f"sqlite:{folder}/a.db"], capture_output=True, timeout=HANGS,
                                     check=False)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertIn(code, run.stderr)
                self.assertIn(word, run.stderr)
            run = subprocess.run([STRATA, "serve", "--check", "--site", f"s=hiera:{folder}", "--site", "s=hiera:/", "--store", f"sqlite:{folder}/a.db"], capture_output=True,
                                 timeout=HANGS, check=False)
            self.assertEqual(run.returncode, 1)
            self.assertIn(b"twice", run.stderr)


class Load(unittest.TestCase):
    def test_many_clients_at_once(self):
        with Service(STRATA) as service:
            wrong = []

            def ask():
                for _ in range(50):
                    status = service.request("GET", "/healthz")[0]
                    if status != 200:
                        wrong.append(status)

            threads = [threading.Thread(target=ask) for _ in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
