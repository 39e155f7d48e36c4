#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Built-in functions of the Puppet language against Puppet's own, on random arguments of all kinds.

usage: puppet_functions.py PUPPET_EXPRESSIONS [--seed N] [--count N] [--functions NAME,NAME]

Exit status 1, with the program and both answers, at differences (the first 20 are shown). Values and what interpolation makes of them must be the
same; errors are compared by whether there is one. Known differences are listed at `excused`.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys

from long_scalars import is_long, long_scalar

TEXTS = ["", "a", "b", "A", "ab", "abc", "aBc", "hello", "Hello World", "foo_bar", "_x_", "a,b,,c", "1", "-5", "10", "9", "1.5", "-2.5", "0x1f", "017", "1e3", " 7 ", "1_0", "abc123",
         "é", "héllo", "ÀÉ", "ß", "ǆ", "日本", "αΣ", "it's", "tab\there", "line\n", "line\r\n", " pad ", "\t x\n", "a b  c", "1.2.3", "1.10-rc1", "01.2", "2.0", "true", "%s", "a.b.0", "'q'",
         "$x", "a\\b", "x-y", "\u00a0n", "İx", "a1b22c"]
NUMBERS = ["0", "1", "2", "3", "-1", "-7", "5", "10", "100", "255", "65", "4096", "9223372036854775807", "-9223372036854775807", "4611686018427387904"]
FLOATS = ["0.0", "1.0", "-1.5", "2.5", "3.7", "-2.5", "0.1", "1e10", "1e20", "1.5e300", "1e-7", "0.49999999999999994", "123456.789", "-0.5"]
PATTERNS = ["a", "b", "[a-c]", ",", "", "l+", "(a)(b)?", "^.", ".$", "\\d+", "\\s", "o|e", "(?<n>.)", "x*", "[^a]", "(l)(l)", "é", "\\b", ".", "(?i)A", "$", "(?=b)"]
TYPES = ["Integer", "String", "Integer[1,3]", "Integer[0,2]", "Enum['a','b']", "Float", "Boolean", "Numeric", "Array", "Hash", "Array[Integer]", "Hash[String,Integer]", "Undef",
         "Optional[Integer]", "Variant[Integer,String]", "Regexp", "Regexp[/b/]", "Pattern[/a/,/b/]", "Data", "Scalar", "Any", "Tuple[Integer,String]", "Struct[{a=>Integer}]", "String[1,2]",
         "Collection", "Iterable", "Type[Integer]", "NotUndef", "Callable", "Sensitive", "Default", "ScalarData", "Boolean[true]", "Type"]
FORMATS = ["%s", "%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%x", "%#x", "%X", "%o", "%b", "%#b", "%e", "%f", "%.2f", "%10.3f", "%g", "%G", "%a", "%c", "%5s|", "%-5s|", "%.2s", "%p", "%%",
           "%<a>d", "%{a}", "%<b>s", "%5{b}|", "%1$s %1$s", "%2$s-%1$s", "%*d", "%-*d|", "%.*f", "%i", "%u", "%B", "%E", "%#o", "%+x", "% x", "%08.3f", "%+.1e", "%s %s", "%d%s", "x", "%y",
           "%", "%5", "%-", "%<a", "%{zz}", "% 5d", "%5 d", "%..d", "%.3d", "%.0d", "%+05d", "%-05d|", "%#.3x", "%010b", "%.10s", "%5%", "%1$d %s", "%s %1$s", "%<a>", "%5c|", "%-5c|", "%5p",
           "%.3x", "%20.10d|", "%-20x|", "%+f", "% e", "%#f", "%#g", "%.0f", "%#.0f", "%010.2f", "%-10.2f|", "%f|%f", "%3$s", "%0$s", "%é", "é%s"]
KEYS = ["a", "b", "c", "x", "1"]
PATHS = ["a", "b", "a.b", "a.0", "0", "1", "a.b.c", "a.'b'", "'a.b'", "a..b", ".a", "a.", "", " a ", "a.-1", "-1", "a.\"b\".0", "x.y", "a 'b'", "\"\"", "0.a", "+1"]


def quoted(text):
    out = ""
    for c in text:
        out += {"\\": "\\\\", '"': '\\"', "$": "\\$", "\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(c, c)
    return '"' + out + '"'


class Maker:
    """Random pieces of programs."""

    def __init__(self, rng):
        self.rng = rng

    def pick(self, items):
        return self.rng.choice(items)

    def text(self):
        return quoted(long_scalar(self.rng) if is_long(self.rng) else self.pick(TEXTS))

    def integer(self):
        return self.pick(NUMBERS[:10] if self.rng.random() < 0.8 else NUMBERS)

    def number(self):
        return self.integer() if self.rng.random() < 0.6 else self.pick(FLOATS)

    def boolean(self):
        return self.pick(["true", "false"])

    def pattern(self):
        return "/" + self.pick(PATTERNS) + "/"

    def type(self):
        return self.pick(TYPES)

    def scalar(self):
        return self.pick([self.text, self.text, self.number, self.integer, self.boolean, lambda: "undef"])()

    def array(self, item=None, depth=2):
        kind = item or self.pick([lambda: self.data(depth - 1), self.integer, self.integer, self.text, self.text, self.number])
        return "[" + ", ".join(kind() for _ in range(self.pick([0, 1, 2, 3, 3, 4, 5]))) + "]"

    def hash(self, item=None, depth=2):
        kind = item or self.pick([lambda: self.data(depth - 1), self.integer, self.text])
        keys = self.rng.sample(KEYS, self.pick([0, 1, 2, 2, 3]))
        names = [quoted(k) if self.rng.random() < 0.9 else self.pick(["1", "2.5", "true", "undef", "[1]"]) for k in keys]
        return "{" + ", ".join(f"{k} => {kind()}" for k in dict.fromkeys(names)) + "}"

    def data(self, depth=2):
        if depth <= 0:
            return self.scalar()
        return self.pick([self.scalar, self.scalar, lambda: self.array(depth=depth), lambda: self.hash(depth=depth)])()

    def collection(self):
        return self.pick([self.array, self.hash])()

    def iterator(self):
        base = self.pick([self.array, self.array, lambda: self.array(self.integer), self.text, lambda: "4", lambda: "Integer[1,5]", self.hash])()
        for _ in range(self.pick([1, 1, 2])):
            base += self.pick([".reverse_each", ".reverse_each()", ".step(2)", ".step(3)"])
        return base if base[0] != "-" else f"({base})"

    def iterable(self):
        return self.pick([self.array, self.array, lambda: self.array(self.integer), self.hash, self.hash, self.text, self.iterator, lambda: self.pick(["3", "0", "Integer[2,5]", "Enum['a','b']"])])()

    def any(self):
        return self.pick([self.data, self.data, self.data, self.type, self.pattern, self.iterator, lambda: "default", lambda: f"Sensitive({self.scalar()})"])()

    def texts(self):
        return self.pick([self.text, self.text, lambda: self.array(self.text), lambda: self.array(self.pick([self.text, self.number])), self.number])()

    def deep_texts(self):
        return self.pick([self.texts, lambda: self.array(self.texts), lambda: self.hash(self.texts)])()

    def numeric(self):
        return self.pick([self.number, self.number, self.text, lambda: quoted(self.pick(["1", "-5", "1.5", "2.5", "-2.5", "1e3", "0x1f", " 1", "1_0", "5.", ".5", "", "-", "99999999999999999999"]))])()

    def version(self):
        return quoted(self.pick(["1.2.3", "1.2.10", "1.2", "1.2.0", "2.0-rc1", "2.0", "2.0-1", "2.0.1-1", "1.0a", "1.0B", "01.2", "1.2.3-", "", "-", "1..2", "10", "9", "a", "1.é", "1.00", "0.0"]))

    def lambda_(self, counts, bodies=None):
        count = self.pick(counts) if self.rng.random() < 0.9 else self.pick([0, 1, 2, 3])
        names = ["$a", "$b", "$c"][:count]
        if names and self.rng.random() < 0.05:
            names[-1] = self.pick(["*" + names[-1], names[-1] + " = 7"])
        usual = ["true", "false", "undef", "[$a]", '"<$a>"', "$a == 2", '$a == "a"', "$a", "$a =~ String", "$a ? { 1 => 'one', default => 'other' }", "{ if $a == 2 { next('n') } $a }",
                 "{ if $a == 2 { break() } $a }", "type($a)", "1", "'k'"]
        second = ["$b", "$a == $b", "[$a, $b]", '"$a-$b"', "$b == 1", "{ if $b == 2 { break() } $b }", "{ if $b == 2 { next(9) } [$b] }", "[$b, $a]"]
        body = self.pick((bodies or usual) + (second if count > 1 and not bodies else []))
        body = body[1:-1] if body.startswith("{ if") else body
        return f" |{', '.join(names)}| {{ {body} }}"


def functions(m):
    """Name to what makes its arguments and its lambda. None as the lambda: there is none; a list: its numbers of parameters; with a `?` before: perhaps."""
    maybe = lambda make: make() if m.rng.random() < 0.5 else None
    compare = ["compare($a, $b)", "compare($b, $a)", "1", "-1", "0", "$a - $b", "1.5", "'x'", "undef"]
    return {
        "abs": ([m.numeric], None), "ceiling": ([m.numeric], None), "floor": ([m.numeric], None), "round": ([m.number], None),
        "camelcase": ([m.texts], None), "capitalize": ([m.texts], None), "chomp": ([m.texts], None), "chop": ([m.texts], None), "lstrip": ([m.texts], None), "rstrip": ([m.texts], None),
        "strip": ([m.texts], None), "downcase": ([m.deep_texts], None), "upcase": ([m.deep_texts], None),
        "all": ([m.iterable], [1, 2]), "any": ([m.iterable], [1, 2]), "each": ([m.iterable], [1, 2]), "filter": ([m.iterable], [1, 2]), "map": ([m.iterable], [1, 2]),
        "reduce": (m.pick([[m.iterable], [m.iterable, m.scalar]]), [2]), "slice": ([m.iterable, lambda: m.pick(["1", "2", "3", "0", "10"])], ["?", 1, 2, 3]),
        "index": (m.pick([[m.iterable], [m.iterable, m.scalar], [m.text, m.pattern], [m.text, m.text]]), ["?", 1, 2]),
        "group_by": ([m.collection], [1, 2]), "partition": ([m.collection], [1, 2]),
        "reverse_each": ([m.iterable], ["?", 1]), "step": ([m.iterable, lambda: m.pick(["1", "2", "3", "0", "100"])], ["?", 1]),
        "tree_each": (m.pick([[m.collection], [m.collection, lambda: "{" + ", ".join(m.rng.sample(["order => breadth_first", "include_root => false", "include_containers => false",
                                                                                                  "include_values => false", "container_type => Array", "order => x", "nope => 1",
                                                                                                  "include_root => true"], m.pick([0, 1, 1, 2]))) + "}"]]), [1, 2]),
        "then": ([m.data], [1]), "lest": ([m.data], [0]), "with": (m.pick([[], [m.data], [m.data, m.data]]), [0, 1, 2]),
        "flatten": (m.pick([[m.array], [m.data, m.array], []]), None), "join": (m.pick([[m.array], [m.array, m.text], [lambda: m.array(m.scalar), m.text]]), None),
        "empty": ([m.any], None), "length": ([m.pick([m.collection, m.text])], None), "size": ([m.collection], None), "unique": ([m.iterable], ["?", 1]),
        "keys": ([m.hash], None), "values": ([m.hash], None), "dig": ([m.collection] + [lambda: m.pick(["'a'", "'b'", "0", "1", "-1", "undef", "'0'"])] * m.pick([0, 1, 2, 3]), None),
        "get": (m.pick([[m.collection, lambda: quoted(m.pick(PATHS))], [m.data, lambda: quoted(m.pick(PATHS)), m.scalar]]), None),
        "compare": (m.pick([[m.text, m.text], [m.number, m.number], [m.text, m.text, m.boolean], [m.scalar, m.scalar]]), None),
        "versioncmp": (m.pick([[m.version, m.version], [m.version, m.version, m.boolean]]), None),
        "max": (m.pick([[m.number, m.number], [m.text, m.text, m.text], [m.scalar, m.scalar], [m.array], [m.number], []]), ["?", "?", 2]),
        "min": (m.pick([[m.number, m.number], [m.text, m.text, m.text], [m.scalar, m.scalar], [m.array], [m.number], []]), ["?", "?", 2]),
        "sort": ([m.pick([lambda: m.array(m.integer), lambda: m.array(m.text), lambda: m.array(m.number), m.text, m.array])], ["?", 2]),
        "match": ([m.pick([m.text, m.text, lambda: m.array(m.text)]), m.pick([m.pattern, lambda: quoted(m.pick(PATTERNS)), m.type, lambda: m.array(m.pattern)])], None),
        "split": ([m.text, m.pick([m.pattern, lambda: quoted(m.pick(PATTERNS)), lambda: m.pick(["Regexp", "Regexp[/b/]", "Regexp[/,/]"])])], None),
        "regsubst": ([m.pick([m.text, m.text, lambda: m.array(m.text)]), m.pick([m.pattern, lambda: quoted(m.pick(PATTERNS)), lambda: "Regexp[/b/]"]),
                      m.pick([lambda: quoted(m.pick(["-", "<\\0>", "\\1\\2", "\\\\", "\\&", "[\\`|\\']", "\\k<n>", "", "\\9x", "\\q", "é"])), lambda: m.hash(m.text)])] +
                     m.pick([[], [lambda: m.pick(["'G'", "'I'", "'GI'", "'M'", "'EI'", "undef", "''", "'Q'"])], [lambda: "'G'", lambda: m.pick(["'U'", "'N'", "'X'"])]]), None),
        "sprintf": ([lambda: quoted("".join(m.pick(FORMATS) for _ in range(m.pick([1, 1, 1, 2, 3]))))] +
                    m.pick([[m.number], [m.scalar], [m.scalar, m.scalar], [m.number, m.number, m.text], [lambda: m.hash(m.pick([m.integer, m.text, m.scalar]))], [m.data], [m.numeric], []]), None),
        "type": (m.pick([[m.data], [m.any, lambda: m.pick(["'detailed'", "'reduced'", "'generalized'", "'x'"])]]), None),
        "assert_type": ([m.pick([m.type, lambda: quoted(m.pick(TYPES))]), m.data], ["?", 2]),
        "convert_to": (m.pick([[m.data, m.type], [m.numeric, lambda: m.pick(["Integer", "Float", "Numeric", "String", "Boolean", "Array", "Hash"])]]), ["?", "?", 1]),
        "new": (m.pick([[m.type, m.data], [lambda: m.pick(["Integer", "Float", "String", "Boolean", "Array", "Hash"]), m.pick([m.numeric, m.iterable])]]), ["?", "?", "?", 1]),
        "unwrap": ([m.pick([m.data, lambda: f"Sensitive({m.data()})"])], ["?", 1]),
        "notice": ([m.data], None), "warning": ([m.data], None), "fail": ([m.data], None),
        "break": ([], None), "next": ([m.scalar], None), "return": ([m.scalar], None),
    }, {"sort": compare, "max": compare, "min": compare}


def program(rng, only):
    m = Maker(rng)
    table, bodies = functions(m)
    name = rng.choice([n for n in table if not only or n in only])
    makers, shape = table[name]
    arguments = [m.any() if rng.random() < 0.06 else make() for make in makers]
    if rng.random() < 0.03:
        arguments = arguments[:-1] if rng.random() < 0.5 else arguments + [m.any()]
    block = ""
    if shape:
        counts = [n for n in shape if n != "?"]
        absent = (sum(n == "?" for n in shape) / len(shape)) if "?" in shape else 0.03
        if rng.random() >= absent:
            block = m.lambda_(counts, bodies.get(name))
    elif rng.random() < 0.01:
        block = m.lambda_([1])
    call = f"{name}({', '.join(arguments)}){block}"
    if name in ("each", "tree_each") or (name in ("reverse_each", "step", "slice") and block):
        # What these do is seen in the calls that they make.
        if block and rng.random() < 0.7:
            return f"{arguments[0] if arguments else '[]'}.{name}({', '.join(arguments[1:])}) |$a| {{ if \"$a\" == \"2\" {{ break() }} }}" if rng.random() < 0.3 else call
    if name in ("reverse_each", "step") and not block and rng.random() < 0.5:
        return f"{call}.map{m.lambda_([1, 2])}"
    if name == "tree_each" and not block:
        return f"{call}.map |$x| {{ $x }}"
    return call


def excused(text, reference, ours):
    """Where strata is not like Puppet, and why."""
    # Objects that Ruby prints with an address.
    if "#<" in json.dumps(reference):
        return True
    # Ruby's inspect of objects that are not data.
    if "sprintf" in text or "join" in text or "fail" in text or "max" in text or "min" in text:
        if re.search(r"default|Sensitive|Integer\[|Enum\[|[A-Z][a-z]+(\[|\b)", re.sub(r'"[^"]*"', "", text)):
            return True
    # Iterators with steps: arrays in them are spread over parameters, and slices are limited by a size that is rounded down.
    if "step(" in text and ("reverse_each" in text or "slice" in text or "tree_each" in text or "unique" in text or "break" in text):
        return True
    # A type has no parts there, and is gone through as one.
    if text.startswith("tree_each(") and re.match(r"tree_each\([A-Z]", text):
        return True
    # What a lambda of `get` gets is an Error there, and a Hash here.
    if "Error({'msg'" in json.dumps(reference):
        return True
    # It prints patterns of other scripts as Ruby would put them into others.
    if "(?-mix:" in json.dumps(reference):
        return True
    # Iterators over hashes that are stepped by one stay hashes there; an iterator can be gone through once there.
    if ".step(1)" in text or "step(" in text and ", 1)" in text:
        return True
    # Conversions that strata does not have.
    if "error" in ours and ours["error"][0] == "puppet.unsupported":
        return True
    # Bugs of Puppet that show as errors of Ruby's.
    return "undefined method" in json.dumps(reference.get("error", "")) and "ok" in ours


def answers(command, programs):
    text = "{}\n" + "".join(json.dumps(p) + "\n" for p in programs)
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(programs):
        sys.exit(f"{command[0]} gave {len(lines)} answers of {len(programs)}; the next program is {programs[len(lines)] if len(lines) < len(programs) else ''}\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--functions", default="")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    only = [name for name in options.functions.split(",") if name]
    programs = [program(rng, only) for _ in range(options.count)]
    here = os.path.dirname(os.path.abspath(__file__))
    theirs = answers(["ruby", os.path.join(here, "puppet_expressions.rb")], programs)
    ours = answers([options.program], programs)
    differences = 0
    passed_over = 0
    failures = 0
    for text, reference, mine in zip(programs, theirs, ours):
        failures += "error" in reference
        if ("ok" in reference) == ("ok" in mine) and reference.get("ok") == mine.get("ok"):
            continue
        if excused(text, reference, mine):
            passed_over += 1
            continue
        differences += 1
        if differences <= 20:
            print(f"{text}\n  puppet: {json.dumps(reference, ensure_ascii=False)[:400]}\n  strata: {json.dumps(mine, ensure_ascii=False)[:400]}")
    print(f"{options.count} calls, {failures} of which fail in Puppet; {differences} differences, {passed_over} known ones")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
