#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `strata render` with a model of Deckhand's shared containers, over random sites.

The model does with Python's own dictionaries and lists what Deckhand does with them: it copies one level (`copy.copy`) where Deckhand does, and all
of it (`copy.deepcopy`) where Deckhand does. Paths are looked up and written as jsonpath-ng 1.8 does, the library that Deckhand uses: by the library
itself with --library, where it is installed, else by a class that knows the steps `.key`, `.*` and `[number]`. Deletion is by path.

usage: deckhand_shared.py STRATA [--seed N] [--count N] [--show NUMBER] [--library]
"""
import argparse
import copy
import functools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from long_scalars import is_long, long_scalar

KEYS = ["a", "b", "c", "d"]
LAYERS = ["global", "region", "site"]
SCHEMA = "example/Kind/v1"


class Refused(Exception):
    """What Deckhand answers with an error."""


# With what Python's own operations raise where Deckhand ends with them.
FAILURES = (Refused, ValueError, RecursionError, TypeError, KeyError, IndexError, AttributeError)


class Match:
    """A value at a path, and where it hangs."""

    def __init__(self, value, holder=None, key=None):
        self.value, self.holder, self.key = value, holder, key


class Path:
    """A path as jsonpath-ng follows it, with its surprises: what Python does with a value that a step does not fit is what happens."""

    def __init__(self, text):
        self.steps = [key or int(number) for key, number in re.findall(r"\.([^.\[]+)|\[(\d+)\]", text)]

    @staticmethod
    def keys(step, value):
        if step != "*":
            return [step]
        return list(value) if isinstance(value, dict) else []

    def follow(self, steps, data):
        matches = [Match(data)]
        for step in steps:
            here, matches = matches, []
            for value in (match.value for match in here):
                if isinstance(step, int):
                    if value and len(value) > step:
                        matches.append(Match(value[step], value, step))
                elif isinstance(value, dict):
                    matches += [Match(value[key], value, key) for key in self.keys(step, value) if key in value]
        return matches

    def find(self, data):
        return self.follow(self.steps, data)

    def update(self, data, value):
        step = self.steps[-1]
        for target in [match.value for match in self.follow(self.steps[:-1], data)]:
            if isinstance(step, int):
                if len(target) > step:
                    target[step] = value.pop(0) if isinstance(value, list) else value
            elif target is not None:
                for key in self.keys(step, target):
                    if not isinstance(target, bool) and key in target:
                        target[key] = value


class LibraryPath:
    """The same by the library."""

    def __init__(self, text):
        import jsonpath_ng

        self.parsed = jsonpath_ng.parse("$" if text == "." else "$" + text)

    def find(self, data):
        def key(path):
            return path.fields[0] if hasattr(path, "fields") else path.indices[0]

        return [Match(one.value, one.context.value, key(one.path)) if one.context else Match(one.value) for one in self.parsed.find(data)]

    def update(self, data, value):
        self.parsed.update(data, value)


KINDS_OF_PATHS = [Path]


@functools.lru_cache(maxsize=None)
def expression(path):
    return KINDS_OF_PATHS[-1](path)


def first(data, path):
    found = expression(path).find(data)
    return found[0].value if found else None


def create(data, path):
    """Makes what the text of a path says, cut at every dot."""
    here = data
    for piece in path.split(".")[1:]:
        named = re.fullmatch(r"(.*)\[(\d+)\]", piece)
        if not isinstance(here, dict):
            raise Refused("in the way")
        if not named:
            here = here.setdefault(piece, {})
            continue
        items = here.setdefault(named.group(1), [])
        if not isinstance(items, list):
            raise Refused("in the way")
        index = int(named.group(2))
        while len(items) <= index:
            items.append({})
        here = items[index]


def replace_below(value, text, pattern, depth, level=1):
    if depth >= 0 and level > depth:
        return
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        member = value[key]
        if isinstance(member, (dict, list)):
            replace_below(member, text, pattern, depth, level + 1)
        elif isinstance(member, str) and pattern in member:
            value[key] = re.sub(pattern, text, member)


def write(data, value, path, pattern=None, recurse=None):
    """The data with the value at a path: a copy of the root, one level deep; all below it is changed in place."""
    data = copy.copy(data)
    value = copy.copy(value)
    if path == ".":
        if isinstance(data, dict) and isinstance(value, dict):
            data.update(value)
            return data
        return value
    parsed = expression(path)
    found = parsed.find(data)
    if pattern:
        if not found and recurse is not None:
            create(data, path)
            found = parsed.find(data)
        if not found:
            raise Refused("nothing there")
        target = found[0].value
        if isinstance(target, str):
            parsed.update(data, re.sub(pattern, str(value), target))
        elif recurse is not None and isinstance(target, (dict, list)):
            replace_below(target, str(value), pattern, recurse)
        else:
            raise Refused("no text")
        return data
    if not found:
        create(data, path)
        if not parsed.find(data):
            raise Refused("no place")
    parsed.update(data, value)
    return data


def delete(data, path):
    if path == ".":
        return {}
    found = expression(path).find(data)
    if not found or found[0].value is None:
        raise Refused("nothing to delete")
    del found[0].holder[found[0].key]
    return data


def merge(into, value):
    for key, member in value.items():
        if isinstance(member, dict) and isinstance(into.get(key), dict):
            merge(into[key], member)
        else:
            into[key] = member


def act(action, child, data):
    child = copy.deepcopy(child)
    data = copy.deepcopy(data)
    method, path = action["method"], action["path"]
    if method == "delete":
        return delete(data, path)
    value = first(child, path)
    if value is None:
        raise Refused("nothing to write")
    if method == "merge":
        old = first(data, path)
        if isinstance(old, dict) and isinstance(value, dict):
            merge(old, value)
            value = old
    if path == ".":
        return copy.copy(value)
    return write(data, value, path)


def is_cyclic(value, above=()):
    if not isinstance(value, (dict, list)):
        return False
    if id(value) in above:
        return True
    above = above + (id(value),)
    return any(is_cyclic(member, above) for member in (value.values() if isinstance(value, dict) else value))


def rendering_order(documents):
    """Generations of what nothing else needs, reversed; then those that no edge names."""
    edges = {}
    needed = {}
    for document in documents:
        targets = ([document["parent"]] if document["parent"] else []) + [entry["src"]["name"] for entry in document["substitutions"]]
        for target in targets:
            for name in (document["name"], target):
                edges.setdefault(name, [])
                needed.setdefault(name, 0)
            if target not in edges[document["name"]]:
                edges[document["name"]].append(target)
                needed[target] += 1
    order = []
    generation = [name for name in edges if needed[name] == 0]
    while generation:
        following = []
        for name in generation:
            order.append(name)
            for target in edges[name]:
                needed[target] -= 1
                if needed[target] == 0:
                    following.append(target)
        generation = following
    return order[::-1] + [document["name"] for document in documents if document["name"] not in edges]


def render(documents, shares=True):
    """Names with data in order; Refused. `shares` False: every substitution takes a deep copy, for itself alone."""
    by_name = {document["name"]: document for document in documents}
    data = {}
    order = rendering_order(documents)
    is_ever_cyclic = False
    for name in order:
        document = by_name[name]
        own = copy.deepcopy(document["data"])
        if document["parent"]:
            own = data[document["parent"]]
            for action in document["actions"]:
                own = act(action, document["data"], own)
            own = copy.deepcopy(own) if not document["actions"] else own
        for entry in document["substitutions"]:
            source = data[entry["src"]["name"]]
            value = first(source, entry["src"]["path"]) if isinstance(source, dict) else source
            if value is None:
                raise Refused("no source data")
            if entry["src"].get("deepcopy"):
                value = copy.deepcopy(value)
            for to in entry["dest"]:
                written = write(own, value if shares else copy.deepcopy(value), to["path"], to.get("pattern"), to.get("recurse", {}).get("depth"))
                if isinstance(own, dict) and isinstance(written, dict):
                    own.update(written)
                elif written:
                    own = written
                else:
                    raise Refused("nothing at the root")
                is_ever_cyclic = is_ever_cyclic or is_cyclic(own)
                if is_ever_cyclic:
                    raise Refused("cycle")
        data[name] = own
    if not shares:
        return [(name, data[name]) for name in order if not by_name[name]["abstract"]]
    return [(name, json.loads(json.dumps(data[name]))) for name in order if not by_name[name]["abstract"]]


class Sites:
    """Random sites, in which much is shared and written to again."""

    def __init__(self, rng):
        self.rng = rng
        self.number = 0

    def scalar(self):
        self.number += 1
        if is_long(self.rng):
            return long_scalar(self.rng) + self.rng.choice(["", "TOKEN", "TOKEN " + long_scalar(self.rng)])
        return self.rng.choice([self.number, "s%d" % self.number, "TOKEN-%d" % self.number, "TOKEN"])

    def value(self, depth):
        roll = self.rng.random()
        if depth and roll < 0.6:
            return {key: self.value(depth - 1) for key in self.rng.sample(KEYS, self.rng.randint(1, 3))}
        if depth and roll < 0.75:
            return [self.value(depth - 1) for _ in range(self.rng.randint(1, 2))]
        return self.scalar()

    def mapping(self):
        return {key: self.value(3) for key in self.rng.sample(KEYS, self.rng.randint(1, 3))}

    def walk(self, value, path=""):
        """The paths in a value."""
        yield path or "."
        if isinstance(value, dict):
            for key, member in value.items():
                yield from self.walk(member, path + "." + key)
        elif isinstance(value, list) and path:
            for index, member in enumerate(value):
                yield from self.walk(member, "%s[%d]" % (path, index))

    def written_path(self, shape, before):
        """A new place, one that is there, or one in what was written before."""
        roll = self.rng.random()
        below = [path for path in self.walk(shape) if any(path != one and path.startswith(one) for one in before)]
        if below and roll < 0.6:
            base = max(self.rng.choices(below, k=2), key=len)
        elif roll < 0.75:
            base = self.rng.choice(list(self.walk(shape)))
        else:
            base = "." + self.rng.choice(KEYS + ["x", "y"])
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            step = self.rng.choice([".a", ".b", ".c", ".x", ".a", ".b", "[0]", ".*"] if not base.endswith("]") else [".a", ".b", ".x"])
            base = step if base == "." and step[0] == "." else base + step
        return base if not base.startswith(".[") else "."

    def entry(self, sources, shape, before):
        source = self.rng.choice(sources)
        paths = list(self.walk(source["shape"]))
        nested = [path for path in paths if sum(other.startswith(path) for other in paths) > 3]
        path = self.rng.choice(nested if nested and self.rng.random() < 0.6 else paths)
        src = {"schema": SCHEMA, "name": source["name"], "path": path}
        if self.rng.random() < 0.15:
            src["deepcopy"] = True
        dest = []
        for _ in range(self.rng.choice([1, 1, 1, 2])):
            to = {"path": self.written_path(shape, before)}
            if to["path"] != "." and self.rng.random() < 0.12:
                to["pattern"] = "TOKEN"
                if self.rng.random() < 0.8:
                    to["recurse"] = {"depth": self.rng.choice([-1, -1, 1, 2])}
            else:
                before.append(to["path"])
            dest.append(to)
        return {"src": src, "dest": dest}

    def actions(self, data, base):
        actions = [{"method": "merge", "path": "."}] if self.rng.random() < 0.8 else []
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            method = self.rng.choice(["merge", "merge", "replace", "delete"])
            path = self.rng.choice(list(self.walk(base if method == "delete" else data)))
            if method != "delete" and self.rng.random() < 0.1:
                path = self.rng.choice([".*", ".a.*"])
            actions.append({"method": method, "path": path})
        return actions or [{"method": "merge", "path": "."}]

    @staticmethod
    def find_shape(documents):
        """What the last document holds, as a help to find paths that exist. Whether the model renders them."""
        try:
            shape = dict(render([{**one, "abstract": False} for one in documents]))[documents[-1]["name"]]
        except FAILURES:
            return False
        documents[-1]["shape"] = shape if isinstance(shape, dict) else {}
        return True

    def site(self):
        documents = []
        for i in range(self.rng.randint(2, 7)):
            data = self.mapping()
            document = {"name": "d%d" % i, "layer": self.rng.randrange(3), "abstract": self.rng.random() < 0.1, "parent": None, "actions": [],
                        "substitutions": [], "data": data, "shape": copy.deepcopy(data)}
            above = [one for one in documents if one["layer"] < document["layer"]]
            if above and self.rng.random() < 0.4:
                parent = self.rng.choice(above)
                document["parent"] = parent["name"]
                if self.rng.random() < 0.7:  # Keys of the parent, so that much is merged.
                    data.update({key: self.value(2) for key in parent["shape"]})
                document["actions"] = self.actions(data, parent["shape"])
                document["shape"] = {**copy.deepcopy(parent["shape"]), **data}
            sources = [one for one in documents if not one["abstract"]]
            documents.append(document)
            if not self.find_shape(documents) and self.rng.random() < 0.95:
                document["actions"] = [{"method": "merge", "path": "."}] if document["parent"] else []
            before = []
            for _ in range(self.rng.choice([0, 1, 2, 3, 4]) if sources else 0):
                known = len(before)
                document["substitutions"].append(self.entry(sources, document["shape"], before))
                if not self.find_shape(documents) and self.rng.random() < 0.95:
                    document["substitutions"].pop()
                    del before[known:]
        self.rng.shuffle(documents)
        return documents


def text(documents):
    out = [{"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"}, "data": {"layerOrder": LAYERS}}]
    for one in documents:
        layering = {"layer": LAYERS[one["layer"]], "abstract": one["abstract"]}
        if one["parent"]:
            layering.update(parentSelector={"id": one["parent"]}, actions=one["actions"])
        metadata = {"schema": "metadata/Document/v1", "name": one["name"], "storagePolicy": "cleartext", "labels": {"id": one["name"]},
                    "layeringDefinition": layering}
        if one["substitutions"]:
            metadata["substitutions"] = one["substitutions"]
        out.append({"schema": SCHEMA, "metadata": metadata, "data": one["data"]})
    return "".join("---\n%s\n" % json.dumps(one) for one in out)


def run(strata, path, *options):
    return subprocess.run([strata, "render", "--output", "json", *options, path], capture_output=True, text=True, timeout=60, check=False)


def leaves(value, path=""):
    if isinstance(value, (dict, list)) and value:
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(member, "%s/%s" % (path, str(key).replace("~", "~0").replace("/", "~1")))
    else:
        yield path, value


def check(strata, path, documents, counts):
    """What is wrong; nothing where all is right."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text(documents))
    try:
        expected = render(documents)
    except FAILURES as error:
        expected = error
    ran = run(strata, path)
    if ran.returncode not in (0, 1):
        return "exit status %d\n%s" % (ran.returncode, ran.stderr)
    if isinstance(expected, Exception):
        counts["refused"] += 1
        return None if ran.returncode == 1 else "rendered, but the model says %r\n%s" % (expected, ran.stdout)
    if ran.returncode != 0:
        return "refused, but the model says %s\n%s" % (json.dumps(expected), ran.stderr)
    result = json.loads(ran.stdout)
    found = [(one["metadata"]["name"], one["data"]) for one in result if one["metadata"]["name"] != "policy"]
    if found != expected:
        return "expected %s\nfound    %s" % (json.dumps(expected), json.dumps(found))
    counts["rendered"] += 1
    warns = "deckhand.shared-container" in ran.stderr
    try:
        is_shared = render(documents, shares=False) != expected
    except FAILURES:
        is_shared = False
    counts["shared"] += is_shared
    counts["warned"] += warns
    if is_shared and not warns and not is_only_inside(documents):
        return "a document changed through another one, without a warning: %s" % json.dumps(expected)
    if warns and run(strata, path, "--strict").returncode != 1:
        return "a warning is no error with --strict"
    blamed = run(strata, path, "--blame")
    if {one["path"]: one["value"] for one in json.loads(blamed.stdout)} != dict(leaves(result)):
        return "--blame differs from the result"
    explained = run(strata, path, "--explain")
    if explained.returncode != 0:
        return "--explain fails: exit status %d\n%s" % (explained.returncode, explained.stderr)
    values = {one["path"]: one["value"] for one in json.loads(explained.stdout) if "value" in one}
    if values != dict(leaves(result)):
        return "--explain differs from the result"
    return None


def is_only_inside(documents):
    """Whether what is shared may be shared within one document alone: then no other one is changed."""
    return any(len(entry["dest"]) > 1 or any("*" in to["path"] for to in entry["dest"]) for one in documents for entry in one["substitutions"]) or any(
        "*" in action["path"] for one in documents for action in one["actions"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--show", type=int)
    parser.add_argument("--library", action="store_true", help="follow paths with jsonpath-ng")
    arguments = parser.parse_args()
    if arguments.library:
        KINDS_OF_PATHS.append(LibraryPath)
    counts = {"rendered": 0, "refused": 0, "shared": 0, "warned": 0}
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "site.yaml")
        for number in range(arguments.count) if arguments.show is None else [arguments.show]:
            documents = Sites(random.Random("%d/%d" % (arguments.seed, number))).site()
            if arguments.show is not None:
                print(text(documents))
            wrong = check(arguments.strata, path, documents, counts)
            if wrong:
                failures += 1
                print("case %d of seed %d: %s" % (number, arguments.seed, wrong))
                if failures >= 5:
                    break
    print("%d failures; %s" % (failures, ", ".join("%d %s" % (count, what) for what, count in counts.items())))
    return 1 if failures or not counts["shared"] and arguments.show is None else 0


if __name__ == "__main__":
    sys.exit(main())
