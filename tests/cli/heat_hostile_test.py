#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile and broken inputs through strata parameters, resolve-type, hooks and bundle.

usage: heat_hostile_test.py STRATA
"""
import sys

from hostile_test import Case, main

HOT = b"heat_template_version: 2018-08-31\n"


def ask(name, template, environment, status, says, place=None, seconds=5, output=None, arguments=()):
    """Values for the parameters of a template."""
    return Case(name, {"t.yaml": template, "e.yaml": environment}, ["-t", "t.yaml", "-e", "e.yaml", *arguments], status, says, place, seconds, output, "parameters")


def resolve(name, registry, status, says, place=None, seconds=5, output=None):
    return Case(name, {"e.yaml": b"resource_registry:\n" + registry}, ["T0", "-e", "e.yaml"], status, says, place, seconds, output, "resolve-type")


def send(name, files, status, says, place=None, seconds=5, output=None):
    return Case(name, files, ["-e", "a.yaml"], status, says, place, seconds, output, "bundle")


def chain(count):
    """Templates that use one another."""
    files = {f"t{i}.yaml": HOT + b"r: {type: t%d.yaml}\n" % (i + 1) for i in range(count)}
    return {"a.yaml": b"resource_registry: {My::T: t0.yaml}\n", f"t{count}.yaml": HOT, **files}


MANY = b"[" + b"1," * 60_000 + b"]"

CASES = [
    ask("a template of an unknown version", b"heat_template_version: 1999-01-01\n", b"{}\n", 1, ["1999-01-01", "2018-08-31"], "t.yaml:1:24"),
    ask("an unknown type of parameter", HOT + b"parameters: {p: {type: int}}\n", b"{}\n", 1, ["'int'", "number"], "t.yaml:2:24"),
    ask("parameters are a list", HOT + b"parameters: [p]\n", b"{}\n", 1, ["a mapping"], "t.yaml:2:13"),
    ask("a runaway pattern", HOT + b"parameters: {p: {type: string, constraints: [{allowed_pattern: '(a*)*(b*)*(a*)*$'}]}}\n",
        b"parameters: {p: " + b"a" * 30_000 + b"c}\n", 1, ["limit.regex"], seconds=10),
    ask("a pattern that is no pattern", HOT + b"parameters: {p: {type: string, constraints: [{allowed_pattern: '(a'}]}}\n", b"{}\n", 1, ["pattern"], "t.yaml:2:64"),
    ask("huge constraints", HOT + b"parameters: {p: {type: comma_delimited_list, constraints: [{allowed_values: " + MANY + b"}]}}\n",
        b"parameters: {p: " + MANY * 1 + b"}\n", 1, ["is not an allowed value"], seconds=10),
    ask("a value with millions of digits", HOT + b"parameters: {p: {type: number, constraints: [{range: {max: 5}}]}}\n", b"parameters: {p: '" + b"9" * 400_000 + b"'}\n", 1, ["out of range"]),
    ask("a number that JSON has no form for", HOT + b"parameters: {p: {type: number}}\n", b"parameters: {p: 'inf'}\n", 1, ["json.not-finite"]),
    ask("JSON without end", HOT + b"parameters: {p: {type: json}}\n", b"parameters: {p: '" + b"[" * 200_000 + b"'}\n", 1, ["p"]),
    ask("many parameters", HOT + b"parameters:\n" + b"".join(b"  p%d: {type: string}\n" % i for i in range(18_000)),
        b"parameters:\n" + b"".join(b"  p%d: v\n" % i for i in range(18_000)), 0, [], seconds=10, output=b"p17999"),
    resolve("mappings in a loop", b"  T0: T1\n  T1: T0\n", 1, ["T0 -> T1 -> T0"], "e.yaml:2:7"),
    resolve("a long chain of mappings", b"".join(b"  T%d: T%d\n" % (i, i + 1) for i in range(5000)), 1, ["limit.depth"]),
    resolve("names that grow", b"  T*: 'T0*'\n", 1, ["limit.depth"]),
    resolve("two ways everywhere", b"".join(b"  T%d: T%d\n  'T%d*': 'T%d*'\n" % (i, i + 1, i, i + 1) for i in range(0, 60)), 1, ["T0"]),
    send("a template that uses itself", {"a.yaml": b"resource_registry: {My::T: t.yaml}\n", "t.yaml": HOT + b"r: {get_file: t.yaml}\n"}, 1, ["uses itself"], "t.yaml:2:15"),
    send("templates in a long chain", chain(200), 1, ["limit.include-depth", "--limit include-depth"], seconds=10),
    send("a folder for a file", {"a.yaml": b"resource_registry: {My::T: .}\n"}, 1, ["could not fetch contents"], "a.yaml:1:28"),
    send("a name with a zero byte", {"a.yaml": b'resource_registry: {My::T: "a\\0b"}\n'}, 1, ["could not fetch contents"], "a.yaml:1:28"),
    send("the network", {"a.yaml": b"resource_registry: {My::T: 'http://127.0.0.1:9/x'}\n"}, 1, ["--allow-network"], "a.yaml:1:28"),
]

if __name__ == "__main__":
    sys.exit(main(CASES))
