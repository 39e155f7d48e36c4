#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`--lists` against `--blame` and `--explain` (P24): places of items are blame's; items and what was dropped are the contributions below the path.

usage: lists_test.py STRATA [--count N] [--seed S]

Over the examples, over random sites of every dialect, and over cases that pin how a list was merged and which option said so.
"""
import collections
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

from analysis_properties_test import Program, write
from analysis_sites import DIALECTS, RunEnds

ROOT = pathlib.Path(__file__).resolve().parents[2]
HANGS = 600  # Seconds: against hangs only, machines are loaded.
SCHEMA = json.loads((ROOT / "docs/schema/analysis.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator({"$ref": "#/$defs/lists", "$defs": SCHEMA["$defs"]})
OPTIONS = {"--count": 6, "--seed": 1}
LOSSES = {"shadowed": ("equal", "replaced"), "removed": ("knocked-out", "removed")}


def token(key):
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def lists_in(value, path=""):
    """Paths and lengths of lists, in order."""
    if isinstance(value, list):
        yield path, len(value)
    for key, member in enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ():
        yield from lists_in(member, path + token(key))


def place(one):
    return one["file"], one.get("part"), one["line"], one["column"]


def bag(contributions):
    return collections.Counter((*place(one), one["layer"], json.dumps(one["value"], sort_keys=True)) for one in contributions)


class Reports:
    """A question's three reports."""

    def __init__(self, folder, words):
        self.folder = folder
        self.words = words
        self.lists = self.ask("--lists")
        self.blame = self.ask("--blame")
        self.explain = self.ask("--explain")

    def ask(self, option):
        done = subprocess.run([STRATA, *self.words, option, "--output", "json"], cwd=self.folder, capture_output=True, timeout=HANGS, check=False)
        if done.returncode not in (0, 1):
            raise AssertionError(f"{self.words} {option}: {done.returncode} {done.stderr.decode(errors='replace')}")
        return json.loads(done.stdout) if done.stdout else None

    def result(self):
        done = subprocess.run([STRATA, *self.words, "--output", "json"], cwd=self.folder, capture_output=True, timeout=HANGS, check=False)
        return json.loads(done.stdout)


class Properties(unittest.TestCase):
    maxDiff = None

    def check(self, folder, words):
        """Returns how many lists there were."""
        told = Reports(folder, words)
        if told.lists is None:
            self.assertIsNone(told.blame, words)
            return 0
        VALIDATOR.validate(told.lists)
        secrets = [row["path"] for row in told.blame if row["value"] == "******"]
        documents = words[0] == "render"  # Which are not a list.
        expected = [(path, size) for path, size in lists_in(told.result()) if not (documents and not path) and not any(path == one or path.startswith(one + "/") for one in secrets)]
        self.assertEqual([(row["path"], row["count"]) for row in told.lists], expected, words)
        for row in told.lists:
            with self.subTest(words=words, path=row["path"]):
                self.check_list(row, told)
        return len(told.lists)

    def check_list(self, row, told):
        self.assertEqual(len(row["items"]), row["count"])
        below = lambda rows, path: [one for one in rows if one["path"] == path or one["path"].startswith(path + "/")]
        histories = below(told.explain, row["path"])
        by_path = {one["path"]: one["history"] for one in histories}
        for i, item in enumerate(row["items"]):
            first = below(told.blame, f"{row['path']}/{i}")[0]
            self.assertEqual(place(item), place(first))
            self.assertEqual(item.get("via"), first.get("via"))
            sources = [one for one in by_path[first["path"]] if one["fate"] in ("won", "merged")]
            self.assertIn(item["layer"], [one["layer"] for one in sources] or [None])
        if not row["items"] and told.words[0] != "inject":  # It is a leaf itself. No layer states a multibind to which nothing contributes.
            [own] = below(told.blame, row["path"])
            winners = [place(one) for one in by_path[row["path"]] if one["fate"] in ("won", "merged")]
            self.assertTrue(own["file"] is None or place(own) in winners, (own, winners))
        lost = [one for history in histories for one in history["history"] if one["fate"] in LOSSES and "value" in one]
        self.assertEqual(bag(row["dropped"]), bag(lost))
        fates = collections.defaultdict(set)
        for one in lost:
            fates[(*place(one), one["layer"])].add(one["fate"])
        for one in row["dropped"]:
            self.assertTrue(any(one["why"] in LOSSES[fate] for fate in fates[(*place(one), one["layer"])]), one)
        self.assertEqual(row["action"] == "single", row["layers"] <= 1, row)
        if row["action"] == "replaced":
            self.assertTrue(row["dropped"] or row["layers"] > 1, row)

    def test_examples(self):
        hiera = "lookup --codedir examples/hiera --all"
        fleet = "lookup --hiera-config examples/fleet/hiera.yaml --all"
        inject = "inject --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml"
        for words in (
            f"{hiera} --facts examples/hiera/nodes/db01.yaml",
            f"{hiera} --nodes examples/hiera/nodes",
            f"{hiera} --nodes examples/hiera/nodes --merge deep",
            f"{fleet} --nodes examples/fleet/nodes.json",
            "merge examples/cloud-init/platform.yaml examples/cloud-init/web.yaml",
            "merge --base examples/cloud-init/cloud.cfg --vendor-data examples/cloud-init/vendor-data.yaml examples/cloud-init/platform.yaml examples/cloud-init/web.yaml",
            "merge --merger by_name=examples/cloud-init/mergers/by_name.lua --strategy by_name()+dict(recurse_list)+str() examples/cloud-init/platform.yaml examples/cloud-init/web.yaml",
            "render examples/deckhand",
            "compose -t examples/heat/overcloud.yaml --environment-directory examples/heat/environments",
        ):
            self.assertGreater(self.check(ROOT, words.split()), 0, words)
        for words in ("accounts::users", "accounts::addresses", "--all --inventory examples/bindings/inventory.yaml", "--classes"):
            self.check(ROOT, f"{inject} {words}".split())

    def test_random_sites(self):
        counts = collections.Counter()
        for dialect in DIALECTS:
            if dialect in ("inventory", "inject"):  # The one has no such report; the other has vectors (below).
                continue
            for number in range(OPTIONS["--count"]):
                counts[dialect] += self.check_site(dialect, number)
        if OPTIONS["--count"] > 5:
            self.assertTrue(all(counts.values()), counts)

    def test_vectors_of_bindings(self):
        found = 0
        for name in ("multibind", "layers", "compose_random"):
            for case in json.loads((ROOT / f"tests/vectors/bindings/{name}.json").read_text(encoding="utf-8"))[:40]:
                if case["argv"][0] != "inject" or case["expect"].get("exit", 0) != 0 or any(word.startswith("--explain") for word in case["argv"]):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    write(pathlib.Path(folder), {path: text.encode() for path, text in case["files"].items()})
                    found += self.check(folder, case["argv"])
        self.assertGreater(found, 20)

    def test_a_fleet_of_inject_has_the_lists_of_each_node(self):
        words = ["inject", "--confdir", "examples/bindings", "--inventory", "examples/bindings/inventory.yaml", "--all"]
        ask = lambda *more: subprocess.run([STRATA, *words, *more, "--lists", "--output", "json"], cwd=ROOT, capture_output=True, timeout=HANGS, check=True).stdout
        expected = []
        for facts in sorted((ROOT / "examples/bindings/facts").iterdir()):
            rows = json.loads(ask("--facts", str(facts)))
            expected += [{**row, "path": token(facts.stem) + row["path"]} for row in rows]
        self.assertEqual(json.loads(ask("--nodes", "examples/bindings/facts")), expected)
        self.assertTrue(expected)

    def check_site(self, dialect, number):
        base = pathlib.Path(tempfile.mkdtemp(prefix="strata-lists-"))
        try:
            rng = random.Random(f"{OPTIONS['--seed']} {dialect} {number}")
            program = Program(STRATA, base)
            site = DIALECTS[dialect](rng, program)
            try:
                subjects = site.subjects(site.files, program)
            except RunEnds:
                return 0
            found = 0
            for subject in subjects:
                words, extra = site.plain(site.files, subject)
                folder = base / "site"
                write(folder, {**site.files, **extra})
                found += self.check(folder, words)
            return found
        finally:
            shutil.rmtree(base)


class Cases(unittest.TestCase):
    """How lists were merged."""

    maxDiff = None

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name).resolve()

    def put(self, **files):
        write(self.folder, {name.replace("__", "/") + ".yaml": text.encode() for name, text in files.items()})

    def run_strata(self, *words, status=0):
        done = subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, timeout=HANGS, check=False, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def lists(self, *words):
        out = json.loads(self.run_strata(*words, "--lists", "--output", "json").stdout)
        VALIDATOR.validate(out)
        return {row["path"]: row for row in out}

    def assert_list(self, row, action, strategy, option=None, layers=None, dropped=()):
        self.assertEqual((row["action"], row["strategy"]), (action, strategy), row)
        place_of = row["option"] and ":".join(str(row["option"][name]) for name in ("file", "line", "column") if row["option"][name] is not None)
        self.assertEqual(place_of, option, row)
        if layers is not None:
            self.assertEqual(row["layers"], layers, row)
        self.assertEqual([(one["value"], one["why"]) for one in row["dropped"]], list(dropped), row)

    # Hiera.

    def hiera(self, *words):
        self.put(hiera="version: 5\nhierarchy:\n  - {name: a, paths: [one.yaml, two.yaml, three.yaml]}\n")
        return self.lists("lookup", "--hiera-config", "hiera.yaml", *words)

    def test_hiera_strategies(self):
        self.put(data__one="l: [a, b]\nm: {x: [1], y: [2]}\nn: [q]\n",
                 data__two="lookup_options:\n  l: {merge: unique}\n  '^m': {merge: deep}\nl: [b, c]\nm: {x: [1, 3]}\nn: [r]\n")
        rows = self.hiera("--all")
        self.assert_list(rows["/l"], "union", "unique", "data/two.yaml:2:3", 2, [("b", "equal")])
        self.assert_list(rows["/m/x"], "union", "deep", "data/two.yaml:3:3", 2, [(1, "equal")])
        self.assert_list(rows["/m/y"], "single", "deep", "data/two.yaml:3:3", 1)
        self.assert_list(rows["/n"], "replaced", "first", None, 2, [("r", "replaced")])
        self.assert_list(self.hiera("--merge", "unique", "n")[""], "union", "unique", "<--merge>", 2)
        self.assert_list(self.hiera("--merge", "hash", "m")["/x"], "replaced", "hash", "<--merge>", 2, [(1, "replaced"), (3, "replaced")])

    def test_the_option_of_the_stronger_layer_is_named(self):
        self.put(data__one="lookup_options:\n  l: {merge: unique}\nl: [a]\n", data__two="lookup_options:\n\n  l: {merge: first}\nl: [b]\n")
        self.assert_list(self.hiera("l")[""], "union", "unique", "data/one.yaml:2:3", 2)

    def test_knocked_out(self):
        self.put(data__one="lookup_options:\n  l: {merge: {strategy: deep, knockout_prefix: '--'}}\nl: ['--b', c]\n", data__two="l: [a, b]\n")
        self.assert_list(self.hiera("l")[""], "union", "deep", "data/one.yaml:2:3", 2, [("--b", "knocked-out"), ("b", "knocked-out")])

    def test_what_earlier_steps_dropped_stays_told(self):
        self.put(data__one="lookup_options:\n  l: {merge: {strategy: deep, knockout_prefix: '--'}}\n  m: {merge: deep}\nl: [t, '--m']\nm: {n: [a, a, b]}\n",
                 data__two="l: [m, n]\nm: {o: [e]}\n", data__three="l: [z]\n")
        self.assert_list(self.hiera("l")[""], "union", "deep", "data/one.yaml:2:3", 3, [("--m", "knocked-out"), ("m", "knocked-out")])
        self.assert_list(self.hiera("m")["/n"], "single", "deep", "data/one.yaml:3:3", 1, [("a", "equal")])

    def test_by_index(self):
        self.put(data__one="lookup_options:\n  l: {merge: {strategy: deep, merge_hash_arrays: true}}\nl: [{a: 1}]\n", data__two="l: [{a: 2, b: 3}, {c: 4}]\n")
        self.assert_list(self.hiera("l")[""], "by-index", "deep", "data/one.yaml:2:3", 2, [(2, "replaced")])

    def test_empty_lists_count(self):
        for one, two in (("[]", "[a]"), ("[a]", "[]"), ("[]", "[]")):
            self.put(data__one=f"l: {one}\n", data__two=f"l: {two}\n")
            self.assertEqual(self.hiera("--merge", "unique", "l")[""]["layers"], 2, (one, two))
            self.assertEqual(self.hiera("--merge", "unique", "l")[""]["action"], "union", (one, two))
            self.put(data__one=f"m: {{l: {one}}}\n", data__two=f"m: {{l: {two}}}\n")
            self.assertEqual(self.hiera("--merge", "deep", "m")["/l"]["action"], "union", (one, two))

    def test_a_list_that_a_merge_empties_has_a_winner_where_it_stands(self):
        self.put(data__one="e: &e []\nk: [[], [*e]]\nl: [\"%{alias('e')}\"]\nm: \"%{alias('l')}\"\n", data__two="l: [[], \"%{alias('k')}\"]\n",
                 hiera="version: 5\nhierarchy:\n  - {name: a, paths: [one.yaml, two.yaml]}\n")
        for key, line in (("k", 2), ("l", 3), ("m", 3)):
            words = ("lookup", "--hiera-config", "hiera.yaml", "--merge", "unique", key, "--output", "json")
            [leaf] = json.loads(self.run_strata(*words, "--blame").stdout)
            [told] = json.loads(self.run_strata(*words, "--explain").stdout)
            self.assertEqual((told["path"], told["value"], leaf["value"]), ("", [], []))
            self.assertEqual([place(one) for one in told["history"] if one["fate"] == "won"], [place(leaf)])
            self.assertEqual((leaf["file"], leaf["line"]), ("data/one.yaml", line))
            self.run_strata(*words, "--source-map", "out.map")
            source_map = json.loads((self.folder / "out.map").read_text(encoding="utf-8"))
            self.assertEqual((source_map["sources"], source_map["names"]), (["data/one.yaml"], [""]))

    def test_an_alias_has_the_rule_of_its_target(self):
        self.put(data__one="lookup_options: {t: {merge: unique}}\nl: \"%{alias('t')}\"\nt: [a]\n", data__two="t: [b]\n")
        self.assert_list(self.hiera("l")[""], "union", "unique", "data/one.yaml:1:18", 2)

    def test_interpolation_joins_no_layers(self):
        """What a text is computed with is not in its list."""
        (self.folder / "f.json").write_text('{"r": "w", "s": "v"}', encoding="utf-8")
        self.put(data__one="l: ['%{r}', 'x%{s}']\nm: {x: ['%{r}', b, {y: 'a%{r}'}]}\nk: [\"%{lookup('z')}\"]\n", data__two="l: ['%{s}']\nz: 1\n")
        rows = self.hiera("--facts", "f.json", "--all")
        self.assert_list(rows["/m/x"], "single", "first", None, 1)
        self.assert_list(rows["/k"], "single", "first", None, 1)
        self.assertEqual((rows["/l"]["action"], rows["/l"]["layers"]), ("replaced", 2))
        self.assert_list(self.hiera("--facts", "f.json", "--merge", "unique", "l")[""], "union", "unique", "<--merge>", 2)

    def test_fleets_lead_with_the_node(self):
        self.put(hiera="version: 5\nhierarchy:\n  - {name: a, path: '%{n}.yaml'}\n", data__x="l: [1]\n", data__y="l: [2, 3]\n")
        (self.folder / "nodes.json").write_text(json.dumps([{"name": f"{n}/1", "facts": {"n": n}} for n in "xy"]), encoding="utf-8")
        rows = self.lists("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "l")
        self.assertEqual([(path, row["count"]) for path, row in rows.items()], [("/x~11", 1), ("/y~11", 2)])

    # cloud-init.

    def test_cloud_init(self):
        self.put(a="#cloud-config\nl: [1]\nm: {x: [1]}\n", b="#cloud-config\nmerge_how: list(append)+dict(recurse_list)+str()\nl: [2]\nm: {x: []}\n", c="#cloud-config\nl: [3]\n",
                 d="#cloud-config\nmerge_how: list(prepend)+dict(recurse_list)+str()\nl: [4]\n")
        rows = self.lists("merge", "a.yaml", "b.yaml")
        self.assert_list(rows["/l"], "joined", "list(append)+dict(recurse_list)+str()", "b.yaml:2:1", 2)
        self.assert_list(rows["/m/x"], "joined", "list(append)+dict(recurse_list)+str()", "b.yaml:2:1", 2)
        self.assert_list(self.lists("merge", "a.yaml", "b.yaml", "c.yaml")["/l"], "replaced", "dict(replace)+list()+str()", None, 3,
                         [(1, "replaced"), (2, "replaced")])
        self.assert_list(self.lists("merge", "a.yaml", "d.yaml")["/l"], "prepended", "list(prepend)+dict(recurse_list)+str()", "d.yaml:2:1", 2)
        self.assertEqual(self.lists("merge", "a.yaml", "b.yaml", "d.yaml")["/l"]["action"], "mixed")
        rows = self.lists("merge", "--strategy", "list(append)+dict(recurse_list)+str()", "a.yaml", "c.yaml")
        self.assert_list(rows["/l"], "joined", "list(append)+dict(recurse_list)+str()", "<--strategy>", 2)

    def test_cloud_init_by_index_and_lua(self):
        self.put(a="#cloud-config\nl: [1, 2]\n", b="#cloud-config\nmerge_how: list(replace)+dict(recurse_list)+str()\nl: [3, 4, 5]\n",
                 c="#cloud-config\nmerge_how: by_name()+dict(recurse_list)\nl: [6]\n")
        rows = self.lists("merge", "--merger", f"by_name={ROOT}/examples/cloud-init/mergers/by_name.lua", "a.yaml", "c.yaml")
        self.assert_list(rows["/l"], "by-function", "by_name()+dict(recurse_list)", "c.yaml:2:1", 2)
        self.assert_list(self.lists("merge", "a.yaml", "b.yaml")["/l"], "by-index", "list(replace)+dict(recurse_list)+str()", "b.yaml:2:1", 2,
                         [(1, "replaced"), (2, "replaced"), (5, "removed")])

    # Heat, Deckhand.

    def test_heat(self):
        self.put(t="heat_template_version: 2021-04-16\nparameters:\n  l: {type: comma_delimited_list}\n  j: {type: json}\n  o: {type: comma_delimited_list}\n",
                 a="parameter_merge_strategies:\n  l: merge\n  default: deep_merge\nparameters: {l: [1], j: {x: [1]}}\nparameter_defaults: {o: [1]}\n",
                 b="parameters: {l: [2], j: {x: [2]}}\n")
        rows = self.lists("compose", "-t", "t.yaml", "-e", "a.yaml", "-e", "b.yaml")
        self.assert_list(rows["/parameters/l"], "joined", "merge", "a.yaml:2:3", 2)
        self.put(c="parameters: {o: [1]}\n", d="parameters: {o: [2]}\n")
        rows = self.lists("compose", "-t", "t.yaml", "-e", "c.yaml", "-e", "d.yaml")
        self.assert_list(rows["/parameters/o"], "replaced", "overwrite", None, 2, [(1, "replaced")])

    def test_deckhand(self):
        document = "schema: a/K/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: %s\n  storagePolicy: cleartext\n  labels: {is: %s}\n  layeringDefinition:\n    layer: %s\n%sdata: %s\n"
        self.put(site="schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: layering-policy}\ndata:\n  layerOrder: [global, site]\n---\n"
                 + document % ("p", "p", "global", "    abstract: true\n", "{l: [1], m: [5]}") + "---\n"
                 + document % ("c", "c", "site", "    parentSelector: {is: p}\n    actions:\n    - {method: merge, path: .}\n", "{l: [2], n: [3]}"))
        rows = self.lists("render", "site.yaml", "--name", "c")
        base = next(path for path in rows if path.endswith("/data/l")).removesuffix("/l")
        self.assert_list(rows[base + "/l"], "replaced", "merge", "site.yaml:27:7", 2, [(1, "replaced")])
        self.assert_list(rows[base + "/n"], "single", "merge", "site.yaml:27:7", 1)
        self.assert_list(rows[base + "/m"], "single", "merge", "site.yaml:27:7", 1)
        self.assertEqual([row["strategy"] for path, row in rows.items() if path.endswith("/layeringDefinition/actions")], [""])

    # ARM-8.

    def inject(self, statements, *words):
        self.put(facts="{fqdn: n.example.com, hostname: n}\n")
        write(self.folder, {"bindings/default.pp": f"bindings default {{\n{statements}\n}}\n".encode()})
        return self.lists("inject", "--facts", "facts.yaml", *words)

    def test_multibinds(self):
        parts = "\nbind to 'a' in 'i'\nbind to ['b', 'a'] in 'i'"
        self.assert_list(self.inject("multibind Array[String], 'l' as 'i'" + parts, "l")[""], "joined", "multibind", "bindings/default.pp:2:1", 2)
        row = self.inject("multibind Array[String], 'l' as 'i' { uniq => true }" + parts, "l")[""]
        self.assert_list(row, "union", "multibind", "bindings/default.pp:2:1", 2, [("a", "equal")])
        row = self.inject("multibind Array[Data], 'l' as 'i' { combinator => |$memo, $x| { $memo + $x } }" + parts, "l")[""]
        self.assertEqual((row["action"], row["strategy"]), ("by-function", "multibind"))
        self.assert_list(self.inject("multibind Array[String], 'l' as 'i'\nbind to 'a' in 'i'", "l")[""], "single", "multibind", "bindings/default.pp:2:1", 1)
        self.assert_list(self.inject("bind 'l' to ['a']", "l")[""], "single", "bind", None, 1)
        row = self.inject("bind 'l' to ['a']\nwhen node 'n.example.com' {\nbind 'l' to ['b']\n}", "l")[""]
        self.assert_list(row, "replaced", "bind", None, 2, [("a", "replaced")])

    # The command line.

    def test_text(self):
        self.put(data__one="l: [a, b]\n", data__two="lookup_options:\n  l: {merge: unique}\nl: [b, c]\nm: [d]\n",
                 hiera="version: 5\nhierarchy:\n  - {name: a, paths: [one.yaml, two.yaml]}\n")
        text = self.run_strata("lookup", "--hiera-config", "hiera.yaml", "--all", "--lists").stdout
        self.assertEqual(text, '/l: 3 items, union by unique (set at data/two.yaml:2:3)\n'
                               '  won       data/one.yaml:1:5  "a"  a/one.yaml\n'
                               '  won       data/one.yaml:1:8  "b"  a/one.yaml\n'
                               '  won       data/two.yaml:3:8  "c"  a/two.yaml\n'
                               '  shadowed  data/two.yaml:3:5  "b"  a/two.yaml  equal\n'
                               '/m: 1 item, single by first\n'
                               '  won       data/two.yaml:4:5  "d"  a/two.yaml\n')

    def test_wrong_command_lines(self):
        self.put(a="#cloud-config\na: 1\n")
        hiera = ["lookup", "--hiera-config", "hiera.yaml", "k"]
        for words in (["merge", "a.yaml", "--blame"], ["merge", "a.yaml", "--explain"], ["merge", "a.yaml", "--against", "HEAD"], ["merge", "a.yaml", "--parts"],
                      ["merge", "a.yaml", "--source-map", "x"], ["render", "--check", "a.yaml"], [*hiera, "--render-as", "json"], [*hiera, "--explain-options"],
                      [*hiera, "--nodes", "n", "--output", "jsonl"], ["compose", "-e", "a.yaml", "--save-state", "-"], ["inventory", "x", "--check"], ["parameters"],
                      ["diff", "merge", "a.yaml"]):
            self.run_strata(*words, "--lists", status=2)
        self.assertEqual(self.run_strata("merge", "a.yaml", "--lists").stdout, "")
        self.assertEqual(self.run_strata("merge", "a.yaml", "--lists", "--output", "json").stdout, "[]\n")

    def test_the_report_is_bounded(self):
        self.put(a="#cloud-config\nl: [" + ", ".join(["1"] * 2000) + "]\n")
        done = self.run_strata("merge", "a.yaml", "--lists", "--limit", "output=1000", status=1)
        self.assertIn("[limit.output]", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_secrets_stay_hidden(self):
        self.put(data__one="p: [s3cret]\nlookup_options: {p: {convert_to: Sensitive}}\n", data__two="p: [s3cret]\n",
                 hiera="version: 5\nhierarchy:\n  - {name: a, paths: [one.yaml, two.yaml]}\n")
        for output in ("json", "yaml"):
            self.assertNotIn("s3cret", self.run_strata("lookup", "--hiera-config", "hiera.yaml", "--all", "--lists", "--output", output).stdout)


if __name__ == "__main__":
    for option in OPTIONS:
        if option in sys.argv:
            at = sys.argv.index(option)
            OPTIONS[option] = int(sys.argv[at + 1])
            del sys.argv[at : at + 2]
    STRATA = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
