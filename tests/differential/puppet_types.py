#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Puppet types of strata against Puppet's own: printing, members, the relation, messages, conversions, on random types and values.

usage: puppet_types.py PUPPET_TYPES [--seed N] [--count N] [--ops OP,OP]

Exit status 1, with the question and both answers, at differences (the first 20 are shown). Errors are compared by whether there is one, for
conversions also by their words up to the case of the first letter where both sides have a sentence of their own. Known differences are listed at
`excused`.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys

PLAIN = ["Any", "Scalar", "ScalarData", "Data", "RichData", "RichDataKey", "String", "Integer", "Float", "Numeric", "Boolean", "Undef", "Default", "Array",
         "Hash", "Collection", "Struct", "Tuple", "Variant", "Optional", "NotUndef", "Enum", "Pattern", "Regexp", "Iterable", "Iterator", "Callable", "Type",
         "Sensitive", "Timestamp", "Timespan", "SemVer", "SemVerRange", "Binary", "URI", "CatalogEntry"]
WORDS = ["a", "b", "ab", "abc", "x", "yes", "No", "10", "0x1f", "é", "it's", "a b"]
NUMBERS = [-5, -1, 0, 1, 2, 3, 5, 10, 100]


def bounds(rng, low=None):
    a, b = sorted(rng.choice([n for n in NUMBERS if low is None or n >= low]) for _ in range(2))
    return rng.choice([f"{a}", f"{a}, {b}", f"default, {b}", f"{a}, default"])


def quoted(text):
    return "'" + text.replace("'", "\\'") + "'"


def type_text(rng, depth):
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(PLAIN)
    def inner():
        return type_text(rng, depth - 1)
    kind = rng.randrange(22)
    if kind == 0:
        return f"String[{bounds(rng, 0)}]"
    if kind == 1:
        return f"Integer[{bounds(rng)}]"
    if kind == 2:
        a, b = sorted([rng.choice([-1.5, 0.0, 1.0, 2.5, 1e20]) for _ in range(2)])
        return rng.choice([f"Float[{a!r}, {b!r}]", f"Float[{a!r}]", f"Float[default, {b!r}]", "Float[0, 5]"]).replace("e+", "e")
    if kind == 3:
        return rng.choice(["Boolean[true]", "Boolean[false]"])
    if kind in (4, 5):
        return rng.choice([f"Array[{inner()}]", f"Array[{inner()}, {bounds(rng, 0)}]", f"Array[{bounds(rng, 0)}]" if False else f"Array[{inner()}]"])
    if kind in (6, 7):
        return rng.choice([f"Hash[{inner()}, {inner()}]", f"Hash[String, {inner()}]", f"Hash[String, {inner()}, {bounds(rng, 0)}]"])
    if kind == 8:
        return f"Collection[{bounds(rng, 0)}]"
    if kind in (9, 10):
        keys = rng.sample(["a", "b", "c", "x"], rng.randrange(1, 4))
        return "Struct[{" + ", ".join(rng.choice(["{}", "{}", "Optional[{}]", "NotUndef[{}]"]).format(k) + " => " + inner() for k in keys) + "}]"
    if kind in (11, 12):
        types = ", ".join(inner() for _ in range(rng.randrange(1, 4)))
        return rng.choice([f"Tuple[{types}]", f"Tuple[{types}]", f"Tuple[{types}, {bounds(rng, 0)}]"])
    if kind in (13, 14, 15):
        return "Variant[" + ", ".join(inner() for _ in range(rng.randrange(1, 4))) + "]"
    if kind == 16:
        return rng.choice([f"Optional[{inner()}]", f"Optional[{inner()}]", f"Optional[{quoted(rng.choice(WORDS))}]"])
    if kind == 17:
        return f"NotUndef[{inner()}]"
    if kind == 18:
        return "Enum[" + ", ".join(quoted(rng.choice(WORDS)) for _ in range(rng.randrange(1, 4))) + rng.choice(["", "", ", true", ", false"]) + "]"
    if kind == 19:
        return "Pattern[" + ", ".join(rng.choice(["/a/", "/^[a-c]+$/", "/\\d/", "'b'", "/x\\/y/", "/\\A\\w*\\z/"]) for _ in range(rng.randrange(1, 3))) + "]"
    if kind == 20:
        return rng.choice(["Type[{}]", "Sensitive[{}]", "Iterable[{}]", "Iterator[{}]"]).format(inner())
    return rng.choice(["Callable[0, 0]", "Callable[String, 1, 2]", "Callable[[Integer], String]", "Callable[String, Callable]", "Regexp[/a/]", "Callable[1]",
                       "Callable[String, Optional[Callable[Integer]]]"])


def value(rng, depth, keys=True):
    kind = rng.randrange(14)
    if depth == 0 and kind > 8:
        kind = rng.randrange(8)
    if kind < 2:
        return rng.choice(WORDS + [""])
    if kind < 4:
        return rng.choice(NUMBERS + [10**20, -10**25])
    if kind == 4:
        return rng.choice([0.0, 1.0, -1.5, 2.5, 1e20, 3.75])
    if kind == 5:
        return rng.choice([True, False])
    if kind == 6:
        return None
    if kind == 7:
        return rng.choice(WORDS)
    if kind == 8:
        return rng.choice([{"__type": rng.choice(["Integer[1, 3]", "String", "Enum['a']", "Variant[Integer, String]"])}, {"__sensitive": rng.choice(["a", 1, [1]])}])
    if kind < 11:
        return [value(rng, depth - 1) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
    pairs = {}
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        key = rng.choice(["a", "b", "c", "x", "x", ""] if rng.random() < 0.85 else [1, 2.5, True, None])
        pairs[json.dumps(key)] = [key, value(rng, depth - 1)]
    return {"__hash": list(pairs.values())}


TEXT_NUMBERS = ["0", "1", "-7", "+3", "- 5", "+  8", "010", "08", "0x1f", "0X1F", "0b101", "0B11", "0o7", "ff", "1e3", "1E-2", "1.5", "-1.5", "1.", ".5", "1e+5", "0e1", " 1", "1 ",
                "1_000", "", "abc", "99999999999999999999", "-0x10", "0xffffffffffffffffffff", "-0b11", "00", "-08", "0.5", "00.5", "1e400", "\t1", "-\t5", "0b", "0x"]
FORMATS = ["%d", "%s", "%p", "%x", "%#x", "%X", "%#X", "%o", "%#o", "%b", "%#b", "%B", "%#B", "%e", "%E", "%f", "%g", "%G", "%a", "%05d", "%+d", "% d", "%-5d", "%8.3d", "%.2f",
           "%05.2f", "%10s", "%-10s", "%.2s", "%#s", "%#p", "%c", "%#c", "%C", "%u", "%t", "%T", "%#t", "%y", "%Y", "%#y", "%n", "%v", "%V", "%h", "%q", "%08x", "%#08x", "%.8x",
           "%+x", "%10x", "%-10x", "%010.3x", "%#10o", "%08b", "%20b", "%+#b", "%020f", "%+e", "% f", "%#g", "%-12.3e", "%08p", "%12p", "%(s", "%[s", "%{s", "%<s", "%|s",
           "%#a", "%(a", "% a", "%#5a", "%{d", "%zz", "d", "%5", "%++d", "%#h", "%<h", "%#3s", "%D", "%#d", "%.0x", "%.0d", "%0-5d", "%+05d", "%#.3o", "%.20x", "%020x"]


def format_map(rng):
    pairs = {}
    for _ in range(rng.randrange(1, 3)):
        key = rng.choice(["Integer", "Float", "Numeric", "String", "Boolean", "Undef", "Any", "Array", "Hash", "Scalar", "Collection", "ScalarData", "String[1]"])
        if key in ("Array", "Hash", "Collection") and rng.random() < 0.6:
            inner = [["format", rng.choice(["%a", "%(a", "%[s", "%<a", "%#a", "%h", "%(h", "%#h", "%s", "%p"])]]
            if rng.random() < 0.5:
                inner.append(["separator", rng.choice([";", " - ", ",\n"])])
            if rng.random() < 0.4:
                inner.append(["separator2", rng.choice(["=", ": "])])
            if rng.random() < 0.5:
                inner.append(["string_formats", {"__hash": [[{"__type": rng.choice(["Integer", "String", "Any", "Scalar"])}, rng.choice(["%d", "%s", "%p", "%#x"])]]}])
            pairs[key] = [{"__type": key}, {"__hash": inner}]
        else:
            pairs[key] = [{"__type": key}, rng.choice(FORMATS)]
    return {"__hash": list(pairs.values())}


def number_value(rng):
    return rng.choice([0, 1, -1, 255, -255, 256, 8, -8, 7, -123, 65, 8364, 10**19, -10**21, 2**63, -2**63, 123456789])


def small(made):
    """Puppet counts up to a large integer before it finds that it is too many."""
    return 7 if isinstance(made, int) and made > 1000 else made


def conversion(rng):
    kind = rng.randrange(13)
    if kind in (0, 1):
        name = rng.choice(["Integer", "Integer", "Float", "Numeric", "Integer[0, 100]", "Float[0.0, 10.0]", "Optional[Integer]", "NotUndef[Integer]"])
        first = rng.choice(TEXT_NUMBERS) if rng.random() < 0.7 else value(rng, 1)
        rest = []
        if "Integer" in name and rng.random() < 0.5:
            rest = [rng.choice([2, 8, 10, 16, 16, 7])] + ([rng.choice([True, False])] if rng.random() < 0.2 else [])
        elif rng.random() < 0.1:
            rest = [rng.choice([True, False])]
        return [name, first] + rest
    if kind == 2:
        return [rng.choice(["Boolean", "Boolean[true]"]), rng.choice(["yes", "No", "TRUE", "false", "y", "N", "T", "", "on", 0, 1, 0.0, 2.5, None, [], True])]
    if kind in (3, 4):
        return ["String", rng.choice([number_value(rng), rng.choice([0.0, 1.0, -1.5, 2.5, 1e20, 1e-5, 123.456, 1e100])]), rng.choice(FORMATS)]
    if kind == 5:
        return ["String", rng.choice(WORDS + ["aBC d", "foo::bar", " pad ", "q'\\z", "tab\t", "$x\"", "", "\\", "a\\'b"]), rng.choice(FORMATS)]
    if kind == 6:
        return ["String", rng.choice([True, False, None]), rng.choice(FORMATS)]
    if kind == 7:
        return ["String", value(rng, 3)] + ([rng.choice(FORMATS)] if rng.random() < 0.4 else [])
    if kind == 8:
        return ["String", value(rng, 3), format_map(rng)]
    if kind == 9:
        return [rng.choice(["Array", "Array[Integer]", "Tuple[Integer, Integer]", "Array[Any, 1, 2]"]), small(value(rng, 2))] + rng.choice([[], [], [True], [False]])
    if kind == 10:
        pairs = [[rng.choice(["a", "b", 1, [1]]), value(rng, 1)] for _ in range(rng.randrange(1, 3))]
        first = rng.choice([pairs, small(value(rng, 2)), [value(rng, 1) for _ in range(rng.choice([2, 4, 3]))], "ab", 4])
        return [rng.choice(["Hash", "Hash[String, Any]", "Struct[{a => Any}]"]), first]
    if kind == 11:
        pairs = [[[rng.choice(["a", "b", 0, 1]) for _ in range(rng.randrange(0, 3))], rng.choice([1, "x", {"__hash": [["k", 1]]}, [1, 2], {"__hash": []}])]
                 for _ in range(rng.randrange(1, 4))]
        return ["Hash", pairs, rng.choice(["tree", "hash_tree"])]
    return [rng.choice(["Sensitive", "Sensitive[Integer]", "Variant[Integer, String]", "Enum[a]", "Any", "NotUndef", "Optional", "Data", "Undef", "Type", "Scalar",
                        "Optional[String]", "Collection"]), value(rng, 2)]


def question(rng, op):
    depth = rng.choice([1, 2, 2, 3])
    if op == "infer":
        return [op, "", value(rng, 3)]
    if op == "print":
        return [op, type_text(rng, depth)]
    if op == "assign":
        return [op, type_text(rng, depth), {"__type": type_text(rng, depth)}]
    if op == "convert":
        return [op] + conversion(rng)
    return [op, type_text(rng, depth), value(rng, 3)]


def ask(command, questions):
    text = "".join(json.dumps(q) + "\n" for q in questions)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    if len(answers) != len(questions):
        sys.exit(f"{command[0]} answered {len(answers)} of {len(questions)} questions, the next was {questions[len(answers)]}\n{done.stderr}")
    return [json.loads(line) for line in answers]


def words(text):
    text = re.sub(r"\s+", " ", text).strip()
    return text[:1].lower() + text[1:]


def excused(q, ours, theirs):
    """Differences that are meant."""
    if q[0] == "convert" and q[-1] in ("tree", "hash_tree") and "a path of the tree leads" in str(ours.get("error")):
        return True  # Ruby's texts can be indexed too.
    if "error" in theirs and "ok" in ours:
        crash = theirs["error"][0] in ("NoMethodError",)
        # Float.new('0') and the like: Puppet looks at a second character that is not there.
        # A message for a Variant with a bare Optional: it normalizes what that does not hold.
        # Joining ranges of Floats compares with a bound that is not there.
        crash = crash or "comparison of Float with nil" in theirs["error"][1]
        return crash and (q[0] == "mismatch" or (q[0] == "convert" and q[2] == "0"))
    if "ok" in theirs and q[0] == "mismatch" and theirs["ok"] == ["text", ""]:
        return "ok" in ours and ours["ok"][1] != ""  # Puppet has no words where its normalizing drops what is wrong.
    if q[0] == "mismatch" and re.search(r"RichData\b", q[1]) and "TypeSet" in str(theirs):
        return True  # RichData is without TypeSet and Object here, which have no members.
    if q[0] == "assign" and ours.get("ok") is False and q[1].count("Data") and json.dumps(q[2]).count("Data"):
        return True  # Two recursive aliases: Puppet's guard takes what it has seen for proven, in other pairs too.
    if q[0] in ("assign", "instance") and "Optional['" in q[1] and "Enum[" in str(q[2:]) and theirs.get("ok") and not ours.get("ok"):
        return True  # Puppet takes every Enum of one text for every literal text, and answers with that text.
    if "error" in ours and ours["error"][0] in ("puppet.unsupported", "puppet.unknown-type"):
        return True
    return False


def differs(q, ours, theirs):
    if "error" in ours and "error" in theirs:
        if q[0] != "convert":
            return False
        sentence = re.sub(r"^'new' ", "", theirs["error"][1])
        if not re.match(r"(The string '.*' cannot be|Value of type|Converted value|Illegal radix|odd number)", sentence, re.S):
            return False
        if sentence.endswith("Numeric.new() has wrong type, expects a Numeric value, got Undef"):
            return "cannot be converted to Numeric" not in ours["error"][1]  # Puppet makes nothing of the text, and then complains about that.
        return words(ours["error"][1]) != words(sentence)
    if "error" in ours or "error" in theirs:
        return True
    if q[0] == "mismatch":
        return words(ours["ok"][1]) != words(theirs["ok"][1])
    return ours["ok"] != theirs["ok"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--ops", default="print,instance,assign,mismatch,infer,convert,convert")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    ops = options.ops.split(",")
    questions = [question(rng, rng.choice(ops)) for _ in range(options.count)]
    reference = ["ruby", os.path.join(os.path.dirname(os.path.abspath(__file__)), "puppet_types.rb")]
    ours, theirs = ask([options.program], questions), ask(reference, questions)
    found = [(q, o, t) for q, o, t in zip(questions, ours, theirs) if differs(q, o, t) and not excused(q, o, t)]
    for q, o, t in found[:20]:
        print(json.dumps(q, ensure_ascii=False), "\n  strata:", json.dumps(o, ensure_ascii=False), "\n  puppet:", json.dumps(t, ensure_ascii=False))
    print(f"{len(questions)} questions, {len(found)} differences, {sum('error' in t for t in theirs)} errors of the reference")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
