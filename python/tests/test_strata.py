# SPDX-License-Identifier: Apache-2.0
"""The module, against what the program prints. Run in the root of the source; STRATA_PROGRAM names the program.

    python3 -m unittest discover -s python/tests
"""
import copy
import gc
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import strata_layers as strata

PROGRAM = os.environ.get("STRATA_PROGRAM", "strata")
HIERA = {"verb": "lookup", "codedir": "examples/hiera", "nodes": "examples/hiera/nodes"}
KEY = "accounts::users"
# One question of each dialect, as words.
QUESTIONS = {
    "lookup": ["lookup", "--codedir", "examples/hiera", "--facts", "examples/hiera/nodes/db01.yaml", KEY],
    "lookup of all keys": ["lookup", "--codedir", "examples/hiera", "--facts", "examples/hiera/nodes/db01.yaml", "--all"],
    "merge": ["merge", "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml"],
    "render": ["render", "examples/deckhand/site"],
    "compose": ["compose", "-e", "examples/heat/environments/network-isolation.yaml"],
    "inject": ["inject", "--confdir", "examples/bindings", "--facts", "examples/bindings/facts/web01.example.com.yaml", "--classes"],
    "inventory": ["inventory", "web1.example.com", "--nodes-dir", "examples/reclass/nodes", "--classes-dir", "examples/reclass/classes"],
}
QUESTIONS["compose"] = ["compose"] + [word for path in sorted(pathlib.Path("examples/heat/environments").glob("*.yaml"))[:2] for word in ("-e", str(path))]


def program(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True).stdout


def said(ran):
    return ran.returncode, ran.stdout, ran.stderr


class Commands(unittest.TestCase):
    """The bytes and the status of the command, through the library."""

    def same(self, *words, **more):
        told, own = (said(subprocess.run([*start, *words], capture_output=True, check=False, **more))
                     for start in ([PROGRAM], [sys.executable, "-m", "strata_layers"]))
        self.assertEqual(own, told)
        return told

    def test_each_dialect(self):
        for name, words in QUESTIONS.items():
            for more in ([], ["--output", "json"], ["--output=yaml"], ["--blame"], ["--blame", "--output", "json"], ["--explain"],
                         ["--explain", "--output", "json"], ["--against", "HEAD"], ["--at", "no-such"], ["--quiet", "--sort-keys"], ["--help"]):
                with self.subTest(name, more=more):
                    status, output, errors = self.same(*words, *more)
                    self.assertTrue(output or errors or "--against" in more)
                    if more and more[0] in ("--output", "--blame", "--help"):
                        self.assertEqual(status, 0)

    def test_other_forms(self):
        site = ["--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes"]
        for words in (["lookup", *site, KEY], ["lookup", *site, "--all", "--output", "jsonl"], ["lookup", *site, "no::such"],
                      [*QUESTIONS["lookup"], "--render-as", "s"], [*QUESTIONS["lookup"], "--lists"], [*QUESTIONS["merge"], "--parts"],
                      [*QUESTIONS["merge"], "--source-map", "-"], ["inventory", "--nodes", "--nodes-dir", "examples/reclass/nodes", "--classes-dir",
                                                                   "examples/reclass/classes"]):
            with self.subTest(words):
                self.same(*words)

    def test_wrong_words(self):
        for words, status in ((["lookup", "--no-such"], 1), (["no-such"], 2), (["merge", "--output", "xml", "a"], 2), (["merge"], 2),
                              (["lookup", "--codedir", "examples/hiera", "no::such"], 1), (["merge", "no-such"], 1),
                              (["merge", "--limit", "depth=x", "examples/cloud-init/web.yaml"], 2)):
            with self.subTest(words):
                told = self.same(*words)
                self.assertEqual((told[0], told[1]), (status, b""))
                self.assertTrue(told[2])
        self.assertEqual(self.same("--version")[0], 0)

    def test_streams_that_are_missing(self):
        words = " ".join(QUESTIONS["lookup"])
        for redirection in (">/dev/full", ">&-", "<&-", "2>&-"):
            with self.subTest(redirection):
                told, own = (said(subprocess.run(f"{start} {words} {redirection}", shell=True, capture_output=True, check=False))
                             for start in (PROGRAM, f"{sys.executable} -m strata_layers"))
                self.assertEqual(own, told)
        ran = subprocess.run([sys.executable, "-m", "strata_layers", "merge", b"a\xff.yaml"], capture_output=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr.startswith(b"error: a word of the command is not UTF-8")), (2, True))

    def test_the_inventory_of_ansible(self):
        words = ("lookup", "--all", "--hiera-config", "examples/fleet/hiera.yaml", "--nodes", "examples/fleet/nodes.json")
        for more in (["--list", "--origins", "--group-by", "role"], ["--host", "web01"], ["--host", "nobody"]):
            status, output, _ = self.same("ansible-inventory", *more, *words)
            self.assertEqual((status, bool(output)), (0, True) if "nobody" not in more else (1, False))

    def test_standard_input(self):
        text = "#cloud-config\na: [" + ", ".join("x" * 50 for _ in range(5000)) + "]\n"
        for words in (["merge", "-"], ["merge", "-", "-"], ["merge", "-", "--limit", "input=1000"], ["merge", "-", "--against", "HEAD"]):
            with self.subTest(words):
                self.same(*words, input=text.encode())
        with tempfile.TemporaryFile() as file:
            self.assertEqual(strata.command(["merge", "-"], file, file), 1)
            file.seek(0)
            self.assertIn(b"call.console", file.read())

    def test_streams_that_fail(self):
        class Full:
            def write(self, data):
                raise OSError(28, "full")

        with tempfile.TemporaryFile() as file, self.assertRaises(OSError):
            strata.command(QUESTIONS["lookup"], Full(), file)
        with subprocess.Popen([sys.executable, "-m", "strata_layers", *QUESTIONS["lookup of all keys"]], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as reading:
            reading.stdout.close()
            self.assertNotIn(b"Traceback", reading.stderr.read())
        self.assertIn(reading.returncode, (0, 1))  # What is short fits into the pipe before it is closed.

    def test_interrupt(self):
        with tempfile.TemporaryDirectory() as folder:
            endless = pathlib.Path(folder, "a.yaml")
            endless.write_text("## template: jinja\n#cloud-config\na: {% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}1\n",
                               encoding="utf-8")
            pathlib.Path(folder, "i.json").write_text("{}", encoding="utf-8")
            words = ["merge", str(endless), "--instance-data", f"{folder}/i.json", "--limit", "steps=1000000000000", "--limit", "processor-seconds=100000"]
            script = ("import os, signal, sys, threading\nimport strata_layers as strata\n"
                      "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                      f"try:\n    strata.command({words!r}, sys.stdout.buffer, sys.stderr.buffer)\nexcept KeyboardInterrupt:\n    print('interrupted')\n")
            ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=1200)
        self.assertEqual((ran.stdout, ran.returncode), ("interrupted\n", 0), ran.stderr)


class Lookups(unittest.TestCase):
    def setUp(self):
        self.fleet = strata.open(**HIERA)
        self.addCleanup(self.fleet.close)

    def test_value_origin_and_history(self):
        found = self.fleet.get("db01", KEY)
        words = QUESTIONS["lookup"]
        self.assertEqual(found.value, json.loads(program(*words, "--output", "json")))
        blame = json.loads(program(*words, "--blame", "--output", "json"))
        self.assertEqual(found.blame, blame)
        for row in blame:
            origin = found.origin(row["path"])
            self.assertEqual((origin.file, origin.line, origin.column), (row["file"], row["line"], row["column"]))
        explained = json.loads(program(*words, "--explain", "--output", "json"))
        self.assertEqual(found.explain(), explained)
        losers = [change for change in found.history("/alice/groups") if change.fate != "won"]
        self.assertTrue(all(change.file and change.line for change in losers))
        self.assertIn(found.origin("/alice").file, {row["file"] for row in blame})

    def test_layer_of_a_recorded_origin(self):
        found = self.fleet.get("db01", KEY, history=True)
        self.assertTrue(found.keeps_history)
        self.assertTrue(found.origin("/alice").layer)

    def test_all_subjects(self):
        self.assertEqual(self.fleet.subjects(), sorted(self.fleet.subjects()))
        told = json.loads(program("lookup", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes", "--output", "json", KEY))
        self.assertEqual({name: found.value for name, found in self.fleet.all(KEY)}, told)
        # Nothing is left of a loop that ends early.
        for name, _ in self.fleet.all(KEY):
            self.assertEqual(name, self.fleet.subjects()[0])
            break
        gc.collect()
        self.assertFalse([one for one in threading.enumerate() if one.name == "strata_layers.all"])

    def test_failures_of_subjects(self):
        with self.assertRaises(strata.Error):
            list(self.fleet.all("no::such"))
        told = list(self.fleet.all("no::such", errors=True))
        self.assertEqual(len(told), len(self.fleet.subjects()))
        self.assertTrue(all(isinstance(one, strata.Error) and one.code == "hiera.not-found" for _, one in told))

    def test_failures_of_subjects_are_those_of_get(self):
        with self.assertRaises(strata.NotFound):
            list(self.fleet.all("no::such"))
        self.assertEqual({type(one) for _, one in self.fleet.all("no::such", errors=True)}, {strata.NotFound})
        with strata.open(verb="merge", args=["/no/such"]) as machine:
            [(name, problem)] = machine.all(errors=True)
            self.assertEqual((name, type(problem)), ("", strata.Error))
            with self.assertRaises(strata.Error):
                list(machine.all())

    def test_defaults_that_are_equal_in_python(self):
        for default in (1, True, 1.0, 0, False, 0.0, None, "1"):
            value = self.fleet.get("db01", "no::such", default=default).value
            self.assertEqual((type(value), value), (type(default), default))
        with self.assertRaises(strata.Misuse):
            self.fleet.get("db01", KEY, history=1)
        self.assertTrue(self.fleet.get("db01", KEY, history=True).keeps_history)

    def test_keys_that_can_be_read_once(self):
        wanted = self.fleet.get("db01", [KEY], history=True).value
        self.assertEqual(self.fleet.get("db01", iter([KEY]), history=True).value, wanted)
        self.assertEqual(self.fleet.get("db01", (key for key in ["no::such", KEY])).value, wanted)
        self.assertEqual(self.fleet.get("db01", ["no::such", KEY]).value, wanted)
        found = self.fleet.get("db01", iter(["no::such", KEY]), default=1)
        self.assertEqual({row["path"] for row in found.explain()}, {row["path"] for row in found.blame})
        self.assertEqual(dict(self.fleet.all(iter([KEY])))["db01"].value, wanted)
        self.assertEqual(self.fleet.check(select=iter(["dead-override"])).data, self.fleet.check(select=["dead-override"]).data)

    def test_a_node_that_is_not_listed(self):
        facts = {"role": "db"}
        found = self.fleet.get({"name": "new01", "facts": facts}, KEY)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(facts, file)
            file.flush()
            told = program("lookup", "--codedir", "examples/hiera", "--node", "new01", "--facts", file.name, "--output", "json", KEY)
        self.assertEqual(found.value, json.loads(told))

    def test_queries(self):
        self.assertEqual(self.fleet.get("db01", "no::such", default={"a": [1, None]}).value, {"a": [1, None]})
        for merge in ("first", "hash", {"strategy": "deep", "knockout_prefix": "--"}):
            words = ["--merge", merge] if isinstance(merge, str) else ["--merge", "deep", "--knock-out-prefix", "--"]
            with self.subTest(merge):
                told = program(*QUESTIONS["lookup"][:-1], *words[:2], *([f"{words[2]}={words[3]}"] if words[2:] else []), "--output", "json", KEY)
                self.assertEqual(self.fleet.get("db01", KEY, merge=merge).value, json.loads(told))

    def test_errors(self):
        with self.assertRaises(strata.NotFound) as raised:
            self.fleet.get("db01", "no::such")
        self.assertEqual(raised.exception.code, "hiera.not-found")
        self.assertIn("hiera.not-found", str(raised.exception))
        for wrong in (lambda: self.fleet.get("db01", KEY, merged="deep"), lambda: strata.open(verb="lookup", codedri="."), lambda: strata.open()):
            with self.assertRaises(strata.Misuse) as raised:
                wrong()
            self.assertIsInstance(raised.exception, ValueError)
        with self.assertRaises(strata.Error) as raised:
            self.fleet.get("db1", KEY)
        self.assertEqual((raised.exception.code, "db01" in raised.exception.hint), ("subject.unknown", True))

    def test_places_of_errors(self):
        with self.assertRaises(strata.Error) as raised:
            strata.merge({"a.yaml": "#cloud-config\na: [\n"}, verb="merge", args=["a.yaml"], strict=True)
        self.assertEqual(raised.exception.places[0].file, "a.yaml")
        self.assertGreaterEqual(raised.exception.places[0].line, 2)

    def test_impact_check_and_diff(self):
        path = "examples/hiera/environments/production/data/common.yaml"
        report = self.fleet.impact({path: None})
        told = json.loads(subprocess.run([PROGRAM, "impact", "--exit-zero", "--output", "json", "--delete", path, "lookup", "--all", "--codedir",
                                          "examples/hiera", "--nodes", "examples/hiera/nodes"], check=True, capture_output=True).stdout)
        self.assertEqual(report.data, told)
        self.assertEqual(report.effects, told["effects"])
        with self.assertRaises(AttributeError):
            report.no_such
        unread = self.fleet.impact({"no-such-file": "a"})
        self.assertEqual((unread.effects, unread.warnings[0].code), ([], "analysis.unread"))
        told = json.loads(subprocess.run([PROGRAM, "check", "--exit-zero", "--output", "json", "lookup", "--codedir", "examples/hiera", "--nodes",
                                          "examples/hiera/nodes"], check=True, capture_output=True).stdout)
        self.assertEqual(self.fleet.check().data, told)
        self.assertTrue(self.fleet.diff(edits={path: None}).changes)

    def test_closed(self):
        found = self.fleet.get("db01", KEY)
        self.fleet.close()
        for call in (lambda: self.fleet.get("db01", KEY), self.fleet.subjects, self.fleet.refresh, self.fleet.check, lambda: list(self.fleet.all(KEY)),
                     lambda: self.fleet.impact({})):
            with self.assertRaises(ValueError):
                call()
        self.assertIn("alice", found.value)  # A result lives for itself.
        self.fleet.close()
        with strata.open(**HIERA) as other:
            pass
        with self.assertRaises(ValueError):
            other.subjects()

    def test_refresh(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.yaml")
            file.write_text("#cloud-config\na: 1\n", encoding="utf-8")
            with strata.open(verb="merge", folder=folder, args=["a.yaml"]) as machine:
                self.assertEqual(machine.get().value, {"a": 1})
                file.write_text("#cloud-config\na: 2\n", encoding="utf-8")
                self.assertEqual(machine.get().value, {"a": 1})  # A state never changes.
                old = machine.get()
                machine.refresh()
                self.assertEqual(machine.get().value, {"a": 2})
                # Its history would be that of other files.
                with self.assertRaises(strata.Error) as raised:
                    old.history("/a")
                self.assertEqual((raised.exception.code, old.origin("/a").line), ("call.stale", 2))
                kept = machine.get(history=True)
                file.write_text("#cloud-config\n\na: 3\n", encoding="utf-8")
                machine.refresh()
                self.assertEqual([one.value for one in kept.history("/a")], [2])

    def test_loops_that_are_open_at_the_end(self):
        script = ("import strata_layers as strata; fleet = strata.open(verb='lookup', codedir='examples/hiera', nodes='examples/hiera/nodes')\n"
                  "loops = [fleet.all('accounts::users') for _ in range(20)]\n[next(one) for one in loops]\nraise SystemExit(0)\n")
        for _ in range(5):
            ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=600)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_what_a_call_takes(self):
        with strata.open(verb="lookup", codedir=pathlib.Path("examples/hiera"), nodes="examples/hiera/nodes") as fleet:
            self.assertEqual(fleet.get("db01", KEY).value, self.fleet.get("db01", KEY).value)
        for wrong in (None, 5, ["db01"]):
            with self.assertRaises(TypeError):
                self.fleet.get(wrong, KEY)
        self.assertEqual(self.fleet.check(select="dead-override").data, self.fleet.check(select=["dead-override"]).data)
        self.assertEqual(strata.merge({"a": "#cloud-config\n"}, verb="merge", args=["a"]).origin("").file, "")

    def test_threads(self):
        wanted = self.fleet.get("db01", KEY).value
        problems = []

        def ask(number):
            try:
                found = self.fleet.get(self.fleet.subjects()[number % 12] if number % 3 else "db01", KEY, **({"history": True} if number % 2 else {}))
                if number % 3 == 0 and found.value != wanted:
                    problems.append(found.value)
            except Exception as problem:  # pylint: disable=broad-exception-caught
                problems.append(problem)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(1000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(problems, [])


class Values(unittest.TestCase):
    def test_kinds(self):
        text = ("#cloud-config\nint: -5\nbig: " + "9" * 300 + "\nfloat: 1.5\ninf: .inf\nyes_: true\nnone: ~\nday: 2026-11-25\n"
                "when: 2026-11-25 10:20:30.5+01:00\nbytes: !!binary aGk=\nset: !!set {a, b}\nlist: [x, {1: y}]\n")
        value = strata.merge({"a.yaml": text}, verb="merge", args=["a.yaml"]).value
        self.assertEqual((value["int"], value["float"], value["inf"], value["yes_"], value["none"]), (-5, 1.5, float("inf"), True, None))
        self.assertEqual(value["big"], 10 ** 300 - 1)
        self.assertEqual((str(value["day"]), value["when"].utcoffset().total_seconds(), value["when"].microsecond), ("2026-11-25", 3600, 500000))
        self.assertEqual((value["bytes"], value["set"], value["list"]), (b"hi", {"a", "b"}, ["x", {1: "y"}]))
        with self.assertRaises(strata.Error):
            strata.merge({"a.yaml": text}, verb="merge", args=["a.yaml"]).json

    def test_values_that_nest_deep(self):
        depth = 900
        text = "#cloud-config\na: " + "[" * depth + "2020-01-02" + "]" * depth + "\n"
        value = strata.merge({"a": text}, verb="merge", args=["a"]).value["a"]
        for _ in range(depth):
            [value] = value
        self.assertEqual(str(value), "2020-01-02")

    def test_values_that_nest_deeper_than_calls_of_python(self):
        for levels, more in ((10, {}), (190, {}), (210, {}), (994, {}), (1500, {"limit": ["depth=2000"]}), (9000, {"limit": ["depth=10000"]})):
            for leaf in ("1", "2020-01-02"):
                with self.subTest(levels=levels, leaf=leaf):
                    text = "#cloud-config\na: " + "[" * levels + leaf + "]" * levels + "\n"
                    found = strata.merge({"a": text}, verb="merge", args=["a"], **more)
                    value = found.value["a"]
                    for _ in range(levels):
                        [value] = value
                    self.assertEqual(str(value), leaf)
                    self.assertEqual(found.blame[0]["line"], 2)

    def test_reports_that_nest_deeper_than_calls_of_python(self):
        def text(levels):
            return "#cloud-config\na: " + "[" * levels + "1" + "]" * levels + "\n"

        def levels_of(value):
            deepest, open_ones = 0, [(value, 0)]
            while open_ones:
                one, depth = open_ones.pop()
                deepest = max(deepest, depth)
                open_ones.extend((part, depth + 1) for part in (one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()))
            return deepest

        with tempfile.TemporaryDirectory() as folder:
            deep, flat = pathlib.Path(folder, "deep"), pathlib.Path(folder, "flat")
            for file, levels in ((deep, 990), (flat, 2)):
                file.write_text(text(levels), encoding="utf-8")
                with strata.open(verb="merge", args=[file]) as machine:
                    reports = [machine.diff(edits={str(file): "#cloud-config\nb: 1\n"}), machine.impact({str(file): "#cloud-config\nb: 1\n"})]
                for report in reports:
                    self.assertGreater(levels_of(report.data), levels)
                if levels == 2:
                    self.assertEqual([strata._build(strata._lib.strata_result_value(one._handle)) for one in reports],  # pylint: disable=protected-access
                                     [one.data for one in reports])

    def test_values_where_calls_nest_deep(self):
        found = strata.merge({"a": "#cloud-config\na: " + "[" * 150 + "1" + "]" * 150 + "\n"}, verb="merge", args=["a"])
        values = []

        def nest(levels):
            if levels:
                nest(levels - 1)
            else:
                values.append(found.value)

        here = 0
        frame = sys._getframe()  # pylint: disable=protected-access
        while frame:
            here, frame = here + 1, frame.f_back
        nest(sys.getrecursionlimit() - here - 60)
        self.assertEqual(list(values[0]), ["a"])

    def test_values_on_a_small_stack(self):
        texts = ["#cloud-config\na: " + "[" * 900 + leaf + "]" * 900 + "\n" for leaf in ("1", "2020-01-02")]
        found = [strata.merge({"a": text}, verb="merge", args=["a"]) for text in texts]
        before = threading.stack_size(64 << 10)
        try:
            thread = threading.Thread(target=lambda: [one.value for one in found])
            thread.start()
        finally:
            threading.stack_size(before)
        thread.join()
        self.assertEqual([list(one.value) for one in found], [["a"], ["a"]])

    def test_copies_of_secrets(self):
        for value in ("a", 1, [1, {"a": "b"}], None):
            secret = strata.Secret(value)
            for made in (copy.copy(secret), copy.deepcopy({"a": secret})["a"]):
                self.assertEqual((type(made), made, made.reveal()), (strata.Secret, secret, value))
        inner = strata.Secret([[1]])
        copy.deepcopy(inner).reveal()[0].append(2)
        self.assertEqual(inner.reveal(), [[1]])

    def test_secrets_that_are_equal_have_one_hash(self):
        for one, other in (([1], [1]), ((1, [2]), (1, [2])), ({"a": 1}, {"a": 1}), (1, 1.0), ("a", "a"), ({1}, frozenset({1})), (b"a", bytearray(b"a")),
                           ((frozenset({1}),), ({1},)), (None, None)):
            with self.subTest(one):
                self.assertEqual(strata.Secret(one), strata.Secret(other))
                self.assertEqual(hash(strata.Secret(one)), hash(strata.Secret(other)))
                self.assertEqual(len({strata.Secret(one), strata.Secret(other)}), 1)

    def test_secrets(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "environments.pp").write_text("", encoding="utf-8")
        words = QUESTIONS["lookup of all keys"]
        found = strata.open(words=words).get()
        secrets = [(name, value) for name, value in found.value.items() if isinstance(value, strata.Secret)]
        plain = json.loads(program(*words, "--output", "json"))
        self.assertTrue(secrets, "the example has encrypted values")
        for name, value in secrets:
            self.assertEqual((str(value), f"{value}", value.reveal()), ("******", "******", plain[name]))
            self.assertNotIn(str(plain[name]), repr(value))
            self.assertTrue(found.is_secret("/" + name.replace("~", "~0").replace("/", "~1")))
            self.assertNotIn(str(plain[name]), found.blame_json)
            with self.assertRaises(TypeError):
                pickle.dumps(value)


def run_script(script, **more):
    """What a script of its own says. It ends, or the test does."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=1200, **more)


class Lifetimes(unittest.TestCase):
    def test_exceptions_at_the_recursion_limit_leave_results_alone(self):
        script = """
import strata_layers as strata
fleet = strata.open(verb="lookup", codedir="examples/hiera", nodes="examples/hiera/nodes", cache=0)
first = fleet.get("db01", "accounts::users")
kept = []
failed = 0
def deep(n):
    return fleet.get("db01", "ntp::servers") if n == 0 else deep(n - 1)
for n in range(930, 999):
    try:
        kept.append(deep(n))
    except RecursionError:
        failed += 1
wanted = fleet.get("db01", "ntp::servers").value
print(bool(kept), failed > 0, "alice" in first.value, all(one.value == wanted for one in kept))
"""
        told = run_script(script)
        self.assertEqual((told.stdout, told.returncode, told.stderr), ("True True True True\n", 0, ""))

    def test_exceptions_at_every_step(self):
        """An exception between any two steps of the interpreter frees nothing that is used, and leaks nothing."""
        script = """
import ctypes, gc, sys
import strata_layers as strata

class Numbers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]
mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Numbers

def used():
    gc.collect()
    numbers = mallinfo()
    return numbers.uordblks + numbers.hblkhd

SIZE = 1 << 20
files = {"a": "#cloud-config\\na: " + "x" * SIZE + "\\n"}
ask = {"verb": "merge", "args": ["a"]}
fleet = strata.open(verb="lookup", codedir="examples/hiera", nodes="examples/hiera/nodes")
plain = strata.open(verb="lookup", codedir="examples/hiera", nodes="examples/hiera/nodes", cache=0)

class Thrown(BaseException):
    pass

def interrupted_at(step, call):
    left = step
    def trace(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename != strata.__file__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left == 0:
                raise Thrown
        return trace
    sys.settrace(trace)
    try:
        call()
    except Thrown:
        return True
    finally:
        sys.settrace(None)
    return left <= 0

def sweep(call):
    step = 1
    while interrupted_at(step, call):
        step += 1
    return step

def check(value):
    assert "alice" in value

kept = [fleet.get("db01", "accounts::users"), plain.get("db01", "accounts::users")]
calls = [lambda: strata.merge(files, **ask), lambda: plain.get("db01", "accounts::users"), lambda: fleet.get("db01", "accounts::users"),
         lambda: fleet.subjects(), lambda: fleet.get("nobody", "accounts::users")]
def guarded(call):
    def safe():
        try:
            call()
        except strata.Error:
            pass
    return safe
calls = [guarded(call) for call in calls]
for call in calls:
    assert sweep(call) > 10
    before = used()
    sweep(call)
    left = used() - before
    assert left < SIZE // 2, left
[check(one.value) for one in kept]
print("whole")
"""
        told = run_script(script)
        self.assertEqual((told.stdout, told.returncode), ("whole\n", 0), told.stderr)


class Interrupts(unittest.TestCase):
    SCRIPT = """
import os, signal, sys, threading, time
import strata_layers as strata
files = {"a.yaml": "## template: jinja\\n#cloud-config\\na: {% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}1\\n",
         "i.json": "{}"}
import pathlib, tempfile
folder = tempfile.mkdtemp()
for name, text in files.items():
    pathlib.Path(folder, name).write_text(text)
endless = {"verb": "merge", "args": ["a.yaml"], "instance-data": "i.json", "limit": ["steps=1000000000000", "processor-seconds=100000"]}
machine = strata.open(folder=folder, **endless)
"""
    INTERRUPTED = SCRIPT + """
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    CALL
except KeyboardInterrupt:
    print("interrupted")
print(machine.subjects())
"""
    # Who reads the pipe waits for it: that it is open says that the call has begun.
    PIPE = """
import os, signal, sys, threading, tempfile
import strata_layers as strata
folder = tempfile.mkdtemp()
pipe = folder + "/nodes.yaml"
os.mkfifo(pipe)
handled = threading.Event()
writer = []
def open_and_kill(number, text=""):
    def work():
        writer.append(os.open(pipe, os.O_WRONLY))
        os.kill(os.getpid(), number)
        if text:
            assert handled.wait(600)
            os.write(writer[0], text.encode())
            os.close(writer[0])
    thread = threading.Thread(target=work)
    thread.start()
    return thread
"""

    def test_keyboard_interrupt_cancels(self):
        for call in ("machine.get()", "machine.check()", "strata.merge(files, **endless)", "machine.impact({'b': ''})", "list(machine.all())"):
            with self.subTest(call):
                told = run_script(self.INTERRUPTED.replace("CALL", call))
                self.assertEqual((told.stdout, told.returncode), ("interrupted\n['']\n", 0), told.stderr)

    def test_keyboard_interrupt_ends_the_list_of_subjects(self):
        told = run_script(self.PIPE + """
fleet = strata.open(verb="lookup", codedir="examples/hiera", nodes=pipe)
open_and_kill(signal.SIGINT)
try:
    fleet.subjects()
except KeyboardInterrupt:
    print("interrupted")
""")
        self.assertEqual((told.stdout, told.returncode), ("interrupted\n", 0), told.stderr)

    def test_handlers_that_do_not_raise_end_nothing(self):
        told = run_script(self.PIPE + """
signal.signal(signal.SIGINT, lambda *_: handled.set())
machine = strata.open(verb="merge", args=[pipe])
thread = open_and_kill(signal.SIGINT, "#cloud-config\\na: 1\\n")
print(machine.get().value)
thread.join()
print(machine.get().value, strata.merge({"b": "#cloud-config\\nb: 1\\n"}, verb="merge", args=["b"]).value)
""")
        self.assertEqual((told.stdout, told.returncode), ("{'a': 1}\n{'a': 1} {'b': 1}\n", 0), told.stderr)

    def test_handlers_that_do_not_raise_leave_commands_alone(self):
        told = run_script(self.PIPE + """
signal.signal(signal.SIGINT, lambda *_: handled.set())
thread = open_and_kill(signal.SIGINT, "#cloud-config\\na: 1\\n")
print(strata.command(["merge", pipe], sys.stdout.buffer, sys.stderr.buffer))
thread.join()
""")
        self.assertEqual((told.stdout, told.returncode), ("#cloud-config\na: 1\n0\n", 0), told.stderr)

    def test_what_a_handler_raises_ends_the_call(self):
        told = run_script(self.PIPE + """
def handler(*_):
    raise RuntimeError("late")
signal.signal(signal.SIGUSR1, handler)
machine = strata.open(verb="merge", args=[pipe])
open_and_kill(signal.SIGUSR1)
try:
    machine.get()
except RuntimeError as problem:
    print(problem)
""")
        self.assertEqual((told.stdout, told.returncode), ("late\n", 0), told.stderr)

    def test_handlers_may_ask(self):
        told = run_script(self.PIPE + """
other = strata.open(verb="lookup", codedir="examples/hiera", nodes="examples/hiera/nodes", cache=0)
def handler(*_):
    print("alice" in other.get("db01", "accounts::users").value, len(other.subjects()))
    handled.set()
signal.signal(signal.SIGINT, handler)
machine = strata.open(verb="merge", args=[pipe])
open_and_kill(signal.SIGINT, "#cloud-config\\na: 1\\n")
print(machine.get().value)
""")
        self.assertEqual((told.stdout, told.returncode), ("True 12\n{'a': 1}\n", 0), told.stderr)

    def test_interrupt_of_standard_input(self):
        told = run_script("""
import io, os, signal, sys
import strata_layers as strata
class Source(io.RawIOBase):
    def read(self, size=-1):
        os.kill(os.getpid(), signal.SIGINT)
        return os.read(reader, 1)  # Nobody writes.
reader, writer = os.pipe()
try:
    strata.command(["merge", "-"], io.BytesIO(), io.BytesIO(), Source())
except KeyboardInterrupt:
    print("interrupted")
""")
        self.assertEqual((told.stdout, told.returncode), ("interrupted\n", 0), told.stderr)

    def test_interrupts_after_a_fork_from_a_thread(self):
        told = run_script(self.SCRIPT + """
started = os.pipe()
machine.subjects()
def work():
    threading.get_ident()
    try:
        machine.get("nobody")  # The thread has called before.
    except strata.Error:
        pass
    child = os.fork()
    if child == 0:
        os.write(started[1], b"x")
        try:
            machine.get()
        except KeyboardInterrupt:
            os._exit(7)
        except BaseException:
            os._exit(8)
        os._exit(9)
    os.read(started[0], 1)
    time.sleep(0.5)
    os.kill(child, signal.SIGINT)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
thread = threading.Thread(target=work)
thread.start()
thread.join()
""")
        self.assertEqual((told.stdout, told.returncode), ("7\n", 0), told.stderr)

    def test_the_handler_stays_that_of_python(self):
        before = signal.getsignal(signal.SIGINT)
        with strata.open(**HIERA) as fleet:
            fleet.get("db01", KEY)
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1_000_000):
                pass


if __name__ == "__main__":
    unittest.main()
