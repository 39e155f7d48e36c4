#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Values as strata writes them, read back by PyYAML's two scanners and by Python's json.

usage: yaml_writer.py WRITE_VALUES [--seed N] [--count N] [--short]     random values, or with --short all short texts

Exit status 1, with the seed and both sides, at the first value that comes back as something else.
"""
import argparse
import base64
import datetime
import json
import math
import subprocess
import sys

import yaml


class Pairs(list):
    """A mapping as its entries, so that order and key types are compared."""


def typed(node):
    kind, data = node
    if kind == "null":
        return None
    if kind == "bool":
        return data == "true"
    if kind == "int":
        return int(data)
    if kind == "float":
        return float.fromhex(data)
    if kind == "text":
        return data
    if kind == "binary":
        return base64.b64decode(data)
    if kind == "date":
        return datetime.date.fromisoformat(data)
    if kind == "timestamp":
        return datetime.datetime.fromisoformat(data)
    if kind == "sequence":
        return [typed(item) for item in data]
    if kind == "mapping":
        return {typed(key): typed(value) for key, value in data}
    return {typed(key) for key, _ in data}


def same(a, b, ordered):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        left, right = list(a.items()), list(b.items())
        if not ordered:
            left, right = sorted(left, key=lambda e: repr(e[0])), sorted(right, key=lambda e: repr(e[0]))
        return len(left) == len(right) and all(same(x[0], y[0], ordered) and same(x[1], y[1], ordered) for x, y in zip(left, right))
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y, ordered) for x, y in zip(a, b))
    if isinstance(a, set):
        return sorted(map(repr, a)) == sorted(map(repr, b))
    if isinstance(a, float):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    if isinstance(a, datetime.datetime):
        return a == b and a.utcoffset() == b.utcoffset()
    return a == b


def float_text(number):
    text = repr(number)
    if text in ("inf", "-inf", "nan"):
        return text.replace("inf", ".inf").replace("nan", ".nan")
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def plain(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    return value


def key_text(key):
    if key is None:
        return "null"
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float):
        return float_text(key)
    return str(plain(key))


class Collision(Exception):
    pass


class NotFinite(Exception):
    pass


def as_json(node):
    """What the JSON output must read back as; order of errors aside."""
    kind, data = node
    if kind == "sequence":
        return [as_json(item) for item in data]
    if kind == "set":
        return [as_json(key) for key, _ in data]
    if kind == "mapping":
        result = {}
        for key, value in data:
            name = key_text(typed(key))
            if name in result:
                raise Collision
            result[name] = as_json(value)
        return result
    value = typed(node)
    if isinstance(value, float) and not math.isfinite(value):
        raise NotFinite
    return plain(value)


def sort_sets(a):
    if isinstance(a, list):
        return sorted((sort_sets(i) for i in a), key=lambda i: json.dumps(i, sort_keys=True))
    if isinstance(a, dict):
        return {k: sort_sets(v) for k, v in a.items()}
    return a


def check(case):
    seed = case["seed"]
    ordered = seed % 7 != 0
    expected = typed(case["value"])
    if case["lines"] != case["yaml"]:
        return "lines differ from the text"
    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        try:
            got = yaml.load(case["yaml"], Loader=loader)
        except Exception as error:  # whatever it is, the text is wrong
            return f"{loader.__name__}: {error}"
        if not same(expected, got, ordered):
            return f"{loader.__name__}:\n  expected {expected!r}\n  got      {got!r}"
    if not ordered:
        try:
            again = as_json(case["value"])
        except (Collision, NotFinite):
            return None if "json_error" in case else "JSON without the error"
        got = json.loads(case["json"])
        return None if sort_sets(again) == sort_sets(got) else f"JSON: expected {again!r}, got {got!r}"
    try:
        wanted = as_json(case["value"])
    except (Collision, NotFinite):
        if case.get("json_error") in ("json.key-collision", "json.not-finite"):
            return None
        return "JSON without the error"
    if "json_error" in case:
        return f"JSON error {case['json_error']}"
    got = json.loads(case["json"])
    if not same(wanted, got, True):
        return f"JSON:\n  expected {wanted!r}\n  got      {got!r}"
    if seed % 3 == 0:
        # Without sets, bytes and the like it is what Python writes, byte for byte.
        indent = seed % 5 - 1
        text = json.dumps(expected, ensure_ascii=False, indent=indent if indent >= 0 else None) + "\n"
        if text != case["json"]:
            return f"JSON text:\n{text}\nagainst\n{case['json']}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    program, first, count, short = options.program, options.seed, options.count, options.short
    out = subprocess.Popen([program, "short"] if short else [program, str(first), str(count)], stdout=subprocess.PIPE)
    done = 0
    for line in out.stdout:
        case = json.loads(line)
        problem = check(case)
        if problem:
            print(f"seed {case['seed']}: {problem}\n{case['yaml']}")
            out.kill()
            return 1
        done += 1
    if out.wait() != 0 or (done != count and not short):
        print(f"{program} stopped after {done} values")
        return 1
    print(f"{done} values clean")
    return 0


sys.exit(main())
