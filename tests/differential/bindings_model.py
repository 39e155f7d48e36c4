#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata inject` against a second, simple model of composition, on random projects.

usage: bindings_model.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--case SEED]

The model is written from sections 7, 10, 11.2, 11.3 and 13 of the specification of bindings, for clearness alone: it holds a project as data, writes it
out as files, and says of each name its value, or that there is an error and what the error must name. strata runs once a name. Each difference is shown
with the seed of its case; exit status 1 where there is one.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

from long_scalars import is_long, long_scalar
from seeded_cases import run_cases

KEYS = ["a", "b", "c", "d", "e"]
FACTS = {"fqdn": "kermit", "virtual": True, "rack": 7}
CATEGORIES = [("node", "kermit"), ("environment", "production"), ("virtual", "true"), ("rack", "7"), ("off", None)]
VALUES = {"node": ["kermit", "KERMIT", "other"], "environment": ["production", "test"], "virtual": ["true", "false"], "rack": ["7", "8"],
          "off": ["x"], "nosuch": ["x"]}


class Failure(Exception):
    """What must be named, and whether another producer may be tried instead."""

    def __init__(self, names, passed_over=False):
        super().__init__(names)
        self.names = names
        self.passed_over = passed_over


# Making projects.

def condition(rng, depth=2):
    kind = rng.random()
    if depth == 0 or kind < 0.6:
        name = rng.choice(["node", "environment", "virtual", "rack", "rack", "off", "nosuch"] if rng.random() < 0.3 else
                          ["node", "environment", "virtual", "rack"])
        return ("is", name, VALUES[name][0] if rng.random() < 0.75 else rng.choice(VALUES[name]))
    if kind < 0.65:
        return ("always",)
    return (rng.choice(["and", "or"]), [condition(rng, depth - 1) for _ in range(rng.randrange(2, 4))])


def literal_value(rng, depth=2):
    kind = rng.randrange(8)
    if is_long(rng):
        return long_scalar(rng)
    if depth == 0 or kind < 4:
        return rng.choice([1, 2, -3, 1.5, True, "x", "it's", ""])
    if kind < 6:
        return [literal_value(rng, depth - 1) for _ in range(rng.randrange(3))]
    return {k: literal_value(rng, depth - 1) for k in rng.sample(["p", "q", "r"], rng.randrange(3))}


def producer(rng):
    kind = rng.random()
    if kind < 0.75:
        return ("value", literal_value(rng))
    if kind < 0.87:
        return ("inject", rng.choice(KEYS + ["none"]))
    if kind < 0.95:
        return ("first", [rng.choice(KEYS + ["none"]) for _ in range(rng.randrange(1, 4))])
    return ("fact", rng.choice(["rack", "nofact"]))


def statement(rng, ids):
    kind = rng.random()
    made = {"guards": []}
    if kind < 0.55:
        made.update(op="bind", name=rng.choice(KEYS), producer=producer(rng), type=rng.choice([None] * 8 + ["String", "Integer", "Array"]))
        if rng.random() < 0.12:
            made["override"] = True
        if rng.random() < 0.08:
            made["abstract"] = True
        elif rng.random() < 0.12:
            made["optional"] = True
    elif kind < 0.65:
        shape = rng.choice(["Array", "Hash"])
        made.update(op="multibind", name=rng.choice(KEYS), shape=shape, id=rng.choice(ids), options={})
        if shape == "Array":
            made["options"] = {k: v for k, v in (("flatten", rng.choice([True, False, 0, 1, 2])), ("uniq", True)) if rng.random() < 0.3}
        elif rng.random() < 0.7:
            made["options"] = {"conflict_resolution": rng.choice(["error", "priority", "ignore", "append", "merge"])}
    elif kind < 0.85:
        made.update(op="contribution", id=rng.choice(ids), name=rng.choice([None, "m", "n", "n"]), producer=producer(rng))
    elif kind < 0.9:
        made.update(op="rebind", name=rng.choice(KEYS))
    elif kind < 0.95:
        made.update(op="alias", name=rng.choice(KEYS), target=rng.choice(KEYS + ["z"]), renamed=rng.random() < 0.3)
    else:
        made.update(op=rng.choice(["include", "exclude"]), classes=rng.sample(["k", "l", "m::n"], rng.randrange(1, 3)))
    return made


def project(rng):
    ids = ["i", "j"]
    layers = []
    for number in range(rng.randrange(1, 4)):
        documents = []
        for name in ["one", "two"][: rng.randrange(1, 3)]:
            statements = []
            for _ in range(rng.randrange(0, 6)):
                made = statement(rng, ids)
                while rng.random() < 0.45 and len(made["guards"]) < 3:
                    made["guards"].append(condition(rng))
                statements.append(made)
            documents.append((f"l{number}::{name}", statements))
        layers.append((f"layer{number}", documents))
    return layers


# Writing them.

def literal(value):
    if value is True or value is False:
        return str(value).lower()
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)} => {literal(v)}" for k, v in value.items()) + "}"
    return repr(value)


def written_producer(made):
    kind, what = made
    if kind == "value":
        return literal(what)
    if kind == "inject":
        return f"inject({literal(what)})"
    if kind == "first":
        return "first_found(" + ", ".join(map(literal, what)) + ")"
    return f"$facts[{literal(what)}]"


def written_condition(made):
    if made[0] == "always":
        return "common"
    if made[0] == "is":
        return f"{made[1]} {made[2] if made[2] in ('true', 'false', '7', '8') else literal(made[2])}"
    return "(" + f" {made[0]} ".join(map(written_condition, made[1])) + ")"


def written(made):
    op = made["op"]
    if op == "bind":
        mods = ("abstract " if made.get("abstract") else "") + ("override " if made.get("override") else "")
        key = (made["type"] + ", " if made["type"] else "") + literal(made["name"])
        text = f"bind {mods}{key}"
        if not made.get("abstract"):
            text += " to " + ("optional " if made.get("optional") else "") + written_producer(made["producer"])
    elif op == "multibind":
        options = ", ".join(f"{k} => {literal(v)}" for k, v in made["options"].items())
        text = f"multibind {made['shape']}, {literal(made['name'])} as {literal(made['id'])}" + (f" {{ {options} }}" if options else "")
    elif op == "contribution":
        name = literal(made["name"]) + " " if made["name"] else ""
        text = f"bind {name}to {written_producer(made['producer'])} in {literal(made['id'])}"
    elif op == "rebind":
        text = f"rebind {literal(made['name'])}"
    elif op == "alias":
        text = f"bind {'renamed' if made['renamed'] else 'alias'} {literal(made['name'])} as {literal(made['target'])}"
    else:
        text = f"{op} [{', '.join(made['classes'])}]"
    for guard in reversed(made["guards"]):
        text = f"when {written_condition(guard)} {{ {text} }}"
    return text


def files(layers):
    out = {"facts.json": json.dumps(FACTS)}
    blocks = []
    for name, documents in layers:
        uris = ", ".join(f"'confdir:/{document}'" for document, _ in documents)
        blocks.append(f"layer {{ '{name}': include => [{uris}] }}")
        for document, statements in documents:
            body = "".join(f"  {written(one)}\n" for one in statements)
            out[f"bindings/{document.replace('::', '/')}.pp"] = f"bindings {document} {{\n{body}}}\n"
    out["site.pp"] = ("site {\n  categories { node => $::fqdn  environment => true  virtual => $facts['virtual']  rack => $facts['rack']  off => undef }\n"
                      f"  bindings => [{', '.join(blocks)}]\n}}\n")
    return out


# The model.

def alternatives(guard):
    """All sets of categories under which a condition holds."""
    if guard[0] == "always":
        return [frozenset()]
    if guard[0] == "is":
        held = dict(CATEGORIES).get(guard[1])
        return [frozenset([guard[1]])] if held is not None and held.lower() == guard[2].lower() else []
    parts = [alternatives(part) for part in guard[1]]
    if guard[0] == "or":
        return [one for part in parts for one in part]
    out = [frozenset()]
    for part in parts:
        out = [left | right for left in out for right in part]
    return out


def vector(guards):
    """The precedence vector, highest first; None where the statement is not in effect."""
    numbers = {name: len(CATEGORIES) - i for i, (name, _) in enumerate(CATEGORIES)}
    found = alternatives(("and", guards)) if guards else [frozenset()]
    return max((sorted((numbers[name] for name in one), reverse=True) for one in found), default=None)


class Model:
    def __init__(self, layers):
        self.statements = []  # In effect, in collection order, with their ranks; a higher rank is stronger.
        for number, (_, documents) in enumerate(layers):
            for document, statements in documents:
                for one in statements:
                    precedence = vector(one["guards"])
                    if precedence is not None:
                        self.statements.append(dict(one, rank=(-number, precedence)))
        self.every = [one for _, documents in layers for _, statements in documents for one in statements]
        self.running = []
        self.vanished = set()
        self.renamed = set()

    def candidates(self, name):
        found = [one for one in self.statements if one["op"] in ("bind", "multibind", "rebind") and one["name"] == name or
                 one["op"] == "alias" and one["target"] == name]
        return sorted(found, key=lambda one: one["rank"], reverse=True)

    def winner(self, name, below=None):
        """The strongest candidate that has not vanished; (it, whether another one is as strong)."""
        left = [one for one in self.candidates(name) if id(one) not in self.vanished and (below is None or one["rank"] < below)]
        if not left:
            return None, False
        return left[0], len(left) > 1 and left[1]["rank"] == left[0]["rank"]

    def behind_rebinds(self, name, one):
        """What a candidate comes to; None where a rebind has nothing that it could take."""
        while one is not None and one["op"] == "rebind":
            one, tied = self.winner(name, one["rank"])
            if one is None or tied or one.get("abstract"):
                return None
        return one

    def check(self):
        """Everything that is found before a name is asked for."""
        wrong = []
        kinds = {"String": str, "Integer": int, "Array": list}
        for one in self.every:  # Constants, in effect or not.
            if one["op"] == "bind" and one["type"] and not one.get("abstract") and one["producer"][0] == "value":
                value = one["producer"][1]
                if not isinstance(value, kinds[one["type"]]) or isinstance(value, bool):
                    wrong.append(one["name"])
        ids = {}
        for name in KEYS + ["z"]:
            top, tied = self.winner(name)
            if top is None:
                continue
            if tied:
                wrong.append(name)
                continue
            if top.get("override") and self.winner(name, top["rank"])[0] is None:
                wrong.append(name)
            elif top.get("abstract"):
                wrong.append(name)
                continue
            elif top["op"] == "alias":
                wrong += self.check_alias(name, top)
            behind = self.behind_rebinds(name, top)
            if behind is None:
                wrong.append(name)
            elif behind["op"] == "multibind":
                if behind["id"] in ids:
                    wrong.append(behind["id"])
                ids[behind["id"]] = name
        for one in self.statements:
            if one["op"] == "alias" and one["renamed"]:
                if one["name"] != one["target"]:
                    self.renamed.add(one["name"])
                if self.winner(one["target"])[0] is not one:
                    wrong += self.check_alias(one["target"], one)
        if wrong:
            raise Failure(wrong)

    def check_alias(self, name, one):
        seen = [name]
        while one is not None and one["op"] == "alias":
            if one["name"] in seen:
                return [one["name"]]
            seen.append(one["name"])
            one = self.winner(one["name"])[0]
        return [seen[-1]] if one is None or one.get("abstract") else []

    def settle(self):
        """Optional candidates that give nothing make way."""
        wrong = []
        for name in KEYS + ["z"]:
            if self.winner(name)[0] is not None and self.winner(name)[0].get("optional"):
                try:
                    self.key(name)
                except Failure as failure:
                    if getattr(failure, "static", False):
                        wrong += failure.names
        if wrong:
            raise Failure(wrong)

    def key(self, name):
        """The value of a name; None where nothing is bound."""
        if name in self.running:
            raise Failure([name])
        self.running.append(name)
        try:
            while True:
                top, tied = self.winner(name)
                if top is None:
                    return None
                if tied or top.get("abstract"):
                    failure = Failure([name])
                    failure.static = True
                    raise failure
                value = self.candidate(name, top)
                if value is not None:
                    return value
                self.vanished.add(id(top))
        finally:
            self.running.pop()

    def public(self, name):
        return None if name in self.renamed else self.key(name)

    def candidate(self, name, one):
        if one["op"] == "rebind":
            lower, tied = self.winner(name, one["rank"])
            if lower is None or tied or lower.get("abstract"):
                raise Failure([name])
            return self.candidate(name, lower)
        if one["op"] == "alias":
            value = self.key(one["name"])
            if value is None:
                raise Failure([one["name"]], True)
            return value
        if one["op"] == "multibind":
            return self.multibind(one)
        value = self.produce(name, one)
        kinds = {"String": str, "Integer": int, "Array": list}
        if value is not None and one["type"] and (not isinstance(value, kinds[one["type"]]) or isinstance(value, bool)):
            raise Failure([name])
        return value

    def produce(self, name, one):
        """None: it is optional and gives nothing."""
        kind, what = one["producer"]
        value = None
        if kind == "value":
            value = what
        elif kind == "fact":
            value = FACTS.get(what)
        elif kind == "inject":
            value = self.public(what)
            if value is None:
                raise Failure([what], True)
        else:
            for each in what:
                try:
                    value = self.public(each)
                except Failure as failure:
                    if not failure.passed_over:
                        raise
                if value is not None:
                    break
        if value is None and not one.get("optional"):
            raise Failure([name], True)
        return value

    def multibind(self, bound):
        name, options = bound["name"], bound["options"]
        parts = [(one, self.produce(name, one)) for one in self.statements if one["op"] == "contribution" and one["id"] == bound["id"]]
        if bound["shape"] == "Array":
            levels = {True: 1000, False: 0}[options["flatten"]] if isinstance(options.get("flatten"), bool) else options.get("flatten", 1)
            return flat([value for _, value in parts], levels, options.get("uniq"))
        if any(one["name"] is None for one, _ in parts):
            raise Failure([name])
        parts.sort(key=lambda part: part[0]["rank"], reverse=True)
        how = options.get("conflict_resolution", "error")
        out = {}
        for key in dict.fromkeys(one["name"] for one, _ in parts):
            group = [part for part in parts if part[0]["name"] == key]
            values = [value for _, value in group]
            if how == "append":
                out[key] = values
            elif how == "merge":
                if not all(isinstance(value, dict) for value in values):
                    raise Failure([name])
                out[key] = {}
                for value in reversed(values):
                    out[key].update(value)
            else:
                if len(group) > 1 and (how == "error" or how == "priority" and group[0][0]["rank"] == group[1][0]["rank"]):
                    raise Failure([key])
                out[key] = values[0]
        return out

    def classes(self):
        highest = {"include": {}, "exclude": {}}
        order = []
        for one in self.statements:
            if one["op"] in highest:
                for name in one["classes"]:
                    known = highest[one["op"]].get(name)
                    highest[one["op"]][name] = one["rank"] if known is None else max(known, one["rank"])
                    if one["op"] == "include" and name not in order:
                        order.append(name)
        return [name for name in order if name not in highest["exclude"] or highest["include"][name] > highest["exclude"][name]]


def flat(items, levels, uniq):
    while levels > 0 and any(isinstance(item, list) for item in items):
        items = [inner for item in items for inner in (item if isinstance(item, list) else [item])]
        levels -= 1
    if uniq:
        seen = []
        for item in items:
            if not any(same(item, one) for one in seen):
                seen.append(item)
        items = seen
    return items


def same(left, right):
    """Equal, with equal types."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return left == right


def expected(layers, name):
    model = Model(layers)
    try:
        model.check()
        model.settle()
        if name == "--classes":
            return "value", model.classes()
        value = model.public(name)
        return ("value", value) if value is not None else ("error", [name])
    except Failure as failure:
        return "error", failure.names


# Comparing.

def check(strata, seed):
    """None, or what differs."""
    rng = random.Random(seed)
    layers = project(rng)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files(layers).items():
            path = os.path.join(folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as handle:
                handle.write(text)
        for name in rng.sample(KEYS, 2) + ["--classes"]:
            kind, what = expected(layers, name)
            run = subprocess.run([strata, "inject", "--confdir", folder, "--facts", os.path.join(folder, "facts.json"), "--quiet", name],
                                 capture_output=True, text=True, check=False)
            if run.returncode not in (0, 1):
                found.append((name, kind, what, f"exit {run.returncode}: {run.stderr}"))
            elif kind == "error":
                if run.returncode == 0 or not any(one in run.stderr for one in what):
                    found.append((name, kind, what, run.stdout + run.stderr))
            elif run.returncode != 0 or json.dumps(json.loads(run.stdout)) != json.dumps(what):
                found.append((name, kind, what, run.stdout + run.stderr))
    if not found:
        return None
    lines = [f"seed {seed}"]
    for path, text in files(layers).items():
        lines += [f"--- {path}", text]
    lines += [f"  {name}: expected {kind} {what!r}, got {got}" for name, kind, what, got in found]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, check, "projects"))
