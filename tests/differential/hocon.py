#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The HOCON reader of strata against the hocon gem, which Puppet uses, on random and mutated texts.

usage: hocon.py READ_HOCON [--seed N] [--count N]

Exit status 1, with the text and both answers, at the first difference. Keys are compared without order. Known differences: strata has no includes,
reads surrogate pairs and `\\u005f` but not `\\u` without four digits, and does not fall over where the gem does (those texts are counted as errors of the gem).
Once in some ten thousand texts the gem overlooks a substitution that leads nowhere, in a definition that others hide: allowed once in 1000.
"""
import argparse
import json
import random
import re
import subprocess
import sys

# Answers: "ok JSON"; "error" for what the gem refuses; "broken" for its own accidents.
RUBY = r"""
require 'hocon'
require 'hocon/config_error'
require 'json'
ENV.clear
STDIN.each_line do |line|
  begin
    puts 'ok ' + JSON.generate(Hocon.parse([line.chomp].pack('H*').force_encoding('UTF-8')))
  rescue Hocon::ConfigError::ConfigBugOrBrokenError
    puts 'broken'
  rescue Hocon::ConfigError
    puts 'error'
  rescue SystemStackError, StandardError
    puts 'broken'
  end
end
"""

KEYS = ["a", "b", "c", "d", "a", "b"]
SCALARS = ["1", "010", "08", "-5", "1.0", "1.5", "1e3", "-0", "1.", ".5", "1e-7", "12345678901234567890", "true", "false", "null", "yes", "x", "truex", "x y", '"q"', '""', '"a b"',
           '"""t"""', '"""l\n"m""""', "-", "--", "1-2", "a/b", "x'y", "\u00e9", '"\\n\\u00e9\\t"', "include", "10s", "1 2", "nullx"]
PIECES = SCALARS + ["{", "}", "[", "]", ":", "=", "+=", ",", "\n", "\n", " ", "  ", "\t", "# c\n", "// c\n", "#", "//", "/", "${a}", "${?a}", "${b.c}", "${?b.c}", "${", "$", "+", "\\", "'", "@", ".",
                    "\"", "\"\"", "\"\"\"", "\u00a0", "\u2003", "a.b", "a.b.c", "\"a.b\"", "\r\n", "?", "`", "*"]


def path(rng):
    keys = [rng.choice(KEYS + ['"a.b"', '""', "x y", "1", "true"] if rng.random() < 0.2 else KEYS) for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
    return ".".join(keys)


# Loops through several keys are answered differently here and there, so that most texts have none: what they refer to stands apart.
TARGETS = ["x", "y", "z.a", "z.b", "z", "nowhere"]
PREAMBLE = ["x = %s\n", "y = ${x}\n", "y = [%s, ${x}]\n", "z.a = ${y}\n", "z = {b: %s}\n", "z.b = ${?x} %s\n", "x = [%s]\n", "y = {b: ${?nowhere}, c: ${?x}}\n", "x = {a: %s, b: [1]}\n", "x = ${?x} %s\n",
            "x += %s\n", "y = ${?y} [2]\n", "x = ${x}{c: %s}\n"]


def substitution(rng):
    return "${" + rng.choice(["", "?", "?"]) + rng.choice(TARGETS) + rng.choice(["", "", ".b", ".c"]) + "}"


def preamble(rng):
    return "".join(line % rng.choice(SCALARS) if "%s" in line else line for line in rng.choices(PREAMBLE, k=rng.randrange(7)))


def value(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return rng.choice(SCALARS)
    if kind < 0.6:
        return substitution(rng)
    if kind < 0.72:
        return rng.choice(["", " "]).join(value(rng, depth - 1) for _ in range(rng.choice([2, 2, 3])))
    if kind < 0.84:
        return "[" + rng.choice([",", ", ", "\n"]).join(value(rng, depth - 1) for _ in range(rng.randrange(4))) + rng.choice(["", "", ",", "\n"]) + "]"
    return "{" + fields(rng, depth - 1) + "}"


def field(rng, depth):
    kind = rng.random()
    if kind < 0.12:
        return path(rng) + " += " + value(rng, depth)
    if kind < 0.2:
        return path(rng) + rng.choice(["", " "]) + "{" + fields(rng, depth) + "}"
    return path(rng) + rng.choice([" = ", ": ", "=", ":", " :\n "]) + value(rng, depth)


def fields(rng, depth):
    return "".join(field(rng, depth) + rng.choice(["\n", "\n", ",", ", ", " # c\n", "\n\n", ",\n"]) for _ in range(rng.randrange(1, 6)))


def document(rng):
    kind = rng.random()
    if kind < 0.25:
        return "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 14)))
    text = preamble(rng) + fields(rng, 3)
    if kind < 0.35:
        text = "{" + text + "}"
    if kind > 0.75:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(PIECES) + text[at + rng.randrange(3):]
    return text


def agree(case, expected, answer):
    if answer == "hocon.syntax" and re.search(r"\\u(?![0-9a-fA-F]{4})", case):
        return True
    if expected == "broken" or answer == "hocon.include":
        return True
    if expected == "error":
        return not answer.startswith("ok ")
    return answer.startswith("ok ") and json.loads(answer[3:]) == json.loads(expected[3:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    cases = [document(rng) for _ in range(options.count)]
    lines = "".join(case.encode().hex() + "\n" for case in cases)
    ours = subprocess.run([options.program], input=lines, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    theirs = subprocess.run(["ruby", "-W0", "-e", RUBY], input=lines, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    if not len(cases) == len(ours) == len(theirs):
        print(f"seed {options.seed}: {len(ours)} and {len(theirs)} answers to {len(cases)} texts")
        return 1
    doubtful = 0
    for case, answer, expected in zip(cases, ours, theirs):
        if answer == "hocon.substitution" and expected.startswith("ok ") and doubtful < options.count / 1000:
            doubtful += 1
            continue
        if not agree(case, expected, answer):
            print(f"seed {options.seed}: {case!r}: strata says {answer!r}, the gem {expected!r}")
            return 1
    read = sum(answer.startswith("ok ") for answer in ours)
    print(f"{options.count} texts clean, {read} of them read; {theirs.count('broken')} broke the gem")
    return 0


sys.exit(main())
