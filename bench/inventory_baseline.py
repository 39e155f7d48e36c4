#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a short script would do instead of `strata lookup --nodes --all --merge deep`: the measure of bench/fleet.py.

usage: inventory_baseline.py DIR

Reads the JSON shape of an inventory (DIR/nodes.json, DIR/data/*.json), merges the five layers of each node recursively (mappings member by member, lists
as the union that keeps the first place), and prints one JSON mapping of all nodes.
"""
import json
import sys


def read(folder, name, known):
    if name not in known:
        with open(f"{folder}/data/{name}.json", encoding="utf-8") as file:
            known[name] = json.load(file)
    return known[name]


def merge(strong, weak):
    out = dict(weak)
    for key, value in strong.items():
        old = out.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            out[key] = merge(value, old)
        elif isinstance(value, list) and isinstance(old, list):
            out[key] = old + [item for item in value if item not in old]
        else:
            out[key] = value
    return out


def main():
    folder = sys.argv[1]
    known = {}
    out = {}
    with open(f"{folder}/nodes.json", encoding="utf-8") as file:
        nodes = json.load(file)
    for node in nodes:
        facts = node["facts"]
        result = read(folder, "common", known)
        for name in ("os/" + facts["os"], "dc/" + facts["dc"], "role/" + facts["role"], "node/" + facts["node"]):
            result = merge(read(folder, name, known), result)
        out[node["name"]] = result
    sys.stdout.write(json.dumps(out))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
