#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile repositories against the program: each attack is a file KIND/NAME.toml beside this one.

usage: run.py STRATA [KIND[/NAME]…]

An attack is a repository and the commands that read it:

    about = "an ENC that writes a file"
    project = "site"                        # for @PROJECT in the command sets
    commands = ["analyses", "explore", ["check", "inject", "--all"]]   # command sets and command lines; without it: all sets
    armed = ["check", "--allow-programs", "@site"]   # must trip the canary or reach the server: the attack is real
    says_once = ["--allow-programs"]        # in the messages of each analysis
    [files]                                 # of the second commit and of the working tree
    "strata.yaml" = "enc_command: touch {canary}"
    [first]                                 # optional: further files, of the first commit only
    [limits]                                # optional: seconds (processor time), memory (MiB), output (bytes)
    status = [0, 1, 2, 3]

- `{canary}` is a file that must not appear; `{server}` is HOST:PORT of a server that nothing may contact; `{outside}` is a folder beside the
  repository with the file secret.txt, whose text nothing may print and whose files nothing may change. A file whose first line begins with `#!`
  can be run.
- KIND/NAME.py beside it is run in the repository before the first commit, for files that cannot be written down. It has STRATA_CANARY and
  STRATA_SERVER. Exit status 77: a tool is missing, and the attack is left out.
- Without `armed`, nothing proves that the attack is real: give it to all attacks whose effect the command line can allow.

Everything is checked after each command. A kind is one line of output.
"""
import hashlib
import json
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from exploring import Explorer, quoted  # noqa: E402

STRATA = os.path.abspath(sys.argv[1])
HANGS = 300  # Seconds: against hangs only, machines are loaded.
SECRET = "geheim-4711"
LEFT_OUT = 77
DEFAULT_LIMITS = {"seconds": 10, "memory": 1024, "output": 64 << 20}
STATUSES = [0, 1, 2, 3]

COMMAND_SETS = {
    "analyses": [["check"], ["coverage"], ["impact", "--from", "HEAD~1"], ["diff", "--from", "HEAD~1"], ["impact", "--from", "HEAD", "--to", "HEAD~1"],
                 ["log", "-n", "2"]],
    "results": [["ansible-inventory", "--list"]],
    "projects": [["projects"], ["projects", "--output", "json"]],
    "explore": [["explore"]],
}


class Server:
    """Counts connections, and answers none."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.connections = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()


class Failed(Exception):
    pass


class Attack:
    def __init__(self, path, folder, server):
        self.path, self.server = path, server
        self.name = f"{path.parent.name}/{path.stem}"
        self.spec = tomllib.loads(path.read_text(encoding="utf-8"))
        self.repository, self.outside, self.canary = folder / "repository", folder / "outside", folder / "canary"
        self.limits = {**DEFAULT_LIMITS, **self.spec.get("limits", {})}
        self.runs = 0

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", *words], cwd=self.repository, check=True,
                       capture_output=True)

    def filled(self, text):
        for name, value in {"canary": self.canary, "server": self.server.address, "outside": self.outside}.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    def place(self, files):
        for name, text in files.items():
            file = self.repository / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.filled(text), encoding="utf-8")
            if text.startswith("#!"):
                file.chmod(0o755)

    def build(self):
        """False: a tool is missing."""
        self.repository.mkdir(parents=True)
        self.outside.mkdir()
        (self.outside / "secret.txt").write_text(f"secret: {SECRET}\n", encoding="utf-8")
        self.git("init", "--quiet")
        self.place(self.spec["files"])
        script = self.path.with_suffix(".py")
        if script.exists():
            environment = {**os.environ, "STRATA_CANARY": str(self.canary), "STRATA_SERVER": self.server.address}
            status = subprocess.run([sys.executable, str(script)], cwd=self.repository, env=environment, check=False).returncode
            if status == LEFT_OUT:
                return False
            if status != 0:
                raise Failed(f"{script.name} ended with status {status}")
        first = self.spec.get("first", {})
        kept = {name: self.spec["files"].get(name) for name in first}
        self.place(first)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--message", "first")
        for name, text in kept.items():
            if text is None:
                (self.repository / name).unlink()
        self.place({name: text for name, text in kept.items() if text is not None})
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", "second")
        self.before = self.state_of_outside()
        return True

    def state_of_outside(self):
        out = {}
        for file in sorted(self.outside.rglob("*")):
            out[str(file)] = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "folder"
        return out

    def has_struck(self):
        return self.canary.exists() or self.server.connections > 0

    def check(self, command, output):
        shown = " ".join(command)
        if self.canary.exists():
            raise Failed(f"strata {shown}: a program was run")
        if self.server.connections:
            raise Failed(f"strata {shown}: {self.server.connections} connections to the server")
        if SECRET.encode() in output:
            raise Failed(f"strata {shown}: prints a file outside the repository")
        if self.state_of_outside() != self.before:
            raise Failed(f"strata {shown}: changed files outside the repository")

    def limited(self):
        # The limits are checked afterwards; these end what runs away.
        resource.setrlimit(resource.RLIMIT_CPU, (self.limits["seconds"] * 6, self.limits["seconds"] * 6))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self, command):
        self.runs += 1
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([STRATA, *command], cwd=self.repository, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, preexec_fn=self.limited)
            end = time.monotonic() + HANGS
            while True:
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                if ended:
                    break
                if time.monotonic() > end:
                    process.kill()
                    raise Failed(f"strata {' '.join(command)}: hangs")
                time.sleep(0.002)
            process.returncode = os.waitstatus_to_exitcode(status)
            sizes = [out.seek(0, os.SEEK_END), errors.seek(0, os.SEEK_END)]
            out.seek(0), errors.seek(0)
            shown = " ".join(command)
            if sum(sizes) > self.limits["output"]:
                raise Failed(f"strata {shown}: prints {sum(sizes)} bytes")
            output, messages = out.read(), errors.read()
        if process.returncode not in self.spec.get("status", STATUSES):
            raise Failed(f"strata {shown}: status {process.returncode}\n{messages.decode('utf-8', 'replace')[:2000]}")
        if usage.ru_utime + usage.ru_stime > self.limits["seconds"]:
            raise Failed(f"strata {shown}: {usage.ru_utime + usage.ru_stime:.1f} seconds of processor time")
        if usage.ru_maxrss > self.limits["memory"] << 10:
            raise Failed(f"strata {shown}: {usage.ru_maxrss >> 10} MiB of memory")
        return output, messages

    def explore(self, command):
        """Opens the pages of each project, as a browser does."""
        self.runs += 1
        output = b""

        def get(target):
            nonlocal output
            status, _, body = explorer.request("GET", "/strata/v1/explore" + target)
            output += body
            return status, body

        with Explorer(STRATA, *command[1:], folder=self.repository) as explorer:
            _, body = get("/projects")
            for project in json.loads(body).get("projects", []):
                at = f"/projects/{quoted(project['name'])}"
                for page in ("", "/facets", "/files", "/matrix", "/findings", "/search?q=a", "/history"):
                    get(at + page)
                status, names = get(at + "/names")
                for subject in names.decode().splitlines()[:3] if status == 200 else []:
                    get(f"{at}/subjects/{quoted(subject)}/rows?from=0&count=100")
        self.check(command, output)

    def one(self, command, is_analysis):
        if command[0] == "explore":
            self.explore(command)
            return
        output, messages = self.run(command)
        self.check(command, output + messages)
        for text in self.spec.get("says_once", []) if is_analysis else []:
            if messages.count(text.encode()) != 1:
                raise Failed(f"strata {' '.join(command)}: says {messages.count(text.encode())} times {text!r}\n{messages.decode('utf-8', 'replace')[:3000]}")

    def all(self):
        for entry in self.spec.get("commands", list(COMMAND_SETS)):
            if isinstance(entry, list):
                self.one([self.filled(word) for word in entry], False)
                continue
            for command in COMMAND_SETS[entry]:
                words = command + ([f"@{self.spec['project']}"] if entry in ("analyses", "results") else [])
                self.one(words, entry == "analyses")
        if "armed" in self.spec:
            command = [self.filled(word) for word in self.spec["armed"]]
            _, messages = self.run(command)
            if not self.has_struck():
                raise Failed(f"strata {' '.join(command)}: the attack is none, as nothing happens where it is allowed\n{messages.decode('utf-8', 'replace')}")


def attack(path):
    """What is wrong, or None; how many commands ran, or None where the attack was left out."""
    server = Server()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="strata-attack-"))
    try:
        one = Attack(path, folder, server)
        if not one.build():
            return None, None
        try:
            one.all()
        except Failed as failed:
            return f"{one.name}: {failed}", one.runs
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            return f"{one.name}: {error!r}", one.runs
        return None, one.runs
    finally:
        server.socket.close()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    wanted = sys.argv[2:]
    kinds = {}
    for path in sorted(HERE.glob("*/*.toml")):
        kind = path.parent.name
        if not wanted or kind in wanted or f"{kind}/{path.stem}" in wanted:
            kinds.setdefault(kind, []).append(path)
    if not kinds:
        sys.exit(f"no attacks: {' '.join(wanted)}")
    failures = []
    for kind, paths in kinds.items():
        runs, left_out, wrong = 0, 0, []
        for path in paths:
            failure, ran = attack(path)
            runs += ran or 0
            left_out += ran is None
            wrong += [failure] if failure else []
        print(f"{kind}: {len(paths) - left_out} attacks, {runs} commands" + (f", {left_out} left out" if left_out else "") +
              (f", {len(wrong)} FAILED" if wrong else ""), flush=True)
        failures += wrong
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
