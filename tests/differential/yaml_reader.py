#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The YAML reader of strata, under its profile `pyyaml`, against PyYAML's own safe loader, on random and mutated texts.

usage: yaml_reader.py READ_YAML [--seed N] [--count N] [--most N] [--known]

Each difference is shown shrunk, with the seed of its case; `--known` shows also those that docs/cloud-init/fidelity.md lists. Exit status 1 at any other
difference. READ_YAML is the program of read_yaml.cpp, kept running for all cases. (This file is not called yaml.py, which would hide the module.)
"""
import argparse
import datetime
import random
import re
import struct
import subprocess
import sys

import yaml

# ---- scalars ---------------------------------------------------------------------------------------------------------------------------------------

WORDS = ["yes", "Yes", "YES", "yEs", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "true", "True", "TRUE", "tRUE", "false", "False", "FALSE", "y", "n", "Y", "N",
         "null", "Null", "NULL", "nULL", "~", "~~", "None", "=", "<<", ".inf", ".Inf", ".INF", "-.inf", "+.inf", ".iNF", ".nan", ".NaN", ".NAN", "-.nan", "inf", "nan",
         "infinity", ".", "..", "...", "-", "--", "---", "+", "-.", "+.", "_", "0_", "_0", "0x_", "0b_", "0x", "0b", "0o", "0o17", "0O17", "0X1F", "0B1", "08", "09", "010",
         "0_7", "00", "-0", "+0", "-00", "0.", "-0.", "+0.0", "0.0", ".0", ".5", "-.5", "+.5", "1.", "1.e3", "1.e+3", "1e3", "1e+3", "1.0e3", "1.0e+3", "1.5E-3", "1_0.5_0",
         "1:30", "1:60", "1:5", "1:05", "190:20:30", "12:30:45", "-1:30", "+1:30", "0:30", "01:30", "1:30.5", "6:30.", "1:30.5e+3", "1_0:30", "1:3_0", "9:99", "1:30:",
         "1:30.5_5", "0:0.0", "00:30.5", "-0:30.0", "1__2", "1_", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
         "0xffffffffffffffff", "0x8000000000000000", "-0x8000000000000000", "0xFFFFFFFFFFFFFFFFFFFF", "0b1111111111111111111111111111111111111111111111111111111111111111111",
         "0777777777777777777777777", "123456789012345678901234567890", "99999999999999999999:59", "1.7976931348623159e+308", "1.0e+400", "-1.0e+400", "1.0e-400", "5.0e-324",
         "0.1", "123456789.123456789e-5", "2001-12-14", "2001-1-2", "2001-02-29", "2000-02-29", "1900-02-29", "2001-13-01", "2001-00-10", "0000-01-01", "2001-12-14t21:59:43",
         "2001-12-14T21:59:43.10-05:00", "2001-12-14 21:59:43.1 -5", "2001-1-2 1:02:03", "2001-12-14 21:59:43Z", "2001-12-14 21:59:43 Z", "2001-12-14 21:59:43.",
         "2001-12-14 24:00:00", "2001-12-14 23:60:00", "2001-12-14 23:59:60", "2001-12-14 21:59:43+24:00", "2001-12-14 21:59:43+23:59", "2001-12-14 21:59:43+23:60",
         "2001-12-14 21:59:43 +0", "2001-12-14 21:59:43-00:00", "2001-12-14 21:59:43+5:3", "2001-12-14   21:59:43", "2001-12-14 1:2:3", "2001-12-14 21:59:43.1234567890123",
         "12001-12-14", "2001-12-14 21:59", "2001-12-144", "1.2.3", "1,000", "0b2", "0xg", "1e", "1.0e", "1.0e+", "++1", "--1", "+-1", "1-1", "a", "b c", "é", "☃"]
SCALAR_BITS = ["0", "1", "2", "5", "7", "9", "12", "59", "60", ".", ":", "-", "+", "_", "e", "E", "x", "b", "o", "f", "T", "t", "Z", " ", "inf", "nan", "2001", "-12", "-14", ":30", "0x", "0b",
               "0o", "e+5", "E-2", "y", "n", "=", "<<", "~", "null", "#", "é"]
TAGS = ["!!str", "!!int", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp", "!!set", "!!omap", "!!pairs", "!!map", "!!seq", "!", "!!merge", "!!value", "!!yaml",
        "!!python/name:os", "!local", "!<tag:yaml.org,2002:int>", "!<tag:yaml.org,2002:str>", "!<!int>", "!e!int", "!!in%74", "!<tag:yaml.org,2002:%69nt>"]
SCALAR_TAGS = ["!!str", "!!int", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp", "!"]
BINARY = ["aGk=", "aGk", "aGkh", "a", "ab=c", "====", "a G k =", "é", "-_", "aGk=aGk=", "", "aGk==", "aGkhaG\\n"]


def mutated(rng, text):
    for _ in range(rng.choice([0, 1, 1, 2])):
        where = rng.randrange(len(text) + 1)
        text = text[:where] + rng.choice(SCALAR_BITS + ["", ""]) + text[where + rng.choice([0, 0, 1, 2]):]
    return text


def scalar(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(WORDS)
    if kind == 1:
        return mutated(rng, rng.choice(WORDS))
    if kind == 2:
        return "".join(rng.choice(SCALAR_BITS) for _ in range(rng.randrange(1, 7)))
    return rng.choice([f"{rng.randrange(-99, 2100)}", f"{rng.randrange(1900, 2100)}-{rng.randrange(14):02}-{rng.randrange(33):02}",
                       f"{rng.randrange(1, 10 ** rng.randrange(1, 40))}", repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-300, 300)),
                       f"{rng.randrange(100)}:{rng.randrange(70):02}:{rng.randrange(70)}.{rng.randrange(1000)}"])


def quote(rng, text):
    if rng.random() < 0.5:
        return "'" + text.replace("'", "''") + "'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def scalar_document(rng):
    text = scalar(rng)
    tag = rng.choice(SCALAR_TAGS) if rng.random() < 0.3 else ""
    if tag == "!!binary":
        text = rng.choice(BINARY)
    if tag and rng.random() < 0.3:
        text = rng.choice([" ", "  ", "\t", ""]) + text + rng.choice([" ", "", "\\n", "\\u0660", "\\u00a0"])
        text = quote(rng, text)
    elif rng.random() < 0.1:
        text = quote(rng, text)
    shown = f"{tag} {text}".strip()
    return rng.choice(["{}\n", "k: {}\n", "- {}\n", "[{}]\n", "k: {}\n", "{}: v\n", "{{k: {}}}\n", "? {}\n", "k: [{}, b]\n", "- {}\n- 2\n", "k:\n  {}\n"]).format(shown)


# ---- documents -------------------------------------------------------------------------------------------------------------------------------------

PLAIN = ["a", "b", "key", "x y", "1", "2", "1.0", "true", "yes", "null", "~", "é", "☃", "a:b", "a#b", "a?b", "-1", "-a", "?a", ":a", "http://x/y?z=1", "a,b", "[", "{", "%a", "@a", "`a", "&", "*", "!",
         "<<", "=", "|", ">", "a'b", 'a"b', "\u2028", "\u0085", "\ufeff", "\U0001f600", "2001-01-01", "a\tb", "a: b", "- a", "? a", "a #b", ".", "..", "x:", ":", "?", "-", "--- a"]
QUOTED = ["", "a", "a b", " a", "a ", "é", "a\nb", "a\n\nb", "a \n b", "\n", "a\t", "\ta", "#a", ": ", "''", "1", "a\n---\nb", "a\n...", "\u2028", "\u0085b"]
ESCAPES = ["\\n", "\\t", "\\\\", "\\\"", "\\x41", "\\u00e9", "\\U0001f600", "\\ud83d\\ude00", "\\ud800", "\\U00110000", "\\0", "\\e", "\\N", "\\_", "\\L", "\\P", "\\/", "\\a", "\\q", "\\x4", "\\\n", "\\ ", "\\	", "\\'"]


class Documents:
    """Writes random documents, odd ones on purpose."""

    def __init__(self, rng):
        self.rng = rng
        self.anchors = []

    def plain(self):
        rng = self.rng
        text = rng.choice(PLAIN[:14] if rng.random() < 0.7 else PLAIN)
        while rng.random() < 0.15:
            text += rng.choice([" ", "", ":", ": ", "#", " #", "?", ",", "]", "\n  ", "\n", "\n\n   ", "\t"]) + rng.choice(PLAIN)
        return text

    def quoted(self):
        rng = self.rng
        if rng.random() < 0.5:
            return "'" + "".join(rng.choice(QUOTED).replace("'", "''") for _ in range(rng.choice([1, 1, 2]))) + "'"
        return '"' + "".join(rng.choice(QUOTED + ESCAPES).replace('"', "") for _ in range(rng.choice([1, 1, 2, 3]))) + '"'

    def block_text(self, indent):
        rng = self.rng
        header = rng.choice("|>") + rng.choice(["", "", "-", "+", "2", "1-", "+1", "9", "0", "--"]) + rng.choice(["", "", " # c", " ", "\t", "#c"])
        pad = " " * rng.choice([indent, indent, indent, indent + 1, indent + 2, max(0, indent - 1)])
        lines = []
        for _ in range(rng.randrange(5)):
            lines.append(rng.choice(["", " ", pad, pad + " ", pad + "\t"]) if rng.random() < 0.3 else pad + rng.choice(["a", "b c", " more", "\ttab", "# c", "- x", "k: v", "---", "é", "\u2028x", "a\u0085b"]))
        return header + "\n" + "\n".join(lines)

    def properties(self):
        rng = self.rng
        out = ""
        if rng.random() < 0.1:
            name = rng.choice(["a", "b", "a1", "x-y", "é", "a.b", "a:"])
            self.anchors.append(name)
            out += "&" + name + rng.choice([" ", " ", " ", "  ", "\t", ""])
        if rng.random() < 0.08:
            out += rng.choice(TAGS) + rng.choice([" ", " ", " ", "  ", "\t", "", "\n "])
        return out

    def alias(self):
        name = self.rng.choice(self.anchors + ["a", "b"])
        return "*" + name + self.rng.choice(["", "", " "])

    def flow(self, depth):
        rng = self.rng
        kind = rng.randrange(8)
        if depth == 0 or kind < 3:
            return self.properties() + (self.plain() if rng.random() < 0.6 else self.quoted() if rng.random() < 0.8 else rng.choice(WORDS))
        if kind == 3:
            return self.alias() if rng.random() < 0.5 else ""
        gap = rng.choice(["", "", "", " ", "\n", "\n  ", "\t", " # c\n"])
        comma = rng.choice([",", ", ", ",", ", ", " , ", ",\n", ",,"])
        if kind < 6:
            items = [rng.choice(["", "", "", "? ", "?", "a: ", "a:", ": "]) + self.flow(depth - 1) + rng.choice(["", "", "", ":", " :", ": "]) for _ in range(rng.randrange(4))]
            return self.properties() + "[" + gap + comma.join(items) + rng.choice(["", "", ","]) + gap + "]"
        items = [rng.choice(["", "", "? ", "?"]) + self.flow(depth - 1) + rng.choice([": ", ": ", ": ", ":", "", " :", "\n: "]) + self.flow(depth - 1) for _ in range(rng.randrange(4))]
        return self.properties() + "{" + gap + comma.join(items) + rng.choice(["", "", ","]) + gap + "}"

    def key(self):
        rng = self.rng
        pick = rng.random()
        if pick < 0.75:
            return rng.choice(["a", "b", "c", "d", "key", "1", "1.0", "true", "x y", "null", "~", "2001-01-01"])
        if pick < 0.85:
            return "<<"
        if pick < 0.9:
            return self.quoted()
        if pick < 0.95:
            return self.flow(1)
        return self.properties() + self.plain()

    def block(self, indent, depth):
        """Text that follows an indicator on its line; nested lines are indented by `indent`."""
        rng = self.rng
        kind = rng.randrange(10)
        pad = " " * indent
        if depth == 0 or kind < 3:
            return " " + self.properties() + (self.plain() if rng.random() < 0.7 else self.quoted()) + "\n"
        if kind == 3:
            return " " + self.flow(2) + rng.choice(["", "", " # c", "#c", "\t"]) + "\n"
        if kind == 4:
            return " " + self.properties() + self.block_text(indent) + "\n"
        if kind == 5:
            return " " + (self.alias() if rng.random() < 0.7 else "") + rng.choice(["", " # c"]) + "\n"
        head = rng.choice(["", "", "", " " + self.properties(), " # c", " "])
        if kind < 8:
            if rng.random() < 0.3:
                pad = " " * max(0, indent - 2)
            return head + "\n" + self.sequence(pad, depth)
        return head + "\n" + self.mapping(pad, depth)

    def noise(self, pad):
        return self.rng.choice([""] * 12 + ["\n", "# c\n", pad + "# c\n", "   \n", "\t\n", "\r\n"])

    def sequence(self, pad, depth):
        out = ""
        for _ in range(self.rng.randrange(1, 4)):
            item = self.block(len(pad) + 2, depth - 1)
            if item.startswith("\n") and self.rng.random() < 0.5:
                item = " " + item[1:].lstrip(" ")
            out += pad + "-" + item + self.noise(pad)
        return out

    def mapping(self, pad, depth):
        rng = self.rng
        out = ""
        for _ in range(rng.randrange(1, 4)):
            if rng.random() < 0.06:
                out += pad + "? " + self.key() + "\n" + (pad + ":" + self.block(len(pad) + 2, depth - 1) if rng.random() < 0.8 else "")
            else:
                out += pad + self.key() + rng.choice([":"] * 10 + [" :"]) + self.block(len(pad) + rng.choice([2, 2, 2, 1, 4]), depth - 1)
            out += self.noise(pad)
        return out

    def document(self):
        rng = self.rng
        out = rng.choice([""] * 12 + ["---\n", "--- ", "%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "%YAML 2.0\n---\n", "%TAG !e! tag:yaml.org,2002:\n---\n", "# c\n", "\ufeff", "%FOO x\n---\n", "---\t", "%YAML 1.1 # c\n--- "])
        kind = rng.randrange(10)
        if kind < 6:
            out += self.mapping("", 3)
        elif kind < 8:
            out += self.sequence("", 3)
        elif kind < 9:
            out += self.flow(3) + "\n"
        else:
            out += self.block(2, 2).lstrip(" ")
        out += rng.choice([""] * 12 + ["...\n", "...", "--- b\n", "---\n", "... # c\n", "...\n---\n", "... x\n"])
        if rng.random() < 0.04:
            out = out.replace("\n", "\r\n")
        elif rng.random() < 0.02:
            out = out.replace("\n", "\r")
        return out


BITS = ["\t", " ", "  ", "\n", "\n\n", "\r", "\r\n", ":", ": ", "-", "- ", "?", "? ", ",", "[", "]", "{", "}", "#", " #", "&a ", "*a", "!", "!!str ", "!!int ", "|", ">", "|\n", ">-\n", "'", '"', "%",
        "@", "`", "---", "...", "<<", "<<: ", "=", "\\", "\u2028", "\u0085", "\ufeff", "\u00a0", "\x00", "\x07", "\x7f", "\ud7ff", "\ufffe", "é", "a", "1", "0", "~"]


def document(rng):
    text = Documents(rng).document()
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 4])):
        where = rng.randrange(len(text) + 1)
        what = rng.randrange(4)
        if what == 0:
            text = text[:where] + text[where + rng.choice([1, 1, 2, 5]):]
        elif what < 3:
            text = text[:where] + rng.choice(BITS) + text[where:]
        else:
            other = rng.randrange(len(text) + 1)
            text = text[:where] + text[other:other + rng.randrange(12)] + text[where:]
    return text


# ---- the two readers -------------------------------------------------------------------------------------------------------------------------------


class Recursive(Exception):
    """A value that contains itself."""


def dump(value, above=()):
    """As read_yaml.cpp writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return "nan" if value != value else "f" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "t" + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, bytes):
        return "b" + value.hex()
    if isinstance(value, datetime.datetime):
        zone = "none" if value.tzinfo is None else int(value.utcoffset().total_seconds())
        return f"s{value.year}-{value.month}-{value.day}-{value.hour}-{value.minute}-{value.second}-{value.microsecond}-{zone}"
    if isinstance(value, datetime.date):
        return f"d{value.year}-{value.month}-{value.day}"
    if id(value) in above:
        raise Recursive
    above += (id(value),)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(dump(item, above) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(dump(key, above) + ":" + dump(item, above) for key, item in value.items()) + "}"
    return "<" + ",".join(sorted(dump(item, above) for item in value)) + ">"


def reference(text):
    """The dump, or None where PyYAML fails, with the failure."""
    try:
        return "ok " + dump(yaml.load(text, yaml.SafeLoader)), ""
    except Recursive:
        return None, "recursive value"
    except Exception as error:  # The reference skips the part whatever it was.
        return None, f"{type(error).__name__}: {error}"


class Strata:
    def __init__(self, binary):
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, text):
        self.process.stdin.write(b"pyyaml " + text.encode("utf-8", "surrogatepass").hex().encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().decode("utf-8", "replace").rstrip("\n")
        if not answer:
            raise SystemExit(f"the program ended at {text!r}")
        return answer


def difference(strata, text):
    """None where both agree, else how they differ."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return None
    wanted, _ = reference(text)
    answer = strata.read(text)
    if wanted is None:
        return "strata takes it" if answer.startswith("ok ") else None
    if not answer.startswith("ok "):
        return "strata refuses it: " + answer.split(" ")[0]
    return None if answer == wanted else "another value"


def shrink(strata, text, kind):
    """The shortest text that still differs in the same way, by leaving out lines and then characters."""
    size = max(1, len(text) // 2)
    while size:
        where = 0
        while where < len(text):
            shorter = text[:where] + text[where + size:]
            if difference(strata, shorter) == kind:
                text = shorter
            else:
                where += size
        size //= 2
    return text


# ---- differences that are known and listed in docs/cloud-init/fidelity.md -------------------------------------------------------------------------------------

# How the difference begins, and what the shrunk text holds.
KNOWN = [
    ("strata refuses", r"(?m)^%(?!YAML|TAG)"),  # Reserved directives.
    ("strata takes", r"(?m)^%(YAML|TAG)"),  # Directives with something right behind them.
    ("strata refuses", r"(?i)\\ud[89a-f]"),  # Halves of surrogate pairs.
    ("", r"(?s).\ufeff"),  # A byte order mark that is not the first character.
    ("strata refuses", r"(?s)[\[{].*\?"),  # A question mark without a blank in a flow collection.
    ("strata refuses", r"<<\s*:\s*(\[\s*)?!"),  # An unknown tag on the value of a merge key, where no tag counts.
    ("strata refuses", r"[\]},\[{]#.*\t"),  # A tab in a comment that begins right behind a bracket or comma.
    ("strata refuses", r"!!(value|merge)"),  # The tags of `=` and `<<` on other scalars.
    ("strata refuses", r"!!(int|float)"),  # Numbers that only Python's int() and float() read: other scripts' digits, signs inside base 60.
]


def is_known(text, kind):
    return any(kind.startswith(start) and re.search(pattern, text) for start, pattern in KNOWN)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--most", type=int, default=20, help="differences to show")
    parser.add_argument("--known", action="store_true")
    options = parser.parse_args()
    strata = Strata(options.binary)
    shown = set()
    valid = known = 0
    for number in range(options.count):
        seed = options.seed * 1_000_000 + number
        rng = random.Random(seed)
        text = scalar_document(rng) if rng.random() < 0.35 else document(rng)
        kind = difference(strata, text)
        if kind is None:
            valid += reference(text)[0] is not None
            continue
        small = shrink(strata, text, kind)
        if is_known(small, kind) and not options.known:
            known += 1
            continue
        if (small, kind) not in shown:
            shown.add((small, kind))
            print(f"case {seed}: {kind}\n  {small!r}\n  PyYAML: {' '.join(str(part) for part in reference(small))!r}\n  strata: {strata.read(small)!r}", flush=True)
        if len(shown) >= options.most:
            break
    print(f"seed {options.seed}: {number + 1} texts, {valid} valid under both, {known} known differences, {len(shown)} new ones")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
