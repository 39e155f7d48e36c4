# SPDX-License-Identifier: Apache-2.0
"""A server of PostgreSQL for a test's time, on a Unix socket that nobody else can reach."""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time


class Server:
    """It refuses to run as root, so that root starts it as the user `postgres`, or `nobody`."""

    def __init__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not found:
            raise FileNotFoundError("there is no PostgreSQL below /usr/lib/postgresql: script/bootstrap installs it")
        self.programs = os.path.dirname(found[-1])
        self.folder = tempfile.mkdtemp(prefix="strata-postgres-", dir="/tmp")  # The path of a socket is short.
        self.user = None
        if os.geteuid() == 0:
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            self.user = names.get("postgres") or names["nobody"]
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.log = open(os.path.join(self.folder, "log"), "wb")
        data = os.path.join(self.folder, "data")
        self.start("initdb", "-D", data, "-A", "trust", "-U", "strata", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync").wait()
        self.server = self.start("postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB")
        self.made = 0
        for _ in range(1200):
            if self.ask("SELECT 1").returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError(f"the server does not start: see {self.folder}/log")

    def start(self, program, *words):
        as_user = {} if self.user is None else {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        return subprocess.Popen([os.path.join(self.programs, program), *words], cwd=self.folder, stdout=self.log, stderr=self.log, **as_user)

    def ask(self, sql, database="postgres"):
        return subprocess.run([os.path.join(self.programs, "psql"), "-h", self.folder, "-U", "strata", "-Atc", sql, database], capture_output=True,
                              text=True, check=False)

    def new_database(self):
        """The URL of a new, empty database."""
        self.made += 1
        name = f"t{self.made}"
        done = self.ask(f"CREATE DATABASE {name}")
        assert done.returncode == 0, done.stderr
        return f"postgresql://strata@/{name}?host={self.folder}"

    def stop(self):
        self.server.send_signal(signal.SIGQUIT)
        self.server.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
