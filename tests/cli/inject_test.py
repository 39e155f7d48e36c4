#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strata inject`, `bindings check`, `bindings explain` and `enc` as people run them, and inputs that mean harm.

usage: inject_test.py STRATA
"""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

STRATA = os.path.abspath(sys.argv[1])
HANGS = 600  # Seconds: against hangs only, machines are loaded.
TESTS = []


def test(function):
    TESTS.append(function)
    return function


class Site:
    """A folder with files, in which the program runs."""

    def __init__(self, files):
        self.folder = tempfile.TemporaryDirectory(prefix="strata-inject-")
        self.root = pathlib.Path(self.folder.name)
        self.add(files)

    def add(self, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                path.chmod(0o755)

    def run(self, *arguments, stdin="", timeout=HANGS, env=None):
        return subprocess.run([STRATA, *arguments], cwd=self.root, input=stdin, capture_output=True, text=True, errors="replace", timeout=timeout, check=False,
                              env={**os.environ, **(env or {})})

    def value(self, *arguments, **options):
        done = self.run(*arguments, **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def error(self, *arguments, status=1, **options):
        done = self.run(*arguments, **options)
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        assert done.stdout == "", done.stdout
        assert "bug in strata" not in done.stderr, done.stderr
        return done.stderr


def processor_time_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def until(holds):
    end = time.monotonic() + HANGS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_running(pid):
    """Whether a process is there, and is no zombie."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


FACTS = "fqdn: kermit.example.com\n"


@test
def wrong_command_lines_have_status_2():
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to 1 }\n"})
    for arguments in ([], ["--all", "--classes"], ["--all", "a"], ["a", "b", "c"], ["--nonsense", "a"], ["--default", "1", "--all"]):
        site.error("inject", *arguments, status=2)
    assert site.run("bindings").returncode == 2
    assert site.run("enc").returncode == 2


@test
def forms():
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to 1 bind Integer to 5 include x bind parameters x to { p => 1 } "
                                        "bind variables to { v => 2 } }\n"})
    assert site.value("inject", "a") == 1
    assert site.value("inject", "Integer", "a") == 1
    assert site.value("inject", "Integer", "") == 5
    assert site.value("inject", "--classes") == ["x"]
    assert site.value("inject", "--parameters", "class x") == {"p": 1}
    assert site.value("inject", "--variables") == {"v": 2}
    assert site.value("inject", "--default", '{"x": [1]}', "nope") == {"x": [1]}
    assert "'a'" in site.error("inject", "A")
    assert "'[a,b]'" in site.error("inject", "[a,b]")
    assert "'-a'" in site.error("inject", "--", "-a")
    site.add({"other.pp": "$environment = 'nope'\n"})
    assert "'nope'" in site.error("inject", "--environments", "other.pp", "a")
    assert "other2.pp" in site.error("inject", "--environments", "other2.pp", "a")
    assert site.run("inject", "--output", "yaml", "--parameters", "x").stdout == "p: 1\n"


@test
def an_option_with_an_empty_value():
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to \"<${agent_environment}>\" }\n", "v.json": "{}"})
    assert site.value("inject", "--agent-environment=", "--facts", "v.json", "a") == "<>"
    assert site.value("inject", "--agent-environment=", "a") == "<>"
    assert "'--facts='" in site.error("inject", "--", "--facts=")
    assert "--output" in site.run("inject", "--output=", "a").stderr
    assert site.value("inject", "--explain=", "--output=json", "a")[0]["path"] == ""


@test
def a_default_is_read_whether_it_is_used_or_not():
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to 1 }\n"})
    for given in ("{", "", "x", "1 2"):
        for name in ("a", "nope"):
            assert "--default" in site.error("inject", "--default", given, name, status=2)
    assert site.value("inject", "--default", "2", "a") == 1


@test
def keywords_in_large_letters_and_names_that_are_set():
    site = Site({"bindings/default.pp": "bindings default { BIND PARAMETERS CLASS ntp to { p => 1 } }\n"})
    for reference in ("CLASS ntp", "class ntp", "class  ::Ntp", "Class[ntp]", "ntp"):
        assert site.value("inject", "--parameters", reference) == {"p": 1}, reference
    assert "[bindings.typeref]" in site.error("inject", "--parameters", "CLASS [")
    for name in ("environment", "confdir"):
        site.add({"site.pp": f"${name} = 2\n"})
        told = site.error("inject", "a")
        assert "[puppet.reassigned]" in told and "assigned here first" not in told and "it was set before" in told, told
    site.add({"site.pp": "$x = 2\n$x = 3\n"})
    assert "site.pp:1:1: note: assigned here first" in site.error("inject", "a")


@test
def confdir_of_the_environment():
    site = Site({"s/bindings/default.pp": "bindings default { bind 'a' to 1 }\n"})
    assert site.value("inject", "a", env={"STRATA_CONFDIR": "s"}) == 1
    assert site.value("inject", "--confdir", "s", "a") == 1
    assert "no such folder" in site.error("inject", "--confdir", "nowhere", "a")


@test
def facts_of_the_standard_input_and_of_puppet():
    site = Site({"bindings/default.pp": 'bindings default { bind "a" to $facts["x"] bind "n" to $x when node k { bind "k" to 1 } }\n',
                 "cache.yaml": "--- !ruby/object:Puppet::Node::Facts\nname: k\nvalues:\n  x: 7\n  clientcert: k\nexpiration: 2030-01-01 00:00:00 Z\n",
                 "facts.json": '{"x": 8}'})
    assert site.value("inject", "--facts", "-", "a", stdin="x: 5\n") == 5
    assert site.value("inject", "--facts", "cache.yaml", "n") == 7
    assert site.value("inject", "--facts", "cache.yaml", "k") == 1
    assert site.value("inject", "--facts", "facts.json", "n") == 8
    assert "mapping" in site.error("inject", "--facts", "-", "a", stdin="[1]")


ENC = "#!/bin/sh\necho 'classes: [one]'; echo \"parameters: {node: $1}\"\n"


@test
def an_enc_is_run():
    site = Site({"strata.yaml": "enc_command: ./enc\n", "enc": ENC, "f.yaml": FACTS, "bindings/default.pp": "bindings default { bind 'n' to $node }\n"})
    assert site.value("inject", "--facts", "f.yaml", "--classes") == ["one"]
    assert site.value("inject", "--facts", "f.yaml", "n") == "kermit.example.com"
    assert site.value("inject", "--node", "piggy", "n") == "piggy"
    assert "--node" in site.error("inject", "n")
    # A file instead of it.
    site.add({"e.yaml": "parameters: {node: file}\n"})
    assert site.value("inject", "--enc", "e.yaml", "n") == "file"


@test
def an_enc_gets_the_facts():
    site = Site({"strata.yaml": "enc_command: ./enc\nenc_facts: true\n", "enc": "#!/bin/sh\nprintf 'parameters: {all: '; cat; echo '}'\n",
                 "f.yaml": FACTS + "x: [1]\n", "bindings/default.pp": "bindings default { bind 'n' to $all['x'] }\n"})
    assert site.value("inject", "--facts", "f.yaml", "n") == [1]
    site.add({"f.yaml": FACTS + "a: 1\nload: {x: .inf}\n"})
    told = site.error("inject", "--facts", "f.yaml", "n")
    assert "f.yaml:3:1: error: the facts cannot be given to the ENC: infinity at /load/x" in told, told


@test
def an_enc_ends_with_strata():
    site = Site({"strata.yaml": "enc_command: ./enc\n", "f.yaml": FACTS, "enc": "#!/bin/sh\nsleep 50 &\necho $$ $! > pids.new; mv pids.new pids\nsleep 50\n"})
    for end in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with subprocess.Popen([STRATA, "inject", "--facts", "f.yaml", "--classes"], cwd=site.root, stdout=subprocess.DEVNULL) as running:
            until(lambda: (site.root / "pids").exists())
            running.send_signal(end)
            assert running.wait(20) == -end, running.returncode
        pids = (site.root / "pids").read_text().split()
        os.remove(site.root / "pids")
        until(lambda: not any(is_running(pid) for pid in pids))


@test
def a_status_is_known_where_children_are_ignored():
    site = Site({"strata.yaml": "enc_command: ./enc\n", "f.yaml": FACTS, "enc": "#!/bin/sh\necho '{}'; exit 3\n"})
    done = subprocess.run([STRATA, "inject", "--facts", "f.yaml", "--classes"], cwd=site.root, capture_output=True, text=True, check=False,
                          preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert done.returncode == 1 and "status 3" in done.stderr, done


@test
def an_enc_that_fails():
    site = Site({"strata.yaml": "enc_command: ./enc\nenc_timeout: 1\n", "f.yaml": FACTS})

    def told(script):
        site.add({"enc": "#!/bin/sh\n" + script})
        return site.error("inject", "--facts", "f.yaml", "a")

    assert "status 3" in told("echo the database is down >&2; exit 3") and "the database is down" in told("echo the database is down >&2; exit 3")
    assert "was ended by signal 9 (Killed)" in told("kill -9 $$")
    assert "mapping" in told("echo '[1]'")
    assert "enc.shape" in told("echo junk junk")
    assert "UTF-8" in told("printf '\\377\\376\\000'")
    assert "longer than 1 second" in told("echo slow >&2; sleep 1000000")
    flooded = told("yes")
    assert "wrote more than" in flooded and "[enc.failed]" in flooded
    os.remove(site.root / "enc")
    assert "cannot be run" in site.error("inject", "--facts", "f.yaml", "a")


@test
def an_enc_is_no_shell():
    site = Site({"strata.yaml": "enc_command: ./enc; touch hacked\n", "enc": ENC, "f.yaml": FACTS})
    site.run("inject", "--facts", "f.yaml", "--classes")
    assert not (site.root / "hacked").exists()
    site = Site({"strata.yaml": "enc_command: ./enc\n", "enc": ENC})
    for name in ("--help", "$(touch hacked); `touch hacked`", "../x", ".x", "a b"):
        assert "enc.no-node" in site.error("inject", f"--node={name}", "--classes"), name
        site.add({"named.json": json.dumps({"clientcert": name})})
        assert "enc.no-node" in site.error("inject", "--facts", "named.json", "--classes"), name
    assert site.value("inject", "--node", "web-1.example.com", "--classes") == ["one"]
    assert not (site.root / "hacked").exists()


NODES = {"bindings/default.pp": "bindings default { bind 'a' to $role bind 'c' to $trusted['certname'] bind 'conf' to $confdir }\n",
         "nodes.json": json.dumps([{"name": "n1", "facts": {"role": "web", "confdir": "mine"}, "trusted": {"certname": "n1.x"}},
                                   {"certname": "n2", "facts": {"role": "db", "confdir": "x", "trusted": {"certname": "n2.x"}}}]),
         "folder/n1.yaml": "role: web\n", "folder/n3.yaml": "name: n3\nvalues: {role: app}\n"}


@test
def fleets():
    site = Site(NODES)
    assert site.value("inject", "--nodes", "nodes.json", "a") == {"n1": "web", "n2": "db"}
    assert site.value("inject", "--nodes", "nodes.json", "c") == {"n1": "n1.x", "n2": "n2.x"}
    assert site.value("inject", "--nodes", "-", "a", stdin=NODES["nodes.json"]) == {"n1": "web", "n2": "db"}
    assert site.value("inject", "--nodes", "folder", "a") == {"n1": "web", "n3": "app"}
    assert site.run("inject", "--nodes", "folder", "a", "--output", "yaml").stdout == "n1: web\nn3: app\n"
    done = site.run("inject", "--nodes", "folder", "conf")
    assert (done.returncode, done.stdout) == (1, "{}\n"), done
    assert "error: node 'n1' cannot be answered: " in done.stderr and "error: 1 more nodes cannot be answered: " in done.stderr, done.stderr
    site.add({"twice.yaml": "- {name: n, facts: {role: a}}\n- {name: n, facts: {role: b}}\n"})
    done = site.run("inject", "--nodes", "twice.yaml", "a")
    assert "twice.yaml:2:10: error: the node 'n' is in the list twice" in done.stderr, done
    site.error("inject", "--nodes", "folder", "--facts", "folder/n1.yaml", "a", status=2)
    site.error("inject", "--nodes", "folder", "--blame", "a", status=2)
    site.add({"bad.json": json.dumps([{"name": "n1", "fact": {}}, {"name": "n2", "facts": {"role": "db"}}])})
    done = site.run("inject", "--nodes", "bad.json", "a")
    assert (done.returncode, json.loads(done.stdout)) == (1, {"n2": "db"}), done
    assert "did you mean 'facts'?" in done.stderr, done.stderr
    (site.root / "empty").mkdir()
    done = site.run("inject", "--nodes", "empty", "a")
    assert (done.returncode, done.stdout) == (0, "{}\n") and "fleet.empty" in done.stderr, done


@test
def check_of_a_fleet():
    site = Site({**NODES, "bindings/default.pp": "bindings default { bind Integer, 'n' to $number bind 'b' to $missing }\n",
                 "nodes.json": json.dumps([{"name": f"n{i}", "facts": {"number": i if i else "text"}} for i in range(3)])})
    done = site.run("bindings", "check", "--nodes", "nodes.json")
    assert done.returncode == 1, done
    lines = done.stderr.splitlines()
    assert sum("(node 'n0')" in line for line in lines) == 1, done.stderr
    assert sum("missing" in line for line in lines) == 1, done.stderr
    report = json.loads(site.run("bindings", "check", "--nodes", "nodes.json", "--output", "json").stdout)
    assert list(report) == ["n0", "n1", "n2"], report
    assert len(report["n0"]["errors"]) == len(report["n1"]["errors"]) + 1, report


@test
def what_is_known_of_a_certificate():
    site = Site({**NODES, "t.yaml": "certname: t.example.com\nextensions: {pp_role: web}\n", "f.yaml": "role: web\nclientcert: f.x\n",
                 "bindings/default.pp": "bindings default { bind 'c' to $trusted['certname'] bind 'r' to $trusted['extensions']['pp_role'] "
                                        "bind 'h' to $trusted['hostname'] }\n"})
    for name, want in (("c", "t.example.com"), ("r", "web"), ("h", "t")):
        assert site.value("inject", "--facts", "f.yaml", "--trusted", "t.yaml", name) == want
    site.add({"t.yaml": "certnme: x\n"})
    assert "did you mean 'certname'?" in site.error("inject", "--trusted", "t.yaml", "c")


@test
def a_control_repository():
    site = Site({"repo/bindings/default.pp": "bindings default { bind 'e' to $environment bind 'k' to lookup('k') }\n",
                 "repo/hiera.yaml": "version: 5\n", "repo/data/common.yaml": "k: '%{environment}'\n"})
    assert site.value("inject", "--environment-root", "repo", "e") == "production"
    assert site.value("inject", "--environment-root", "repo", "--agent-environment", "dev", "e") == "production"
    site.add({"enc.yaml": "environment: dev\n", "conf/environments.pp": "site { environment { 'dev': modulepath => 'mods' } }\n"})
    assert site.value("inject", "--environment-root", "repo", "--enc", "enc.yaml", "e") == "dev"
    assert site.value("inject", "--environment-root", "repo", "--enc", "enc.yaml", "k") == "dev"
    assert site.value("inject", "--confdir", "conf", "--environment-root", "repo", "--enc", "enc.yaml", "k") == "dev"
    assert "environment.missing" in site.error("inject", "--environment-root", "repo/none", "e", "--confdir", "conf")


@test
def masks():
    site = Site({"site.pp": "site { bindings => [ layer { 'data': include => 'hiera:' }, layer { 'site': include => 'confdir:/default' } ] }\n",
                 "bindings/default.pp": "bindings default { bind 'open' to 'plain' }\n",
                 "hiera.yaml": "version: 5\nhierarchy:\n  - {name: s, lookup_key: eyaml_lookup_key, path: s.eyaml, options: {pkcs7_private_key: keys/private.pem}}\n",
                 "data/s.eyaml": "k: {user: me, password: 'ENC[PKCS7,MIIB]'}\n", "nodes.json": '[{"name": "n", "facts": {}}]'})
    assert "eyaml.key" in site.error("inject", "k")
    hidden = {"k": {"user": "me", "password": "<encrypted>"}, "open": "plain"}
    assert site.value("inject", "--mask", "--all") == hidden
    assert site.value("inject", "--mask", "--nodes", "nodes.json", "--all") == {"n": hidden}
    assert site.run("bindings", "check").returncode == 1
    done = site.run("bindings", "check", "--mask")
    assert (done.returncode, done.stdout) == (0, "0 errors, 0 warnings\n"), done
    # A key that is there must fit.
    site.add({"keys/private.pem": "no key\n"})
    assert "eyaml.key" in site.error("inject", "--mask", "k")


@test
def no_site():
    site = Site({"docs/readme.txt": "x"})
    done = site.run("bindings", "check")
    assert (done.returncode, done.stdout) == (0, "0 errors, 1 warnings\n") and "bindings.no-site" in done.stderr, done
    assert "bindings.no-site" in site.error("enc", "n1")
    assert "bindings.confdir" in site.error("enc", "n1", "--confdir", "none")
    assert "bindings.no-site" in site.run("bindings", "check", "--strict").stderr


@test
def confdir_is_of_the_site_alone():
    site = Site({"bindings/default.pp": "bindings default { bind 'c' to $confdir }\n", "f.yaml": "confdir: fact\n",
                 "environments.pp": "site { environment { 'production': envdir => \"$confdir\" } }\n"})
    assert site.value("inject", "--facts", "f.yaml", "c") == "fact"
    assert "confdir" in site.error("inject", "--strict", "c")


@test
def enc_output():
    site = Site({"strata.yaml": "facts_dir: facts\n", "facts/k.yaml": "fqdn: k\nos: Debian\n", "facts.yaml": "os: secret\n",
                 "bindings/default.pp": "bindings default { include [ntp, 'Web::Server'] bind parameters ntp to { s => [$os] } "
                                        "bind parameters other to { x => 1 } bind variables to { v => 'yes' } }\n"})
    done = site.run("enc", "k")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("---\n")
    assert site.value("enc", "--output", "json", "k") == {
        "classes": {"ntp": {"s": ["Debian"]}, "web::server": {}}, "parameters": {"v": "yes"}, "environment": "production"}
    for name in ("../facts", "/etc/passwd", "-x", ".", "a/b", "a\nb", ""):
        site.error("enc", "--", name, status=2)


@test
def check_tells_everything_at_once():
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to 1 bind 'a' to 2 bind 'b' to inject('nope') when moon full { bind 'c' to 1 } }\n"})
    done = site.run("bindings", "check")
    assert done.returncode == 1, done.stderr
    assert "bindings/default.pp:1:" in done.stderr
    assert re.fullmatch(r"\d+ errors, \d+ warnings", done.stdout.splitlines()[-1]), done.stdout
    told = json.loads(site.run("bindings", "check", "--output", "json").stdout)
    assert told["environment"] == "production" and told["manifest"] is None
    assert [error["line"] for error in told["errors"]]
    site = Site({"site.pp": "site { categories { rack => ['x'] } }\n"})
    told = json.loads(site.run("bindings", "check", "--output", "json").stdout)
    assert told["environment"] == "production" and told["manifest"].endswith("/site.pp") and len(told["errors"]) == 1, told
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to 1 }\n"})
    done = site.run("bindings", "check")
    assert (done.returncode, done.stdout) == (0, "0 errors, 0 warnings\n"), done


@test
def check_counts_no_remarks():
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to 1.then |$x| { notice('n') info('i') $x } }\n"})
    for options in ([], ["--strict"], ["--output", "json"]):
        done = site.run("bindings", "check", *options)
        assert done.returncode == 0 and ": notice: n [puppet.notice]" in done.stderr and ": info: i [puppet.info]" in done.stderr, done
    assert json.loads(done.stdout)["warnings"] == []
    assert site.run("bindings", "check", "--quiet").stderr == ""
    site = Site({"bindings/default.pp": "bindings default { bind 'a' to 1.then |$x| { warning('w') $x } bind 'b' to fail('f') }\n"})
    assert site.run("bindings", "check").stdout == "1 errors, 1 warnings\n"
    assert site.run("bindings", "check", "--strict").stdout == "2 errors, 0 warnings\n"


@test
def several_errors_of_one_phase():
    site = Site({"modules/a/bindings/default.pp": "bindings a::default { bind }\n", "modules/b/bindings/default.pp": "bindings x::default { }\n",
                 "bindings/default.pp": "bindings default { bind 'a' to }\n"})
    told = site.error("inject", "a")
    for name in ("modules/a/bindings/default.pp", "modules/b/bindings/default.pp", "bindings/default.pp"):
        assert name in told, told
    site = Site({"bindings/default.pp": "bindings default {\n" + "".join("  bind 'x%d' to 1 bind 'x%d' to 2\n" % (i, i) for i in range(100)) + "}\n"})
    assert site.error("inject", "x1").count(" error: ") <= 20


@test
def paths_that_climb():
    site = Site({"site/site.pp": "site { bindings => [ layer { 'x': include => 'confdir:/..::secret' } ] }\n", "secret.pp": "bindings secret { }\n"})
    assert "layer.uri" in site.error("inject", "--confdir", "site", "a")
    for uri in ("module:/..::x", "module:/a/b::c", "confdir:/a//b", "confdir:/", "confdir:x", "module:/m", "confdir:/a b", "confdir:/../../etc/passwd",
                "confdir:/a?evil=1", "module:/m::*x", "::x", "", "enc:/secrets", "confdir:/a\\u{0}b"):
        site.add({"site/site.pp": 'site { bindings => [ layer { "x": include => "%s" } ] }\n' % uri})
        assert "layer." in site.error("inject", "--confdir", "site", "a"), uri
    site = Site({"c/environments.pp": "site { dynamic_environments { '$confdir/environments': } }\n$environment = $agent_environment\n",
                 "c/environments/a/bindings/default.pp": "bindings default { bind 'a' to 1 }\n", "c/bindings/default.pp": "bindings default { bind 'a' to 2 }\n"})
    assert site.value("inject", "--confdir", "c", "--agent-environment", "a", "a") == 1
    for name in ("..", ".", "../c", "a/../a", "/etc", ".git", "a/"):
        assert "environment.unknown" in site.error("inject", "--confdir", "c", "--agent-environment", name, "a"), name
    assert "environment.name" in site.error("inject", "--confdir", "c", "--agent-environment", "", "a")


@test
def names_of_modules_and_case():
    site = Site({"modules/Upper/bindings/default.pp": "bindings upper::default { bind 'u' to 1 }\n",
                 "modules/.hidden/bindings/default.pp": "nonsense", "modules/a-b/bindings/default.pp": "nonsense", "modules/file": "nonsense",
                 "modules/ok/bindings/default.pp": "bindings OK::Default { bind 'o' to 1 }\n", "modules/ok/bindings/Big.pp": "nonsense",
                 "modules/ok/bindings/.default.pp": "nonsense"})
    assert site.value("inject", "--all") == {"o": 1}
    site.add({"site.pp": "site { bindings => [ layer { 'x': include => 'MODULE:/OK::DEFAULT' } ] }\n"})
    assert site.value("inject", "--all") == {"o": 1}


@test
def folders_that_lead_back():
    site = Site({"site.pp": "site { bindings => [ layer { 'x': include => 'confdir:/**' } ] }\n", "bindings/a.pp": "bindings a { bind 'a' to 1 }\n"})
    os.symlink(".", site.root / "bindings/loop")
    # The system follows a link through itself some forty times.
    assert "[bindings.name]" in site.error("inject", "a")
    os.symlink(".", site.root / "bindings/pool")
    assert "[limit.includes]" in site.error("inject", "a")


@test
def deep_nesting():
    for text in ("bindings default { bind 'a' to " + "[" * 100000 + " }", "bindings default { " + "when node x { " * 50000,
                 "bindings default { bind 'a' to " + "(" * 100000, "bindings default { bind 'a' to " + "-" * 100000 + "1 }",
                 "bindings default { when " + "(" * 100000, "bindings default { bind 'a' to \"" + "${\"" * 20000):
        site = Site({"bindings/default.pp": text})
        assert "[limit.depth]" in site.error("inject", "a")
        site = Site({"site.pp": "site { categories { x => " + text.split("to ", 1)[-1]})
        assert "[limit.depth]" in site.error("inject", "a"), text[:60]


@test
def work_without_end():
    for expression, code in (("Integer[1, 1000000000].map |$x| { $x }", "limit.steps"),
                             ("[1,2,3,4,5,6,7,8,9,10].map |$a| { Integer[1,100000].map |$b| { Integer[1,1000].map |$c| { 1 } } }", "limit.steps"),
                             ("'" + "a" * 50 + "b' =~ /^(a+)+$/", "limit.regex"), ("inject('a')", "bindings.loop")):
        site = Site({"bindings/default.pp": "bindings default { bind 'a' to %s }\n" % expression, "site.pp": "$x = 1\n"})
        begin = processor_time_of_children()
        told = site.error("inject", "a")
        assert processor_time_of_children() - begin < 100 and f"[{code}]" in told, (expression, told)


@test
def broken_configuration():
    site = Site({"strata.yaml": "enc_comand: x\n", "bindings/default.pp": "bindings default { bind 'a' to 1 }\n"})
    assert "did you mean 'enc_command'" in site.error("inject", "a")
    site = Site({"strata.yaml": "a: &a [*a]\n"})
    site.error("inject", "a")
    site = Site({"environments.pp": "site {\n", "site.pp": "}"})
    assert "environments.pp:" in site.error("inject", "a")


@test
def blame_and_explain():
    site = Site({"bindings/default.pp": "bindings default {\n  bind 'a' to { x => 1 }\n}\n", "modules/m/bindings/default.pp": "bindings m::default {\n  bind 'a' to 2\n}\n"})
    assert "bindings/default.pp:2" in site.run("inject", "--blame", "a").stdout
    told = site.run("bindings", "explain", "a")
    assert told.returncode == 0 and "bindings/default.pp:2" in told.stdout and "lower layer" in told.stdout, told
    assert site.run("inject", "--explain", "a").stdout == told.stdout
    data = json.loads(site.run("inject", "--explain", "--output", "json", "a").stdout)
    assert data[0]["history"][0]["document"] and data[0]["history"][0]["statement"] == "bind", data
    assert "nope" in site.error("bindings", "explain", "nope")


def history(site, *arguments, status=0):
    """Each path with its entries as (fate, value, statement, line)."""
    done = site.run("inject", "--explain", "--output", "json", *arguments)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return {row["path"]: [(one["fate"], one.get("value"), one["statement"], one["line"]) for one in row["history"]] for row in json.loads(done.stdout)}


@test
def explain_shows_what_sources_have_below():
    files = {"hiera.yaml": "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: c, path: common.yaml}\n",
             "data/common.yaml": "a: hiera\n", "f.yaml": FACTS}
    layered = "site { bindings => [ layer {'top': include => 'confdir:/default'}, layer {'low': include => 'hiera:'} ] }\n"
    tied = "site { bindings => [ layer {'top': include => ['confdir:/default', 'hiera:']} ] }\n"
    for manifest, body, reason in ((layered, "bind 'a' to 1", "lower layer"), (layered, "bind override 'a' to 1", "lower layer"),
                                   (tied, "when node 'kermit.example.com' { bind override 'a' to 1 }", "lower precedence")):
        site = Site({**files, "site.pp": manifest, "bindings/default.pp": "bindings default {\n" + body + "\n}\n"})
        told = site.run("inject", "--facts", "f.yaml", "--explain", "a").stdout
        assert f"  shadowed\n    data/common.yaml:1:4: data in hiera:/hiera.yaml" in told and reason in told, told
        data = site.value("inject", "--facts", "f.yaml", "--explain", "--output", "json", "a")
        below = [one for one in data[0]["history"] if one["statement"] == "data"]
        assert [(one["fate"], one["value"], one["reason"]) for one in below] == [("shadowed", "hiera", reason)], data


@test
def explain_fails_where_the_plain_command_does():
    site = Site({"bindings/default.pp": "bindings default {\nwhen node nope { bind 'a' to 1 }\nbind 'b' to inject('b')\nbind 'c' to optional $facts['x']\n}\n"})
    assert history(site, "a", status=1) == {"": [("shadowed", None, "bind", 2)]}
    assert history(site, "b", status=1) == {"": [("won", None, "bind", 3)]}
    assert history(site, "c", status=1) == {"": [("shadowed", None, "bind", 4)]}
    for name, code in (("a", "bindings.not-bound"), ("b", "bindings.loop"), ("c", "bindings.not-bound")):
        for options in ([], ["--explain"], ["--explain", "--output", "json"], ["--explain="], ["--explain=/x"]):
            done = site.run("inject", *options, name)
            assert done.returncode == 1 and f"[{code}]" in done.stderr, (options, name, done)


@test
def explain_uses_the_default():
    site = Site({"bindings/default.pp": "bindings default { when node nope { bind 'a' to 1 } bind 'b' to 2 }\n"})
    for name in ("a", "nope"):
        assert history(site, "--default", '{"x": "d"}', name)["/x"] == [("won", "d", "default", 1)]
        assert "--default" in site.run("inject", "--explain", "--default", "3", name).stdout
    assert "not in effect" in site.run("inject", "--explain", "--default", "3", "a").stdout
    assert "--default" not in site.run("inject", "--explain", "--default", "3", "b").stdout


@test
def explain_of_a_path_is_a_part_of_the_whole():
    site = Site({"bindings/default.pp": "bindings default {\nbind 'a' to { x => 1, z => 3 }\nwhen environment production { bind 'a' to { y => 2, z => 4 } }\n}\n"})
    whole = site.value("inject", "--explain", "--output", "json", "a")
    for row in whole:
        assert site.value("inject", "--explain=" + row["path"], "--output", "json", "a") == [row]
    assert "shadowed  bindings/default.pp:2:" in site.run("inject", "--explain=/x", "a").stdout
    assert "[explain.path]" in site.error("inject", "--explain=/q", "--output", "json", "a")


@test
def explain_has_the_limit_of_its_output():
    site = Site({"bindings/default.pp": "bindings default {\nbind 'a' to { x => 1, z => 3 }\n}\n"})
    for options in (["--explain"], ["--explain=/x"], ["--explain", "--output", "json"]):
        told = site.error("inject", *options, "--limit", "output=10", "a")
        assert "[limit.output]" in told and "--limit output=BYTES" in told, told


@test
def explain_of_lists():
    site = Site({"modules/m/bindings/default.pp": "bindings m::default {\ninclude ssh\ninclude zed\nexclude zed\n}\n", "bindings/default.pp":
                 "bindings default {\ninclude ntp\nexclude ssh\nwhen environment production { include ssh }\nwhen node x { include late }\nexclude idle\n"
                 "bind dependency File['/a'] -> Class['ntp']\nwhen node x { bind dependency File['/b'] -> Class['ntp'] }\nbind dependency File['/a'] -> Class['ntp']\n}\n"})
    told = site.run("inject", "--classes", "--explain").stdout
    assert site.run("bindings", "explain", "/classes").stdout == told
    for line in ("bindings/default.pp:2:1: include in default, layer 'site', common, named 'ntp'\n",
                 "bindings/default.pp:3:1: exclude in default, layer 'site', common, named 'ssh'\n      not taken: lower precedence",
                 "default.pp:2:1: include in m::default, layer 'modules', common, named 'ssh'\n      not taken: it is already in the list",
                 "named 'zed'\n      not taken: excluded at modules/m/bindings/default.pp:4:1", "named 'late'\n      not taken: category not in effect: node 'x'",
                 "named 'idle'\n      not taken: nothing includes it"):
        assert line in told, (line, told)
    data = history(site, "--classes")
    assert data["/0"] == [("won", "ntp", "include", 2)] and data["/1"] == [("won", "ssh", "include", 4), ("shadowed", "ssh", "include", 2)], data
    assert ("merged", None, "exclude", 4) in data[""] and ("shadowed", None, "include", 3) in data[""], data
    told = site.run("bindings", "explain", "/dependencies").stdout
    assert "bindings/default.pp:7:" in told and "named 'File[/a] -> Class[ntp]'" in told and "not taken: it is already in the list" in told, told
    assert "category not in effect: node 'x'" in told, told


@test
def explain_shows_what_a_multibind_did_not_take():
    def told(head, *body):
        site = Site({"bindings/default.pp": "\n".join(("bindings default {", "multibind " + head, *body, "bind alias 'h' as 'k'", "}"))})
        text = site.run("inject", "--explain", "h").stdout
        assert text.partition("  contributions")[2] == site.run("inject", "--explain", "k").stdout.partition("  contributions")[2], text
        return history(site, "h"), text.partition("  contributions")[2]

    for how, reason in (("priority", "lower precedence"), ("ignore", "lower precedence")):
        data, text = told(f"Hash[Integer], 'h' as 'i' {{ conflict_resolution => {how} }}", "bind 'x' to 1 in 'i'", "when environment production { bind 'x' to 2 in 'i' }")
        assert data == {"/x": [("shadowed", 1, "bind", 3), ("won", 2, "bind", 4)]}, data
        assert f":3:1: bind in default, layer 'site', common, named 'x'\n      not taken: {reason}" in text, text
    data, text = told("Array[Data], 'h' as 'i' { uniq => true }", "bind to 1 in 'i'", "bind to [1, 2] in 'i'", "bind to 2 in 'i'")
    assert data == {"/0": [("won", 1, "bind", 3), ("shadowed", 1, "bind", 4)], "/1": [("won", 2, "bind", 4), ("shadowed", 2, "bind", 5)]}, data
    assert text.count("not taken") == 1 and ":5:1: bind in default, layer 'site', common\n      not taken: it is already in the list" in text, text
    data, _ = told("Array[Data], 'h' as 'i' { combinator => |$m, $x| { $m + $x * 2 } }", "bind to 1 in 'i'", "bind to 2 in 'i'")
    assert data == {"/0": [("merged", 1, "bind", 3), ("merged", 2, "multibind", 2)], "/1": [("merged", 2, "bind", 4), ("merged", 4, "multibind", 2)]}, data
    data, _ = told("Array[Data], 'h' as 'i' { combinator => |$m, $x| { if $m == [] { [$x] } else { [$m[0] + $x] } } }", "bind to 1 in 'i'", "bind to 2 in 'i'")
    # The sum of the first step was computed as well.
    assert [one[1:] for one in data["/0"]] == [(1, "bind", 3), (2, "bind", 4), (1, "multibind", 3), (3, "multibind", 2)], data
    data, _ = told("Hash[Data], 'h' as 'i' { combinator => |$k, $m, $x| { { v => $x } } }", "bind 'x' to 1 in 'i'", "bind 'x' to 2 in 'i'")
    assert [one[1:3] for one in data["/x/v"]] == [(1, "bind"), (2, "bind"), (2, "multibind")], data


@test
def a_statement_stands_once_in_a_history():
    site = Site({"bindings/default.pp": "bindings default {\nbind 'a' to 1\nwhen virtual true { rebind 'a' }\nwhen environment production { rebind 'a' }\n"
                                        "bind 'b' to \"${inject('c')} ${inject('c')}\"\nbind 'c' to 2\n}\n"})
    assert history(site, "a") == {"": [("merged", 1, "bind", 2), ("merged", 1, "rebind", 2), ("shadowed", None, "rebind", 3)]}
    assert history(site, "b") == {"": [("merged", 2, "bind", 6), ("merged", "2 2", "bind", 5)]}
    assert history(site, "--all")["/a"] == history(site, "a")[""][:2]
    site = Site({"bindings/default.pp": "bindings default {\nbind 'a' to 1\nwhen environment production { bind 'a' to 2 }\nbind parameters ntp to { p => 1 }\n}\n",
                 "modules/m/bindings/default.pp": "bindings m::default {\nbind parameters ntp to { p => 2 }\nbind variables to { v => 3 }\n}\n"})
    data = history(site, "--all")
    assert data["/a"] == [("won", 2, "bind", 3), ("shadowed", 1, "bind", 2)], data
    assert history(site, "--parameters", "ntp")["/p"] == [("won", 1, "bind parameters", 4), ("shadowed", 2, "bind parameters", 2)]


def main():
    failed = 0
    for each in TESTS:
        try:
            each()
        except (AssertionError, subprocess.TimeoutExpired, ValueError, KeyError, IndexError) as problem:
            failed += 1
            print(f"FAILED {each.__name__}: {type(problem).__name__} {problem}"[:3000])
    print(f"{len(TESTS)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
