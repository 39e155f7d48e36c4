#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""--against in every dialect: what differs between a revision and now, as text and as JSON, for one subject and for fleets.

JSON is checked against docs/schema, and by doing the changes to the result as of the revision, which must give the result of now.

usage: against_test.py STRATA
"""
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
with open(os.path.join(ROOT, "docs/schema/analysis.schema.json"), encoding="utf-8") as file:
    SCHEMA = jsonschema.Draft202012Validator(json.load(file))


def steps(path):
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]


def patched(value, changes, path="", old_path=""):
    """A value with changes done to it, by their paths."""
    for change in changes:
        if change["kind"] == "changed" and change.get("from", change["path"]) == old_path:
            return change["after"]["value"]
    removed = {change["path"] for change in changes if change["kind"] == "removed"}
    added = {steps(change["path"])[-1]: change["after"]["value"] for change in changes
             if change["kind"] == "added" and change["path"].rpartition("/")[0] == path and change["path"]}

    def step(name):
        return "/" + str(name).replace("~", "~0").replace("/", "~1")
    if isinstance(value, dict):
        out = {key: patched(child, changes, path + step(key), old_path + step(key)) for key, child in value.items() if old_path + step(key) not in removed}
        out.update(added)
        return out
    if isinstance(value, list):
        stays = [i for i in range(len(value)) if old_path + step(i) not in removed]
        out = []
        while stays or str(len(out)) in added:
            at = str(len(out))
            if at in added:
                out.append(added[at])
            else:
                i = stays.pop(0)
                out.append(patched(value[i], changes, path + step(at), old_path + step(i)))
        return out
    return value


def same_data(left, right):
    """Equal with kinds, without the order of mappings."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


class Against(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text if isinstance(text, str) else json.dumps(text))

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@example.com", *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self, message="m"):
        if not os.path.isdir(os.path.join(self.folder, ".git")):
            self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def run_strata(self, *words, status=0):
        done = subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def differences(self, *words, status=1, revision="HEAD"):
        """The JSON of --against, which its schema allows."""
        told = json.loads(self.run_strata(*words, "--against", revision, "--output", "json", status=status).stdout)
        SCHEMA.validate(told)
        return told

    def check_patch(self, *words, items=lambda result: {"": result}):
        """P1 and P2: nothing differs exactly where the results are the same, and the changes turn the one into the other."""
        then = items(json.loads(self.run_strata(*words, "--output", "json", "--at", "HEAD").stdout))
        now = items(json.loads(self.run_strata(*words, "--output", "json").stdout))
        same = same_data(then, now)
        changes = self.differences(*words, status=0 if same else 1)["changes"]
        self.assertEqual(not changes, same)
        made = copy.deepcopy(then)
        for name in {change["item"] for change in changes}:
            own = [change for change in changes if change["item"] == name]
            if own[0]["kind"] == "removed" and own[0]["path"] == "":
                del made[name]
            elif own[0]["kind"] == "added" and own[0]["path"] == "":
                made[name] = own[0]["after"]["value"]
            else:
                made[name] = patched(made[name], own)
        self.assertTrue(same_data(made, now), f"{made}\n{now}\n{changes}")
        self.assertEqual(self.run_strata(*words, "--against", "HEAD", status=0 if same else 1).stdout.count("\n") > 0, not same)

    HIERA = "version: 5\nhierarchy:\n  - name: node\n    path: \"node/%{cert}.yaml\"\n  - name: common\n    path: common.yaml\n"
    NODES = [{"name": name, "facts": {"cert": name}} for name in ("web01", "web02", "db01")]
    LOOKUP = ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all")

    def hiera(self, common, **nodes):
        self.write("hiera.yaml", self.HIERA)
        self.write("nodes.json", self.NODES)
        self.write("data/common.yaml", common)
        for name, text in nodes.items():
            self.write(f"data/node/{name}.yaml", text)

    # One subject

    def test_merge(self):
        self.write("a.yaml", "#cloud-config\nhostname: web\npackages: [curl, git]\nsame: 1\n")
        self.commit()
        self.write("a.yaml", "#cloud-config\nhostname: app\npackages: [zsh, curl, git]\nsame: 1\n")
        self.assertEqual(self.run_strata("merge", "a.yaml", "--against", "HEAD", status=1).stdout,
                         "~ /hostname: \"web\" -> \"app\"\n    was  a.yaml:2:11\n    now  a.yaml:2:11\n"
                         "+ /packages/0: \"zsh\"\n    now  a.yaml:3:12\n2 changes\n")
        told = self.differences("merge", "a.yaml")
        self.assertEqual(told["edits"], [{"id": 1, "file": "a.yaml", "before": {"line": 2, "lines": 1}, "after": {"line": 2, "lines": 1}},
                                         {"id": 2, "file": "a.yaml", "before": {"line": 3, "lines": 1}, "after": {"line": 3, "lines": 1}}])
        self.assertEqual(told["changes"][1], {"subject": "", "item": "", "path": "/packages/0", "kind": "added", "before": None,
                                              "after": {"value": "zsh", "file": "a.yaml", "line": 3, "column": 12}})
        self.assertEqual(told["summary"], {"subjects": 1, "changes": 2})

    def test_nothing_differs(self):
        self.write("a.yaml", "#cloud-config\na: 1\n")
        self.commit()
        self.write("a.yaml", "#cloud-config\n# a comment\na: 1\n")
        self.assertEqual(self.run_strata("merge", "a.yaml", "--against", "HEAD").stdout, "")
        told = self.differences("merge", "a.yaml", status=0)
        self.assertEqual((told["changes"], len(told["edits"])), ([], 1))

    def test_two_revisions(self):
        self.write("a.yaml", "#cloud-config\na: 1\n")
        self.commit()
        self.write("a.yaml", "#cloud-config\na: 2\n")
        self.commit()
        self.write("a.yaml", "#cloud-config\na: 3\n")
        self.assertIn("~ /a: 1 -> 2\n", self.run_strata("merge", "a.yaml", "--against", "HEAD^", "--at", "HEAD", status=1).stdout)

    def test_a_kind_changes(self):
        self.write("a.yaml", "#cloud-config\na: {\"0\": x}\n")
        self.commit()
        self.write("a.yaml", "#cloud-config\na: [x]\n")
        self.assertIn("~ /a: {\"0\": \"x\"} -> [\"x\"]\n", self.run_strata("merge", "a.yaml", "--against", "HEAD", status=1).stdout)

    def test_what_breaks_is_a_difference(self):
        self.write("a.json", {"a": 1})
        self.write("e.yaml", "parameters: {a: 1}\n")
        self.commit()
        self.write("e.yaml", "parameters: [\n")
        told = self.differences("compose", "-e", "e.yaml")["changes"]
        self.assertEqual([(one["kind"], one["path"], one["before"]) for one in told], [("broken", "", None)])
        self.assertEqual({name: told[0]["after"]["error"][name] for name in ("file", "line")}, {"file": "e.yaml", "line": 2})
        self.assertIn("! broken: ", self.run_strata("compose", "-e", "e.yaml", "--against", "HEAD", status=1).stdout)
        self.commit()
        self.write("e.yaml", "parameters: {a: 1}\n")
        self.assertIn("+ mended: ", self.run_strata("compose", "-e", "e.yaml", "--against", "HEAD", status=1).stdout)

    def test_a_file_that_one_side_lacks(self):
        self.write("e.yaml", "parameters: {a: 1}\n")
        self.commit()
        self.write("new.yaml", "parameters: {a: 2}\n")
        told = self.differences("compose", "-e", "e.yaml", "-e", "new.yaml")
        self.assertEqual(told["changes"][0]["kind"], "mended")
        self.assertEqual(told["edits"], [{"id": 1, "file": "new.yaml", "before": {"line": 1, "lines": 0}, "after": {"line": 1, "lines": 1}, "whole": True}])

    def test_exit_statuses(self):
        self.write("a.yaml", "#cloud-config\na: 1\n")
        self.commit()
        self.run_strata("merge", "a.yaml", "--against", "nowhere", status=3)
        self.run_strata("lookup", "--against", "HEAD", status=2)
        self.run_strata("merge", "--against", "HEAD", status=2)
        self.write("hiera.yaml", self.HIERA)
        self.run_strata("lookup", "--hiera-config", "hiera.yaml", "--nodes", "absent.json", "--all", "--against", "HEAD", status=3)

    def test_strict(self):
        self.write("a.yaml", "#cloud-config\na: 1\n")
        self.commit()
        self.write("a.yaml", "#cloud-config\na: 1\na: 1\n")
        self.run_strata("merge", "a.yaml", "--against", "HEAD")
        self.assertIn("! broken: ", self.run_strata("merge", "a.yaml", "--against", "HEAD", "--strict", status=1).stdout)

    def test_keys_that_fail_alone(self):
        self.hiera("good: 1\nbad: x\n")
        self.write("facts.json", {"cert": "n"})
        self.commit()
        self.write("data/common.yaml", "good: 2\nbad: x\nlookup_options: {bad: {convert_to: Integer}}\n")
        told = self.differences("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.json", "--all")["changes"]
        self.assertEqual([(one["item"], one["kind"]) for one in told if one["item"] != "lookup_options"], [("good", "changed"), ("bad", "broken")])

    def test_hashes_of_secrets_are_hidden(self):
        def site(secret):
            return ("---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: layering-policy}\ndata: {layerOrder: [site]}\n"
                    "---\nschema: deckhand/Passphrase/v1\nmetadata: {schema: metadata/Document/v1, name: p, storagePolicy: encrypted, "
                    f"layeringDefinition: {{layer: site}}}}\ndata: {secret}\n")
        self.write("d.yaml", site("one"))
        self.commit()
        self.write("d.yaml", site("two"))
        for words in ((), ("--cleartext-secrets",)):
            self.assertIn("~ deckhand/Passphrase/v1/p/data: ****** -> ******\n",
                          self.run_strata("render", "d.yaml", *words, "--against", "HEAD", status=1).stdout)
            self.assertIn("data: '******'", self.run_strata("render", "d.yaml", *words, "--blame").stdout)
        self.assertRegex(self.run_strata("render", "d.yaml").stdout, "data: [0-9a-f]{64}\n")

    # Fleets

    def test_nodes_that_change_alike_are_one_effect(self):
        self.hiera("port: 80\nkeep: 1\n", web02="port: 81\n")
        self.commit()
        self.write("data/common.yaml", "port: 90\nkeep: 2\n")
        self.assertEqual(self.run_strata(*self.LOOKUP, "--against", "HEAD", status=1).stdout,
                         "3 of 3 nodes change: 2 distinct effects\n\neffect 1: 2 nodes: web01, db01\n"
                         "  ~ port: 80 -> 90\n      was  data/common.yaml:1:7\n      now  data/common.yaml:1:7\n"
                         "  ~ keep: 1 -> 2\n      was  data/common.yaml:2:7\n      now  data/common.yaml:2:7\n"
                         "\neffect 2: 1 node: web02\n"
                         "  ~ keep: 1 -> 2\n      was  data/common.yaml:2:7\n      now  data/common.yaml:2:7\n")
        told = self.differences(*self.LOOKUP)
        self.assertEqual(told["subjects"], {"total": 3, "changed": 3, "unchanged": 0, "broken": 0, "mended": 0, "appeared": 0, "disappeared": 0})
        self.assertEqual([(one["count"], one["subjects"]) for one in told["effects"]], [(2, ["web01", "db01"]), (1, ["web02"])])

    def test_nodes_that_break(self):
        self.hiera("a: 1\n", web02="a: 2\n")
        self.commit()
        self.write("data/node/web02.yaml", "a: [\n")
        told = self.differences(*self.LOOKUP)
        self.assertEqual((told["subjects"]["broken"], told["effects"][0]["subjects"]), (1, ["web02"]))
        error = told["effects"][0]["changes"][0]["after"]["error"]
        self.assertEqual((error["file"], error["code"]), ("data/node/web02.yaml", "yaml.syntax"))
        self.assertFalse(error["message"].startswith("node "))
        told = self.differences("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "a")
        self.assertTrue(told["effects"][0]["changes"][0]["after"]["error"]["message"].startswith("lookup of 'a' failed: "))

    def test_a_broken_hierarchy_breaks_all(self):
        self.hiera("a: 1\n")
        self.commit()
        self.write("hiera.yaml", "version: 5\nhierarchy: 1\n")
        self.assertEqual(self.differences(*self.LOOKUP)["subjects"]["broken"], 3)

    def test_no_node_changes(self):
        self.hiera("a: 1\n")
        self.commit()
        self.assertEqual(self.run_strata(*self.LOOKUP, "--against", "HEAD").stdout, "0 of 3 nodes change: 0 distinct effects\n")

    def test_fleets_of_bindings(self):
        self.write("site/bindings/default.pp", "bindings default {\n  bind 'motd' to \"this is ${role}\"\n  bind 'port' to 80\n}\n")
        self.write("nodes.json", [{"name": name, "facts": {"role": name}} for name in ("one", "two")])
        self.commit()
        self.write("site/bindings/default.pp", "bindings default {\n  bind 'motd' to \"now ${role}\"\n  bind 'port' to 81\n}\n")
        told = self.differences("inject", "--confdir", "site", "--nodes", "nodes.json", "port")
        self.assertEqual([one["subjects"] for one in told["effects"]], [["one", "two"]])
        self.assertEqual(told["effects"][0]["changes"][0]["after"]["value"], 81)
        told = self.differences("inject", "--confdir", "site", "--nodes", "nodes.json", "motd")
        self.assertEqual([one["changes"][0]["after"]["value"] for one in told["effects"]], ["now one", "now two"])
        self.assertEqual(told["edits"][0]["file"], "site/bindings/default.pp")

    # Random

    def test_changes_turn_one_result_into_the_other(self):
        chooser = random.Random(7)

        def value(depth):
            kind = chooser.randrange(8 if depth else 5)
            if kind < 5:
                return [None, True, 1, 1.5, chooser.choice(["a", "b", "1", "true", "a/b~c", ""])][kind]
            if kind < 7:
                return [value(depth - 1) for _ in range(chooser.randrange(4))]
            return {chooser.choice("abcd"): value(depth - 1) for _ in range(chooser.randrange(4))}

        def edited(old, depth):
            """A value that has much in common with another one."""
            if chooser.random() < 0.2:
                return value(depth)
            if isinstance(old, list):
                out = [edited(item, depth - 1) for item in old if chooser.random() < 0.8]
                if chooser.random() < 0.4:
                    out.insert(chooser.randrange(len(out) + 1), value(depth - 1))
                return out
            if isinstance(old, dict):
                return {key: edited(child, depth - 1) for key, child in old.items() if chooser.random() < 0.8}
            return old
        for _ in range(25):
            old = {key: value(3) for key in "abc"}
            new = {key: edited(old.get(key), 3) for key in chooser.sample("abcd", 3)}
            self.write("hiera.yaml", self.HIERA)
            self.write("facts.json", {"cert": "n"})
            self.write("data/common.yaml", old)
            self.write("c.yaml", "#cloud-config\n" + json.dumps(old))
            self.commit()
            self.write("data/common.yaml", new)
            self.write("c.yaml", "#cloud-config\n" + json.dumps(new))
            self.check_patch("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.json", "--all", items=lambda result: result)
            self.check_patch("merge", "c.yaml")


if __name__ == "__main__":
    unittest.main()
