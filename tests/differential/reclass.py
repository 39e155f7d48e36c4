#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata inventory` against reclass, on random inventories.

usage: reclass.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--case SEED]

Needs the distribution's python3-reclass (1.7.0), whose functions are called in a process of its own for each case, because some inputs never end there.
One import of it no longer exists in this Python and is given to it. What is compared, for each node: whether it fails, else applications, classes,
environment and parameters. Each difference is shown with the seed of its case; exit status 1 where there is one. Left out on purpose, because strata
departs from the reference there: docs/reclass/fidelity.md.
"""
import copy
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from long_scalars import is_long, long_scalar

# This file is called as the package is.
sys.path[:] = [path for path in sys.path if os.path.realpath(path or ".") != os.path.dirname(os.path.realpath(__file__))]

import yaml

CLASSES = ["base", "role.web", "role.db", "role.init", "site", "site.north", "site.south", "x", "x.y.z"]
SCALARS = [None, True, False, 0, 1, -7, 1.5, "", "t", "two words", "é☃", "1", "}", "a\\b", "$a", "[x]"]
CALM = ["\\${a}", "\\\\${s3}", "\\\\\\${s3}", "\\", "}", "\\}", "\\\\}", "{", "]", ":", "x", " ", "\t"]
ESCAPES = [*CALM, "$", "$[", "\\$[", "${}", "${ s3 }", "${s3"]
# What each parameter is. A reference leads to a later one, mostly: no circle.
TREE = {"s0": "s", "m0": {"s": "s", "l": "l", "m": {"s": "s", "t": "s"}}, "l0": "l", "s1": "s", "m1": {"s": "s", "m": {"s": "s"}}, "l1": "l", "s2": "s",
        "m2": {"s": "s", "l": "l"}, "l2": "l", "s3": "s"}
ORDER = list(TREE)


# Where the reference fails by accident: values that it left behind, or that were not known when they were needed.
ACCIDENTS = ("IndexError", "RepresenterError", "InfiniteRecursionError", "RecursionError", "BadReferencesError", "ChangedConstantError")


def is_accident(error):
    return error.startswith(ACCIDENTS) or error.startswith("TypeMergeError") and ("reference" in error or "composite" in error)


def is_left_out(error, folder):
    """Whether what does not merge is overridden, or met itself through a reference: docs/reclass/fidelity.md."""
    found = re.search(r", at ([^,]+), in (.+)$", error.strip())
    if not error.startswith("TypeMergeError") or found is None:
        return False
    places = found[2].split("; ")
    texts = "".join(file.read_text() for file in folder.rglob("*.y*ml"))
    return len(set(places)) < len(places) or any(f"~{key}:" in texts for key in found[1].split(":"))


class Dice(random.Random):
    """In most cases nothing is wrong, so that the others are not all that is seen."""

    def __init__(self, seed):
        super().__init__(seed)
        self.wild = self.choice([0, 0, 0, 0.3, 1])

    def errs(self, share):
        return self.random() < share * self.wild


def paths(tree, prefix=""):
    for name, shape in tree.items():
        yield prefix + name, "m" if isinstance(shape, dict) else shape
        if isinstance(shape, dict):
            yield from paths(shape, f"{prefix}{name}:")


PATHS = list(paths(TREE))


def reference(rng, kind, rank, depth=0):
    """A reference from the parameter with this rank."""
    if rng.errs(0.05):
        return "${" + rng.choice(["none", "m0:none", "l0:0", "l2:0", "m2:l:1:x", "s0:x", "_reclass_:name:short", "_reclass_:environment", "m1"]) + "}"
    if rng.wild and depth < 2 and kind == "s" and rng.random() < 0.05:
        return "${m" + str(reference(rng, "s", rank, depth + 1)) + ":s}"
    low = -1 if rng.errs(0.02) else rank
    found = [path for path, shape in PATHS if (shape == kind or rng.errs(0.02)) and ORDER.index(path.split(":")[0]) > low]
    return "${" + rng.choice(found) + "}" if found else {"s": "last", "l": [], "m": {}}[kind]


def text(rng, rank):
    escapes = ESCAPES if rng.errs(0.2) else CALM
    return "".join(rng.choice([str(reference(rng, "s", rank)), rng.choice(escapes)]) for _ in range(rng.randrange(1, 5)))


def free(rng, depth, rank):
    """A value below which nothing is known."""
    kind = rng.randrange(8)
    if kind == 0:
        return reference(rng, rng.choice("sml"), rank)
    if depth == 0 or kind < 5:
        return rng.choice(SCALARS)
    if kind < 6:
        return [free(rng, depth - 1, rank) for _ in range(rng.randrange(3))]
    return {rng.choice(["", "", "", "~", "="]) + rng.choice(["k", "j"]) if rng.random() < 0.95 else rng.choice([1, True, 2.5]): free(rng, depth - 1, rank)
            for _ in range(rng.randrange(3))}


def value(rng, shape, rank, whole):
    if rng.errs(0.03):
        return free(rng, 2, rank)
    kind = "m" if isinstance(shape, dict) else shape
    if whole and rng.random() < 0.25:
        return None
    if not whole and rng.random() < 0.15:
        return reference(rng, kind, rank)
    if kind == "s" and is_long(rng):
        return long_scalar(rng)
    if kind == "s":
        return text(rng, rank) if rng.random() < 0.1 else rng.choice(SCALARS)
    if kind == "l":
        return [free(rng, 1, rank) for _ in range(rng.randrange(4))]
    return mapping(rng, shape, lambda _: rank, whole)


def mapping(rng, tree, rank_of, whole=False):
    out = {}
    for name, shape in tree.items():
        if whole or rng.random() < 0.4:
            prefix = "~" if not whole and rng.random() < 0.06 else "=" if rng.errs(0.03) or whole and tree is not TREE and rng.random() < 0.01 else ""
            made = value(rng, shape, rank_of(name), whole)
            # Below a mapping that a reference copies, an override of a container overrides there, too.
            out[name if prefix == "~" and tree is not TREE and isinstance(made, (dict, list)) else prefix + name] = made
    if rng.random() < 0.1:
        out[rng.choice(["new", 1, "a:b"])] = free(rng, 2, len(ORDER)) if rng.errs(0.5) else rng.choice(SCALARS)
    return out


def entity(rng, name, classes, is_node=False):
    out = {}
    if rng.random() < (1 if is_node else 0.4):
        names = ["base"] * is_node + [rng.choice(classes) for _ in range(rng.randrange(1, 5 if is_node else 3))]
        if rng.random() < 0.1:
            names.append(rng.choice(["role.${where}", "${which}", ".north", ".web", "..x", "site.${which}", "gone", "bad name", "x/y"] if rng.errs(1) else
                                    ["..x", "..site", ".x"]))
        out["classes"] = names
    if rng.random() < 0.5:
        out["applications"] = [rng.choice(["", "", "~"]) + rng.choice(["p", "q", "r", "s"]) for _ in range(rng.randrange(4))]
    if rng.random() < 0.2:
        out["environment"] = rng.choice(["dev", "prod", None, 5])
    if name == "base" or rng.random() < 0.9:
        out["parameters"] = mapping(rng, TREE, ORDER.index, name == "base") if rng.random() < 0.97 or name == "base" else rng.choice([None, {}])
        if rng.random() < 0.1 and out["parameters"] is not None:
            out["parameters"][rng.choice(["where", "which"])] = rng.choice(["web", "db", "north", "x", "role"])
    return out


def write(rng, folder):
    for i, name in enumerate(CLASSES):
        # Classes mostly name later ones: no circle.
        later = CLASSES if rng.errs(0.1) else CLASSES[i + 1:]
        file = folder / "classes" / (name.replace(".", "/") + rng.choice([".yml", ".yaml"]))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(entity(rng, name, [one.removesuffix(".init") for one in later] or ["x"])))
    for name in ("web1", "db1.example.com"):
        file = folder / "nodes" / rng.choice(["", "north/"]) / (name + ".yml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(entity(rng, name, [one.removesuffix(".init") for one in CLASSES], True)))


def leave_out_accidents():
    """What depends on the order of keys in the reference does so no more."""
    from reclass.datatypes.parameters import Parameters
    from reclass.values.valuelist import ValueList

    # What is merged at one place also changes what shares it, through a reference to a mapping.
    update = Parameters._update_value

    def update_alone(self, cur, new):
        if isinstance(cur, ValueList):
            values = copy.copy(cur)
            values._values = list(cur._values)
            cur = values
        return update(self, cur, new)

    Parameters._update_value = update_alone
    # What a reference leads to may not be rendered yet, where it lies in a mapping that replaced null, or is one.
    render = Parameters._interpolate_references

    def render_below(self, path, value, inventory):
        render(self, path, value, inventory)
        for reference in value.get_references():
            while below := [each for each, waits in self._unrendered.items() if waits and f"{each}:".startswith(f"{reference}:")]:
                self._interpolate_inner(below[0], inventory)

    Parameters._interpolate_references = render_below


def oracle(folder):
    """Prints what the reference gives for each node: as it is, and without accidents."""
    import collections
    import collections.abc
    collections.Iterable = collections.abc.Iterable
    from reclass import get_storage
    from reclass.core import Core
    from reclass.settings import Settings

    out = {"web1": [], "db1.example.com": []}
    for prepare in (lambda: None, leave_out_accidents):
        prepare()
        core = Core(get_storage("yaml_fs", f"{folder}/nodes", f"{folder}/classes", False), None, Settings({}))
        for name, results in out.items():
            try:
                node = core.nodeinfo(name)
                yaml.safe_dump(node)  # Values that it left behind fail here.
                results.append({key: node[key] for key in ("applications", "classes", "environment", "parameters")})
            except BaseException as error:
                results.append({"error": f"{type(error).__name__}: {error}"})
    print(json.dumps(out))


def is_same(wanted, got):
    # Order counts in lists only: YAML sorts the reference's keys.
    return got is None if "error" in wanted else json.dumps(wanted, sort_keys=True) == json.dumps(got, sort_keys=True)


def is_excused(wanted, folder):
    """Whether the reference gives what strata does not follow."""
    if re.search(r"<reclass\.|Value\(", json.dumps(wanted)):
        return True
    return "error" in wanted and (is_accident(wanted["error"]) or is_left_out(wanted["error"], folder))


def check(program, seed):
    rng = Dice(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(rng, folder)
        try:
            run = subprocess.run([sys.executable, os.path.abspath(__file__), "--oracle", name], capture_output=True, text=True, timeout=20, check=True)
            expected = json.loads(run.stdout)
        except subprocess.TimeoutExpired:
            return None  # A value inside itself.
        run = subprocess.run([program, "inventory", "--all", "--output", "jsonl"], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        if run.returncode not in (0, 1):
            return f"case {seed}: exit status {run.returncode}\n{run.stderr}"
        got = {}
        for line in run.stdout.splitlines():
            got.update(json.loads(line))
        problems = []
        for node, results in expected.items():
            if not any(is_same(wanted, got.get(node)) for wanted in results) and not is_excused(results[-1], folder):
                shown = "\n".join(f"  reference {json.dumps(wanted, sort_keys=True)}" for wanted in results)
                problems.append(f"{node}\n{shown}\n  strata    {json.dumps(got.get(node), sort_keys=True)}")
        if not problems:
            return None
        files = "\n".join(f"--- {file.relative_to(folder)}\n{file.read_text()}" for file in sorted(folder.rglob("*.y*ml")))
        return f"case {seed}: " + "\n".join(problems) + f"\n{run.stderr}{files}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--oracle"]:
        oracle(sys.argv[2])
    else:
        sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
        from seeded_cases import run_cases
        sys.exit(run_cases(__doc__, check))
