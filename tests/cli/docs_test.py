#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every example of the documentation: README.md and docs/**/*.md. Checks that docs/README.md maps every command to its page.

usage: docs_test.py STRATA [ROOT]

A page has three kinds of blocks that this test reads:

    ```sh         Each line that begins with `strata` runs in ROOT and must end with status 0. A backslash at the end of a line continues the command.
                  Lines of other programs are not run. A ```text block right behind the ```sh block is what its last command prints.
    ```console    `$ strata ARGUMENTS`, with what it prints on the lines below. These run in a folder that the page has for itself, with
                  `examples` in it; `$ cd FOLDER` changes the folder for the rest of the page.
    any other     with a first line `# NAME.pp`, `# NAME.yaml` or `# NAME.lua`: writes the rest of the block to that file in the page's folder.

Output is compared exactly: `…` stands for any text, alone on a line for any lines. A ```text block elsewhere is not run: patterns of commands, messages.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Block:
    """A fenced block: its language, the number of its first line, its lines, and whether only empty lines stand between it and the block before."""

    def __init__(self, language, first, lines, follows):
        self.language, self.first, self.lines, self.follows = language, first, lines, follows


def blocks(page):
    """The fenced blocks of a page. An indented block is an error: nothing would run it."""
    lines = page.read_text(encoding="utf-8").splitlines()
    result, number, follows = [], 0, False
    while number < len(lines):
        fence = re.fullmatch(r"( *)```(\w*)", lines[number])
        if not fence:
            if lines[number].startswith("    ") and (number == 0 or not lines[number - 1].strip()):
                raise ValueError(f"{page}:{number + 1}: an indented block; use a fence")
            follows = follows and not lines[number].strip()
            number += 1
            continue
        indent, begin = fence[1], number + 1
        number = begin
        while lines[number] != indent + "```":
            number += 1
        result.append(Block(fence[2], begin + 1, [line.removeprefix(indent) for line in lines[begin:number]], follows))
        number += 1
        follows = True
    return result


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

    def shell(self, block, want):
        commands, number = [], block.first
        for line in block.lines:
            if commands and commands[-1][1].endswith("\\"):
                commands[-1] = (commands[-1][0], commands[-1][1][:-1] + line)
            else:
                commands.append((number, line))
            number += 1
        commands = [(where, shlex.split(line, comments=True)[1:]) for where, line in commands if line.startswith("strata ")]
        if want is not None and not commands:
            self.fail(block.first, "expected output behind a block without a command")
        for where, words in commands[:-1]:
            self.strata(where, words, self.root)
        for where, words in commands[-1:]:
            self.strata(where, words, self.root, want)

    def console(self, block):
        lines, number = list(block.lines), block.first
        while lines:
            line, where = lines.pop(0), number
            number += 1
            if not line.startswith("$ "):
                self.fail(where, f"no example: {line}")
                return
            want = []
            while lines and not lines[0].startswith("$ "):
                want.append(lines.pop(0))
                number += 1
            while want and not want[-1].strip():
                want.pop()
            words = shlex.split(line[2:])
            if words[0] == "cd":
                self.folder = self.folder / words[1]
            elif words[0] == "strata":
                self.strata(where, words[1:], self.folder, want)
            else:
                self.fail(where, f"no example: {line}")

    def run(self):
        page = blocks(self.page)
        for block, after in zip(page, [*page[1:], None]):
            if block.language == "sh":
                self.shell(block, after.lines if after is not None and after.language == "text" and after.follows else None)
            elif block.language == "console":
                self.console(block)
            elif block.lines and (name := re.fullmatch(r"# ([\w./-]+\.(?:pp|yaml|lua))", block.lines[0])):
                path = self.folder / name.group(1)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(block.lines[1:]) + "\n", encoding="utf-8")


def commands_of(program, words=()):
    """Every command that the program's help lists, with the commands below it."""
    text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True, timeout=HANGS).stdout
    for name in re.findall(r"^  ([a-z][a-z-]*)  ", text, re.MULTILINE):
        below = list(commands_of(program, (*words, name)))
        yield from below or [" ".join((*words, name))]


def main():
    program = os.path.abspath(sys.argv[1])
    root = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[2]
    count = failed = 0
    for name in [root / "README.md", *sorted(root.glob("docs/**/*.md"))]:
        with tempfile.TemporaryDirectory(prefix="strata-docs-") as folder:
            page = Page(program, root, name, pathlib.Path(folder))
            page.run()
        count += page.count
        failed += page.failed
    print(f"{count} examples, {failed} failed")
    mapped = re.findall(r"^\| \[`strata ([a-z -]+)`\]\(", (root / "docs/README.md").read_text(encoding="utf-8"), re.MULTILINE)
    commands = list(commands_of(program))
    if sorted(mapped) != sorted(commands):
        failed += 1
        print(f"docs/README.md, the map from command to page: {sorted(set(mapped) ^ set(commands))} are in only one of map and program")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
