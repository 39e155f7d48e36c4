#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata render` as people run it: folders, options that match nothing, and what differs from a revision.

usage: render_test.py STRATA
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
POLICY = "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [global, site]}\n"


def document(name, data, more="", schema="example/Kind/v1"):
    return "schema: %s\nmetadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}%s}\ndata: %s\n" % (
        schema, name, more, json.dumps(data))


class Render(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.place("site/policy.yaml", POLICY)
        self.place("site/a.yaml", document("a", {"x": 1, "y": 2}))

    def place(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_strata(self, *arguments, status=0):
        done = subprocess.run([STRATA, "render", *arguments], cwd=self.folder.name, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@example.com", *arguments], cwd=self.folder.name, check=True, capture_output=True)

    def commit(self):
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "all")

    def test_differences_are_by_document(self):
        self.commit()
        # It comes before the others, which do not move.
        self.place("site/0.yaml", document("new", {"z": 1}))
        self.place("site/a.yaml", document("a", {"x": 7, "y": 2}))
        text = self.run_strata("--against", "HEAD", "site", status=1).stdout
        self.assertIn("~ example/Kind/v1/a/data/x: 1 -> 7\n    was  site/a.yaml:3:13\n    now  site/a.yaml:3:13\n", text)
        self.assertIn("+ example/Kind/v1/new: {\"data\": {\"z\": 1},", text)
        self.assertTrue(text.endswith("    now  site/0.yaml:3:13\n2 changes\n"), text)
        self.assertNotIn("policy", text)
        self.assertNotIn("/data/y", text)
        told = json.loads(self.run_strata("--against", "HEAD", "--output", "json", "site", status=1).stdout)
        self.assertEqual([(one["item"], one["path"], one["kind"]) for one in told["changes"]],
                         [("example/Kind/v1/a", "/data/x", "changed"), ("example/Kind/v1/new", "", "added")])
        os.remove(os.path.join(self.folder.name, "site/a.yaml"))
        text = self.run_strata("--against", "HEAD", "site", status=1).stdout
        self.assertIn("- example/Kind/v1/a: {\"data\": {\"x\": 1, \"y\": 2}", text)

    def test_nothing_differs(self):
        self.commit()
        self.place("site/z.yaml", "# nothing\n")
        self.assertEqual(self.run_strata("--against", "HEAD", "site").stdout, "")

    def test_folders_are_read_with_what_is_below(self):
        self.place("site/deep/er/b.yml", document("b", 1))
        self.place("site/.github/ci.yml", "on: push\n")
        self.place("site/notes.txt", "[")
        names = [one["metadata"]["name"] for one in json.loads(self.run_strata("--output", "json", "site").stdout)]
        self.assertEqual(sorted(names), ["a", "b", "policy"])

    def test_links_that_lead_back_end(self):
        for name in "xy":
            os.symlink(".", os.path.join(self.folder.name, "site", name))
        told = self.run_strata("site", status=1).stderr
        self.assertIn("deckhand.input", told)

    def test_a_pipe_in_a_folder_is_an_error(self):
        os.mkfifo(os.path.join(self.folder.name, "site", "p.yaml"))
        self.assertIn("site/p.yaml: error: it was found in a folder, and is not a regular file", self.run_strata("site", status=1).stderr)

    def test_what_matches_nothing_is_told(self):
        for option, value in (("--name", "b"), ("--layer", "sight"), ("--schema", "exampel")):
            done = self.run_strata(option, value, "site")
            self.assertEqual(done.stdout, "")
            self.assertIn("deckhand.unmatched", done.stderr)
            done = self.run_strata("--strict", option, value, "site", status=1)
            self.assertIn("error: no rendered document has the", done.stderr)
        self.assertEqual(self.run_strata("--name", "a", "--label", "k=v", "site").stderr, "")

    def test_shared_containers_are_an_error_when_strict(self):
        entries = [{"src": {"schema": "example/Kind/v1", "name": "s", "path": path}, "dest": {"path": to}} for path, to in ((".a", ".x"), (".a.b.c", ".x.b.d"))]
        self.place("site/b.yaml", document("s", {"a": {"b": {"c": 1}}}) + "---\n" + document("t", {}, ", substitutions: " + json.dumps(entries)))
        done = self.run_strata("site")
        self.assertIn("warning: example/Kind/v1 site/t: its substitution from example/Kind/v1 site/s writes to '.x.b.d'", done.stderr)
        done = self.run_strata("--strict", "site", status=1)
        self.assertEqual(done.stdout, "")
        self.assertIn("deckhand.shared-container", done.stderr)

    def test_keys_that_are_repeated(self):
        self.place("site/a.yaml", document("a", {"x": 1}).replace('{"x": 1}', "{x: 1, x: 2}"))
        self.assertIn("deckhand.repeated-key", self.run_strata("site").stderr)
        self.run_strata("--strict", "site", status=1)


if __name__ == "__main__":
    unittest.main()
