#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/cli/docs_test.py runs the examples of pages, and refuses those that fail or print something else.

usage: docs_test.py ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

DOCS_TEST = os.path.join(os.path.abspath(sys.argv.pop(1)), "tests/cli/docs_test.py")

# Prints its arguments, and the file named by the last one if there is one; fails for `fail`.
PROGRAM = """#!/bin/sh
if [ "$1" = --help ]; then printf 'Usage\\n\\nSubcommands:\\n  say  says\\n'; exit; fi
if [ "$2" = --help ]; then echo Usage; exit; fi
echo "$@"
for last; do :; done
if [ -f "$last" ]; then cat "$last"; fi
[ "$1" != fail ]
"""
PAGE = "/".join(("docs", "folder", "page.md"))  # script/links.py reads this file, too.
MAP = "| [`strata say`](say.md) | |\n"


class Docs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-docs-test-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.write("strata", PROGRAM)
        (self.root / "strata").chmod(0o755)
        self.write("examples/x", "")
        self.write("data", "of the root\n")
        self.write("README.md", "```sh\nother program\nstrata one two \\\n  three # a comment\n```\n\n```text\none two three\n```\n")
        self.write("docs/README.md", MAP)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_pages(self):
        return subprocess.run(["/usr/bin/python3", DOCS_TEST, self.root / "strata", self.root], capture_output=True, text=True, check=False)

    def passes(self, page, examples):
        self.write(PAGE, page)
        done = self.run_pages()
        self.assertEqual((done.returncode, done.stdout), (0, f"{examples + 1} examples, 0 failed\n"), done.stdout + done.stderr)

    def refused(self, page, *words):
        self.write(PAGE, page)
        done = self.run_pages()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def test_examples_run_in_the_root(self):
        self.passes("```sh\nstrata a\nstrata b data\n```\n\n```text\nb data\nof the root\n```\n", 2)

    def test_a_page_writes_files_and_runs_in_its_own_folder(self):
        self.passes("```yaml\n# in/a.yaml\nkey: 1\n```\n\n```console\n$ cd in\n$ strata x a.yaml\nx a.yaml\nkey: 1\n$ strata y\n…\n```\n", 2)

    def test_other_blocks_are_not_run(self):
        self.passes("```text\nstrata fail\n```\n\nProse.\n\n```json\n{}\n```\n", 0)

    def test_other_output(self):
        self.refused("```sh\nstrata a\n```\n\n```text\nb\n```\n", "page.md:2: strata a prints something else", "-b\n+a\n")

    def test_other_output_in_a_console(self):
        self.refused("```console\n$ strata a\nb\n```\n", "page.md:2: strata a prints something else")

    def test_a_command_that_fails(self):
        self.refused("text\n\n```sh\nstrata fail\n```\n", "page.md:4: strata fail ended with 1")

    def test_output_without_a_command(self):
        self.refused("```sh\nother\n```\n\n```text\nb\n```\n", "expected output behind a block without a command")

    def test_an_indented_block(self):
        self.refused("text\n\n    strata a\n", "page.md:3: an indented block; use a fence")

    def test_a_command_without_a_page(self):
        self.write("docs/README.md", MAP + MAP.replace("say", "tell"))
        self.refused("", "['tell'] are in only one of map and program")


if __name__ == "__main__":
    unittest.main()
