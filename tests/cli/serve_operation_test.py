#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the people see who run `strata serve`: readiness, the audit of refusals, traces that are sent on, times, keys of TLS, projects of faces.

usage: serve_operation_test.py STRATA
"""
import http.server
import json
import os
import re
import resource
import socket
import ssl
import subprocess
import sys
import threading
import time
import unittest

from serving import HANGS, Service
from site_serving import API, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
YAML = {"Content-Type": "application/x-yaml"}
KEY = {"kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}
TRACE = "0af7651916cd43dd8448eb211c80319c"
POLICY = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site]}\n"


class Recording(http.server.BaseHTTPRequestHandler):
    """Answers all with an empty object, and keeps what was asked."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.dumps({"keys": [KEY]}).encode() if self.path == "/keys" else json.dumps({"token": {"expires_at": "2099-01-01T00:00:00.000000Z", "user": {"id": "u"}, "project": {"id": "p"},
                                                                                   "roles": [{"name": "admin"}]}}).encode()
        self.send_response(200 if self.command == "GET" else 201)
        self.send_header("X-Subject-Token", "own")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET


class Operation(SiteTest):
    strata = STRATA

    def provider(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recording)
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def eventually(self, what, told):
        end = time.monotonic() + HANGS
        while not what():
            self.assertLess(time.monotonic(), end, told)
            time.sleep(0.02)

    def test_a_broken_site_is_not_ready(self):
        hiera = self.path("fleet", "hiera.yaml")
        with open(hiera, encoding="utf-8") as file:
            good = file.read()
        with self.serve("fleet") as service:
            self.assertEqual(service.request("GET", "/readyz")[0], 200)
            self.write(os.path.join("fleet", ".strata.yaml"), "projects: nonsense\n")
            self.eventually(lambda: service.request("GET", "/readyz")[0] == 503, "a broken site counts as ready")
            told = json.loads(service.request("GET", "/readyz")[2])
            self.assertEqual((told["ready"], told["wrong"]), (False, {"sites": "fleet"}))
            self.assertEqual(service.request("GET", "/healthz")[0], 200)
            self.write(os.path.join("fleet", ".strata.yaml"), "projects: {fleet: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n")
            self.eventually(lambda: service.request("GET", "/readyz")[0] == 200, "it is not ready again")
            self.write(os.path.join("fleet", "hiera.yaml"), good)
            # An upload is the business of who uploads it.
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {".strata.yaml": "projects: nonsense\n"}}, status=201)
            self.ask(service, "GET", f"{API}/up/nodes", status=422)
            time.sleep(1.2)
            self.assertEqual(service.request("GET", "/readyz")[0], 200)

    def test_the_address_is_the_first_line(self):
        with Service(STRATA, "--site", f"none=hiera:{self.path('nowhere')}") as service:
            self.assertEqual([line["event"] for line in service.log(until=lambda lines: len(lines) >= 2)][:2], ["listening", "site.broken"])

    def test_a_full_store_is_not_ready(self):
        with Service(STRATA) as service:
            self.assertEqual(service.request("PUT", "/api/v1.0/buckets/b/documents", POLICY, YAML)[0], 200)
            process = service.process.pid
            unlimited = resource.prlimit(process, resource.RLIMIT_FSIZE)
            # Not one page may be written.
            resource.prlimit(process, resource.RLIMIT_FSIZE, (4096, unlimited[1]))

            def put():
                """The status of a write that needs room."""
                large = POLICY + f"---\nschema: example/Kind/v1\nmetadata: {{schema: metadata/Document/v1, name: x, storagePolicy: cleartext, layeringDefinition: {{layer: site}}}}\ndata: {{t: {os.urandom(200_000).hex()}}}\n"
                return service.request("PUT", "/api/v1.0/buckets/b/documents", large, YAML)[0]

            self.eventually(lambda: put() == 507, "the store never gets full")
            self.assertEqual(service.request("GET", "/readyz")[0], 503)
            self.assertIn("store", json.loads(service.request("GET", "/readyz")[2])["wrong"])
            self.assertEqual(service.request("GET", "/healthz")[0], 200)
            self.assertEqual(service.request("GET", "/api/v1.0/revisions")[0], 200)
            resource.prlimit(process, resource.RLIMIT_FSIZE, unlimited)
            self.eventually(lambda: service.request("GET", "/readyz")[0] == 200, "it is not ready again")
            self.assertEqual(put(), 200)
            events = lambda lines: [line["event"] for line in lines if line["event"].startswith("store.")]
            self.assertEqual(events(service.log(until=lambda lines: len(events(lines)) >= 2)), ["store.full", "store.has-room"])

    def test_room_for_a_small_row_is_no_room(self):
        """What is left of a page takes the rows of a look, but no write of a client."""
        with Service(STRATA) as service:
            def put(name):
                document = f"---\nschema: example/Kind/v1\nmetadata: {{schema: metadata/Document/v1, name: {name}, storagePolicy: cleartext, layeringDefinition: {{layer: site}}}}\ndata: {{t: {os.urandom(500).hex()}}}\n"
                return service.request("PUT", f"/api/v1.0/buckets/{name}/documents", document, YAML)[0]

            for i in range(5):
                self.assertEqual(put(f"b{i}"), 200)
            process = service.process.pid
            unlimited = resource.prlimit(process, resource.RLIMIT_FSIZE)
            for pages in (2, 5):
                largest = max(os.path.getsize(os.path.join(service.folder, name)) for name in os.listdir(service.folder) if name.startswith("store.db"))
                resource.prlimit(process, resource.RLIMIT_FSIZE, (largest + pages * 4120, unlimited[1]))
                self.eventually(lambda: put("full") == 507, "the store never gets full")
                end = time.monotonic() + 2.5  # Looks are a second apart.
                while time.monotonic() < end:
                    self.assertEqual(service.request("GET", "/readyz")[0], 503)
                    time.sleep(0.1)
                resource.prlimit(process, resource.RLIMIT_FSIZE, unlimited)
                self.eventually(lambda: service.request("GET", "/readyz")[0] == 200, "it is not ready again")
                self.assertEqual(put(f"after{pages}"), 200)

    def test_the_start_of_the_process(self):
        before = time.time()
        with Service(STRATA) as service:
            after = time.time()
            time.sleep(1.5)  # Nobody has asked yet.
            began = float(service.metrics()["process_start_time_seconds"])
            self.assertLess(before - 1, began)
            self.assertLess(began, after + 0.5)

    def tokens(self, **roles):
        lines, heads = [], {}
        for name, role in roles.items():
            run = subprocess.run([STRATA, "token", "create", "--for-file", "--id", name, "--role", role], capture_output=True, text=True, timeout=HANGS, check=True)
            token, line = run.stdout.strip().splitlines()[:2]
            lines.append(line)
            heads[name] = {"Authorization": f"Bearer {token}"}
        self.write("tokens", "\n".join(lines) + "\n")
        return heads

    def test_refusals_stand_in_the_audit(self):
        heads = self.tokens(admin="admin", reader="reader", secret="secret-reader")
        with Service(STRATA, "--auth", f"tokens:{self.path('tokens')}") as service:
            wrong = {"Authorization": "Bearer strata_admin_" + "x" * 43}
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=403, headers=heads["reader"])
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=401, headers=wrong)
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=401)  # Who shows nothing is nobody to speak of.
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201, headers=heads["admin"])
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": "a: 1\n"}}, status=201, headers=heads["admin"])
            self.ask(service, "GET", f"{API}/up/nodes/default/values?secrets=clear", status=403, headers=heads["reader"])
            self.ask(service, "GET", "/strata/v1/audit", status=403, headers=heads["reader"])
            rows = self.ask(service, "GET", "/strata/v1/audit", headers=heads["admin"])["audit"]
            seen = [(one["who"], one["outcome"], one["target"]) for one in rows]
            self.assertEqual(seen, [("token:reader", "refused", f"PUT {API}/up"), ("anonymous", "not recognised", f"PUT {API}/up"), ("token:admin", "201", f"PUT {API}/up"),
                                    ("token:admin", "201", f"PUT {API}/up/tree"), ("token:reader", "refused", f"GET {API}/up/nodes/default/values"),
                                    ("token:reader", "refused", "GET /strata/v1/audit")])
            for one in rows:
                self.assertEqual(one["address"], "127.0.0.1")
                self.assertTrue(one["request"])
            audited = lambda lines: [line for line in lines if line.get("audit")]
            logged = audited(service.log(until=lambda lines: len(audited(lines)) >= len(rows)))
            self.assertEqual([(line["who"], line["outcome"]) for line in logged], [row[:2] for row in seen])
            self.assertNotIn("x" * 43, json.dumps(rows) + json.dumps(service.log()))

    def test_traces_are_sent_on(self):
        server = self.provider()
        url = f"http://127.0.0.1:{server.server_port}"
        self.write("password", "word\n")
        os.chmod(self.path("password"), 0o600)
        self.write("strata.yaml", f"auth:\n  - oidc: {{issuer: i, audience: a, jwks: '{url}/keys'}}\n"
                                  f"  - keystone: {{url: '{url}', username: strata, password: 'file:{self.path('password')}'}}\n")
        span = "b7ad6b7169203331"
        with Service(STRATA, "--config", self.path("strata.yaml")) as service:
            traced = {"traceparent": f"00-{TRACE}-{span}-01", "tracestate": "a=b"}
            self.assertEqual(service.request("GET", "/v1/p/stacks", headers={**traced, "X-Auth-Token": "t"})[0], 200)
            self.assertEqual(service.request("GET", API, headers={**traced, "Authorization": "Bearer e30.e30.AAAA"})[0], 401)
            self.assertEqual(sorted({path.split("?")[0] for _, path, _ in server.asked}), ["/keys", "/v3/auth/tokens"])
            self.assertEqual(len(server.asked), 3)  # The keys; the service's own token, and the client's.
            spans = set()
            for _, path, headers in server.asked:
                sent = {name.lower(): value for name, value in headers.items()}
                found = re.fullmatch(f"00-{TRACE}-([0-9a-f]{{16}})-01", sent.get("traceparent", ""))
                self.assertTrue(found, path)
                spans.add(found.group(1))
                self.assertEqual(sent["tracestate"], "a=b")
            self.assertEqual(len(spans - {span}), 3)  # Each has a span of its own.
            requests = lambda lines: [line for line in lines if line["event"] == "request"]
            self.assertEqual([line["trace_id"] for line in requests(service.log(until=lambda lines: len(requests(lines)) >= 2))], [TRACE] * 2)
            # What is malformed is no trace.
            server.asked.clear()
            self.assertEqual(service.request("GET", "/v1/p/stacks", headers={"traceparent": f"00-{'0' * 32}-{span}-01", "X-Auth-Token": "other"})[0], 200)
            self.assertNotIn("traceparent", {name.lower() for _, _, headers in server.asked for name in headers})

    def test_times_of_a_request(self):
        with self.serve("fleet") as service:
            service.request("GET", f"{API}/fleet/nodes/web01/values")
            _, headers, _ = service.request("POST", f"{API}/fleet/evaluate", json.dumps({"node": "web02", "keys": ["profile::web::port"]}), {"Content-Type": "application/json"})
            times = dict(re.findall(r"([a-z]+);dur=([0-9.]+)", headers["server-timing"]))
            self.assertEqual(list(times), ["parse", "store", "evaluate"])
            self.assertGreater(float(times["parse"]), 0)  # The body at least.

    def test_the_project_of_deckhands_face(self):
        with Service(STRATA, "--deckhand-project", "ours") as service:
            self.assertEqual(service.request("PUT", "/api/v1.0/buckets/b/documents", POLICY, YAML)[0], 200)

            def count(prefix):
                return service.request("GET", prefix + "/api/v1.0/revisions")[2].splitlines()[0]

            self.assertEqual([count(prefix) for prefix in ("", "/p/ours", "/p/default")], ["count: 1", "count: 1", "count: 0"])
            self.assertEqual(self.ask(service, "GET", "/strata/v1/projects")["projects"], ["ours"])
            # Other faces have the usual project.
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            self.assertEqual(self.ask(service, "GET", f"/p/default{API}")["sites"][0]["name"], "up")

    def test_promised_and_shipped(self):
        document = ("---\nschema: example/Kind/v1\nmetadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, labels: {l: '%s'}, layeringDefinition: {%s}}\ndata: %s\n")
        documents = (POLICY.replace("[site]", "[global, site]") + document % ("parent", "p", "abstract: true, layer: global", "{list: [a, b, a]}")
                     + document % ("child", "c", "layer: site, parentSelector: {l: p}, actions: [{method: delete, path: '.list[2]'}]", "{}"))
        shown = {}
        for how in ("promised", "shipped"):
            with Service(STRATA, "--compat", how) as service:
                status, _, text = service.request("PUT", "/api/v1.0/buckets/b/documents", documents, YAML)
                self.assertEqual(status, 200, text)
                status, _, text = service.request("GET", "/api/v1.0/revisions/1/rendered-documents?metadata.name=child", headers={})
                self.assertEqual(status, 200, text)
                shown[how] = re.findall(r"^ *- (\w)$", text, re.MULTILINE)
                self.write("documents.yaml", documents)
                run = subprocess.run([STRATA, "render", "--compat", how, "--filter", "metadata.name=child", "documents.yaml"], cwd=self.folder, capture_output=True, text=True,
                                     timeout=HANGS, check=False)
                if run.returncode == 0:
                    self.assertEqual(re.findall(r"^ *- (\w)$", run.stdout, re.MULTILINE), shown[how])
        self.assertNotEqual(shown["promised"], shown["shipped"])
        run = subprocess.run([STRATA, "serve", "--check", "--compat", "other", "--store", f"sqlite:{self.path('s.db')}"], capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("promised", run.stderr)

    def test_keys_of_tickets_change(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=one.example", "-addext",
                        "subjectAltName=DNS:one.example", "-days", "2", "-keyout", "one.key", "-out", "one.pem"], cwd=self.folder, check=True, capture_output=True, timeout=HANGS)
        context = ssl.create_default_context(cafile=self.path("one.pem"))
        context.maximum_version = ssl.TLSVersion.TLSv1_2  # Its tickets come with the handshake.

        def connect(service, session=None):
            """A session, and whether the one that was shown is taken."""
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as plain:
                with context.wrap_socket(plain, server_hostname="one.example", session=session) as connection:
                    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: one.example\r\nConnection: close\r\n\r\n")
                    answer = b""
                    while piece := connection.recv(65536):
                        answer += piece
                    self.assertIn(b" 200 ", answer)
                    return connection.session, connection.session_reused

        for time_of_key, lasts in (("1h", True), ("1s", False)):
            self.write("strata.yaml", f"listen: ['127.0.0.1:0,tls']\nstore: 'sqlite:{self.path(time_of_key)}.db'\n"
                                      f"tls: {{certificate: {self.path('one.pem')}, key: {self.path('one.key')}, ticket-time: {time_of_key}}}\n")
            with Service(STRATA, "--config", self.path("strata.yaml"), "--listen", "127.0.0.1:0,tls") as service:
                self.eventually(lambda: connect(service, connect(service)[0])[1], "no session is taken up")
                session, _ = connect(service)
                if lasts:
                    time.sleep(2.5)
                    self.assertTrue(connect(service, session)[1])
                else:
                    self.eventually(lambda: not connect(service, session)[1], "the key of a ticket lives on")
                # Nobody reloaded anything.
                self.assertEqual([line for line in service.log() if line["event"].startswith("reload")], [])


if __name__ == "__main__":
    unittest.main()
