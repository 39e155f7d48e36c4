#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata diff` and `strata impact` against a model that evaluates every state again.

usage: analysis_properties_test.py STRATA [--count N] [--seed S] [--dialect NAME] [--case N] [--keep]

Each case is a random site of one dialect with random edits. The model writes each state into a folder of its own, asks the plain command there for
each subject alone, and works out what the analysis must say: changes and their order, places, edits, causes by doing and undoing each edit, groups.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import jsonschema


from analysis_sites import DIALECTS, RunEnds

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/analysis.schema.json").read_text(encoding="utf-8")))
HANGS = 120  # Seconds: against hangs only, machines are loaded.
ERROR = re.compile(r"^(?:(?P<file>[^\n]*?)(?::(?P<line>\d+):(?P<column>\d+))?: )?error: (?P<message>.*?) \[(?P<code>[a-z0-9]+(?:[.-][a-z0-9]+)+)\]$", re.MULTILINE | re.DOTALL)
MOST_CAUSES = 32
SHORT = 5  # Cases of each dialect in a short run, which begins no new one after so many seconds.
SHORT_SECONDS = 10


class Wrong(Exception):
    """What the program says is not what the model says."""


def text_of(value):
    return json.dumps(value, sort_keys=True)


def token(key):
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


# Files and lines


def lines_of(text):
    """Lines with their breaks."""
    return re.findall(rb"[^\n]*\n|[^\n]+", text)


def bare(lines):
    return [line.removesuffix(b"\n") for line in lines]


def alignment(left, right):
    """Pairs of positions, by the rule of the specification and no cleverness."""
    prefix = 0
    while prefix < min(len(left), len(right)) and left[prefix] == right[prefix]:
        prefix += 1
    suffix = 0
    while suffix < min(len(left), len(right)) - prefix and left[-1 - suffix] == right[-1 - suffix]:
        suffix += 1
    x, y = left[prefix : len(left) - suffix], right[prefix : len(right) - suffix]
    longest = {}
    for i in range(len(x), -1, -1):
        for j in range(len(y), -1, -1):
            if i == len(x) or j == len(y):
                longest[i, j] = 0
            else:
                longest[i, j] = max(longest[i + 1, j], longest[i, j + 1], 1 + longest[i + 1, j + 1] if x[i] == y[j] else 0)
    pairs, j = [], 0
    for i, item in enumerate(x):
        for other in range(j, len(y)):
            if item == y[other] and 1 + longest[i + 1, other + 1] == longest[i, j]:
                pairs.append((prefix + i, prefix + other))
                j = other + 1
                break
    return [(i, i) for i in range(prefix)] + pairs + [(len(left) - k, len(right) - k) for k in range(suffix, 0, -1)]


def gaps(left, right):
    """What lies between the pairs: (i, i_end, j, j_end), and the pairs as (i, j)."""
    i = j = 0
    for a, b in alignment(left, right) + [(len(left), len(right))]:
        if a > i or b > j:
            yield i, a, j, b
        if a < len(left) or b < len(right):
            yield a, b
        i, j = a + 1, b + 1


def file_edits(name, before, after, is_host):
    if before == after:
        return []
    whole = {"file": name, "before": {"line": 1, "lines": len(lines_of(before or b""))}, "after": {"line": 1, "lines": len(lines_of(after or b""))}, "whole": True}
    if is_host or before is None or after is None or b"\0" in before[:8000] or b"\0" in after[:8000]:
        return [whole]
    left, right = bare(lines_of(before)), bare(lines_of(after))
    if left == right:
        return [whole]
    out = []
    for gap in gaps(left, right):
        if len(gap) != 4:
            continue
        i, i_end, j, j_end = gap
        size = i_end - i
        step = 1 if size == j_end - j and size <= 8 else 0
        for k in range(size if step else 1):
            out.append({"file": name, "before": {"line": i + k + 1, "lines": step or size}, "after": {"line": j + k + 1, "lines": step or j_end - j}})
    return out


def spliced(own, edit, side, other, other_side):
    """The text `own` with one edit undone or done: its lines become those of `other`."""
    here, there = edit[side], edit[other_side]
    own, other = lines_of(own or b""), lines_of(other or b"")
    first, last = here["line"] - 1, here["line"] - 1 + here["lines"]
    lines = own[:first] + other[there["line"] - 1 : there["line"] - 1 + there["lines"]] + own[last:]
    return b"".join(line if line.endswith(b"\n") or k == len(lines) - 1 else line + b"\n" for k, line in enumerate(lines))


# Outcomes


class Program:
    """Runs plain commands in folders of their own, and remembers the answers."""

    def __init__(self, binary, base):
        self.binary = binary
        self.base = base
        self.folders = {}
        self.answers = {}

    def run(self, folder, words, stdin=None):
        done = subprocess.run([self.binary, *words], cwd=folder, capture_output=True, timeout=HANGS, check=False, input=stdin)
        if done.returncode < 0 or done.returncode == 70:
            raise Wrong(f"ended by {done.returncode}: {words}\n{done.stderr.decode(errors='replace')}")
        return done.returncode, done.stdout.decode(errors="replace").replace(str(folder), "@"), done.stderr.decode(errors="replace").replace(str(folder), "@")

    def plain(self, files, words, extra):
        key = (frozenset(files.items()), tuple(words), frozenset(extra.items()))
        if key not in self.answers:
            place = frozenset(files.items())
            if place not in self.folders:
                self.folders[place] = self.base / f"state{len(self.folders)}"
                write(self.folders[place], files)
            write(self.folders[place], extra)
            self.answers[key] = self.run(self.folders[place], words)
        return self.answers[key]


def write(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


class Failure:
    def __init__(self, code, message, place):
        self.code, self.message, self.place = code, message, place

    def data(self):
        place = {"file": None, "line": None, "column": None, **self.place} if self.place else {}
        return {"error": {"code": self.code, "message": self.message, **place}}

    def key(self):
        return self.code, self.message


def failures_in(errors, subject):
    for found in ERROR.finditer(errors):
        message = found["message"]
        for lead in (f"node '{subject}': ", f"node '{subject}', ", f"node '{subject}' cannot be answered: "):
            message = message.removeprefix(lead)
        if message.startswith("1 more"):
            continue
        place = {"file": found["file"], "line": int(found["line"]), "column": int(found["column"])} if found["line"] else {"file": found["file"]} if found["file"] else {}
        yield Failure(found["code"], message, place)


class Outcome:
    """Items by name: a Failure or (value, places); or one failure of all."""

    def __init__(self, dialect, program, files, subject):
        self.items, self.failure = {}, None
        words, extra = dialect.plain(files, subject)
        status, out, errors = program.plain(files, [*words, "--output", "json"], extra)
        told = list(failures_in(errors, subject))
        if status not in (0, 1) or (status == 1 and not told and not out.strip()):
            raise Wrong(f"plain command: {status} {words}\n{errors}")
        for failure in told:
            name = dialect.failed_item(failure.message)
            if name is None:
                self.failure = failure
                return
        place_words, place_files, prefix = dialect.with_places(files, subject)
        status, blame, errors = program.plain(files, [*place_words, "--output", "json", "--blame"], place_files)
        if status not in (0, 1) or (not blame.strip() and out.strip()):
            raise Wrong(f"places: {status} {place_words}\n{errors}")
        places = {}
        for row in json.loads(blame) if blame.strip() else []:
            places[prefix + row["path"]] = {name: row[name] for name in ("file", "line", "column", "part", "via") if row.get(name) is not None} if row["file"] else {}
        for name, path, value in dialect.items(json.loads(out) if out.strip() else None, subject):
            self.items[name] = value, path, places
        for failure in told:
            self.items[dialect.failed_item(failure.message)] = failure


def side(found, pointer, value, hides):
    value_, path, places = found
    at = path + pointer
    leaf = value
    while isinstance(leaf, (dict, list)) and leaf and not hides(leaf):
        name, leaf = next(iter(leaf.items())) if isinstance(leaf, dict) else (0, leaf[0])
        at += token(name)
    return {"value": value, **places.get(at, {})}


class Comparer:
    def __init__(self, list_key, hides):
        self.list_key = list_key
        self.hides = hides
        self.out = []

    def compare(self, before, after):
        """Changes between two Outcomes; None: the node is not there."""
        if before is None or after is None:
            if before is not after:
                self.add("", "", "appeared" if before is None else "disappeared", None, None)
        elif before.failure or after.failure:
            self.failed("", before.failure, after.failure)
        else:
            for name, item in before.items.items():
                other = after.items.get(name)
                if isinstance(item, Failure) or isinstance(other, Failure):
                    self.failed(name, item if isinstance(item, Failure) else None, other if isinstance(other, Failure) else None)
                elif other is None:
                    self.add(name, "", "removed", side(item, "", item[0], self.hides), None)
                else:
                    self.walk(name, item, other, "", "", item[0], other[0])
            for name, item in after.items.items():
                if name in before.items:
                    continue
                if isinstance(item, Failure):
                    self.failed(name, None, item)
                else:
                    self.add(name, "", "added", None, side(item, "", item[0], self.hides))
        return self.out

    def failed(self, name, before, after):
        if before and after and before.key() == after.key():
            return
        kind = "broken" if not before else "mended" if not after else "fails-otherwise"
        self.add(name, "", kind, before.data() if before else None, after.data() if after else None)

    def add(self, item, path, kind, before, after, origin=None):
        change = {"item": item, "path": path, "kind": kind, "before": before, "after": after}
        if origin is not None and origin != path:
            change["from"] = origin
        self.out.append(change)

    def walk(self, name, a, b, from_, path, x, y):
        is_hidden = self.hides(x) or self.hides(y)
        if not is_hidden and isinstance(x, dict) and isinstance(y, dict):
            for key, value in x.items():
                if key in y:
                    self.walk(name, a, b, from_ + token(key), path + token(key), value, y[key])
                else:
                    self.add(name, from_ + token(key), "removed", side(a, from_ + token(key), value, self.hides), None)
            for key, value in y.items():
                if key not in x:
                    self.add(name, path + token(key), "added", None, side(b, path + token(key), value, self.hides))
        elif not is_hidden and isinstance(x, list) and isinstance(y, list):
            self.walk_lists(name, a, b, from_, path, x, y)
        elif text_of(x) != text_of(y):
            self.add(name, path, "changed", side(a, from_, x, self.hides), side(b, path, y, self.hides), from_)

    def identity(self, item):
        if self.list_key and isinstance(item, dict) and not self.hides(item) and self.list_key in item and not isinstance(item[self.list_key], (dict, list)):
            return "key " + text_of(item[self.list_key])
        return text_of(item)

    def walk_lists(self, name, a, b, from_, path, x, y):
        for gap in gaps([self.identity(item) for item in x], [self.identity(item) for item in y]):
            if len(gap) == 2:
                i, j = gap
                self.walk(name, a, b, f"{from_}/{i}", f"{path}/{j}", x[i], y[j])
                continue
            i, i_end, j, j_end = gap
            while i < i_end and j < j_end:
                self.walk(name, a, b, f"{from_}/{i}", f"{path}/{j}", x[i], y[j])
                i, j = i + 1, j + 1
            for k in range(i, i_end):
                self.add(name, f"{from_}/{k}", "removed", side(a, f"{from_}/{k}", x[k], self.hides), None)
            for k in range(j, j_end):
                self.add(name, f"{path}/{k}", "added", None, side(b, f"{path}/{k}", y[k], self.hides))


def essence(change, values=True):
    """A change without places and causes."""

    def of(one):
        if one is None:
            return None
        if "error" in one:
            return ["error", one["error"]["code"], one["error"]["message"]]
        return [text_of(one["value"])]

    if not values:
        return change["item"], change["path"], change["kind"]
    return json.dumps([change["item"], change["path"], change["kind"], change.get("from"), of(change["before"]), of(change["after"])])


def is_shown(change, patterns):
    if not patterns:
        return True
    name = change["item"]
    if not name:
        if not change["path"]:
            return True
        name = change["path"].split("/")[1].replace("~1", "/").replace("~0", "~")
    globs = ["".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern) for pattern in patterns]
    return any(re.fullmatch(glob, name, re.DOTALL) for glob in globs)


# The model of one pair of states


class Model:
    def __init__(self, case, before, after):
        self.case = case
        self.before, self.after = before, after
        self.memory = {}
        self.subjects_before = self.subjects(before)
        self.subjects_after = self.subjects(after)
        self.subject_list = self.subjects_before + [name for name in self.subjects_after if name not in self.subjects_before]
        self.edits = []
        for name in sorted(set(before) | set(after), key=lambda name: name.encode()):
            self.edits += file_edits(name, before.get(name), after.get(name), name in case.dialect.host)

    def subjects(self, files):
        return self.case.dialect.subjects(files, self.case.program)

    def outcome(self, files, subject):
        key = frozenset(files.items()), subject
        if key not in self.memory:
            try:
                there = self.subjects(files)
            except RunEnds:
                self.memory[key] = RunEnds
            else:
                self.memory[key] = Outcome(self.case.dialect, self.case.program, files, subject) if subject in there else None
        if self.memory[key] is RunEnds:
            raise RunEnds
        return self.memory[key]

    def changes(self, subject, list_key="", only=(), after=None):
        found = Comparer(list_key, self.case.dialect.hides).compare(self.outcome(self.before, subject), self.outcome(self.after if after is None else after, subject))
        return [change for change in found if is_shown(change, only)]

    def patched(self, state, other, edits, is_undone):
        out = dict(state)
        name = edits[0]["file"]
        if edits[0].get("whole") or len(edits) > 1:
            out.pop(name, None)
            if name in other:
                out[name] = other[name]
        else:
            sides = ("after", "before") if is_undone else ("before", "after")
            out[name] = spliced(state.get(name), edits[0], sides[0], other.get(name), sides[1])
        return out

    def shows(self, change, subject, state, list_key):
        try:
            found = self.changes(subject, list_key, (), state)
        except RunEnds:
            return False
        return essence(change) in [essence(one) for one in found]

    def units(self, read):
        if len(read) <= MOST_CAUSES:
            return [[edit] for edit in read]
        files = {}
        for edit in read:
            files.setdefault(edit["file"], []).append(edit)
        return list(files.values())

    def undo(self, unit):
        return self.patched(self.after, self.before, unit, True)

    def do(self, unit):
        return self.patched(self.before, self.after, unit, False)

    def causes(self, change, subject, read, list_key=""):
        """The edits of `read` that cause a change, and how."""
        units = self.units(read)
        if not read:
            return [], "together"
        if len(read) == 1:
            return read, "each"
        if len(units) > MOST_CAUSES:
            return None, None
        if len(units) == 1:
            return read, "each"
        out = [unit for unit in units if not self.shows(change, subject, self.undo(unit), list_key)]
        if out:
            return sum(out, []), "each"
        out = [unit for unit in units if self.shows(change, subject, self.do(unit), list_key)]
        if out:
            return sum(out, []), "any"
        return read, "together"

    def must_read(self, subject):
        """Edits of files without which, or with which alone, the outcome is another one: they are read."""
        out = []
        for name in {edit["file"] for edit in self.edits}:
            folder = name.rpartition("/")[0] + "/"
            if not all(any(other.startswith(folder) for other in state) for state in (self.before, self.after)):
                continue  # Who asked for the folder asked for no file.
            edits = [edit for edit in self.edits if edit["file"] == name]
            for base, state in ((self.after, self.undo(edits)), (self.before, self.do(edits))):
                try:
                    if Comparer("", self.case.dialect.hides).compare(self.outcome(base, subject), self.outcome(state, subject)):
                        out.append(name)
                except RunEnds:
                    out.append(name)
        return set(out)


# Cases


class Case:
    def __init__(self, options, dialect, number, base):
        self.rng = random.Random(f"{options.seed} {dialect} {number}")
        self.name = f"{dialect} {number}"
        self.live = base / "live"
        self.base = base
        self.program = Program(options.strata, base)
        self.dialect = DIALECTS[dialect](self.rng, self.program)
        self.trace = []

    def run(self, words, stdin=None, statuses=(0, 1)):
        self.trace.append(" ".join(words))
        status, out, errors = self.program.run(self.live, words, stdin)
        if statuses and status not in statuses:
            raise Wrong(f"status {status}: {words}\n{errors}")
        return status, out, errors

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false", *words], cwd=self.live, check=True, capture_output=True)

    def commit(self, files):
        for path in self.live.iterdir() if self.live.exists() else []:
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write(self.live, files)
        if not (self.live / ".git").exists():
            self.git("init", "-q")
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", "state")

    def states(self):
        """Options that name two states, and both: path -> text."""
        rng, dialect = self.rng, self.dialect
        first = dict(dialect.files)
        mode = rng.choice(("edits", "edits", "edits", "nothing", "from", "from-to", "to", "edits-to", "edits-from", "edits-from-to"))
        self.trace.append(mode)
        if mode == "edits":
            write(self.live, first)
            words, after = self.edits(first)
            return words, first, after
        second = dialect.edited(first)
        third = dialect.edited(second)
        hosted = {name: text for name, text in third.items() if name in dialect.host}
        first, second = ({**{name: text for name, text in files.items() if name not in dialect.host}, **hosted} for files in (first, second))
        self.commit(first)
        self.commit(second)
        for path in self.live.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write(self.live, third)
        words = []
        before, after = {"nothing": (second, third), "from": (first, third), "from-to": (first, second), "to": (first, second), "edits-to": (second, second),
                         "edits-from": (first, third), "edits-from-to": (first, second)}[mode]  # fmt: skip
        if "from" in mode:
            words += ["--from", "HEAD~1"]
        if "to" in mode.split("-"):
            words += ["--to", "HEAD"]
        if "edits" in mode:
            more, after = self.edits(after)
            words += more
            if not more and mode == "edits-to":
                before = first  # Without edits the parent is the state before.
        return words, before, after

    def edits(self, files):
        after = self.dialect.edited(files)
        words = []
        others = self.base / "others"
        for name in sorted(set(files) | set(after)):
            if files.get(name) == after.get(name):
                continue
            if name not in after:
                words += ["--delete", name]
                continue
            others.mkdir(exist_ok=True)
            other = others / f"{len(list(others.iterdir()))}"
            other.write_bytes(after[name])
            words += ["--edit" if name in files or self.rng.random() < 0.3 else "--create", f"{name}={other}"]
        self.edited = {name for name in set(files) | set(after) if files.get(name) != after.get(name)}
        return words, after

    def check(self):
        self.edited = set()
        states, before, after = self.states()
        if not states and self.trace == ["edits"]:
            return
        words = [*states, "--output", "json"]
        verb = self.dialect.verb
        fleet = self.dialect.fleet_options
        self.trace.append(f"verb: {verb}")
        try:
            model = Model(self, before, after)
        except RunEnds:
            self.run(["diff", *words, *fleet, *verb], statuses=(3,))
            self.run(["impact", *words, *fleet, *verb], statuses=(3,))
            return
        self.model = model
        list_key = self.rng.choice(("", "", "name"))
        by_key = ["--list-key", list_key] if list_key else []
        only = self.rng.choice(((), (), (), (), (), (self.rng.choice(self.dialect.names) + "*",), ("k?", "*b*")))
        patterns = [word for pattern in only for word in ("--only", pattern)]
        no_causes = self.rng.random() < 0.1

        # diff
        shown = ["diff", *words, *by_key, *patterns, *fleet, *(["--no-causes"] if no_causes else []), *verb]
        status, out, errors = self.run(shown)
        report = self.report(out)
        expected = [{"subject": subject, **change} for subject in model.subject_list for change in model.changes(subject, list_key, only)]
        found = [{name: member for name, member in change.items() if name not in ("causes", "cause_kind")} for change in report["changes"]]
        self.same("changes", [text_of(one) for one in found], [text_of(self.told(one)) for one in expected])
        for secret in self.dialect.secrets.values():
            if secret in out or secret in errors:
                raise Wrong("a secret is shown")
        self.same("status", status, int(bool(expected)))
        self.same("summary", report["summary"], {"subjects": len(model.subject_list), "changes": len(expected)})
        self.check_edits(report)
        self.check_unread(report, errors)
        if no_causes:
            if any("causes" in change for change in report["changes"]):
                raise Wrong("causes with --no-causes")
        else:
            self.check_causes(report, expected, list_key)
        if not only and not list_key and not self.dialect.secrets:
            self.check_apply(report)
        # impact
        by = self.rng.choice(("effect", "effect", "change", "path"))
        status, out, _ = self.run(["impact", *words, "--by", by, *patterns, *fleet, *verb])
        impact = self.report(out)
        self.check_groups(impact, by, only, status)
        self.check_variants(states, words, fleet, verb, only)

    def told(self, change):
        """A change as reports show it: without secrets."""
        out = dict(change)
        for name in ("before", "after"):
            one = out[name]
            if one is None or "error" in one:
                continue
            shown = self.dialect.shown(one["value"])
            out[name] = {**one, "value": shown, **({} if text_of(shown) == text_of(one["value"]) else {"secret": True})}
        return out

    def report(self, out):
        report = json.loads(out)
        error = next(SCHEMA.iter_errors(report), None)
        if error is not None:
            raise Wrong(f"schema: {error.message} at {list(error.absolute_path)}")
        return report

    def same(self, what, found, expected):
        if found != expected:
            if isinstance(found, list) and isinstance(expected, list):
                only_found = [one for one in found if one not in expected]
                only_expected = [one for one in expected if one not in found]
                raise Wrong(f"{what}:\n found only: " + "\n    ".join(map(str, only_found)) + "\n expected only: " + "\n    ".join(map(str, only_expected)) + f"\n ({len(found)} and {len(expected)})")
            raise Wrong(f"{what}:\n found    {found}\n expected {expected}")

    def check_edits(self, report):
        self.same("ids", [edit["id"] for edit in report["edits"]], list(range(1, len(report["edits"]) + 1)))
        listed = [{name: member for name, member in edit.items() if name != "id"} for edit in report["edits"]]
        files = {edit["file"] for edit in listed}
        self.same("edits", listed, [edit for edit in self.model.edits if edit["file"] in files])
        must = set().union(*(self.model.must_read(subject) for subject in self.model.subject_list))
        if not must <= files:
            raise Wrong(f"edits of {sorted(must - files)} are not listed")
        known = self.dialect.reads(self.model.before, self.model.after)
        if known is not None:
            self.same("files read", files, known & {edit["file"] for edit in self.model.edits})

    def check_unread(self, report, errors):
        told = set(re.findall(r"^(.*?): warning: the question does not read this file", errors, re.MULTILINE))
        self.same("unread", told, self.edited - {edit["file"] for edit in report["edits"]})

    def check_causes(self, report, expected, list_key, limit=40):
        edits = [{name: member for name, member in edit.items() if name != "id"} for edit in report["edits"]]
        changes = list(zip(report["changes"], expected))
        if len(changes) > limit:
            changes = self.rng.sample(changes, limit)
        for change, true in changes:
            subject = change["subject"]
            read = self.dialect.reads_of(self.model, subject)
            mine = [edit for edit in edits if read is None or edit["file"] in read]
            causes, kind = self.model.causes(true, subject, mine, list_key)
            found = change["causes"]
            if found is None:
                if causes is not None:
                    raise Wrong(f"causes are null: {change}")
                continue
            named = [edits[number - 1] for number in found]
            if kind == "together" and read is None and change["cause_kind"] == kind:
                # Which files a subject reads is known only in part.
                must = self.model.must_read(subject)
                if not {edit["file"] for edit in named} >= must:
                    raise Wrong(f"together lacks {must}: {change}")
                continue
            if (named, change["cause_kind"]) != (causes, kind):
                raise Wrong(f"causes of {essence(change)} for {subject!r}: {change['cause_kind']} {named}\n expected {kind} {causes}")

    def check_apply(self, report):
        """P2: the changes done to the first state give the second."""
        for subject in self.model.subject_list:
            before, after = self.model.outcome(self.model.before, subject), self.model.outcome(self.model.after, subject)
            changes = [change for change in report["changes"] if change["subject"] == subject]
            if before is None or after is None or before.failure or after.failure:
                continue
            for name in set(before.items) | set(after.items):
                one, other = before.items.get(name), after.items.get(name)
                if isinstance(one, Failure) or isinstance(other, Failure):
                    continue
                mine = [change for change in changes if change["item"] == name]
                missing = object()
                value = applied(missing if one is None else one[0], mine, missing)
                wanted = missing if other is None else other[0]
                if (value is missing) != (wanted is missing) or (value is not missing and text_of(value) != text_of(wanted)):
                    raise Wrong(f"apply: {name} of {subject!r}: {value}, not {wanted}")

    def check_groups(self, impact, by, only, status):
        model = self.model
        groups = {}
        changed = {subject: model.changes(subject, "", only) for subject in model.subject_list}
        for place, (subject, changes) in enumerate(changed.items()):
            if not changes:
                continue
            keys = [(essence(change),) for change in changes] if by == "change" else [tuple(essence(change, by == "effect") for change in changes)]
            for key, own in zip(keys, [[change] for change in changes] if by == "change" else [changes]):
                groups.setdefault(key, (place, [], own))[1].append(subject)
        expected = sorted(groups.values(), key=lambda group: (-len(group[1]), group[0]))
        found = impact["effects"]
        self.same("groups", [(group["id"], group["count"], group["subjects"]) for group in found], [(i + 1, len(group[1]), group[1]) for i, group in enumerate(expected)])
        for group, (_, subjects, changes) in zip(found, expected):
            shown = [{name: member for name, member in change.items() if name not in ("causes", "cause_kind", "example")} for change in group["changes"]]
            self.same("changes of a group", [text_of(one) for one in shown], [text_of(self.told(one)) for one in changes])
            self.same("example", {change.get("example", False) for change in group["changes"]}, {by == "path"})
            for change, true in zip(group["changes"], changes):
                self.check_group_causes(impact, change, true, subjects, by)
        counts = {"total": len(model.subject_list), "changed": sum(map(bool, changed.values()))}
        counts["unchanged"] = counts["total"] - counts["changed"]
        for kind in ("broken", "mended", "appeared", "disappeared"):
            counts[kind] = sum(bool(changes) and changes[0]["kind"] == kind and not changes[0]["item"] for changes in changed.values())
        self.same("counts", impact["subjects"], counts)
        self.same("status of impact", status, int(counts["changed"] > 0))
        self.check_edits(impact)

    def check_group_causes(self, impact, change, true, subjects, by):
        edits = [{name: member for name, member in edit.items() if name != "id"} for edit in impact["edits"]]
        if by == "path" or self.rng.random() > 0.3:
            return
        told, union, first_kind = set(), [], None
        for subject in subjects:
            read = self.dialect.reads_of(self.model, subject)
            if read is None:
                # Sets of files cannot be known: of the first subject alone.
                causes, kind = self.model.causes(true, subject, edits)
                if kind != "together" and not all(edits.index(edit) + 1 in change["causes"] for edit in causes):
                    raise Wrong(f"causes of a group: {change}, expected {kind} {causes}")
                return
            mine = [edit for edit in edits if edit["file"] in read]
            if frozenset(edit["file"] for edit in mine) in told:
                continue
            told.add(frozenset(edit["file"] for edit in mine))
            causes, kind = self.model.causes(true, subject, mine)
            first_kind = first_kind or kind
            if causes is None:
                return
            union += [edits.index(edit) + 1 for edit in causes]
        self.same("causes of a group", (change["causes"], change["cause_kind"]), (sorted(set(union)), first_kind))

    def check_variants(self, states, words, fleet, verb, only):
        """Threads, exit statuses, the swapped states, and --against."""
        command = self.rng.choice(("diff", "impact"))
        _, first, told = self.run([command, *words, *fleet, "--threads", "1", *verb])
        for threads in ("2", "8"):
            _, other, other_told = self.run([command, *words, *fleet, "--threads", threads, *verb])
            self.same("threads", (other, other_told), (first, told))
        self.same("--exit-zero", self.run([command, *words, *fleet, "--exit-zero", *verb])[:2], (0, first))
        status, text, _ = self.run([command, *states, *fleet, *verb])
        self.same("text", bool(text.strip()), bool(status) or command == "impact")
        if self.edited or self.dialect.fleet_words or "--to" in words and "--from" not in words:
            return
        against = self.dialect.against
        revision = words[words.index("--from") + 1] if "--from" in words else "HEAD"
        at = ["--at", words[words.index("--to") + 1]] if "--to" in words else []
        for output in (["--output", "json"], []):
            says = self.program.run(self.live, [*verb, "--against", revision, *at, *output])
            analysis = "impact" if against == "impact" else "diff"
            same = self.program.run(self.live, [analysis, "--no-causes", *states, *output, *verb])
            self.same("--against", says[:2], same[:2])


def applied(value, changes, missing):
    """P2. Places of what stays are found by the order in which it stays."""
    removed, added, replaced = [], [], []
    for change in changes:
        if change["kind"] == "removed":
            removed.append(tokens_of(change["path"]))
        elif change["kind"] == "added":
            added.append((tokens_of(change["path"]), change["after"]["value"]))
        else:
            replaced.append((tokens_of(change.get("from", change["path"])), change["after"]["value"]))
    if value is not missing:
        value = json.loads(json.dumps(value))
    for path, new in replaced:
        value = put(value, path, new)
    for path in sorted(removed, key=lambda path: [int(part) if part.isdigit() else -1 for part in path], reverse=True):
        if not path:
            return missing
        parent = value
        for part in path[:-1]:
            parent = parent[int(part)] if isinstance(parent, list) else parent[part]
        del parent[int(path[-1]) if isinstance(parent, list) else path[-1]]
    for path, new in sorted(added, key=lambda one: [int(part) if part.isdigit() else -1 for part in one[0]]):
        if not path:
            return new
        parent = value
        for part in path[:-1]:
            parent = parent[int(part)] if isinstance(parent, list) else parent[part]
        if isinstance(parent, list):
            parent.insert(int(path[-1]), new)
        else:
            parent[path[-1]] = new
    return value


def tokens_of(pointer):
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def put(value, path, new):
    if not path:
        return new
    parent = value
    for part in path[:-1]:
        parent = parent[int(part)] if isinstance(parent, list) else parent[part]
    parent[int(path[-1]) if isinstance(parent, list) else path[-1]] = new
    return value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--count", type=int, default=0, help="cases of each dialect")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialect", choices=sorted(DIALECTS), action="append")
    parser.add_argument("--case", type=int, help="only this one")
    parser.add_argument("--keep", action="store_true", help="leave the folders of failed cases")
    parser.add_argument("--most", type=int, default=5, help="stop after so many failures")
    options = parser.parse_args()
    options.strata = os.path.abspath(options.strata)
    dialects = options.dialect or list(DIALECTS)
    begin = time.monotonic()
    passed, failed = dict.fromkeys(dialects, 0), 0
    for number in [options.case] if options.case is not None else range(options.count or SHORT):
        for dialect in dialects:
            if not options.count and time.monotonic() - begin > SHORT_SECONDS:
                break
            if run_case(options, Case, dialect, number):
                passed[dialect] += 1
            else:
                failed += 1
            if failed >= options.most:
                break
    for dialect, count in passed.items():
        print(f"{dialect}: {count} passed")
    print(f"{sum(passed.values()) + failed} cases, {failed} failed")
    return 1 if failed or not any(passed.values()) else 0


def run_case(options, make, dialect, number, unknown=None, then=lambda case: None):
    """Whether a case passes. `make`: its class. `unknown`: the error by which a model says that it does not know something; `then` is given a case that
    was checked to its end."""
    base = pathlib.Path(tempfile.mkdtemp(prefix="strata-properties-"))
    case = None
    keeps = False
    try:
        case = make(options, dialect, number, base)
        case.check()
        then(case)
        return True
    except Exception as error:  # pylint: disable=broad-except
        if unknown is not None and type(error) is unknown:
            return True
        keeps = options.keep
        print(f"{dialect} {number} (seed {options.seed}): {type(error).__name__}: {str(error)[:3000]}\n  " + "\n  ".join(case.trace[-12:] if case else []), flush=True)
        if not isinstance(error, (Wrong, subprocess.TimeoutExpired)):
            traceback.print_exc()
        if keeps:
            print(f"  in {base}")
        return False
    finally:
        if not keeps:
            shutil.rmtree(base)


if __name__ == "__main__":
    sys.exit(main())
