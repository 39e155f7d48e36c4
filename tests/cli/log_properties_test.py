#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata log` against plain evaluation: random histories of the sites of every dialect (P21, P22).

usage: log_properties_test.py STRATA [--count N] [--seed S] [--dialect NAME] [--case N]

The model asks the plain command in the files of each commit. Commits that are told are those whose results differ from their parent's, with the changes
that the model finds; states that are asked are at most two for each commit that touches a file of the question.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from analysis_properties_test import SCHEMA, Comparer, Outcome, Program, Wrong, essence, write
from analysis_sites import DIALECTS, RunEnds

SHORT = 2  # Cases of each dialect in a short run, which begins no new one after so many seconds.
SHORT_SECONDS = 10


def git(folder, *words):
    done = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false", *words], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode().strip()


class Case:
    def __init__(self, options, dialect, number, base):
        self.rng = random.Random(f"log {options.seed} {dialect} {number}")
        self.program = Program(options.strata, base)
        self.site = DIALECTS[dialect](self.rng, self.program)
        self.live = base / "live"

    def states(self):
        """The files of each commit. What the host gives is that of today in all of them."""
        out = [dict(self.site.files)]
        while len(out) < 6:
            files = dict(out[-1])
            if self.rng.random() < 0.2:
                files["README"] = str(self.rng.random()).encode()
            else:
                for _ in range(self.rng.choice((1, 1, 2))):
                    self.site.edit(files)
            out.append({**{name: text for name, text in files.items() if name not in self.site.host}, **{name: out[0][name] for name in self.site.host}})
        return out

    def commit(self, files):
        for path in self.live.iterdir() if self.live.exists() else []:
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write(self.live, files)
        if not (self.live / ".git").exists():
            git(self.live, "init", "-q")
        git(self.live, "add", "-A", "-f")
        git(self.live, "commit", "-q", "--allow-empty", "-m", "state")
        return git(self.live, "rev-parse", "HEAD")

    def check(self):
        states = self.states()
        try:
            outcomes = [{subject: Outcome(self.site, self.program, files, subject) for subject in self.site.subjects(files, self.program)} for files in states]
        except RunEnds:
            return 0
        commits = [self.commit(files) for files in states]
        words = ["log", "--output", "json", *self.site.fleet_options, *self.site.verb]
        status, out, errors = self.program.run(self.live, words)
        if status not in (0, 1):
            raise Wrong(f"status {status}\n{errors}")
        told = json.loads(out)
        SCHEMA.validate(told)
        expected = []
        for number in range(len(states) - 1, -1, -1):
            before = outcomes[number - 1] if number else {}
            changes = []
            for subject in [*before, *(name for name in outcomes[number] if name not in before)]:
                found = Comparer("", self.site.hides).compare(before.get(subject), outcomes[number].get(subject))
                changes += [essence({**change, **self.shown(change)}) for change in found]
            if changes or not number:
                expected.append((commits[number], changes))
        found = [(one["commit"], [essence(change) for change in one["changes"]]) for one in told["commits"]]
        if [one[0] for one in found] != [one[0] for one in expected]:
            names = {commit: number for number, commit in enumerate(commits)}
            raise Wrong(f"commits {[names.get(one[0], one[0]) for one in found]}, expected {[names[one[0]] for one in expected]}\n{errors}")
        for mine, theirs in zip(expected, found):
            if mine[1] != theirs[1]:
                raise Wrong(f"changes of {mine[0]}: {theirs[1]}\n expected {mine[1]}")
        touching = sum(any(one.get(name) != other.get(name) and name != "README" for name in {*one, *other}) for one, other in zip(states, states[1:]))
        if told["examined"] != len(commits) or told["evaluated"] > 2 * (touching + 1):
            raise Wrong(f"examined {told['examined']}, evaluated {told['evaluated']}, touching {touching}")
        return len(expected)

    def shown(self, change):
        return {side: None if change[side] is None or "error" in change[side] else {"value": self.site.shown(change[side]["value"])} for side in ("before", "after")
                if change[side] is None or "error" not in change[side]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--count", type=int, default=0, help="cases of each dialect")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialect", choices=sorted(DIALECTS), action="append")
    parser.add_argument("--case", type=int, help="only this one")
    options = parser.parse_args()
    options.strata = os.path.abspath(options.strata)
    begin = time.monotonic()
    told = failed = 0
    for number in [options.case] if options.case is not None else range(options.count or SHORT):
        for dialect in options.dialect or list(DIALECTS):
            if failed >= 5 or (not options.count and time.monotonic() - begin > SHORT_SECONDS):
                break
            base = pathlib.Path(tempfile.mkdtemp(prefix="strata-log-"))
            try:
                told += Case(options, dialect, number, base).check()
            except Wrong as error:
                failed += 1
                print(f"{dialect} {number} (seed {options.seed}): {str(error)[:2500]}", flush=True)
            finally:
                shutil.rmtree(base)
    print(f"{told} commits told, {failed} cases failed")
    return 1 if failed or not told else 0


if __name__ == "__main__":
    sys.exit(main())
