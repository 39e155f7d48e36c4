#!/usr/bin/env python3
"""Runs every example of the documentation: lines of README.md and docs/*.md that are indented and begin with `strata `.

usage: docs_test.py STRATA ROOT
Each runs in ROOT and must end with status 0. Lines that hold `...` or words in capitals (PART, REV, FILE) are patterns, not examples.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys


def examples(page):
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        command = re.fullmatch(r" {4}(strata .*)", line)
        if command and not re.search(r"\.\.\.|…|\b(PART|REV|FILE|NAME|DIR)\b|\[options\]", line):
            yield f"{page}:{number}", shlex.split(command.group(1))[1:]


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    failed = count = 0
    for page in [root / "README.md", *sorted(root.glob("docs/*.md"))]:
        for place, arguments in examples(page):
            count += 1
            done = subprocess.run([program, *arguments], cwd=root, capture_output=True, text=True, check=False, timeout=60)
            if done.returncode != 0:
                failed += 1
                print(f"{place}: strata {shlex.join(arguments)} ended with {done.returncode}\n{done.stderr}")
    print(f"{count} examples, {failed} failed")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
