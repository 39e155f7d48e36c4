#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strata check against brute force: each statement of random sites is taken out, and the plain command asked again.

Shares no code with the program. A statement is dead exactly if every result stays as it is, byte for byte (lookup), or as a value (merge, compose);
of nested dead statements the outermost is told. Usage: check_properties_test.py BINARY [--count N] [--seed S]
"""
import argparse
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import yaml

NOTES = []
CODES = "dead-override,never-visible,dead-item,idle-knockout"


def run(binary, folder, *words):
    return subprocess.run([binary, *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


class Site:
    """Files as data, and the question about them."""

    def __init__(self, files, question, ask):
        self.files = files
        self.question = question
        self.ask = ask
        self.fixed = {}

    def write(self, folder, name, data):
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "#cloud-config\n" if self.ask[0] == "merge" else ""
        path.write_text(head + (yaml.safe_dump(data, sort_keys=False, default_flow_style=None) if data else "{}\n"), encoding="utf-8")


def random_value(rng, depth=0):
    kind = rng.random()
    if depth < 2 and kind < 0.3:
        return {rng.choice("abc"): random_value(rng, depth + 1) for _ in range(rng.randint(0, 3))}
    if depth < 2 and kind < 0.55:
        return [random_value(rng, 2) for _ in range(rng.randint(0, 3))]
    return rng.choice([1, 2, "x", "1", True, None, "%{role}", "%{nothing}"] if depth < 9 else [])


def lookup_site(rng):
    keys = ["k1", "k2", "k3", "m::a"]
    files = {}
    nodes = []
    roles = ["web", "db"]
    for number in range(rng.randint(2, 3)):
        nodes.append({"name": f"n{number}", "facts": {"cert": f"n{number}", "role": rng.choice(roles)}})
    shapes = {key: rng.choice(["any", "list", "hash"]) for key in keys}

    def value(key):
        if shapes[key] == "list":
            return [rng.choice([1, 2, "a", "b", {"a": 1}, "--a"]) for _ in range(rng.randint(1, 3))]
        if shapes[key] == "hash":
            return {rng.choice("abc"): random_value(rng, 1) for _ in range(rng.randint(1, 3))}
        return random_value(rng)

    for name in ["common"] + [f"role/{role}" for role in roles] + [f"node/{node['name']}" for node in nodes]:
        data = {key: value(key) for key in keys if rng.random() < 0.6}
        if rng.random() < 0.15:
            data["k3"] = rng.choice(["%{lookup('k1')}", "%{alias('k2')}", "%{hiera('k1')} x"])
        if data or rng.random() < 0.5:
            files[f"data/{name}.yaml"] = data
    options = {}
    for key in keys:
        merge = {"any": ["first"], "list": ["first", "unique", "deep"], "hash": ["first", "hash", "deep"]}[shapes[key]]
        choice = rng.choice(merge)
        if choice == "deep" and rng.random() < 0.4:
            choice = {"strategy": "deep", "knockout_prefix": "--"}
        options[key] = {"merge": choice}
    files.setdefault("data/common.yaml", {})
    files["data/common.yaml"] = {"lookup_options": options, **files["data/common.yaml"]}
    words = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"]
    site = Site(files, words, [*words, "--all", "--output", "json"])
    site.options = options
    site.fixed = {
        "hiera.yaml": "version: 5\nhierarchy:\n"
        + "".join(f"  - {{name: {n}, path: '{p}'}}\n" for n, p in [("node", "node/%{cert}.yaml"), ("role", "role/%{role}.yaml"), ("common", "common.yaml")]),
        "nodes.json": json.dumps(nodes),
    }
    return site


def merge_site(rng):
    names = ["a.yaml", "b.yaml", "c.yaml"][: rng.randint(2, 3)]
    how = rng.choice([None, "list(append)+dict(recurse_array)+str()", "list(append)+dict(no_replace,recurse_list)+str()", "dict(replace)+list()+str()"])
    files = {}
    for name in names:
        files[name] = {key: random_value(rng) for key in ["hostname", "ntp", "packages"] if rng.random() < 0.7}
        if how and rng.random() < 0.7:
            files[name]["merge_how"] = how
    words = ["merge", *names]
    return Site(files, words, [*words, "--output", "json"])


def compose_site(rng):
    names = ["a.yaml", "b.yaml", "c.yaml"][: rng.randint(2, 3)]
    files = {}
    for name in names:
        data = {}
        for section in ["parameters", "parameter_defaults"]:
            if rng.random() < 0.8:
                data[section] = {key: random_value(rng) for key in ["p", "q", "r"] if rng.random() < 0.6}
        if rng.random() < 0.4:
            data["parameter_merge_strategies"] = {rng.choice("pqr"): rng.choice(["merge", "deep_merge", "overwrite"])}
        files[name] = data
    words = ["compose"]
    for name in names:
        words += ["-e", name]
    return Site(files, words, [*words, "--output", "json"])


def render_site(rng):
    """Each document in a file of its own."""

    def document(name, layer, data, **layering):
        return {"schema": "ex/Kind/v1", "metadata": {"schema": "metadata/Document/v1", "name": name, "storagePolicy": "cleartext", "labels": {"name": name},
                                                     "layeringDefinition": {"layer": layer, **layering}}, "data": data}

    def data():
        return {key: random_value(rng) for key in "abc" if rng.random() < 0.7}

    files = {"policy.yaml": {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
                             "data": {"layerOrder": ["global", "region", "site"]}},
             "base.yaml": document("base", "global", data(), abstract=rng.random() < 0.5)}
    for name, layer, parent in (("middle", "region", "base"), ("leaf", "site", "middle"), ("other", "site", "base")):
        if rng.random() < 0.8:
            actions = [{"method": rng.choice(["merge", "merge", "replace"]), "path": rng.choice([".", ".", ".a"])} for _ in range(rng.randint(1, 2))]
            files[f"{name}.yaml"] = document(name, layer, data(), parentSelector={"name": parent}, actions=actions, abstract=rng.random() < 0.3)
    if rng.random() < 0.5:
        files["taker.yaml"] = document("taker", "site", data())
        files["taker.yaml"]["metadata"]["substitutions"] = [{"src": {"schema": "ex/Kind/v1", "name": "base", "path": ".a"}, "dest": {"path": ".b"}}]
    words = ["render", *files]
    return Site(files, words, [*words, "--output", "json"])


def pointer(tokens):
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def statements(site, data):
    """(tokens, is_item) of everything that counts, outer ones first."""
    out = []
    kind = site.ask[0]

    def below(value, tokens, in_list, members, items):
        if isinstance(value, dict):
            for key, member in value.items():
                here = [*tokens, key]
                if members(here):
                    out.append((here, False))
                below(member, here, in_list, members, items)
        elif isinstance(value, list):
            for number, member in enumerate(value):
                here = [*tokens, number]
                if not in_list and items(here):
                    out.append((here, True))
                below(member, here, True, members, items)

    if kind == "lookup":
        for key, value in data.items():
            if key == "lookup_options":
                continue
            out.append(([key], False))
            merge = site.options[key]["merge"]
            strategy = merge if isinstance(merge, str) else merge["strategy"]
            below(
                value, [key], False,
                lambda here, s=strategy: s == "deep" or (s == "hash" and len(here) == 2),
                lambda here, s=strategy: s == "deep" or (s == "unique" and len(here) == 2),
            )
    elif kind == "render":
        if not data["schema"].startswith("deckhand/"):
            below(data["data"], ["data"], False, lambda here: True, lambda here: False)
    elif kind == "merge":
        below({key: value for key, value in data.items() if key != "merge_how"}, [], False, lambda here: True, lambda here: True)
    else:
        below(data, [], False, lambda here: len(here) > 1, lambda here: len(here) > 1)
    return out


def without(data, tokens):
    data = copy.deepcopy(data)
    here = data
    for token in tokens[:-1]:
        here = here[token]
    del here[tokens[-1]]
    return data


def first_leaf(node):
    """Where the value of a node begins, as a line and a column from 1."""
    while not isinstance(node, yaml.ScalarNode) and node.value:
        node = node.value[0][1] if isinstance(node, yaml.MappingNode) else node.value[0]
    return node.start_mark.line + 1, node.start_mark.column + 1


def nodes_of(node):
    yield node
    if isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from nodes_of(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from nodes_of(item)


def data_of(node):
    if isinstance(node, yaml.MappingNode):
        return [node.tag, [(data_of(key), data_of(value)) for key, value in node.value]]
    return [node.tag, [data_of(item) for item in node.value] if isinstance(node, yaml.SequenceNode) else node.value]


def node_at(node, path):
    for token in path.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        node = node.value[int(token)] if isinstance(node, yaml.SequenceNode) else next(value for key, value in node.value if key.value == token)
    return node


def at_path(value, tokens):
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            return []
    return [json.dumps(value, sort_keys=True)]


def kept_values(site, base, finding):
    """The values of results at the place of a finding's statement, as JSON."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in finding["path"].split("/")[1:]]
    if site.ask[0] == "lookup":
        return [found for _, key, value in base[0] if key == tokens[0] for found in at_path(json.loads(value), tokens[1:])]
    result = json.loads(base)
    return [found for one in (result if site.ask[0] == "render" else [result]) for found in at_path(one, tokens)]


def check_notes(folder, site, base, findings):
    """A note that a value is here names a place that holds the value that stays; the number of such notes."""
    count = 0
    for one in findings:
        for note in one["notes"]:
            if note["message"] not in ("the same value is here", "the same item is here"):
                continue
            count += 1
            trees = {name: yaml.compose(pathlib.Path(folder, name).read_text(encoding="utf-8")) for name in (one["file"], note["file"])}
            wanted = node_at(trees[one["file"]], one["path"])
            here = [node for node in nodes_of(trees[note["file"]]) if first_leaf(node) == (note["line"], note["column"]) and node is not wanted]
            kept = kept_values(site, base, one)
            values = [json.dumps(yaml.safe_load(yaml.serialize(node)), sort_keys=True) for node in here]
            if data_of(wanted) not in [data_of(node) for node in here] and not set(values) & set(kept):
                raise AssertionError(f"{one['file']}:{one['line']} {one['path']}: another value is at {note['file']}:{note['line']}:{note['column']}")
    return count


def outcome(binary, folder, site):
    done = run(binary, folder, *site.ask)
    if done.returncode != 0 and not done.stdout:
        return ("error", done.stderr.splitlines()[0].split(": ", 1)[-1] if done.stderr else "")
    if site.ask[0] == "lookup":
        # The order of keys is not part of a result; that within their values is.
        nodes = json.loads(done.stdout)
        items = sorted((node, key, json.dumps(value)) for node, result in nodes.items() for key, value in result.items())
        return (items, sorted(line.split(": error: ", 1)[1] for line in done.stderr.splitlines() if ": error: " in line))
    # As text: in Python, 1 is True.
    return json.dumps(json.loads(done.stdout), sort_keys=True)


def check(binary, site, seed):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in site.fixed.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        for name, data in site.files.items():
            site.write(folder, name, data)
        base = outcome(binary, folder, site)
        if base[0] == "error":
            return 0
        expected = set()
        for name, data in site.files.items():
            if site.ask[0] == "merge" and len([k for k in data if k != "merge_how"]) and len(site.files) > 1:
                site.write(folder, name, {})
                is_dead_part = outcome(binary, folder, site) == base and sum(1 for d in site.files.values() if d) > 1
                site.write(folder, name, data)
                if is_dead_part:
                    continue
            dead = []
            if site.ask[0] == "lookup" and not any(name.endswith(part) for part in readers(site)):
                continue
            for tokens, is_item in statements(site, data):
                if any(tokens[: len(one)] == one for one in dead):
                    continue
                site.write(folder, name, without(data, tokens))
                if outcome(binary, folder, site) == base:
                    dead.append(tokens)
                    expected.add((name, pointer(tokens), is_item))
            site.write(folder, name, data)
        told = run(binary, folder, "check", "--select", CODES, "--output", "json", *site.question)
        if told.returncode not in (0, 1):
            raise AssertionError(f"seed {seed}: {told.stderr}")
        findings = [one for one in json.loads(told.stdout)["findings"] if one["code"][6:] in CODES]
        got = {(one["file"], one["path"], one["code"] in ("check.dead-item", "check.idle-knockout")) for one in findings}
        if site.ask[0] == "lookup":
            # As long as a key fails, nothing is said of its statements.
            failed = set(re.findall(r"lookup of '(.*?)' failed", "\n".join(base[1])))
            expected = {one for one in expected if one in got or one[1].split("/")[1] not in failed}
        NOTES.append(check_notes(folder, site, base, findings))
        if got != expected:
            for name, data in {**site.fixed, **site.files}.items():
                print("---", name)
                print(data if isinstance(data, str) else pathlib.Path(folder, name).read_text(encoding="utf-8"))
            raise AssertionError(f"seed {seed} {site.question}: missing {sorted(expected - got)}, too many {sorted(got - expected)}")
        return len(expected)


def readers(site):
    nodes = json.loads(site.fixed["nodes.json"])
    return ["common.yaml"] + [f"role/{node['facts']['role']}.yaml" for node in nodes] + [f"node/{node['name']}.yaml" for node in nodes]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    dead = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        for make in (lookup_site, merge_site, compose_site, render_site):
            dead += check(binary, make(random.Random(seed)), seed)
    if dead == 0 or sum(NOTES) == 0:
        raise AssertionError("no case had anything dead, or none had a note")
    print(f"{4 * arguments.count} sites, {dead} dead statements")


if __name__ == "__main__":
    sys.exit(main())
