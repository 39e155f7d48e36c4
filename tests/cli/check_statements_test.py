#!/usr/bin/env python3
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
