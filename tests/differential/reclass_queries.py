#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata inventory` against reclass and Kapitan's reclass, on random inventories with settings, exports and queries.

usage: reclass_queries.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--case SEED]

The inventories are those of reclass.py, with a reclass-config.yml, `exports`, and queries of them. Each is given to reclass 1.7.0 (the distribution's
python3-reclass), and, if the variable STRATA_KAPITAN_RECLASS names a clone of kapicorp/reclass, to that one with Kapitan's settings. `_reclass_` of
the second one is what Kapitan makes of a name, which the clone does not do. Lists of nodes count as sets: Kapitan's reclass has them in the order of
the folder on the disk.
"""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
KAPITAN = os.environ.get("STRATA_KAPITAN_RECLASS")
TESTS = ["exports:e0 == self:s1", "exports:e0 != t", "exports:e1 == True", "exports:m:x == 1", "exports:e1 != 1.5", "1 == exports:e1", "exports:m == self:m9"]


def inventories():
    """reclass.py, which is called as the package is."""
    before = list(sys.path)
    sys.path.append(str(HERE))
    spec = importlib.util.spec_from_file_location("random_inventories", HERE / "reclass.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


def query(rng):
    options = rng.choice(["", "", "", "+IgnoreErrors ", "+AllEnvs ", "+ignoreerrors +allenvs "])
    tests = rng.choice(TESTS)
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        tests += f" {rng.choice(['and', 'or', 'AND'])} {rng.choice(TESTS)}"
    path = "exports:" + rng.choice(["e0", "e0", "e1", "m", "m:x", "m:y", "none", "m:x:z"])
    return "$[ " + rng.choice([f"{options}{path}", f"{options}{path} if {tests}", f"{options}if {tests}"]) + " ]"


def export(rng):
    return rng.choice([1, True, "t", 1.5, "${s1}", "${s2}", "a ${s3}", "${l0}", "${m1}", "${none}" if rng.errs(0.3) else "t", ["${s1}"], None])


def exports(rng):
    out = {name: export(rng) for name in ("e0", "e1") if rng.random() < 0.6}
    if rng.random() < 0.5:
        out["m"] = {rng.choice(["", "", "~"]) + name: export(rng) for name in ("x", "y") if rng.random() < 0.7}
    return out


def write(rng, folder):
    inventories().write(rng, folder)
    (folder / "nodes").rename(folder / "targets")
    for file in sorted(folder.rglob("*.y*ml")):
        made = yaml.safe_load(file.read_text()) or {}
        if rng.random() < 0.6:
            made["exports"] = exports(rng)
        if file.is_relative_to(folder / "targets") or rng.random() < 0.1:
            made["parameters"] = made.get("parameters") or {}
            for i in range(rng.randrange(3)):
                made["parameters"][f"q{i}"] = query(rng)
            made["parameters"]["m9"] = {"x": 1}
        file.write_text(yaml.safe_dump(made))
    settings = {name: rng.random() < 0.7 for name in ("allow_none_override", "allow_scalar_over_dict", "allow_scalar_over_list", "allow_list_over_scalar",
                                                     "allow_dict_over_scalar", "strict_constant_parameters", "compose_node_name", "ignore_class_notfound")
                if rng.random() < 0.3}
    if rng.random() < 0.3:
        settings["class_mappings"] = ["* base", "web* site", "/^(north)/ site.\\\\1"]
    (folder / "reclass-config.yml").write_text(yaml.safe_dump({**settings, "nodes_uri": "targets"}))


def oracle(folder, is_kapitan):
    """Prints what the reference gives for each node: as it is, and without accidents."""
    import collections
    import collections.abc
    collections.Iterable = collections.abc.Iterable
    sys.path[:] = ([KAPITAN] if is_kapitan else []) + [path for path in sys.path if os.path.realpath(path or ".") != str(HERE)]
    from reclass import get_storage
    from reclass.core import Core
    from reclass.datatypes import Parameters
    from reclass.settings import Settings

    settings = {"compose_node_name": False, "allow_none_override": is_kapitan, "ignore_class_notfound": False}
    settings.update(yaml.safe_load(pathlib.Path(folder, "reclass-config.yml").read_text()))

    def automatic(core, name, environment):
        parts = name.split(".") if core._settings.compose_node_name else [name]
        names = {"full": name, "short": parts[-1], "parts": parts, "path": "/".join(parts)}
        return Parameters({"_reclass_": {"name": names, "environment": environment}}, core._settings, "__auto__")

    if is_kapitan:
        Core._get_automatic_parameters = automatic
    storage = get_storage("yaml_fs", f"{folder}/targets", f"{folder}/classes", settings["compose_node_name"])
    core = Core(storage, settings.get("class_mappings"), Settings(settings))
    out = {name: [] for name in storage.enumerate_nodes()}
    for prepare in (lambda: None, inventories().leave_out_accidents):
        prepare()
        for name, results in out.items():
            try:
                node = core.nodeinfo(name)
                yaml.safe_dump(node)
                results.append({key: node[key] for key in ("applications", "classes", "environment", "parameters", "exports")})
            except BaseException as error:
                results.append({"error": f"{type(error).__name__}: {error}"})
    print(json.dumps(out))


def without_order(node):
    for name, value in node.get("parameters", {}).items():
        if re.fullmatch(r"q\d", name) and isinstance(value, list):
            value.sort(key=str)
    return json.dumps(node, sort_keys=True)


def fails_below_query(error):
    """Whether an export fails by what reclass.py leaves out: values that do not merge and are overridden."""
    return error.startswith("InvQueryError") and any(cause in error for cause in ("Cannot merge", "nfinite recursion", "onstant"))


def is_same(wanted, found):
    if "error" in wanted or found is None:
        return "error" in wanted and found is None
    return without_order(wanted) == without_order(found)


def compare(program, cases, folder, is_kapitan):
    command = [sys.executable, os.path.abspath(__file__), "--oracle", str(folder), "kapitan" if is_kapitan else "reclass"]
    try:
        expected = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout)
    except subprocess.TimeoutExpired:
        return []  # A value inside itself.
    compat = "kapitan" if is_kapitan else "reclass"
    run = subprocess.run([program, "inventory", "--all", "--exports", "--compat", compat, "--output", "jsonl"], cwd=folder, capture_output=True, text=True,
                         timeout=60, check=False)
    if run.returncode not in (0, 1):
        return [f"exit status {run.returncode}\n{run.stderr}"]
    got = {}
    for line in run.stdout.splitlines():
        got.update(json.loads(line))
    problems = []
    # Nodes whose exports fail by an accident of the reference make queries of others fail.
    errors = [results[-1]["error"] for results in expected.values() if "error" in results[-1]]
    has_accident = any(cases.is_accident(error) or cases.is_left_out(error, folder) or fails_below_query(error) for error in errors)
    for name, results in expected.items():
        found = got.get(name)
        if any(is_same(wanted, found) for wanted in results) or cases.is_excused(results[-1], folder) or has_accident:
            continue
        shown = "\n".join(f"  reference {json.dumps(wanted, sort_keys=True)}" for wanted in results)
        problems.append(f"{compat}: {name}\n{shown}\n  strata    {json.dumps(found, sort_keys=True)}\n{run.stderr}")
    return problems


def check(program, seed):
    cases = inventories()
    rng = cases.Dice(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(rng, folder)
        problems = [one for is_kapitan in ([False, True] if KAPITAN else [False]) for one in compare(program, cases, folder, is_kapitan)]
        if not problems:
            return None
        files = "\n".join(f"--- {file.relative_to(folder)}\n{file.read_text()}" for file in sorted(folder.rglob("*.y*ml")))
        return f"case {seed}: " + "\n".join(problems) + f"\n{files}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--oracle"]:
        oracle(sys.argv[2], sys.argv[3] == "kapitan")
    else:
        sys.path.insert(0, str(HERE))
        from seeded_cases import run_cases
        sys.exit(run_cases(__doc__, check))
