#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the paths of Deckhand's documents with jsonpath-ng 1.8, the library that Deckhand reads them with.

usage: deckhand_paths.py DECKHAND_PATHS [--seed N] [--count N]
"""
import argparse
import copy
import json
import random
import subprocess
import sys

KEYS = ["a", "b", "c", "k-1", "@x", "1", "a b", "用户", "where", "*"]


def key(rng):
    name = rng.choice(KEYS)
    return name if name in ("a", "b", "c", "k-1", "@x", "1", "用户") and rng.random() < 0.9 else rng.choice(["'%s'", '"%s"']) % name


def index(rng):
    return rng.choice(["0", "1", "2", "-1", "-2", "5", "0,1", "*", "*", ":", "1:", ":1", "::2", "::-1", "-2:", "99999999999999999999"])


def step(rng):
    roll = rng.random()
    if roll < 0.45:
        return "." + key(rng)
    if roll < 0.6:
        return "[%s]" % index(rng)
    if roll < 0.65:
        return "['%s']" % rng.choice(KEYS)
    if roll < 0.72:
        return ".*"
    if roll < 0.78:
        return ".." + key(rng)
    if roll < 0.83:
        return ".%s,%s" % (key(rng) if rng.random() < 0.2 else "a", rng.choice("abc"))
    if roll < 0.87:
        return "|" + key(rng)
    if roll < 0.91:
        return " %s %s" % (rng.choice(["where", "wherenot"]), key(rng))
    if roll < 0.94:
        return ".(%s%s)" % (key(rng), step(rng))
    if roll < 0.96:
        return rng.choice([".`this`", ".`parent`"])
    return rng.choice([".", "&a", ".$", "]", " ", ".é", ".2a", "..", ".[0]", "~", "'"])


def path(rng):
    text = rng.choice(["$", "$", "$", "", "a", "$.a"]) + "".join(step(rng) for _ in range(rng.randint(0, 4)))
    return text[1:] if text.startswith("$.") and rng.random() < 0.8 else text


def data(rng, depth=4):
    roll = rng.random()
    if depth and roll < 0.55:
        return {rng.choice(KEYS): data(rng, depth - 1) for _ in range(rng.randint(0, 3))}
    if depth and roll < 0.8:
        return [data(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return rng.choice([None, True, False, 0, 1, 2.5, "", "a", "text", "añb"])


def normalised(text):
    return "$" if text == "." else "$" + text if text.startswith(".") else text


def reference(case):
    from jsonpath_ng import parse

    try:
        expression = parse(normalised(case[0]))
        if len(case) == 2:
            return ["found", [match.value for match in expression.find(case[1])]]
        document = copy.deepcopy(case[1])
        if not expression.find(document):
            return None  # Deckhand makes the place then, and not the library.
        result = expression.update(document, copy.copy(case[2]))
        if result is not document or result == case[1]:
            return None  # Nothing was written: strata says so.
        return ["data", json.loads(json.dumps(result))]
    except (RecursionError, ValueError) as error:
        return ["error", type(error).__name__]
    except Exception as error:  # pylint: disable=broad-except
        return ["error", type(error).__name__]


def integer_keys(value):
    """`[*]` written to a mapping gives it a number for a key there, which is no document any more: strata refuses it."""
    if isinstance(value, dict):
        return any(name not in KEYS for name in value) or any(integer_keys(one) for one in value.values())
    return isinstance(value, list) and any(integer_keys(one) for one in value)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=300)
    options = arguments.parse_args()
    try:
        import jsonpath_ng  # noqa: F401
    except ImportError:
        print("deckhand_paths: jsonpath-ng is not installed: nothing compared")
        return 0
    rng = random.Random(options.seed)
    cases = []
    for _ in range(options.count):
        case = [path(rng), data(rng)]
        if rng.random() < 0.5:
            case.append(data(rng, 2))
        cases.append(case)
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    answers = subprocess.run([options.program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    wrong = compared = found = 0
    for case, line in zip(cases, answers):
        expected, actual = reference(case), json.loads(line)
        if expected is None or (len(case) == 3 and expected[0] == "data" and integer_keys(expected[1])):
            continue
        # What is above the root, and above what `[*]` took for a list of one, is no part of the data: strata refuses the one and gives its owner's
        # place for the other.
        if "`parent`" in case[0] and (actual == ["error", "deckhand.path-lookup"] or "[" in case[0]):
            continue
        compared += 1
        found += expected[0] != "error"
        if expected[0] != actual[0] or (expected[0] != "error" and json.dumps(expected[1]) != json.dumps(actual[1])):
            wrong += 1
            if wrong <= 10:
                print("path %r\n  data      %s\n  value     %s\n  reference %s\n  strata    %s" % (
                    case[0], json.dumps(case[1]), json.dumps(case[2]) if len(case) == 3 else "-", expected, actual))
    print("deckhand_paths: %d compared, of which %d no errors; %d differ" % (compared, found, wrong))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
