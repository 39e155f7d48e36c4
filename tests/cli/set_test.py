#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata set: its texts, its errors, and what it writes. What it proposes is checked by set_properties_test.py.

usage: set_test.py STRATA
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
HIERA = 'version: 5\nhierarchy:\n  - {name: node, path: "node/%{cert}.yaml"}\n  - {name: role, path: "role/%{role}.yaml"}\n  - {name: common, path: common.yaml}\n'
NODES = [{"name": name, "facts": {"cert": name, "role": role, "os": {"family": "deb"}}} for name, role in (("a", "web"), ("b", "web"), ("c", "db"))]
QUESTION = ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all")


class Set(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.write("hiera.yaml", HIERA)
        self.write("nodes.json", json.dumps(NODES))
        self.write("data/common.yaml", "# all\nport: 80\nlog: info\n")
        self.write("data/role/web.yaml", "port: 81\n")

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def run_set(self, *words, status=0, code=None):
        done = subprocess.run([STRATA, "set", *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        if status is None:
            self.assertIn(done.returncode, (0, 1), done.stderr)
        else:
            self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        if code:
            self.assertIn(f"[{code}]", done.stderr)
        return done.stdout

    def told(self, *words, status=0, code=None, question=QUESTION):
        return json.loads(self.run_set(*words, "--output", "json", *question, status=status, code=code))

    def test_new_files(self):
        text = self.run_set("port=9", "--for", "c", *QUESTION)
        self.assertTrue(text.startswith("1 of 3 nodes selected, 0 already have it\nproposal 1: data/common.yaml:2 (set)\n  reaches 1 node, touches 0 others\n"), text)
        text = self.run_set("log=x", "--for", "a", "--proposals", "1", *QUESTION)
        self.assertEqual(text, "1 of 3 nodes selected, 0 already have it\nproposal 1: data/node/a.yaml (new file)\n  reaches 1 node, touches 0 others\n"
                               "--- /dev/null\n+++ b/data/node/a.yaml\n@@ -0,0 +1 @@\n+log: x\n")
        self.run_set("log=x", "--for", "a", "--apply", *QUESTION)
        self.assertEqual(self.read("data/node/a.yaml"), "log: x\n")
        self.assertEqual(self.read("data/common.yaml"), "# all\nport: 80\nlog: info\n")

    def test_diffs_hide_secrets(self):
        self.write("data/common.yaml", "lookup_options: {pw: {convert_to: Sensitive}, list: {merge: unique, convert_to: Sensitive}}\n"
                                       "pw: hunter2\nlist: [hunterA, hunterB]\nport: 80\n")
        self.write("data/node/a.yaml", "list: [hunterA]\npw: hunter2\n")
        for words in (("--unset", "list"), ("port=9",)):
            text = self.run_set(*words, *QUESTION)
            self.assertNotIn("hunter", text)
            self.assertIn("******", text)
            self.assertNotIn("hunter", json.dumps(self.told(*words)["proposals"]))
        self.run_set("port=9", "--apply", *QUESTION)
        self.assertIn("pw: hunter2\nlist: [hunterA, hunterB]\nport: 9\n", self.read("data/common.yaml"))

    def test_nothing_to_do(self):
        self.assertEqual(self.run_set("log=info", "--apply", *QUESTION), "3 of 3 nodes selected, 3 already have it\nnothing to do\n")

    def test_selectors(self):
        self.assertEqual(self.told("port=9", "--for", "role=w?b,os.family=deb")["selected"], ["a", "b"])
        self.assertEqual(self.told("port=9", "--for", "role=db", "--for", "a")["selected"], ["a", "c"])
        # Nobody is selected: that is not done already.
        for words in (("--for", "role=web,os.family=rh"), ("--for", "zz"), ("--for", "zz", "--apply"), ("--for", "role=zz", "--output", "json")):
            self.assertEqual(self.run_set("port=9", *words, *QUESTION, status=3, code="set.selector"), "")

    def test_places_that_no_result_has(self):
        """A lookup of `a.b` digs into `a`."""
        self.write("data/common.yaml", "a: {b: 1, l: [1]}\n")
        for words in (("a.b=7", "--for", "a"), ("--unset", "a.b"), ("x.y=1",), ("a=2", "--path", "/l/-")):
            self.assertEqual(self.run_set(*words, *QUESTION, status=3, code="set.place"), "")
        self.assertEqual(self.told("a=7", "--path", "/b")["proposals"][0]["edits"][0]["pointer"], "/a/b")
        self.write("data/common.yaml", "a.b: 1\n")
        self.assertEqual(self.told("a.b=7")["proposals"][0]["edits"][0]["pointer"], "/a.b")

    def test_lookups_that_dig(self):
        """The edits of what a lookup of `a.b` finds are below `a`."""
        self.write("data/common.yaml", "a: {b: 1, l: [1, 2]}\n")
        question = (*QUESTION[:-1], "a.b")
        told = self.told("a.b=7", question=question)
        self.assertEqual([one["edits"][0]["pointer"] for one in told["proposals"][:1]], ["/a/b"])
        self.assertIn("+a: {b: 7, l: [1, 2]}\n", told["proposals"][0]["diff"])
        self.assertEqual(told["rejected"], [one for one in told["rejected"] if "converted" not in one["why"]])
        self.run_set("a.b=7", "--apply", *question)
        self.assertEqual(self.read("data/common.yaml"), "a: {b: 7, l: [1, 2]}\n")
        # What is not there yet, and an item of a list.
        self.assertIn("+a: {b: 7, l: [1, 2], x: 3}\n", self.run_set("a.x=3", *QUESTION[:-1], "a.x"))
        self.assertIn("+a: {b: 7, l: [1, 5]}\n", self.run_set("a.l.1=5", *QUESTION[:-1], "a.l.1"))
        # Another key than the one that is looked up.
        self.run_set("a.b=8", *QUESTION[:-1], "a", status=3, code="set.place")

    def test_wished_values_are_secret_where_their_places_are(self):
        self.write("data/common.yaml", "lookup_options: {pw: {convert_to: Sensitive}}\npw: old\n")
        told = self.told("pw=hunter9", status=1, code="set.impossible")
        self.assertEqual((told["value"], told["secret"]), ("******", True))
        self.write("t.yaml", "heat_template_version: 2018-08-31\nparameters: {pw: {type: string, hidden: true}, l: {type: json, hidden: true}, n: {type: number}}\nresources: {}\n")
        self.write("e.yaml", "parameter_defaults:\n  n: 1\n")
        question = ("compose", "--template", "t.yaml", "-e", "e.yaml")
        for words in (("parameter_defaults=hunter9", "--path", "/pw"), ("parameter_defaults={k: hunter9}", "--path", "/l")):
            self.assertNotIn("hunter", self.run_set(*words, *question))
            told = self.told(*words, question=question)
            self.assertNotIn("hunter", json.dumps(told))
            self.assertIn("+******\n", told["proposals"][0]["diff"])
            self.assertTrue(told["secret"])
        told = self.told("parameter_defaults=2", "--path", "/n", question=question)
        self.assertEqual((told["value"], told.get("secret")), (2, None))

    def test_facts_of_a_fleet(self):
        self.write("a.json", json.dumps(NODES[0]["facts"]))
        self.write("c.json", json.dumps(NODES[2]["facts"]))
        self.write("fleet.json", json.dumps([{"name": "one", "args": ["--facts", "a.json"]}, {"name": "two", "args": ["--facts", "c.json"]}]))
        question = ("lookup", "--hiera-config", "hiera.yaml", "--all")
        self.assertEqual(self.told("port=9", "--for", "role=db", "--fleet", "fleet.json", question=question)["selected"], ["two"])
        self.assertEqual(self.told("port=9", "--for", "os.family=d*", "--fleet", "fleet.json", question=question)["selected"], ["one", "two"])

    def test_collateral_is_written_only_if_allowed(self):
        self.write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: common, path: common.yaml}\n")
        text = self.run_set("log=x", "--for", "a", *QUESTION)
        self.assertIn("touches 2 others: b, c\n", text)
        self.run_set("log=x", "--for", "a", "--apply", *QUESTION, status=3, code="set.collateral")
        self.assertEqual(self.read("data/common.yaml"), "# all\nport: 80\nlog: info\n")
        self.run_set("log=x", "--for", "a", "--apply", "--allow-collateral", *QUESTION)
        self.assertEqual(self.read("data/common.yaml"), "# all\nport: 80\nlog: x\n")

    def test_several_edits(self):
        told = self.told("port=9")["proposals"][0]
        self.assertEqual([(edit["file"], edit["op"]) for edit in told["edits"]], [("data/common.yaml", "set"), ("data/role/web.yaml", "set")])

    def test_unset(self):
        told = self.told("--unset", "port", "--path", "", "--for", "c")["proposals"][0]
        self.assertEqual([(edit["file"], edit["op"], edit["line"]) for edit in told["edits"]], [("data/common.yaml", "unset", 2)])
        self.assertEqual(told["collateral"], [])
        self.run_set("--unset", "log", "--apply", *QUESTION)
        self.assertEqual(self.read("data/common.yaml"), "# all\nport: 80\n")

    def test_reasons(self):
        self.write("data/common.yaml", "lookup_options: {l: {merge: unique}, n: {convert_to: Integer}, m: {merge: deep}}\nl: [a]\nn: 1\nt: x\nm: {p: 1}\n")
        self.write("data/role/web.yaml", "l: [b]\nm: {q: 1}\nt: y\n")
        self.write("data/node/a.yaml", "l: &l [c]\no: *l\nt: z\n")

        def why(*words):
            return {one["file"]: one["why"] for one in self.told(*words, "--for", "a", status=None)["rejected"]}

        self.assertEqual(why("l=[x]")["data/common.yaml"], 'the merge adds to it: it becomes ["c", "b", "x"]')
        self.assertEqual(why("n='7'")["data/role/web.yaml"], "the type is converted")
        self.assertEqual(why("t=w")["data/common.yaml"], "a stronger value is at data/node/a.yaml:3:4")
        self.assertEqual(why("k='%{role}'")["data/common.yaml"], "it is interpolated")
        self.write("data/role/web.yaml", "]\n")
        self.assertTrue(why("t=w")["data/role/web.yaml"].startswith("edit: "))

    def test_impossible(self):
        self.write("data/common.yaml", "lookup_options: {l: {merge: unique}}\nl: [a]\n")
        told = self.told("l=x", status=1, code="set.impossible")
        self.assertEqual(told["proposals"], [])
        self.assertEqual([one["missed"] for one in told["rejected"] if one["file"] == "data/common.yaml"], [3])
        self.told("l=x", "--exit-zero", code="set.impossible")

    def test_more_edits_than_a_proposal_has(self):
        names = [f"n{number:02}" for number in range(30)]
        self.write("nodes.json", json.dumps([{"name": name, "facts": {"cert": name, "role": "web"}} for name in names]))
        for name in names:
            self.write(f"data/node/{name}.yaml", f"own: {name}\n")
        words = ("own=x", *QUESTION)
        done = subprocess.run([STRATA, "set", *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error: no 8 edits of these files give 'own' its value, and a proposal has no more [set.impossible]", done.stderr)
        self.assertEqual(len([line for line in done.stderr.splitlines() if " missed)" in line]), 20)
        self.assertIn("note: 12 more files are not enough either: --output json lists all", done.stderr)
        self.assertIn("hint: set it in data/role/web.yaml, and remove the stronger values from 30 files; or select fewer with --for", done.stderr)
        told = self.told("own=x", status=1, code="set.impossible")
        self.assertEqual(told["more_edits"], {"file": "data/role/web.yaml", "edits": 31})
        self.assertEqual(len(told["rejected"]), 32)
        # As the hint says it.
        for name in names:
            self.write(f"data/node/{name}.yaml", "{}\n")
        self.write("data/role/web.yaml", "own: x\n")
        self.assertEqual(self.told("own=x")["already"], 30)
        # Without a common level, a new one is the way out.
        self.write("hiera.yaml", HIERA.split("  - {name: role")[0])
        for name in names:
            self.write(f"data/node/{name}.yaml", f"own: {name}\n")
        done = subprocess.run([STRATA, "set", *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertIn("hint: add a level that all selected nodes read, and set it there; or select fewer with --for", done.stderr)
        done = subprocess.run([STRATA, "set", "--unset", "own", *QUESTION], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertIn("hint: remove it from 30 files, or select fewer with --for", done.stderr)

    def test_one_node_merge_and_compose(self):
        self.write("facts.yaml", "cert: a\nrole: web\n")
        one = ("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.yaml", "port")
        told = self.told("port=7", question=one)
        self.assertEqual(told["proposals"][0]["edits"][0]["file"], "data/role/web.yaml")
        self.assertEqual(told["selected"], [""])
        self.write("p.yaml", "#cloud-config\nntp: {enabled: true}\n")
        self.write("q.yaml", "#cloud-config\nhostname: q\n")
        told = self.told("ntp=false", "--path", "/enabled", question=("merge", "p.yaml", "q.yaml"))
        self.assertEqual([(edit["file"], edit["pointer"], edit["line"]) for edit in told["proposals"][0]["edits"]], [("p.yaml", "/ntp/enabled", 2)])
        self.write("e.yaml", "parameter_defaults: {p: 1}\n")
        self.write("f.yaml", "parameter_defaults: {p: 2}\n")
        told = self.told("parameter_defaults=3", "--path", "/p", question=("compose", "-e", "e.yaml", "-e", "f.yaml"))
        self.assertEqual(told["proposals"][0]["edits"][0]["file"], "f.yaml")
        self.assertEqual(told["rejected"], [{"file": "e.yaml", "missed": 1, "why": "a stronger value is at f.yaml:1:25"}])

    def test_fleets_and_projects(self):
        self.write("p.yaml", "#cloud-config\nk: 1\n")
        self.write("q.yaml", "#cloud-config\nl: 1\n")
        self.write("fleet.json", json.dumps([{"name": "m", "args": []}, {"name": "n", "args": ["q.yaml"]}]))
        told = self.told("k=2", "--for", "n", "--fleet", "fleet.json", question=("merge", "p.yaml"))
        self.assertEqual(told["selected"], ["n"])
        self.assertEqual((told["proposals"][0]["edits"][0]["file"], told["proposals"][0]["collateral"]), ("q.yaml", []))
        self.write(".strata.yaml", "projects:\n  site: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json, all: true}\n")
        self.assertEqual(self.told("port=9", "--for", "c", question=("@site",))["selected"], ["c"])

    def test_refusals(self):
        self.write("d.yaml", "a: 1\n")
        self.run_set("a=1", "render", "d.yaml", status=3, code="set.verb")
        self.run_set("a=1", "inject", "--confdir", ".", "--all", status=3, code="set.verb")
        self.run_set("a=1", status=2)
        self.run_set(*QUESTION, status=2)
        self.run_set("=1", *QUESTION, status=2)
        self.run_set("a=1", "--unset", "b", *QUESTION, status=2)
        self.run_set("a=[", *QUESTION, status=2)
        self.run_set("a=1", "--path", "x", *QUESTION, status=2)
        self.run_set("port=9", "--apply=x", *QUESTION, status=2)
        self.run_set("port=9", "--apply=9", *QUESTION, status=2)
        self.run_set("port=9", "--proposals", "0", *QUESTION, status=2)
        self.run_set("a=1", "--limit", "proposals=1", *QUESTION)
        self.assertEqual(len(self.told("log=x", "--for", "a", "--limit", "proposals=1")["proposals"]), 1)


if __name__ == "__main__":
    unittest.main()
