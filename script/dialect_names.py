#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that code which works with any dialect names none, for script/lint.

usage: dialect_names.py [ROOT]

Analyses decide by the properties of a dialect (include/strata/traits.hpp). So the sources of the modules in ANY do not
include a header of a dialect, and no string in them is the name of a dialect or of its command, or has its syntax. ALLOWED lists the files that know one
system, with the reason. Prints one line per name; exit status 1 if there are any.
"""
import pathlib
import re
import sys

ANY = ("src/analysis", "src/edit", "src/query", "src/report")
ALLOWED = {
    "src/analysis/manifest.cpp": "reads manifests of Puppet, whose functions are called lookup and hiera",
    "src/analysis/rules/legacy_facts.cpp": "rewrites facts of Puppet in the syntax of Hiera",
    "src/analysis/rules/variable_rule.cpp": "suggests the same rewriting",
    "src/query/traits.cpp": "defines the syntaxes",
}
NAME = re.compile(r'"(?:bindings|cloud-init|cloudinit|compose|deckhand|heat|hiera|inject|inventory|lookup|lookup_options|merge|reclass|render)"'
                  r'|"[^"\n]*(?:%\{(?!:)|\$\{)[^"\n]*"|#cloud-config')
MODULE = re.compile(r'#include "(?:strata/)?(bindings|cloudinit|deckhand|heat|hiera|reclass)[./]')
COMMENT = re.compile(r"//.*")


def names_in(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = MODULE.search(line) or NAME.search(COMMENT.sub("", line))
        if found:
            yield number, found.group(0)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    mistakes, used = [], set()
    for folder in ANY:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            file = path.relative_to(root).as_posix()
            for number, name in names_in(path):
                used.add(file)
                if file not in ALLOWED:
                    mistakes.append(f"{file}:{number}: {name} names a dialect: use a property of query::Traits")
    mistakes += [f"script/dialect_names.py: {file} names no dialect any more: remove it from ALLOWED" for file in ALLOWED
                 if (root / file).exists() and file not in used]
    print("\n".join(mistakes), end="\n" if mistakes else "")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
