#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of extensions, and hostile ones, through the program.

usage: extensions_test.py STRATA
The variable STRATA_PLUGINS: the folder of the plugins that tests/bindings builds.
"""
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# A plugin that crashes dies of its signal under the sanitizers too.
os.environ.setdefault("ASAN_OPTIONS", "handle_segv=0:handle_abort=0:handle_sigbus=0")

STRATA, ROOT, PLUGINS = os.path.abspath(sys.argv[1]), pathlib.Path(__file__).resolve().parents[2], pathlib.Path(os.environ["STRATA_PLUGINS"])
HANGS = 600  # Seconds: against hangs only, machines are loaded.
failed = 0


def run(site, *arguments):
    return subprocess.run([STRATA, *arguments, "--confdir", str(site)], capture_output=True, text=True, check=False, timeout=HANGS)


def expect(what, got, wanted):
    global failed
    if got != wanted:
        failed += 1
        print(f"{what}:\n  got    {got!r}\n  wanted {wanted!r}")


def expect_error(what, done, wanted):
    expect(what + " (status)", done.returncode, 1)
    expect(what + " (output)", done.stdout, "")
    if wanted not in done.stderr:
        expect(what, done.stderr, "… " + wanted + " …")


def lua_example():
    site = ROOT / "examples/extensions-lua"
    facts = ["--facts", str(site / "facts.yaml")]
    done = run(site, "inject", "--all", *facts)
    expect("lua", done.stderr, "")
    expect("lua", json.loads(done.stdout), {
        "/classes": ["team::web", "team::db"],
        "contacts": {"on_call": ["web", "db"], "web": ["web@example.com"], "db": ["db@example.com"]},
        "database": "db1.example.com",
        "first port": 20000,
        "hosts": ["a.production.example.com 10.0.0.1", "b.production.example.com 10.0.0.2"],
        "port of the shop": 20462,
    })
    done = run(site, "bindings", "check", *facts)
    expect("lua check", (done.returncode, done.stdout, done.stderr), (0, "0 errors, 0 warnings\n", ""))


def plugin_example(folder):
    site = folder / "plugin"
    shutil.copytree(ROOT / "examples/extensions-plugin", site)
    (site / "strata.yaml").write_text(f"extensions: [{{plugin: {PLUGINS}/libsequences.so, kind: producer, name: Numbers}}]\n")
    expect("plugin", json.loads(run(site, "inject", "numbers").stdout or "null"), [10, 11, 12, 13])
    expect("plugin", json.loads(run(site, "inject", "sums").stdout or "null"), [21, 23, 25])
    bindings = site / "bindings/default.pp"
    bindings.write_text(bindings.read_text().replace("count => 4", "count => 'x'"))
    expect_error("plugin error", run(site, "inject", "numbers"), "bindings/default.pp:3:")
    expect_error("plugin error", run(site, "inject", "numbers"), "'count' must be a number that is not below 0")


def query_service(folder):
    """It knows its node."""
    site = folder / "queries"
    (site / "bindings").mkdir(parents=True)
    (site / "strata.yaml").write_text("extensions: [{lua: cmdb.lua}]\n")
    (site / "facts.yaml").write_text("hostname: h1\n")
    (site / "cmdb.lua").write_text("""strata.query_service("cmdb", function(ctx, q)
  local title = ctx.inject("base") .. ctx.environment .. ctx.facts.hostname
  return { { type = q.type, title = title } }
end)
""")
    (site / "bindings/default.pp").write_text("bindings default { bind 'base' to 'b-'\n bind 'all' to Sql[??].map |$r| { $r['title'] } }\n")
    done = run(site, "inject", "all", "--facts", str(site / "facts.yaml"))
    expect("query service", (done.stderr, json.loads(done.stdout or "null")), ("", ["b-productionh1"]))
    done = run(site, "bindings", "check", "--facts", str(site / "facts.yaml"))
    expect("query service check", (done.returncode, done.stdout, done.stderr), (0, "0 errors, 0 warnings\n", ""))


def nested_failures(folder):
    """Who failed is told, not who asked for it."""
    site = folder / "nested"
    (site / "bindings").mkdir(parents=True)
    (site / "strata.yaml").write_text("extensions: [{lua: x.lua}]\n")
    (site / "x.lua").write_text("""strata.func("f", function(ctx, name) return ctx.inject(name) end)
strata.func("g", function(ctx) ctx.fail("no") end)
strata.func("h", function(ctx, n, l) return l(n) end)
""")
    (site / "bindings/default.pp").write_text("bindings default { bind 'a' to f('b')\n bind 'b' to h(1) |$x| { f('c') }\n bind 'c' to g() }\n")
    done = run(site, "inject", "a")
    expect("nested", done.stderr.splitlines()[0].replace(str(site), ""),
           "/bindings/default.pp:3:2: error: function 'g' of /x.lua: no [extension.failed]")
    expect("nested", done.stderr.count("function '"), 1)


def hostile_plugin(folder):
    site = folder / "hostile"
    (site / "bindings").mkdir(parents=True)
    (site / "strata.yaml").write_text(f"extensions: [{{plugin: {PLUGINS}/libhostile.so}}]\n")
    names = ["crash", "leave", "junk", "grow", "print"]
    (site / "bindings/default.pp").write_text("bindings default {\n" + "".join(f"  bind '{name}' to {name}()\n" for name in names) + "}\n")
    expect_error("crash", run(site, "inject", "crash"), "ended by signal 11 (Segmentation fault) [extension.process]")
    expect_error("leave", run(site, "inject", "leave"), "ended with status 3 [extension.process]")
    expect_error("junk", run(site, "inject", "junk"), "[extension.process]")
    grown = run(site, "inject", "grow")
    expect("grow", grown.returncode, 1)
    expect("grow", "extension." in grown.stderr, True)
    expect("print", run(site, "inject", "print").stdout, "5\n")
    # All of them in one run: each is told of.
    checked = run(site, "bindings", "check")
    expect("check", checked.stdout, "4 errors, 0 warnings\n")


def ignored_children(folder):
    """Who starts strata may ignore SIGCHLD, which programs inherit: how a plugin or an ENC ended is known all the same."""
    site = folder / "hostile"
    ignore = functools.partial(signal.signal, signal.SIGCHLD, signal.SIG_IGN)
    command = [STRATA, "inject", "leave", "--confdir", str(site)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, preexec_fn=ignore)
    expect_error("ignored children", done, "ended with status 3 [extension.process]")
    (site / "enc").write_text("#!/bin/sh\nexit 3\n")
    (site / "enc").chmod(0o755)
    command = [STRATA, "enc", "a.example.com", "--confdir", str(site)]
    (site / "strata.yaml").write_text(f"enc_command: {site}/enc\n")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, preexec_fn=ignore)
    expect_error("ignored children", done, "the ENC ended with status 3 for node 'a.example.com'")


def until(what, holds):
    end = time.monotonic() + HANGS
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    expect(what, holds(), True)


def is_running(pid):
    """Whether a process is there, and is no zombie."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def what_a_plugin_starts_ends_with_strata(folder):
    site = folder / "litter"
    (site / "bindings").mkdir(parents=True)
    (site / "strata.yaml").write_text(f"extensions: [{{plugin: {PLUGINS}/libhostile.so}}]\n")
    (site / "bindings/default.pp").write_text("bindings default { bind 'a' to litter() }\n")
    for end in (signal.SIGKILL, signal.SIGINT):
        with subprocess.Popen([STRATA, "inject", "a"], cwd=site) as running:
            until("pid", (site / "pid").exists)
            pids = [(site / name).read_text().strip() for name in ("pid", "daemon")]
            expect("runs", [is_running(pid) for pid in pids], [True, True])
            running.send_signal(end)
        for name in ("pid", "daemon"):
            (site / name).unlink()
        until(f"ends ({end})", lambda: not any(map(is_running, pids)))


def main():
    lua_example()
    with tempfile.TemporaryDirectory() as name:
        plugin_example(pathlib.Path(name))
        query_service(pathlib.Path(name))
        nested_failures(pathlib.Path(name))
        hostile_plugin(pathlib.Path(name))
        ignored_children(pathlib.Path(name))
        what_a_plugin_starts_ends_with_strata(pathlib.Path(name))
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
