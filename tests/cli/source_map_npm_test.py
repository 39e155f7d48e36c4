#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The npm package `source-map` reads the maps: every leaf of a result leads to the place that --blame tells, and every other position leads somewhere.

Where the leaves stand in a result is found here by other readers: PyYAML, and a scanner of JSON. script/bootstrap installs the package
(source_map_npm/package-lock.json); the test itself needs no network.

usage: source_map_npm_test.py STRATA
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONSUMER = pathlib.Path(__file__).resolve().parent / "source_map_npm"
STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


def run(words, folder, **more):
    done = subprocess.run([STRATA, *words], cwd=folder, capture_output=True, timeout=HANGS, check=False, **more)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stderr.decode()}"
    return done.stdout


def units(text):
    return len(text.encode("utf-16-le")) // 2


def token(key):
    return str(key).replace("~", "~0").replace("/", "~1")


# Where leaves begin, by pointer: offsets in code points.

def yaml_key(node):
    """A key as the program writes it in pointers."""
    if not isinstance(node, yaml.ScalarNode):
        raise ValueError("a key that is no scalar")
    value = yaml.SafeLoader("").construct_object(node)
    return {True: "true", False: "false", None: "null"}.get(value, str(value)) if isinstance(value, (bool, type(None))) else str(value)


def yaml_leaves(text):
    found = {}

    def walk(node, path):
        if isinstance(node, yaml.ScalarNode) or not node.value:
            found[path] = node.start_mark.index
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                walk(item, f"{path}/{index}")
        else:
            for key, value in node.value:
                walk(value, f"{path}/{token(yaml_key(key))}")

    documents = list(yaml.compose_all(text, yaml.SafeLoader))
    for number, document in enumerate(documents):
        walk(document, f"/{number}" if text.startswith("---\n") and IS_STREAM[0] else "")
    return found


IS_STREAM = [False]


def json_leaves(text):
    found = {}
    decoder = json.JSONDecoder()
    blanks = re.compile(r"\s*")

    def skip(at):
        return blanks.match(text, at).end()

    def walk(at, path):
        at = skip(at)
        if text[at] not in "[{" or text[skip(at + 1)] in "]}":
            found[path] = at
            return decoder.raw_decode(text, at)[1]
        is_list = text[at] == "["
        index = 0
        while text[at] not in "]}":
            at = skip(at + 1)
            if is_list:
                step = str(index)
            else:
                key, at = decoder.raw_decode(text, at)
                step = token(key)
                at = skip(at) + 1  # The colon.
            at = skip(walk(at, f"{path}/{step}"))
            index += 1
        return at + 1

    walk(0, "")
    return found


def position(text, offset):
    begin = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, units(text[begin:offset])


class Consumer:
    def __init__(self):
        self.process = subprocess.Popen(["node", "positions.js"], cwd=CONSUMER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, source_map, positions):
        self.process.stdin.write(json.dumps({"map": source_map, "positions": positions}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(HANGS)
        self.process.stdout.close()


EXAMPLES = {
    "merge": ["merge", "--base", "examples/cloud-init/cloud.cfg", "--vendor-data", "examples/cloud-init/vendor-data.yaml",
              "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml"],
    "merge, MIME": ["merge", "--instance-data", "examples/cloud-init/instance-data.json", "examples/cloud-init/message.mime"],
    "lookup": ["lookup", "--codedir", "examples/hiera", "--facts", "examples/hiera/nodes/db01.yaml", "accounts::users"],
    "lookup, fleet": ["lookup", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes", "accounts::users"],
    "render": ["render", "examples/deckhand/site"],
    "compose": ["compose", "-t", "examples/heat/overcloud.yaml", "--environment-directory", "examples/heat/environments"],
    "parameters": ["parameters", "-t", "examples/heat-bundle/stack.yaml", "-e", "examples/heat-bundle/env/base.yaml", "-e",
                   "examples/heat-bundle/env/site.yaml", "--parameter", "count=3"],
    "inject": ["inject", "--confdir", "examples/bindings", "--facts", "examples/bindings/facts/web01.example.com.yaml", "accounts::users"],
    "inventory": ["inventory", "--all", "--nodes-dir", "examples/reclass/nodes", "--classes-dir", "examples/reclass/classes"],
}


class SourceMaps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (CONSUMER / "node_modules" / "source-map").is_dir():
            raise RuntimeError("the npm package source-map is not there: run script/bootstrap")
        cls.consumer = Consumer()
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.scratch = pathlib.Path(made.name).resolve()

    @classmethod
    def tearDownClass(cls):
        cls.consumer.close()

    def check(self, words, folder, form, rendered=False):
        """One result, beside its plain form, its blame and its map. How many leaves it has."""
        output = [] if rendered else ["--output", form]
        plain = run([*words, *output], folder)
        map_file = self.scratch / "out" / "result.map"
        map_file.parent.mkdir(exist_ok=True)
        self.assertEqual(run([*words, *output, f"--source-map={map_file}"], folder), plain, "the result is the same")
        source_map = json.loads(map_file.read_text(encoding="utf-8"))
        self.assertEqual(source_map["file"], "result")
        alone = json.loads(run([*words, *output, "--source-map", "-"], folder))
        self.assertEqual((alone["mappings"], alone["names"]), (source_map["mappings"], source_map["names"]))

        blame = {row["path"]: row for row in json.loads(run([*words, "--output", "json", "--blame"], folder))}
        text = plain.decode()
        IS_STREAM[0] = words[0] == "render"
        leaves = json_leaves(text) if form == "json" else yaml_leaves(text)
        self.assertEqual(set(leaves), set(blame), "the readers find the leaves of blame")

        places = {path: position(text, offset) for path, offset in leaves.items()}
        for (path, place), found in zip(places.items(), self.consumer.ask(source_map, list(places.values()))):
            row = blame[path]
            if row["line"] is None:
                self.assertIsNone(found, path)
                continue
            self.assertIsNotNone(found, path)
            file = row["file"]
            if not file.startswith("<"):
                file = os.path.relpath(os.path.join(folder, file), map_file.parent)
            source, line, column, name = found
            bare, _, part = source.partition("#")
            self.assertEqual(self.decoded(bare), file, path)
            if part:
                self.assertEqual(self.decoded(part), row["part"])
            self.assertEqual((line, name), (row["line"], path), place)
            self.assertEqual(column, self.utf16_column(os.path.join(folder, row["file"]), row, bool(part)), path)

        # Every position of a line that says something leads to a place, if the leaf of the line has one.
        lines = text.split("\n")
        positions, homeless = [], any(row["line"] is None for row in blame.values())
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.rstrip() == "---" or line.startswith("#"):
                continue
            positions += [[number, column] for column in {0, units(line) // 2, max(units(line) - 1, 0)}]
        answers = self.consumer.ask(source_map, positions)
        if not homeless:
            for where, answer in zip(positions, answers):
                self.assertIsNotNone(answer, where)
        self.where(words, output, folder, places, blame)
        return len(leaves)

    def where(self, words, output, folder, places, blame):
        """The program's own reader says the same."""
        run([*words, *output, "--source-map", self.scratch / "where.map"], folder)
        for path, (line, column) in random.Random(len(places)).sample(sorted(places.items()), min(3, len(places))):
            row = blame[path]
            if row["line"] is None or row.get("part") or row["file"].startswith("<"):
                continue
            said = run(["where", self.scratch / "where.map", f"{line}:{column + 1}"], folder).decode()
            file, source_line, _, name = re.fullmatch(r"(.*?):(\d+):(\d+) (.*)\n", said).groups()
            self.assertEqual(os.path.realpath(os.path.join(folder, file)), os.path.realpath(os.path.join(folder, row["file"])))
            self.assertEqual((int(source_line), name), (row["line"], path))

    @staticmethod
    def decoded(url):
        return re.sub(rb"%([0-9A-F]{2})", lambda match: bytes([int(match[1], 16)]), url.encode()).decode()

    @staticmethod
    def utf16_column(file, row, is_part):
        """Blame's column, which counts code points from 1."""
        if is_part or not os.path.isfile(file):
            return row["column"] - 1
        line = re.split("\r\n|\r|\n", pathlib.Path(file).read_bytes().decode())[row["line"] - 1]
        return units(line[:row["column"] - 1])

    def test_examples(self):
        for name, words in EXAMPLES.items():
            for form in ("yaml", "json"):
                with self.subTest(name, form=form):
                    self.assertGreater(self.check(words, ROOT, form), 2)

    def test_lookups_as_puppet_prints_them(self):
        self.check(EXAMPLES["lookup"], ROOT, "yaml", rendered=True)
        self.check(EXAMPLES["lookup, fleet"], ROOT, "yaml", rendered=True)

    def random_value(self, source, depth=0):
        texts = ["x", "", "two\nlines\n", "é😀", "a: b", "- x", "#", "'q'", "𝔘 " * 60, "tail\n\n", "w " * 80, "{}", "null", "1"]
        kind = source.random()
        if depth > 3 or kind < 0.45:
            return source.choice([*texts, 1, 2.5, True, None, [], {}])
        if kind < 0.7:
            return [self.random_value(source, depth + 1) for _ in range(source.randrange(4))]
        keys = source.sample(["a", "b/c", "é😀", "~", "long key " * 20, "k1", "k2", "1", "#"], source.randrange(5))
        return {key: self.random_value(source, depth + 1) for key in keys}

    def test_random_results(self):
        source = random.Random(20)
        for number in range(40):
            folder = self.scratch / f"random {number}é"
            folder.mkdir()
            for name in ("a.yaml", "b#.yaml"):
                text = yaml.safe_dump(self.random_value(source), allow_unicode=True, default_flow_style=source.choice([None, True, False]),
                                      width=source.choice([40, 200]), sort_keys=False).removesuffix("...\n")
                head = "#cloud-config\nmerge_how: 'dict(recurse_list)+list(append)+str()'\n"
                aliases = source.choice(["", "same: &s [😀, {k: v}]\nalso: *s\n"])
                (folder / name).write_text(f"{head}{aliases}in:\n" + textwrap.indent(text, "  "), encoding="utf-8")
            for form in ("yaml", "json"):
                with self.subTest(number, form=form):
                    self.check(["merge", "a.yaml", "b#.yaml"], folder, form)
            data = folder / "data"
            data.mkdir()
            shutil.copy(folder / "a.yaml", data / "a.yaml")
            shutil.copy(folder / "b#.yaml", data / "b.yaml")
            (folder / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: all, paths: [a.yaml, b.yaml]}]\n", encoding="utf-8")
            with self.subTest(number, form="psych"):
                self.check(["lookup", "--hiera-config", "hiera.yaml", "--all", "--merge", "deep"], folder, "yaml", rendered=True)


if __name__ == "__main__":
    unittest.main()
