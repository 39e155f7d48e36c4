#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strata check --fix against brute force: the files that it writes are those that a one-by-one model of the rules leaves, and no result changes (P12).

The model takes candidates in the order of the rules, edits by loading and dumping YAML, and asks the plain command; it shares no code with the
program. Usage: check_fix_test.py BINARY [--count N] [--seed S]
"""
import argparse
import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_properties_test import compose_site, lookup_site, merge_site, outcome, run  # noqa: E402

ALL = "dead-override,idle-knockout,never-visible,dead-item"


def write(site, folder):
    for name, text in site.fixed.items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")
    for name, data in site.files.items():
        site.write(folder, name, data)


def without(data, tokens):
    """As the editor removes: a mapping or list that becomes empty stays."""
    data = copy.deepcopy(data)
    here = data
    for token in tokens[:-1]:
        here = here[int(token) if isinstance(here, list) else token]
    del here[int(tokens[-1]) if isinstance(here, list) else tokens[-1]]
    return data


def tokens_of(pointer):
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def findings(binary, folder, site, codes):
    told = run(binary, folder, "check", "--select", codes, "--output", "json", *site.question)
    if told.returncode not in (0, 1):
        raise AssertionError(told.stderr)
    return [one for one in json.loads(told.stdout)["findings"] if one["code"].startswith("check.")]


def read(site, folder):
    return {name: yaml.safe_load(pathlib.Path(folder, name).read_text(encoding="utf-8")) for name in site.files}


def readers(site):
    if site.ask[0] != "lookup":
        return lambda name: 1
    nodes = json.loads(site.fixed["nodes.json"])

    def count(name):
        if name == "data/common.yaml":
            return len(nodes)
        key, value = name.removeprefix("data/").removesuffix(".yaml").split("/")
        return sum(1 for node in nodes if node["facts"]["cert" if key == "node" else key] == value)

    return count


def expected(binary, site, codes):
    """What one-by-one removal leaves, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        write(site, folder)
        base = outcome(binary, folder, site)
        count = readers(site)
        taken = 0
        while True:
            candidates = sorted(findings(binary, folder, site, codes), key=lambda one: (count(one["file"]), one["file"], -one["line"], -one["column"]))
            took = False
            for one in candidates:
                data = read(site, folder)[one["file"]]
                site.write(folder, one["file"], without(data, tokens_of(one["path"])))
                if outcome(binary, folder, site) == base:
                    took, taken = True, taken + 1
                else:
                    site.write(folder, one["file"], data)
            if not took:
                return read(site, folder), taken


def check(binary, site, seed, codes):
    with tempfile.TemporaryDirectory() as folder:
        write(site, folder)
        base = outcome(binary, folder, site)
        if base[0] == "error":
            return 0
        want, taken = expected(binary, site, codes)
        shown = run(binary, folder, "check", "--diff", "--select", codes, *site.question)
        before = {name: pathlib.Path(folder, name).read_text(encoding="utf-8") for name in site.files}
        done = run(binary, folder, "check", "--fix", "--select", codes, *site.question)
        context = f"seed {seed} {site.question}\n{done.stdout}\n{done.stderr}\n" + "\n".join(f"--- {name}\n{text}" for name, text in before.items())
        if done.returncode not in (0, 1):
            raise AssertionError(context)
        if not done.stdout.startswith(f"fixed {taken} of "):
            raise AssertionError(f"{taken} are to be taken; {context}")
        if read(site, folder) != want:
            raise AssertionError(f"left {read(site, folder)}, wanted {want}; {context}")
        if outcome(binary, folder, site) != base:
            raise AssertionError(f"the results differ; {context}")
        again = run(binary, folder, "check", "--fix", "--select", codes, *site.question)
        if not again.stdout.startswith("fixed 0 of "):
            raise AssertionError(f"fixed twice: {again.stdout}; {context}")
        # --diff is the same change.
        with tempfile.TemporaryDirectory() as other:
            write(site, other)
            subprocess.run(["patch", "-p1", "--quiet"], cwd=other, input=shown.stdout, text=True, check=True, timeout=60)
            for name in site.files:
                if pathlib.Path(other, name).read_text(encoding="utf-8") != pathlib.Path(folder, name).read_text(encoding="utf-8"):
                    raise AssertionError(f"--diff differs in {name}; {context}")
        return taken


def check_comments(binary):
    """Comments outside what is taken out stay; a file without statements keeps them too."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "data/node").mkdir(parents=True)
        (root / "hiera.yaml").write_text("version: 5\nhierarchy:\n  - {name: n, path: 'node/%{cert}.yaml'}\n  - {name: c, path: common.yaml}\n")
        (root / "nodes.json").write_text(json.dumps([{"name": one, "facts": {"cert": one}} for one in "ab"]))
        (root / "data/common.yaml").write_text("port: 80  # for all\nname: x\n")
        (root / "data/node/a.yaml").write_text("# node a\n\n# its port\nport: 80  # as everywhere\nname: y   # its own\n")
        (root / "data/node/b.yaml").write_text("# node b\n\nport: 80\n")
        question = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"]
        done = run(binary, folder, "check", "--fix", *question)
        assert done.stdout == "fixed 2 of 3 findings in 2 files\n0 errors, 0 warnings, 0 notes\n", done.stdout
        assert (root / "data/node/a.yaml").read_text() == "# node a\n\n# its port\nname: y   # its own\n", (root / "data/node/a.yaml").read_text()
        assert (root / "data/node/b.yaml").read_text() == "# node b\n\n{}\n", (root / "data/node/b.yaml").read_text()
        # What is allowed stays.
        (root / "data/node/b.yaml").write_text("port: 80  # strata: allow dead-override it is moved soon\n")
        done = run(binary, folder, "check", "--fix", *question)
        assert done.returncode == 0 and done.stdout.startswith("fixed 0 of 0 findings in 0 files\n"), done.stdout
        assert (root / "data/node/b.yaml").read_text() == "port: 80  # strata: allow dead-override it is moved soon\n"
        # What cannot be edited stays, and is told.
        (root / "data/common.yaml").write_text("base: &p 80\nport: *p\n")
        (root / "data/node/b.yaml").write_text("port: &q 80\nother: *q\n")
        done = run(binary, folder, "check", "--fix", *question)
        assert done.returncode == 1 and "edit.unsupported" in done.stderr and "fixed 0 of 1 finding in 0 files" in done.stdout, done
        # Both together say nothing.
        assert run(binary, folder, "check", "--fix", "--diff", *question).returncode == 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    check_comments(binary)
    taken = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        for make in (lookup_site, merge_site, compose_site):
            for codes in ("dead-override,idle-knockout", ALL):
                taken += check(binary, make(random.Random(seed)), seed, codes)
    if taken == 0:
        raise AssertionError("nothing was taken out")
    print(f"{6 * arguments.count} sites, {taken} statements were taken out")


if __name__ == "__main__":
    sys.exit(main())
