#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strata diff results A B and B A hold each other's changes, with sides swapped (P3), wherever one alignment of each list is longest.

Usage: diff_mirror_test.py BINARY [--count N] [--seed S]
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SCALARS = [0, 1, 2, "a", "b", None, True, "1", 1.5]
MIRRORED = {"added": "removed", "removed": "added", "changed": "changed"}


def value(rng, depth=0):
    draw = rng.random()
    if depth < 3 and draw < 0.3:
        return {key: value(rng, depth + 1) for key in rng.sample("abcd", rng.randint(0, 3))}
    if depth < 3 and draw < 0.6:
        return [value(rng, depth + 2) for _ in range(rng.randint(0, 5))]
    return rng.choice(SCALARS)


def edited(rng, data, depth=0):
    """The same with some changes."""
    if rng.random() < 0.12:
        return value(rng, depth)
    if isinstance(data, dict):
        out = {key: edited(rng, one, depth + 1) for key, one in data.items() if rng.random() < 0.9}
        if rng.random() < 0.2:
            out[rng.choice("abcdef")] = value(rng, depth + 1)
        return out
    if isinstance(data, list):
        out = [edited(rng, one, depth + 1) for one in data if rng.random() < 0.85]
        if rng.random() < 0.3:
            out.insert(rng.randint(0, len(out)), value(rng, depth + 1))
        return out
    return data


def same(left, right):
    """Kinds count; the order of mappings does not."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def middles(left, right):
    """Without the common beginning and the common end."""
    left, right = list(left), list(right)
    while left and right and same(left[0], right[0]):
        left, right = left[1:], right[1:]
    while left and right and same(left[-1], right[-1]):
        left, right = left[:-1], right[:-1]
    return left, right


def alignments(left, right):
    """The sets of pairs of all longest alignments of two lists; at most two."""
    best = [[{()} for _ in range(len(right) + 1)] for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for k in range(len(right) - 1, -1, -1):
            options = set(best[i + 1][k]) | set(best[i][k + 1])
            if same(left[i], right[k]):
                options |= {((i, k), *rest) for rest in best[i + 1][k + 1]}
            longest = max(len(one) for one in options)
            best[i][k] = {one for one in options if len(one) == longest}
    return best[0][0]


def is_ambiguous(left, right):
    if isinstance(left, dict) and isinstance(right, dict):
        return any(is_ambiguous(left[key], right[key]) for key in left.keys() & right.keys())
    if not isinstance(left, list) or not isinstance(right, list):
        return False
    # Items between two matches are compared in their order.
    left, right = middles(left, right)
    found = alignments(left, right)
    if len(found) > 1:
        return True
    (pairs,) = found
    at, to = 0, 0
    for i, k in [*pairs, (len(left), len(right))]:
        if any(is_ambiguous(one, other) for one, other in zip(left[at:i], right[to:k])):
            return True
        at, to = i + 1, k + 1
    return False


def changes(binary, folder, before, after):
    done = subprocess.run([binary, "diff", "--exit-zero", "--output", "json", "results", before, after], cwd=folder, capture_output=True, text=True,
                          timeout=600, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)["changes"]


def key(change, is_mirrored):
    def side(one):
        return None if one is None else json.dumps(one["value"], sort_keys=True)

    kind, path, origin = change["kind"], change["path"], change.get("from", change["path"])
    before, after = side(change["before"]), side(change["after"])
    if is_mirrored:
        kind, before, after = MIRRORED[kind], after, before
        if kind == "changed":
            path, origin = origin, path
    return kind, path, origin, before or "", after or ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    compared = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        rng = random.Random(seed)
        left = value(rng)
        right = edited(rng, left)
        if is_ambiguous(left, right):
            continue
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.json").write_text(json.dumps(left), encoding="utf-8")
            pathlib.Path(folder, "b.json").write_text(json.dumps(right), encoding="utf-8")
            forth = sorted(key(one, False) for one in changes(binary, folder, "a.json", "b.json"))
            back = sorted(key(one, True) for one in changes(binary, folder, "b.json", "a.json"))
        if forth != back:
            raise AssertionError(f"seed {seed}: {json.dumps(left)} {json.dumps(right)}: {forth} {back}")
        compared += len(forth)
    if compared == 0:
        raise AssertionError("nothing differed")
    print(f"{compared} changes")


if __name__ == "__main__":
    sys.exit(main())
