#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the `#include` lines of the sources.

    script/includes.py check [ROOT]          says which include breaks the order of the floors; exit status 1 where there is one
    script/includes.py affected [COMMIT]     prints the sources below src/ through which clang-tidy sees what changed since COMMIT: those that changed, and
                                             for each other header one that includes it; all where the rules of clang-tidy changed

The rules: a floor (a folder of src/, whose CMakeLists.txt has a line strata_level(NUMBER)) includes itself, the floors below it, which have lower numbers, and the public headers (include/strata/). Public headers include public headers only. src/cli
includes public headers, options of queries (src/query/, query_options.hpp) and its own files only. RESERVED names headers that few files may include. script/includes_allowed.txt lists what is not so yet, with the reason: a line `FILE HEADER REASON`,
with * in FILE and HEADER as in a shell; a line that allows nothing any more is an error too.

COMMIT is, where it is not given, STRATA_BASE of the environment; else where the current branch left origin/main, if that is known and not the current
commit itself; else the tenth commit before (or the first one).
"""
import collections
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
LEVEL = re.compile(r"^strata_level\(([0-9]+)\)$", re.MULTILINE)
CONFIGURATION = re.compile(r"^\.clang-tidy$")
CLI = "cli"
# Header: what may include it, as files or as folders.
RESERVED = {"src/value/growable.hpp": ("src/value/", "src/merge/", "src/deckhand/path/sharing.hpp")}


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.level = {}
        for path in self.root.glob("src/*/CMakeLists.txt"):
            for number in LEVEL.findall(path.read_text(encoding="utf-8")):
                self.level[path.parent.name] = int(number)
        self.files = sorted(path.relative_to(self.root).as_posix() for folder in ("include", "src") for path in (self.root / folder).rglob("*")
                            if path.suffix in (".hpp", ".h", ".cpp"))
        self.known = set(self.files)

    def includes(self, file):
        """(line, what is written, the file it is or None) of each quoted include."""
        text = (self.root / file).read_text(encoding="utf-8")
        for found in INCLUDE.finditer(text):
            name = found.group(1)
            places = (os.path.normpath(os.path.join(os.path.dirname(file), name)), f"include/{name}", f"src/{name}")
            yield text.count("\n", 0, found.start()) + 1, name, next((place for place in places if place in self.known), None)

    def broken(self, file, header):
        """None, or the rule that an include breaks."""
        if header is None:
            return "there is no such file"
        if header.startswith("include/"):
            return None
        if file.startswith("include/"):
            return "public headers include public headers only"
        users = RESERVED.get(header)
        if users is not None and not file.startswith(users):
            return f"only {', '.join(users)} may include it"
        own, other = file.split("/")[1], header.split("/")[1]
        if own == other:
            return None
        for floor in (own, other):
            if floor not in self.level:
                return f"src/{floor}/CMakeLists.txt has no line strata_level(NUMBER)"
        if own == CLI and other != "query" and not header.endswith("/query_options.hpp"):
            return "src/cli includes public headers, options of queries, and its own files only"
        if self.level[other] == self.level[own]:
            return f"the floors '{own}' and '{other}' do not know each other"
        return f"the floor '{other}' is above '{own}'" if self.level[other] > self.level[own] else None


def check(root):
    tree = Tree(root)
    allowed, used = [], set()
    exceptions = tree.root / "script/includes_allowed.txt"
    if exceptions.exists():
        for number, line in enumerate(exceptions.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("#"):
                file, header, _ = line.split(maxsplit=2)  # Each has a reason.
                allowed.append((number, file, header))
    failed = 0
    for file in tree.files:
        for number, name, header in tree.includes(file):
            rule = tree.broken(file, header)
            if rule is None:
                continue
            excuse = next((line for line, some, what in allowed if fnmatch.fnmatch(file, some) and fnmatch.fnmatch(name, what)), None)
            if excuse is not None:
                used.add(excuse)
                continue
            failed += 1
            print(f'{file}:{number}: #include "{name}": {rule}')
    for number, file, header in allowed:
        if number not in used:
            failed += 1
            print(f"script/includes_allowed.txt:{number}: {file} does not include {header} any more: delete the line")
    return 1 if failed else 0


def git(*words):
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def base_commit():
    head = git("rev-parse", "HEAD")
    left = git("merge-base", "HEAD", "origin/main")
    if left and left != head:
        return left
    return git("rev-parse", "--verify", "--quiet", "HEAD~10") or git("rev-list", "--max-parents=0", "HEAD").split()[0]


def affected(commit):
    """The sources in question: those that changed, and one for each header that no changed source includes."""
    tree = Tree(".")
    changed = set(git("diff", "--name-only", commit).splitlines()) | set(git("ls-files", "--others", "--exclude-standard").splitlines())
    sources = [file for file in tree.files if file.startswith("src/") and file.endswith(".cpp")]
    if any(CONFIGURATION.match(file) for file in changed):
        return sources
    included_by = collections.defaultdict(list)
    for file in tree.files:
        for _, _, header in tree.includes(file):
            included_by[header].append(file)
    out = dict.fromkeys(file for file in sources if file in changed)
    for header in (file for file in tree.files if file in changed and not file.endswith(".cpp")):
        # Findings in headers are told with whatever source includes them.
        reached = [header]
        for file in reached:
            reached += [other for other in included_by[file] if other not in reached]
        users = [file for file in reached if file.endswith(".cpp") and file.startswith("src/")]
        if users and not any(file in out for file in users):
            out[users[0]] = None
    return list(out)


def main():
    words = sys.argv[1:]
    if words[:1] == ["check"] and len(words) <= 2:
        return check(words[1] if len(words) == 2 else ".")
    if words[:1] == ["affected"] and len(words) <= 2:
        print("\n".join(affected(words[1] if len(words) == 2 else os.environ.get("STRATA_BASE") or base_commit())))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
