#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that private names are unique in a module, for script/lint.

usage: names.py [FOLDER...]    modules such as src/hiera; all folders of src/ and tests/ by default

The sources of a module are compiled in units (cmake/StrataUnity.cmake) and then share one anonymous namespace. So no
two of them declare the same name there, and none declares one that a header of the module or a public header declares.
Otherwise the unit does not compile or, worse, a call means another function. It also helps readers: a search for a name
finds one thing.

The sources are formatted, so a declaration of a namespace begins in the first column. Prints one line per clash; exit
status 1 if there are any.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEPARATE = {"tests/c", "tests/differential", "tests/install"}  # Each source is a program.
PRIVATE = re.compile(r"\nnamespace \{(\n.*?)\n\}  // namespace\n", re.DOTALL)
TYPE = re.compile(r"\n(?:struct|class|union|enum class|enum) (\w+)")
OTHER = re.compile(r"\n(?:#define|namespace) (\w+)[ (]")
# Functions, variables and aliases: the last word before one of `(`, `=`, `{`, `[` and `;`.
NAMED = re.compile(r"\n(?!(?:struct|class|union|enum|namespace|template|using namespace) )[A-Za-z_:][^\n;({=#\[]*[ >&*](\w+) ?[({=;\[]")


def read(path):
    text = "\n" + path.read_text(encoding="utf-8")
    return re.sub(r"\[\[(nodiscard|maybe_unused|noreturn)\]\] ", "", text)


def declared(text):
    return {name for pattern in (TYPE, OTHER, NAMED) for name in pattern.findall(text)} - {"operator", "noexcept"}


def declared_by(headers):
    """Names to the header that declares them."""
    return {name: header for header in headers for name in declared(read(header))}


def clashes(folder, public):
    own = declared_by(sorted(folder.rglob("*.hpp")))
    users = collections.defaultdict(list)
    for source in sorted(folder.rglob("*.cpp")):
        for name in {name for block in PRIVATE.findall(read(source)) for name in declared(block)}:
            users[name].append(source)
    for name, sources in sorted(users.items()):
        header = own.get(name) or public.get(name)
        others = sources[1:] + ([header] if header else [])
        if others:
            places = " and ".join(str(other.relative_to(ROOT)) for other in others)
            yield f"{sources[0].relative_to(ROOT)}: the private name '{name}' is declared in {places}, too: rename one"


def main():
    folders = [pathlib.Path(folder).resolve() for folder in sys.argv[1:]]
    if not folders:
        folders = [path for base in ("src", "tests") for path in sorted((ROOT / base).iterdir()) if path.is_dir()]
    public = declared_by(sorted((ROOT / "include").rglob("*.hpp")))
    mistakes = [line for folder in folders if str(folder.relative_to(ROOT)) not in SEPARATE for line in clashes(folder, public)]
    print("\n".join(mistakes), end="\n" if mistakes else "")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
