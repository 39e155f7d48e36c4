#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/links.py refuses links between pages, and mentions of pages in sources, that lead nowhere.

usage: links_test.py ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

LINKS = os.path.join(os.path.abspath(sys.argv.pop(1)), "script/links.py")
DOCS = "docs"  # Not written out in what follows: the script reads this file, too.


class Links(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-links-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        subprocess.run(["git", "init", "--quiet", self.root], check=True)
        self.write("README.md", f"# Top\n\n[a page]({DOCS}/a/one.md), [a section]({DOCS}/a/one.md#the-enc-command-node), [here](#top),\n[two\nlines]({DOCS}/a/one.md)\n")
        self.write(f"{DOCS}/a/one.md", "# One\n\n## The `enc` command: NODE\n\n[up](../../README.md) [away](https://example.com/x.md)\n\n```sh\n# Not a heading [x](y)\n```\n")
        self.write("src/x.cpp", f'// Rule: {DOCS}/a/one.md, "The enc command: NODE" and "One".\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self):
        return subprocess.run([LINKS], cwd=self.root, capture_output=True, text=True, check=False)

    def refused(self, name, text, message):
        self.write(name, text)
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (1, message + "\n"), done.stderr)

    def test_what_leads_somewhere_passes(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_page_that_is_not_there(self):
        self.refused(f"{DOCS}/b.md", "text\n[x](a/two.md)\n", f"{DOCS}/b.md:2: a/two.md: there is no such file")

    def test_links_count_from_their_page(self):
        self.refused(f"{DOCS}/b.md", f"[x]({DOCS}/a/one.md)\n", f"{DOCS}/b.md:1: {DOCS}/a/one.md: there is no such file")

    def test_a_link_over_two_lines(self):
        self.refused(f"{DOCS}/b.md", "\n[x\ny](two.md)\n", f"{DOCS}/b.md:2: two.md: there is no such file")

    def test_a_section_that_is_not_there(self):
        self.refused(f"{DOCS}/b.md", "[x](a/one.md#not-a-heading-xy)\n", f"{DOCS}/b.md:1: a/one.md#not-a-heading-xy: there is no such section")

    def test_a_mention_of_a_page(self):
        self.refused("src/y.hpp", f"\n// {DOCS}/one.md\n", f"src/y.hpp:2: {DOCS}/one.md: there is no such page")

    def test_a_mention_of_a_section(self):
        self.refused("src/y.hpp", f'// {DOCS}/a/one.md, "One" and "Two"\n', f'src/y.hpp:1: {DOCS}/a/one.md has no section "Two"')


if __name__ == "__main__":
    unittest.main()
