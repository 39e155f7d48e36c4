#!/usr/bin/python3
"""The unit of the service: what systemd says of its exposure; the service with the unit's words, with a socket from systemd, which it tells that it is
ready; the configuration that the package installs.

usage: service_unit_test.py STRATA

With STRATA_ALL_TOOLS=1, a test whose tool is missing fails instead of being skipped.
"""
import http.client
import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import tempfile
import unittest

from manual_test import HANGS, STRATA, tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNIT = ROOT / "debian" / "strata-server.service"
CONFIG = ROOT / "debian" / "server.yaml"
MOST_EXPOSURE = 15  # Tenths.


def settings():
    """The settings of the unit: the last value of each."""
    lines = [line.split("=", 1) for line in UNIT.read_text(encoding="utf-8").splitlines() if re.match(r"[A-Za-z]+=", line)]
    return dict(lines)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=HANGS)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(HANGS)
        self.sock.connect(self.path)


class Unit(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="strata-unit-")
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def test_exposure(self):
        analyze = tool(self, "systemd-analyze")
        done = subprocess.run([analyze, "security", "--offline=yes", f"--threshold={MOST_EXPOSURE}", "--no-pager", str(UNIT)], capture_output=True,
                              text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"Overall exposure level for strata-server.service: \d")

    def config(self):
        """The installed configuration, with a store that may be written here."""
        text = CONFIG.read_text(encoding="utf-8")
        self.assertIn("sqlite:/var/lib/strata/strata.db", text)
        path = os.path.join(self.folder, "server.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("/var/lib/strata", self.folder))
        return path

    def words(self):
        """The command of the unit, with the program and the configuration of this test."""
        words = shlex.split(settings()["ExecStart"])
        self.assertEqual(words[0], "/usr/bin/strata")
        self.assertEqual(words[words.index("--config") + 1], "/etc/strata/server.yaml")
        words[0], words[words.index("--config") + 1] = STRATA, self.config()
        return words

    def test_installed_configuration(self):
        done = subprocess.run([*self.words(), "--check"], capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("tokens", done.stdout)

    def test_socket_activation_and_ready(self):
        activate = tool(self, "systemd-socket-activate")
        self.assertEqual(settings()["Type"], "notify")
        path, told = os.path.join(self.folder, "socket"), os.path.join(self.folder, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(told)
            notices.settimeout(HANGS)
            # Waits for the first connection, and becomes the program.
            with subprocess.Popen([activate, "-l", path, "-E", f"NOTIFY_SOCKET={told}", *self.words()], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE) as process:
                try:
                    while b"Listening on" not in process.stderr.readline():
                        self.assertIsNone(process.poll())
                    connection = UnixConnection(path)
                    connection.request("GET", "/healthz")
                    self.assertEqual(notices.recv(4096), b"READY=1")
                    self.assertEqual(connection.getresponse().status, 200)
                    connection.close()
                    process.send_signal(signal.SIGTERM)
                    self.assertEqual(notices.recv(4096), b"STOPPING=1")
                    process.stderr.read()
                    self.assertEqual(process.wait(HANGS), 0)
                finally:
                    if process.poll() is None:
                        process.kill()


if __name__ == "__main__":
    unittest.main()
