# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of one test, on a socket in a folder of its own."""
import glob
import os
import pwd
import shutil
import subprocess
import tempfile

HANGS = 120


class Postgres:
    def __init__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not found:
            raise SystemExit("there is no PostgreSQL below /usr/lib/postgresql: script/bootstrap installs it")
        self.programs = found[-1]
        self.folder = tempfile.mkdtemp(prefix="strata-faults-")
        self.user = None
        if os.geteuid() == 0:
            self.user = "postgres" if any(one.pw_name == "postgres" for one in pwd.getpwall()) else "nobody"
            entry = pwd.getpwnam(self.user)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        self.run("initdb", "-D", self.folder + "/data", "-A", "trust", "-U", "strata", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self.start()
        self.sql("CREATE DATABASE strata")

    def run(self, program, *words, check=True):
        lead = ["runuser", "-u", self.user, "--"] if self.user else []
        return subprocess.run([*lead, os.path.join(self.programs, program), *words], cwd=self.folder, check=check, capture_output=True, timeout=HANGS)

    def start(self):
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c max_connections=60"
        self.run("pg_ctl", "-D", self.folder + "/data", "-l", self.folder + "/server.log", "-w", "-o", options, "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-m", mode, "stop", check=False)

    def sql(self, text, database="postgres"):
        return self.run("psql", "-h", self.folder, "-U", "strata", "-d", database, "-Atc", text).stdout.decode()

    @property
    def address(self):
        return f"postgresql://strata@/strata?host={self.folder}"

    def close(self):
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
