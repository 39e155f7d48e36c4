#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve` over TLS: versions, names, certificates of clients, new certificates without a restart.

usage: serve_tls_test.py STRATA
"""
import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest

from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"


class Tls(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.certificate("ca", "/CN=Test authority", authority=True)
        self.certificate("one", "/CN=one.example", names="DNS:one.example")
        self.certificate("two", "/CN=two.example", names="DNS:two.example")
        self.certificate("client", "/CN=robot", names="URI:spiffe://example/robot")

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *words, standard_input=None):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True, input=standard_input)

    def certificate(self, name, subject, names=None, authority=False):
        new = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", subject, "-keyout", name + ".key"]
        if authority:
            self.openssl(*new, "-x509", "-days", "2", "-out", name + ".pem")
            return
        self.openssl(*new, "-out", name + ".csr")
        with open(self.path(name + ".ext"), "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={names}\n")
        self.openssl("x509", "-req", "-in", name + ".csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", name + ".ext",
                     "-out", name + ".pem")

    def serve(self, *words):
        return Service(STRATA, "--listen", "127.0.0.1:0,tls", "--tls-cert", "one.pem", "--tls-key", "one.key", *words, folder=self.folder)

    def ask(self, service, name="one.example", certificate=None, least=None, most=None):
        """The first line of an answer, the subject of the server's certificate and the version."""
        context = ssl.create_default_context(cafile=self.path("ca.pem"))
        if certificate:
            context.load_cert_chain(self.path(certificate + ".pem"), self.path(certificate + ".key"))
        if least:
            context.minimum_version = least
        if most:
            context.maximum_version = most
        with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as plain:
            with context.wrap_socket(plain, server_hostname=name) as connection:
                connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode())
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
                subject = connection.getpeercert()["subject"][0][0][1]
                return answer.split(b"\r\n", 1)[0].decode(), subject, connection.version()

    def test_versions(self):
        with self.serve() as service:
            self.assertEqual(self.ask(service)[0], "HTTP/1.1 200 OK")
            self.assertEqual(self.ask(service, most=ssl.TLSVersion.TLSv1_2)[2], "TLSv1.2")
            self.assertEqual(self.ask(service, least=ssl.TLSVersion.TLSv1_3)[2], "TLSv1.3")
            # A client that speaks plainly gets no answer, and does no harm.
            self.assertNotIn(b"HTTP/1.1 200", service.raw(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"))
            self.assertEqual(self.ask(service)[0], "HTTP/1.1 200 OK")

    def test_certificates_by_the_name_that_is_asked_for(self):
        with self.serve("--tls-cert", "two.pem", "--tls-key", "two.key") as service:
            self.assertEqual(self.ask(service, "one.example")[1], "one.example")
            self.assertEqual(self.ask(service, "two.example")[1], "two.example")

    def test_certificates_of_clients(self):
        with self.serve("--client-ca", "ca.pem", "--client-auth", "require") as service:
            self.assertEqual(self.ask(service, certificate="client")[0], "HTTP/1.1 200 OK")
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                if self.ask(service)[0] == "":
                    raise ConnectionError
        with self.serve("--client-ca", "ca.pem") as service:
            self.assertEqual(self.ask(service)[0], "HTTP/1.1 200 OK")
            self.assertEqual(self.ask(service, certificate="client")[0], "HTTP/1.1 200 OK")

    def test_new_certificates_are_taken_and_wrong_ones_are_not(self):
        with self.serve() as service:
            for name in ("pem", "key"):
                os.replace(self.path("two." + name), self.path("one." + name))
            service.process.send_signal(signal.SIGHUP)
            self.wait_for(service, "reloaded")
            self.assertEqual(self.ask(service, "two.example")[1], "two.example")
            with open(self.path("one.pem"), "w", encoding="utf-8") as file:
                file.write("nonsense\n")
            service.process.send_signal(signal.SIGHUP)
            self.wait_for(service, "reload.failed")
            self.assertEqual(self.ask(service, "two.example")[1], "two.example")

    def wait_for(self, service, event):
        while not any(line["event"] == event for line in service.log()):
            self.assertIsNone(service.process.poll())

    def test_files_that_do_not_fit(self):
        for words in (["--tls-cert", "one.pem", "--tls-key", "two.key"], ["--tls-cert", "one.pem"], ["--tls-cert", "nothing.pem", "--tls-key", "one.key"],
                      ["--tls-cert", "one.pem", "--tls-key", "one.key", "--client-auth", "require"],
                      ["--tls-cert", "one.pem", "--tls-key", "one.key", "--client-auth", "perhaps"]):
            run = subprocess.run([STRATA, "serve", "--check", "--listen", "127.0.0.1:0,tls", "--store", "sqlite:a.db", *words], cwd=self.folder,
                                 capture_output=True, timeout=HANGS, check=False)
            self.assertEqual(run.returncode, 1, words)
            self.assertIn(b"[service.tls]", run.stderr)
        # Files that nobody uses.
        for check in (["--check"], []):
            for words in (["--tls-cert", "one.pem", "--tls-key", "one.key"], ["--client-ca", "ca.pem"]):
                run = subprocess.run([STRATA, "serve", *check, "--listen", "127.0.0.1:0", "--store", "sqlite:a.db", *words], cwd=self.folder, capture_output=True, timeout=HANGS,
                                     check=False)
                self.assertEqual(run.returncode, 1, words)
                self.assertIn(b"no listener has TLS", run.stderr)


if __name__ == "__main__":
    unittest.main()
