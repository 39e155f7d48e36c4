#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strata check of inputs with many statements or documents: the same findings as from trying each statement alone, with fewer evaluations.

A check removes statements of long lists in groups (src/analysis/group_proof.cpp). The findings are compared with brute force, as in check_properties_test.py. The
number of evaluations is bounded with a small budget: trying each item alone would exceed it, and the check would report that. Usage: long_lists_test.py BINARY
[--count N] [--seed S]
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from case_runner import is_sanitized
from check_properties_test import Site, check

SMALL_BUDGET = ["--limit", "processor-seconds=2"]
LIST_MERGE = "list(append)+dict(recurse_dict,recurse_list)+str()"
POLICY = "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [global, site]}\n"


def items(rng, count):
    """Distinct and equal items, some of which are mappings."""
    choices = [lambda i: f"a{i}", lambda _: rng.choice(["x", "y", 1, True]), lambda i: {"name": f"n{i}", "shell": rng.choice(["s", "t"])}]
    return [rng.choices(choices, [8, 2, 2])[0](i) for i in range(count)]


def members(rng, count):
    return {f"k{i}": rng.choice([i, "v", [i, "w"], {"a": i % 3}]) for i in range(count) if rng.random() < 0.8}


def merge_site(rng):
    count = rng.randint(50, 70)
    files = {name: {"packages": items(rng, count), "ntp": members(rng, 20)} for name in ("a.yaml", "b.yaml")}
    if rng.random() < 0.7:
        files["b.yaml"]["merge_how"] = rng.choice([LIST_MERGE, "list(no_replace)+dict(no_replace,recurse_list)+str()", "dict(recurse_array)+list()+str(append)"])
    words = ["merge", *files]
    return Site(files, words, [*words, "--output", "json"])


def compose_site(rng):
    files = {name: {"parameter_defaults": {"p": items(rng, rng.randint(50, 60)), "q": members(rng, 30)}} for name in ("a.yaml", "b.yaml")}
    if rng.random() < 0.8:
        files["b.yaml"]["parameter_merge_strategies"] = {"p": rng.choice(["merge", "overwrite"]), "q": rng.choice(["deep_merge", "merge"])}
    words = ["compose", "-e", "a.yaml", "-e", "b.yaml"]
    return Site(files, words, [*words, "--output", "json"])


def render_site(rng):
    """A document inherits most members from another one that is a result as well."""
    def document(name, layer, data, **layering):
        return {"schema": "ex/Kind/v1", "metadata": {"schema": "metadata/Document/v1", "name": name, "storagePolicy": "cleartext", "labels": {"name": name},
                                                     "layeringDefinition": {"layer": layer, "abstract": False, **layering}}, "data": data}

    data = members(rng, 80)
    own = {key: value if rng.random() < 0.5 else "other" for key, value in data.items()}
    files = {"policy.yaml": {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"}, "data": {"layerOrder": ["global", "site"]}},
             "base.yaml": document("base", "global", data), "leaf.yaml": document("leaf", "site", own, parentSelector={"name": "base"}, actions=[{"method": "merge", "path": "."}])}
    words = ["render", *files]
    return Site(files, words, [*words, "--output", "json"])


def check_texts(binary, texts, *words):
    """The messages of a check of files a, b, …, and the most memory that it used, in KiB."""
    with tempfile.TemporaryDirectory() as folder:
        names = "abc"[:len(texts)]
        for name, text in zip(names, texts):
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        with subprocess.Popen([binary, "check", *SMALL_BUDGET, *words, *names], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            out = process.stdout.read()
            usage = os.wait4(process.pid, 0)[2]
            process.returncode = 0
    return out, usage.ru_maxrss


def few_evaluations(binary):
    count = 2000
    names = [f"a{i}" for i in range(count)]
    for text, words in (("#cloud-config\npackages: [" + ", ".join(names) + "]\n", ["merge"]),
                        ("#cloud-config\npackages:\n" + "".join(f"- {name}\n" for name in names), ["merge"]),
                        ("#cloud-config\npackages: [" + ", ".join(["x"] * count) + "]\n", ["merge"]),
                        ("#cloud-config\nusers:\n" + "".join(f"- {{name: {name}, shell: x}}\n" for name in names), ["merge"]),
                        ("parameter_merge_strategies: {l: merge}\nparameter_defaults:\n  l: [" + ", ".join(names) + "]\n", ["compose", "-e"])):
        out, _ = check_texts(binary, [text], *words)
        assert "limit.check" not in out, f"{text[:60]!r}: {out}"


def names_what_is_left_out(binary):
    """Each member of the first file is dead, which takes an evaluation each."""
    members_of_part = "".join(f"  k{i}: {i}\n" for i in range(2000))
    texts = [f"#cloud-config\nntp:\n  own: 1\n{members_of_part}", f"#cloud-config\nmerge_how: dict(recurse_dict)+list()+str()\nntp:\n{members_of_part}"]
    out, _ = check_texts(binary, texts, "merge")
    lines = [line for line in out.splitlines() if "[limit.check]" in line]
    assert len(lines) == 1 and lines[0].startswith("a:"), out[-2000:]
    first, left_out = int(lines[0].split(":")[1]), int(lines[0].split("from this one on, ")[1].split()[0])
    found = out.count("[check.dead-override]") + out.count("[check.never-visible]")
    assert 0 < found < 2000 and found + left_out == 2000 and first == 4 + found, f"{found} found, {lines[0]}"


def memory_of_documents(binary):
    def memory(count):
        head = "---\nschema: x/Y/v1\nmetadata: {schema: metadata/Document/v1, storagePolicy: cleartext, layeringDefinition: {abstract: false, layer: site}, name: "
        return check_texts(binary, [POLICY + "".join(f"{head}d{i}}}\ndata: {{a: {i}}}\n" for i in range(count))], "render")[1]

    few, more, most = memory(400), memory(800), memory(1600)
    assert most - more < 3 * max(more - few, 4096), f"{few}, {more}, {most} KiB for 400, 800 and 1600 documents"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    few_evaluations(binary)
    names_what_is_left_out(binary)
    if not is_sanitized(binary):
        memory_of_documents(binary)
    dead = 0
    for seed in range(options.seed, options.seed + options.count):
        rng = random.Random(seed)
        dead += check(binary, [merge_site, compose_site, render_site][seed % 3](rng), seed)
    print(f"{options.count} sites, {dead} dead statements")


if __name__ == "__main__":
    sys.exit(main())
