# SPDX-License-Identifier: Apache-2.0
"""A service of the program under test, for tests: started on a port that the system chooses, ended with the test."""
import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import time

HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Service:
    """Use with `with`. `words`: further options of `strata serve`."""

    def __init__(self, strata, *words, folder=None, environment=None):
        self.strata, self.words = os.path.abspath(strata), words
        self.temporary = None if folder else tempfile.TemporaryDirectory()
        self.folder = folder or self.temporary.name
        self.environment = environment
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def start(self):
        words = list(self.words)
        if "--listen" not in words:
            words += ["--listen", "127.0.0.1:0"]
        if "--store" not in words:
            words += ["--store", f"sqlite:{self.folder}/store.db"]
        self.log_path = os.path.join(self.folder, "log")
        with open(self.log_path, "ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen([self.strata, "serve", *words], cwd=self.folder, stdout=log, stderr=log, env=self.environment)
        while True:
            with open(self.log_path, "rb") as log:
                log.seek(begin)
                lines = log.read().decode("utf-8", "replace").splitlines(keepends=True)
            listening = [line for line in lines if '"event":"listening"' in line and line.endswith("\n")]
            if len(listening) >= words.count("--listen"):
                break
            if self.process.poll() is not None:
                raise AssertionError("the service ended: " + "".join(lines))
            time.sleep(0.005)
        address = json.loads(listening[0])["address"]
        self.port = int(address.rsplit(":", 1)[1]) if not address.startswith("unix:") else None

    def __exit__(self, *_):
        self.stop()
        if self.temporary:
            self.temporary.cleanup()

    def stop(self, with_signal=signal.SIGTERM):
        """Ends the process; returns its exit status. AssertionError: it had crashed."""
        status = self.process.poll()
        if status is not None and -status in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV):
            with open(self.log_path, encoding="utf-8", errors="replace") as log:
                raise AssertionError(f"the service crashed with signal {-status}, after: {log.read()[-4000:]}")
        if status is None:
            self.process.send_signal(with_signal)
        try:
            return self.process.wait(HANGS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def log(self, until=lambda lines: True):
        """The lines of the log, which come a while after the answers that they tell of: as soon as `until` holds of them, or as they are at the end."""
        end = time.monotonic() + HANGS
        while True:
            with open(self.log_path, encoding="utf-8", errors="replace") as log:
                lines = [json.loads(line) for line in log if line.startswith("{") and line.endswith("\n")]
            if until(lines) or time.monotonic() > end:
                return lines
            time.sleep(0.01)

    def metrics(self, until=lambda values: True):
        """What /metrics says, by name with labels. Requests are counted when they are answered, a while after who asked has the answer: as `log`."""
        end = time.monotonic() + HANGS
        while True:
            lines = self.request("GET", "/metrics")[2].splitlines()
            values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
            if until(values) or time.monotonic() > end:
                return values
            time.sleep(0.01)

    def request(self, method, target, body=None, headers=None):
        """Status, headers with small names, body as text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        try:
            connection.request(method, target, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def raw(self, data, ends=True):
        """What the service sends for these bytes, until it closes the connection. `ends`: nothing follows them."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANGS) as connection:
            connection.sendall(data)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            out = b""
            while piece := connection.recv(65536):
                out += piece
            return out
