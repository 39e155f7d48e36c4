#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata set` against plain evaluation: what it proposes is applied by `patch`, and the plain command is asked before and after.

usage: set_properties_test.py STRATA [--count N] [--seed S] [--dialect NAME] [--case N] [--keep]

P18: applied, every selected subject has the value, and those that change besides are exactly `collateral`. P19: no set in one file that is enough ranks
better than proposal 1. P20: the diff applies with `patch -p1` and `git apply`, and gives what `--apply` writes.
"""
import argparse
import copy
import fnmatch
import json
import os
import random
import shutil
import subprocess
import sys
import time

from analysis_properties_test import SCHEMA, Comparer, Failure, Outcome, Program, Wrong, run_case, text_of, token, write
from analysis_sites import DIALECTS as SITES
from analysis_sites import RunEnds

DIALECTS = ("lookup-keys", "lookup", "lookup-one", "lookup-code", "lookup-eyaml", "merge", "compose")
SHORT = 12
SHORT_SECONDS = 12
VALUES = ("12", "x", "true", "null", "1.5", "'7'", "[a, b]", "[]", "{x: 1}", "{}", '"%{role}"', '"a: b"', "{x: {y: [1]}}")
MISSING = object()


def git(folder, *words):
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise Wrong(f"git {words}: {done.stderr.decode()}")


def value_at(value, tokens):
    for name in tokens:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and str(int(name)) == name and int(name) < len(value):
            value = value[int(name)]
        else:
            return MISSING
    return value


def without(value, tokens):
    """A value without a place, and without mappings that hold nothing else."""
    if not tokens:
        return MISSING
    if isinstance(value, dict):
        value = dict(value)
        if tokens[0] in value:
            rest = without(value[tokens[0]], tokens[1:])
            if rest is MISSING:
                del value[tokens[0]]
            else:
                value[tokens[0]] = rest
        if not value:
            return MISSING
    return value


class Case:
    def __init__(self, options, dialect, number, base):
        self.rng = random.Random(f"set {options.seed} {dialect} {number}")
        self.program = Program(options.strata, base)
        self.name = dialect
        self.site = SITES[dialect](self.rng, self.program)
        self.live = base / "live"
        self.files = dict(self.site.files)
        self.trace = []

    def run(self, words):
        self.trace.append(" ".join(words))
        return self.program.run(self.live, words)

    def outcomes(self, files):
        return {subject: Outcome(self.site, self.program, files, subject) for subject in self.site.subjects(files, self.program)}

    # The place

    def choose(self, outcomes):
        """KEY, the steps below it and VALUE."""
        found = [(name, item[0]) for outcome in outcomes.values() for name, item in outcome.items.items() if not isinstance(item, Failure)]
        key, steps, value = self.rng.choice(getattr(self.site, "root_keys", None) or getattr(self.site, "keys", ("parameters", "parameter_defaults"))), [], None
        if found and self.rng.random() < 0.8:
            key, value = self.rng.choice(found)
        if key == "":
            key = self.rng.choice([*map(str, value)] or ["k1"]) if isinstance(value, dict) else "k1"
            value = value.get(key) if isinstance(value, dict) else None
        while isinstance(value, dict) and value and self.rng.random() < (0.9 if self.name == "compose" and not steps else 0.3):
            step = self.rng.choice(sorted(value))
            steps.append(step)
            value = value[step]
        if self.rng.random() < 0.1 and isinstance(value, dict):
            steps.append("new")
        self.key, self.steps = key, steps

    def place(self, outcome):
        if outcome.failure:
            return MISSING
        if "" in outcome.items and self.key not in outcome.items:
            item = outcome.items[""]
            return MISSING if isinstance(item, Failure) else value_at(item[0], [self.key, *self.steps])
        item = outcome.items.get(self.key)
        return MISSING if item is None or isinstance(item, Failure) else value_at(item[0], self.steps)

    def has(self, outcome, value):
        if value is not MISSING:
            found = self.place(outcome)
            return found is not MISSING and text_of(found) == text_of(value)
        if outcome.failure:
            return "not-found" in outcome.failure.code
        return not isinstance(outcome.items.get(self.key), Failure) and self.place(outcome) is MISSING

    def is_side(self, before, after):
        if before.failure or after.failure:
            if before.failure and after.failure:
                return before.failure.key() != after.failure.key()
            return not (before.failure and not self.steps and list(after.items) == [self.key])
        names = list(before.items) + [name for name in after.items if name not in before.items]
        for name in names:
            one, other = before.items.get(name), after.items.get(name)
            if isinstance(one, Failure) or isinstance(other, Failure):
                if isinstance(one, Failure) and isinstance(other, Failure) and one.key() == other.key():
                    continue
                if name != self.key or self.steps:
                    return True
                continue
            steps = self.steps if name == self.key else [self.key, *self.steps] if name == "" else None
            rest = [MISSING if item is None else item[0] if steps is None else without(copy.deepcopy(item[0]), steps) for item in (one, other)]
            if (rest[0] is MISSING) != (rest[1] is MISSING):
                return True
            if rest[0] is not MISSING and text_of(rest[0]) != text_of(rest[1]):
                return True
        return False

    # What is checked

    def judged(self, before, files, selected, value):
        """Missed, collateral and side of files."""
        after = self.outcomes(files)
        missed = [name for name in selected if not self.has(after[name], value)]
        collateral = [name for name in before if name not in selected and Comparer("", self.site.hides).compare(before[name], after[name])]
        side = [name for name in selected if self.is_side(before[name], after[name])]
        return missed, collateral, side

    def restore(self):
        for path in self.live.iterdir() if self.live.exists() else []:
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write(self.live, self.files)

    def now(self):
        return {str(path.relative_to(self.live)): path.read_bytes() for path in self.live.rglob("*") if path.is_file() and ".git" not in path.relative_to(self.live).parts}

    def selectors(self, names):
        kind = self.rng.random()
        if names == [""] or kind < 0.35:
            return [], names
        if kind < 0.6 and self.name.startswith("lookup"):
            role = self.rng.choice(("web", "db", "w*"))
            facts = {node["name"]: node["facts"] for node in json.loads(self.files["nodes.json"])}
            more = self.rng.random() < 0.3
            return ["--for", f"role={role}" + (",os.family=d?b" if more else "")], [
                name for name in names if fnmatch.fnmatchcase(facts[name]["role"], role) and (not more or facts[name]["os"]["family"] == "deb")
            ]
        chosen = self.rng.sample(names, self.rng.randrange(1, min(3, len(names)) + 1))
        return [word for name in chosen for word in ("--for", name)], [name for name in names if name in chosen]

    def check(self):
        write(self.live, self.files)
        git(self.live, "init", "-q")
        git(self.live, "add", "-A", "-f")
        git(self.live, "commit", "-q", "-m", "state")
        try:
            before = self.outcomes(self.files)
        except RunEnds:
            return
        self.choose(before)
        spelling = self.rng.choice(VALUES)
        if spelling == "null" and self.name == "lookup-one":
            spelling = "12"  # The plain result does not tell null from nothing.
        value = {"'7'": "7", '"%{role}"': "%{role}", '"a: b"': "a: b", "x": "x", "[a, b]": ["a", "b"], "{x: 1}": {"x": 1}, "{x: {y: [1]}}": {"x": {"y": [1]}}}.get(spelling, MISSING)
        if value is MISSING:
            value = json.loads(spelling)
        unset = self.rng.random() < 0.15
        target = ["--unset", self.key] if unset else [f"{self.key}={spelling}"]
        if unset:
            value = MISSING
        if self.steps:
            target += ["--path", "".join(map(token, self.steps))]
        words, selected = self.selectors(list(before))
        head = ["set", *target, *words, "--output", "json"]
        question = [*self.site.fleet_options, *self.site.verb]
        status, out, errors = self.run([*head, "--proposals", "5", *question])
        if words and not selected:
            if status != 3 or out or "[set.selector]" not in errors:
                raise Wrong(f"nobody is selected: status {status}\n{out}{errors}")
            return
        if status not in (0, 1):
            raise Wrong(f"status {status}\n{errors}")
        if self.now() != self.files:
            raise Wrong("files changed without --apply")
        told = json.loads(out)
        SCHEMA.validate(told)
        already = [name for name in selected if self.has(before[name], value)]
        if told["selected"] != selected or told["already"] != len(already):
            raise Wrong(f"selected {told['selected']}, already {told['already']}; expected {selected}, {already}")
        if len(already) == len(selected):
            if told["proposals"] or status:
                raise Wrong("there is nothing to do")
            return
        if (status == 1) != (not told["proposals"]) or (status == 1) != ("[set.impossible]" in errors):
            raise Wrong(f"status {status} with {len(told['proposals'])} proposals\n{errors}")
        keys = []
        for proposal in told["proposals"]:
            keys.append(self.check_proposal(before, selected, value, proposal))
        if keys != sorted(keys):
            raise Wrong(f"order {keys}")
        self.check_singles(before, selected, value, spelling, told)
        if told["proposals"]:
            self.check_apply(head, question, told)

    def check_proposal(self, before, selected, value, proposal):
        self.restore()
        patch = proposal["diff"].encode()
        for command in (["git", "apply", "--check", "-"], ["patch", "-p1", "--no-backup-if-mismatch", "--silent", "--fuzz=0"]):
            done = subprocess.run(command, cwd=self.live, input=patch, capture_output=True, check=False)
            if done.returncode:
                raise Wrong(f"{command}: {done.stdout.decode()}{done.stderr.decode()}\n{proposal['diff']}")
        files = self.now()
        changed = sorted(name for name in files if files[name] != self.files.get(name))
        named = sorted(edit["file"] for edit in proposal["edits"])
        if not set(changed) <= set(named) or set(self.files) - set(files):
            raise Wrong(f"changed {changed}, named {named}")
        for edit in proposal["edits"]:
            if edit["new_file"] != (edit["file"] not in self.files):
                raise Wrong(f"new file: {edit}")
        missed, collateral, side = self.judged(before, files, selected, value)
        if missed or collateral != proposal["collateral"] or side != proposal["side"]:
            raise Wrong(f"missed {missed}, collateral {collateral}, side {side}; told {proposal}")
        return len(collateral), len(side), len(named), sum(edit["new_file"] for edit in proposal["edits"])

    def check_singles(self, before, selected, value, spelling, told):
        """P19, for whole keys in files of lines."""
        if self.steps or value is MISSING or self.name not in ("lookup-keys", "merge"):
            return
        refused = {one["file"] for one in told["rejected"] if one["why"].startswith("edit:")}
        best = [(len(one["collateral"]), len(one["side"]), len(one["edits"]), sum(edit["new_file"] for edit in one["edits"])) for one in told["proposals"][:1]]
        for name, text in self.files.items():
            is_data = name.startswith("data/") if self.name == "lookup-keys" else name.endswith(".yaml") or name == "cloud.cfg"
            if not is_data or name.endswith(".json") or name in refused or name in self.site.host:
                continue
            missed, collateral, side = self.judged(before, {**self.files, name: self.site.with_line(text, f"{self.key}: {spelling}")}, selected, value)
            if not missed and (not best or (len(collateral), len(side), 1, 0) < best[0]):
                raise Wrong(f"{name} alone is better: collateral {collateral}, side {side}; told {best}")

    def check_apply(self, head, question, told):
        rank = self.rng.randrange(len(told["proposals"])) + 1
        proposal = told["proposals"][rank - 1]
        expected = self.patched(proposal)
        self.restore()
        word = "--apply" if rank == 1 else f"--apply={rank}"
        if proposal["collateral"]:
            status, _, errors = self.run([*head, word, *question])
            if status != 3 or "[set.collateral]" not in errors or self.now() != self.files:
                raise Wrong(f"collateral is written: {status}\n{errors}")
        status, _, errors = self.run([*head, word, "--allow-collateral", *question])
        if status != 0 or self.now() != expected:
            raise Wrong(f"applied: status {status}\n{errors}")
        status, out, errors = self.run([*head, *question])
        if status != 0 or json.loads(out)["already"] != len(told["selected"]):
            raise Wrong(f"after --apply: {status}\n{out}{errors}")

    def patched(self, proposal):
        self.restore()
        subprocess.run(["patch", "-p1", "--no-backup-if-mismatch", "--silent"], cwd=self.live, input=proposal["diff"].encode(), capture_output=True, check=True)
        return self.now()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--count", type=int, default=0, help="cases of each dialect")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialect", choices=DIALECTS, action="append")
    parser.add_argument("--case", type=int, help="only this one")
    parser.add_argument("--keep", action="store_true", help="leave the folders of failed cases")
    parser.add_argument("--most", type=int, default=5, help="stop after so many failures")
    options = parser.parse_args()
    options.strata = os.path.abspath(options.strata)
    dialects = options.dialect or DIALECTS
    begin = time.monotonic()
    passed, failed = dict.fromkeys(dialects, 0), 0
    for number in [options.case] if options.case is not None else range(options.count or SHORT):
        for dialect in dialects:
            if failed >= options.most or (not options.count and time.monotonic() - begin > SHORT_SECONDS):
                break
            if run_case(options, Case, dialect, number):
                passed[dialect] += 1
            else:
                failed += 1
    for dialect, count in passed.items():
        print(f"{dialect}: {count} passed")
    return 1 if failed or not any(passed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
