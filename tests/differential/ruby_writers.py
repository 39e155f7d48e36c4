#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Values as strata writes them in Ruby's and Puppet's forms, compared byte for byte with what Ruby, Psych and Puppet write.

usage: ruby_writers.py WRITE_RUBY [--seed N] [--count N] [--short] [--classes]
       random values; or all short texts of tricky characters; or every code point

Exit status 1, with the value and both sides, at the first difference.
"""
import argparse
import base64
import itertools
import json
import math
import random
import re
import shutil
import subprocess
import sys

# What Puppet's console does with a value, in one process for all values. A dump that dies within Psych is reported as such.
REFERENCE = r"""
require 'puppet'
require 'puppet/network/format_handler'
require 'puppet/network/formats'
Encoding.default_external = Encoding::UTF_8
STDOUT.binmode

def value(node)
  kind, data = node
  case kind
  when 'null' then nil
  when 'bool' then data
  when 'int' then Integer(data)
  when 'float'
    { 'inf' => Float::INFINITY, '-inf' => -Float::INFINITY, 'nan' => Float::NAN }[data] || Float(data)
  when 'text' then data.unpack1('m0').force_encoding('UTF-8')
  when 'binary' then data.unpack1('m0')
  when 'sequence' then data.map { |item| value(item) }
  else data.each_with_object({}) { |(k, v), hash| hash[value(k)] = value(v) }
  end
end

def line(text)
  text.end_with?("\n") ? text : text + "\n"
end

def form
  [yield].pack('m0')
rescue JSON::GeneratorError, JSON::NestingError => e
  ['error ' + e.class.name].pack('m0')
rescue ArgumentError, NoMethodError => e
  ['died ' + e.message].pack('m0')
end

explainer = Puppet::Pops::Lookup::ExplainTreeNode.new(nil)
formats = %i[s json yaml].to_h { |name| [name, Puppet::Network::FormatHandler.format(name)] }
STDIN.each_line do |text|
  v = value(JSON.parse(text, max_nesting: false))
  out = {
    'inspect' => form { v.inspect }, 'to_s' => form { v.to_s }, 'dump' => form { io = +''; explainer.dump_value(io, '   ', v); io },
    's' => form { line(formats[:s].render(v)) }, 'json' => form { line(formats[:json].render(v)) }, 'yaml' => form { line(formats[:yaml].render(v)) }
  }
  STDOUT.puts(JSON.generate(out))
end
"""

WORDS = ["null", "NULL", "Null", "nULl", "~", "yes", "Yes", "no", "NO", "on", "off", "oFf", "true", "True", "false", "FALSE", "y", "n", "Y", "N", "nil",
         "ye\u017f", "fal\u017fe", "o\ufb00", "false\n", "fal\u017fe\n", "null\n", "<<", "=", "", " ", "-", "--", "---", "...", "--- a", "... b", "!", "!a", "&", "&a", "*", "*a", "?", "? a", ":",
         ": ", ":a", ":\"a\"", ":'", "a:", "a: b", "a :b", "a#b", "a #b", "#", "#a", "%", "%a", "%{x}", "@", "@a", "`", "|", ">", "[", "]", "{", "}", ",",
         "[]", "{}", "'", "''", "\"", "\"\"", "a'b", "a\"b", "- a", "-a", "\\", "\\n", ".", "+", "+.", "-.", ".inf", "-.inf", "+.INF", ".nan", ".NaN",
         ".5", "5.", "0", "-0", "+1", "00", "08", "09x", "0079", "0o7", "0b1", "0b_", "0x", "0x_", "0xfF", "1,000", "1,,0", "1__0", "1_", "_1", "1_000.5",
         "1e3", "1.0e3", "1.0e+3", "1.e-3", "1.5E+3", "1:30", "1:60", "12:30:45", "12:30:45.5", "1:2:3:4", "12:3_0", "2024-01-02", "2024-1-2", "2024-02-30",
         "1582-10-10", "1500-02-29", "1900-02-29", "2000-02-29", "0000-01-01", "2024-13-01", "2024-01-02 03:04:05", "2024-01-02T03:04:05Z",
         "2024-01-02 03:04:05.", "2024-01-02 24:00:00", "2024-01-02 24:00:01", "2024-01-02 03:04:60", "2024-01-02 03:04:60.5", "2024-01-02\t03:04:05",
         "2024-01-02  03:04:05 +1", "1.2.3", "1.2.3.4", "v1.2", "\u00e9", "\u65e5\u672c", "\U0001f600", "a\U0001f600", "\u2028", "a\u2028b", "\u0085", "\ufeff",
         "a\ufeff", "\u00a0", "\ud7ff", "\ue000", "\ufffd", "\ufffe", "\u0300", "\u0660", "\u203f", "\u200b", "\x00", "\x01", "\x07", "\x08", "\x0b", "\x0c",
         "\r", "\r\n", "\x1b", "\x7f", "\t", "\n", "#{", "#$", "#@", "#$a", "\\#{x}", "secret", "hello", "the quick brown fox", "a" * 90, "C:\\dir\\file",
         "http://a.b/c?d=e#f", "ENC[PKCS7,AAAA]", "12345678901234567890", "-12"]
SMALL = list("abyn~019:.,_+-eExbTZt'\"#{}[]!&*%@`|>?\\/ ") + ["\n", "\n", "\t", " ", " ", "\r", "\u00e9", "\u2028", "\U0001f600", "\ufeff", "\x07", "\x85"]
NUMBERS = list("0123456789012345678900..,_::+-eEbxo")


class Values:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, choices):
        return self.random.choice(choices)

    def below(self, n):
        return self.random.randrange(n)

    def point(self):
        while True:
            c = self.below(self.pick([0x80, 0x100, 0x800, 0x3000, 0x10000, 0x20000, 0x110000]))
            if not 0xD800 <= c < 0xE000:
                return chr(c)

    def time(self):
        n = self.below
        day = f"{self.pick([2024, 1999, 1582, 1500, 0, 1900, 9999]):04}-{self.pick([n(14), f'{n(14):02}'])}-{self.pick([n(34), f'{n(34):02}'])}"
        if n(3) == 0:
            return day
        clock = f"{self.pick([n(26), f'{n(26):02}'])}:{n(62):02}:{n(63):02}" + self.pick(["", "", ".", ".5", ".123456789"])
        zone = self.pick(["", "", "Z", "+1", "-01", "+0530", "+530", "+05:30", "-23:59", "+24:00", "+2360", "+23:60", "+05:", "-00:30", "z", "+1:3", "+99"])
        return day + self.pick(["T", "t", " ", "  ", "T "]) + clock + self.pick(["", " ", "  ", "\t"]) + zone

    def text(self):
        choice = self.below(14)
        if choice < 3:
            return self.pick(WORDS)
        if choice == 3:
            return "".join(self.pick(SMALL) for _ in range(self.below(6)))
        if choice == 4:
            return "".join(self.pick(NUMBERS) for _ in range(1 + self.below(8)))
        if choice == 5:
            return self.time()
        if choice == 6:
            return self.pick(WORDS) + self.pick(["", " ", "\n", "\n\n", "\n\n\n", "\t", "\r\n", " #", ":"])
        if choice == 7:
            return "".join(self.point() for _ in range(1 + self.below(4)))
        if choice == 8:
            return self.pick(["\n", " ", "\t", "", "", "  "]).join(self.pick(WORDS) for _ in range(1 + self.below(5)))
        if choice == 9:
            # Long, with places to fold at.
            parts = [self.pick(WORDS) if self.below(12) == 0 else "w" * (1 + self.below(12)) for _ in range(10 + self.below(30))]
            return self.pick([" ", " ", "  ", "\n"]).join(parts) + self.pick(["", "", "\n", " ", "\n\n", "\n "])
        if choice == 10:
            lines = [self.pick(["", " ", "  ", "\t", "#"]) + self.pick(WORDS) + self.pick(["", "", " "]) for _ in range(1 + self.below(5))]
            return self.pick(["", "\n", " "]) + "\n".join(lines) + self.pick(["", "\n", "\n\n", "\n \n"])
        if choice == 11:
            return "".join(self.pick(SMALL + WORDS) for _ in range(self.below(30)))
        if choice == 12:
            return self.pick(["\u00e9", "\u65e5", "\U0001f600", "a", "a b", "'", "\"", "\\"]) * self.below(130)
        return self.pick(["0x", "0b", "0", "", "-", "+"]) + "".join(self.pick("0123456789abcdef_,.") for _ in range(self.below(6)))

    def encoded(self, text):
        return ["text", base64.b64encode(text.encode()).decode()]

    def floating(self):
        if self.below(4) == 0:
            return self.pick([0.0, -0.0, 1.0, 1e15, 1e16, 1e-4, 1e-5, 9999999999999998.0, 123456789012345.6, 5e-324, 1.7976931348623157e308,
                              0.1, 1 / 3, 1e100, 1e22, 1e23, 2.5, math.inf, -math.inf, math.nan])
        number = math.ldexp(self.random.uniform(-1, 1), self.pick([0, 1, 10, 50, 54, 60, -14, -13, -100, 900, self.below(2000) - 1000]))
        return self.pick([number, float(round(number)) if abs(number) < 1e18 else number, round(number, 3)])

    def number(self, key=False):
        if self.below(2) == 0:
            return ["int", str(self.pick([self.below(10), -self.below(1000), self.random.getrandbits(62), self.random.getrandbits(90), -(1 << 63), 1 << 63]))]
        while True:
            number = self.floating()
            if not key or (number == number and number != 0):
                return ["float", number.hex()]

    def binary(self, key=False):
        while True:
            data = self.pick([self.text().encode(), bytes(self.below(256) for _ in range(self.below(80))), b"\xff", b"", b"abc"])
            if not key or not data.isascii():
                return ["binary", base64.b64encode(data).decode()]

    def scalar(self, key=False):
        choice = self.below(20)
        if choice == 0:
            return self.binary(key)
        if choice < 3:
            return self.number(key)
        if choice == 3:
            return self.pick([["null"], ["bool", True], ["bool", False]])
        return self.encoded(self.text())

    def key(self, depth):
        if depth > 0 and self.below(25) == 0:
            # Members of a key that is a container have the limits of keys.
            return self.pick([["sequence", [self.scalar(True) for _ in range(self.below(3))]], ["mapping", []]])
        return self.scalar(True)

    def value(self, depth=4):
        choice = self.below(10)
        if depth == 0 or choice < 4:
            return self.scalar()
        if choice < 7:
            return ["mapping", [[self.key(depth - 1), self.value(depth - 1)] for _ in range(self.below(5))]]
        return ["sequence", [self.value(depth - 1) for _ in range(self.below(5))]]


def code_points():
    """Every code point alone and before a letter, many to a value."""
    points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    encoded = Values(0).encoded
    for i in range(0, len(points), 256):
        yield ["sequence", [encoded(text) for c in points[i:i + 256] for text in (chr(c), chr(c) + "a")]]


def short_texts():
    """All texts of up to three characters, as items, keys and values, many to a value."""
    encoded = Values(0).encoded
    alphabet = sorted(set(SMALL))
    texts = ["".join(t) for length in range(4) for t in itertools.product(alphabet, repeat=length)]
    texts = [text for text in texts if not re.fullmatch("[-+]?0[bx][_,]+", text)]  # Psych dies of them.
    for text in texts[:1 + len(alphabet)]:
        yield encoded(text)
    for i in range(0, len(texts), 200):
        some = [encoded(text) for text in texts[i:i + 200]]
        yield ["sequence", some]
        yield ["mapping", [[text, text] for text in some]]


def bytes_of(form):
    return base64.b64decode(form)


def same(name, ours, theirs):
    if theirs.startswith(b"died "):
        # Psych fails on a few texts such as 0b_ (docs/hiera/fidelity.md).
        return name == "yaml" and not ours.startswith(b"error")
    if theirs.startswith(b"error "):
        return ours in (b"error json.not-finite", b"error json.not-utf8")
    return ours == theirs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--classes", action="store_true")
    options = parser.parse_args()
    if shutil.which("ruby") is None or shutil.which("puppet") is None:
        print("ruby or puppet is not installed")
        return 1
    if options.classes or options.short:
        cases = list(code_points() if options.classes else short_texts())
    else:
        cases = [Values(options.seed + i).value(i % 5) for i in range(options.count)]
    text = "".join(json.dumps(case) + "\n" for case in cases).encode()
    ours = subprocess.run([options.program], input=text, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    theirs = subprocess.run(["ruby", "-e", REFERENCE], input=text, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    if not len(ours) == len(theirs) == len(cases):
        print(f"{len(cases)} values, {len(ours)} of ours, {len(theirs)} of theirs")
        return 1
    died = 0
    for number, (case, left, right) in enumerate(zip(cases, ours, theirs)):
        left, right = json.loads(left), json.loads(right)
        died += bytes_of(right["yaml"]).startswith(b"died ")
        for name in right:
            if not same(name, bytes_of(left[name]), bytes_of(right[name])):
                print(f"seed {options.seed + number}, {name}: {json.dumps(case)[:2000]}")
                a, b = bytes_of(left[name]), bytes_of(right[name])
                at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                print(f"  at byte {at}\n  ours   {a[max(0, at - 200):at + 200]!r}\n  theirs {b[max(0, at - 200):at + 200]!r}")
                return 1
    print(f"{len(cases)} values clean, {died} of which Psych cannot dump")
    return 0


sys.exit(main())
