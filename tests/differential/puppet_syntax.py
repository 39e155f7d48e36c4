#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How strata reads the Puppet language against Puppet's own parser and validator: whether a program is accepted, and the tree, on random programs.

usage: puppet_syntax.py PUPPET_SYNTAX [--seed N] [--count N]

Half of the programs are well formed as far as the generator knows; in the others a token was removed, repeated, replaced or moved. Exit status 1, with
the program and both answers, at differences (the first 20 are shown). Known differences are listed at `excused`.
"""
import argparse
import os
import random
import re
import subprocess
import sys

NAMES = ["a", "b", "foo", "ntp::server", "x1", "notice", "a-b", "_x", "in1", "iffy"]
FUNCTIONS = ["f", "foo::bar", "notice", "include", "type", "fail", "::f"]
STATEMENT_FUNCTIONS = ["notice", "include", "fail", "warning", "return", "require"]
TYPES = ["Integer", "Foo::Bar", "Array", "::Foo"]
VARIABLES = ["$a", "$::b", "$c::d", "$_e", "$0", "$12", "$f"]
NUMBERS = ["0", "1", "42", "0x1F", "017", "1.5", "1e5", "2.5e-3", "00"]
OPERATORS = ["+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "in", "and", "or"]
BAD = ["08", "1_0", "$A", "$01", "Foo::bar", "'x", "@", "%", "~>", "->", "=>", "?", "}", "{", "(", ")", "[", "]", "|", ",", ";", ":", ".", "=", "+=", "class",
       "node", "define", "function", "type", "default", "undef", "true", "if", "else", "elsif", "unless", "case", "in", "and", "!", "*", "-", "'t'", "\"u\"",
       "$v", "9", "/r/", "name", "Type", "<|", "|>", "<-", "+>", "attr", "private", "inherits"]


class Programs:
    def __init__(self, rng):
        self.rng = rng
        self.heredocs = []

    def pick(self, *choices):
        return self.rng.choice(choices)

    def some(self, least, most, make):
        return [make() for _ in range(self.rng.randrange(least, most + 1))]

    def single(self):
        return "'" + "".join(self.some(0, 4, lambda: self.pick("a", " ", "é", "\\'", "\\\\", "\\n", "\"", "$x", "\n", "#", "${"))) + "'"

    def double(self, depth):
        def part():
            if depth > 0 and self.rng.random() < 0.4:
                return self.interpolation(depth)
            return self.pick("a", " b", "é", "\\n", "\\t", "\\s", "\\\"", "\\'", "\\$", "\\\\", "\\q", "\\u0041", "\\u{1F600}", "\\u12", "'", "$", "$ ", "\n",
                             "#", "{", "}", "\\\n", "$x", "$::y::z", "$x.y", "$x[1]", "$x-", "$x::")
        return '"' + "".join(self.some(0, 4, part)) + '"'

    def interpolation(self, depth):
        return "${" + self.pick("x", " x ", "x['a']", "x.y", "x::y", "0", "x.y(1)[2]", "::x", "class", "x[0] + 1", "X", "f(1)",
                                self.expression(depth - 1)) + "}"

    def heredoc(self):
        tag = self.pick("END", "A B", "X")
        quoted = self.rng.random() < 0.5
        flags = self.pick("", "", "/", "/nt", "/$", "/L", "/ts", "/u", "/r")
        margin = self.pick("", "", "| ", "|", "|- ", "- ")
        lines = [self.pick("", "  ", " ", "\t", "    ") + self.pick("x", "", "\\n\\t", "a\\\\b", "$y", "${z['a']}", "\\$y", "end", "\"q\"", "'", "\\u0041", "b\\")
                 for _ in range(self.rng.randrange(0, 4))]
        indent = self.pick("", "  ", " ") if margin else self.pick("", "  ")
        self.heredocs.append("\n".join(lines + [indent + margin + tag]))
        name = f'"{tag}"' if quoted else tag
        return f"@({name}{self.pick('', '', '', ':foo') }{flags})"

    def items(self, depth, most=3):
        return self.some(0, most, lambda: self.pick(self.expression, self.expression, self.expression, self.splat)(depth - 1))

    def splat(self, depth):
        return "*" + self.primary(depth)

    def arguments(self, depth):
        items = self.items(depth, 2)
        return ", ".join(items) + ("," if items and self.rng.random() < 0.1 else "")

    def lambda_(self, depth):
        def parameter():
            return self.pick("", "", "Integer ", "Array[Foo] ") + self.pick("$x", "$y", "$z") + (" = " + self.expression(0) if self.rng.random() < 0.2 else "")
        parameters = self.some(0, 3, parameter)
        if self.rng.random() < 0.1:
            parameters.append(self.pick("*$r", "Integer *$r"))
        return "|" + ", ".join(parameters) + "|" + self.pick("", "", "", " >> Integer", " >> Array[Foo]") + " " + self.block(depth - 1)

    def call(self, depth):
        callee = self.pick(self.rng.choice(FUNCTIONS), self.rng.choice(FUNCTIONS), self.rng.choice(TYPES), "Integer[1, 2]")
        return callee + self.pick("", "", "", " ") + "(" + self.arguments(depth) + ")" + (" " + self.lambda_(depth) if self.rng.random() < 0.2 else "")

    def primary(self, depth):
        if depth <= 0:
            return self.pick(self.rng.choice(NAMES), self.rng.choice(TYPES), self.rng.choice(VARIABLES), self.rng.choice(VARIABLES), self.rng.choice(NUMBERS),
                             self.single(), self.double(0), self.pick("true", "false", "undef", "'d'"), self.pick("/a/", "/a\\/b/", "/[x y]+/"))
        kind = self.rng.randrange(16)
        if kind < 4:
            return self.primary(0)
        if kind == 4:
            return "[" + self.arguments(depth) + "]"
        if kind == 5:
            entries = [f"{self.expression(depth - 1)} => {self.expression(depth - 1)}" for _ in range(self.rng.randrange(0, 3))]
            return "{" + ", ".join(entries) + ("," if entries and self.rng.random() < 0.1 else "") + "}"
        if kind == 6:
            return "(" + self.expression(depth - 1) + ")"
        if kind == 7:
            return self.double(depth)
        if kind == 8:
            return self.call(depth)
        if kind == 9:
            return self.primary(depth - 1) + self.pick(".", ".", " . ", "\n.") + self.pick("abs", "each", "foo", "type") + self.pick("", "", f"({self.arguments(depth)})") + (
                " " + self.lambda_(depth) if self.rng.random() < 0.3 else "")
        if kind in (10, 11):
            return self.primary(depth - 1) + self.pick("[", "[", "[", " [") + (self.arguments(depth) or "1") + "]"
        if kind == 12:
            return self.if_(depth)
        if kind == 13:
            return self.case(depth)
        if kind == 14 and len(self.heredocs) == 0 and self.rng.random() < 0.5:
            return self.heredoc()
        return self.pick("-", "!", "- ", "! ") + self.primary(depth - 1)

    def if_(self, depth):
        word = self.pick("if", "if", "if", "unless")
        text = f"{word} {self.expression(depth - 1)} {self.block(depth - 1)}"
        while word == "if" and self.rng.random() < 0.3:
            text += f" elsif {self.expression(depth - 1)} {self.block(depth - 1)}"
        if self.rng.random() < 0.4:
            text += f" else {self.block(depth - 1)}"
        return text

    def case(self, depth):
        options = [", ".join(self.some(1, 2, lambda: self.expression(depth - 1))) + ": " + self.block(depth - 1)
                   for _ in range(self.rng.randrange(1, 3))] + self.some(0, 1, lambda: "default: " + self.block(depth - 1))
        return f"case {self.expression(depth - 1)} {{ {' '.join(options)} }}"

    def expression(self, depth):
        text = self.primary(depth)
        if depth > 0:
            while self.rng.random() < 0.35:
                if self.rng.random() < 0.15:
                    entries = self.some(1, 2, lambda: f"{self.expression(depth - 1)} => {self.expression(depth - 1)}")
                    text += " ? " + (entries[0] if self.rng.random() < 0.1 else "{ " + ", ".join(entries) + " }")
                else:
                    text += self.pick(" ", " ", " ", "\n") + self.rng.choice(OPERATORS) + " " + self.primary(depth - 1)
            if self.rng.random() < 0.03:
                text = "(" + self.pick("$v", "[$v, $w]", "$v = $w") + " = " + text + ")"
        return text

    def statement(self, depth):
        kind = self.rng.randrange(10)
        if kind < 4:
            return self.pick("$v", "$w", "[$v, $w]", "[$v, [$w]]") + " = " + self.expression(depth)
        if kind < 6:
            return self.rng.choice(STATEMENT_FUNCTIONS) + " " + ", ".join(self.some(1, 2, lambda: self.expression(depth)))
        if kind == 7:
            return self.if_(depth)
        if kind == 8:
            return self.case(depth)
        if self.rng.random() < 0.05:
            return self.expression(depth)
        return self.call(depth)

    def block(self, depth):
        return "{ " + self.pick(" ", "\n", "; ").join(self.some(self.pick(0, 1, 1, 1), 2, lambda: self.statement(max(depth, 0)))) + " }"

    def program(self):
        lines = []
        for _ in range(self.rng.randrange(1, 5)):
            self.heredocs = []
            line = self.statement(self.rng.randrange(0, 4))
            if self.rng.random() < 0.1:
                line += self.pick(" # c", " /* c */", "\n# c\n", ";")
            if self.heredocs:  # Its lines come behind the line of its tag.
                head, _, rest = line.partition("\n")
                line = head + "\n" + "\n".join(self.heredocs) + "\n" + rest
            lines.append(line)
        return "\n".join(lines)


TOKEN = re.compile(r"\s+|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|\$?[\w:]+|=>|==|!=|=~|!~|<=|>=|<<|>>|.", re.S)


def broken(rng, program):
    tokens = TOKEN.findall(program)
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(tokens))
        kind = rng.randrange(5)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at])
        elif kind == 2:
            tokens[at] = rng.choice(BAD)
        elif kind == 3:
            tokens.insert(at, " " + rng.choice(BAD) + " ")
        else:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        if not tokens:
            return ""
    return "".join(tokens)


# What strata leaves out by decision, by the node that Puppet makes of it.
LEFT_OUT = re.compile(r"\((ResourceExpression|ResourceDefaultsExpression|ResourceOverrideExpression|CollectExpression|RelationshipExpression|"
                      r"HostClassDefinition|ResourceTypeDefinition|NodeDefinition|FunctionDefinition|TypeAlias|TypeDefinition|TypeMapping|"
                      r"AttributesOperation|RenderExpression|CapabilityMapping|Application|SiteDefinition|ReservedWord|PlanDefinition|ApplyExpression)\)")


# Where strata takes more, as nothing of it can be mistaken: `;` at the end; hashes and what comes behind them as the argument of `notice` and behind
# calls, where Puppet looks for a resource; several arguments whose first one is in braces or parentheses; a comma behind the last argument of a
# method; two texts in single quotes without a blank between them. And where it takes less: the end of a heredoc is its tag alone, not behind words.
LENIENT = re.compile(r"Syntax error at end of input|Syntax error at '=>'|Syntax error at '[^']+'|illegal comma separated|valid as a resource")


def excused(program, theirs, ours):
    if theirs.startswith("crash"):  # Puppet's own fault.
        return True
    if re.search(r"\b(notice|include|fail|warning|return|require|type)\s*\{", program) or re.search(r"^\s*\{", program, re.M):
        return True
    if theirs.startswith("ok"):
        # Left out; and Puppet sees no `;` between the name of a function and what it takes for arguments.
        if re.search(r"^[^\n]*[^\n]*(END|A B|X)[ \t]*$", program, re.M) and "@(" in program and "heredoc" in ours:
            return True
        return LEFT_OUT.search(theirs) is not None or "import" in program or re.search(r"\b(notice|include|fail|warning|return|require)\s*;", program)
    if ";" in program and "end of input" in theirs or "${/" in program and "'/'" in theirs:
        return True
    if "''" in program and "Unclosed quote" in theirs:
        return True
    if re.search(r",\s*\)", program) and "Syntax error at ')'" in theirs:
        return True
    if not LENIENT.search(theirs):
        return False
    return re.search(r";\s*($|#|/\*|\})", program) is not None or (re.search(r"[\])]\s*\{", program) is not None and "resource" in theirs)


def answers(command, programs):
    done = subprocess.run(command, input="\0".join(programs).encode(), capture_output=True, check=False)
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    if done.returncode != 0 or len(lines) < len(programs):
        sys.exit(f"{command[0]} ended with {done.returncode} after {len(lines)} answers: {done.stderr.decode()[-2000:]}")
    return lines


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=500)
    given = arguments.parse_args()
    rng = random.Random(given.seed)
    programs = []
    for i in range(given.count):
        program = Programs(rng).program()
        programs.append(program if i % 2 == 0 else broken(rng, program))
    theirs = answers(["ruby", os.path.join(os.path.dirname(os.path.abspath(__file__)), "puppet_syntax.rb")], programs)
    ours = answers([given.program], programs)
    accepted = differences = excuses = 0
    for program, their, our in zip(programs, theirs, ours):
        accepted += their.startswith("ok")
        same = their == our if their.startswith("ok") else their.startswith("crash") or our.startswith("error")
        if same:
            continue
        if excused(program, their, our):
            excuses += 1
            continue
        differences += 1
        if differences <= 20:
            print(f"--- program\n{program}\n--- puppet\n{their}\n--- strata\n{our}\n")
    print(f"puppet_syntax: {given.count} programs, {accepted} accepted by Puppet, {excuses} excused, {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
