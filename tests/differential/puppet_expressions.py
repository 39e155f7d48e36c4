#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of the Puppet language: what strata's evaluator makes of them against Puppet's own.

usage: puppet_expressions.py PUPPET_EXPRESSIONS [--seed N] [--count N]

Compared are the value with its kinds, the text that interpolation makes of it, and whether there is an error at all. Exit status 1 at differences
(the first 20 are shown). Known differences are listed at `excused`.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

VARIABLES = {
    "facts": {"os": {"family": "Debian", "release": {"major": "12"}}, "count": 4, "tags": ["web", "Db", "x"], "nothing": None},
    "fqdn": "kermit.example.com",
    "virtual": True,
    "count": 4,
    "ratio": 1.5,
    "words": ["one", "Two", "three"],
    "sizes": {"a": 1, "b": 2, "C": 3},
    "nothing": None,
}
TEXTS = ["a", "b", "abc", "ABC", "Abc", "x", "", "10", "0x1F", "017", "08", "1.5", " 7 ", "-3", "1e3", "0e1", "+5", "héé", "a b", "Ärger", "ärger", "one", "T", "[1", "true",
         "b.", "::5", "- 2", "1_0", "0.5e-2", "99999999999999999999"]
NUMBERS = ["0", "1", "2", "3", "7", "-1", "-7", "10", "0x1F", "017", "9223372036854775807", "4611686018427387904", "1.5", "0.5", "-2.5", "2.0", "1.0e20", "1e-7", "100000000.0",
           "1.0e15", "123456789.125"]
PATTERNS = ["/a/", "/b(.)/", "/^(\\w+)\\.(\\w+)/", "/(x)|(b)/", "/\\d+/", "/[A-C]+/", "/(?i:abc)/", "/./", "/$/", "/é/"]
TYPES = ["Integer", "String", "Numeric", "Float", "Boolean", "Undef", "Any", "Data", "Scalar", "ScalarData", "Array", "Hash", "Collection", "Integer[1, 3]",
         "Integer[default, 0]", "Float[1.0, 2.0]", "String[1]", "String[2, 3]", "Array[Integer]", "Array[String, 1]", "Array[Any, 2, 3]", "Hash[String, Integer]",
         "Hash[String, Any, 1]", "Enum['a', 'b']", "Enum['A', true]", "Pattern[/^a/]", "Pattern['b', /x/]", "Variant[Integer, String]", "Optional[String]", "NotUndef",
         "Tuple[Integer, String]", "Tuple[Any, 1, 2]", "Struct[{'a' => Integer}]", "Struct[{'a' => Integer, Optional['b'] => Any}]", "Type", "Type[Integer]", "Regexp",
         "Regexp[/a/]", "Default", "Boolean[true]", "Optional['a']", "Class['ntp']", "File", "File['/x']", "File['a', 'b']", "Class['b::c']", "Resource", "Resource['file']",
         "Iterable", "Iterable[Integer]", "Callable", "NotUndef['a']", "Sensitive", "Variant[String, Undef]", "Array[Variant[Integer, Float]]", "Collection[1, 2]",
         "RichData", "Enum", "Pattern", "Tuple", "Struct"]
BAD_TYPES = ["String['x']", "Integer['x']", "Integer[3, 1]", "Array[1]", "Hash[Integer]", "Enum[1]", "Variant[1]", "Optional[1]", "Integer[1, 2, 3]", "Float['a']", "Boolean[1]",
             "Class['A b']", "Class[1]", "File[1]", "File['']", "Undef[1]", "Tuple[1]", "Struct['a']", "Pattern[1]", "Type[1]", "Data[1]"]


class Generator:
    """Expressions of a kind that is wanted, and now and then of another one."""

    def __init__(self, rng):
        self.rng = rng
        self.names = []
        self.fresh = 0

    def pick(self, *choices):
        return self.rng.choice(choices)()

    def any(self, depth):
        return self.pick(lambda: self.number(depth), lambda: self.text(depth), lambda: self.truth(depth), lambda: self.list(depth), lambda: self.hash(depth),
                         lambda: self.leaf(), lambda: self.branch(depth, self.any), lambda: self.type())

    def of(self, wanted, depth):
        return (self.any if self.rng.random() < 0.06 else wanted)(depth)

    def leaf(self):
        choices = ["undef", "true", "false", "default", "one", "two::three", "$nothing", "$fqdn", "$virtual", "$count", "$ratio", "$words", "$sizes", "$facts['os']",
                   "$facts", "$unknown", "$0", "$1", "$2", "$::nothing"]
        choices += [f"${name}" for name in self.names] * 2
        return self.rng.choice(choices)

    def quoted(self):
        text = self.rng.choice(TEXTS)
        return f"'{text}'"

    def number(self, depth):
        if depth <= 0 or self.rng.random() < 0.3:
            return self.rng.choice(NUMBERS + ["$count", "$ratio", "$facts['count']"])
        d = depth - 1
        n = lambda: self.of(self.number, d)
        return self.pick(
            lambda: f"{n()} {self.rng.choice(['+', '-', '*', '/', '%', '<<', '>>'])} {n()}",
            lambda: f"({n()} {self.rng.choice(['+', '-', '*', '/', '%'])} {n()})",
            lambda: f"{n()} {self.rng.choice(['+', '-', '*'])} {n()}",
            lambda: f"{self.quoted()} {self.rng.choice(['+', '-', '*', '/', '%'])} {n()}",
            lambda: f"-({n()})",
            lambda: f"-{self.quoted()}",
            lambda: f"[{n()}, {n()}][{self.rng.choice(['0', '1', '-1', '2', '0', '1', n()])}]",
            lambda: self.branch(d, self.number))

    def text(self, depth):
        if depth <= 0 or self.rng.random() < 0.3:
            return self.rng.choice([self.quoted(), self.quoted(), "$fqdn", "$facts['os']['family']", "one"])
        d = depth - 1
        return self.pick(
            lambda: self.interpolation(d),
            lambda: self.interpolation(d),
            lambda: f"({self.of(self.text, d)})[{self.rng.choice(['0', '1', '-1', '-3', '5', '1, 2', '0, -1', '-2, 2', '1, -2', '7, 1', '-9, 3', self.number(0)])}]",
            lambda: f"{self.list(d)}[{self.rng.choice(['0', '1', '-1', '-2', '$count', self.number(0)])}]",
            lambda: self.branch(d, self.text))

    def interpolation(self, depth):
        parts = []
        for _ in range(self.rng.randrange(1, 4)):
            parts.append(self.rng.choice([
                lambda: self.rng.choice(["a", " ", "é", "\\n", "\\t", "\\$", "\\u00e9", "\\q", "'", "[1]", "\\\\"]),
                lambda: "$fqdn",
                lambda: "${fqdn}",
                lambda: "${facts['os']['family']}",
                lambda: "${words[1]}",
                lambda: "${sizes}",
                lambda: "${(" + self.any(depth) + ")}",
                lambda: "${$count + 1}"])())
        return '"' + "".join(parts) + '"'

    def truth(self, depth):
        if depth <= 0 or self.rng.random() < 0.2:
            return self.rng.choice(["true", "false", "$virtual", "undef"])
        d = depth - 1
        n, t, a = (lambda: self.of(self.number, d)), (lambda: self.of(self.text, d)), (lambda: self.any(d))
        compare = lambda: self.rng.choice(["==", "!=", "<", "<=", ">", ">="])
        return self.pick(
            lambda: f"({n()} {compare()} {n()})",
            lambda: f"({t()} {compare()} {t()})",
            lambda: f"({a()} {self.rng.choice(['==', '!='])} {a()})",
            lambda: f"({self.list(d)} == {self.list(d)})",
            lambda: f"({self.hash(d)} == {self.hash(d)})",
            lambda: f"({self.type()} {compare()} {self.type()})",
            lambda: f"({t()} {self.rng.choice(['=~', '!~'])} {self.rng.choice(PATTERNS)})",
            lambda: f"({t()} =~ {self.quoted()})",
            lambda: f"({a()} {self.rng.choice(['=~', '!~'])} {self.type()})",
            lambda: f"({a()} in {self.rng.choice([self.list, self.hash, self.text, self.any])(d)})",
            lambda: f"({t()} in {self.rng.choice([self.list, self.hash, self.text])(d)})",
            lambda: f"({self.rng.choice(PATTERNS)} in {self.rng.choice([self.list, self.text])(d)})",
            lambda: f"({self.truth(d)} {self.rng.choice(['and', 'or'])} {a()})",
            lambda: f"!{self.truth(d)}",
            lambda: self.branch(d, self.truth))

    def list(self, depth):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.rng.choice(["[]", "[1]", "[1, 2, 3]", "['a', 'B']", "$words", "$facts['tags']", "[undef]", "[[1, 2], [3]]", "[[a, 1], [b, 2]]"])
        d = depth - 1
        item = lambda: self.rng.choice([self.any, self.number, self.text])(d)
        return self.pick(
            lambda: "[" + ", ".join(item() for _ in range(self.rng.randrange(0, 4))) + "]",
            lambda: f"[{item()}, *{self.of(self.list, d)}]",
            lambda: f"[*{self.any(d)}]",
            lambda: f"({self.list(d)} {self.rng.choice(['+', '-', '<<'])} {self.any(d)})",
            lambda: f"({self.list(d)} + {self.list(d)})",
            lambda: f"({self.list(d)} - {self.list(d)})",
            lambda: f"({self.list(d)} + {self.hash(d)})",
            lambda: f"{self.list(d)}[{self.rng.choice(['0, 1', '1, -1', '-2, 1', '-5, 4', '5, 1', '0, 0', '1, 5'])}]",
            lambda: f"{self.hash(d)}['a', 'b', {self.quoted()}]",
            lambda: f"[{item()}].map |$m| {{ {self.inside('m', d)} }}",
            lambda: f"{self.list(d)}.filter |$m| {{ {self.inside('m', d)} }}",
            lambda: self.branch(d, self.list))

    def hash(self, depth):
        if depth <= 0 or self.rng.random() < 0.2:
            return self.rng.choice(["{}", "{a => 1}", "{'a' => 1, 'b' => undef}", "$sizes", "$facts['os']", "{1 => 2, 'x' => [1]}", "{b => 2, a => 1}", "{'A' => 1}"])
        d = depth - 1
        key = lambda: self.rng.choice([self.quoted(), "a", "b", "1", "1.0", "true", "undef", "[1]", self.any(0)])
        return self.pick(
            lambda: "{" + ", ".join(f"{key()} => {self.any(d)}" for _ in range(self.rng.randrange(0, 4))) + "}",
            lambda: f"({self.hash(d)} + {self.hash(d)})",
            lambda: f"({self.hash(d)} + {self.rng.choice(['[a, 1]', '[[b, 2], [c, 3]]', '[]', self.list(d)])})",
            lambda: f"({self.hash(d)} - {self.any(d)})",
            lambda: f"({self.hash(d)} - {self.quoted()})",
            lambda: f"({self.hash(d)} - {self.list(d)})",
            lambda: self.branch(d, self.hash))

    def type(self):
        return self.rng.choice(BAD_TYPES) if self.rng.random() < 0.05 else self.rng.choice(TYPES)

    def option(self, depth):
        return self.rng.choice([
            lambda: self.quoted(),
            lambda: self.rng.choice(NUMBERS),
            lambda: self.rng.choice(PATTERNS),
            lambda: self.type(),
            lambda: f"*{self.list(depth)}",
            lambda: self.list(depth),
            lambda: f"[{self.rng.choice(PATTERNS)}, {self.type()}]",
            lambda: f"{{'a' => {self.type()}}}",
            lambda: self.rng.choice(["undef", "true", "false", "one"])])()

    def branch(self, depth, wanted):
        d = depth - 1
        value = lambda: wanted(d) if self.rng.random() < 0.85 else "$1"
        subject = lambda: self.rng.choice([self.any, self.text, self.number, self.list, self.hash])(d)
        return self.pick(
            lambda: f"(if {self.truth(d)} {{ {value()} }} else {{ {value()} }})",
            lambda: f"(if {self.truth(d)} {{ {value()} }} elsif {self.truth(d)} {{ {value()} }})",
            lambda: f"(unless {self.truth(d)} {{ {value()} }} else {{ {value()} }})",
            lambda: f"({subject()} ? {{ {self.option(d)} => {value()}, {self.option(d)} => {value()}, default => {value()} }})",
            lambda: f"({subject()} ? {{ default => {value()}, {self.option(d)} => {value()} }})",
            lambda: f"({subject()} ? {{ {self.option(d)} => {value()} }})",
            lambda: f"(case {subject()} {{ {self.option(d)}: {{ {value()} }} {self.option(d)}, {self.option(d)}: {{ {value()} }} default: {{ {value()} }} }})",
            lambda: f"(case {subject()} {{ default: {{ {value()} }} {self.option(d)}: {{ {value()} }} }})",
            lambda: f"(case {subject()} {{ {self.option(d)}: {{ {value()} }} }})",
            lambda: self.lambda_call(d, wanted))

    def inside(self, name, depth):
        """The body of a lambda with that parameter."""
        self.names.append(name)
        body = self.rng.choice([
            lambda: self.any(depth),
            lambda: f"${name} {self.rng.choice(['+', '*', '==', 'in'])} {self.any(depth)}",
            lambda: f"if {self.truth(depth)} {{ next({self.any(depth)}) }} ${name}",
            lambda: f"if {self.truth(depth)} {{ break() }} ${name}",
            lambda: f"$local = {self.any(depth)} [$local, ${name}]",
            lambda: f"'{name}b' =~ /{name}(.)/\n$1"])()
        self.names.pop()
        return body

    def lambda_call(self, depth, wanted):
        self.fresh += 1
        name = f"p{self.fresh}"
        other = f"q{self.fresh}"
        argument = lambda: self.any(depth)
        return self.pick(
            lambda: f"with({argument()}) |${name}| {{ {self.inside(name, depth)} }}",
            lambda: f"with({argument()}) |{self.type()} ${name}| {{ {self.inside(name, depth)} }}",
            lambda: f"with({argument()}) |${name}, ${other} = {argument()}| {{ [{self.inside(name, 0) if False else '$' + name}, ${other}] }}",
            lambda: f"with({argument()}, {argument()}, {argument()}) |${name}, {self.type()} *${other}| {{ [${name}, ${other}] }}",
            lambda: f"with({argument()}, {argument()}) |${name}, *${other}| {{ ${other} }}",
            lambda: f"with({argument()}) |${name}| >> {self.type()} {{ {wanted(depth - 1)} }}",
            lambda: f"with(*{self.list(depth)}) |${name}, ${other}| {{ [${other}, ${name}] }}",
            lambda: f"({argument()}).then |${name}| {{ ${name} }}")

    def program(self):
        statements = []
        for number in range(self.rng.randrange(0, 3)):
            name = f"v{number}"
            choice = self.rng.randrange(8)
            if choice < 5:
                statements.append(f"${name} = {self.any(3)}")
                self.names.append(name)
            elif choice == 5:
                values = self.rng.choice([f"[{self.any(2)}, {self.any(1)}]", f"{{'{name}' => {self.any(2)}, 'w{number}' => {self.any(1)}}}", self.list(1), self.hash(1)])
                statements.append(f"[${name}, $w{number}] = {values}")
                self.names += [name, f"w{number}"]
            elif choice == 6:
                statements.append(f"if {self.truth(2)} {{ ${name} = {self.any(2)} }}")
                self.names.append(name)
            else:
                statements.append(f"{self.text(1)} =~ {self.rng.choice(PATTERNS)}")
        if self.rng.random() < 0.03:
            statements.append(f"${self.rng.choice(['v0', 'fqdn', 'facts', 'count'])} = 1")
        statements.append(f"$result = ({self.any(4)})")
        statements.append('$result')
        return "\n".join(statements)


def excused(program, mine, theirs):
    """Why the two may differ here; empty where they may not."""
    error = mine.get("error", [""])[0]
    if error == "puppet.overflow" and "ok" in theirs:
        return "whole numbers have 64 bits, here also below and between operators"
    if error.startswith("limit."):
        return "bounded"
    return ""


def ask(command, lines):
    done = subprocess.run(command, input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(lines) - 1:
        sys.exit(f"{command[0]}: {len(answers)} answers for {len(lines) - 1} programs\n{done.stderr[-2000:]}")
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    programs = [Generator(rng).program() for _ in range(options.count)]
    lines = [VARIABLES] + programs
    mine = ask([options.program], lines)
    theirs = ask(["/usr/bin/ruby", str(pathlib.Path(__file__).with_suffix(".rb"))], lines)
    different, errors, reasons = 0, 0, {}
    for program, one, other in zip(programs, mine, theirs):
        errors += "error" in one
        if ("ok" in one) == ("ok" in other) and one.get("ok") == other.get("ok"):
            continue
        reason = excused(program, one, other)
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        different += 1
        if different <= options.show:
            print(f"{program}\n  strata: {json.dumps(one, ensure_ascii=False)[:400]}\n  puppet: {json.dumps(other, ensure_ascii=False)[:400]}\n")
    print(f"{options.count} programs, {errors} of them errors, {different} different, excused: {reasons}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
