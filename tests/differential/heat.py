#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata compose` against Heat's engine, on random environment files.

usage: heat.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--case SEED]

Needs the distribution's python3-heat (19.0.0) for this Python, whose functions are called in this process as its service calls them: the parsing of
environments, their combination, the registry and the sinks. strata runs once a case. What is compared: whether the whole fails, values with their
types, and the order of keys; creates and updates in shipped mode as they are, in promised mode as the documents of strata say that they are made of
the same functions. Each difference is shown with the seed of its case; exit status 1 where there is one. Left out on purpose, because strata departs
from the reference there: keys that Python takes for equal, infinities, values shared by aliases, and what docs/cloud-init/fidelity.md says of YAML.
"""
import copy
import json
import logging
import os
import random
import subprocess
import sys
import tempfile

from long_scalars import is_long, long_scalar
from seeded_cases import run_cases

# This file is called as the package is.
sys.path[:] = [path for path in sys.path if os.path.realpath(path or ".") != os.path.dirname(os.path.realpath(__file__))]

import yaml
from heat.common import environment_format, environment_util, template_format
from heat.engine import environment, template

NAMES = ["a", "b", "n", "f", "m", "m2", "l", "stray", "other"]
TYPES = {"a": "string", "b": "string", "n": "number", "f": "boolean", "m": "json", "m2": "json", "l": "comma_delimited_list"}
logging.disable(logging.CRITICAL)
WORDS = ["overwrite", "merge", "deep_merge"]
TEMPLATE = "heat_template_version: 2018-08-31\nparameters:\n" + "".join(
    f"  {name}: {{type: {kind}, default: {'0' if kind == 'number' else 'false' if kind == 'boolean' else '{}' if kind == 'json' else repr('')}}}\n"
    for name, kind in TYPES.items())


def scalar(rng):
    if is_long(rng):
        return long_scalar(rng)
    return rng.choice([None, True, False, 0, 1, 2, -7, 1.5, 10 ** 20, "", "x", "yy", "1", "1,2", "é☃", "2013-05-23", "two\nlines\n", "{\"k\": 1}", "{bad", "[1]"])


def tree(rng, depth):
    kind = rng.randrange(8)
    if depth == 0 or kind < 3:
        return scalar(rng)
    if kind < 5:
        return [tree(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(["k", "j", "i", "x"] + ([1, None, 2.5] if rng.random() < 0.03 else [])): tree(rng, depth - 1) for _ in range(rng.randrange(4))}


def value(rng, name):
    """Mostly of the parameter's type, so that merges go somewhere."""
    if rng.random() < 0.15:
        return tree(rng, 2)
    kind = TYPES.get(name, "string")
    if kind == "json":
        if rng.random() < 0.1:
            return json.dumps({"k": scalar(rng)})
        shape = random.Random(rng.randrange(4))  # Shapes that meet again.
        made = {}
        for key in rng.sample(["k", "j", "i", "x"], rng.randrange(1, 4)):
            made[key] = shape.choice([lambda: {"p": rng.randrange(3), rng.choice("qr"): [rng.randrange(3)]}, lambda: [rng.randrange(3)],
                                      lambda: rng.choice(["s", "t", ""]), lambda: rng.randrange(3)])()
        return made
    if kind == "comma_delimited_list":
        return rng.choice([[1, "x"], [], ["y"], ["y"], "p", "p,q", ""])
    if kind == "number":
        return rng.choice([0, 1, 2.5, "3", "4"])
    if kind == "boolean":
        return rng.choice([True, False, "true"])
    return rng.choice(["x", "", "yy", "z w", None])


def registry(rng, depth=2):
    made = {}
    for _ in range(rng.randrange(1, 5)):
        key = rng.choice(["A::X", "A::Y", "B::*", "A*", "my.yaml", "B::Z", "C::C"])
        made[key] = rng.choice(["B::X", "x.yaml", "C::*", "OS::Heat::None", "", None if rng.random() < 0.5 else "D::D",
                                3 if rng.random() < 0.1 else "E::E", ["a"] if rng.random() < 0.1 else "F"])
    if rng.random() < 0.4:
        made["resources"] = {rng.choice(["s", "t", "u*"]): level(rng, depth) for _ in range(rng.randrange(3))} if rng.random() < 0.95 else None
    if rng.random() < 0.04:
        made["hooks"] = rng.choice(["pre-create", "nope", [], None, 3])
    return made


def level(rng, depth):
    if depth == 0 or rng.random() < 0.1:
        return None
    made = {}
    for _ in range(rng.randrange(3)):
        key = rng.choice(["hooks", "restricted_actions", "A::X", "A::*", "in"])
        if key == "hooks":
            made[key] = rng.choice(["pre-create", ["post-delete", "pre-update"], [], None, "pre-any" if rng.random() < 0.2 else "pre-delete"])
        elif key == "restricted_actions":
            made[key] = rng.choice(["update", ["replace", "update"], None, "delete" if rng.random() < 0.2 else "replace"])
        elif key == "in":
            made[key] = level(rng, depth - 1)
        else:
            made[key] = rng.choice(["B::X", "y.yaml", None])
    return made


def sinks(rng):
    return [rng.choice([{"type": "zaqar-queue", "target": "q"}, {"type": "zaqar-queue", "target": "r", "ttl": 60},
                        {"target": "q"} if rng.random() < 0.1 else {"type": "zaqar-queue", "target": "s"}]) for _ in range(rng.randrange(1, 3))]


def strategies(rng):
    made = {}
    for name in rng.sample(NAMES + ["default", "default"], rng.randrange(4)):
        made[name] = rng.choice(WORDS) if rng.random() < 0.93 else rng.choice(["sum", None, 3, ["merge"]])
    return made


def environment_file(rng, number):
    if rng.random() < 0.04:
        return rng.choice(["", "null\n", "# nothing\n", "[a]\n", "parms: {}\n", "parameters:\n", "a: b: c\n", "{}\n", "parameters: words\n", "event_sinks: 0\n"])
    made = {}
    for section in rng.sample(["parameters", "parameter_defaults", "resource_registry", "event_sinks", "encrypted_param_names"], 5):
        if section.startswith("parameter"):
            if rng.random() < 0.75:
                names = rng.sample(NAMES, rng.randrange(1, 5))
                made[section] = {name: value(rng, name) for name in names}
        elif section == "resource_registry":
            if rng.random() < 0.4:
                made[section] = registry(rng)
        elif section == "event_sinks":
            if rng.random() < (0.2 if number == 0 else 0.03):
                made[section] = sinks(rng)
        elif rng.random() < (0.1 if number == 0 else 0.02):
            made[section] = rng.choice([["a"], [], "a", {"a": 1}])
    if rng.random() < (0.6 if number == 0 else 0.12):
        made["parameter_merge_strategies"] = strategies(rng) if rng.random() < 0.97 else rng.choice([["merge"], "merge", 0, None])
    if rng.random() < 0.04:
        made[rng.choice(list(made) or ["parameters"])] = rng.choice([0, "", [], {}, False, None, "x"])
    if rng.random() < 0.3:
        return json.dumps(made)
    return yaml.safe_dump(made, sort_keys=False, allow_unicode=True, default_flow_style=rng.choice([True, False, None]))


def case(seed):
    rng = random.Random(seed)
    names = [f"e{i}.yaml" for i in range(rng.choice([0, 1, 2, 2, 3, 3, 4, 5]))]
    files = {name: environment_file(rng, i) for i, name in enumerate(names)}
    listed = names + ([rng.choice(names)] if names and rng.random() < 0.05 else [])
    made = {"files": files, "list": listed, "shipped": rng.random() < 0.4, "explicit": {}, "clear": [], "state": None}
    if rng.random() < 0.3:
        made["explicit"] = {name: rng.choice(["cli", "1", ""]) for name in rng.sample(NAMES, rng.randrange(1, 3))}
    if not names and rng.random() < 0.7:
        made["body"] = environment_file(rng, 0)
    if rng.random() < 0.35:
        stored = [f"s{i}.yaml" for i in range(rng.randrange(1, 4))]
        made["state"] = {"template": TEMPLATE, "environment_files": stored, "files": {name: environment_file(rng, i) for i, name in enumerate(stored)},
                         "parameters": {"a": "stored"} if rng.random() < 0.3 else {}}
        if rng.random() < 0.3:
            made["clear"] = rng.sample(NAMES, 1)
        if names and rng.random() < 0.3:  # A stored name is sent again.
            files[stored[0]] = files.pop(names[0])
            made["list"] = [stored[0] if name == names[0] else name for name in listed]
    return made


# ---- the reference -------------------------------------------------------------------------------------------------------------------------------


class Sink:
    def __init__(self, target, ttl=None):
        pass


GLOBAL = environment.Environment({}, user_env=False)


def loaded(env):
    made = environment.Environment.__new__(environment.Environment)
    made.param_defaults = env.get("parameter_defaults", {})
    made.registry = environment.ResourceRegistry(GLOBAL.registry, made.param_defaults)
    made.registry.load(env.get("resource_registry", {}))
    made.encrypted_param_names = env.get("encrypted_param_names", [])
    made.params = env.get("parameters", {})
    made.event_sink_classes = {"zaqar-queue": Sink}
    made._event_sinks, made._built_event_sinks = [], []
    made._update_event_sinks(env.get("event_sinks", []))
    return made


def schemata():
    parsed = template.Template(template_format.parse(TEMPLATE))
    return parsed.all_param_schemata({})


def combined(listed, files, start):
    params = {"parameters": start, "encrypted_param_names": [], "parameter_defaults": {}, "event_sinks": [], "resource_registry": {}}
    environment_util.merge_environments(listed, files, params, SCHEMATA)
    return params


def without(text, cleared):
    """A file's text as if its parameters did not have some names."""
    if not cleared:
        return text
    parsed = environment_format.parse(text)
    for name in cleared:
        if isinstance(parsed.get("parameters"), dict):
            parsed["parameters"].pop(name, None)
    return yaml.safe_dump(parsed, sort_keys=False)


def bodied(case):
    if case["list"] or "body" not in case:
        return {}
    body = environment_format.parse(case["body"])
    environment_format.default_for_missing(body)
    if not body["parameters"]:
        body["parameters"] = {}
    if not body["parameter_defaults"]:
        body["parameter_defaults"] = {}
    if not isinstance(body["parameters"], dict) or not isinstance(body["parameter_defaults"], dict):
        raise ValueError("no mapping")
    for name in ("resource_registry", "event_sinks", "encrypted_param_names"):
        body[name] = body[name] or ({} if name == "resource_registry" else [])
    body.pop("parameter_merge_strategies", None)
    return body


def reference(case):
    state = case["state"]
    declared = set(TYPES)
    if case["shipped"]:
        if case["list"]:
            new = combined(case["list"], case["files"], dict(case["explicit"]))
        else:
            new = bodied(case)
            new.setdefault("parameters", {}).update(case["explicit"])
        if state is None:
            result = loaded(new)
        else:
            stored = copy.deepcopy(state["environment"])
            for name in case["clear"]:
                stored["parameters"].pop(name, None)
            result = loaded(stored)
            result.load(new)
            result.params = {name: value for name, value in result.params.items() if name in declared}
        return result.env_as_dict()
    files, listed, explicit, cleared = dict(case["files"]), list(case["list"]), dict(case["explicit"]), {}
    if state is not None:
        files = {**state["files"], **files}
        listed = state["environment_files"] + [name for name in listed if name not in state["environment_files"]]
        explicit = {**{k: v for k, v in state["parameters"].items() if k not in case["clear"]}, **explicit}
        cleared = {name: case["clear"] for name in state["environment_files"] if name not in case["files"]}
    body = bodied(case)
    new = combined(listed, {name: without(text, cleared.get(name)) if name in listed else text for name, text in files.items()}, {})
    if body:
        result = loaded(body)
        result.load(new)
    else:
        result = loaded(new)
    result.params.update(explicit)
    if state is not None:
        result.params = {name: value for name, value in result.params.items() if name in declared}
    return result.env_as_dict()


def as_shown(env):
    order = ["resource_registry", "parameters", "parameter_defaults", "event_sinks", "encrypted_param_names"]
    return json.loads(json.dumps({name: env[name] for name in order}))


def expected(case):
    try:
        return as_shown(reference(case))
    except RecursionError:
        raise
    except Exception:  # Whatever it is: the reference lets many out as they are.
        return None


# ---- strata --------------------------------------------------------------------------------------------------------------------------------------


def strata(program, case):
    with tempfile.TemporaryDirectory() as folder:
        def place(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        arguments = ["compose", "--quiet"]
        for name, text in case["files"].items():
            place(name, text)
        for name in case["list"]:
            arguments += ["-e", name]
        for name, text in case["explicit"].items():
            arguments += ["--parameter", f"{name}={text}"]
        if len(case["explicit"]) == 1 and ";" in "".join(case["explicit"].values()):
            return None
        if "body" in case:
            place("body.yaml", case["body"])
            arguments += ["--environment-body", "body.yaml"]
        if case["state"] is not None:
            place("state.json", json.dumps(case["state"]))
            arguments += ["--existing", "state.json"]
        else:
            place("t.yaml", TEMPLATE)
            arguments += ["--template", "t.yaml"]
        for name in case["clear"]:
            arguments += ["--clear-parameter", name]
        if case["shipped"]:
            arguments += ["--compat", "shipped"]
        run = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        if run.returncode == 0:
            return json.loads(run.stdout), ""
        if run.returncode != 1:
            return "crash", run.stderr
        return None, run.stderr


def same(left, right):
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


def check(program, seed):
    """None, or what differs."""
    made = case(seed)
    if made["state"] is not None:
        before = {**made, "state": None, "files": made["state"]["files"], "list": made["state"]["environment_files"], "explicit": made["state"]["parameters"],
                  "clear": [], "shipped": made["shipped"]}
        before.pop("body", None)
        made["state"]["environment"] = expected(before)
        if made["state"]["environment"] is None:
            made["state"] = None
            made["clear"] = []
    if made["state"] is not None and "body" in made and not made["list"] and not made["shipped"]:
        made.pop("body")
    want = expected(copy.deepcopy(made))
    got, message = strata(program, made)
    if want is None and got is None or want is not None and got is not None and got != "crash" and same(want, got):
        return None
    return f"seed {seed}\n{json.dumps(made, indent=1, ensure_ascii=False)}\nreference: {json.dumps(want)}\nstrata:    {json.dumps(got)} {message}"


SCHEMATA = schemata()


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, check))
