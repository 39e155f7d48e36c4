#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON reader, base64 and UTF-8 of strata against Python's, on random and mutated texts.

usage: text_readers.py READ_TEXTS [--seed N] [--count N]

Exit status 1, with the text and both answers, at the first difference. Known differences: strata refuses halves of surrogate pairs.
"""
import argparse
import binascii
import json
import random
import re
import subprocess
import sys

WORDS = ["null", "true", "false", "NaN", "Infinity", "-Infinity", "0", "-0", "1", "-12", "1.5", "1e5", "1E+5", "1e-5", "-0.0", "0.1", "1e400", "-1e400", "1e-400",
         "9223372036854775807", "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "5e-324", "2.2250738585072014e-308",
         "1.7976931348623159e308", "0.1e1", "100000000000000000000000.5", "0e999999999999", "1e99999999999999999999", "0.000000000000000000000001e30"]


def text(rng):
    pieces = ["a", "b", "\u00e9", "\U0001f600", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\u0000", " ", ",", ":", "{", "]", "/", "\u2028", "\x7f"]
    return '"' + "".join(rng.choice(pieces) for _ in range(rng.choice([0, 1, 1, 2, 3, 8, 40]))) + '"'


def blank(rng):
    return rng.choice(["", "", "", " ", "\n", "\t ", "\r\n"])


def document(rng, depth):
    kind = rng.randrange(8)
    if depth == 0 or kind < 2:
        return rng.choice(WORDS) if rng.random() < 0.6 else text(rng)
    if kind < 5:
        inner = [blank(rng) + text(rng) + blank(rng) + ":" + blank(rng) + document(rng, depth - 1) + blank(rng) for _ in range(rng.randrange(4))]
        return "{" + (",".join(inner) or blank(rng)) + "}"
    inner = [blank(rng) + document(rng, depth - 1) + blank(rng) for _ in range(rng.randrange(4))]
    return "[" + (",".join(inner) or blank(rng)) + "]"


def mutate(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        where = rng.randrange(len(data) + 1)
        what = rng.randrange(4)
        if what == 0:
            data[where:where + 1] = b""
        elif what == 1:
            data[where:where] = bytes([rng.choice(b'{}[]",:\\ \n\t0123456789+-.eEnulltruefalseNaIify/#\'\x00\x01\x7f\x80\xc3\xff\xed')])
        elif what == 2:
            data[where:] = b""
        else:
            other = rng.randrange(len(data) + 1)
            data[where:where] = data[other:other + rng.randrange(6)]
    return bytes(data)


def utf8_offset(data):
    try:
        data.decode()
        return "ok"
    except UnicodeDecodeError as error:
        return str(error.start)


def base64(data):
    try:
        return "ok " + binascii.a2b_base64(data).hex()
    except binascii.Error:
        return "error"


def normal(value):
    """With types told apart, and floats by their bits."""
    if isinstance(value, dict):
        return ["mapping", [[key, normal(inner)] for key, inner in value.items()]]
    if isinstance(value, list):
        return ["sequence", [normal(inner) for inner in value]]
    return [type(value).__name__, repr(value)]


def python_json(data):
    """The value, or the error's character offset."""
    try:
        decoded = data.decode()
    except UnicodeDecodeError as error:
        return None, None
    try:
        value = json.loads(decoded)
    except json.JSONDecodeError as error:
        return None, error.pos
    except RecursionError:
        return None, None
    return value, "ok"


def has_half_pair(source):
    whole = re.sub(r"(?i)\\u(d[89ab]..)\\u(d[c-f]..)", "", source.replace("\\\\", "|"))
    return re.search(r"(?i)\\ud[89a-f]", whole) is not None


def check_json(data, answer):
    value, place = python_json(data)
    if place != "ok":
        return answer.startswith(("json.syntax f:", "limit.depth f:"))
    if has_half_pair(data.decode()):
        return answer.startswith("json.syntax")
    if re.search(r"\b(nan|inf)\b", repr(normal(value))) and answer.startswith("json.not-finite"):
        return True
    return answer.startswith("ok ") and normal(json.loads(answer[3:])) == normal(value)


def cases(rng, count):
    for i in range(count):
        kind = i % 4
        if kind < 2:
            yield "json", mutate(rng, document(rng, 4).encode())
        elif kind == 2:
            alphabet = rng.choice([b"ABCDabcd0189+/=", b"AB=\n -_", b"Az09+/=\x00\xff\x80*"])
            yield "base64", bytes(rng.choice(alphabet) for _ in range(rng.randrange(14)))
        else:
            pool = ["a", "bcdefghij", "\u00e9", "\u20ac", "\U0001f600", "\ud7ff", "\ue000", "\U0010ffff"]
            data = "".join(rng.choice(pool) for _ in range(rng.choice([0, 1, 3, 9, 60]))).encode()
            data = bytearray(data)
            for _ in range(rng.randrange(3)):
                where = rng.randrange(len(data) + 1)
                data[where:where] = rng.choice([b"\x80", b"\xc0\x80", b"\xc3", b"\xe0\x9f\xbf", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf0\x9f", b"\xf4\x90\x80\x80",
                                                b"\xf5", b"\xff", b"\xe2", b"\xef\xbf\xbf"])
            yield "utf8", bytes(data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    options = parser.parse_args()
    seed, count = options.seed, options.count
    all_cases = list(cases(random.Random(seed), count))
    lines = "".join(f"{mode} {data.hex()}\n" for mode, data in all_cases)
    done = subprocess.run([options.program], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    answers = done.stdout.decode().split("\n")[:-1]
    if len(answers) != len(all_cases):
        print(f"seed {seed}: {len(answers)} answers to {len(all_cases)} texts")
        return 1
    for (mode, data), answer in zip(all_cases, answers):
        expected = "" if mode == "json" else utf8_offset(data) if mode == "utf8" else base64(data)
        if not (check_json(data, answer) if mode == "json" else answer == expected):
            print(f"seed {seed}: {mode} {data!r}: strata says {answer!r}, Python {expected or python_json(data)!r}")
            return 1
    print(f"{count} texts clean")
    return 0


sys.exit(main())
