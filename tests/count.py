#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Counts tests and cases in the sources, without a build.

usage: tests/count.py            prints docs/tests.md as it should be
       tests/count.py --page     writes it
       tests/count.py --check    exit status 1 if it is not up to date
"""
import json
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run_vectors import SET_ASIDE  # pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/tests.md"
UNIT_TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(", re.MULTILINE)
PROPERTY = re.compile(r"^RC_GTEST_(?:FIXTURE_)?PROP\(", re.MULTILINE)
BROWSER_TEST = re.compile(r"^(?: {2})?test\(", re.MULTILINE)
SYSTEMS = {
    "analysis": "`diff`, `impact`, `check`, `coverage`, `set`, source maps",
    "bindings": "ARM-8 bindings",
    "cloudinit": "cloud-init",
    "deckhand": "Deckhand",
    "heat": "Heat",
    "hiera": "Hiera 5",
    "long-strings": "searches in long strings",
    "provenance": "`--blame`, `--explain`, `--lists`",
    "reclass": "reclass",
    "sites": "sites of every system",
}

HEAD = """<!-- tests/count.py --page writes this page. -->

# Tests

The number of tests of each kind, counted in the sources by `tests/count.py`. `script/test` runs the unit tests, the tests of programs and the
conformance vectors; each of the other kinds has its own script.
"""


def table(*rows):
    lines = [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"


def with_sum(heading, rows):
    sums = [sum(row[column] for row in rows) for column in range(1, len(heading))]
    return table(heading, *([row[0], *(f"{cell:,}" for cell in row[1:])] for row in rows), ["**all**", *(f"**{number:,}**" for number in sums)])


def vectors():
    rows = []
    for folder in sorted(path for path in (ROOT / "tests/vectors").iterdir() if path.is_dir()):
        cases = {"commands": 0, "service": 0, "aside": 0}
        for file in folder.rglob("*.json"):
            for case in json.loads(file.read_text(encoding="utf-8")):
                cases["aside" if file.name in SET_ASIDE else "commands" if "argv" in case else "service"] += 1
        rows.append([SYSTEMS.get(folder.name, folder.name), *cases.values()])
    return f"""## Conformance vectors

Cases with the inputs, the command and the expected result, most of them taken from the reference (`tests/vectors`). `tests/run_vectors.py` runs
the commands, and the unit tests of the service the cases for its API. The cases that are set aside hold bugs of a reference that strata does not
repeat; `--all` runs them.

{with_sum(["system", "commands", "service", "set aside"], rows)}"""


def unit_tests():
    rows = []
    for folder in sorted(path for path in (ROOT / "tests").iterdir() if path.is_dir()):
        sources = [file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.cpp"))]
        counts = [sum(len(pattern.findall(source)) for source in sources) for pattern in (UNIT_TEST, PROPERTY)]
        if any(counts):
            rows.append([f"`{folder.name}`", *counts])
    return f"""## Unit tests and properties

GoogleTest and RapidCheck. A test with parameters counts once, a property is run with 100 random inputs.

{with_sum(["module", "tests", "properties"], rows)}"""


def count(pattern):
    return len(list(ROOT.glob(pattern)))


def programs():
    browser = sum(len(BROWSER_TEST.findall(file.read_text(encoding="utf-8"))) for file in ROOT.glob("tests/explorer/*.test.mjs"))
    rows = [
        ["test programs of the commands and the service (`tests/cli`)", "`script/test`", count("tests/cli/*_test.py")],
        ["test programs of the scripts (`tests/script`)", "`script/test`", count("tests/script/*_test.py")],
        ["programs that inject faults into the service (`tests/faults`)", "`script/faults`", len(fault_programs())],
        ["tests of the explorer in a browser (`tests/explorer`)", "`script/explorer --test`", browser],
    ]
    return "## Tests of programs\n\n" + table(["kind", "run by", "count"], *rows)


def fault_programs():
    script = (ROOT / "script/faults").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"^ *run ([a-z_]+)", script, re.MULTILINE)))


def listed(found):
    return textwrap.fill(", ".join(f"`{name}`" for name in found) + ".", width=150)


def counted(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def comparisons():
    found = []
    for file in sorted(ROOT.glob("tests/differential/*.py")):
        if re.search(rf"^ *usage: {file.name} [A-Z_]+", file.read_text(encoding="utf-8"), re.MULTILINE):
            found.append(file.stem)
    return f"""## Comparisons with references

`script/differential` compares strata with the installed references on random inputs. There {'is' if len(found) == 1 else 'are'} {counted(len(found), "comparison")}:\n{listed(found)}
"""


def fuzz_targets():
    found = [file.name.removesuffix("_fuzz.cpp") for file in sorted(ROOT.glob("fuzz/*_fuzz.cpp"))]
    seeds = len([path for path in ROOT.glob("fuzz/corpus/*/*") if path.is_file()])
    return f"""## Fuzz targets

`script/fuzz` runs {counted(len(found), "target")} of libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer, from {counted(seeds, "seed")}:\n{listed(found)}
"""


def page():
    return "\n".join([HEAD, vectors(), unit_tests(), programs(), comparisons(), fuzz_targets()])


def main():
    if len(sys.argv) > 2 or sys.argv[1:] not in ([], ["--page"], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    wanted = page()
    if not sys.argv[1:]:
        print(wanted, end="")
    elif sys.argv[1] == "--page":
        PAGE.write_text(wanted, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != wanted:
        print("docs/tests.md is not up to date: run tests/count.py --page and commit it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
