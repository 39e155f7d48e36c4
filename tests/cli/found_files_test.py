#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pipes, sockets and broken links among the files that a command finds: an error that names them, and no wait.

usage: found_files_test.py STRATA
"""
import os
import socket
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
SITE = "code/environments/production/"
POLICY = "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site]}\n"


def hierarchy(entry):
    return {SITE + "hiera.yaml": "version: 5\nhierarchy:\n  - name: common\n    " + entry + "\n", SITE + "data/a.yaml": "k: 1\n", "facts.yaml": "{a: b}\n"}


LOOKUP = ["lookup", "--codedir", "code", "--facts", "facts.yaml", "k"]
BINDINGS = {"manifests/site.pp": "site { bindings => [layer { 'site': include => 'confdir:/*' }] }\n", "bindings/default.pp": "bindings default { bind 'r' to 1 }\n", "facts.yaml": "{a: b}\n"}
# What is there, the place of the pipe, the command.
CASES = {
    "documents": ({"site/a.yaml": POLICY}, "site/p.yaml", ["render", "site"]),
    "documents further down": ({"site/deep/a.yaml": POLICY}, "site/deep/p.yml", ["render", "site"]),
    "environments": ({"env/a.yaml": "parameters: {}\n"}, "env/p.yaml", ["compose", "--environment-directory", "env"]),
    "a glob": (hierarchy("glob: '*.yaml'"), SITE + "data/p.yaml", LOOKUP),
    "globs": (hierarchy("globs: ['**/*.yaml']"), SITE + "data/p.yaml", LOOKUP),
    "nodes": ({**hierarchy("path: a.yaml"), "nodes/a.yaml": "{a: b}\n"}, "nodes/p.yaml", ["lookup", "--codedir", "code", "--nodes", "nodes", "k"]),
    "nodes of bindings": ({**BINDINGS, "nodes/a.yaml": "{a: b}\n"}, "nodes/p.yaml", ["inject", "--nodes", "nodes", "r"]),
    "nodes to check": ({**BINDINGS, "nodes/a.yaml": "{a: b}\n"}, "nodes/p.yaml", ["bindings", "check", "--nodes", "nodes"]),
    "bindings documents": (BINDINGS, "bindings/p.pp", ["inject", "--facts", "facts.yaml", "r"]),
    "scripts of modules": ({**BINDINGS, "modules/m/lib/strata/a.lua": "strata.func('m::f', function() return 1 end)\n"}, "modules/m/lib/strata/p.lua", ["inject", "--facts", "facts.yaml", "r"]),
}


class FoundFiles(unittest.TestCase):
    def check(self, make):
        for name, (files, special, arguments) in CASES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                for path, text in files.items():
                    os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
                    with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                        file.write(text)
                make(os.path.join(folder, special))
                done = subprocess.run([STRATA, *arguments], cwd=folder, capture_output=True, text=True, timeout=HANGS, check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(special + ": error: ", done.stderr)
                self.assertRegex(done.stderr, r"is not a regular file.* \[tree\.not-regular\]\n")

    def test_pipes(self):
        self.check(os.mkfifo)

    def test_sockets(self):
        def listen(path):
            here = os.getcwd()
            os.chdir(os.path.dirname(path))  # Names of sockets are short.
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(os.path.basename(path))
            os.chdir(here)
        self.check(listen)

    def test_a_link_that_leads_nowhere_is_a_missing_file(self):
        for command in ("compose", "bundle"):
            with self.subTest(command), tempfile.TemporaryDirectory() as folder:
                os.mkdir(os.path.join(folder, "env"))
                with open(os.path.join(folder, "env/a.yaml"), "w", encoding="utf-8") as file:
                    file.write("parameters: {a: 1}\n")
                os.symlink("nowhere", os.path.join(folder, "env/b.yaml"))
                done = subprocess.run([STRATA, command, "--environment-directory", "env"], cwd=folder, capture_output=True, text=True, timeout=HANGS, check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("env/b.yaml", done.stderr)

    def test_what_is_named_may_be_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "p.yaml")
            os.mkfifo(pipe)
            with subprocess.Popen([STRATA, "render", "p.yaml"], cwd=folder, stdout=subprocess.PIPE, text=True) as begun:
                with open(pipe, "w", encoding="utf-8") as file:
                    file.write(POLICY)
                self.assertIn("policy", begun.communicate(timeout=HANGS)[0])


if __name__ == "__main__":
    unittest.main()
