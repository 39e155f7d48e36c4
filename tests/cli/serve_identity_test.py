#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve --auth …`: who is let in where, and what the log says of it.

usage: serve_identity_test.py STRATA
"""
import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

import postgres
import serving

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Service:
    """A service on a port that the system chose."""

    def __init__(self, folder, *words, **variables):
        self.log = []
        self.process = subprocess.Popen([STRATA, "serve", "--listen", "127.0.0.1:0", *words], cwd=folder, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **variables})
        for line in self.process.stderr:
            self.log.append(json.loads(line))
            if self.log[-1]["event"] == "listening":
                break
        self.url = "http://" + self.log[-1]["address"]

    def ask(self, path, **headers):
        request = urllib.request.Request(self.url + path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        try:
            with urllib.request.urlopen(request, timeout=HANGS) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def stop(self):
        """The log's lines of requests."""
        self.process.send_signal(signal.SIGTERM)
        _, rest = self.process.communicate(timeout=HANGS)
        self.log += [json.loads(line) for line in rest.splitlines()]
        assert self.process.returncode == 0, self.log
        return [line for line in self.log if line["event"] == "request"]


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def strata(self, *words, status=0):
        done = subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.errors = done.stderr
        return done.stdout

    def check(self, *words, status=0):
        return self.strata("serve", "--check", "--store", "sqlite:a.db", *words, status=status)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)


class Starting(Folder):
    def test_what_lets_in_too_many(self):
        for words in (["--listen", "0.0.0.0:0"], ["--listen", "127.0.0.1:0", "--listen", "[::]:0", "--auth", "none"],
                      ["--listen", "0.0.0.0:0", "--auth", "tokens", "--auth", "headers"]):
            self.check(*words, status=1)
            self.assertIn("[service.auth]", self.errors)
        self.check("--listen", "0.0.0.0:0", "--auth", "tokens")
        self.check("--listen", "0.0.0.0:0", "--auth", "none-on-purpose")
        self.check("--listen", "unix:s", "--auth", "none", "--auth", "headers")

    def test_pages_of_others(self):
        service = Service(self.folder, "--store", "sqlite:a.db")
        own = service.url
        try:
            def status(path, method, **headers):
                request = urllib.request.Request(own + path, method=method, data=b"{}" if method == "POST" else None, headers=headers)
                try:
                    with urllib.request.urlopen(request, timeout=HANGS) as answer:
                        return answer.status
                except urllib.error.HTTPError as error:
                    return error.code
            for path in ("/strata/v1/sites", "/api/v1.0/revisions"):
                self.assertEqual(status(path, "GET"), 200)
                self.assertEqual(status(path, "GET", Host="evil.example:8787"), 421)
            self.assertEqual(status("/healthz", "GET", Host="evil.example"), 200)  # For everybody.
            for path in ("/api/v1.0/rollback/0", "/strata/v1/tokens"):
                self.assertEqual(status(path, "POST", Origin="http://evil.example", **{"Content-Type": "text/plain"}), 403)
            self.assertEqual(status("/api/v1.0/rollback/0", "POST", Origin=own, **{"Content-Type": "application/x-yaml"}), 201)
        finally:
            service.stop()

    def test_words(self):
        self.check("--auth", "token", status=1)
        self.assertIn("did you mean 'tokens'?", self.errors)
        self.check("--auth", "oidc", status=1)
        self.assertIn("--oidc-issuer", self.errors)
        self.check("--auth", "keystone:http://keystone.example.org", status=1)
        self.check("--oidc-issuer", "i", status=2)
        self.check("--auth", "tokens:none.yaml", status=1)
        self.assertIn("none.yaml", self.errors)
        self.assertIn("auth: keystone", self.check("--auth", "keystone:https://keystone.example.org"))

    def test_the_configuration(self):
        key = '{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}'
        self.write("jwks.json", '{"keys":[' + key + "]}")
        self.write("password", "secret-of-the-service\n")
        os.chmod(os.path.join(self.folder, "password"), 0o600)
        self.write("all.yaml", """
auth:
  - tokens
  - oidc: {issuer: https://id.example.org, audience: [strata], jwks: jwks.json, roles_claim: groups, project-claim: team}
  - keystone: {url: https://keystone.example.org, username: strata, password: file:password, user-domain: Default}
  - mtls: [{name: 'DNS:*.example.org', roles: [node], node: '*'}]
""")
        shown = self.check("--config", "all.yaml")
        self.assertEqual([line for line in shown.splitlines() if line.startswith("auth")], ["auth: tokens", "auth: oidc", "auth: keystone", "auth: mtls"])
        # An option of the command line counts before its member; a way keeps what the file says of it.
        self.assertIn("auth: oidc\npolicy", self.check("--config", "all.yaml", "--auth", "oidc"))
        self.check("--config", "all.yaml", "--jwks", "none.json", status=1)
        self.assertIn("none.json", self.errors)
        os.chmod(os.path.join(self.folder, "password"), 0o644)
        self.check("--config", "all.yaml", status=1)
        self.assertIn("[service.key-readable]", self.errors)
        for text, word in (("auth: [oicd]", "did you mean 'oidc'?"), ("auth: [{oidc: {isuer: x}}]", "did you mean 'issuer'?"), ("auth: [1]", "auth"),
                           ("auth: [{none: {a: b}}]", "no options"), ("auth: [{mtls: [{name: web01, roles: [a]}]}]", "web01"),
                           ("auth: [{keystone: {username: a}}]", "url"), ("auth: [{keystone: {url: 'https://k', username: a, password: b}}]", "file:PATH")):
            self.write("wrong.yaml", text + "\n")
            self.check("--config", "wrong.yaml", status=1)
            self.assertIn(word, self.errors, text)
            self.assertNotIn("secret-of-the-service", self.errors)


class Headers(unittest.TestCase):
    """Behind a proxy that says who asks: `--auth headers`."""

    KNOWN = ["X-Identity-Status: Confirmed", "X-Roles: admin", "X-User-Id: u", "X-Project-Id: p"]
    FACES = {"/strata/v1/sites": "application/problem+json", "/api/v1.0/revisions": "application/x-yaml", "/v1/p/stacks": "application/json"}

    @classmethod
    def setUpClass(cls):
        cls.service = serving.Service(STRATA, "--auth", "headers")
        cls.service.start()

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()
        cls.service.temporary.cleanup()

    def ask(self, path, *lines, method="GET"):
        """Status, head and body."""
        head = "".join(line + "\r\n" for line in lines).encode("latin-1")
        answer = self.service.raw(f"{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n".encode() + head + b"\r\n")
        head, body = answer.split(b"\r\n\r\n", 1)
        return int(head.split()[1]), head.decode("latin-1"), body.decode()

    def test_headers_that_stand_there_twice(self):
        for path, kind in self.FACES.items():
            self.assertEqual(self.ask(path, *self.KNOWN)[0], 200, path)
            for more in ("X-Identity-Status: Invalid", "X-Roles: reader", "x-user-id: other", "X-Project-Id: other", "X-Domain-Id: a\r\nX-Domain-Id: b",
                         "X-Identity-Status: Confirmed"):
                for lines in ([*self.KNOWN, more], [more, *self.KNOWN]):
                    status, head, body = self.ask(path, *lines)
                    self.assertEqual(status, 400, (path, lines, body))
                    self.assertIn(kind, head)
                    self.assertIn("several times", body)
        # Paths for everybody stay that.
        self.assertEqual(self.ask("/healthz", *self.KNOWN, "X-Roles: reader")[0], 200)

    def test_who_is_refused_is_told_how_to_show_who_asks(self):
        for path in self.FACES:
            status, head, _ = self.ask(path)
            self.assertEqual(status, 401, path)
            self.assertIn('WWW-Authenticate: Headers realm="strata"', head)

    def test_a_request_without_a_user_is_not_authenticated(self):
        known = [line for line in self.KNOWN if not line.startswith("X-User-Id")]
        for path in self.FACES:
            for more in ([], ["X-User-Id:"], ["X-User-Id: "], ["X-User-Id: \t "], ["X-User: u"]):
                self.assertEqual(self.ask(path, *known, *more)[0], 401, (path, more))

    def test_roles_without_a_project_hold_nowhere(self):
        for role in ("reader", "editor"):
            lines = ["X-Identity-Status: Confirmed", f"X-Roles: {role}", "X-User-Id: u"]
            for more in ([], ["X-Domain-Id: d"], ["X-Project-Id: "]):
                for path in ("/strata/v1/sites", "/p/p/strata/v1/sites", "/v1/p/stacks", "/strata/v1/projects"):
                    self.assertEqual(self.ask(path, *lines, *more)[0], 403, (path, role, more))
            self.assertEqual(self.ask("/strata/v1/sites", *lines, "X-Project-Id: p")[0], 200)
            self.assertEqual(self.ask("/p/other/strata/v1/sites", *lines, "X-Project-Id: p")[0], 403)
            self.assertEqual(self.ask("/p/other/strata/v1/sites", *lines, "OpenStack-System-Scope: all")[0], 200)

    def test_the_role_of_a_node_alone_opens_no_node(self):
        for path in ("/hiera/s/a/k", "/enc/s/a", "/cloud-init/a/meta-data"):
            for roles, status in (("node", 403), ("node,reader", 404)):
                self.assertEqual(self.ask(path, "X-Identity-Status: Confirmed", f"X-Roles: {roles}", "X-User-Id: u", "X-Project-Id: p")[0], status, (path, roles))

    def test_names_of_projects(self):
        others = self.KNOWN[:3]
        wrong = ["a%0d%0aX-Evil:%20yes", "a%0ab", "%01", "a%7f", "%C2%85", "a%2fb", "%20a", "a%20", "x" * 256]
        for name in wrong:
            for path in (f"/p/{name}/strata/v1/sites", f"/p/{name}/api/v1.0/revisions", f"/v1/{name}/stacks"):
                status, head, body = self.ask(path, *others)
                self.assertEqual(status, 400, (path, body))
                self.assertIn("a project has a name of", body)
            status, _, body = self.ask(f"/p/{name}/strata/v1/sites/s", *others, "Content-Length: 0", method="PUT")
            self.assertEqual((status, json.loads(body)["code"]), (400, "request.project"))
        self.assertEqual(self.ask("/p/%ff/strata/v1/sites", *others)[0], 400)
        for name in ("a\tb", "a/b", "\xff", "x" * 256):
            status, _, body = self.ask("/strata/v1/sites", *others, f"X-Project-Id: {name}")
            self.assertEqual((status, json.loads(body)["code"]), (400, "request.project"), name)
        for name in ("p", "a%20b", "a:b", "%C3%A9", "A.b_c-1", "x" * 255):
            self.assertEqual(self.ask(f"/p/{name}/strata/v1/sites", *others)[0], 200, name)
        # Nothing is named by no text.
        for path in ("/p//strata/v1/sites", "/p//strata/v1/sites/s", "/p//api/v1.0/revisions", "/v1//stacks"):
            for method in ("GET", "PUT"):
                self.assertEqual(self.ask(path, *others, "Content-Length: 0", method=method)[0], 404, (method, path))
        self.assertEqual(json.loads(self.ask("/strata/v1/projects", *self.KNOWN)[2])["projects"], [])
        # Neither tokens nor listeners are for such a project.
        with tempfile.TemporaryDirectory() as folder:
            for words in (["token", "create", "--role", "reader", "--project", "a\nb"], ["token", "create", "--role", "reader", "--project", "a/b", "--for-file"],
                          ["serve", "--check", "--listen", "127.0.0.1:0", "--deckhand-project", "a\nb"]):
                run = subprocess.run([STRATA, *words, *([] if "--for-file" in words else ["--store", f"sqlite:{folder}/a.db"])], capture_output=True, text=True,
                                     timeout=HANGS, check=False)
                self.assertEqual(run.returncode, 1, run)
                self.assertIn("project", run.stderr)


class Asking(Folder):
    @classmethod
    def setUpClass(cls):
        cls.server = postgres.Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_tokens_that_are_revoked_on_the_way(self):
        store = self.server.new_database()
        token = self.strata("token", "create", "--id", "a", "--role", "admin", "--store", store).strip()
        service = Service(self.folder, "--store", store, "--auth", "tokens")
        self.assertEqual(service.ask("/healthz", Authorization="Bearer " + token), 200)
        self.strata("token", "revoke", "a", "--store", store)
        time.sleep(1.1)
        service.ask("/healthz", Authorization="Bearer " + token)
        service.ask("/healthz")
        who = [line.get("principal") for line in service.stop()]
        self.assertEqual(who[0], "token:a")
        self.assertNotIn("token:a", who[1:])
        self.assertNotIn(token.split("_", 2)[2], json.dumps(service.log))

    def test_a_file_that_changes(self):
        token, entry = self.strata("token", "create", "--for-file", "--id", "f", "--role", "reader").splitlines()
        self.write("tokens.yaml", entry + "\n")
        service = Service(self.folder, "--store", "sqlite:a.db", "--auth", "tokens:tokens.yaml")
        service.ask("/healthz", Authorization="Bearer " + token)
        self.write("tokens.yaml", "{}\n")
        time.sleep(1.1)
        service.ask("/healthz", Authorization="Bearer " + token)
        self.write("tokens.yaml", "broken: [\n")
        time.sleep(1.1)
        service.ask("/healthz", Authorization="Bearer " + token)
        who = [line.get("principal") for line in service.stop()]
        self.assertEqual(who[0], "token:f")
        self.assertNotIn("token:f", who[1:])
        self.assertEqual([line["event"] for line in service.log if line["event"] == "reload.failed"], ["reload.failed"])

    def test_roles_and_projects(self):
        tokens = {}
        for name, role, project in (("admin", "admin", "p"), ("editor", "editor", "p"), ("other", "admin", "q")):
            tokens[name], entry = self.strata("token", "create", "--for-file", "--id", name, "--role", role, "--project", project).splitlines()
            with open(os.path.join(self.folder, "tokens.yaml"), "a", encoding="utf-8") as file:
                file.write(entry + "\n")
        service = Service(self.folder, "--store", "sqlite:a.db", "--auth", "tokens:tokens.yaml")
        asked = {name: [service.ask(path, Authorization="Bearer " + token) for path in ("/api/v1.0/revisions", "/p/p/api/v1.0/revisions", "/p/q/api/v1.0/revisions",
                                                                                           "/v1/p/stacks", "/v1/q/stacks")]
                 for name, token in tokens.items()}
        # Roles of a token hold in its project, those of an administrator too.
        self.assertEqual(asked["admin"], [200, 200, 403, 200, 403])
        self.assertEqual(asked["other"], [200, 403, 200, 403, 200])
        self.assertEqual(asked["editor"], [403, 403, 403, 200, 403])
        self.assertEqual(service.ask("/api/v1.0/revisions"), 401)
        self.assertEqual(service.ask("/api/v1.0/revisions", Authorization="Bearer nonsense"), 401)
        self.assertEqual(service.ask("/api/v1.0/revisions", X_Identity_Status="Confirmed", X_Roles="admin"), 401)
        for _ in range(9):
            service.ask("/api/v1.0/revisions", Authorization="Bearer nonsense")
        self.assertEqual(service.ask("/api/v1.0/revisions", Authorization="Bearer nonsense"), 429)
        service.stop()

    def test_keystone(self):
        class Keystone(http.server.BaseHTTPRequestHandler):
            """Knows two tokens, and its own answer to a user's password."""

            def log_message(self, *_):
                pass

            def answer(self, status, body, **headers):
                text = json.dumps(body).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def do_GET(self):
                roles = {"member-of-p": "reader", "admin-of-p": "admin"}.get(self.headers["X-Subject-Token"])
                if self.headers["X-Auth-Token"] != "own":
                    return self.answer(401, {})
                if roles is None:
                    return self.answer(404, {})
                return self.answer(200, {"token": {"expires_at": "2099-01-01T00:00:00.000000Z", "user": {"id": "u1"}, "project": {"id": "p"},
                                                   "roles": [{"name": roles}]}})

            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                user = asked["auth"]["identity"]["password"]["user"]
                is_right = user["name"] == "strata" and user["password"] == "right"
                self.answer(201 if is_right else 401, {"token": {"expires_at": "2099-01-01T00:00:00.000000Z", "user": {"id": "s"}}}, X_Subject_Token="own")

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keystone)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.write("strata.yaml", f"auth: [{{keystone: {{url: 'http://127.0.0.1:{server.server_port}', username: strata, password: env:PASSWORD}}}}]\n")
        service = Service(self.folder, "--store", "sqlite:a.db", "--config", "strata.yaml", PASSWORD="right")
        self.assertEqual([service.ask(f"/v1/{project}/stacks", X_Auth_Token=token) for token in ("member-of-p", "admin-of-p", "wrong") for project in ("p", "q")],
                         [200, 403, 200, 200, 401, 401])
        self.assertEqual(service.ask("/v1/p/stacks"), 401)
        with open(f"/proc/{service.process.pid}/environ", "rb") as file:
            self.assertNotIn(b"right", file.read())
        who = {line.get("principal") for line in service.stop() if line["status"] == 200}
        self.assertEqual(who, {"u1"})


if __name__ == "__main__":
    unittest.main()
