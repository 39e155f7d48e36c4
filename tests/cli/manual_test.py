#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The manual pages that `strata manual` prints: every option of a command's help is in its page and the other way round, and man and mandoc have
nothing to say about any page.

usage: manual_test.py STRATA

With STRATA_ALL_TOOLS=1, a test whose tool is missing fails instead of being skipped.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from docs_test import commands_of

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
HANGS = 600  # Seconds: against hangs only, machines are loaded.


def strata(*words, status=0):
    done = subprocess.run([STRATA, *words], capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def tool(case, name):
    """The path of a tool; without it, the test is skipped."""
    path = shutil.which(name)
    if path is None and os.environ.get("STRATA_ALL_TOOLS") != "1":
        case.skipTest(f"{name} is not installed: script/bootstrap --packages")
    case.assertIsNotNone(path, f"{name} is not installed: script/bootstrap --packages")
    return path


def options_of_help(text):
    """The names of the options in a help."""
    return {name for line in text.splitlines() if line.startswith("  -") for name in re.findall(r"(?:^  |, )(--?[a-z][-\w]*)", line.split("   ")[0])}


def sections(page):
    """The lines of a page by the headings of their sections."""
    out, current = {}, []
    for line in page.splitlines():
        heading = re.fullmatch(r'\.SH "(.*)"', line)
        if heading:
            current = out.setdefault(heading[1], [])
        else:
            current.append(line)
    return out


def words(text):
    """The letters and digits of a text in Markdown or roff, without the targets of links."""
    text = re.sub(r"\]\([^)]*\)|\(\\fB[^\s)]*\.md\\fR\)|\\f[BIR]|\\\([a-z]{2}|(?m:^\.\w+)", "", text)
    return re.sub(r"[^0-9a-z]+", "", text.lower())


def options_of_page(page):
    lines = sections(page).get("OPTIONS", [])
    names = set()
    for before, line in zip(lines, lines[1:]):
        if before == ".TP":
            names |= {name.replace("\\-", "-") for name in re.findall(r"\\fB((?:\\-)+[-\\\w]*?)\\fR", line) if name != "\\-"}
    return names


class Manual(unittest.TestCase):
    def setUp(self):
        self.pages = strata("manual", "--list").stdout.splitlines()

    def test_every_command_has_a_page(self):
        commands = list(commands_of(STRATA))
        wanted = ["strata.1", *(f"strata-{command.replace(' ', '-')}.1" for command in commands)]
        self.assertEqual(sorted(page for page in self.pages if page.endswith(".1")), sorted(wanted))
        self.assertEqual([page for page in self.pages if not page.endswith(".1")], ["strata-projects.5", "strata.yaml.5", "strata-errors.7"])

    def test_options_of_the_help_are_in_the_page_and_the_other_way_round(self):
        for command in ["", *commands_of(STRATA)]:
            wanted = options_of_help(strata(*command.split(), "--help").stdout)
            self.assertIn("--help", wanted, command)
            self.assertEqual(options_of_page(strata("manual", *command.split()).stdout), wanted, command)

    def test_sections(self):
        for command in commands_of(STRATA):
            page = sections(strata("manual", *command.split()).stdout)
            for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"):
                self.assertTrue(page.get(heading), f"{command}: {heading}")
        lookup = sections(strata("manual", "lookup").stdout)
        self.assertIn("\\fIKEY\\fR", "\n".join(lookup["ARGUMENTS"]))
        self.assertIn("hiera.yaml", "\n".join(lookup["FILES"]))
        program = sections(strata("manual").stdout)
        self.assertIn("a bug in strata", "\n".join(program["EXIT STATUS"]))
        for file in ("hiera.yaml", ".strata.yaml", "strata.db"):
            self.assertIn(words(file), words("\n".join(program["FILES"])))

    def test_descriptions_are_those_of_the_documentation(self):
        for command in commands_of(STRATA):
            page = sections(strata("manual", *command.split()).stdout)
            named = re.search(r"docs/(\S+?\.md)", "\n".join(page["SEE ALSO"]).replace("\\", ""))
            self.assertTrue(named, command)
            with open(os.path.join(DOCS, named[1]), encoding="utf-8") as file:
                introduction = re.split(r"(?m)^## ", file.read())[0]
            prose = [block for block in re.sub(r"(?ms)^# .*?\n|^```.*?^```$", "", introduction).split("\n\n") if block.strip()]
            self.assertTrue(prose, f"docs/{named[1]} has no introduction")
            self.assertIn(words(prose[0]), words("\n".join(page["DESCRIPTION"])), command)

    def test_sentences_keep_their_links_and_examples(self):
        for page in self.pages:
            text = strata("manual", page).stdout
            self.assertNotRegex(text, r":\n\.(SH|SS) ", page)
        merge = strata("manual", "merge").stdout
        self.assertIn("(\\fBdocs/cloud\\-init/fidelity.md\\fR)", merge)
        self.assertIn("what happened to each:\n.PP\n.RS", merge)

    def test_names_of_pages(self):
        for words in (["lookup"], ["strata-lookup"], ["strata-lookup.1"]):
            self.assertEqual(strata("manual", *words).stdout, strata("manual", "lookup").stdout)
        self.assertIn('.TH "STRATA\\-PROJECTS" 5 ', strata("manual", "strata-projects.5").stdout)
        self.assertIn('.TH "STRATA\\-PROJECTS" 1 ', strata("manual", "projects").stdout)
        self.assertEqual(strata("manual", "bindings", "check").stdout, strata("manual", "strata-bindings-check.1").stdout)
        self.assertIn("did you mean 'lookup'?", strata("manual", "lokup", status=2).stderr)
        self.assertIn("remove the COMMAND", strata("manual", "--list", "lookup", status=2).stderr)

    def test_texts_of_the_documentation(self):
        self.assertIn("hiera.merge\\-options", strata("manual", "strata-errors.7").stdout)
        self.assertIn("facts_dir", strata("manual", "strata.yaml").stdout)
        self.assertNotRegex(strata("manual", "strata-errors").stdout, r"\]\(|`")  # Neither links nor marks of Markdown.

    def each_file(self, call):
        with tempfile.TemporaryDirectory() as folder:
            for page in self.pages:
                path = os.path.join(folder, page)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(strata("manual", page).stdout)
                call(path)

    def test_man_warns_of_nothing(self):
        man = tool(self, "man")
        shown = []

        def check(path):
            for language in ("C.UTF-8", "C"):
                done = subprocess.run([man, "--warnings=w", "-l", path], capture_output=True, timeout=HANGS, check=False,
                                      env={**os.environ, "MANWIDTH": "80", "LC_ALL": language, "MAN_KEEP_FORMATTING": "", "PAGER": "cat"})
                self.assertEqual((done.returncode, done.stderr.decode()), (0, ""), path)
                shown.append(done.stdout.decode())
                long = [line for line in done.stdout.decode().splitlines() if len(line) > 200]
                self.assertEqual(long, [], path)

        self.each_file(check)
        self.assertTrue(any("--codedir" in text for text in shown))

    def test_mandoc_has_nothing_to_say(self):
        mandoc = tool(self, "mandoc")

        def check(path):
            done = subprocess.run([mandoc, "-T", "lint", path], capture_output=True, text=True, timeout=HANGS, check=False)
            # Pages of other packages cannot be referred to here: the installed ones are looked for.
            said = [line for line in done.stdout.splitlines() if "referenced manual not found" not in line]
            self.assertEqual(said, [], path)

        self.each_file(check)


if __name__ == "__main__":
    unittest.main()
