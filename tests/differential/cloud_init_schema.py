#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata check merge --schema` against the schema check of cloud-init, on random cloud-configs.

usage: cloud_init_schema.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--case N]

Needs cloud-init and jsonschema for this Python, which run in this process: those of the distribution, or a checkout that STRATA_CLOUD_INIT
names. The schema is cloud-init's own. Configurations follow it by chance and break it by chance. From 24.1 on, errors and deprecations are compared
with their paths and messages; of an older cloud-init, which reports alternatives less exactly, whether a configuration has errors, and in which
top-level keys. Each difference is shown with the seed of its case; exit status 1 where there is one. Left out on purpose, because strata departs from the
reference there: unknown keys of the root, and the formats uri and hostname (docs/cloud-init/fidelity.md, "Schemas").
"""
import json
import logging
import os
import random
import re
import subprocess
import sys
import tempfile

import yaml

CHECKOUT = os.environ.get("STRATA_CLOUD_INIT")
if CHECKOUT:
    sys.path.insert(0, CHECKOUT)
from cloudinit.config import schema as reference  # noqa: E402

from seeded_cases import run_cases  # noqa: E402

logging.disable(logging.CRITICAL)
FILE = os.path.join(os.path.dirname(reference.__file__), "schemas", "schema-cloud-config-v1.json")
with open(FILE, encoding="utf-8") as opened:
    SCHEMA = json.load(opened)
IS_EXACT = hasattr(reference, "cloud_init_deepest_matches")
yaml.SafeDumper.ignore_aliases = lambda self, data: True  # A mistake that two aliases share has one place, and is one finding.
VALIDATOR, FORMATS = reference.get_jsonschema_validator()
SCALARS = ["a", "", "0644", 5, 0, -1, True, False, None, 1.5, "2030-01-02", "10G", [], {}, ["a"], [1], {"a": 1}, [["a", 1]], b"x"]


def members(part):
    """The schemas of the members of a schema, through references and alternatives."""
    found = {}
    for one in spread(part):
        for name, below in one.get("properties", {}).items():
            found.setdefault(name, []).append(below)
    return found


def spread(part, seen=()):
    if not isinstance(part, dict):
        return
    if "$ref" in part and part["$ref"] not in seen:
        yield from spread(SCHEMA["$defs"][part["$ref"].split("/")[-1]], seen + (part["$ref"],))
    yield part
    for keyword in ("allOf", "anyOf", "oneOf"):
        for below in part.get(keyword, []):
            yield from spread(below, seen)


def value(rng, part, depth=0):
    """A value that may fit a schema."""
    if depth > 5 or rng.random() < 0.12:
        return rng.choice(SCALARS)
    choice = rng.choice([one for one in spread(part)] or [{}])
    if "enum" in choice and rng.random() < 0.9:
        return rng.choice(choice["enum"])
    kinds = choice.get("type", "object" if "properties" in choice else "array" if "items" in choice else "string")
    kind = rng.choice(kinds if isinstance(kinds, list) else [kinds])
    if kind == "object":
        names = members(choice)
        out = {}
        for name in rng.sample(sorted(names), min(len(names), rng.randrange(4))):
            out[name if rng.random() < 0.95 else name + "x"] = value(rng, rng.choice(names[name]), depth + 1)
        for one in spread(choice):
            for name in one.get("required", []):
                if name in names and rng.random() < 0.9:
                    out.setdefault(name, value(rng, rng.choice(names[name]), depth + 1))
        for pattern in choice.get("patternProperties", {}).values():
            out[rng.choice(["a", "a:b", "x y", "", "7"])] = value(rng, pattern, depth + 1)
        return out
    if kind == "array":
        items = choice.get("items", {})
        return [value(rng, items if isinstance(items, dict) else rng.choice(items or [{}]), depth + 1) for _ in range(rng.randrange(3))]
    return {"string": "text", "integer": rng.randrange(9), "number": 1.5, "boolean": rng.random() < 0.5, "null": None}.get(kind, "text")


def config(seed):
    rng = random.Random(seed)
    names = members(SCHEMA)
    return {name: value(rng, rng.choice(names[name])) for name in rng.sample(sorted(names), rng.randrange(1, 5))}


def names_of(error):
    """The members that an error calls unexpected: strata reports one by one."""
    known = error.schema.get("properties", {})
    patterns = error.schema.get("patternProperties", {})
    return [name for name in error.instance if name not in known and not any(re.search(one, str(name)) for one in patterns)]


def expected(data):
    found = set()
    for error in VALIDATOR(SCHEMA, format_checker=FORMATS()).iter_errors(data):
        path = ".".join(str(step) for step in error.path)
        messages = [error.message]
        if error.validator == "additionalProperties" and error.validator_value is False:
            patterns = sorted(error.schema.get("patternProperties", {}))
            messages = [f"{name!r} does not match any of the regexes: {', '.join(map(repr, patterns))}" if patterns else
                        f"Additional properties are not allowed ({name!r} was unexpected)" for name in names_of(error)]
        kind = "deprecated" if isinstance(error, reference.SchemaDeprecationError) else "schema"
        for message in messages:
            text = " ".join(message.split()) if kind == "deprecated" else message
            found.add((kind, f"{path}: {text}" if path else text))
    return found


def plain(message):
    """The same words for all releases of jsonschema."""
    for newer, older in [("should be non-empty", "is too short"), ("is expected to be empty", "is too long"), ("does not have enough properties", "is too short")]:
        message = message.replace(newer, older)
    return " ".join(message.split())


def same(one, other):
    """Long messages are cut."""
    return one == other or (other[0] == one[0] and other[1].endswith("…") and one[1].startswith(other[1][:-1][:400]))


def check(program, seed):
    data = config(seed)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "c.yaml"), "w", encoding="utf-8") as file:
            file.write("#cloud-config\n" + yaml.safe_dump(data, sort_keys=False, default_flow_style=None))
        done = subprocess.run([program, "check", "--output", "json", "--select", "schema,deprecated", "merge", "--schema", FILE, "c.yaml"], cwd=folder,
                              capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 1):
        return f"case {seed}: {data!r}\n  strata ended with {done.returncode}: {done.stderr}"
    got = {(one["code"].removeprefix("check."), plain(one["message"])) for one in json.loads(done.stdout)["findings"]}
    want = {(kind, plain(message)) for kind, message in expected(data)}
    if not IS_EXACT:
        got, want = ({(kind, re.split("[.:]", message)[0]) for kind, message in side} for side in (got, want))
    missing = [one for one in want if not any(same(one, other) for other in got)]
    extra = [one for one in got if not any(same(other, one) for other in want)]
    if not missing and not extra:
        return None
    return f"case {seed}: {data!r}\n  missing {sorted(missing)}\n  extra {sorted(extra)}"


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, check))
