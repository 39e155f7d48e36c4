#!/usr/bin/env python3
"""Runs every example of the documentation: README.md and docs/*.md.

usage: docs_test.py STRATA ROOT
An indented line (or one of a ```console block) `$ strata ARGUMENTS` is an example with what it prints: the lines below it, up to the next `$`, an empty
line with something else behind it, or the end of the block, are its standard output, exactly; `…` stands for any text, alone on a line for any lines.
`$ cd FOLDER` goes to a folder for the rest of the page. A page has a folder of its own, in which `examples` is ROOT/examples; an indented block that
begins with `# NAME` writes the file of that name there, so that a page can build a site step by step.
An indented line `strata ARGUMENTS` without `$` runs in ROOT and must end with status 0; with `...`, `…` or words in capitals (PART, REV, FILE) it is a
pattern, not an example.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PATTERN = re.compile(r"\.\.\.|…|\b(PART|REV|FILE|NAME|DIR)\b|\[options\]")
HANGS = 600  # Seconds: against hangs only, machines are loaded.


def blocks(page):
    """Each indented or console block of a page: the number of its first line, and its lines without indentation."""
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        begin = number
        block = []
        if lines[number].startswith("```"):
            console = lines[number] == "```console"
            number += 1
            while number < len(lines) and not lines[number].startswith("```"):
                block.append(lines[number])
                number += 1
            number += 1
            if console:
                yield begin + 2, block
            continue
        # An empty line does not end a block, a line of text does.
        while number < len(lines) and (lines[number].startswith("    ") or (block and not lines[number].strip())):
            block.append(lines[number][4:])
            number += 1
        if block:
            yield begin + 1, block
        else:
            number += 1


def paragraphs(begin, block):
    """The parts of a block between empty lines."""
    part, first = [], begin
    for offset, line in enumerate([*block, ""]):
        if line.strip():
            if not part:
                first = begin + offset
            part.append(line)
        elif part:
            yield first, part
            part = []


def matches(want, got):
    """Whether a text is what is expected, where `…` stands for anything."""
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in want)
    return re.fullmatch(pattern, got) is not None


class Page:
    def __init__(self, program, root, page, folder):
        self.program, self.root, self.page, self.folder = program, root, page, folder
        self.count = self.failed = 0
        (folder / "examples").symlink_to(root / "examples")

    def fail(self, number, message):
        self.failed += 1
        print(f"{self.page}:{number}: {message}")

    def strata(self, number, words, folder, want=None):
        self.count += 1
        done = subprocess.run([self.program, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=HANGS)
        if done.returncode != 0:
            self.fail(number, f"strata {shlex.join(words)} ended with {done.returncode}\n{done.stderr}")
        elif want is not None and not matches(want, done.stdout):
            changes = difflib.unified_diff([line + "\n" for line in want], done.stdout.splitlines(keepends=True), "documented", "printed")
            self.fail(number, f"strata {shlex.join(words)} prints something else\n{''.join(changes)}{done.stderr}")

    def paragraph(self, number, lines):
        name = re.fullmatch(r"# ([\w./-]+\.(?:pp|yaml|lua))", lines[0])
        if name:
            path = self.folder / name.group(1)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")
            return
        while lines:
            line, *lines = lines
            where, number = number, number + 1
            if line.startswith("$ "):
                want = []
                while lines and not lines[0].startswith("$ "):
                    want.append(lines.pop(0))
                    number += 1
                words = shlex.split(line[2:])
                if words[0] == "cd":
                    self.folder = self.folder / words[1]
                elif words[0] == "strata":
                    self.strata(where, words[1:], self.folder, want)
                else:
                    self.fail(where, f"no example: {line}")
            elif line.startswith("strata ") and not PATTERN.search(line):
                self.strata(where, shlex.split(line)[1:], self.root)

    def run(self):
        for begin, block in blocks(self.page):
            for number, lines in paragraphs(begin, block):
                self.paragraph(number, lines)


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    count = failed = 0
    for name in [root / "README.md", *sorted(root.glob("docs/*.md"))]:
        with tempfile.TemporaryDirectory(prefix="strata-docs-") as folder:
            page = Page(program, root, name, pathlib.Path(folder))
            page.run()
        count += page.count
        failed += page.failed
    print(f"{count} examples, {failed} failed")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
