#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata check` and `strata coverage` against brute force, over random sites of every dialect with all that these have: modules, environments,
eyaml, globs, mapped paths, HOCON, interpolation, lookup_options, references.

usage: statement_properties_test.py STRATA [--count N] [--seed S] [--dialect NAME] [--case N] [--keep]

The model writes each state into a folder of its own and asks the plain command there. It takes out each statement and asks again (P10, P11), reads the
histories of `--explain` for what is visible and for what is covered (P17), breaks each file to find out whether it is read (P13), lets `--fix` write and
asks again, and once more (P12), adds comments, blank lines and files that nobody reads (P15), and silences a run by its baseline (P16). It shares no code
with the program.
"""
import argparse
import collections
import copy
import json
import os
import random
import re
import sys
import time

import yaml

from analysis_properties_test import Program, Wrong, failures_in, run_case, token, write
from analysis_sites import Compose, Eyaml, Hiera, HieraCode, Inventory, Keys, Merge, Render

DEAD = ("dead-override", "never-visible", "dead-item", "idle-knockout")
ITEMS = ("dead-item", "idle-knockout")
FATES = ("won", "merged", "shadowed", "removed")
SHORT = 3  # Cases of each dialect in a short run, which begins no new one after so many seconds.
SHORT_SECONDS = 15
SECTIONS = ("applications", "classes", "environment", "parameters")


def pointer(tokens):
    return "".join(map(token, tokens))


def hocon(text):
    """The values of lines that analysis_sites makes, and the keys with substitutions."""
    out, substituted = {}, set()
    lines = [re.fullmatch(r"(\w+)(?:\.(\w+))? ?[:=] ?(.*)", line) for line in text.split("\n") if line and not line.startswith("#")]
    if not all(lines):
        raise yaml.YAMLError(text)

    def over(below, above):
        if isinstance(below, dict) and isinstance(above, dict):
            return {**below, **{key: over(below.get(key), value) for key, value in above.items()}}
        return above

    for key, member, value in [line.groups() for line in lines]:
        if value.startswith("$"):
            substituted.add(key)
            out[key] = copy.deepcopy(out[value[2:-1]])
            continue
        value = yaml.safe_load(value)
        out[key] = over(out.get(key), {member: value} if member else value)
    return out, substituted


class Statement:
    """A member or an item of a document, with the places of its leaves."""

    def __init__(self, document, tokens, is_item, in_list, place, leaves):
        self.document, self.tokens, self.is_item, self.in_list, self.place, self.leaves = document, tokens, is_item, in_list, place, leaves


def place_of(node):
    return node.start_mark.line + 1, node.start_mark.column + 1


def leaves_of(node):
    if isinstance(node, yaml.MappingNode) and node.value:
        return [leaf for _, value in node.value for leaf in leaves_of(value)]
    if isinstance(node, yaml.SequenceNode) and node.value:
        return [leaf for item in node.value for leaf in leaves_of(item)]
    return [place_of(node)]


def statements_in(documents):
    """All of them, outer ones first."""
    out = []

    def below(document, node, tokens, in_list):
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                here = [*tokens, key.value]
                out.append(Statement(document, here, False, in_list, place_of(key), leaves_of(value)))
                below(document, value, here, in_list)
        elif isinstance(node, yaml.SequenceNode):
            for number, item in enumerate(node.value):
                here = [*tokens, number]
                out.append(Statement(document, here, True, in_list, place_of(item), leaves_of(item)))
                below(document, item, here, True)

    for number, root in enumerate(documents):
        below(number, root, [], False)
    return out


class All:
    """Sites of Hiera whose questions are about all keys."""

    def question(self):
        self.all = True
        super().question()


# What the model knows of a dialect.


class Dialect:
    base = None
    is_fleet = False
    lines = r"\s*\w"  # Those that may go to another file.

    def __init__(self, rng, program):
        self.rng = rng
        self.program = program
        self.site = self.base(rng, program)
        self.files = dict(self.site.files)
        self.blend()

    def blend(self):
        """The same line in several files, so that more is dead."""
        names = sorted(name for name in self.files if name not in self.site.host and self.site.has_lines(name))
        for _ in range(self.rng.randrange(12)):
            if len(names) < 2:
                return
            first, second = self.rng.sample(names, 2)
            lines = [line for line in self.files[first].decode().split("\n") if re.match(r"\s*[\w:~'\"^]+: \S", line) and not line.startswith("lookup_options")]
            if lines:
                self.put_line(second, self.rng.choice(lines))

    def put_line(self, name, line):
        """Instead of the line of the same key; else at the end, where it is a root key."""
        is_there = b"\n" + line.split(":")[0].encode() + b":" in self.files[name]
        if name.endswith((".yaml", ".yml", ".cfg")) and (is_there or not line.startswith(" ")) and re.match(self.lines, line):
            self.files[name] = self.site.with_line(self.files[name], line)

    def question(self):
        return [*self.site.fleet_options, *self.site.verb]

    def candidates(self):
        """Files whose statements can count, if they are read."""
        return [name for name in self.files if name not in self.site.host | self.site.fixed]

    def documents(self, name, text):
        return [root for root in yaml.compose_all(text, yaml.SafeLoader) if root is not None]

    def data(self, name, text):
        return list(yaml.safe_load_all(text))

    def dumped(self, name, data):
        return "\n---\n".join(json.dumps(one) for one in data).encode() + b"\n"

    def is_statement(self, name, statement):
        raise NotImplementedError

    def is_counted(self, name, statement):
        return True

    def broken(self, name, text):
        return text + b"\n  ]: [\n\n  ]: [\n"

    def outcome(self, files):
        out = {}
        for subject in self.site.subjects(files, self.program):
            words, extra = self.site.plain(files, subject)
            status, text, errors = self.program.plain(files, [*words, "--output", "json"], extra)
            out[subject] = self.result(status, text, errors, subject)
        return out

    def result(self, status, text, errors, subject):
        failures = sorted(failure.key() for failure in failures_in(errors, subject))
        if status not in (0, 1) or (status == 1 and not failures):
            raise Wrong(f"plain command: {status}\n{errors}")
        return failures if failures else json.dumps(json.loads(text), sort_keys=True)

    @staticmethod
    def by_node(status, text, errors, spelled):
        failures = sorted(failure.key() for failure in failures_in(errors, ""))
        if status not in (0, 1) or (status == 1 and not failures):
            raise Wrong(f"plain command: {status}\n{errors}")
        # Where one node fails as another, only the first one's failure is told.
        return {"*": failures, **{node: spelled(result) for node, result in (json.loads(text) if text.strip() else {}).items()}}

    @staticmethod
    def has_result(of_subject):
        return not isinstance(of_subject, list)

    def fates(self):
        """(file, line, column, fate) -> the subjects that have it."""
        out = collections.defaultdict(set)
        for subject in self.site.subjects(self.files, self.program):
            words, extra = self.site.plain(self.files, subject)
            _, text, _ = self.program.plain(self.files, [*words, "--explain", "--output", "json"], extra)
            self.add_fates(out, text, lambda row, name=subject: name)
        return out

    def add_fates(self, out, text, subject_of):
        self.whole = set()
        for row in json.loads(text) if text.strip() else []:
            for one in row["history"]:
                if one.get("line") is not None and "part" not in one:
                    out[one["file"], one["line"], one["column"], one["fate"]].add(subject_of(row))
                    if isinstance(one.get("value"), (dict, list)) and one["value"] and one["fate"] in ("won", "merged"):
                        self.whole.add((one["file"], one["line"], one["column"]))


class OfHiera(Dialect):
    is_fleet = True

    def candidates(self):
        return [name for name in super().candidates() if name.endswith((".yaml", ".json", ".conf")) and not name.endswith(("hiera.yaml", "environment.conf"))]

    def data(self, name, text):
        return [hocon(text)[0]] if name.endswith(".conf") else super().data(name, text)[:1]

    def documents(self, name, text):
        if name.endswith(".conf"):
            text = json.dumps(hocon(text)[0])
        return super().documents(name, text)[:1]

    def dumped(self, name, data):
        return json.dumps(data[0]).encode() + b"\n"

    def blend(self):
        super().blend()
        for name, text in self.files.items():
            # What substitutions come to is not for this model: only that they keep what they lead to.
            if name.endswith(".conf"):
                lines = [line for line in text.decode().split("\n") if "${" not in line]
                keys = sorted({re.match(r"\w*", line)[0] for line in lines} - {""})
                if len(keys) > 1 and self.rng.random() < 0.3:
                    lines = [line for line in lines if not line.startswith(keys[0])] + [f"{keys[0]} = ${{{keys[1]}}}"]
                self.files[name] = "\n".join(line for line in lines if line).encode() + b"\n"

    def broken(self, name, text):
        return b'{"a": ' if name.endswith((".json", ".conf")) else super().broken(name, text)

    def outcome(self, files):
        status, text, errors = self.program.plain(files, [*self.site.verb, "--output", "json"], {})
        return self.by_node(status, text, errors, lambda result: json.dumps(sorted((key, json.dumps(value)) for key, value in result.items())))

    def fates(self):
        out = collections.defaultdict(set)
        _, text, _ = self.program.plain(self.files, [*self.site.verb, "--explain", "--output", "json"], {})
        self.add_fates(out, text, lambda row: row["path"].split("/")[1])
        return out

    # Where nodes look, and how they merge.

    def nodes(self):
        return json.loads(self.files["nodes.json"])

    def hierarchies(self):
        """(hiera.yaml, module or "") of each layer, strongest first."""
        return [("hiera.yaml", "")]

    @staticmethod
    def variable(facts, name):
        here = {"facts": facts, **facts}
        for step in name.removeprefix("::").split("."):
            here = here.get(step) if isinstance(here, dict) else None
        return "" if here is None else str(here)

    def filled(self, text, facts, **more):
        if "lookup(" in text:
            raise LookupError(text)
        return re.sub(r"%\{(.*?)\}", lambda found: more[found[1]] if found[1] in more else self.variable(facts, found[1]), text)

    def paths(self, config, folder, facts):
        """The files that are there, strongest first."""
        known = yaml.safe_load(self.files[config]) or {}
        defaults = known.get("defaults", {})
        for level in known.get("hierarchy", []):
            datadir = f"{folder}{level.get('datadir', defaults.get('datadir', 'data'))}"
            names = []
            if "path" in level or "paths" in level:
                names = [f"{datadir}/{self.filled(path, facts)}" for path in level.get("paths", [level.get("path")])]
            elif "glob" in level or "globs" in level:
                for pattern in level.get("globs", [level.get("glob")]):
                    regex = re.escape(f"{datadir}/{self.filled(pattern, facts)}").replace(r"\*", "[^/]*")
                    names += sorted(name for name in self.files if re.fullmatch(regex, name))
            elif "mapped_paths" in level:
                fact, variable, template = level["mapped_paths"]
                names = [f"{datadir}/{self.filled(template, facts, **{variable: one})}" for one in facts[fact]]
            yield from (name for name in names if name in self.files)

    def merges(self, name):
        """The strategies by which some node that reads a file merges a root key: {key: {strategy}}."""
        out = collections.defaultdict(set)
        for node in self.nodes():
            layers = [(module, list(self.paths(config, config[: -len("hiera.yaml")], node["facts"]))) for config, module in self.hierarchies() if config in self.files]
            if not any(name in paths for _, paths in layers):
                continue
            if "--merge" in self.site.verb:
                out[""].add(self.site.verb[self.site.verb.index("--merge") + 1])
                continue
            options = {}
            for module in sorted({module for module, _ in layers}):
                options[module] = {}
                for layer, paths in layers:
                    if layer not in ("", module):
                        continue
                    for path in paths:
                        found = self.data(path, self.files[path].decode())
                        found = (found[0] or {}).get("lookup_options") if found and isinstance(found[0], dict) else None
                        options[module] = {**(found or {}), **options[module]} if not found else self.over(options[module], found)
            for key in {key for path in self.files for key in self.root_keys(path)}:
                module = key.split("::")[0] if "::" in key else ""
                said = options.get(module, options.get("", {}))
                entry = said.get(key)
                if entry is None:
                    entry = next((said[one] for one in said if one.startswith("^") and re.search(one, key)), {})
                merge = (entry or {}).get("merge", "first")
                out[key].add(merge if isinstance(merge, str) else merge["strategy"])
        return out

    @staticmethod
    def over(stronger, weaker):
        """A hash merge: the order is that of the weakest, the values those of the strongest."""
        return {**weaker, **stronger}

    def root_keys(self, name):
        if not name.endswith((".yaml", ".json", ".conf")) or name.endswith(("hiera.yaml", "environment.conf")) or name in self.site.host | self.site.fixed:
            return []
        try:
            found = self.data(name, self.files[name].decode())
        except yaml.YAMLError:
            return []
        return list(found[0]) if found and isinstance(found[0], dict) else []

    def is_statement(self, name, statement):
        if statement.tokens[0] == "lookup_options":
            return False
        if name.endswith(".conf") and statement.tokens[0] in hocon(self.files[name].decode())[1]:
            return False
        if len(statement.tokens) == 1:
            return not statement.is_item
        if not hasattr(self, "known_merges"):
            self.known_merges = {}
        if name not in self.known_merges:
            self.known_merges[name] = self.merges(name)
        merges = self.known_merges[name]
        strategies = merges[""] or merges[statement.tokens[0]]
        if statement.is_item:
            return not statement.in_list and ("deep" in strategies or ("unique" in strategies and len(statement.tokens) == 2))
        # Members of items are part of what the merge takes as it is, or compare.
        return not statement.in_list_of_items(strategies) and ("deep" in strategies or ("hash" in strategies and len(statement.tokens) == 2))

    def is_counted(self, name, statement):
        return statement.tokens[0] != "lookup_options"

    def datadirs(self):
        return {f"{config[: -len('hiera.yaml')]}data" for config, _ in self.hierarchies() if config in self.files}


def in_list_of_items(self, strategies):
    return False


Statement.in_list_of_items = in_list_of_items


class Lookup(OfHiera):
    base = type("AllHiera", (All, Hiera), {})


class LookupKeys(OfHiera):
    base = Keys


class LookupEyaml(OfHiera):
    base = type("AllEyaml", (All, Eyaml), {})


class LookupCode(OfHiera):
    base = type("AllCode", (All, HieraCode), {})

    def hierarchies(self):
        root = self.site.root
        out = [("code/hiera.yaml", "")] if root != "control" else []
        out.append((f"{root}/hiera.yaml", ""))
        said = re.search(rb"modulepath = (\S+)", self.files.get(f"{root}/environment.conf", b""))
        if said and b"modules" not in said[1].split(b":"):
            return out
        return out + [(f"{root}/modules/{module}/hiera.yaml", module) for module in ("m1", "m2", "m3")]


class OfMerge(Dialect):
    base = Merge

    def is_statement(self, name, statement):
        return statement.tokens[0] not in ("merge_how", "merge_type") and not (statement.is_item and statement.in_list)

    def is_counted(self, name, statement):
        return statement.tokens[0] not in ("merge_how", "merge_type")

    def candidates(self):
        return [name for name in super().candidates() if self.files[name].startswith(b"#cloud-config")]

    def dumped(self, name, data):
        return b"#cloud-config\n" + json.dumps(data[0]).encode() + b"\n"

    def broken(self, name, text):
        return b""  # Whether it is read is known.


class OfCompose(Dialect):
    base = Compose
    lines = r"  p"

    def is_statement(self, name, statement):
        return len(statement.tokens) > 1 and not (statement.is_item and statement.in_list)


class OfRender(Dialect):
    base = Render
    lines = r"  d\d"

    def is_statement(self, name, statement):
        return statement.tokens[0] == "data" and len(statement.tokens) > 1 and not statement.is_item

    def candidates(self):
        return [name for name in super().candidates() if name.endswith(".yaml") and name != "site/00.yaml"]

    def is_counted(self, name, statement):
        return statement.tokens[0] == "data"


class OfInventory(Dialect):
    base = Inventory
    lines = r"  [~=]?p|environment"
    is_fleet = True

    def is_statement(self, name, statement):
        first, size = statement.tokens[0], len(statement.tokens)
        if first not in SECTIONS or (statement.is_item and statement.in_list):
            return False
        return size > 1 if first == "parameters" else size < 3

    def is_counted(self, name, statement):
        return statement.tokens[0] in SECTIONS

    def candidates(self):
        return [name for name in super().candidates() if name.endswith(".yml")]

    def outcome(self, files):
        status, text, errors = self.program.plain(files, [*self.site.verb, "--output", "json"], {})
        return self.by_node(status, text, errors, lambda result: json.dumps(result, sort_keys=True))

    def fates(self):
        out = collections.defaultdict(set)
        _, text, _ = self.program.plain(self.files, [*self.site.verb, "--explain", "--output", "json"], {})
        self.add_fates(out, text, lambda row: row["path"].split("/")[1])
        return out


DIALECTS = {"lookup": Lookup, "lookup-keys": LookupKeys, "lookup-code": LookupCode, "lookup-eyaml": LookupEyaml, "merge": OfMerge, "render": OfRender, "compose": OfCompose, "inventory": OfInventory}


def without(data, statement):
    data = copy.deepcopy(data)
    here = data[statement.document]
    for step in statement.tokens[:-1]:
        here = here[step if isinstance(here, list) else next(key for key in here if str(key) == step)]
    last = statement.tokens[-1]
    del here[last if isinstance(here, list) else next(key for key in here if str(key) == last)]
    return data


class Case:
    def __init__(self, options, dialect, number, base):
        self.rng = random.Random(f"statements {options.seed} {dialect} {number}")
        self.program = Program(options.strata, base)
        self.live = base / "live"
        self.dialect = DIALECTS[dialect](self.rng, self.program)
        self.counts = collections.Counter()
        self.trace = []

    def run(self, *words, statuses=(0, 1)):
        self.trace.append(" ".join(words))
        status, out, errors = self.program.run(self.live, words)
        if status not in statuses:
            raise Wrong(f"status {status}: {words}\n{errors}")
        for secret in getattr(self.dialect.site, "secrets", {}).values():
            if secret in out or secret in errors:
                raise Wrong(f"a secret is shown: {words}")
        return out, errors

    def findings(self, *words):
        out, _ = self.run("check", "--output", "json", *words, *self.dialect.question())
        return json.loads(out)

    def outcome_with(self, name, text):
        return self.dialect.outcome({**self.dialect.files, name: text})

    def check(self):
        dialect = self.dialect
        write(self.live, dialect.files)
        base = dialect.outcome(dialect.files)
        if base != dialect.outcome(dialect.files):
            raise Wrong("the plain command is not steady")
        self.base = base
        self.counts["subjects"] += sum(map(dialect.has_result, base.values()))
        self.counts["failed"] += sum(not dialect.has_result(one) for one in base.values() if one)
        self.counts.update(failure[0] for one in base.values() if not dialect.has_result(one) for failure in one)
        self.read_files()
        self.fates = dialect.fates()
        self.check_dead()
        self.check_coverage()
        self.check_unused_files()
        self.check_fingerprints()
        self.check_fix()

    def read_files(self):
        """What the files state, of those that somebody reads."""
        dialect = self.dialect
        self.statements, self.values, self.read = {}, {}, set()
        for name in dialect.candidates():
            text = dialect.files[name].decode()
            try:
                documents, data = dialect.documents(name, text), dialect.data(name, text)
            except yaml.YAMLError:
                continue
            is_read = isinstance(dialect, OfMerge) or self.is_read(name)
            if not is_read:
                continue
            self.read.add(name)
            if not documents:
                continue
            if self.outcome_with(name, dialect.dumped(name, data)) != self.base:
                raise Wrong(f"the model reads {name} otherwise")
            self.statements[name], self.values[name] = statements_in(documents), data

    def is_read(self, name):
        """Whether some subject that has a result reads a file: then it has none without it."""
        broken = self.outcome_with(name, self.dialect.broken(name, self.dialect.files[name]))
        return any(broken.get(subject) != base and self.dialect.has_result(base) for subject, base in self.base.items())

    # P10, P11

    def dead(self):
        """{(file, document, pointer): statement}"""
        out = {}
        for name, statements in self.statements.items():
            if isinstance(self.dialect, OfMerge) and self.is_dead_part(name):
                continue
            dead = []
            for one in statements:
                if any(one.document == other.document and one.tokens[: len(other.tokens)] == other.tokens for other in dead):
                    continue
                if not self.dialect.is_statement(name, one):
                    continue
                if self.outcome_with(name, self.dialect.dumped(name, without(self.values[name], one))) == self.base:
                    dead.append(one)
                    out[name, one.document if len(self.values[name]) > 1 else 0, pointer(one.tokens)] = one
        return out

    def is_dead_part(self, name):
        stating = [other for other, known in self.statements.items() if any(self.dialect.is_statement(other, one) for one in known)]
        return name in stating and len(stating) > 1 and self.outcome_with(name, b"#cloud-config\n{}\n") == self.base

    def is_visible(self, name, statement):
        return any(self.fates.get((name, *leaf, fate)) for leaf in statement.leaves for fate in ("won", "merged"))

    def check_dead(self):
        expected = self.dead()
        report = self.findings("--select", ",".join(DEAD))
        found = {}
        for one in report["findings"]:
            if not one["code"].startswith("check."):
                continue
            found[one["file"], one.get("document", 0), one["path"]] = one
        missing, wrong = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
        # As long as something fails, nothing is said of what it may be for.
        failed = self.failed_keys()
        if failed is None:
            missing = []
        elif failed:
            missing = [one for one in missing if expected[one].tokens[0] not in failed]
        # What the plain command does not print, the model cannot compare.
        missing = [one for one in missing if expected[one].tokens[0] not in self.redacted_keys()]
        if missing or wrong:
            raise Wrong(f"not told: {missing}\n  told and not dead: {wrong}")
        for key, one in found.items():
            statement = expected[key]
            code = one["code"].removeprefix("check.")
            if (code in ITEMS) != statement.is_item:
                raise Wrong(f"an item or not: {one}")
            if not statement.is_item and not key[0].endswith(".conf") and not self.dialect.whole and (code == "dead-override") != self.is_visible(key[0], statement):
                raise Wrong(f"visible or not: {one}")
            if (one["line"], one["column"]) != statement.place and not key[0].endswith(".conf"):
                raise Wrong(f"place: {one}, expected {statement.place}")
            if one["fixable"] == key[0].endswith(".conf"):
                raise Wrong(f"fixable: {one}")
        self.counts["dead"] += len(found)
        self.report = report

    def failed_keys(self):
        """The root keys that fail for some subject; None: subjects fail as a whole."""
        out = set()
        names = self.dialect.site.subjects(self.dialect.files, self.program)
        for subject in names:
            if subject not in self.base or not self.dialect.has_result(self.base[subject]):
                return None
        for _, message in self.base.get("*", []):
            found = re.search(r"lookup of '(.*?)' failed", message)
            if found is None:
                return None
            out.add(found[1])
        return out

    def redacted_keys(self):
        if not isinstance(self.dialect, OfHiera):
            return set()
        return {key for subject, of_subject in self.base.items() if subject != "*" for key, value in json.loads(of_subject) if "[value redacted]" in value}

    # P17

    def check_coverage(self):
        out, _ = self.run("coverage", "--output", "json", *self.dialect.question())
        told = json.loads(out)
        files = {file["file"]: file for file in told["files"]}
        for name, statements in self.statements.items():
            expected = {}
            for one in statements:
                above = [other for other in statements if other.document == one.document and one.tokens[: len(other.tokens)] == other.tokens]
                if one.leaves == [leaf for leaf in one.leaves] and len(one.leaves) == 1 and not [other for other in statements if other is not one and other.document == one.document and other.tokens[: len(one.tokens)] == one.tokens]:
                    if any(self.dialect.is_statement(name, other) for other in above):
                        expected[one.leaves[0]] = one
            leaves = {(leaf["line"], leaf["column"]): leaf for leaf in files[name]["leaves"]}
            if name.endswith(".conf"):
                continue
            if set(leaves) != set(expected):
                raise Wrong(f"coverage of {name}: only told {sorted(set(leaves) - set(expected))}, not told {sorted(set(expected) - set(leaves))}")
            for place, leaf in leaves.items():
                counts = {fate: len(self.fates.get((name, *place, fate), ())) for fate in FATES}
                # Lists and mappings that became one value count for all that is in them: where these stand, histories do not say.
                is_less = self.dialect.whole and all(leaf[fate] >= counts[fate] for fate in FATES)
                if {fate: leaf[fate] for fate in FATES} != counts and not is_less:
                    raise Wrong(f"coverage of {name}:{place}: {leaf}, expected {counts}")
                self.counts["covered"] += 1

    # P13

    def check_unused_files(self):
        dialect = self.dialect
        if not dialect.is_fleet:
            return
        told = {one["file"] for one in self.findings("--select", "unused-file")["findings"] if one["code"] == "check.unused-file"}
        if isinstance(dialect, OfInventory):
            folders, endings = {"nodes", "classes"}, (".yml", ".yaml")
        else:
            folders, endings = dialect.datadirs(), (".yaml", ".yml", ".json", ".eyaml", ".conf")
        below = {name for name in dialect.files if name.endswith(endings) and any(name.startswith(folder + "/") for folder in folders) and not name.endswith("hiera.yaml")}
        known = {name for name in below if not self.is_read(name)}
        # Of nodes that fail, it is not known what they would read.
        if not self.base['*'] and told != known:
            raise Wrong(f"unused files: {sorted(told)}, expected {sorted(known)}")

    # P15, P16

    def check_fingerprints(self):
        dialect = self.dialect
        before = sorted(one["fingerprint"] for one in self.findings()["findings"])
        files = dict(dialect.files)
        for name in self.read:
            if name.endswith((".yaml", ".yml")) and files[name]:
                head = b"#cloud-config\n" if files[name].startswith(b"#cloud-config\n") else b""
                files[name] = head + b"# a comment\n\n" + files[name][len(head) :]
        files["notes/unread.yaml"] = b"k1: 1\n"
        write(self.live, files)
        after = sorted(one["fingerprint"] for one in self.findings()["findings"])
        write(self.live, dialect.files)
        (self.live / "notes/unread.yaml").unlink()
        if before != after:
            raise Wrong(f"fingerprints: {sorted(set(before) ^ set(after))}")
        self.run("check", "--write-baseline", "baseline.json", *dialect.question())
        told = self.findings("--baseline", "baseline.json")
        (self.live / "baseline.json").unlink()
        if told["findings"] or told["suppressed"] != len(before):
            raise Wrong(f"baseline: {told['findings']}, {told['suppressed']} of {len(before)}")

    # P12

    def check_fix(self):
        dialect = self.dialect
        words = ["check", "--fix", "--select", ",".join(DEAD), "--fail-on", "never"]
        _, errors = self.run(*words, *dialect.question())
        fixed = {name: (self.live / name).read_bytes() for name in dialect.files}
        if dialect.outcome(fixed) != self.base:
            raise Wrong("--fix changes results")
        changed = [name for name in fixed if fixed[name] != dialect.files[name]]
        kept = errors.count("[edit.")
        left = [one for one in self.findings("--select", ",".join(DEAD))["findings"] if one["fixable"]]
        if len(left) > kept:
            raise Wrong(f"left after --fix: {[(one['file'], one['path']) for one in left]}\n{errors}")
        self.run(*words, *dialect.question())
        if any((self.live / name).read_bytes() != text for name, text in fixed.items()):
            raise Wrong("a second --fix changes something")
        self.counts["fixed"] += len(changed)


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
    passed, failed, counts = dict.fromkeys(dialects, 0), 0, collections.Counter()
    for number in [options.case] if options.case is not None else range(options.count or SHORT):
        for dialect in dialects:
            if failed >= options.most or (not options.count and time.monotonic() - begin > SHORT_SECONDS):
                break
            # A path of the hierarchy that looks up a key: the model does not know it.
            if run_case(options, Case, dialect, number, unknown=LookupError, then=lambda case: counts.update(case.counts)):
                passed[dialect] += 1
            else:
                failed += 1
    for dialect, count in passed.items():
        print(f"{dialect}: {count} passed")
    print(f"{sum(passed.values()) + failed} cases, {failed} failed; {dict(counts)}")
    return 1 if failed or not any(passed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
