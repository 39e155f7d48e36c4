"""`python -m strata_layers ARGS`: what `strata ARGS` prints for one result, through the library."""
from __future__ import annotations

import sys
from typing import Optional

import strata_layers as strata

USAGE = """usage: python -m strata_layers VERB [OPTIONS] [--output yaml|json] [--blame | --explain[=POINTER]]

A verb of strata with its options: merge, render, lookup, compose, parameters, inject, inventory. --blame and --explain print JSON.
"""


class Wanted:
    """Options that say how a result is shown; the other words are the question."""

    def __init__(self, words: list[str]) -> None:
        self.words: list[str] = []
        self.output: Optional[str] = None
        self.blame = False
        self.explain: Optional[str] = None
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "--":
                self.words += words[at - 1:]
                return
            if word == "--output" and at < len(words):
                self.output = words[at]
                at += 1
            elif word.startswith("--output="):
                self.output = word.partition("=")[2]
            elif word == "--blame":
                self.blame = True
            elif word == "--explain" or word.startswith("--explain="):
                self.explain = word.partition("=")[2]
            else:
                self.words.append(word)


def shown(wanted: Wanted) -> tuple[str, list[strata.Diagnostic]]:
    with strata.open(words=wanted.words) as project:
        result = project.get("", history=True) if wanted.explain is not None else project.get()
    if wanted.blame:
        text = result.blame_json
    elif wanted.explain is not None:
        text = result.explain_json(wanted.explain)
    else:
        text = result.json if wanted.output == "json" else result.yaml if wanted.output == "yaml" else result.text
    return text, result.warnings


def main(words: list[str]) -> int:
    wanted = Wanted(words)
    if not wanted.words or wanted.words[0] in ("-h", "--help"):
        sys.stderr.write(USAGE)
        return 0 if wanted.words else 2
    if wanted.output not in (None, "yaml", "json"):
        sys.stderr.write(f"strata_layers: --output takes yaml or json, not {wanted.output!r}\n")
        return 2
    try:
        text, warnings = shown(wanted)
    except strata.Misuse as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except strata.Error as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
    for one in warnings:
        sys.stderr.write(f"{one.severity}: {one.message} [{one.code}]\n")
    return 1 if any(one.severity == "error" for one in warnings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
