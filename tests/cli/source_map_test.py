#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Source maps as files: what is written when, with which permissions, what a wrong command line is, what is kept secret, and `strata where`.

usage: source_map_test.py STRATA
"""
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

from case_runner import is_sanitized

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = os.path.realpath(made.name)

    def place(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def text(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def strata(self, *words, status=0, folder=None, **more):
        done = subprocess.run([STRATA, *words], cwd=folder or self.folder, capture_output=True, timeout=HANGS, check=False, **more)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout[:500]}{done.stderr}")
        return done

    def map_of(self, *words, status=0):
        return json.loads(self.strata(*words, "--source-map=-", status=status).stdout)


class Files(Folder):
    def setUp(self):
        super().setUp()
        self.place("a.yaml", "#cloud-config\na: 1\n")
        self.place("bad.yaml", "#cloud-config\n- x\n")

    def mode(self, name):
        return stat.S_IMODE(os.stat(os.path.join(self.folder, name)).st_mode)

    def test_permissions(self):
        old = os.umask(0o027)
        try:
            self.strata("merge", "--source-map", "new.map", "a.yaml")
        finally:
            os.umask(old)
        self.assertEqual(self.mode("new.map"), 0o640)
        os.chmod(os.path.join(self.folder, "new.map"), 0o604)
        self.strata("merge", "--source-map", "new.map", "a.yaml")
        self.assertEqual(self.mode("new.map"), 0o604)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.yaml", "bad.yaml", "new.map"], "nothing else is left")

    def test_links_stay(self):
        self.place("real.map", "old")
        os.symlink("real.map", os.path.join(self.folder, "link.map"))
        self.strata("merge", "--source-map", "link.map", "a.yaml")
        self.assertTrue(os.path.islink(os.path.join(self.folder, "link.map")))
        self.assertEqual(json.loads(self.text("real.map"))["file"], "link")

    def test_what_fails_writes_nothing(self):
        self.place("kept.map", "old")
        for words in (["missing.yaml"], ["--strict", "bad.yaml"]):
            done = self.strata("merge", "--source-map", "kept.map", *words, status=1)
            self.assertEqual(done.stdout, b"")
            self.assertEqual(self.text("kept.map"), "old")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([STRATA, "merge", "--source-map", "kept.map", "a.yaml"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                  timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.text("kept.map"), "old")

    def test_maps_that_cannot_be_written(self):
        os.mkdir(os.path.join(self.folder, "folder.map"))
        for name in ("folder.map", "no/such/folder.map"):
            done = self.strata("merge", "--source-map", name, "a.yaml", status=1)
            self.assertEqual(done.stdout, b"#cloud-config\na: 1\n", "the result comes first")
            self.assertIn(b"[output.source-map]", done.stderr)

    def test_the_folder_of_the_map(self):
        os.mkdir(os.path.join(self.folder, "build"))
        self.strata("merge", "--source-map", "build/out.yaml.map", "a.yaml")
        made = json.loads(self.text("build/out.yaml.map"))
        self.assertEqual((made["file"], made["sources"]), ("out.yaml", ["../a.yaml"]))
        self.assertEqual(self.strata("where", "build/out.yaml.map", "2:4").stdout, b"a.yaml:2:4 /a\n")
        self.assertEqual(self.strata("where", "out.yaml.map", "2:4", folder=os.path.join(self.folder, "build")).stdout,
                         b"../a.yaml:2:4 /a\n")

    def test_revisions(self):
        for words in (["init"], ["add", "."], ["commit", "-m", "m"]):
            subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *words], cwd=self.folder, check=True, capture_output=True, timeout=HANGS)
        self.place("a.yaml", "#cloud-config\n\nb: 2\n")
        made = self.map_of("merge", "--at", "HEAD", "a.yaml")
        self.assertEqual((list(made)[-1], made["x_strata"], made["names"]), ("x_strata", {"at": "HEAD"}, ["/a"]))

    def test_wrong_command_lines(self):
        hiera = ["lookup", "--hiera-config", "hiera.yaml", "k"]
        for words in (["merge", "a.yaml", "--blame"], ["merge", "a.yaml", "--explain"], ["merge", "a.yaml", "--against", "HEAD"], ["merge", "a.yaml", "--parts"],
                      ["render", "--check", "a.yaml"], ["inventory", "--check", "n"], [*hiera, "--render-as", "json"], [*hiera, "--blame"],
                      [*hiera, "--explain-options"], ["lookup", "--source-map"], [*hiera, "--nodes", "n", "--output", "jsonl"], ["compose", "-e", "a.yaml", "--save-state", "-"],
                      ["inject", "--confdir", ".", "--nodes", "n", "k"], ["inject", "--confdir", ".", "--blame", "k"]):
            self.strata(*words, "--source-map=x.map", status=2)
        for command in ("hooks", "resolve-type", "enc", "bundle"):
            self.strata(command, "--source-map=x.map", status=2)
        self.strata("bindings", "check", "--source-map=x.map", status=2)
        self.strata("merge", "a.yaml", "--source-map=", status=2)
        self.strata("merge", "a.yaml", "--source-map-content", status=2)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "x.map")))

    def test_the_map_of_the_examples_is_up_to_date(self):
        made = self.strata("merge", "--source-map", os.path.join(self.folder, "web.yaml.map"), "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml",
                           folder=ROOT)
        with open(os.path.join(ROOT, "examples/source-map/web.yaml"), "rb") as file:
            self.assertEqual(file.read(), made.stdout)
        with open(os.path.join(ROOT, "examples/source-map/web.yaml.map"), encoding="utf-8") as file:
            kept = json.load(file)
        new = json.loads(self.text("web.yaml.map"))
        self.assertEqual((kept["mappings"], kept["names"]), (new["mappings"], new["names"]))


class Fleets(Folder):
    def test_results_are_the_same(self):
        self.place("hiera.yaml", "version: 5\nhierarchy: [{name: n, path: '%{cert}.yaml'}, {name: all, path: all.yaml}]\n")
        self.place("data/all.yaml", "k: [1, 2]\nbad: \"%{lookup('bad')}\"\n")
        self.place("data/n2.yaml", "k: two\n")
        self.place("nodes.json", json.dumps([{"name": name, "facts": {"cert": name}} for name in ("n3", "n1", "n2")]))
        self.place("none.json", "[]")
        words = ["lookup", "--hiera-config", "hiera.yaml"]
        for more, status in ((["k"], 0), (["--all"], 1), (["bad"], 1)):
            for output in ([], ["--output", "yaml"], ["--output", "json"], ["--output", "json", "--sort-keys"]):
                plain = self.strata(*words, "--nodes", "nodes.json", *output, *more, status=status).stdout
                self.assertEqual(self.strata(*words, "--nodes", "nodes.json", *output, *more, "--source-map", "o.map", status=status).stdout, plain)
                if more == ["k"]:
                    self.assertIn("/n1/k/0" if more == ["--all"] else "/n1/0", json.loads(self.text("o.map"))["names"])
        for output in ([], ["--output", "yaml"], ["--output", "json"]):
            plain = self.strata(*words, "--nodes", "none.json", *output, "k").stdout
            self.assertEqual(self.strata(*words, "--nodes", "none.json", *output, "k", "--source-map", "o.map").stdout, plain)


class Secrets(Folder):
    def test_texts_with_hidden_parameters_are_left_out(self):
        self.place("t.yaml", "heat_template_version: 2021-04-16\nparameters:\n  open: {type: string}\n  key: {type: string, hidden: true, default: DEFAULTKEY}\n")
        self.place("open.yaml", "parameters: {open: yes it is}\n")
        self.place("weak.yaml", "parameters: {key: WEAKKEY}\n")
        self.place("strong.yaml", "parameters: {key: STRONGKEY}\n")
        for verb in ("compose", "parameters"):
            made = self.map_of(verb, "-t", "t.yaml", "-e", "open.yaml", "-e", "weak.yaml", "-e", "strong.yaml", "--source-map-content")
            # As in messages: with a hidden parameter, any environment may hold its value.
            self.assertEqual(set(made["sourcesContent"]), {None})
            self.assertNotIn("KEY", json.dumps(made))
        self.place("plain.yaml", "heat_template_version: 2021-04-16\nparameters:\n  open: {type: string}\n")
        made = self.map_of("compose", "-t", "plain.yaml", "-e", "open.yaml", "--source-map-content")
        self.assertEqual((made["sources"], made["sourcesContent"]), (["open.yaml"], [self.text("open.yaml")]))

    def test_texts_of_sensitive_keys_are_left_out(self):
        self.place("hiera.yaml", "version: 5\nhierarchy: [{name: all, paths: [node.yaml, common.yaml, other.yaml]}]\n")
        self.place("data/node.yaml", "password: STRONGPASSWORD\n")
        self.place("data/common.yaml", "password: WEAKPASSWORD\na: 1\n")
        self.place("data/other.yaml", "b: 2\nlookup_options: {password: {convert_to: Sensitive}}\n")
        for mask in ([], ["--mask"]):
            made = self.map_of("lookup", "--hiera-config", "hiera.yaml", "--all", "--output", "json", "--source-map-content", *mask)
            contents = dict(zip(made["sources"], made["sourcesContent"]))
            self.assertEqual(contents, {"data/node.yaml": None, "data/common.yaml": None, "data/other.yaml": self.text("data/other.yaml")})


    def test_texts_with_secrets_that_are_not_shown_are_left_out(self):
        self.place("site.yaml", "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site]}\n---\n"
                                "schema: deckhand/Passphrase/v1\ndata: HUNTER2\n"
                                "metadata: {schema: metadata/Document/v1, name: pw, storagePolicy: encrypted, layeringDefinition: {layer: site, abstract: true}}\n")
        self.place("bindings/default.pp", "bindings default {\n  bind 'a' to Sensitive('HUNTER2')\n  bind 'b' to 1\n}\n")
        self.place("hiera.yaml", "version: 5\nhierarchy: [{name: all, paths: [node.yaml, common.yaml]}]\n")
        self.place("data/node.yaml", "b: 1\ns1: HUNTER2\n")
        self.place("data/common.yaml", "lookup_options: {'^s': {convert_to: Sensitive}}\n")
        for words in (("render", "site.yaml"), ("render", "--name", "policy", "site.yaml"), ("inject", "b"), ("lookup", "--hiera-config", "hiera.yaml", "b")):
            made = self.map_of(*words, "--source-map-content")
            self.assertEqual(made["sourcesContent"], [None], words)
            self.assertNotIn("HUNTER", json.dumps(made), words)


class Where(Folder):
    MAP = '{"version": 3, "file": "out.yaml", "sources": ["a.yaml", "b.yaml"], "names": ["/a", "/b"], "mappings": "AAAG,GAAAA;ACAA,GAAAC;A"}'

    def setUp(self):
        super().setUp()
        self.place("out.map", self.MAP)

    def test_statuses(self):
        self.assertEqual(self.strata("where", "out.map", "1").stdout, b"a.yaml:1:4\n")
        self.assertEqual(self.strata("where", "-", "2:9", input=self.MAP.encode()).stdout, b"b.yaml:1:4 /b\n")
        for position in ("3", "4", "99999999999"):
            self.assertIn(b"[map.place]", self.strata("where", "out.map", position, status=1).stderr)
        for words in ([], ["out.map"], ["out.map", "0"], ["out.map", "1:0"], ["out.map", "1:"], ["out.map", "x"], ["out.map", "-1"], ["out.map", "1:2:3"],
                      ["-", "--rewrite"], ["out.map", "--rewrite=a", "b"], ["out.map", "1", "--blame"]):
            self.strata("where", *words, status=2, input=b"")
        self.place("index.map", '{"version": 3, "sections": []}')
        for name in ("none.map", ".", "index.map"):
            self.assertIn(b"[map.read]", self.strata("where", name, "1", status=3).stderr)

    def test_rewriting(self):
        rewritten = self.strata("where", "out.map", "--rewrite", input=b"out.yaml:2\r\n\0\xff out.yaml:1:4").stdout
        self.assertEqual(rewritten, b"b.yaml:1:4\r\n\0\xff a.yaml:1:4")
        for words in (["--rewrite", "d/x"], ["--rewrite=d/x"]):
            self.assertEqual(self.strata("where", "out.map", *words, input=b"out.yaml:1 d/x:1\n").stdout, b"out.yaml:1 a.yaml:1:4\n")
        self.place("nameless.map", self.MAP.replace('"file": "out.yaml", ', ""))
        self.strata("where", "nameless.map", "--rewrite", status=2)

    def test_huge_lines(self):
        line = b"x" * 50_000_000
        # A sanitizer reserves terabytes of addresses.
        limit = "" if is_sanitized(STRATA) else "ulimit -v 4000000; "
        limited = ["sh", "-c", limit + "exec \"$0\" where out.map --rewrite", STRATA]
        done = subprocess.run(limited, cwd=self.folder, input=line + b" out.yaml:2", capture_output=True, timeout=HANGS, check=True)
        self.assertEqual(done.stdout, line + b" b.yaml:1:4")

    def test_lines_come_out_as_they_go_in(self):
        with subprocess.Popen([STRATA, "where", "out.map", "--rewrite"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write(b"out.yaml:1: x\n")
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), b"a.yaml:1:4: x\n")
            process.stdin.close()


if __name__ == "__main__":
    unittest.main()
