#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The unit of the service: what systemd says of its exposure; the service with the unit's words, with a socket from systemd, which it tells that it is
ready; the configuration that the package installs. Where systemd runs the machine, root also has it run the service as the unit says, under its user and
behind its filters; elsewhere that test is skipped, and says why.

usage: service_unit_test.py STRATA

With STRATA_ALL_TOOLS=1, a test whose tool is missing fails instead of being skipped.
"""
import http.client
import os
import pathlib
import pwd
import re
import shlex
import shutil
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


# What the test replaces or does without: the command, folders of the state that would be those of a service of the machine, starts after a failure.
OWN_SETTINGS = ("ExecStart", "ExecReload", "StateDirectory", "RuntimeDirectory", "LogsDirectory", "Restart")


def lines_of(section):
    """The settings of a section of the unit, in their order. Some come more than once."""
    text = UNIT.read_text(encoding="utf-8").split(f"[{section}]\n")[1].split("\n[")[0]
    return [line.split("=", 1) for line in text.splitlines() if re.match(r"[A-Za-z]+=", line)]


def settings():
    """The settings of the service: the last value of each."""
    return dict(lines_of("Service"))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


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

    def config(self, state, listen="127.0.0.1:8787"):
        """The installed configuration, with a folder for the store that may be written here."""
        text = CONFIG.read_text(encoding="utf-8")
        self.assertIn("sqlite:/var/lib/strata/strata.db", text)
        self.assertIn("listen: [127.0.0.1:8787]", text)
        path = os.path.join(self.folder, "server.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("/var/lib/strata", state).replace("127.0.0.1:8787", listen))
        return path

    def words(self, config=None, program=STRATA):
        """The command of the unit, with the program and the configuration of this test."""
        words = shlex.split(settings()["ExecStart"])
        self.assertEqual(words[0], "/usr/bin/strata")
        self.assertEqual(words[words.index("--config") + 1], "/etc/strata/server.yaml")
        words[0], words[words.index("--config") + 1] = program, config or self.config(self.folder)
        return words

    def test_installed_configuration(self):
        done = subprocess.run([*self.words(), "--check"], capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("tokens", done.stdout)

    def test_token_before_the_service(self):
        """What the page says: a token is made, the configuration is looked at, and the service takes the token."""
        page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8").split("## The service unit")[1].split("```")[1]
        lines = [line for line in page.splitlines() if line.startswith("runuser -u strata -- strata ")]
        self.assertEqual(len(lines), 2)
        self.assertLess(page.index(lines[-1]), page.index("systemctl enable"))
        for line in lines:
            words = [STRATA, *shlex.split(line.replace("/var/lib/strata", self.folder))[5:]]
            if "--config" in words:
                words[words.index("--config") + 1] = self.config(self.folder)
            done = subprocess.run(words, capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(lines[0].removeprefix("runuser "), CONFIG.read_text(encoding="utf-8"))

    def test_service_under_systemd(self):
        """The service as the user of the unit, behind all that the unit forbids it."""
        if not os.path.isdir("/run/systemd/system"):
            self.skipTest("systemd does not run this machine, so that nothing can start the service as its unit says")
        if os.geteuid() != 0:
            self.skipTest("only root may have systemd start the service as its unit says")
        start, control = tool(self, "systemd-run"), tool(self, "systemctl")
        # Where the unit sees it, and may run programs: it has a /tmp of its own, no homes, and /run may be for data only.
        made = tempfile.TemporaryDirectory(prefix="strata-unit-", dir="/var/lib")
        self.addCleanup(made.cleanup)
        self.folder = made.name
        os.chmod(self.folder, 0o755)
        program = shutil.copy(STRATA, f"{self.folder}/strata")
        name, port = os.path.basename(self.folder), free_port()
        config = self.config(f"/run/{name}", f"127.0.0.1:{port}")
        os.chmod(config, 0o644)
        asked = [setting for setting in lines_of("Service") if setting[0] not in OWN_SETTINGS] + [("RuntimeDirectory", name)]
        user = settings()["User"]
        try:
            known = pwd.getpwnam(user)
        except KeyError:  # The package is not installed: one for as long as the service runs.
            known = None
            asked.append(("DynamicUser", "yes"))
        words = [start, "--quiet", "--collect", f"--unit={name}", *(f"--property={key}={value}" for key, value in asked), *self.words(config, program)]
        self.addCleanup(subprocess.run, [control, "stop", name], capture_output=True, timeout=HANGS, check=False)
        # It returns when the service has said that it is ready.
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr + self.journal(name))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)
        connection.request("GET", "/healthz")
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        shown = subprocess.run([control, "show", "--property=MainPID,ActiveState,User", name], capture_output=True, text=True, timeout=HANGS, check=True)
        told = dict(line.split("=", 1) for line in shown.stdout.splitlines())
        self.assertEqual((told["ActiveState"], told["User"]), ("active", user))
        status = pathlib.Path("/proc", told["MainPID"], "status").read_text(encoding="utf-8")
        facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        owner = os.stat(f"/run/{name}/strata.db").st_uid
        self.assertNotEqual(owner, 0)
        self.assertEqual(set(facts["Uid"].split()), {str(known.pw_uid if known else owner)})
        self.assertEqual((facts["CapEff"], facts["NoNewPrivs"], facts["Seccomp"]), ("0" * 16, "1", "2"))
        stopped = subprocess.run([control, "stop", name], capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(stopped.returncode, 0, stopped.stderr)
        self.assertFalse(os.path.exists(f"/proc/{told['MainPID']}"))

    @staticmethod
    def journal(name):
        done = subprocess.run(["journalctl", "--no-pager", "--lines=50", f"--unit={name}"], capture_output=True, text=True, timeout=HANGS, check=False)
        return done.stdout + done.stderr

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
