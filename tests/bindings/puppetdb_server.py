#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server on the loopback interface with recorded answers of PuppetDB's query API, good and bad ones.

Prints its port, then serves until its standard input is closed. With --tls FOLDER it makes a CA, a server's and a client's certificate there (ca.pem,
client.pem, client.key) and asks clients for theirs. The first segment of a path chooses the behaviour, what follows is PuppetDB's own path."""
import http.server
import json
import pathlib
import ssl
import subprocess
import sys
import threading
import time

API = "/pdb/query/v4"
# As documented for the resources endpoint of PuppetDB 7.
RESOURCES = [
    {"certname": "db2.example.com", "environment": "production", "exported": True, "file": "/etc/puppet/site.pp", "line": 12,
     "parameters": {"size": 20, "user": "eve"}, "resource": "0d0c", "tags": ["sql", "two", "prod"], "title": "two", "type": "Sql"},
    {"certname": "db1.example.com", "environment": "production", "exported": False, "file": None, "line": None,
     "parameters": {"size": 10, "user": "Bob"}, "resource": "0d0b", "tags": ["sql", "one"], "title": "one", "type": "Sql"},
    {"certname": "me.example.com", "environment": "production", "exported": False, "file": "/x", "line": 1,
     "parameters": {}, "resource": "0d0e", "tags": [], "title": "mine", "type": "Sql"},
]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(405, b"only POST")

    def do_POST(self):
        mode, _, path = self.path[1:].partition("/")
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            getattr(self, mode)("/" + path, body)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass

    def good(self, path, body):
        query = json.loads(body)["query"]
        wrong = path != API or self.headers["Content-Type"] != "application/json" or query[:2] != ["from", "resources"]
        if wrong:
            self.answer(400, b"wrong: " + body)
        else:
            self.answer(200, json.dumps(RESOURCES).encode())

    def broken(self, *_):
        self.answer(500, b"\x00<h1>out of\ncheese \xff</h1>" + b"x" * 1000)

    def moved(self, *_):
        self.send_response(302)
        self.send_header("Location", "/good" + API)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def junk(self, *_):
        self.answer(200, b'[{"type": "Sql", ')

    def text(self, *_):
        self.answer(200, b'"not a list"')

    def untitled(self, *_):
        self.answer(200, b'[\n {"type": "Sql"}]')

    def slow(self, *_):
        time.sleep(3600)

    def drip(self, *_):
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        for _ in range(100000):
            self.wfile.write(b" ")
            time.sleep(0.3)

    def huge(self, *_):
        self.send_response(200)
        self.send_header("Content-Length", str(1 << 40))
        self.end_headers()
        while True:
            self.wfile.write(b" " * 65536)


def make_certificates(folder):
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    (folder / "ext").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
            "-subj", "/CN=test CA")
    for name in ("server", "client"):
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
                "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", f"{name}.pem", "-days", "2",
                "-extfile", "ext")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if sys.argv[1:2] == ["--tls"]:
        folder = pathlib.Path(sys.argv[2])
        make_certificates(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "server.pem", folder / "server.key")
        context.load_verify_locations(folder / "ca.pem")
        context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
