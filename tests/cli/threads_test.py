#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same bytes for every number of threads: results, histories, blame, warnings and errors.

usage: threads_test.py STRATA [ROUNDS]
"""
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

from case_runner import run_cases

STRATA = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
THREADS = ("1", "2", "8")


def entries(count, tail=""):
    return "".join(f"  - {{name: n{i}, key{i % 40}: 'value {i}', on: {str(i % 2 == 0).lower()}}}\n" for i in range(count)) + tail


def parts(wrong=()):
    """Files of uneven sizes, together large enough for threads."""
    for i in range(40):
        yield f"p{i:02}.yaml", "#cloud-config\nusers:\n" + entries(60 + (i % 7) * 80, wrong[i] if i in wrong else "") + f"same: {i}\nsame: {i + 1}\n"


def environments(wrong=()):
    for i in range(40):
        values = "".join(f"  p{k % 300}: 'value {k} of {i}'\n" for k in range(i, i + 120 + (i % 5) * 60))
        yield f"e{i:02}.yaml", "parameters:\n" + values + (wrong[i] if i in wrong else "")


def documents(wrong=""):
    text = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site]}\n"
    for i in range(3000):
        text += f"---\nschema: x/Y/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: d{i}\n  layeringDefinition: {{abstract: false, layer: site}}\ndata: {{n: {i}, text: 'value {i} {'x' * 300}'}}\n"
        if i == 2000:
            text += wrong
    yield "site.yaml", text


def nodes():
    yield "code/environments/production/hiera.yaml", "version: 5\nhierarchy:\n  - name: n\n    path: '%{n}.yaml'\n  - name: c\n    path: c.yaml\n"
    yield "code/environments/production/data/c.yaml", "".join(f"k{i}: 'common %{{n}} {i}'\n" for i in range(50))
    for i in range(10):
        yield f"code/environments/production/data/n{i}.yaml", f"k{i}: [own\n" if i == 7 else f"k{i}: own\n"
    yield "nodes.yaml", "".join(f"- {{name: host{i}, facts: {{n: n{i % 12}}}}}\n" for i in range(300))


def levels(wrong=()):
    yield "code/environments/production/hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    paths: [a.yaml, b.yaml, c.yaml, d.yaml, e.yaml]\n"
    for number, name in enumerate("abcde"):
        values = "".join(f"k{i}: {{from_{name}: 'value {i}', list: [{i}, {number}]}}\n" for i in range(800 + 400 * number))
        options = "lookup_options: {'^k': {merge: deep}}\n" if name == "e" else ""
        yield f"code/environments/production/data/{name}.yaml", options + values + ("wrong: [\n" if name in wrong else "")


MERGE = ["merge", "--strategy", "list(append)+dict(recurse_list)+str()"]
FLEET = ["lookup", "--codedir", "code", "--nodes", "nodes.yaml"]
ERRORS = {3: "wrong: [\n", 21: "wrong: *nowhere\n", 33: "? [a]\n: b\n"}
CASES = {
    "merge": (parts(), MERGE, "*.yaml"),
    "merge with errors": (parts(ERRORS), MERGE, "*.yaml"),
    "merge --explain": (parts({21: "wrong: [\n"}), [*MERGE, "--explain"], "*.yaml"),
    "merge --blame": (parts(), [*MERGE, "--blame"], "*.yaml"),
    "compose": (environments(), ["compose"], "-e"),
    "compose with errors": (environments(ERRORS), ["compose"], "-e"),
    "compose --explain": (environments(), ["compose", "--explain"], "-e"),
    "render": (documents(), ["render", "site.yaml"], None),
    "render --explain": (documents(), ["render", "--explain=/3", "site.yaml"], None),
    "render with an error": (documents("---\na: [\n"), ["render", "site.yaml"], None),
    "render with a wrong document": (documents("---\na: b\n"), ["render", "site.yaml"], None),
    "lookup": (levels(), ["lookup", "--codedir", "code", "k7", "k700", "--explain"], None),
    "lookup --all": (levels(), ["lookup", "--codedir", "code", "--all"], None),
    "lookup with errors": (levels("bd"), ["lookup", "--codedir", "code", "k7"], None),
    "fleet": (nodes(), [*FLEET, "--all"], None),
    "fleet in lines": (nodes(), [*FLEET, "k1", "k2", "--output", "jsonl"], None),
}


def differs(files, arguments, names):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        listed = sorted(path.name for path in folder.glob("*.yaml"))
        if names == "-e":
            arguments = [*arguments, *itertools.chain.from_iterable(("-e", name) for name in listed)]
        elif names is not None:
            arguments = [*arguments, *listed]
        seen = None
        for _, threads in itertools.product(range(ROUNDS), THREADS):
            run = subprocess.run([STRATA, *arguments, "--threads", threads], cwd=folder, capture_output=True)
            told = (run.returncode, run.stdout, run.stderr)
            if not run.stdout and not run.stderr:
                return "nothing is printed"
            if seen is None:
                seen = told
            elif seen != told:
                return f"{threads} threads give another result than {THREADS[0]}"
    return None


sys.exit(run_cases((name, differs(*case)) for name, case in CASES.items()))
