#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what is committed and how, for script/lint.

usage: repository.py files       refuses databases, logs, build output, binary files outside the folders for them,
                                 and sources without a line that names their license
       repository.py subjects    refuses commit subjects that do not follow CONTRIBUTING.md, since the commit that added this script

Prints one line per mistake; exit status 1 if there are any.
"""
import pathlib
import re
import subprocess
import sys

BINARY_FOLDERS = ("fuzz/corpus/", "docs/images/")
STRAY = re.compile(r"\.(db|db-wal|db-shm|sqlite3?|lock|log|o|a|so|pyc|core|tmp|orig|rej|swp)$")
LICENSE = b"SPDX-License-Identifier: Apache-2.0"
SOURCES = (".cpp", ".cpp.in", ".hpp", ".h", ".c", ".py", ".rb", ".sh", ".cmake", "CMakeLists.txt", ".ts", ".tsx", ".mjs", "src/style.css")
WITHOUT_LICENSE = ("tests/vectors/", "examples/", "web/dist/", "fuzz/corpus/")
SUBJECT = re.compile(r"(?:fixup! )*[a-z0-9][a-z0-9 _./+-]*: \S.*")
LONGEST_SUBJECT = 72


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def files():
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "--eol", "-z").split("\0")
    for line in filter(None, listed):
        about, path = line.split("\t", 1)
        if not pathlib.Path(path).is_file():
            continue
        if STRAY.search(path):
            yield f"{path}: a database, log or build output does not belong into the repository: delete it, and fix what wrote it"
        elif "/-text" in about and not path.startswith(BINARY_FOLDERS):
            yield f"{path}: a binary file outside {' and '.join(BINARY_FOLDERS)}"
        elif not path.startswith(WITHOUT_LICENSE) and is_without_license(path):
            yield f"{path}: its first lines do not contain '{LICENSE.decode()}'"


def is_without_license(path):
    with open(path, "rb") as file:
        head = file.read(256)
    return (path.endswith(SOURCES) or head.startswith(b"#!")) and LICENSE not in head


def subjects():
    name = pathlib.Path(__file__).resolve().relative_to(pathlib.Path(git("rev-parse", "--show-toplevel").strip()).resolve())
    added = git("log", "--diff-filter=A", "--format=%H", "--", str(name)).split()
    if not added:
        return
    for line in git("log", "--no-merges", "--format=%h %s", f"{added[-1]}..HEAD").splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > LONGEST_SUBJECT:
            yield f"{commit}: the subject has {len(subject)} characters, more than {LONGEST_SUBJECT}: {subject}"
        elif not SUBJECT.fullmatch(subject):
            yield f"{commit}: the subject is not 'area: what changes': {subject}"


def main():
    checks = {"files": files, "subjects": subjects}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        print(__doc__, file=sys.stderr)
        return 2
    mistakes = list(checks[sys.argv[1]]())
    print("\n".join(mistakes), end="\n" if mistakes else "")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
