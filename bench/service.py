#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve`: the cost of a response beside a fixed response of the same server.

usage: service.py STRATA [ROUNDS] [SECONDS] [PART...] [--json FILE]    PART: rates, memory, documents, stacks, events, impact, start, writes. Without one: all

Starts services on loopback (one core for them, one for wrk where there are two) and prints, of rounds that alternate, medians as ratios to `/echo`:
  a warm key over keep-alive (wanted 0.5 of the rate, 2 of the processor time), its 304 (0.8), the key with a token (0.85 of that without),
  and over TLS (0.8 of the same without)
  memory after 100,000 and 1,000,000 requests for 1,000 keys (1.02), and that of 10,000 idle connections (12 KiB each)
Beside the commands, in rounds that alternate:
  10,000 documents of Deckhand: PUT (wanted 2.5 of `strata render` of the same file), rendered for the first time (1.5) and again (0.1)
  PATCH of one of 1,000 files of a stack (1.2 of `strata compose --existing`)
  from an edit of a site of 1,000 nodes to the event of a watcher: a folder (0.3 s), an upload (0.05 s)
  impact of an edit of one line on 10,000 nodes, repeated (2 s); equal to the result of `strata impact`
  a start with a large store beside one with an empty one (0.1 s)
  writes per second of 64 clients beside those of one (10), with SQLite
"""
import ctypes
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

import measure

KEY = "/strata/v1/sites/site/nodes/web/values/key0001"
KEYS = 1000
RESULTS = measure.Results("script/bench service")


def without_huge_pages():
    """The kernel turns pages that are in use into huge ones when it finds time for it: what is resident grows by megabytes then, with nothing allocated."""
    pr_set_thp_disable = 41
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_thp_disable, 1, 0, 0, 0)


class Service:
    """A service with one loop, on a core of its own. `before`: is called in its process before it starts."""

    def __init__(self, strata, folder, *words, before=None):
        listeners = [free_port() for word in words if word == ",tls"] + [free_port()]
        self.port = listeners[0]
        options = [f"--listen=127.0.0.1:{port}" for port in listeners[-1:]] + [f"--listen=127.0.0.1:{port},tls" for port in listeners[:-1]]
        # A log of a million lines would be a measurement of its own.
        workers = [] if "--workers" in words else ["--workers", "1"]
        self.process = subprocess.Popen([*core(0), strata, "serve", "--io", "1", *workers, "--bench-echo", "--log", "/dev/null", *options,
                                         *(word for word in words if word != ",tls")], cwd=folder, preexec_fn=before)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except ConnectionRefusedError:
                if self.process.poll() is not None:
                    sys.exit("service: the service ended")
                time.sleep(0.01)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """KiB."""
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1])


def core(number):
    return ["taskset", "-c", str(number)] if os.cpu_count() > 1 else []


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def load(service, seconds, path, headers=(), scheme="http", script=None, clients=16):
    """Requests per second, and microseconds of the service's processor time for one."""
    before = service.processor_time()
    words = [word for header in headers for word in ("-H", header)] + (["-s", script] if script else [])
    out = subprocess.run([*core(1), "wrk", "-t1", f"-c{clients}", f"-d{seconds}s", *words, f"{scheme}://127.0.0.1:{service.port}{path}"], capture_output=True, text=True,
                         check=True).stdout
    count = int(re.search(r"(\d+) requests in", out)[1])
    if script is None and re.search(r"Non-2xx or 3xx responses: (\d+)", out) is not None:
        sys.exit(f"{path}: {out}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1]), (service.processor_time() - before) / count * 1e6


def make_site(folder):
    site = pathlib.Path(folder) / "site"
    (site / "data").mkdir(parents=True)
    (site / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: common, path: common.yaml}]\n")
    (site / "data" / "common.yaml").write_text("".join(f"key{i:04}: [{', '.join(f'value{n}' for n in range(60))}]\n" for i in range(KEYS)))
    (site / "nodes.json").write_text('[{"name": "web", "facts": {}}]')
    (site / ".strata.yaml").write_text("projects: {site: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n")
    return f"site=hiera:{site}"


def rates(strata, folder, rounds, seconds):
    site = make_site(folder)
    store = f"sqlite:{folder}/store.db"
    token = subprocess.run([strata, "token", "create", "--store", store, "--role", "reader"], capture_output=True, text=True, check=True).stdout.split()[-1]
    certificate, key = f"{folder}/tls.pem", f"{folder}/tls.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-days", "2",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with (Service(strata, folder, "--site", site, "--store", f"sqlite:{folder}/a.db") as plain,
          Service(strata, folder, "--site", site, "--store", store, "--auth", "tokens") as guarded,
          Service(strata, folder, "--site", site, "--store", f"sqlite:{folder}/b.db", "--tls-cert", certificate, "--tls-key", key,
                  ",tls") as secure):
        with urllib.request.urlopen(f"http://127.0.0.1:{plain.port}{KEY}") as answer:
            tag, size = answer.headers["ETag"], len(answer.read())
        cases = {
            "echo, 822 bytes": lambda: load(plain, seconds, "/echo"),
            f"a warm key, {size} bytes": lambda: load(plain, seconds, KEY),
            "its 304": lambda: load(plain, seconds, KEY, [f"If-None-Match: {tag}"]),
            "the key, with a token": lambda: load(guarded, seconds, KEY, [f"Authorization: Bearer {token}"]),
            "the key, over TLS": lambda: load(secure, seconds, KEY, scheme="https"),
        }
        figures = {name: [] for name in cases}
        for _ in range(rounds):
            for name, ask in cases.items():
                figures[name].append(ask())
    echo = next(iter(figures.values()))
    wanted = {f"a warm key, {size} bytes": 0.5, "its 304": 0.8, "the key, with a token": None, "the key, over TLS": None}
    base = [measure.median([one[i] for one in echo]) for i in range(2)]
    print(f"{'':28} {'a second':>9} {'cpu us':>7} {'rate x':>7} {'cpu x':>6}")
    for name, all_figures in figures.items():
        rate, cpu = (measure.median([one[i] for one in all_figures]) for i in range(2))
        print(f"{name:28} {rate:9.0f} {cpu:7.1f} {rate / base[0]:7.2f} {cpu / base[1]:6.2f}")
        if name in wanted:
            RESULTS.add(f"`GET`: {name}", "requests per second", rate / base[0], "x", baseline="a fixed response of the same service", at_least=wanted[name])
            RESULTS.add(f"`GET`: {name}", "processor time", cpu, "µs")


def memory(strata, folder):
    make_site(folder)
    script = pathlib.Path(folder) / "keys.lua"
    script.write_text(f'n = 0\nrequest = function() n = n + 1; return wrk.format("GET", string.format("{KEY[:-4]}%04d", n % {KEYS})) end\n')
    with Service(strata, folder, "--site", f"site=hiera:{folder}/site", "--store", f"sqlite:{folder}/c.db", before=without_huge_pages) as service:
        done, sizes = 0, {}
        for wanted in (100_000, 1_000_000):
            while done < wanted:
                rate, _ = load(service, 2, KEY, script=str(script))
                done += int(rate * 2)
            sizes[wanted] = service.memory()
        print(f"memory after 100,000 requests {sizes[100_000]} KiB, after 1,000,000 {sizes[1_000_000]} KiB: {sizes[1_000_000] / sizes[100_000]:.3f} x")
    RESULTS.add("1,000,000 requests", "resident memory", sizes[1_000_000] / sizes[100_000], "x", baseline="after 100,000 requests", budget=1.02)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    count = min(10_000, (most - 200) // 2)
    config = pathlib.Path(folder) / "connections.yaml"
    config.write_text(f"connections: {count + 100}\n")
    with Service(strata, folder, "--config", str(config), "--store", f"sqlite:{folder}/d.db") as service:
        before, sockets = service.memory(), []
        for i in range(count):
            one = socket.socket()
            one.bind((f"127.0.1.{i % 200 + 1}", 0))
            one.connect(("127.0.0.1", service.port))
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            one.recv(4096)
            sockets.append(one)
        each = (service.memory() - before) / count
        print(f"{count} idle connections: {each:.1f} KiB each")
        RESULTS.add(f"{count:,} idle connections", "memory per connection", each, "KiB", budget=12)
        for one in sockets:
            one.close()


YAML = {"Content-Type": "application/x-yaml"}
JSON = {"Content-Type": "application/json"}


def ask(service, method, path, body=None, headers=None):
    """The body of an answer that is a success."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=600)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {text[:300]}")
        return text
    finally:
        connection.close()


def timed(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def command(strata, folder, *words, status=(0,)):
    run = subprocess.run([*core(0), strata, *words], cwd=folder, capture_output=True, check=False)
    if run.returncode not in status:
        sys.exit(f"{words}: {run.stderr.decode()[:500]}")
    return run.stdout


def report(what, base_name, base, figures, wanted):
    """Medians as ratios to that of a command."""
    of_base = measure.median(base)
    for name, times in figures.items():
        print(f"{what}: {name} {measure.median(times):.3f} s, {measure.median(times) / of_base:.2f} x {base_name} ({wanted[name]} wanted)")
        RESULTS.add(f"{what}: {name}", "wall time", measure.median(times) / of_base, "x", baseline=f"`{base_name}`", budget=wanted[name])


def documents(strata, folder, rounds, _):
    count = 10_000
    text = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [global, site]}\n"
    for i in range(count // 2):
        text += (f"---\nschema: example/Part/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: global{i}\n  labels: {{part: p{i}}}\n  storagePolicy: cleartext\n"
                 f"  layeringDefinition: {{abstract: true, layer: global}}\ndata:\n  number: {i}\n  list: [a, b, c]\n  nested: {{a: 1, b: {{c: text of {i}}}}}\n"
                 f"---\nschema: example/Part/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: site{i}\n  storagePolicy: cleartext\n  layeringDefinition:\n    layer: site\n"
                 f"    parentSelector: {{part: p{i}}}\n    actions: [{{method: merge, path: .}}]\ndata:\n  nested: {{b: {{d: more}}}}\n")
    pathlib.Path(folder, "documents.yaml").write_text(text)
    base, figures = [], {"PUT": [], "GET, first": [], "GET, repeated": []}
    with Service(strata, folder, "--store", f"sqlite:{folder}/documents.db") as service:
        for i in range(rounds):
            base.append(timed(lambda: command(strata, folder, "render", "documents.yaml")))
            # Another text each time: equal documents cost less.
            other = text.replace("list: [a, b, c]", f"list: [a, b, c, {i}]")
            figures["PUT"].append(timed(lambda: ask(service, "PUT", "/api/v1.0/buckets/all/documents", other, YAML)))
            path = f"/api/v1.0/revisions/{i + 1}/rendered-documents"
            for name in ("GET, first", "GET, repeated"):
                figures[name].append(timed(lambda: ask(service, "GET", path)))
    report(f"{count} documents", "strata render", base, figures, {"PUT": 2.5, "GET, first": 1.5, "GET, repeated": 0.1})


def stacks(strata, folder, rounds, _):
    count = 1000
    template = {"heat_template_version": "2018-08-31", "parameters": {f"p{i}": {"type": "string", "default": ""} for i in range(count)}}
    files = {f"file:///e{i}.yaml": json.dumps({"parameters": {f"p{i}": f"v{i}"}, "parameter_defaults": {f"p{(i + 1) % count}": "d" * 20}}) for i in range(count)}
    change = {"file:///e500.yaml": json.dumps({"parameters": {"p500": "new"}})}
    pathlib.Path(folder, "e500.yaml").write_text(change["file:///e500.yaml"])
    base, figures = [], {"PATCH": []}
    with Service(strata, folder, "--store", f"sqlite:{folder}/stacks.db") as service:
        body = json.dumps({"stack_name": "s", "template": template, "files": files, "environment_files": list(files)})
        made = json.loads(ask(service, "POST", "/v1/default/stacks", body, JSON))
        place = f"/v1/default/stacks/s/{made['stack']['id']}"
        state = json.loads(ask(service, "GET", place + "/export"))
        pathlib.Path(folder, "state.json").write_text(json.dumps(state))
        for _ in range(rounds):
            base.append(timed(lambda: command(strata, folder, "compose", "--existing", "state.json", "-e", "e500.yaml")))
            figures["PATCH"].append(timed(lambda: ask(service, "PATCH", place, json.dumps({"files": change, "environment_files": list(change)}), JSON)))
    report(f"one of {count} files of a stack", "strata compose --existing", base, figures, {"PATCH": 1.2})


def fleet(folder, name, count):
    """A site of Hiera with so many nodes, of which most read few files."""
    site = pathlib.Path(folder, name)
    (site / "data" / "role").mkdir(parents=True)
    (site / "hiera.yaml").write_text("version: 5\nhierarchy:\n  - {name: role, path: 'role/%{role}.yaml'}\n  - {name: common, path: common.yaml}\n")
    for role in range(20):
        (site / "data" / "role" / f"r{role}.yaml").write_text("".join(f"role{i}: r{role}\n" for i in range(20)))
    (site / "data" / "common.yaml").write_text("".join(f"key{i}: value\n" for i in range(50)))
    (site / "nodes.json").write_text(json.dumps([{"name": f"n{i:05}", "facts": {"role": f"r{i % 20}"}} for i in range(count)]))
    (site / ".strata.yaml").write_text("projects: {site: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n")
    return site


def events(strata, folder, rounds, _):
    site = fleet(folder, "watched", 1000)
    files = {str(path.relative_to(site)): path.read_text() for path in site.rglob("*") if path.is_file()}
    common = files["data/common.yaml"]
    with Service(strata, folder, "--site", f"folder=hiera:{site}", "--store", f"sqlite:{folder}/events.db") as service:
        ask(service, "PUT", "/strata/v1/sites/upload", json.dumps({"dialect": "hiera"}), JSON)
        ask(service, "PUT", "/strata/v1/sites/upload/tree", json.dumps({"files": files}), JSON)

        def write_folder(text):
            (site / "data" / "new").write_text(text)
            os.rename(site / "data" / "new", site / "data" / "common.yaml")

        def write_upload(text):
            ask(service, "PATCH", "/strata/v1/sites/upload/tree", json.dumps({"changes": [{"path": "data/common.yaml", "text": text}]}), JSON)

        for name, write, wanted in (("folder", write_folder, 0.3), ("upload", write_upload, 0.05)):
            with socket.create_connection(("127.0.0.1", service.port), timeout=600) as watcher:
                watcher.sendall(f"GET /strata/v1/sites/{name}/watch?node=n00007&key=key7&value=1 HTTP/1.0\r\n\r\n".encode())
                seen = b""
                while b"event: snapshot" not in seen or not seen.endswith(b"\n\n"):
                    seen += watcher.recv(65536)
                times = []
                for i in range(max(rounds, 5)):
                    mark = f"edit{i}"
                    begin = time.monotonic()
                    write(common.replace("key7: value", f"key7: {mark}"))
                    while mark.encode() not in seen:
                        seen += watcher.recv(65536)
                    times.append(time.monotonic() - begin)
            print(f"from an edit to its event, {name} of 1,000 nodes: {measure.median(times):.3f} s ({wanted} wanted)")
            RESULTS.add(f"from an edit to its event, a site of 1,000 nodes ({name})", "wall time", measure.median(times), "s", budget=wanted)


def impact(strata, folder, rounds, _):
    site = fleet(folder, "large", 10_000)
    edited = (site / "data" / "role" / "r3.yaml").read_text().replace("role7: r3", "role7: other")
    body = json.dumps({"changes": [{"path": "data/role/r3.yaml", "text": edited}]})
    with Service(strata, folder, "--site", f"large=hiera:{site}", "--store", f"sqlite:{folder}/impact.db") as service:
        first = timed(lambda: ask(service, "POST", "/strata/v1/sites/large/impact?names=0", body, JSON))
        times = [timed(lambda: ask(service, "POST", "/strata/v1/sites/large/impact?names=0", body, JSON)) for _ in range(rounds)]
        result = json.loads(ask(service, "POST", "/strata/v1/sites/large/impact?names=0", body, JSON))
    pathlib.Path(folder, "edited.yaml").write_text(edited)
    whole = json.loads(command(strata, site, "impact", "--output", "json", "--exit-zero", "--names", "0", "--edit", f"data/role/r3.yaml={folder}/edited.yaml", "lookup", "--all",
                               "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"))
    is_same = result["effects"] == whole["effects"] and result["subjects"] == whole["subjects"]
    print(f"impact on 10,000 nodes: {first:.2f} s at first, {measure.median(times):.3f} s repeated (2 wanted); "
          f"{'equal to' if is_same else 'NOT EQUAL to'} strata impact, {result['subjects']['changed']} nodes changed")
    RESULTS.add("impact of an edit on 10,000 nodes, repeated", "wall time", measure.median(times), "s", budget=2)


def start(strata, folder, rounds, _):
    """Megabytes of the large store: STRATA_BENCH_STORE, 256 without it."""
    size = int(os.environ.get("STRATA_BENCH_STORE", "256"))
    with Service(strata, folder, "--store", f"sqlite:{folder}/empty.db") as service:
        ask(service, "PUT", "/api/v1.0/buckets/b/documents", "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: [a]}\n", YAML)
    with sqlite3.connect(f"{folder}/empty.db") as database, sqlite3.connect(f"{folder}/large.db") as large:
        database.backup(large)
        columns = [row[1] for row in large.execute("PRAGMA table_info(blob)")]
        [row] = large.execute(f"SELECT {', '.join(columns)} FROM blob LIMIT 1").fetchall()
        for _ in range(size):
            values = [os.urandom(32) if name == "hash" else os.urandom(1 << 20) if name == "bytes" else 1 << 20 if name == "size" else value for name, value in zip(columns, row)]
            large.execute(f"INSERT INTO blob ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", values)
        large.commit()
    times = {"empty": [], "large": []}
    for _ in range(rounds):
        for name, taken in times.items():
            begin = time.monotonic()
            with Service(strata, folder, "--store", f"sqlite:{folder}/{name}.db"):
                taken.append(time.monotonic() - begin)
    empty, large = (measure.median(taken) for taken in times.values())
    print(f"start with a store of {size} MiB: {large:.3f} s, {large / empty:.2f} x that with an empty one (0.1 s wanted)")
    RESULTS.add(f"start with a store of {size} MiB", "wall time", large, "s", budget=0.1)


def writes(strata, folder, rounds, seconds):
    script = pathlib.Path(folder) / "writes.lua"
    # Many projects: writes of one project wait for one another.
    script.write_text("""n = 0
request = function()
  n = n + 1
  return wrk.format("POST", string.format("/p/p%d/strata/v1/tokens", n % 64), {["Content-Type"] = "application/json"}, '{"roles": ["reader"]}')
end
""")
    rates = {1: [], 64: []}
    with Service(strata, folder, "--store", f"sqlite:{folder}/writes.db") as service:
        for _ in range(rounds):
            for clients, found in rates.items():
                found.append(load(service, seconds, "/", script=str(script), clients=clients)[0])
        sync = synced(folder)
    one, many = (measure.median(found) for found in rates.values())
    print(f"writes a second: {one:.0f} of one client, {many:.0f} of 64: {many / one:.1f} x (10 wanted), where the disk takes {sync * 1e6:.0f} us for a commit")
    RESULTS.add(f"64 clients that write, {sync * 1e6:.0f} µs per commit of the disk", "writes per second", many / one, "x", baseline="one client", at_least=10)


def synced(folder):
    """Seconds that the disk takes until it has 32 KiB."""
    found = []
    with open(pathlib.Path(folder) / "synced", "wb", buffering=0) as file:
        for _ in range(50):
            file.write(bytes(32768))
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - began)
    return measure.median(found)


PARTS = {"rates": rates, "memory": lambda strata, folder, *_: memory(strata, folder), "documents": documents, "stacks": stacks, "events": events, "impact": impact,
         "start": start, "writes": writes}


def main():
    if len(sys.argv) < 2 or not set(sys.argv[4:]) <= set(PARTS):
        sys.exit(__doc__)
    strata = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    for part in sys.argv[4:] or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            PARTS[part](strata, folder, rounds, seconds)
    RESULTS.write()


if __name__ == "__main__":
    main()
