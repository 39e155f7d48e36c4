#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The YAML reader of strata under its profile `psych`, and its JSON reader as Ruby's, against the loaders that Puppet uses, on random and mutated texts.

usage: psych_reader.py READ_YAML [--seed N] [--count N] [--most N] [--known]

Each difference is shown shrunk, with the seed of its case; `--known` shows also those that docs/hiera/fidelity.md lists. Exit status 1 at any other
difference. READ_YAML is the program of read_yaml.cpp, kept running for all cases, as is psych_oracle.rb beside this file. Without Puppet: status 0.
"""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys

from yaml_reader import BITS, Documents, PLAIN, WORDS, quote

# ---- scalars ---------------------------------------------------------------------------------------------------------------------------------------

PSYCH_WORDS = ["nULL", "nulL", "yEs", "oFF", "tRuE", "ye\u017f", "fal\u017fe", "o\ufb00", "NULLx", "1,000", "1,00", "1_000", "1,,0", "1_,0", "0,5", "0_", "0,", "00", "010", "08", "09", "0o14",
               "0b_", "0b,", "0b1_", "-0b11", "0x_", "0x", "-0x_f", "0xF,F", "+010", "-010", "1.", ".5", "-.5", "+.5", ".", "-.", "+.", ".e+3", "-.e-3", "1.e+3", "1.e5", "1e3", "1.5E3", "1.5e-3",
               "12e03", "1e5.0", ".5e1", ".5e+1", "6.02e+23", "1_0.5", "1,5.5", "0.1_2", "1_,.5", "1__0.5", "1.0e+400", "-1.0e+400", "1.0e-400", ".iNf", "+.inf", "-.INF", ".NaN", "+.nan", "-.nan",
               "1:30", "1:5", "-1:30", "+1:30", "12:30:45.5", "1:60", "1:2:3:4", "1_2:30", "1__2:30", "1_:30", "-0:0.0", "1:30._5", "1:30.5_5", "1:30.5__5", "1:30.", "1:2:3.4.5", "190:20:30",
               "99999999999999:59:59", "1:30.5e+3", "2024-01-02", "2024-1-2", "2024-02-31", "2024-13-45", "2024-01", "20240102", "0024-1-1", "-2024-01-01", "2024-1-1 1:02:03", "2024-01-02T03:04:05Z",
               "2024-01-02 03:04:05", "-2024-01-02 03:04:05", "2024-01-02 03:04:05.5 +1", "2024-01-02 03:04:05 +0130", "2024-01-02 03:04:05 +01:30", "2024-01-02 03:04:05 +01:", "2024-01-02 3:4:5",
               "2024-01-02 99:99:99", "2024-99-99 03:04:05", "2024-01-02 03:04:05.", "2024-01-02 03:04:05 Z", "2024-01-02 03:04:05 +1:3", "2024-01-32", "2024-00-00", "2024-10-30", ":a", "::a", ":\"a b\"",
               ":'x'", ":\"a\"b", ":\"\"", ":\":a\"", ":\"a", ":a b", ":1", ":-", ":a:b", ":é", ":'a\"b'", "<<", "~", "=", "12345678901234567890123", "-0", "+0", "0.0", "-0.0", "0", "+1", "_1", "1_"]
TAGS = ["!!str", "!!int", "!!float", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp", "!", "!foo", "!!foo", "!str", "!float", "!binary", "!ruby/sym", "!ruby/symbol", "!ruby/symbols", "!ruby/regexp",
        "!ruby/range", "!ruby/object:Foo", "!ruby/object", "!ruby/string", "!str:Foo", "!ruby/object:Complex", "!!map", "!!seq", "!!set", "!!omap", "!omap", "!ruby/object:Hash", "!map:Foo", "!seq:Foo",
        "!ruby/struct:Foo", "!ruby/hash:Foo", "!ruby/array:Foo", "!set", "!!pairs", "!ruby/exception", "!ruby/marshalable:Foo", "!<tag:yaml.org,2002:str>", "!e!x"]
BINARY = ["aGk=", "aGk", "aGkh", "a", "ab=c", "====", "a G k =", "é", "-_", "aGk=aGk=", "", "aGk==", "aGkhaG\\n", "/w==", "gICA", "w6k=", "=aGk", "a=Gk", "aG=k"]
FLOATS = ["1e3", "1", "0x1A", "0x1.8p3", "0x1p-2", "1_0", "1__0", " 1 ", "1.", ".5", "1e", "e1", "1_", "_1", "inf", "Infinity", "nan", ".inf", "1e5.0", "0b11", "0o7", "010", "08", "1,0", "99e999", "1E+5", "",
          "+1", "- 1", "--1", "-.5", "-0", "0x", "0x_1", "0x1_0", "1e1_0", "1e_1", "1 2", "true", "~", "1:30", "12345678901234567890123", "1\\n", "\\t1", "1\\u00a0", "1.5.5", "0x1.p3", "1._5", "1_.5"]
SCALAR_BITS = ["0", "1", "2", "5", "7", "9", "12", "59", "60", ".", ":", "-", "+", "_", ",", "e", "E", "x", "b", "o", "f", "T", "t", "Z", " ", "inf", "nan", "2001", "-12", "-14", ":30", "0x", "0b", "e+5", "E-2",
               "y", "n", "=", "<<", "~", "null", "#", "é", "\u017f", "off", "yes", "\n\n"]


def mutated(rng, text):
    for _ in range(rng.choice([0, 1, 1, 2])):
        where = rng.randrange(len(text) + 1)
        text = text[:where] + rng.choice(SCALAR_BITS + ["", ""]) + text[where + rng.choice([0, 0, 1, 2]):]
    return text


def scalar(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(WORDS)
    if kind == 1:
        return rng.choice(PSYCH_WORDS)
    if kind == 2:
        return mutated(rng, rng.choice(WORDS + PSYCH_WORDS))
    if kind == 3:
        return "".join(rng.choice(SCALAR_BITS) for _ in range(rng.randrange(1, 7)))
    if kind == 4:
        return rng.choice(["on", "no", "yes", "t", "~", "off"]) + "\n\n" + rng.choice(["on", "no", "y", "~", "off", "x", ""])
    return rng.choice([f"{rng.randrange(-99, 2100)}", f"{rng.randrange(1900, 2100)}-{rng.randrange(14):02}-{rng.randrange(33)}", f"{rng.randrange(1, 10 ** rng.randrange(1, 40))}",
                       repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-300, 300)), f"{rng.randrange(100)}:{rng.randrange(70):02}:{rng.randrange(70)}.{rng.randrange(1000)}",
                       f"{rng.randrange(-30, 100)}:{rng.randrange(70)}", f"{rng.randrange(10 ** 17)}.{rng.randrange(10 ** 9)}e{rng.randrange(-30, 30):+}"])


def scalar_document(rng):
    text = scalar(rng)
    tag = rng.choice(TAGS) if rng.random() < 0.4 else ""
    if tag in ("!!binary", "!binary"):
        text = rng.choice(BINARY)
    if tag in ("!!float", "!float") and rng.random() < 0.7:
        text = rng.choice(FLOATS)
        text = '"' + text + '"' if rng.random() < 0.8 or text != text.strip() else text
    elif tag and rng.random() < 0.4:
        text = quote(rng, text + rng.choice(["", "", "\\n", " "]))
    elif rng.random() < 0.1:
        text = quote(rng, text)
    shown = f"{tag} {text}".strip()
    return rng.choice(["{}\n", "k: {}\n", "- {}\n", "[{}]\n", "k: {}\n", "{}: v\n", "{{k: {}}}\n", "? {}\n", "k: [{}, b]\n", "- {}\n- 2\n", "k:\n  {}\n", "a: {}\nb: 1\n"]).format(shown)


# ---- documents -------------------------------------------------------------------------------------------------------------------------------------


class PsychDocuments(Documents):
    """Documents rich in what Psych treats in its own way."""

    def plain(self):
        return self.rng.choice(PSYCH_WORDS) if self.rng.random() < 0.1 else super().plain() if self.rng.random() < 0.4 else self.rng.choice(PLAIN[:12])

    def properties(self):
        out = super().properties()
        if not out and self.rng.random() < 0.04:
            out = self.rng.choice(TAGS) + " "
        return out

    def key(self):
        rng = self.rng
        pick = rng.random()
        if pick < 0.5:
            return rng.choice(["a", "b", "c", ":a", ":b", "1", "1.0", "01", "true", "null", "-0.0", "0.0", "0"])
        if pick < 0.7:
            return rng.choice(["<<", "<<", "<<", "'<<'", "!!str <<", "! '<<'", "!str '<<'", "!ruby/sym <<", "&m <<", "*m "])
        return super().key()


def merge_document(rng):
    """Anchors, aliases and `<<` in all kinds of places."""
    names = ["x", "y", "z"]

    def mapping(depth):
        return "{" + ", ".join(member(depth) for _ in range(rng.randrange(4))) + "}"

    def member(depth):
        pick = rng.random()
        if pick < 0.35:
            return rng.choice(["<<", "<<", "'<<'", "!!str <<", "? <<"]) + ": " + merged(depth)
        return rng.choice(["a", "b", "c", "d", "1", "'a'", "? :a\n ", "? :b\n "]) + ": " + value(depth)

    def merged(depth):
        pick = rng.randrange(8)
        if pick < 3:
            return "*" + rng.choice(names)
        if pick < 5 or depth == 0:
            return anchor() + mapping(0)
        if pick < 7:
            return anchor() + "[" + ", ".join(rng.choice(["*" + rng.choice(names), mapping(0), mapping(0), value(0)]) for _ in range(rng.randrange(4))) + "]"
        return rng.choice(["text", "null", "!!omap []", "!!omap [a: 1]", "!!omap [{a: 1, b: 2}, [c, d], &x {e: 1}]", "!!set {a}", "5"])

    def anchor():
        return "&" + rng.choice(names) + " " if rng.random() < 0.3 else ""

    def value(depth):
        pick = rng.randrange(6)
        if depth == 0 or pick < 3:
            return anchor() + str(rng.randrange(9))
        if pick == 3:
            return "*" + rng.choice(names)
        return anchor() + (mapping(depth - 1) if pick == 4 else "[" + ", ".join(value(depth - 1) for _ in range(rng.randrange(3))) + "]")

    lines = [f"d{name}: &{name} {mapping(1)}" for name in names]
    for number in range(rng.randrange(1, 5)):
        lines.append(f"k{number}: {value(2)}" if rng.random() < 0.5 else f"{rng.choice(['<<', '<<', ':k1', 'k1', ':dx'])}: {merged(2)}")
    return "\n".join(lines) + "\n"


def document(rng):
    text = PsychDocuments(rng).document()
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        where = rng.randrange(len(text) + 1)
        text = text[:where] + rng.choice(BITS + ["", ""]) + text[where + rng.choice([0, 0, 1, 2]):]
    return text


# ---- JSON ------------------------------------------------------------------------------------------------------------------------------------------

JSON_WORDS = ["null", "true", "false", "NaN", "Infinity", "-Infinity", "0", "-0", "-0.0", "01", "-01", "1.", ".5", "1e2", "1E+2", "1e-400", "1e400", "-1e400", "1.5e", "2.e3", "-", "+1", "--1", "0x1", "1_0", "nul", "True",
              "12345678901234567890123", "1.0000000000000000000000000001", "truex", "1.5.5", "1-2", "'a'", "a", "1e5e5", "0e0", "-0e1"]
JSON_CHARACTERS = ["a", "b", "é", "😀", "\\n", "\\t", "\\/", "\\\\", "\\\"", "\\q", "\\é", "\\'", "\\u0041", "\\u00e9", "\\ud83d\\ude00", "\\u0000", "\\u12", "\\uZZZZ", "\\U0041", "\n", "\t", "\x01", "\x7f", "//", "/*", "*/", "#",
                   "\\x41", "\\ ", "\\0", "\\", "'"]
GAPS = ["", "", "", "", "", " ", "\n", "\r\n", "\t", "/* c */", "// c\n", "/**/", "/***/", "/* \" */", "// \"\n", "//", "/*", "/", "#c\n", "/*/", "\f", "\u00a0"]


def json_value(rng, depth):
    def gap():
        return rng.choice(GAPS) if rng.random() < 0.2 else ""

    kind = rng.randrange(7)
    if depth == 0 or kind < 2:
        return rng.choice(JSON_WORDS[:3] + ["1", "2.5", "-3"] if rng.random() < 0.7 else JSON_WORDS)
    if kind < 4:
        return json_string(rng)
    if kind == 4:
        return "[" + gap() + (gap() + "," + gap()).join(json_value(rng, depth - 1) for _ in range(rng.randrange(4))) + (rng.choice(["", "", "", "", "", ","])) + gap() + "]"
    members = [(json_string(rng) if rng.random() < 0.5 else rng.choice(['"a"', '"b"', '"a"', '"\\u0061"'])) + gap() + ":" + gap() + json_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return "{" + gap() + (gap() + "," + gap()).join(members) + (rng.choice(["", "", "", "", "", ","])) + gap() + "}"


def json_string(rng):
    return '"' + "".join(rng.choice(JSON_CHARACTERS[:12] if rng.random() < 0.9 else JSON_CHARACTERS) for _ in range(rng.randrange(4))) + '"'


def json_document(rng):
    if rng.random() < 0.02:
        depth = rng.choice([99, 100, 101, 102])
        return "[" * depth + rng.choice(["", "1", "{}"]) + "]" * depth
    text = rng.choice(GAPS) + json_value(rng, 3) + rng.choice(GAPS)
    for _ in range(rng.choice([0, 0, 0, 1])):
        where = rng.randrange(len(text) + 1)
        text = text[:where] + rng.choice(["", '"', ",", "]", "}", "[", "{", ":", "/", "*", "\\", "1", "\ufeff", "\x00", " "]) + text[where + rng.choice([0, 1]):]
    return text


# ---- the two readers -------------------------------------------------------------------------------------------------------------------------------


class Reader:
    """A program that answers a line a text."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, mode, text):
        self.process.stdin.write(mode.encode() + b" " + text.encode("utf-8").hex().encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().decode("utf-8", "replace").rstrip("\n")
        if not answer:
            raise SystemExit(f"the program ended at {text!r}")
        return answer


class Pair:
    def __init__(self, strata, ruby):
        self.strata = strata
        self.ruby = ruby

    def answers(self, mode, text):
        ours = self.strata.read("psych" if mode == "yaml" else "ruby_json", text)
        # Puppet's loader gives false for null.
        return ("ok false" if mode == "yaml" and ours == "ok null" else ours), self.ruby.read(mode, text)

    def difference(self, mode, text):
        """None where both agree, else how they differ."""
        ours, theirs = self.answers(mode, text)
        if not theirs.startswith("ok "):
            return "strata takes it" if ours.startswith("ok ") else None
        if not ours.startswith("ok "):
            return "strata refuses it: " + ("recursive alias" if "inside its own anchor" in ours else ours.split(" ")[0])
        return None if ours == theirs else "another value"


def shrink(pair, mode, text, kind):
    """The shortest text that still differs in the same way, by leaving out characters."""
    size = max(1, len(text) // 2)
    while size:
        where = 0
        while where < len(text):
            shorter = text[:where] + text[where + size:]
            if pair.difference(mode, shorter) == kind:
                text = shorter
            else:
                where += size
        size //= 2
    return text


# ---- differences that are known and listed in docs/hiera/fidelity.md -------------------------------------------------------------------------------------

# The mode, how the difference begins, and what the shrunk text holds.
KNOWN = [
    ("json", "strata refuses", r"(?i)\\ud[89a-f]"),  # Halves of surrogate pairs.
    ("yaml", "strata refuses it: recursive alias", ""),  # Where the reference drops the recursive value, or merges what is read of it so far.
    ("yaml", "strata refuses it: yaml.forbidden", r"\bstr\b|ruby/string"),  # Mappings that are texts with members of their own.
]


def is_known(mode, text, kind):
    return any(mode == of and kind.startswith(start) and re.search(pattern, text) for of, start, pattern in KNOWN)


def case(rng):
    pick = rng.random()
    if pick < 0.25:
        return "json", json_document(rng)
    return "yaml", scalar_document(rng) if pick < 0.55 else merge_document(rng) if pick < 0.75 else document(rng)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--most", type=int, default=20, help="differences to show")
    parser.add_argument("--known", action="store_true")
    options = parser.parse_args()
    if shutil.which("ruby") is None or subprocess.run(["ruby", "-e", "require 'puppet'"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("skipped: no Puppet here")
        return 0
    pair = Pair(Reader([options.binary]), Reader(["ruby", str(pathlib.Path(__file__).with_name("psych_oracle.rb"))]))
    shown = set()
    valid = known = 0
    for number in range(options.count):
        seed = options.seed * 1_000_000 + number
        mode, text = case(random.Random(seed))
        try:
            text.encode()
        except UnicodeEncodeError:
            continue
        kind = pair.difference(mode, text)
        if kind is None:
            valid += pair.answers(mode, text)[1].startswith("ok ")
            continue
        small = shrink(pair, mode, text, kind)
        if is_known(mode, small, kind) and not options.known:
            known += 1
            continue
        if (small, kind) not in shown:
            shown.add((small, kind))
            ours, theirs = pair.answers(mode, small)
            print(f"case {seed}: {mode}: {kind}\n  {small!r}\n  Ruby: {theirs[:200]!r}\n  strata: {ours[:200]!r}", flush=True)
        if len(shown) >= options.most:
            break
    print(f"seed {options.seed}: {number + 1} texts, {valid} valid under both, {known} known differences, {len(shown)} new ones")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
