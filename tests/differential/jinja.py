#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The template language of strata against Jinja2 as cloud-init calls it, on random templates.

usage: jinja.py JINJA_RENDER [--seed N] [--count N]

Prints each difference, shrunk, with the seed of its case, and exits with status 1 if there is any. That both sides fail counts as equal. Left out of the
comparison, but counted at the end: what has an address in it, what strata says it does not support, integers beyond 64 bits, and slices of constants that
have none, which Jinja takes for undefined where it computes them ahead.
"""
import argparse
import json
import random
import re
import subprocess
import sys
import warnings

from cloudinit import templater
from cloudinit.handlers import jinja_template

WORDS = ["", "a", "b", "Abc", "foo bar", "x-y_z", "  pad ", "HELLO world", "a,b,,c", "line1\nline2\n", "été", "ΑΣ", "straße", "жук", "<b>&'\"", "12", "-7", "3.50", "1e3",
         "0x1f", "http://h/p?q=1&r=2", "the quick brown fox jumps", "tab\there", "it's", 'say "hi"', "\u00a0nb", "%s", "{}", "a.b", "True"]
NAMES = ["num", "neg", "big", "real", "name", "text", "empty", "flag", "off", "nothing", "items", "mixed", "words", "users", "conf", "nested", "undef"]


def quote(text):
    quoted = repr(text)
    return quoted.replace("\\u", "\\u")


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.locals = []

    def pick(self, *choices):
        return self.rng.choice(choices)

    def data(self):
        rng = self.rng
        return {
            "num": rng.choice([0, 1, 2, 3, 7, 42, 100]), "neg": -rng.randrange(1, 50), "big": rng.choice([10**6, 2**31, 2**40]),
            "real": rng.choice([0.5, 1.0, -2.25, 3.14159, 1e20, 1e-7, 100.125, 2.675]), "name": rng.choice(WORDS), "text": rng.choice(WORDS), "empty": rng.choice(["", [], {}]),
            "flag": True, "off": False, "nothing": None, "items": [rng.randrange(-5, 20) for _ in range(rng.randrange(6))],
            "mixed": [rng.choice([1, "a", None, True, 2.5, "B", [1, 2], {"k": "v"}]) for _ in range(rng.randrange(5))],
            "words": [rng.choice(WORDS) for _ in range(rng.randrange(6))],
            "users": [{"name": rng.choice(["bob", "Ann", "carl", "ann"]), "age": rng.randrange(20, 24), "tags": rng.sample(["x", "y", "z"], 2),
                       **({"home": rng.choice(["/a", "/b"])} if rng.random() < 0.6 else {})} for _ in range(rng.randrange(5))],
            "conf": {key: rng.choice([1, "v", None, [1], {"deep": 1.5}]) for key in rng.sample(["b", "A", "c", "a-b", "items", "name", "0"], rng.randrange(6))},
            "nested": {"one": {"two": {"three": rng.choice(WORDS)}}, "list": [[1, 2], [3]]},
        }

    def name(self):
        if self.locals and self.rng.random() < 0.3:
            return self.rng.choice(self.locals)
        return self.rng.choice(NAMES)

    def expr(self, depth, kind=None):
        rng = self.rng
        if rng.random() < 0.03:
            kind = None
        if kind is None:
            kind = self.pick("int", "float", "str", "str", "list", "list", "dict", "bool", "any")
        result = getattr(self, kind)(depth)
        return "(" + result + ")" if rng.random() < 0.25 else result

    def any(self, depth):
        if depth <= 0:
            return self.name()
        d = depth - 1
        return self.rng.choice([
            lambda: self.name(),
            lambda: f"{self.expr(d, 'int')} if {self.expr(d, 'bool')} else {self.expr(d)}",
            lambda: f"{self.expr(d)} if {self.expr(d, 'bool')}",
            lambda: f"{self.expr(d)} or {self.expr(d)}",
            lambda: f"{self.expr(d)} and {self.expr(d)}",
            lambda: f"{self.expr(d, 'list')}[{self.expr(d, 'int')}]",
            lambda: f"{self.expr(d, 'list')}|{self.pick('first', 'last', 'min', 'max')}",
            lambda: f"{self.expr(d, 'list')}|{self.pick('min', 'max')}(attribute={self.pick(chr(39) + 'age' + chr(39), chr(39) + 'name' + chr(39))})",
            lambda: f"{self.expr(d, 'dict')}.{self.pick('a', 'b', 'name', 'items', 'c', 'one', 'missing', 'get', '0')}",
            lambda: f"{self.expr(d, 'dict')}[{self.expr(d, 'str')}]",
            lambda: f"{self.expr(d, 'dict')}.get({self.expr(d, 'str')}{self.pick('', ', ' + self.expr(0))})",
            lambda: f"{self.name()}|default({self.expr(d)}{self.pick('', ', true', ', boolean=true')})",
            lambda: f"users[{self.pick(0, 1, -1)}].{self.pick('name', 'age', 'home', 'tags', 'x')}",
            lambda: f"nested.one.two.three",
            lambda: f"undef.foo",
            lambda: f"{self.expr(d, 'any')}|attr('{self.pick('upper', 'name', 'x')}')",
        ])()

    def int(self, depth):
        if depth <= 0:
            return self.pick("num", "neg", "big", "0", "1", "2", "3", "10", "-1", "0x1F", "1_000", "0b101", "0o17", "7")
        d = depth - 1
        return self.rng.choice([
            lambda: self.int(0),
            lambda: f"{self.expr(d, 'int')} {self.pick('+', '-', '*', '//', '%')} {self.expr(d, 'int')}",
            lambda: f"{self.expr(d, 'int')} ** {self.pick(0, 1, 2, 3)}",
            lambda: f"-{self.expr(d, 'int')}", lambda: f"+{self.expr(d, 'int')}",
            lambda: f"{self.expr(d)}|{self.pick('length', 'count')}",
            lambda: f"{self.expr(d, 'str')}|int({self.pick('', '5', 'base=16', 'default=-1', '0, 8', '0, 0')})",
            lambda: f"{self.expr(d, 'float')}|int", lambda: f"{self.expr(d)}|int",
            lambda: f"{self.expr(d, 'int')}|abs", lambda: f"{self.expr(d, 'list')}|sum",
            lambda: f"{self.expr(d, 'list')}|sum({self.pick('attribute=' + quote('age'), 'start=5', quote('age') + ', 1')})",
            lambda: f"{self.expr(d, 'str')}.{self.pick('count', 'find', 'rfind', 'index', 'rindex')}({self.expr(d, 'str')}{self.pick('', ', 1', ', 0, -1', ', -3')})",
            lambda: f"{self.expr(d, 'list')}.{self.pick('count', 'index')}({self.expr(d)})",
            lambda: f"{self.expr(d, 'str')}|wordcount", lambda: f"{self.expr(d, 'int')}|round({self.pick('', '-1', '2', 'method=' + quote('floor'))})",
        ])()

    def float(self, depth):
        if depth <= 0:
            return self.pick("real", "1.5", "0.1", "2.0", "1e3", "2.5e-3", "1_0.5", "-0.75")
        d = depth - 1
        number = self.pick("int", "float")
        return self.rng.choice([
            lambda: self.float(0),
            lambda: f"{self.expr(d, 'float')} {self.pick('+', '-', '*', '/', '//', '%')} {self.expr(d, number)}",
            lambda: f"{self.expr(d, 'int')} / {self.expr(d, 'int')}", lambda: f"{self.expr(d, 'int')} ** {self.pick('-1', '0.5', '-2')}",
            lambda: f"{self.expr(d, 'str')}|float{self.pick('', '(1.5)', '(default=2)')}", lambda: f"{self.expr(d, number)}|float",
            lambda: f"{self.expr(d, 'float')}|round({self.pick('', '1', '2', '-1', '1, ' + quote('ceil'), 'method=' + quote('floor'), '0, ' + quote('common'))})",
            lambda: f"{self.expr(d, 'float')}|abs", lambda: f"-{self.expr(d, 'float')}",
        ])()

    def str(self, depth):
        if depth <= 0:
            return self.pick("name", "text", quote(self.rng.choice(WORDS)), quote(self.rng.choice(WORDS)))
        d = depth - 1
        s = lambda: self.expr(d, "str")
        i = lambda: self.pick(0, 1, 2, 3, 5, -1, -2, 10, 20)
        return self.rng.choice([
            lambda: self.str(0), lambda: f"{s()} ~ {self.expr(d)} ~ {self.expr(0)}", lambda: f"{s()} + {s()}", lambda: f"{s()} * {i()}",
            lambda: f"{s()}[{i()}]", lambda: f"{s()}[{self.pick('', i())}:{self.pick('', i())}{self.pick('', ':', ':2', ':-1', ':-2')}]",
            lambda: f"{s()}|{self.pick('upper', 'lower', 'title', 'capitalize', 'trim', 'string', 'e', 'escape', 'forceescape', 'striptags', 'safe', 'urlencode', 'reverse')}",
            lambda: f"{self.expr(d)}|{self.pick('string', 'e', 'upper', 'lower', 'trim', 'urlencode', 'striptags', 'title', 'capitalize')}",
            lambda: f"{s()}|trim({s()})", lambda: f"{s()}|replace({s()}, {s()}{self.pick('', ', 1', ', count=2', ', 0')})",
            lambda: f"{s()}|center({i()})", lambda: f"{s()}|indent({self.pick('', 2, quote('> '), '2, true', '2, true, true', 'blank=true', 'first=true')})",
            lambda: f"{s()}|truncate({self.pick('', '5', '5, true', '9, false, ' + quote('!'), '4, true, leeway=0', 'length=6, end=' + quote(''), '6, leeway=1')})",
            lambda: f"{s()}|wordwrap({self.pick('', '5', '10', '4, false', '6, wrapstring=' + quote('|'), '7, true, none, false')})",
            lambda: f"{self.expr(d, 'list')}|join({self.pick('', quote(', '), quote('-'), 'd=' + quote('/'))})",
            lambda: f"{self.expr(d, 'list')}|join({quote(', ')}, attribute={self.pick(quote('name'), quote('age'), '0', quote('tags.0'))})",
            lambda: f"{s()}.join({self.expr(d, 'list')})",
            lambda: f"{s()}.{self.pick('upper', 'lower', 'title', 'capitalize', 'swapcase', 'strip', 'lstrip', 'rstrip', 'casefold')}()",
            lambda: f"{s()}.{self.pick('strip', 'lstrip', 'rstrip', 'removeprefix', 'removesuffix')}({s()})",
            lambda: f"{s()}.replace({s()}, {s()}{self.pick('', ', 1', ', -1')})", lambda: f"{s()}.zfill({i()})", lambda: f"{s()}.expandtabs({self.pick('', 4, 0)})",
            lambda: f"{s()}.{self.pick('ljust', 'rjust', 'center')}({i()}{self.pick('', ', ' + quote('*'))})",
            lambda: f"{self.pick(quote('%s'), quote('%5s|'), quote('%-6s|'), quote('%.2s'), quote('%r'), quote('%%%s'))} % ({self.expr(d)},)",
            lambda: f"{self.pick(quote('%d'), quote('%05d'), quote('%+d'), quote('%x'), quote('%#X'), quote('%o'), quote('% d'), quote('%-6d|'), quote('%.3d'), quote('%s'))} % {self.expr(d, 'int')}",
            lambda: f"{self.pick(quote('%f'), quote('%.2f'), quote('%8.3f'), quote('%e'), quote('%g'), quote('%08.2f'), quote('%G'), quote('%.0f'), quote('%d'))} % {self.expr(d, self.pick('float', 'int'))}",
            lambda: f"{self.pick(quote('%s-%s'), quote('%s %d'), quote('a'), quote('%s'))}|format({self.expr(d)}{self.pick('', ', ' + self.expr(d, 'int'))})",
            lambda: f"{quote('%(a)s+%(b)s')}|format(a={self.expr(d)}, b={self.expr(d)})",
            lambda: f"{self.pick(quote('{}'), quote('{0}-{1}'), quote('{:>6}|'), quote('{!r}'), quote('{{}}{}'), quote('{:<4}|'), quote('{:^7}|'), quote('{:*^9}'))}.format({self.expr(d)}, {self.expr(d)})",
            lambda: f"{self.pick(quote('{:d}'), quote('{:05}'), quote('{:,}'), quote('{:x}'), quote('{:#b}'), quote('{:+}'), quote('{:.2f}'), quote('{:_}'), quote('{:e}'), quote('{:%}'), quote('{:>8}'))}.format({self.expr(d, 'int')})",
            lambda: f"{self.pick(quote('{:.2f}'), quote('{:8.3}'), quote('{:+g}'), quote('{:,}'), quote('{:.1%}'), quote('{}'), quote('{:08.2f}'), quote('{:e}'), quote('{:.3g}'))}.format({self.expr(d, 'float')})",
            lambda: f"{quote('{x[name]}/{y}')}.format(x=users[0], y={self.expr(d)})",
            lambda: f"{self.expr(d)}|tojson{self.pick('', '', '(2)', '(indent=1)')}", lambda: f"{self.expr(d, self.pick('int', 'float'))}|filesizeformat{self.pick('', '(true)')}",
            lambda: f"{self.expr(d, 'dict')}|{self.pick('xmlattr', 'urlencode', 'xmlattr(false)')}",
        ])()

    def list(self, depth):
        if depth <= 0:
            return self.pick("items", "words", "mixed", "users", "[]", "[1, 2, 3]", "range(4)", "('a', 'b')", "nested.list")
        d = depth - 1
        l = lambda: self.expr(d, "list")
        attribute = lambda: self.pick(quote("name"), quote("age"), quote("home"), quote("tags.0"), quote("x"))
        return self.rng.choice([
            lambda: self.list(0), lambda: "[" + ", ".join(self.expr(d) for _ in range(self.rng.randrange(4))) + self.pick("]", "]"),
            lambda: "(" + "".join(self.expr(d) + ", " for _ in range(self.rng.randrange(3))) + ")",
            lambda: f"{l()} + {l()}", lambda: f"{l()} * {self.pick(0, 1, 2)}", lambda: f"{l()}[{self.pick('', 1, -2)}:{self.pick('', 2, -1)}{self.pick('', ':2', ':-1')}]",
            lambda: f"{l()}|sort{self.pick('', '(true)', '(reverse=true)', '(case_sensitive=true)', '(attribute=' + attribute() + ')', '(attribute=' + quote('age,name') + ')')}",
            lambda: f"{l()}|unique{self.pick('', '(true)', '(attribute=' + attribute() + ')')}|list", lambda: f"{l()}|reverse|list", lambda: f"{self.expr(d)}|list",
            lambda: f"{l()}|map({self.pick(quote('string'), quote('upper'), quote('int'), quote('length'), quote('default') + ', 1', 'attribute=' + attribute(), 'attribute=' + attribute() + ', default=' + quote('?'), quote('replace') + ', ' + quote('a') + ', ' + quote('b'))})|list",
            lambda: f"{l()}|{self.pick('select', 'reject')}({self.pick('', quote('odd'), quote('string'), quote('number'), quote('gt') + ', 2', quote('none'), quote('in') + ', [1, 2]', quote('divisibleby') + ', 2', quote('mapping'))})|list",
            lambda: f"{l()}|{self.pick('selectattr', 'rejectattr')}({attribute()}{self.pick('', ', ' + quote('defined'), ', ' + quote('==') + ', ' + quote('bob'), ', ' + quote('gt') + ', 21')})|list",
            lambda: f"{l()}|batch({self.pick('2', '3, ' + quote('x'), '2, fill_with=none')})|list", lambda: f"{l()}|slice({self.pick('2', '3, ' + quote('x'))})|list",
            lambda: f"{l()}|groupby({attribute()}{self.pick('', ', default=' + quote('z'), ', case_sensitive=true')})", lambda: f"range({self.expr(d, 'int')} % 7)|list",
            lambda: f"range({self.pick('1, 5', '5, 0, -2', '0, 10, 3', '3')}){self.pick('', '|list', '[1]', '[::2]', '[-1:]')}",
            lambda: f"{self.expr(d, 'dict')}|dictsort{self.pick('', '(true)', '(by=' + quote('value') + ')', '(reverse=true)')}", lambda: f"{self.expr(d, 'dict')}|items|list",
            lambda: f"{self.expr(d, 'dict')}.{self.pick('keys', 'values', 'items')}(){self.pick('', '|list')}",
            lambda: f"{self.expr(d, 'str')}.{self.pick('split', 'rsplit')}({self.pick('', quote(','), quote(' '), quote(',') + ', 1', 'none, 1', 'sep=' + quote('a'), 'maxsplit=1')})",
            lambda: f"{self.expr(d, 'str')}.splitlines({self.pick('', 'true')})", lambda: f"{self.expr(d, 'str')}.{self.pick('partition', 'rpartition')}({self.expr(d, 'str')})",
        ])()

    def dict(self, depth):
        if depth <= 0:
            return self.pick("conf", "nested", "{}", "{'a': 1, 'b': 'x'}", "users[0]", "nested.one")
        d = depth - 1
        return self.rng.choice([
            lambda: self.dict(0), lambda: "{" + ", ".join(f"{self.expr(d, self.pick('str', 'str', 'int'))}: {self.expr(d)}" for _ in range(self.rng.randrange(4))) + "}",
            lambda: f"dict(a={self.expr(d)}, **{self.expr(d, 'dict')})", lambda: f"dict({self.expr(d, 'dict')}, k={self.expr(d)})", lambda: f"dict({self.expr(d, 'list')})",
            lambda: f"{self.expr(d, 'dict')}.copy()",
        ])()

    def bool(self, depth):
        if depth <= 0:
            return self.pick("flag", "off", "true", "false", "True", "none")
        d = depth - 1
        e = lambda kind=None: self.expr(d, kind)
        same = self.pick("int", "float", "str", "list")
        return self.rng.choice([
            lambda: self.bool(0), lambda: f"{e(same)} {self.pick('==', '!=', '<', '<=', '>', '>=')} {e(same)}", lambda: f"{e()} {self.pick('==', '!=')} {e()}",
            lambda: f"{e('int')} < {e('int')} {self.pick('<=', '==', '!=')} {e('int')}", lambda: f"not {e()}", lambda: f"{e('bool')} {self.pick('and', 'or')} not {e('bool')}",
            lambda: f"{e()} {self.pick('in', 'not in')} {e(self.pick('list', 'dict'))}", lambda: f"{e('str')} {self.pick('in', 'not in')} {e('str')}",
            lambda: f"{e()} is {self.pick('', 'not ')}{self.pick('defined', 'undefined', 'none', 'boolean', 'true', 'false', 'integer', 'float', 'number', 'string', 'mapping', 'iterable', 'sequence', 'lower', 'upper', 'escaped', 'callable')}",
            lambda: f"{e('int')} is {self.pick('odd', 'even', 'divisibleby 3', 'divisibleby(2)')}", lambda: f"{e()} is {self.pick('eq', 'ne', 'sameas', 'equalto', '==')} {self.pick('1', 'none', quote('a'), 'true')}",
            lambda: f"{e('int')} is {self.pick('gt', 'lt', 'ge', 'le')}({e('int')})", lambda: f"{e()} is in {self.list(0)}", lambda: f"{quote(self.pick('upper', 'nope', 'd'))} is filter", lambda: f"{quote(self.pick('odd', 'nope'))} is test",
            lambda: f"{e('str')}.{self.pick('startswith', 'endswith')}({self.pick(e('str'), '(' + quote('a') + ', ' + quote('b') + ')')})",
            lambda: f"{e('str')}.{self.pick('isdigit', 'isalpha', 'isalnum', 'isspace', 'isupper', 'islower', 'istitle', 'isascii', 'isidentifier', 'isprintable')}()",
        ])()

    # Statements

    def open(self):
        return "{%" + self.rng.choice(["", "", "", "-", "+"])

    def close(self):
        return self.rng.choice(["", "", "", "-", "+"]) + "%}" + self.rng.choice(["", "\n", "\n", "\n\n", " "])

    def tag(self, body):
        return f"{self.open()} {body} {self.close()}"

    def text(self):
        return self.pick("", "x", " y ", "\n", "  \n", "key: ", "- ", "\r\n", "a\nb\n", "é", "{ }", "#", "% ", "}}", "\t")

    def output(self, depth):
        body = self.expr(depth)
        space = self.pick(" ", " ", "\n ")
        return "{{" + self.pick("", "", "-", "+") + space + body + space + self.pick("", "", "-") + "}}" + self.pick("", "\n")

    def body(self, depth):
        saved = list(self.locals)
        result = "".join(self.statement(depth) for _ in range(self.rng.randrange(1, 4)))
        self.locals = saved
        return result

    def loop_use(self):
        return "{{ loop." + self.pick("index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem", "nextitem", "cycle('a', 'b')", "changed(item)", "depth") + " }}"

    def statement(self, depth):
        rng = self.rng
        if depth <= 0:
            return self.text() + self.output(1)
        d = depth - 1
        kind = rng.randrange(22)
        if kind < 4:
            return self.text()
        if kind < 9:
            return self.output(rng.randrange(1, 4))
        if kind < 11:
            result = self.tag("if " + self.expr(2, "bool")) + self.body(d)
            for _ in range(rng.randrange(2)):
                result += self.tag("elif " + self.expr(1, "bool")) + self.body(d)
            if rng.random() < 0.5:
                result += self.tag("else") + self.body(d)
            return result + self.tag("endif")
        if kind < 14:
            source = self.expr(2, "list")
            target = self.pick("item", "item", "item", "item, other", "(item, other)", "item,")
            if rng.random() < 0.4:
                source, target = self.expr(1, "dict") + self.pick(".items()", "|dictsort", "|items", ""), "item, other"
            saved = list(self.locals)
            self.locals += ["item", "other"]
            head = f"for {target} in {source}" + (f" if {self.expr(1, 'bool')}" if rng.random() < 0.25 else "") + self.pick("", "", "", "", " recursive")
            result = self.tag(head) + self.body(d) + (self.loop_use() if rng.random() < 0.6 else "")
            self.locals = saved
            if rng.random() < 0.3:
                result += self.tag("else") + self.body(d)
            return result + self.tag("endfor")
        if kind == 14:
            name = self.pick("v1", "v2", "num", "name")
            self.locals.append(name)
            return self.tag(f"set {name} = {self.expr(3)}")
        if kind == 15:
            self.locals.append("blk")
            return self.tag("set blk" + self.pick("", "|upper", "|trim|replace('a', 'b')")) + self.body(d) + self.tag("endset")
        if kind == 16:
            saved = list(self.locals)
            result = self.tag(f"with w = {self.expr(2)}, num = {self.expr(1)}")
            self.locals.append("w")
            result += self.body(d) + self.tag("endwith")
            self.locals = saved
            return result
        if kind == 17:
            return self.tag("filter " + self.pick("upper", "trim", "indent(2)", "replace('a', 'b')|title", "e")) + self.body(d) + self.tag("endfilter")
        if kind == 18:
            action = self.pick("append(1)", "extend([1, 2])", "insert(0, 'z')", "pop()", "pop(0)", "reverse()", "sort()", "remove(1)", "clear()")
            other = self.pick("conf.update({'new': 1})", "conf.pop('b', none)", "conf.setdefault('q', [])", "conf.clear()", "conf.update(k=2)", "items." + action, "words." + action)
            return self.tag("do " + other) + "{{ " + self.pick("items", "words", "conf") + " }}"
        if kind == 19:
            return self.pick("{# a {{ comment }} #}", "{#- strip -#}", "{#+ keep +#}\n", "{# nl #}\n", "{% raw %} {{ x }} {% y %}{% endraw %}", "{%- raw -%} r {%- endraw -%} ", "{% raw %}\nq\n{% endraw +%}\n", "{% print 1, 'a' %}")
        if kind == 20:
            name = self.pick("m1", "m2")
            saved = list(self.locals)
            self.locals = saved + ["a", "b"]
            result = self.tag(f"macro {name}(a, b={self.expr(1)})") + self.body(d) + self.pick("", "{{ varargs }}", "{{ kwargs }}", "{{ caller() }}", "{{ caller is defined }}", "{{ a }}{{ b }}") + self.tag("endmacro")
            self.locals = saved
            use = lambda: f"{name}({self.pick('', self.expr(1), self.expr(1) + ', ' + self.expr(1), 'b=2', 'a=1, c=3', '1, 2, 3', '*items')})"
            if rng.random() < 0.4:
                return result + self.tag("call " + use()) + self.body(d) + self.tag("endcall")
            return result + "{{ " + use() + " }}"
        self.locals.append("ns")
        return self.tag("set ns = namespace(x=0, y=[])") + self.tag("for item in items") + self.tag(f"set ns.x = ns.x + {self.pick('1', 'item', 'loop.index')}") + self.tag("endfor") + "{{ ns.x }}{{ ns.z }}"


INSTANCE = "__instance_data__"  # Marks variables that are instance data, to be made variables of first.


def instance_case(rng):
    """Instance data with keys that meet, and a template that shows what becomes of them."""
    keys = ["v1", "v2", "v10", "ds", "region", "zone", "a-b", "a_b", "k.v", "k_v", "x//y", "x**y", "p==q!", "merged_cfg", "V1", "v1x", "[0]"]

    def value(depth):
        if depth and rng.random() < 0.6:
            return {rng.choice(keys): value(depth - 1) for _ in range(rng.randrange(5))}
        return rng.choice([1, "aGk=", "dGV4dA==", None, True, [1, {"a-b": 2}], "w"])

    data = {key: value(2) for key in rng.sample(keys, rng.randrange(1, 9))}
    values = dict(data)
    values.update({f"{key}/{name}": item for key, inner in data.items() if isinstance(inner, dict) for name, item in inner.items()})
    texts = [path for path, item in values.items() if item in ("aGk=", "dGV4dA==")]
    if texts:
        data["base64-encoded-keys"] = rng.sample(texts, rng.randrange(1, len(texts) + 1))
    names = {re.sub(r"//|\*\*|==|!=|[-+/*%~\[\](){}><=.:|,;]", "_", key) for key in keys}
    data[INSTANCE] = True
    return ["{{ " + name + " }}\n" for name in sorted(names) if name.isidentifier()] + ["{{ base64_encoded_keys }}"], data


def make_case(seed):
    generator = Generator(random.Random(seed))
    if generator.rng.random() < 0.05:
        return instance_case(generator.rng)
    data = generator.data()
    pieces = []
    for _ in range(generator.rng.randrange(1, 5)):
        # What fails ends a template, so most pieces should not.
        for _ in range(6):
            piece = generator.statement(3)
            if generator.rng.random() < 0.1 or reference("".join(pieces) + piece, copy(data))[0] == "text":
                pieces.append(piece)
                break
    return pieces + [generator.pick("", "\n", "end\n", "\r\n")], data


def reference(template, data):
    try:
        if data.pop(INSTANCE, False):
            data = jinja_template.convert_jinja_instance_data(data, decode_paths=data.get("base64-encoded-keys", []), include_key_aliases=True)
        return "text", templater.render_string("## template: jinja\n" + template, data)
    except RecursionError:
        return "skip", ""
    except Exception as error:  # pylint: disable=broad-except
        return "error", f"{type(error).__name__}: {error}"


def ours(program, cases):
    lines = "".join(json.dumps([text, {key: value for key, value in data.items() if key != INSTANCE}] + [True] * (INSTANCE in data)) + "\n" for text, data in cases)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    if done.returncode != 0:
        answers.append(["crash", f"status {done.returncode}: {done.stderr}"])
    return answers + [["crash", "no answer"]] * (len(cases) - len(answers))


ADDRESS = re.compile(r" at 0x[0-9a-f]+|<built-in|<class |<bound method|<function|_iterator object|<generator|&lt;(generator|built-in|bound|class|list_rev)|<Generator|<Built", re.I)


def difference(theirs, mine, skipped):
    if theirs[0] == "skip" or mine[0] == "error" and theirs[0] == "error" or list(theirs) == list(mine):
        return False
    if theirs[0] == "text" and ADDRESS.search(theirs[1]):
        skipped["an address"] = skipped.get("an address", 0) + 1
        return False
    if mine[0] == "error":
        for reason in ("jinja.unsupported", "does not fit in 64 bits", "limit.", "cannot be sliced"):
            if reason in mine[1]:
                skipped[reason] = skipped.get(reason, 0) + 1
                return False
    return True


def copy(data):
    return json.loads(json.dumps(data))


def shrink(program, pieces, data):
    """Leaves characters out, in ever smaller runs, while the two sides differ."""
    text = "".join(pieces)
    size = max(1, len(text) // 2)
    tries = 0
    while size >= 1 and tries < 60:
        candidates = [text[:at] + text[at + size:] for at in range(0, len(text), size)]
        answers = ours(program, [[candidate, data] for candidate in candidates])
        tries += 1
        for candidate, mine in zip(candidates, answers):
            if difference(reference(candidate, copy(data)), mine, {}):
                text = candidate
                break
        else:
            size //= 2
    return text


def main():
    warnings.simplefilter("ignore")  # Python's, about the code that Jinja makes.
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--max-reports", type=int, default=10)
    options = parser.parse_args()
    found = failed = 0
    skipped = {}
    for begin in range(options.seed, options.seed + options.count, 500):
        seeds = range(begin, min(begin + 500, options.seed + options.count))
        cases = [make_case(seed) for seed in seeds]
        answers = ours(options.program, [["".join(pieces), data] for pieces, data in cases])
        for seed, (pieces, data), mine in zip(seeds, cases, answers):
            theirs = reference("".join(pieces), copy(data))
            failed += theirs[0] == "error"
            if not difference(theirs, mine, skipped):
                continue
            found += 1
            if found > options.max_reports:
                continue
            small = shrink(options.program, pieces, data)
            used = data if INSTANCE in data else {key: value for key, value in data.items() if key in small}
            print(f"seed {seed}: {small!r} with {json.dumps(used, ensure_ascii=False)}")
            print("  reference:", reference(small, copy(data)))
            print("  strata:   ", ours(options.program, [[small, data]])[0])
    print(f"{options.count} templates from seed {options.seed}: {found} differences, {failed} failed on both sides or differ; left out: {skipped}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
