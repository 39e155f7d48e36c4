#!/usr/bin/env python3
"""`strata serve`: what an answer costs beside a fixed text of the same server.

usage: service.py STRATA [ROUNDS] [SECONDS]

Starts services on loopback (one core for them, one for wrk where there are two) and prints, of rounds that alternate, medians as ratios to `/echo`:
  a warm key over keep-alive (wanted 0.5 of the rate, 2 of the processor time), its 304 (0.8), the key with a token (0.85 of that without),
  and over TLS (0.8 of the same without)
  memory after 100,000 and 1,000,000 requests for 1,000 keys (1.02), and that of 10,000 idle connections (12 KiB each)
"""
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import measure

KEY = "/strata/v1/sites/site/nodes/web/values/key0001"
KEYS = 1000


class Service:
    """A service with one loop, on a core of its own."""

    def __init__(self, strata, folder, *words):
        listeners = [free_port() for word in words if word == ",tls"] + [free_port()]
        self.port = listeners[0]
        options = [f"--listen=127.0.0.1:{port}" for port in listeners[-1:]] + [f"--listen=127.0.0.1:{port},tls" for port in listeners[:-1]]
        # A log of a million lines would be a measurement of its own.
        self.process = subprocess.Popen([*core(0), strata, "serve", "--io", "1", "--workers", "1", "--bench-echo", "--log", "/dev/null", *options,
                                         *(word for word in words if word != ",tls")], cwd=folder)
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


def load(service, seconds, path, headers=(), scheme="http", script=None):
    """Requests a second, and microseconds of the service's processor time for one."""
    before = service.processor_time()
    words = [word for header in headers for word in ("-H", header)] + (["-s", script] if script else [])
    out = subprocess.run([*core(1), "wrk", "-t1", "-c16", f"-d{seconds}s", *words, f"{scheme}://127.0.0.1:{service.port}{path}"], capture_output=True, text=True,
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
    base = [measure.median([one[i] for one in echo]) for i in range(2)]
    print(f"{'':28} {'a second':>9} {'cpu us':>7} {'rate x':>7} {'cpu x':>6}")
    for name, all_figures in figures.items():
        rate, cpu = (measure.median([one[i] for one in all_figures]) for i in range(2))
        print(f"{name:28} {rate:9.0f} {cpu:7.1f} {rate / base[0]:7.2f} {cpu / base[1]:6.2f}")


def memory(strata, folder):
    script = pathlib.Path(folder) / "keys.lua"
    script.write_text(f'n = 0\nrequest = function() n = n + 1; return wrk.format("GET", string.format("{KEY[:-4]}%04d", n % {KEYS})) end\n')
    with Service(strata, folder, "--site", f"site=hiera:{folder}/site", "--store", f"sqlite:{folder}/c.db") as service:
        done, sizes = 0, {}
        for wanted in (100_000, 1_000_000):
            while done < wanted:
                rate, _ = load(service, 2, KEY, script=str(script))
                done += int(rate * 2)
            sizes[wanted] = service.memory()
        print(f"memory after 100,000 requests {sizes[100_000]} KiB, after 1,000,000 {sizes[1_000_000]} KiB: {sizes[1_000_000] / sizes[100_000]:.3f} x")
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
        print(f"{count} idle connections: {(service.memory() - before) / count:.1f} KiB each")
        for one in sockets:
            one.close()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    strata = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        rates(strata, folder, rounds, seconds)
        memory(strata, folder)


if __name__ == "__main__":
    main()
