#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which statements a check tells, and what it does with them: symbolic links, globs, aliases, merge keys, keys that no pointer names, secrets.

Each that it tells as dead is taken out by hand, too: no result may change. Usage: check_statements_test.py BINARY
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_site import HANGS, SiteTest  # noqa: E402

SiteTest.strata = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
NODES = json.dumps([{"name": name, "facts": {"cert": name}} for name in "ab"])
LEVELS = '  - {name: n, path: "n/%{cert}.yaml"}\n'
COMMON = "  - {name: common, path: common.yaml}\n"
DEAD = ("--select", "dead-override,never-visible")


class Statements(SiteTest):
    def site(self, files, levels=LEVELS + COMMON):
        self.write({"hiera.yaml": f"version: 5\nhierarchy:\n{levels}", "nodes.json": NODES, **files})

    def run_strata(self, *words, status=0):
        done = subprocess.run([self.strata, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        self.errors = done.stderr
        return done.stdout

    def question(self, command, *words, status=0):
        return self.run_strata(command, *words, "lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all", status=status)

    def results(self):
        return self.run_strata("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all", "--output", "json")

    def told(self, *words):
        return [(code, file, line) for code, file, line in self.findings(*(words or DEAD))]

    # Symbolic links

    def linked(self):
        levels = LEVELS + '  - {name: r, path: "r/%{cert}.yaml"}\n' + COMMON
        self.site({"data/common.yaml": "k: 1\n", "data/n/a.yaml": "k: 1\nz: 1\n", "data/r/b.yaml": "k: 2\n"}, levels)
        os.symlink("a.yaml", os.path.join(self.folder, "data/n/b.yaml"))

    def test_fix_keeps_what_a_link_needs(self):
        self.linked()
        before = self.results()
        self.assertEqual(self.told("--select", "dead-override"), [])
        self.assertTrue(self.check("--fix", "--select", "dead-override").startswith("fixed 0 of "))
        self.assertEqual(self.results(), before)
        os.remove(os.path.join(self.folder, "data/r/b.yaml"))
        before = self.results()
        # The file is known by two names, and changed once.
        self.assertEqual(self.told("--select", "dead-override"), [("dead-override", "data/n/a.yaml", 1), ("dead-override", "data/n/b.yaml", 1)])
        self.check("--fix", "--select", "dead-override", status=0)
        self.assertEqual(self.results(), before)
        self.assertEqual(self.read("data/n/a.yaml"), "z: 1\n")
        self.assertTrue(os.path.islink(os.path.join(self.folder, "data/n/b.yaml")))
        self.assertIn("fixed 0 of 0", self.check("--fix", "--select", "dead-override", status=0))

    def test_an_edit_is_seen_by_all_names(self):
        self.linked()
        for name in ("a", "b"):
            told = json.loads(self.question("impact", "--output", "json", "--set", f"data/n/{name}.yaml:/z=5", status=1))
            self.assertEqual([effect["subjects"] for effect in told["effects"]], [["a", "b"]], name)
            self.assertEqual([edit["file"] for edit in told["edits"]], ["data/n/a.yaml"], name)
            self.assertNotIn("analysis.unread", self.errors)
        # Who deletes a link deletes a name.
        told = json.loads(self.question("impact", "--output", "json", "--delete", "data/n/b.yaml", status=1))
        self.assertEqual([effect["subjects"] for effect in told["effects"]], [["b"]])
        told = json.loads(self.question("impact", "--output", "json", "--delete", "data/n/a.yaml", status=1))
        self.assertEqual(sorted(sum((effect["subjects"] for effect in told["effects"]), [])), ["a", "b"])

    def test_set_knows_whom_a_link_touches(self):
        self.linked()
        told = json.loads(self.question("set", "k=9", "--for", "a", "--proposals", "100", "--output", "json"))
        for proposal in told["proposals"]:
            files = [edit["file"] for edit in proposal["edits"]]
            self.assertNotIn("data/n/b.yaml", files)
            self.assertEqual(proposal["collateral"], ["b"] if "data/n/a.yaml" in files else [], files)

    def test_links_of_folders(self):
        self.site({"real/data/common.yaml": "k: 1\n"})
        os.symlink("real/data", os.path.join(self.folder, "data"))
        for name in ("data/common.yaml", "real/data/common.yaml"):
            told = json.loads(self.question("impact", "--output", "json", "--set", f"{name}:/k=5", status=1))
            self.assertEqual((told["subjects"]["changed"], self.errors), (2, ""), name)
        told = json.loads(self.question("impact", "--output", "json", "--set", "real/data/n/a.yaml:/k=5", status=1))
        self.assertEqual([effect["subjects"] for effect in told["effects"]], [["a"]])

    def test_links_that_lead_back(self):
        """Each folder is looked through once, by its own name where it has one below the data."""
        self.site({"data/common.yaml": "k: 1\n", "data/z/unread.yaml": "k: 1\n", "manifests/site.pp": "class c($p) {}\n", "far/unread.yaml": "k: 1\n"})
        for folder in ("data", "manifests"):
            for name in ("l1", "l2", "l3"):
                os.symlink(".", os.path.join(self.folder, folder, name))
        os.symlink("z", os.path.join(self.folder, "data/before"))
        os.symlink("../far", os.path.join(self.folder, "data/far"))
        told = self.told("--select", "unused-file", "--consumers", "manifests")
        self.assertEqual(told, [("unused-file", "data/far/unread.yaml", None), ("unused-file", "data/z/unread.yaml", None)])

    # What a node reads

    def mixed(self, last):
        """No key of one node is as that of another."""
        self.site({"data/r/A.yaml": "k: 9\n", "data/r/B.yaml": "k: 5\n", "data/s/X.yaml": "k: 7\n", "data/s/Y.yaml": "k: 5\n", "data/g/c.yaml": "k: 5\n"},
                  '  - {name: s, path: "s/%{site}.yaml"}\n  - {name: r, path: "r/%{role}.yaml"}\n  - ' + last + "\n")
        self.write({"nodes.json": json.dumps([{"name": f"n{i}", "facts": {"role": role, "site": site}} for i, (role, site) in enumerate(["AX", "BY", "AY"])])})

    def test_what_each_node_reads_where_only_asking_tells(self):
        for last in ("{name: g, glob: 'g/*.yaml'}", "{name: g, path: g/c.yaml}"):
            for words in ((), ("--strict",)):
                self.mixed(last)
                self.assertEqual(self.told("--select", "dead-override", *words), [], (last, words))
                files = json.loads(self.question("coverage", "--output", "json", *words))["files"]
                self.assertEqual({file["file"]: file["read_by"] for file in files},
                                 {"data/g/c.yaml": 3, "data/r/A.yaml": 2, "data/r/B.yaml": 1, "data/s/X.yaml": 1, "data/s/Y.yaml": 2}, (last, words))

    def test_causes_are_edits_of_what_the_node_reads(self):
        names = [f"n{i}" for i in range(40)]
        self.site({f"data/n/{name}.yaml": "k: 1\n" for name in names}, LEVELS + "  - {name: g, glob: 'g/*.yaml'}\n")
        self.write({"nodes.json": json.dumps([{"name": name, "facts": {"cert": name}} for name in names]), "data/g/c.yaml": "z: 1\n"})
        edits = [word for name in names for word in ("--set", f"data/n/{name}.yaml:/k=2")]
        told = json.loads(self.question("diff", "--output", "json", *edits, status=1))
        files = {edit["id"]: edit["file"] for edit in told["edits"]}
        self.assertEqual([[files[one] for one in change["causes"]] for change in told["changes"]], [[f"data/n/{change['subject']}.yaml"] for change in told["changes"]])
        self.assertEqual(len(told["changes"]), 40)

    def test_texts_that_must_be_written_anew_stay_what_they_are(self):
        """A merge key, or a key that is there twice: the rest of a part is still cloud-config."""
        for brings in ("<<: {locale: y, keyboard: {layout: us}}\n", "locale: x\nlocale: y\n"):
            self.write({"a.yaml": "#cloud-config\nhostname: h\ntimezone: A\n", "b.yaml": f"#cloud-config\n# by us\n{brings}timezone: A\n"})
            told = self.findings(*DEAD, question=("merge", "a.yaml", "b.yaml"))
            self.assertIn(("dead-override", "b.yaml", 3 + brings.count("\n")), told, brings)

    def test_items_that_repeat_inside_one_list_stay(self):
        """Each of them is dead alone, and the list would change without all."""
        options = "lookup_options: {l: {merge: unique}}\n"
        self.site({"data/common.yaml": options + "l: [c, d]\n", "data/n/a.yaml": "l: [c, b, b, c]\n", "data/n/b.yaml": "l: [c]\n"})
        self.assertEqual(self.told("--select", "dead-item"), [("dead-item", "data/common.yaml", 2)])
        self.write({"a.yaml": "#cloud-config\nruncmd: [-v, x, -v, y]\n", "b.yaml": "#cloud-config\nmerge_how: list(append)\nruncmd: [z]\n"})
        self.assertEqual(self.findings("--select", "dead-item", question=("merge", "a.yaml", "b.yaml")), [])

    def test_a_child_of_deckhand_is_stronger(self):
        document = "---\nschema: ex/A/v1\nmetadata: {{schema: metadata/Document/v1, name: {}, storagePolicy: cleartext, {}}}\ndata: {{x: {{y: {}}}}}\n"
        self.write({"site.yaml": "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: [g, s]}\n"
                    + document.format("base", "labels: {k: a}, layeringDefinition: {layer: g, abstract: true}", 1)
                    + document.format("c", "layeringDefinition: {layer: s, parentSelector: {k: a}, actions: [{method: merge, path: .}]}", 2)})
        [one] = self.report(*DEAD, question=("render", "site.yaml"))["findings"]
        self.assertEqual((one["message"], one["hint"]), ("'data/x/y' is never seen: there are stronger values" if one["path"].endswith("y") else
                                                         "'data/x' is never seen: there are stronger values", "remove it, or the stronger values"))
        self.assertEqual([(note["message"], note["line"], note["column"]) for note in one["notes"]], [("a stronger value is here", 11, 15)])

    def test_a_change_behind_a_link_is_one_of_its_file(self):
        self.linked()
        self.write({"data/n/c.yaml": "k: 1\nz: 3\n"})
        git = ["git", "-c", "user.name=Ann", "-c", "user.email=e@example.com"]
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "one")):
            subprocess.run([*git, *words], cwd=self.folder, check=True, capture_output=True)
        self.write({"data/n/a.yaml": "k: 1\nz: 2\n"})
        told = json.loads(self.question("diff", "--output", "json", status=1))
        self.assertEqual([edit["file"] for edit in told["edits"]], ["data/n/a.yaml"])
        self.assertEqual([(one["subject"], one["causes"]) for one in told["changes"]], [("a", [1]), ("b", [1])])
        # A link that leads elsewhere is an edit of the link.
        self.write({"data/n/a.yaml": "k: 1\nz: 1\n"})
        os.remove(os.path.join(self.folder, "data/n/b.yaml"))
        os.symlink("c.yaml", os.path.join(self.folder, "data/n/b.yaml"))
        told = json.loads(self.question("diff", "--output", "json", status=1))
        self.assertEqual([(edit["file"], edit["before"]["line"]) for edit in told["edits"]], [("data/n/b.yaml", 2)])
        self.assertEqual([(one["subject"], one["item"]) for one in told["changes"]], [("b", "z")])

    def test_a_file_that_is_read_by_a_link_is_read(self):
        self.site({"data/common.yaml": "k: 1\n", "data/all/x.yaml": "k: 2\n", "data/all/y.yaml": "k: 2\n", "data/n/b.yaml": "k: 1\n"})
        os.symlink("../all/x.yaml", os.path.join(self.folder, "data/n/a.yaml"))
        self.assertEqual(self.told("--select", "unused-file"), [("unused-file", "data/all/y.yaml", None)])

    # What can be told

    def test_globs_do_not_hide_dead_statements(self):
        self.site({"data/common.yaml": "lookup_options:\n  k: {merge: unique}\nk: [x]\n", "data/n/a.yaml": "k: [x]\n", "data/n/b.yaml": "k: [y]\n"},
                  LEVELS + "  - {name: g, glob: 'g/*.yaml'}\n" + COMMON)
        self.assertEqual(self.told("--select", "dead-override"), [("dead-override", "data/n/a.yaml", 1)])

    def test_a_key_that_no_pointer_names_hides_no_other(self):
        for keys in ("? [a]\n: 1\n", "\"null\": 1\nnull: 2\n"):
            self.site({"data/common.yaml": "port: 80\nq: 1\n", "data/n/a.yaml": "port: 80\nq: 1\n" + keys})
            told = [one for one in self.told("--select", "dead-override") if one[2] < 3]
            self.assertEqual(told, [("dead-override", "data/n/a.yaml", 1), ("dead-override", "data/n/a.yaml", 2)], keys)

    def test_an_alias_is_visible_where_its_value_is(self):
        self.site({"data/common.yaml": "port: 80\nh: {x: 1}\n", "data/n/a.yaml": "a: &p 80\nport: *p\nb: &q {x: 1}\nh: *q\n"})
        self.assertEqual(self.told(), [("dead-override", "data/n/a.yaml", 2), ("dead-override", "data/n/a.yaml", 4)])
        self.site({"data/common.yaml": "port: 80\nh: {x: 1}\n", "data/n/a.yaml": "port: 80\n"}, COMMON + LEVELS)
        self.assertEqual(self.told(), [("never-visible", "data/n/a.yaml", 1)])

    def test_members_of_merge_keys_are_no_statements(self):
        options = "lookup_options:\n  h: {merge: deep}\n"
        common = "h:\n  k: 1\n  m: 3\n"
        for text in ("h:\n  <<: {k: 2, m: 3}\n  k: 1\n  z: 1\n", "b: &q {k: 1, m: 3}\nh:\n  <<: *q\n  k: 1\n  z: 1\n",
                     "h: {<<: {k: 2, m: 3}, k: 1, z: 1}\n", "h:\n  <<:\n    k: 2\n  k: # k\n    1\n  z: 1\n"):
            self.site({"data/common.yaml": common, "data/n/a.yaml": options + text})
            self.assertEqual([one for one in self.told() if one[1] == "data/n/a.yaml"], [], text)
        # What stands beside a merge key is one.
        self.site({"data/common.yaml": common, "data/n/a.yaml": options + "h:\n  <<: {x: 2}\n  'k': 1\n  m: !!int 3\n"})
        self.assertEqual(self.told("--select", "dead-override"), [("dead-override", "data/n/a.yaml", 5), ("dead-override", "data/n/a.yaml", 6)])

    def test_hidden_folders_are_folders(self):
        self.site({"data/common.yaml": "k: 1\n", "data/.hid/x.yaml": "k: 1\n", "data/.y.yaml": "k: 1\n"})
        self.assertEqual(self.told("--select", "unused-file"), [("unused-file", "data/.hid/x.yaml", None), ("unused-file", "data/.y.yaml", None)])

    def test_configurations_are_no_data(self):
        self.site({"data/common.yaml": "k: 1\n", "data/.strata.yaml": "projects: {}\n", "data/.strata-check.yaml": "version: 1\n", "data/x.yaml": "k: 1\n"})
        self.assertEqual(self.told("--select", "unused-file"), [("unused-file", "data/x.yaml", None)])

    # What is not looked for

    def test_comments_for_codes_of_other_verbs(self):
        for code in ("unused-key", "unknown-parameter", "childless-abstract", "losing-binding", "dead-part"):
            self.site({"data/common.yaml": f"port: 80 # strata: allow {code} elsewhere\n"})
            self.assertEqual(self.told("--select", f"idle-allow,{code}"), [], code)
        self.site({"data/common.yaml": "port: 80 # strata: allow dead-override elsewhere\n"})
        self.assertEqual(self.told("--select", "idle-allow,dead-override"), [("idle-allow", "data/common.yaml", 1)])
        suites = self.check("--output", "junit")
        self.assertIn('name="check.dead-override"', suites)
        for code in ("losing-binding", "childless-abstract", "unused-key", "unknown-module"):
            self.assertNotIn(code, suites)

    # Secrets

    def test_diffs_hide_secrets(self):
        options = "lookup_options: {pw: {convert_to: Sensitive}, key: {convert_to: Sensitive}}\n"
        self.site({"data/common.yaml": options + "pw: hunter2\nport: 80\n", "data/n/a.yaml": "pw: hunter2\nport: 80\nkey: |\n  begin\n  hunter3\nlast: 1\n"})
        text = self.check("--diff", status=1)
        self.assertNotIn("hunter", text)
        self.assertIn("-******\n-port: 80\n", text)
        self.assertIn("edit.hidden", self.errors)
        self.check("--fix", status=0)
        self.assertEqual(self.read("data/n/a.yaml"), "key: |\n  begin\n  hunter3\nlast: 1\n")


if __name__ == "__main__":
    unittest.main()
