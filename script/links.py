#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every link between pages, and every mention of a page in the sources, leads somewhere. No network: links to other sites are not looked at.

usage: links.py [FOLDER]    (in the root of the repository)

FOLDER: the pages below it, as packages install them, in place of the repository's: no link may lead out of it.

In Markdown: `[text](PATH)`, `[text](PATH#SECTION)` and `[text](#SECTION)`. In all other files: `docs/<PAGE>.md`, perhaps with `, "SECTION"` behind it.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path.cwd()
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MENTION = re.compile(r'\bdocs/[\w./-]*\.md\b((?:(?:,| and) "[^"\n]+")*)')


def headings(page):
    """The headings of a page, as they are written."""
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#+ (.*)$", text, re.MULTILINE)


def anchor(heading):
    """What a heading is called in a link: its words in small letters with `-` between them."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(page):
    """Each link of a page outside of code: number of the line, and where it leads."""
    text = page.read_text(encoding="utf-8")
    for code in (re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL), re.compile(r"`[^`]*`")):
        text = code.sub(lambda found: "\n" * found.group().count("\n"), text)
    for found in LINK.finditer(text):
        if "://" not in found.group(1):
            yield text.count("\n", 0, found.start()) + 1, found.group(1)


def check_page(page):
    for number, target in links(page):
        path, _, section = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        if not other.exists() or not other.is_relative_to(ROOT):
            yield f"{page.relative_to(ROOT)}:{number}: {target}: there is no such file"
        elif section and section not in map(anchor, headings(other)):
            yield f"{page.relative_to(ROOT)}:{number}: {target}: there is no such section"


def check_mentions(file, name):
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    for found in MENTION.finditer(text):
        where = f"{name}:{text.count(chr(10), 0, found.start()) + 1}"
        page = ROOT / (found.group().partition(".md")[0] + ".md")
        if not page.exists():
            yield f"{where}: {page.relative_to(ROOT)}: there is no such page"
            continue
        known = [re.sub(r"^\d+\. ", "", heading.replace("`", "")) for heading in headings(page)]
        for section in re.findall(r'"([^"]+)"', found.group(1)):
            if section not in known:
                yield f"{where}: {page.relative_to(ROOT)} has no section \"{section}\""


def files_of_repository():
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True).stdout
    # The pattern of a dialect links to where its pages are when it is copied.
    return [name for name in names.decode().split("\0") if name and not name.startswith("script/dialect/") and (ROOT / name).is_file()]


def main(words):
    global ROOT
    ROOT = pathlib.Path(*words).resolve()
    files = sorted(str(page.relative_to(ROOT)) for page in ROOT.rglob("*.md")) if words else files_of_repository()
    wrong = []
    for name in files:
        wrong += check_page(ROOT / name) if name.endswith(".md") else check_mentions(ROOT / name, name)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
