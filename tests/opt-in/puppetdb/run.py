#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random queries answered by a real PuppetDB, and by an inventory of the same resources: both must agree.

usage: run.py STRATA [--install] [--queries N] [--seed N]

Not part of the test suite: it needs Debian's puppetdb and postgresql (--install: apt-get gets them, as root). Starts both on the loopback interface in
a temporary folder, loads catalogs, runs the queries through `strata inject`, and stops what it has started. Run it as root; PostgreSQL runs as the user
postgres.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

NODES = ["db1.example.com", "db2.example.com", "WEB1.example.com"]
TEXTS = ["a", "A", "ab", "b\na", "a\n", "K", "10", "é", "a.b", "x[1]", "/etc/x", "x'y", "a\\b", "o_O"]
VALUES = ["a", "A", 10, 10.0, True, False, "10", [1, "a"], {"k": 1}, 2.5, "é"]  # No 1e20: PuppetDB stores that as an integer.
PATTERNS = ["^a", "a$", "^a$", "a|b", "[^a]", ".", "b?$", "(?i)A", r"\Aa\z", "^$", "a.b", r"\w\n^", r"\.", r"[\w.]+\z", "(a|b)+", r"x\[1\]", r"\\", "'",
            "[a-c]+?$", r"\s", r"^a\n", "é", "_"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def install():
    subprocess.run(["debconf-set-selections"], input="puppetdb puppetdb/dbconfig-install boolean false\n", text=True, check=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "puppetdb", "postgresql"], check=True, env=environment)


class Services:
    """PostgreSQL and PuppetDB in a folder."""

    def __init__(self, folder):
        self.folder, self.puppetdb = folder, None
        self.bin = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        self.data = folder / "postgres"
        self.port, self.http = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.http}"

    def postgres(self, *command):
        subprocess.run(["runuser", "-u", "postgres", "--", *map(str, command)], check=True, capture_output=True, cwd="/")

    def __enter__(self):
        self.folder.chmod(0o755)
        self.data.mkdir()
        shutil.chown(self.data, "postgres")
        self.postgres(self.bin / "initdb", "-D", self.data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.postgres(self.bin / "pg_ctl", "-D", self.data, "-w", "-l", self.data / "log", "-o",
                      f"-p {self.port} -k {self.data} -c listen_addresses=127.0.0.1", "start")
        psql = [self.bin / "psql", "-h", "127.0.0.1", "-p", self.port]
        self.postgres(*psql, "-c", "create role puppetdb login")
        self.postgres(*psql, "-c", "create database puppetdb owner puppetdb")
        self.postgres(*psql, "-d", "puppetdb", "-c", "create extension pg_trgm")
        conf = self.folder / "conf.d"
        conf.mkdir()
        (conf / "config.ini").write_text(f"[global]\nvardir = {self.folder}/var\n")
        (conf / "database.ini").write_text(f"[database]\nsubname = //127.0.0.1:{self.port}/puppetdb\nusername = puppetdb\npassword = x\n")
        (conf / "jetty.ini").write_text(f"[jetty]\nhost = 127.0.0.1\nport = {self.http}\n")
        (conf / "auth.conf").write_text(pathlib.Path("/etc/puppetdb/conf.d/auth.conf").read_text())
        (self.folder / "var").mkdir()
        log = open(self.folder / "puppetdb.log", "wb")
        self.puppetdb = subprocess.Popen(["java", "-Xmx512m", "-cp", "/usr/share/puppetdb/puppetdb.jar", "clojure.main", "-m",
                                          "puppetlabs.puppetdb.core", "services", "--config", str(conf), "--bootstrap-config",
                                          "/etc/puppetdb/bootstrap.cfg"], stdout=log, stderr=log)
        return self

    def __exit__(self, *_):
        if self.puppetdb:
            self.puppetdb.terminate()
            self.puppetdb.wait()
        self.postgres(self.bin / "pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def wait(self, what, done, seconds=300):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.puppetdb.poll() is not None:
                break
            try:
                if done():
                    return
            except OSError:
                pass
            time.sleep(1)
        raise SystemExit(f"{what}: not within {seconds} seconds\n" + (self.folder / "puppetdb.log").read_text()[-3000:])

    def load(self, resources):
        for number, node in enumerate(sorted({resource["certname"] for resource in resources})):
            catalog = {"certname": node, "version": "1", "environment": "production", "producer": "test", "code_id": None, "job_id": None,
                       "transaction_uuid": f"00000000-0000-0000-0000-{number:012}", "catalog_uuid": f"00000000-0000-0000-0001-{number:012}",
                       "producer_timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "edges": [],
                       "resources": [{key: value for key, value in resource.items() if key != "certname"}
                                     for resource in resources if resource["certname"] == node]}
            self.ask(f"/pdb/cmd/v1?command=replace_catalog&version=9&certname={node}", catalog)
        self.wait("catalogs", lambda: len(self.ask("/pdb/query/v4", {"query": ["from", "resources"]})) == len(resources))


def make_resources(rng):
    found = {}
    for node in NODES:
        for _ in range(25):
            kind, title = rng.choice(["Sql", "Web::Site", "File"]), rng.choice(TEXTS)
            resource = {"certname": node, "type": kind, "title": title, "exported": rng.random() < 0.3,
                        "tags": rng.sample(["prod", "blue", "a::b", "ten10"], rng.randrange(4)),
                        "parameters": {name: rng.choice(VALUES) for name in rng.sample(["size", "user", "x"], rng.randrange(4))}}
            if rng.random() < 0.6:
                resource.update(file=rng.choice(["/etc/a.pp", "/ETC/A.pp", "x"]), line=rng.randrange(1, 30))
            found[kind, title, node] = resource
    return [found[key] for key in sorted(found)]


def literal(value):
    if value is None:
        return "undef"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("\n", "\\n") + '"'
    if isinstance(value, list):
        return "([" + ", ".join(map(literal, value)) + "])"
    if isinstance(value, dict):
        return "({" + ", ".join(f"{literal(key)} => {literal(item)}" for key, item in value.items()) + "})"
    return repr(value).replace("+", "")


def condition(rng, depth):
    choice = rng.randrange(4) if depth else 3
    if choice < 2:
        return f"({condition(rng, depth - 1)} {['and', 'or'][choice]} {condition(rng, depth - 1)})"
    if choice == 2:
        return f"not ({condition(rng, depth - 1)})"
    field = rng.choice(["title", "title", "type", "certname", "exported", "tag", "file", "line", "size", "user", "parameter.x"])
    operation = rng.choice(["==", "==", "!=", "<", ">=", "~=", "!~"])
    if operation in ("~=", "!~"):
        return f"{field} {operation} /{rng.choice(PATTERNS).replace('/', chr(92) + '/')}/"
    pools = {"title": TEXTS, "type": ["sql", "Web::site"], "certname": [*NODES, "DB1.example.com"], "exported": [True, False], "line": [7, 12.0],
             "tag": ["prod", "BLUE", "a::b", "é"], "file": ["/etc/a.pp", "X", None]}
    return f"{field} {operation} {literal(rng.choice(pools.get(field, [*VALUES, None])))}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("strata")
    arguments.add_argument("--install", action="store_true")
    arguments.add_argument("--queries", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    strata = os.path.abspath(given.strata)
    if given.install:
        install()
    rng = random.Random(given.seed)
    resources = make_resources(rng)
    with tempfile.TemporaryDirectory() as name, Services(pathlib.Path(name)) as services:
        folder = pathlib.Path(name)
        services.wait("PuppetDB", lambda: services.ask("/status/v1/services/puppetdb-status")["state"] == "running")
        services.load(resources)
        (folder / "inventory.json").write_text(json.dumps(resources))
        site = folder / "site"
        (site / "bindings").mkdir(parents=True)
        queries = [rng.choice(["", "Sql", "Web::Site"]) for _ in range(given.queries)]
        queries = [f"{kind}[?? {condition(rng, 3)}]" if kind else f"?? {condition(rng, 3)}" for kind in queries]
        lines = [f"  bind 'q{number:04}' to {query}\n" for number, query in enumerate(queries)]
        (site / "bindings/default.pp").write_text("bindings default {\n" + "".join(lines) + "}\n")
        (site / "facts.json").write_text('{"fqdn": "db2.example.com"}')
        command = [strata, "inject", "--all", "--quiet", "--confdir", str(site), "--facts", str(site / "facts.json")]
        wanted = json.loads(subprocess.run([*command, "--inventory", str(folder / "inventory.json")], check=True, capture_output=True).stdout)
        (site / "strata.yaml").write_text(f"puppetdb: {{url: '{services.url}'}}\n")
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        found = json.loads(done.stdout)
        failed, sizes = 0, 0
        for number, query in enumerate(queries):
            key = f"q{number:04}"
            simple = [[(r["type"], r["title"], r["certname"], r["exported"], sorted(r["tags"]), r["parameters"]) for r in answer[key]]
                      for answer in (found, wanted)]
            sizes += len(simple[1]) > 0
            if simple[0] == simple[1]:
                continue
            failed += 1
            print(f"{query}\n  PuppetDB  {[r[:3] for r in simple[0]]}\n  inventory {[r[:3] for r in simple[1]]}")
        print(f"{len(queries)} queries over {len(resources)} resources (seed {given.seed}), {sizes} with results: {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
