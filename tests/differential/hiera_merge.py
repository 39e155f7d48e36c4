#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Folds random values under random merge behaviours with strata and with Puppet, and compares results and errors.

usage: hiera_merge.py MERGE_HIERA --seed N --count N

Needs ruby with puppet and deep_merge. (MERGE_HIERA is merge_hiera.cpp.)
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile

RUBY = r"""
require 'json'
require 'date'
require 'puppet'
def value(j)
  case j[0]
  when 'null' then nil
  when 'bool' then j[1]
  when 'int' then j[1].to_i
  when 'float' then j[1].to_f
  when 'text' then j[1].dup
  when 'date' then Date.new(2024, 2, 1)
  when 'list' then j[1].map { |i| value(i) }
  when 'hash' then j[1].each_with_object({}) { |(k, v), h| h[value(k)] = value(v) }
  end
end
def json(v)
  case v
  when nil then ['null', '']
  when true, false then ['bool', v]
  when Integer then ['int', v.to_s]
  when Float then ['float', format('%.17g', v)]
  when String then ['text', v]
  when Date then ['date', '']
  when Array then ['list', v.map { |i| json(i) }]
  when Hash then ['hash', v.map { |k, w| [json(k), json(w)] }]
  end
end
ERRORS = { 'DeepMerge::InvalidParameter' => 'hiera.knockout-prefix', 'RegexpError' => 'hiera.knockout-prefix' }
STDIN.each_line do |line|
  c = JSON.parse(line)
  code = 'hiera.merge-options'
  begin
    strategy = Puppet::Pops::MergeStrategy.strategy(value(c['merge']))
    code = 'merge.kind-mismatch'
    values = c['values'].map { |v| value(v) }
    if strategy.class.key.to_s == 'first' || strategy.class.key.to_s == 'default'
      result = values[0]
    elsif c['single']
      result = strategy.merge_single(values[0])
    else
      result = strategy.convert_value(values[0])
      values[1..-1].each { |v| result = strategy.merge(result, v) }
    end
    puts JSON.generate(['value', json(result)])
  rescue StandardError => e
    code = ERRORS[e.class.name] || (e.message =~ /comparison of/ ? 'merge.unsortable' : code)
    puts JSON.generate(['error', code])
  end
end
"""

TEXTS = ["a", "b", "c", "x", "y", "--a", "--b", "--c", "--x", "--", "----a", "----", "-", "", "a\n--b", "a\nb", "--a\n--b", "1", "--1", "ab", "aa"]
KEYS = ["a", "b", "c", "m", "n", "--a", "--"]
PREFIXES = ["--", "--", "--", "--", "-", "a", "~", "----", "--\n", "", ".", "[ab]", "a|b", "-+", "x*", "\\d", "--?", "(a)", "a{2}", "[", "("]


class Cases:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sorts = False

    def chance(self, n):
        return self.random.randrange(n) == 0

    def scalar(self):
        kind = self.random.randrange(24)
        if kind < 12:
            return ["text", self.random.choice(TEXTS)]
        if kind < 16:
            return ["int", str(self.random.choice([0, 1, 2, 3, -3, 10, 2**70]))]
        if kind < 18:
            # Ruby's sort is not stable: no two numbers that are equal and yet differ.
            return ["float", self.random.choice(["0.5", "2.5", "-3.5"] if self.sorts else ["0.5", "1.0", "2.0", "0.0", "-3.5"])]
        if kind < 20:
            return ["bool", self.chance(2)]
        if kind < 23:
            return ["null", ""]
        # Ruby orders dates among numbers; no data source gives dates.
        return ["date", ""] if not self.sorts and self.chance(6) else ["text", "a"]

    def key(self):
        if self.chance(40):
            return ["int", "1"]
        return ["text", self.random.choice(KEYS)]

    def hash(self, depth):
        keys = []
        for _ in range(self.random.randrange(5)):
            key = self.key()
            if key not in keys:
                keys.append(key)
        return ["hash", [[key, self.value(depth - 1)] for key in keys]]

    def list(self, depth):
        size = self.random.randrange(7) if not self.chance(20) else self.random.randrange(30)
        # Lists of one kind make merging by index and sorting happen.
        kind = self.random.randrange(6)
        if kind < 2 and depth > 0:
            return ["list", [self.hash(depth - 1) for _ in range(min(size, 4))]]
        if kind == 2:
            return ["list", [["text", self.random.choice(TEXTS)] for _ in range(size)]]
        if kind == 3:
            return ["list", [["int", str(self.random.choice([1, 2, 3, -3, 10, 2**70]))] for _ in range(size)]]
        return ["list", [self.value(depth - 1) for _ in range(size)]]

    def value(self, depth):
        kind = self.random.randrange(10)
        if depth <= 0 or kind < 3:
            return self.scalar()
        return self.hash(depth) if kind < 7 else self.list(depth)

    def options(self):
        kind = self.random.randrange(20)
        if kind < 4:
            return ["text", self.random.choice(["first", "unique", "unique", "unique", "hash", "hash", "hash", "deep", "reverse_deep", "unconstrained_deep", "nope", ""])]
        entries = [["strategy", ["text", self.random.choice(["deep"] * 30 + ["reverse_deep", "unconstrained_deep", "hash", "unique", "first", "bad"])]]]
        if self.chance(80):
            entries = []
        if not self.chance(3):
            entries.append(["knockout_prefix", ["text", self.random.choice(PREFIXES)]])
        if self.chance(3):
            entries.append(["sort_merged_arrays", ["bool", True]])
            self.sorts = True
        if self.chance(2):
            entries.append(["merge_hash_arrays", ["bool", not self.chance(4)]])
        if self.chance(30):
            entries.append([self.random.choice(["merge_debug", "other", "sort_merged_arrays", "merge_hash_arrays", "knockout_prefix"]),
                            self.random.choice([["null", ""], ["bool", False], ["int", "5"], ["list", []]])])
        merged = {}
        for name, value in entries:
            merged[name] = value
        if merged.get("strategy", ["", ""])[1] in ("reverse_deep", "unconstrained_deep") and merged.get("knockout_prefix", ["text"])[0] not in ("text", "null"):
            del merged["knockout_prefix"]  # The internal strategies take anything; strata takes text.
        if "merge_debug" in merged and merged["merge_debug"][0] not in ("null", "bool") and merged.get("strategy", ["", ""])[1] in ("reverse_deep", "unconstrained_deep"):
            del merged["merge_debug"]  # It would print.
        return ["hash", [[["text", name], value] for name, value in merged.items()]]

    def case(self):
        self.sorts = False
        merge = self.options()
        shape = self.random.randrange(8)
        depth = self.random.choice([1, 2, 3, 4])
        values = []
        for _ in range(self.random.choice([2, 2, 2, 3, 4, 5])):
            if shape < 4:
                values.append(self.hash(depth) if not self.chance(12) else self.value(depth))
            elif shape < 6:
                values.append(self.list(depth) if not self.chance(6) else self.value(depth))
            else:
                values.append(self.value(depth))
        single = self.chance(20)
        return {"merge": merge, "values": values[:1] if single else values, "single": single}


def plain(typed):
    if typed[0] == "hash":
        return "{" + ", ".join(f"{plain(key)}: {plain(value)}" for key, value in typed[1]) + "}"
    if typed[0] == "list":
        return "[" + ", ".join(plain(item) for item in typed[1]) + "]"
    return {"text": repr(typed[1]), "null": "~", "date": "2024-02-01"}.get(typed[0], str(typed[1]))


def run(command, lines):
    with tempfile.TemporaryFile("w+") as file:
        file.write("\n".join(lines) + "\n")
        file.seek(0)
        return subprocess.run(command, stdin=file, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--most", type=int, default=10, help="differences to show")
    options = parser.parse_args()
    cases = Cases(options.seed)
    differences = 0
    errors = 0
    for start in range(0, options.count, 20000):
        made = [cases.case() for _ in range(min(20000, options.count - start))]
        lines = [json.dumps(case) for case in made]
        ours = run([options.program], lines)
        theirs = run(["ruby", "-W0", "-e", RUBY], lines)
        if not len(made) == len(ours) == len(theirs):
            print(f"{len(made)} cases, {len(ours)} answers of strata, {len(theirs)} of Puppet")
            return 1
        for case, our, their in zip(made, map(json.loads, ours), map(json.loads, theirs)):
            errors += their[0] == "error"
            if our == their:
                continue
            # Where several things are wrong, either may be met first.
            if our[0] == their[0] == "error" and {our[1], their[1]} == {"merge.unsortable", "hiera.knockout-prefix"}:
                continue
            differences += 1
            if differences <= options.most:
                show = lambda answer: plain(answer[1]) if answer[0] == "value" else " ".join(answer)
                print(f"merge: {plain(case['merge'])}{' single' if case['single'] else ''}")
                for value in case["values"]:
                    print(f"  {plain(value)}")
                print(f"  strata: {show(our)}\n  Puppet: {show(their)}")
    print(f"seed {options.seed}: {options.count} cases, {errors} of them errors, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
